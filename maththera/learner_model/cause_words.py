"""How people say the causes of errors: `configs/tutoring/cause_words.yaml`."""

import re
from pathlib import Path

from maththera.config_files import ConfigModel


class SpokenCause(ConfigModel):
    """`said`: what it is called in an answer; `tags` of `configs/tutoring/causes.yaml`."""

    said: str
    pattern: re.Pattern[str]
    tags: tuple[str, ...]


class CauseWords(ConfigModel):
    causes: tuple[SpokenCause, ...]

    @classmethod
    def load(cls, configs: Path) -> "CauseWords":
        """ConfigError names every fault."""
        return cls.from_file(configs / "tutoring" / "cause_words.yaml")

    def find(self, text: str) -> SpokenCause | None:
        """The cause that a text speaks of."""
        return next((each for each in self.causes if each.pattern.search(text)), None)
