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
_LOWEST: Final = 0.74
_HIGHEST: Final = 0.80
_BEFORE: Final = 6
"""Tries of usual success that count where the session has fewer than so many of its own."""
_REVIEWED_FROM: Final = 0.6
"""The chance from which a skill is reviewed; below it, it is learnt again."""
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
    parts: dict[Source, list[str]] = {
        "border": _border(border, practised, strand),
        "review": _review(border, practised),
        "secure": _secure(border, practised),
    }
    for source in _sources(border, practised, parts):
        yield from (Choice(source, skill_id) for skill_id in parts[source])


def secure_choices(border: Border, practised: Practised) -> Iterator[Choice]:
    """The skills of which something works, the best first; where none is secure, the likeliest."""
    secure = _secure(border, practised)
    yield from (Choice("secure", skill_id) for skill_id in secure)
    others = (one for one in border.ladder.problems if one != practised.last and one not in secure)
    for skill_id in sorted(others, key=lambda one: -border.known[one].chance):
        yield Choice("secure", skill_id)


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
        share = sum(tries) + sum(border.known[one].chance for one in parts[source][:1])
        return source != "secure" and share < _LOWEST * (len(tries) + 1)

    return sorted(SOURCES, key=lambda source: (too_hard(source), practised.sources.get(source, 0)))


def _border(border: Border, practised: Practised, strand: Strand) -> list[str]:
    """At most two skills that were begun, of any strand, and the free places for the strand at work; of these the one
    that was asked least."""
    skills = list(dict.fromkeys([*border.begun()[:_PLACES], *border.of_strand(strand)]))[:_PLACES]
    return sorted(skills, key=lambda skill_id: practised.asked.get(skill_id, 0))


def _review(border: Border, practised: Practised) -> list[str]:
    """What is to come again with other numbers, then what is due: the least asked operation first, then the longest
    not seen. What is not likely to be right is left to the border."""
    due = sorted(
        (one for one in border.due() if border.known[one].chance >= _REVIEWED_FROM),
        key=lambda skill_id: (
            practised.asked.get(skill_id, 0),
            _asked_of_operation(border, practised, skill_id),
            border.known[skill_id].last_day or 0,
        ),
    )
    again = (one for one in practised.again if not practised.asked.get(one))
    return list(dict.fromkeys([*(one for one in again if border.known[one].chance >= _REVIEWED_FROM), *due]))


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


def _asked_of_operation(border: Border, practised: Practised, skill_id: str) -> int:
    """Ordinary tasks of this skill's operation in the session."""
    skills = border.ladder.skills
    strand = skills[skill_id].strand
    return sum(count for one, count in practised.asked.items() if skills[one].strand == strand)
