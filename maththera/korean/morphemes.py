"""Korean text as morphemes. One analyser serves the whole process: it takes seconds to load and much memory, so it is
loaded when the first text needs it, or ahead by `prewarm`.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.documents import Document
from maththera.settings import home

if TYPE_CHECKING:
    from kiwipiepy import Kiwi  # type: ignore[import-untyped]


class Morpheme(NamedTuple):
    """`tag` is one of the Sejong tag set, without the mark for irregular verbs; `start` and `end` count characters."""

    form: str
    tag: str
    start: int
    end: int


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    terms: list[str]


@lru_cache(maxsize=8192)
def morphemes(text: str) -> tuple[Morpheme, ...]:
    """In their order. Verbs and adjectives come as stems, endings and particles apart."""
    found = _analyser().tokenize(text)
    return tuple(Morpheme(each.form, each.tag.partition("-")[0], each.start, each.end) for each in found)


def prewarm() -> None:
    """Loads the analyser, so that no one's request waits for it."""
    morphemes("하나")


@cache
def _analyser() -> "Kiwi":
    from kiwipiepy import Kiwi

    kiwi = Kiwi()
    document = Document.read(home() / "configs" / "korean.yaml")
    for term in document.parse(TypeAdapter(_File)).terms:
        kiwi.add_user_word(term, "NNG")
    return kiwi
