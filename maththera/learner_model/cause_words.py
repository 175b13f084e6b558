"""How people say the causes of errors: `configs/tutoring/cause_words.yaml`."""

import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.config_files import ConfigFile


class SpokenCause(BaseModel):
    """`said`: what it is called in an answer; `tags` of `configs/tutoring/causes.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    said: str
    pattern: re.Pattern[str]
    tags: tuple[str, ...]


class CauseWords(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    causes: tuple[SpokenCause, ...]

    @classmethod
    def load(cls, configs: Path) -> "CauseWords":
        """ConfigError names every fault."""
        return ConfigFile.read(configs / "tutoring" / "cause_words.yaml").parse(TypeAdapter(cls))

    def find(self, text: str) -> SpokenCause | None:
        """The cause that a text speaks of."""
        return next((each for each in self.causes if each.pattern.search(text)), None)
