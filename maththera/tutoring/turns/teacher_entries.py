"""Entries of the review queue that tell a teacher how a child gets on: a cause that stays after its training, and
White-outs that come often. Their sentences stand in `configs/tutoring/teacher_entries.yaml`."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, cast

from pydantic import Field

from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import make_problem
from maththera.config_files import ConfigModel
from maththera.korean.particles import Particle, with_particle
from maththera.store.tutoring_sessions import NewReview
from maththera.tutoring.content.cause_catalogue import Catalogue
from maththera.tutoring.state import TutoringState

_EXAMPLES: Final = 3
_WHOLE: Final = re.compile(r"(\d+)([-+x/])(\d+)")
"""What the state keeps of a mistake in a problem that asks for its result."""


_Days = Annotated[int, Field(ge=1)]
_Sentences = Annotated[tuple[str, ...], Field(min_length=1)]


class EntryWords(ConfigModel):
    """`says`: sentences with slots. `again_after`: days until the same may be said again."""

    again_after: _Days
    says: _Sentences


class OftenWords(EntryWords):
    """Of what is said when it came so many `times` within so many days."""

    within_days: _Days
    times: Annotated[int, Field(ge=2)]


class TeacherEntries(ConfigModel):
    """`configs/tutoring/teacher_entries.yaml`, checked."""

    persistent_cause: EntryWords
    white_outs: OftenWords


def load_teacher_entries(configs: Path) -> TeacherEntries:
    """ConfigError names what is wrong."""
    return TeacherEntries.from_file(configs / "tutoring" / "teacher_entries.yaml")


class _Name(str):
    """A name in a sentence, with the particle that the slot asks for."""

    __slots__ = ()

    def __format__(self, particle: str) -> str:
        return with_particle(str(self), cast("Particle", particle)) if particle else str(self)


def recent_white_outs(state: TutoringState, today: int, entries: TeacherEntries) -> list[int]:
    """The day of each White-out of the last days, those of this session included."""
    since = today - entries.white_outs.within_days
    before = [day for day in state["start"].get("white_outs", []) if day > since]
    return [*before, *[today] * state["counters"].get("white_outs", 0)]


def told_days(state: TutoringState, today: int, entries: TeacherEntries, catalogue: Catalogue) -> dict[str, int]:
    """What a teacher was told → the day of it, of what may not be said again yet."""
    now = {key: today for key, _ in _due(state, today, entries, catalogue)}
    return {**_told_lately(state, today, entries), **now}


def teacher_entries(state: TutoringState, today: int, entries: TeacherEntries, catalogue: Catalogue) -> list[NewReview]:
    """The entries that the end of a session makes; none before it."""
    return [review for _, review in _due(state, today, entries, catalogue)]


def _told_lately(state: TutoringState, today: int, entries: TeacherEntries) -> dict[str, int]:
    told: Mapping[str, int] = state["start"].get("told", {})
    days = {"white_outs": entries.white_outs.again_after}
    return {key: day for key, day in told.items() if today - day < days.get(key, entries.persistent_cause.again_after)}


def _due(
    state: TutoringState, today: int, entries: TeacherEntries, catalogue: Catalogue
) -> Iterator[tuple[str, NewReview]]:
    """What the end of a session tells, and its entry; nothing before it."""
    if state["current_step"] != "ended":
        return
    told = _told_lately(state, today, entries)
    for tag in state["stated"]:
        if tag not in told and _stays(state, tag, catalogue):
            yield tag, _persistent(state, tag, entries.persistent_cause, catalogue)
    often, days = entries.white_outs, recent_white_outs(state, today, entries)
    if "white_outs" not in told and len(days) >= often.times:
        says = [one.format(times=len(days)) for one in often.says]
        yield "white_outs", NewReview("white_outs", {"times": len(days), "says": says})


def _stays(state: TutoringState, tag: str, catalogue: Catalogue) -> bool:
    """Whether the cause was stated before one of its trainings and is again: in an earlier session, or in this one."""
    start = state["start"]
    trained = start.get("trained", {})
    before = tag in start["stated"] and any(one in trained for one in catalogue.causes[tag].trainings)
    return before or state["taught"].get(tag, False)


def _persistent(state: TutoringState, tag: str, words: EntryWords, catalogue: Catalogue) -> NewReview:
    cause = catalogue.causes[tag]
    first, *others = cause.trainings
    following = others[0] if others else first
    examples = _examples(state, tag)
    slots = {
        "cause": _Name(f"‘{cause.name}’"),
        "answers": ", ".join(examples),
        "training": f"‘{catalogue.trainings[following].title}’",
    }
    says = [one.format(**slots) for one in words.says if examples or "{answers}" not in one]
    payload = {"cause_tag": tag, "examples": examples, "training_id": following, "says": says}
    return NewReview("persistent_cause", payload)


def _examples(state: TutoringState, tag: str) -> list[str]:
    """The last wrong answers of the session that show the cause: 52−38=26."""
    found = []
    mistakes = [(key, answer) for key, answers in state["mistakes"].items() for answer in answers]
    for key, answer in mistakes:
        if (whole := _WHOLE.fullmatch(key)) is None:
            continue
        low, op, high = int(whole[1]), whole[2], int(whole[3])
        for a, b in ((low, high), (high, low)) if op in "+x" else ((low, high),):
            problem = make_problem(a, op, b)
            if any(tag == cause.tag for rule in malrules_giving(problem, answer) for cause in rule.causes):
                found.append(f"{problem.expression}={answer}")
                break
    return found[-_EXAMPLES:]
