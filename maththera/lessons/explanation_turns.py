"""The turns in which a session explains: a few lines, a picture and a check each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NotRequired

from typing_extensions import TypedDict

from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.arithmetic.strategies import Mode, Picture, Step
from maththera.json_types import JsonObject
from maththera.knowledge.explanations import explained
from maththera.lessons.courses.course import Chapter, Check, Paragraph, UserType

_OTHERWISE: Final[Mapping[Mode, tuple[Mode, ...]]] = {
    "ten_frame": ("number_line",),
    "number_line": ("ten_frame", "array", "base_ten"),
    "base_ten": ("coin", "number_line"),
    "coin": ("base_ten",),
    "array": ("number_line",),
}
"""The representations in which the same numbers are shown another time."""
_HALVES: Final = 2
_NUMBERS: Final = re.compile(r"\d+")
_UNITS: Final = frozenset({0, 1, 10, 100})
"""Numbers of places and of single steps, whatever is spoken of."""


class Outcome(TypedDict):
    """A completed session of a chapter: its question, and whether the first try at it was right."""

    question: int
    right: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """What is said at once. `again`, `other`: words and picture for who has not understood. `work`: the calculation
    that is done together, of which this is the `step`. `result`: what that has come to, said after its last check."""

    paragraph: str
    text: str
    picture: Picture | None
    check: Check | None
    again: str
    other: Picture | None
    work: Problem | None = None
    step: Step | None = None
    result: str = ""


def session_turns(chapter: Chapter, user_type: UserType, outcomes: Sequence[Outcome], most: int) -> tuple[Turn, ...]:
    """The turns of the session that follows those `outcomes` of the chapter. The explanation is told in two halves, a
    session each; what was missed comes in another representation, in a session of its own, unless the chapter has no
    more sessions (`most`) than it still has to tell."""
    paragraphs, again = session_paragraphs(chapter, user_type, outcomes, most)
    return tuple(turn for each in paragraphs for turn in turns_of(each, again=again))


def session_paragraphs(
    chapter: Chapter, user_type: UserType, outcomes: Sequence[Outcome], most: int
) -> tuple[tuple[Paragraph, ...], bool]:
    """What the session tells, and whether it is told again."""
    every = chapter.explanation.of(user_type)
    middle = -(-len(every) // _HALVES)
    halves = (every[:middle], every[middle:])
    told, told_now = 0, every
    again = False
    for session in range(len(outcomes) + 1):
        missed = session > 0 and not outcomes[session - 1]["right"]
        again = told == _HALVES or (missed and most - session > _HALVES - told)
        if not again:
            told_now, told = halves[told], told + 1
    if not again:
        return told_now, False
    wrong = next((one["question"] for one in reversed(outcomes) if not one["right"]), 0)
    pointed = {name for each in chapter.questions if each.number == wrong for name in each.paragraphs}
    return tuple(each for each in every if each.id in pointed) or told_now, True


def turns_of(paragraph: Paragraph, *, again: bool = False) -> Iterator[Turn]:
    """A paragraph is one turn, or one for each step of the calculation that belongs to it."""
    if paragraph.work is not None:
        yield from _worked(paragraph, paragraph.work, again=again)
        return
    told, later = paragraph.text.strip(), paragraph.again.strip()
    picture = paragraph.picture
    other = otherwise_shown(picture) if picture is not None and _speaks_of(later or told, picture) else None
    if again:
        told, later, picture, other = later or told, told, other, picture
    yield Turn(paragraph.id, told, picture, paragraph.check, later or told, other)


def _worked(paragraph: Paragraph, expression: str, *, again: bool) -> Iterator[Turn]:
    problem = make_problem(*parse_expression(expression))
    steps = explained(problem, other=again)
    for place, step in enumerate(steps):
        text = "\n".join([paragraph.text.strip(), step.say] if place == 0 else [step.say])
        result = f"{problem.expression}={problem.answer}" if step is steps[-1] and len(steps) > 1 else ""
        check = Check(ask=step.question, key=int(step.found), drawn=True)
        drawn = _drawn(step)
        yield Turn(paragraph.id, text, drawn, check, step.hint, otherwise_shown(drawn), problem, step, result)


def _drawn(step: Step) -> Picture | None:
    picture = step.picture
    return picture if picture.fits and picture.mode != "columns" else None


def _speaks_of(text: str, picture: Picture) -> bool:
    """Whether the numbers of a text, where it has any but units, are those of the picture."""
    numbers = {int(one) for one in _NUMBERS.findall(text)} - _UNITS
    first, second = (*picture.shown, 0)[:2]
    together = {"join": first + second, "groups": first * second}.get(picture.model, abs(first - second))
    return not numbers or not numbers.isdisjoint({first, second, together})


def otherwise_shown(picture: Picture | None) -> Picture | None:
    """The same numbers in another representation; None where none of them holds them."""
    if picture is None:
        return None
    counted = picture.model in ("groups", "share")
    modes = [mode for mode in _OTHERWISE.get(picture.mode, ()) if (mode == "array") is counted or mode == "number_line"]
    drawn = (Picture(mode, picture.model, picture.shown) for mode in modes)
    return next((one for one in drawn if one.fits), None)


def shown_picture(picture: Picture | None) -> JsonObject | None:
    """As pages and terminals draw it."""
    if picture is None:
        return None
    return {"mode": picture.mode, "model": picture.model, "shown": [*picture.shown], "movable": False}


# --- where an explanation stands --------------------------------------------------------------------------------------

Reply = Literal["right", "wrong", "help", "go_on", "restart"]
"""What was replied to the check of a turn; `help`: not understood."""
Said = Literal["turn", "right", "help", "told"]
"""What comes before the turn that is said next: nothing, a word on a right reply, another way to see the same turn, or
what would have been right."""


HELPS: Final = 2
"""Other ways to see a check, before it is told."""


class ExplanationPosition(TypedDict):
    """Where an explanation stands. `turn`: the index of the one that was told last, -1 before the first; `helps`: how
    often it was told in another way; `missed`: the paragraphs whose check was not found. `tried`: the check that waits
    was answered, and not rightly."""

    turn: int
    helps: int
    missed: list[str]
    tried: NotRequired[bool]


NOT_BEGUN: ExplanationPosition = {"turn": -1, "helps": 0, "missed": []}


def next_position(
    position: ExplanationPosition, turns: Sequence[Turn], reply: Reply, *, heard: bool = False
) -> tuple[ExplanationPosition, Said]:
    """The next position, and what is said there. A check that is missed is shown in another way, and told when it is
    missed once more. Who only wishes for help has tried nothing: there are two different helps before the check is
    told, and then nothing was missed. `heard`: the first of them was told already, as an answer to a question. After
    the last turn `turn` is the number of turns."""
    at, helps, missed = position["turn"], position["helps"], position["missed"]
    if reply == "restart" or at < 0:
        return {"turn": 0, "helps": 0, "missed": missed}, "turn"
    if at >= len(turns):
        return position, "turn"
    if reply in ("right", "go_on"):
        return {"turn": at + 1, "helps": 0, "missed": missed}, "right" if reply == "right" else "turn"
    tried = position.get("tried", False)
    if helps == 0 or (reply == "help" and helps < HELPS):
        now = min(helps + 1 + (heard and helps == 0), HELPS)
        helped: ExplanationPosition = {"turn": at, "helps": now, "missed": missed}
        return {**helped, "tried": True} if tried or reply == "wrong" else helped, "help"
    name = turns[at].paragraph
    unknown = missed if name in missed or not (tried or reply == "wrong") else [*missed, name]
    return {"turn": at + 1, "helps": 0, "missed": unknown}, "told"


def open_turn(position: ExplanationPosition, turns: Sequence[Turn]) -> Turn | None:
    """The turn whose check waits; None before the first and after the last."""
    return turns[position["turn"]] if 0 <= position["turn"] < len(turns) else None
