"""Which tools to call next where no model chooses: the ask decides the tools, the message their arguments."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.asks import Asks
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.chat.coach.drafts import Board, CoachTurn
from maththera.chat.coach.intent_registry import MOTIVATION
from maththera.chat.coach.learner_facts import kinds_in
from maththera.chat.coach.message_entities import EntityReader
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.coach.turn_reading import ACCEPTING
from maththera.chat.state import ToolCall, ToolResult
from maththera.json_types import JsonObject

_MOST: Final = 3
"""Problems of one message that are explained, and units that are looked at."""
_OF_RECORDS: Final = frozenset({"predict", "record_claim"})
"""Readings that are no asks and are answered from the records."""
_CONCEPTS: Final = frozenset({"concept", "why", "easier", "again", "more", "what_said"})
_STEPS: Final = {"harder": 1, "harder_adult": 1, "easier_problem": -1} | dict.fromkeys(
    ("give_problem", "only_kind", "other", "recommend"), 0
)
_NEW_ONE: Final = re.compile(r"문제.{0,6}(?:내|만들|줘|주)")
_OF_WEAKEST: Final = frozenset({"easier", "more", "again"})
"""Asks of an adult that are about what goes wrong mostly, where nothing was explained."""
_STEPS_WHEN_FREE: Final = {"one_more_only": -1, "as_story": 0}
"""Asks for which a problem is chosen where none waits, or another one is asked for."""
_ON_KINDS: Final = frozenset({"ordinal", "why", "evidence", "again", "more", "easier", "others"})
"""Asks that are about a kind of problem, where one was spoken of."""

_FROM_RECORDS: Final = frozenset({"kind", "strength"})
"""What stands in a list that was told from the records."""


class ToolPlanner:
    """Plans from the turn and the results of the rounds so far."""

    def __init__(self, known: Knowledge, asks: Asks) -> None:
        self._config, self._asks = known.coach.config, asks
        self._reader = EntityReader(known)

    def next_round(self, turn: CoachTurn, rounds: Sequence[Sequence[ToolResult]]) -> list[ToolCall]:
        """The calls of the next round, which do not depend on each other; none when all is known that the answer needs.

        Every round adds to what was called before, so the same call is never made twice and the rounds come to an end.
        """
        done = [*chain.from_iterable(rounds)]
        made = {_identity(result) for result in done}
        wanted = {_identity(call): call for call in self._calls(turn, done)}
        return [call for identity, call in wanted.items() if identity not in made]

    def _calls(self, turn: CoachTurn, done: list[ToolResult]) -> Iterator[ToolCall]:
        ask, board = turn.ask, turn.board
        if turn.also:
            yield from self._calls(replace(turn, ask=turn.also, also=""), done)
        if ask in ACCEPTING and (offer := board.get("offer")):
            ask = offer
        records = self._asks.of_records(ask) or ask in _OF_RECORDS
        if ask == "weak":
            yield from self._weak_points(turn.message, done)
        records = records or (turn.adult and ask in _OF_WEAKEST and not board.get("expression"))
        listed = ask == "ordinal" and any(one["what"] in _FROM_RECORDS for one in board.get("items", []))
        if records or listed or (ask in _ON_KINDS and board.get("kind") and not board.get("concept")):
            yield _call("get_user_scores")
        if records and self._asks.intent(ask) == MOTIVATION:
            yield _call("get_recent_activity", limit=self._config.recent)
        if ask in _STEPS or (ask in _STEPS_WHEN_FREE and self._is_free(turn)):
            yield _call("recommend_next_problem", **_wished(turn, ask))
        if ask == "solve":
            yield from self._explanations(turn.message)
        if ask == "missed":
            yield _call("get_problem_explanation")
        if ask in _CONCEPTS and not board.get("expression"):
            named = self._reader.units(turn.message) or self._reader.units(board.get("concept", ""))
            yield from (_call("get_unit_curriculum", unit_id=unit) for unit in named[:_MOST])

    @staticmethod
    def _is_free(turn: CoachTurn) -> bool:
        """Whether no problem is in hand that the message may be about, or a new one is asked for."""
        waits = bool(turn.opened or turn.board.get("problem"))
        if turn.ask == "as_story":
            return not turn.adult and not turn.opened and (_NEW_ONE.search(turn.message) is not None or not waits)
        return not waits

    def _weak_points(self, message: str, done: Sequence[ToolResult]) -> Iterator[ToolCall]:
        """All weak points, then a closer look at the weakest units; or at those that are named."""
        if units := self._reader.units(message)[:_MOST]:
            yield from (_call("get_weak_points", unit_id=unit) for unit in units)
            return
        yield _call("get_weak_points")
        found = _found(done, "get_weak_points")
        weak = [unit for unit, one in (found or {}).items() if isinstance(one, dict) and one["weak_metrics"]]
        yield from (_call("get_weak_points", unit_id=unit) for unit in weak[: self._config.detailed])

    def _explanations(self, message: str) -> Iterator[ToolCall]:
        """Every expression of the message, with the answer that is given for it."""
        named = [{"problem_id": one} for one in self._reader.problem_ids(message)]
        if named:
            given = self._reader.answer(message)
            yield from (_call("get_problem_explanation", **one, **_answer(given)) for one in named[:_MOST])
            return
        for one in self._reader.problems(message)[:_MOST]:
            alone = len(read_expressions(message)) == 1
            given = one.given if one.given is not None else self._reader.answer(message) if alone else None
            yield _call("get_problem_explanation", **one.arguments, **_answer(given))


def _answer(given: int | None) -> dict[str, int]:
    return {} if given is None else {"answer": given}


def _wished(turn: CoachTurn, ask: str) -> dict[str, object]:
    """Which problem is wished for, by what the message names or what is shown."""
    board: Board = turn.board
    shown = board.get("problem") or board.get("expression") or (turn.opened[0].expression if turn.opened else None)
    kinds = kinds_in(turn.message)
    wished: dict[str, object] = {}
    if kinds:
        wished["kind"] = kinds[-1] if kinds[0] in ("add", "take") else kinds[0]
    elif board.get("kind") and ask != "recommend":
        wished["kind"] = board["kind"]
    if shown and ask != "recommend" and exercise_of(shown) is not None:
        wished["than"] = shown
    if step := _STEPS.get(ask, _STEPS_WHEN_FREE.get(ask)):
        wished["step"] = step
    return wished


def _call(tool: str, **arguments: object) -> ToolCall:
    return ToolCall(tool=tool, arguments=arguments)


def _identity(call: ToolCall | ToolResult) -> str:
    return f"{call['tool']}{sorted(call['arguments'].items())}"


def _found(done: Sequence[ToolResult], tool: str) -> JsonObject | None:
    """What this tool gave when it was called without arguments."""
    return next(
        (one["result"] for one in done if one["tool"] == tool and not one["arguments"] and not one["error"]), None
    )
