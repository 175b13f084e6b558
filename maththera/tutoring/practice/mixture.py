"""Which skill ordinary practice asks next: what is being learnt, what may be forgotten, what is secure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from maththera.knowledge.skills import Strand
from maththera.tutoring.practice.border import Border

Source = Literal["given", "border", "review", "secure"]
SOURCES: Final[tuple[Source, ...]] = ("border", "review", "secure")
"""The parts of the mixture; the first of those that were asked equally often goes first."""

WINDOW: Final = 12
"""Ordinary first tries whose share of right ones is steered."""
_STEERED_FROM: Final = 6
_LOWEST: Final = 0.74
_HIGHEST: Final = 0.80
_PLACES: Final = 2
"""Border skills that a session works on."""
_MISSES: Final = 2
"""Misses in a row after which something works that is secure."""


class Choice(NamedTuple):
    """A skill to ask, and the part of the mixture that it is for."""

    source: Source
    skill_id: str


@dataclass(frozen=True, slots=True)
class Practised:
    """What the session has asked. `asked`: skill id → ordinary tasks. `sources`: part of the mixture → ordinary tasks.
    `tries`: the last ordinary first tries, 1 where right. `misses`: in a row, whatever the task. `last`: the skill that
    was asked last. `again`: skills of which other numbers are due today. `turn`: settles ties, the same for the same
    session."""

    asked: Mapping[str, int]
    sources: Mapping[str, int]
    tries: Sequence[int]
    misses: int
    last: str | None
    again: Sequence[str]
    turn: int


def needs_something_secure(practised: Practised) -> bool:
    """Whether two misses in a row ask for a task that works."""
    return practised.misses >= _MISSES


def choices(border: Border, practised: Practised, strand: Strand) -> Iterator[Choice]:
    """The skills to ask, the best first: the first with a problem that may be shown is taken."""
    for source in _sources(practised):
        skills = _border(border, practised, strand) if source == "border" else _PARTS[source](border, practised)
        yield from (Choice(source, skill_id) for skill_id in skills)


def secure_choices(border: Border, practised: Practised) -> Iterator[Choice]:
    """The skills of which something works, the best first; where none is secure, the likeliest."""
    secure = _secure(border, practised)
    yield from (Choice("secure", skill_id) for skill_id in secure)
    others = (one for one in border.ladder.problems if one != practised.last and one not in secure)
    for skill_id in sorted(others, key=lambda one: -border.known[one].chance):
        yield Choice("secure", skill_id)


def _sources(practised: Practised) -> Sequence[Source]:
    """The parts of the mixture in the order in which they are tried."""
    if needs_something_secure(practised):
        return ("secure", "review", "border")
    if len(practised.tries) >= _STEERED_FROM:
        share = sum(practised.tries) / len(practised.tries)
        if share < _LOWEST:
            return ("secure", "review", "border")
        if share > _HIGHEST:
            return ("border", "review", "secure")
    return sorted(SOURCES, key=lambda source: practised.sources.get(source, 0))


def _border(border: Border, practised: Practised, strand: Strand) -> list[str]:
    """At most two skills that were begun, of any strand, and the free places for the strand at work; of these the one
    that was asked least."""
    skills = list(dict.fromkeys([*border.begun()[:_PLACES], *border.of_strand(strand)]))[:_PLACES]
    return sorted(skills, key=lambda skill_id: practised.asked.get(skill_id, 0))


def _review(border: Border, practised: Practised) -> list[str]:
    """What is to come again with other numbers, then what is due: the least asked operation first, then the longest
    not seen."""
    due = sorted(
        border.due(),
        key=lambda skill_id: (
            practised.asked.get(skill_id, 0),
            _asked_of_operation(border, practised, skill_id),
            border.known[skill_id].last_day or 0,
        ),
    )
    return list(dict.fromkeys([*(one for one in practised.again if not practised.asked.get(one)), *due]))


def _secure(border: Border, practised: Practised) -> list[str]:
    """The least asked ones, operations mixed, of the upper half of what is secure; not what was asked last."""
    secure = [skill_id for skill_id in border.secure() if skill_id != practised.last]
    upper = secure[len(secure) // 2 :]
    size, turn = len(upper), practised.turn
    drawn = {skill_id: (place + turn) % size for place, skill_id in enumerate(upper)}
    return sorted(
        upper,
        key=lambda one: (practised.asked.get(one, 0), _asked_of_operation(border, practised, one), drawn[one]),
    )


_PARTS: Final = {"review": _review, "secure": _secure}


def _asked_of_operation(border: Border, practised: Practised, skill_id: str) -> int:
    """Ordinary tasks of this skill's operation in the session."""
    skills = border.ladder.skills
    strand = skills[skill_id].strand
    return sum(count for one, count in practised.asked.items() if skills[one].strand == strand)
