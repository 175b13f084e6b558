"""Personal data that a child should not share: phone numbers, addresses, passwords. Models neither see them nor ask for
them."""

import re
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field

from maththera.config_files import ConfigModel
from maththera.words.input_filter.filter_words import Pattern, any_of


class PersonalData(ConfigModel):
    """`configs/words/personal_data.yaml`."""

    patterns: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    said: tuple[Pattern, ...]

    @classmethod
    def load(cls, home: Path) -> "PersonalData":
        """ConfigError names every field that does not fit."""
        return cls.from_file(home / "configs" / "words" / "personal_data.yaml")

    def found_in(self, message: str) -> bool:
        """Whether a child's or adult's message contains personal data."""
        return self._written_pattern.search(message) is not None

    def said_in(self, text: str) -> bool:
        """Whether a model's text contains or asks for personal data."""
        return self._said_pattern.search(text) is not None

    @cached_property
    def _written_pattern(self) -> re.Pattern[str]:
        return any_of(self.patterns)

    @cached_property
    def _said_pattern(self) -> re.Pattern[str]:
        return any_of((*self.patterns, *self.said))
