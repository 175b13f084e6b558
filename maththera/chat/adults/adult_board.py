"""What a conversation with an adult goes on with: what was made and told last, and what was spoken of. It is kept as
the part `made` of the conversation's board."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter

from maththera.chat.adults.expression_answers import SpokenExpression
from maththera.chat.coach.learner_facts import KindId
from maththera.chat.letters.letters import Letter
from maththera.chat.plans.plans import Plan
from maththera.chat.worksheets.sheet_problems import Sheet
from maththera.json_types import JsonObject

Made: TypeAlias = Sheet | Letter | Plan
_KINDS: Final[Mapping[str, type[Made]]] = {"sheet": Sheet, "note": Letter, "plan": Plan}
"""How the JSON names what was made → what it is."""
_ADAPTERS: Final[Mapping[str, TypeAdapter[Any]]] = {what: TypeAdapter(kind) for what, kind in _KINDS.items()}
_HAND: Final = TypeAdapter(SpokenExpression)
_STALE: Final = 5
"""Turns after which all of it is forgotten."""


@dataclass(frozen=True, slots=True)
class AdultBoard:
    """`made`: what was made last, `about`: of which child, None for none or several; `idle`: turns since then;
    `spoken_of`: the child, `expression`: the expression that is spoken of; `group`: the kinds of problems of a group
    that was put together, none for all of them; `table`: the columns that were added to a table of the class; `tables`:
    multiplication tables were told; `games`: those that were told; `declined`: the subject that was declined, of
    outside.yaml; `offered`: the message that asked whether there is something that there is; `beside`: what the
    records told beside advice; `value`: the result of the last sum; `lost`, `lost_before`: nothing was understood of
    the last message, of that before it.
    """

    made: Made | None = None
    about: str | None = None
    idle: int = 0
    spoken_of: str | None = None
    expression: SpokenExpression | None = None
    group: tuple[KindId, ...] | None = None
    table: tuple[str, ...] | None = None
    tables: bool = False
    games: tuple[str, ...] = ()
    declined: str = ""
    offered: str = ""
    beside: str = ""
    value: int | None = None
    lost: bool = False
    lost_before: bool = False

    @property
    def minutes(self) -> int:
        """Of the plan that was made last; 0 for none."""
        return self.made.minutes if isinstance(self.made, Plan) else 0

    @property
    def result(self) -> int | None:
        """Of the sum or the expression that was spoken of last."""
        return self.value if self.expression is None else self.expression.problem.answer


def read_board(board: JsonObject | None) -> AdultBoard | None:
    """The board of its JSON; None for none."""
    if not board:
        return None
    adapter, hand = _ADAPTERS.get(board.get("what", "")), board.get("expression")
    group, table = board.get("group"), board.get("table")
    return AdultBoard(
        made=adapter.validate_python(board["made"]) if adapter else None,
        about=board.get("about"),
        idle=board.get("idle", 0),
        spoken_of=board.get("spoken_of"),
        expression=_HAND.validate_python(hand) if hand else None,
        group=None if group is None else tuple(group),
        table=None if table is None else tuple(table),
        tables=board.get("tables", False),
        games=tuple(board.get("games", ())),
        declined=board.get("declined", ""),
        offered=board.get("offered", ""),
        beside=board.get("beside", ""),
        value=board.get("value"),
        lost=board.get("lost", False),
        lost_before=board.get("lost_before", False),
    )


def board_json(board: AdultBoard | None) -> JsonObject | None:
    """The JSON of a board: a part that says nothing is left out."""
    if board is None:
        return None
    told = {
        "spoken_of": board.spoken_of,
        "expression": board.expression and _HAND.dump_python(board.expression, mode="json"),
        "group": None if board.group is None else [*board.group],
        "table": None if board.table is None else [*board.table],
        "tables": board.tables or None,
        "games": [*board.games] or None,
        "declined": board.declined or None,
        "offered": board.offered or None,
        "beside": board.beside or None,
        "value": board.value,
        "lost": board.lost or None,
        "lost_before": board.lost_before or None,
    }
    kept = {part: each for part, each in told.items() if each is not None}
    return {**_made_json(board), **kept, "idle": board.idle}


def _made_json(board: AdultBoard) -> JsonObject:
    what = next((what for what, kind in _KINDS.items() if isinstance(board.made, kind)), None)
    if what is None:
        return {}
    made = _ADAPTERS[what].dump_python(board.made, mode="json")
    return {"what": what, "made": made, "about": board.about, "minutes": board.minutes}


def older(board: AdultBoard | None) -> AdultBoard | None:
    """The board a turn later; None when it is to be forgotten."""
    if board is None or board.idle + 1 >= _STALE:
        return None
    return replace(board, idle=board.idle + 1, lost=False, lost_before=board.lost)


def gone_on_with(board: AdultBoard | None) -> AdultBoard:
    """The board a turn later, where the turn went on with what is on it."""
    return replace(older(board) or AdultBoard(), idle=0)
