"""Which tools to call next where no model chooses: the intent decides the round, the message the arguments."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

from maththera.chat.calls import Call, Result
from maththera.chat.coach_knowledge import Knowledge
from maththera.chat.learner_reports import strongest
from maththera.chat.reading import Reader
from maththera.chat.topics import NEW, Heard, Topic

_PROBLEMS: Final = 3
"""Problems of one message that are explained, and units that are looked at."""


class Planner:
    """Looks at the message, the topic that it goes on with, and at what the rounds so far gave."""

    def __init__(self, known: Knowledge) -> None:
        self._config = known.coach.config
        self._reader = Reader(known)
        self._rounds: dict[str, Callable[[Heard, list[Result]], Iterator[Call]]] = {
            "A": self._data,
            "B": self._method,
            "C": self._motivation,
            "E": self._problem,
            "F": self._concept,
            "G": self._decision,
        }

    def next_round(
        self, intent: str, message: str, rounds: Sequence[Sequence[Result]], topic: Topic = NEW
    ) -> list[Call]:
        """The calls of the next round, which do not depend on each other; none when all is known that the answer needs.

        Every round adds to what was called before, so the same call is never made twice and the rounds come to an end:
        three at most.
        """
        done = [*chain.from_iterable(rounds)]
        plan = self._rounds.get(intent)
        made = {_identity(result) for result in done}
        heard = Heard(self._reader, message, topic)
        return [call for call in plan(heard, done) if _identity(call) not in made] if plan else []

    def of_open_task(self, problem_id: str | None) -> list[Call]:
        """Of a task that the child is at, by whatever words it asks for it; none of a lesson's question."""
        return [_call("get_problem_explanation", problem_id=problem_id)] if problem_id is not None else []

    def _data(self, heard: Heard, done: list[Result]) -> Iterator[Call]:
        """Scores or weak points; an analysis of all weak points goes on to look into the weakest units."""
        weak = heard.weak
        if not weak or heard.scores:
            yield _call("get_user_scores")
        if not weak:
            return
        units = heard.units[:_PROBLEMS]
        if units:
            yield from (_call("get_weak_points", unit_id=unit) for unit in units)
            return
        yield _call("get_weak_points")
        yield from (_call("get_weak_points", unit_id=unit) for unit in self._weakest(done))

    def _method(self, heard: Heard, done: list[Result]) -> Iterator[Call]:
        """What is weak; then how that unit is learnt, and a problem of it."""
        if heard.beyond:
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

    def _motivation(self, _: Heard, __: list[Result]) -> Iterator[Call]:
        """What was done and what went well."""
        yield _call("get_user_scores")
        yield _call("get_recent_activity", limit=self._config.recent)

    def _problem(self, heard: Heard, _: list[Result]) -> Iterator[Call]:
        """Every problem that the message names, with the answer that was given; without one, the last that was missed,
        but not in place of one that is written and cannot be read (3.5+2)."""
        named = heard.problems
        if not named and (heard.calculates or heard.beyond):
            return
        given = heard.given
        answer = {"answer": given} if given is not None and len(named) == 1 else {}
        for arguments in named[:_PROBLEMS] or [{}]:
            yield _call("get_problem_explanation", **arguments, **answer)

    def _concept(self, heard: Heard, _: list[Result]) -> Iterator[Call]:
        yield from (_call("get_unit_curriculum", unit_id=unit) for unit in heard.units[:_PROBLEMS])

    def _decision(self, heard: Heard, done: list[Result]) -> Iterator[Call]:
        """The scores, and a problem of each unit that is weighed; what is easy is of the strongest."""
        if heard.beyond:
            return
        yield _call("get_user_scores")
        if heard.easy and not done:
            return
        units = self._going_well(done) if heard.easy else heard.units[:_PROBLEMS]
        yield from (_call("recommend_next_problem", unit_id=unit) for unit in units)
        if not units:
            yield _call("recommend_next_problem")

    def _going_well(self, done: Sequence[Result]) -> list[str]:
        """The unit that goes best."""
        units = (_found(done, "get_user_scores") or {}).get("units", {})
        best = strongest(units.values())
        return [name for name, unit in units.items() if unit is best]

    def _weakest(self, done: Sequence[Result]) -> list[str]:
        """The units with weak metrics, the weakest first, from the look at all of them."""
        found = _found(done, "get_weak_points")
        weak = [unit for unit, one in (found or {}).items() if isinstance(one, dict) and one["weak_metrics"]]
        return weak[: self._config.detailed]


def _call(tool: str, **arguments: object) -> Call:
    return Call(tool=tool, arguments=arguments)


def _identity(call: Call | Result) -> str:
    return f"{call['tool']}{sorted(call['arguments'].items())}"


def _found(done: Sequence[Result], tool: str) -> dict[str, Any] | None:
    """What this tool gave when it was called without arguments."""
    return next(
        (one["result"] for one in done if one["tool"] == tool and not one["arguments"] and not one["error"]), None
    )
