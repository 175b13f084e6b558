"""What adults read about causes and trainings: the Korean texts of `causes.yaml` and `trainings.yaml`.

The tutoring session checks these files whole; here only the texts are read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from maththera.config_files import ConfigFile


class CauseText(BaseModel):
    """A cause as a teacher reads it; `trainings` are ids, in the order they are offered."""

    domain: str
    name: str
    explanation: str
    trainings: tuple[str, ...]


class TrainingText(BaseModel):
    """A training as a teacher reads it."""

    title: str
    goal: str


@dataclass(frozen=True, slots=True)
class CauseTexts:
    """Both by tag and by id."""

    causes: Mapping[str, CauseText]
    trainings: Mapping[str, TrainingText]


def load_cause_texts(configs: Path) -> CauseTexts:
    """ConfigError names what is wrong."""
    return CauseTexts(
        ConfigFile.read(configs / "tutoring" / "causes.yaml").parse(TypeAdapter(dict[str, CauseText])),
        ConfigFile.read(configs / "tutoring" / "trainings.yaml").parse(TypeAdapter(dict[str, TrainingText])),
    )
