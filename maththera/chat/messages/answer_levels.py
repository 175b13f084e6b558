"""The two levels at which an answer of the assistant is given."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.config_files import ConfigError, ConfigFile

LevelName: TypeAlias = Literal["elementary", "beginner", "intermediate", "advanced"]
ModelRole: TypeAlias = Literal["main", "small"]

LEVEL_NAMES: Final[tuple[LevelName, ...]] = ("elementary", "beginner", "intermediate", "advanced")
PROMPT_VARIABLES: Final = frozenset({"question", "material"})
"""Of each level's prompt file."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Level(_Strict):
    title: str
    prompt: str


class _Difficulty(_Strict):
    levels: tuple[LevelName, LevelName]
    model: ModelRole


class _File(_Strict):
    difficulties: dict[str, _Difficulty]
    otherwise: _Difficulty
    default: str
    levels: dict[LevelName, _Level]
    own_knowledge: str


@dataclass(frozen=True, slots=True)
class Level:
    """`title` is shown; `prompt` names the file in `prompts/` that a model is asked with."""

    name: LevelName
    title: str
    prompt: str


class Levels:
    """`configs/chat/messages/levels.yaml`, checked."""

    def __init__(self, file: _File) -> None:
        self._file = file
        self.all: tuple[Level, ...] = tuple(
            Level(name, file.levels[name].title, file.levels[name].prompt) for name in LEVEL_NAMES
        )

    @classmethod
    def load(cls, home: Path) -> "Levels":
        """ConfigError names every fault."""
        document = ConfigFile.read(home / "configs" / "chat" / "messages" / "levels.yaml")
        file = document.parse(TypeAdapter(_File))
        faults = [document.fault(("levels",), f"{name} is missing") for name in LEVEL_NAMES if name not in file.levels]
        if file.default not in file.difficulties:
            faults.append(document.fault(("default",), "is none of the difficulties"))
        if faults:
            raise ConfigError("\n".join(faults))
        return cls(file)

    def level_pair(self, difficulty: str | None) -> tuple[Level, Level]:
        """The lower and the higher level; None is the default of the endpoint."""
        lower, higher = self._difficulty(difficulty).levels
        return self.all[LEVEL_NAMES.index(lower)], self.all[LEVEL_NAMES.index(higher)]

    def model(self, difficulty: str | None) -> ModelRole:
        """Which of the configured models writes at this difficulty."""
        return self._difficulty(difficulty).model

    def text_without_model(self, level: Level, result: Mapping[str, Any]) -> str:
        """The answer at a level as the tool itself wrote it."""
        return str(result["answers"][level.name])

    def variables(self, question: str, result: Mapping[str, Any]) -> dict[str, str]:
        """The variables of a level's prompt."""
        return {"question": question, "material": str(result.get("material", ""))}

    def note(self, result: Mapping[str, Any]) -> str:
        """The note under an answer that has no source but the model; "" where there is a source."""
        return "" if result.get("material") else f"\n\n{self._file.own_knowledge}"

    def _difficulty(self, difficulty: str | None) -> _Difficulty:
        wanted = self._file.default if difficulty is None else difficulty
        return self._file.difficulties.get(wanted, self._file.otherwise)
