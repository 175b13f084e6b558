"""Which tools to call next where no model chooses: how the intent is handled decides the tools, the message
their arguments."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final

from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.chat.coach.intent_registry import Handling
from maththera.chat.coach.learner_reports import strongest
from maththera.chat.coach.message_entities import EntityReader
from maththera.chat.coach.message_topics import NO_TOPIC, ResolvedMessage, Topic
from maththera.chat.state import ToolCall, ToolResult
from maththera.json_types import JsonObject

_PROBLEMS: Final = 3
"""Problems of one message that are explained, and units that are looked at."""


class ToolPlanner:
    """Plans from the message, its topic, and the results of the rounds so far."""

    def __init__(self, known: Knowledge) -> None:
        self._config = known.coach.config
        self._reader = EntityReader(known)
        self._rounds: dict[Handling, Callable[[ResolvedMessage, list[ToolResult]], Iterator[ToolCall]]] = {
            "records": self._records,
            "study_plan": self._study_plan,
            "encouragement": self._encouragement,
            "worked_solution": self._worked_solution,
            "explanation": self._explanation,
            "recommendation": self._recommendation,
        }

    def next_round(
        self, handling: Handling, message: str, rounds: Sequence[Sequence[ToolResult]], topic: Topic = NO_TOPIC
    ) -> list[ToolCall]:
        """The calls of the next round, which do not depend on each other; none when all is known that the answer needs.

        Every round adds to what was called before, so the same call is never made twice and the rounds come to an end:
        three at most.
        """
        done = [*chain.from_iterable(rounds)]
        plan = self._rounds.get(handling)
        made = {_identity(result) for result in done}
        heard = ResolvedMessage(self._reader, message, topic)
        return [call for call in plan(heard, done) if _identity(call) not in made] if plan else []

    def open_task_calls(self, problem_id: str | None) -> list[ToolCall]:
        """The call for an open task, however the child asks for it; none for a lesson's question."""
        return [_call("get_problem_explanation", problem_id=problem_id)] if problem_id is not None else []

    def _records(self, heard: ResolvedMessage, done: list[ToolResult]) -> Iterator[ToolCall]:
        """Scores or weak points; an analysis of all weak points goes on to look into the weakest units."""
        weak = heard.asks_weak_points
        if not weak or heard.asks_scores:
            yield _call("get_user_scores")
        if not weak:
            return
        units = heard.units[:_PROBLEMS]
        if units:
            yield from (_call("get_weak_points", unit_id=unit) for unit in units)
            return
        yield _call("get_weak_points")
        yield from (_call("get_weak_points", unit_id=unit) for unit in self._weakest(done))

    def _study_plan(self, heard: ResolvedMessage, done: list[ToolResult]) -> Iterator[ToolCall]:
        """The weak points; then the weakest unit's curriculum, and a problem of it."""
        if heard.is_beyond_curriculum:
            return
        units = heard.units[:1]
        if units:
            yield _call("get_weak_points", unit_id=units[0])
        else:
            yield _call("get_weak_points")
            if not done:
                return
            units = self._weakest(done)[:1]
        if units:
            yield _call("get_unit_curriculum", unit_id=units[0])
            yield _call("recommend_next_problem", unit_id=units[0])
            return
        yield _call("recommend_next_problem")
        if (recommended := _found(done, "recommend_next_problem")) is not None:
            yield _call("get_unit_curriculum", unit_id=recommended["unit_id"])

    def _encouragement(self, _: ResolvedMessage, __: list[ToolResult]) -> Iterator[ToolCall]:
        """The recent sessions and the scores."""
        yield _call("get_user_scores")
        yield _call("get_recent_activity", limit=self._config.recent)

    def _worked_solution(self, heard: ResolvedMessage, _: list[ToolResult]) -> Iterator[ToolCall]:
        """Every problem that the message names, with the answer that was given; without one, the last that was missed,
        but not in place of one that is written and cannot be read (3.5+2)."""
        named = heard.problems
        if not named and (heard.calculates or heard.is_beyond_curriculum):
            return
        given = heard.given
        answer = {"answer": given} if given is not None and len(named) == 1 else {}
        for arguments in named[:_PROBLEMS] or [{}]:
            yield _call("get_problem_explanation", **arguments, **answer)

    def _explanation(self, heard: ResolvedMessage, _: list[ToolResult]) -> Iterator[ToolCall]:
        yield from (_call("get_unit_curriculum", unit_id=unit) for unit in heard.units[:_PROBLEMS])

    def _recommendation(self, heard: ResolvedMessage, done: list[ToolResult]) -> Iterator[ToolCall]:
        """The scores, and a problem of each unit that is weighed; what is easy is of the strongest."""
        if heard.is_beyond_curriculum:
            return
        yield _call("get_user_scores")
        if heard.asks_for_easy and not done:
            return
        units = self._going_well(done) if heard.asks_for_easy else heard.units[:_PROBLEMS]
        yield from (_call("recommend_next_problem", unit_id=unit) for unit in units)
        if not units:
            yield _call("recommend_next_problem")

    def _going_well(self, done: Sequence[ToolResult]) -> list[str]:
        """The unit that goes best."""
        units = (_found(done, "get_user_scores") or {}).get("units", {})
        best = strongest(units.values())
        return [name for name, unit in units.items() if unit is best]

    def _weakest(self, done: Sequence[ToolResult]) -> list[str]:
        """The units with weak metrics, the weakest first, from the look at all of them."""
        found = _found(done, "get_weak_points")
        weak = [unit for unit, one in (found or {}).items() if isinstance(one, dict) and one["weak_metrics"]]
        return weak[: self._config.detailed]


def _call(tool: str, **arguments: object) -> ToolCall:
    return ToolCall(tool=tool, arguments=arguments)


def _identity(call: ToolCall | ToolResult) -> str:
    return f"{call['tool']}{sorted(call['arguments'].items())}"


def _found(done: Sequence[ToolResult], tool: str) -> JsonObject | None:
    """What this tool gave when it was called without arguments."""
    return next(
        (one["result"] for one in done if one["tool"] == tool and not one["arguments"] and not one["error"]), None
    )
