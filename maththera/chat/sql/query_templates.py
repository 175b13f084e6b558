"""Common questions about the list of documents, told by their words. A template is taken only when it accounts for
every word of the question that carries meaning: a question that says more is not answered as if it said less."""

import re
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.chat.messages.answer_levels import LevelName
from maththera.config_files import ConfigError, ConfigFile
from maththera.korean.search import meaning_words
from maththera.korean.word_lists import usual_spelling

_YEAR: Final = re.compile(r"((?:19|20)\d\d)\s*년(?!생)")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class QueryTexts(_Strict):
    """`answers` of `configs/chat/sql/text2sql.yaml`."""

    alias: str
    rows: int = Field(gt=0, le=500)
    seconds: float = Field(gt=0)
    columns: dict[str, str]
    counted: dict[LevelName, str]
    untold: str
    more: str
    sql: str
    values: dict[str, str]
    refused: str
    unknown: str
    unread: str


class Template(_Strict):
    """`needs`: groups of words, one of each must be asked for; `may`: words that change nothing. In `sql` {where}
    stands for the year that was asked for. `sentence` tells the first row."""

    name: str
    needs: tuple[tuple[str, ...], ...] = Field(min_length=1)
    may: tuple[str, ...] = ()
    sql: str
    sentence: str = ""

    def accounts_for(self, asked: frozenset[str]) -> bool:
        """Whether it needs what is asked, and knows all of it."""
        known = {*self.may, *(word for group in self.needs for word in group)}
        return all(asked & {*group} for group in self.needs) and asked <= known


class _File(_Strict):
    answers: QueryTexts
    empty: tuple[str, ...]
    templates: tuple[Template, ...]


class Templates:
    """`configs/chat/sql/text2sql.yaml`. What comes of a template is checked when it is asked, as a model's SQL is."""

    def __init__(self, file: _File) -> None:
        self._file = file
        self.texts = file.answers
        self._empty = frozenset(file.empty)

    @classmethod
    def load(cls, home: Path) -> "Templates":
        """ConfigError names every fault."""
        document = ConfigFile.read(home / "configs" / "chat" / "sql" / "text2sql.yaml")
        file = document.parse(TypeAdapter(_File))
        faults = []
        for place, template in enumerate(file.templates):
            try:
                template.sql.format(where="1 = 1")
            except (KeyError, IndexError, ValueError) as error:
                faults.append(document.fault(("templates", place, "sql"), str(error)))
        if faults:
            raise ConfigError("\n".join(faults))
        return cls(file)

    def query_for(self, question: str) -> tuple[str, str] | None:
        """SQL and sentence of the template that fits best; None when none fits."""
        question = usual_spelling(question)
        year = _YEAR.search(question)
        asked = frozenset(meaning_words(_YEAR.sub(" ", question), counters=True)) - self._empty
        fitting = [template for template in self._file.templates if template.accounts_for(asked)]
        if not fitting:
            return None
        best = max(fitting, key=lambda template: len(template.needs))
        return best.sql.format(where=f"a.year = {year[1]}" if year else "1 = 1"), best.sentence
