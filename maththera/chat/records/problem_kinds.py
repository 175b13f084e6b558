"""The kinds of problems: their names and activities for each (`configs/chat/records/problem_kinds.yaml`)."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.config_files import ConfigFile


class ProblemKind(BaseModel):
    """See the head of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    step: str
    say: str


ProblemKinds: TypeAlias = Mapping[str, ProblemKind]


def load_problem_kinds(home: Path) -> ProblemKinds:
    """ConfigError names every fault."""
    return ConfigFile.read(home / "configs" / "chat" / "records" / "problem_kinds.yaml").parse(
        TypeAdapter(ProblemKinds)
    )
