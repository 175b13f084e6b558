"""Which skill ordinary practice asks next: what is being learnt, what may be forgotten, what is secure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, Literal, NamedTuple

from maththera.knowledge.skills import Strand
from maththera.tutoring.practice.learning_border import Border
from maththera.tutoring.practice.skill_problems import LADDERS

Source = Literal["given", "border", "review", "secure"]
SOURCES: Final[tuple[Source, ...]] = ("border", "review", "secure")
"""The parts of the mixture; the first of those that have had the same part of their share goes first."""

_SHARES: Final[Mapping[Source, int]] = {"border": 2, "review": 1, "secure": 1}
"""Of four problems half are of what is being learnt."""
_FOCUS: Final = 3
"""Problems of the skill that a session is about, for one of each other border skill."""
_SHOWN_FIRST: Final = 0.5
"""The least chance of a right answer after an example; of 1,700 simulated ones 0.52 were right where 0.15 was expected
and 0.62 where 0.35 was."""
_WAITING_DAYS: Final = 6
"""Days after which a strand of which nothing was asked has a place at the border."""

WINDOW: Final = 12
"""Ordinary first tries whose share of right ones is steered."""
_LOWEST: Final = 0.74
_HIGHEST: Final = 0.80
_BEFORE: Final = 6
"""Tries of usual success that count where the session has fewer than so many of its own."""
_REVIEWED_FROM: Final = 0.6
"""The chance from which a skill is reviewed; below it, it is learnt again."""
_PLACES: Final = 2
"""Border skills that a session works on."""
MISSES: Final = 2
"""Misses in a row after which something works that is secure."""
_SHAKEN: Final = 0.15
"""What a miss just now takes from the chance of other skills of its operation; chosen."""
_FAR: Final = 8
"""Places in teaching order by which such a miss moves a skill of its operation that was never right; chosen."""
_VARIED: Final = 0.02
"""What each time that a skill was asked takes from its being asked again; chosen."""


class Choice(NamedTuple):
    """A skill to ask, and the part of the mixture that it is for."""

    source: Source
    skill_id: str


@dataclass(frozen=True, slots=True)
class Practised:
    """What the session has asked. `asked`: skill id → ordinary tasks. `sources`: part of the mixture → ordinary tasks.
    `tries`: the last ordinary first tries, 1 where right. `missed`: the operations of the misses in a row, whatever the
    task. `last`: the skill that was asked last. `again`: skills of which other numbers are due today. `exampled`:
    skills that were shown by an example. `today`: days, as in `last_day`. `turn`: settles ties, the same for the same
    session."""

    asked: Mapping[str, int]
    sources: Mapping[str, int]
    tries: Sequence[int]
    missed: Sequence[str]
    last: str | None
    again: Sequence[str]
    exampled: Sequence[str]
    today: int
    turn: int


def needs_something_secure(practised: Practised) -> bool:
    """Whether two misses in a row ask for a task that works."""
    return len(practised.missed) >= MISSES


def choices(border: Border, practised: Practised, strand: Strand) -> Iterator[Choice]:
    """The skills to ask, the best first: the first with a problem that may be shown is taken."""
    parts: dict[Source, list[str]] = {
        "border": _border(border, practised, strand),
        "review": _review(border, practised),
    }
    for source in _sources(border, practised, parts):
        skills = _secure(border, practised) if source == "secure" else parts[source]
        yield from (Choice(source, skill_id) for skill_id in skills)


def secure_choices(border: Border, practised: Practised) -> Iterator[Choice]:
    """The skills of which something works, the best first: the likeliest of those that were right before, less for each
    miss of the operation just now and for each time that the skill was asked; then the others, the lowest first."""
    skills, known, asked = border.ladder.skills, border.known, practised.asked
    others = [one for one in border.ladder.problems if one != practised.last]

    def works(skill_id: str) -> float:
        missed = practised.missed.count(skills[skill_id].strand)
        return known[skill_id].chance - _SHAKEN * missed - _VARIED * asked.get(skill_id, 0)

    before = [one for one in others if known[one].right]
    yield from (Choice("secure", skill_id) for skill_id in sorted(before, key=works, reverse=True))

    def place(skill_id: str) -> int:
        missed = practised.missed.count(skills[skill_id].strand)
        return skills.order[skill_id] + _FAR * missed + len(skills.order) * asked.get(skill_id, 0)

    new = [one for one in others if not known[one].right and one not in border.beyond]
    yield from (Choice("secure", skill_id) for skill_id in sorted(new, key=place))


def _sources(border: Border, practised: Practised, parts: Mapping[Source, Sequence[str]]) -> Sequence[Source]:
    """The parts of the mixture in the order in which they are tried: those asked least first, but last those that would
    probably bring the share of right first tries below its range; above it the border first."""
    if needs_something_secure(practised):
        return ("secure", "review", "border")
    usual = (_LOWEST + _HIGHEST) / 2
    tries = [*(usual for _ in range(_BEFORE - len(practised.tries))), *practised.tries]
    if len(practised.tries) >= _BEFORE and sum(tries) > _HIGHEST * len(tries):
        return ("border", "review", "secure")

    def too_hard(source: Source) -> bool:
        share = sum(tries) + sum(_likely(border, practised, one) for one in parts.get(source, ())[:1])
        return source != "secure" and share < _LOWEST * (len(tries) + 1)

    return sorted(SOURCES, key=lambda source: (too_hard(source), practised.sources.get(source, 0) / _SHARES[source]))


def _likely(border: Border, practised: Practised, skill_id: str) -> float:
    """The chance of a right answer, where need be after an example."""
    known = border.known[skill_id]
    shown = known.missed or skill_id in practised.exampled
    return max(known.chance, _SHOWN_FIRST) if shown else known.chance


def _border(border: Border, practised: Practised, strand: Strand) -> list[str]:
    """The skill that the session is about, the lowest that was begun; beside it, seldom, the first of the strand at
    work and what waits in a strand of which nothing was asked for days, else the next one begun. Where nothing was
    begun, the strand at work."""
    own, begun = [*islice(border.first_of_strand(strand), _PLACES + 1)], border.begun()
    waiting = (border.waiting(one, practised.today - _WAITING_DAYS) for one in LADDERS)
    found = dict.fromkeys([*begun[:1], *own[:1], *(one for one in waiting if one), *begun[1:_PLACES], *own])
    skills = [*found][: _PLACES + 1]
    asked = {skill_id: float(practised.asked.get(skill_id, 0)) for skill_id in skills}
    if skills:
        asked[skills[0]] /= _FOCUS
    return sorted(skills, key=asked.__getitem__)


def _review(border: Border, practised: Practised) -> list[str]:
    """What is to come again with other numbers; then by turns what is due and what is only supposed, the least asked
    operation first, then what is least likely still there. What is not likely to be right is left to the border."""
    asked, skills, known = practised.asked, border.ladder.skills, border.known
    operations = _asked_operations(border, practised)

    def order(skill_id: str) -> tuple[int, int, float]:
        return asked.get(skill_id, 0), operations[skills[skill_id].strand], known[skill_id].chance

    due = sorted((one for one in border.due() if known[one].chance >= _REVIEWED_FROM), key=order)
    supposed = [min(border.supposed(), key=order)] if border.supposed() else []
    again = (one for one in practised.again if not asked.get(one) and known[one].chance >= _REVIEWED_FROM)
    turns = (supposed, due) if practised.sources.get("review", 0) % 2 else (due[:1], supposed, due)
    return list(dict.fromkeys([*again, *chain.from_iterable(turns)]))


def _secure(border: Border, practised: Practised) -> list[str]:
    """The least asked ones, operations mixed, of the upper half of what is secure; not what was asked last."""
    secure = [skill_id for skill_id in border.secure() if skill_id != practised.last]
    upper = secure[len(secure) // 2 :]
    size, turn = len(upper), practised.turn
    drawn = {skill_id: (place + turn) % size for place, skill_id in enumerate(upper)}
    skills, operations = border.ladder.skills, _asked_operations(border, practised)
    return sorted(upper, key=lambda one: (practised.asked.get(one, 0), operations[skills[one].strand], drawn[one]))


def _asked_operations(border: Border, practised: Practised) -> Counter[str]:
    """Operation → ordinary tasks in the session."""
    asked: Counter[str] = Counter()
    for skill_id, count in practised.asked.items():
        asked[border.ladder.skills[skill_id].strand] += count
    return asked
