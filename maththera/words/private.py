"""What a child should keep to itself: phone numbers, addresses, passwords. No model is to see them."""

import re
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.documents import Document
from maththera.words.lexicon import Pattern


class Private(BaseModel):
    """`configs/words/private.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    patterns: Annotated[tuple[Pattern, ...], Field(min_length=1)]

    @classmethod
    def load(cls, home: Path) -> "Private":
        """ConfigError names every field that does not fit."""
        return Document.read(home / "configs" / "words" / "private.yaml").parse(TypeAdapter(cls))

    def found_in(self, text: str) -> bool:
        return self._any.search(text) is not None

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{pattern})" for pattern in self.patterns))
