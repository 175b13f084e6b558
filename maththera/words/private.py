"""What a child should keep to itself: phone numbers, addresses, passwords. No model sees them, and none asks or says
them."""

import re
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.documents import Document
from maththera.words.lexicon import Pattern, any_of


class Private(BaseModel):
    """`configs/words/private.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    patterns: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    said: tuple[Pattern, ...]

    @classmethod
    def load(cls, home: Path) -> "Private":
        """ConfigError names every field that does not fit."""
        return Document.read(home / "configs" / "words" / "private.yaml").parse(TypeAdapter(cls))

    def found_in(self, message: str) -> bool:
        """Whether a child, or an adult, has written such a thing."""
        return self._written.search(message) is not None

    def said_in(self, text: str) -> bool:
        """Whether a model says such a thing, in whatever form."""
        return self._said.search(text) is not None

    @cached_property
    def _written(self) -> re.Pattern[str]:
        return any_of(self.patterns)

    @cached_property
    def _said(self) -> re.Pattern[str]:
        return any_of((*self.patterns, *self.said))
