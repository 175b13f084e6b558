"""The sentences of the review queue's entries that tell a teacher how a child gets on."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from maththera.config_files import ConfigModel

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
