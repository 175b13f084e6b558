"""The filter of chat messages, before any language model sees them. Pure: the same text has the same verdict."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from pydantic import BaseModel, TypeAdapter

from maththera.arithmetic.result_claims import read_expressions
from maththera.config_files import ConfigFile
from maththera.learner_model.concept_graph import load_concepts
from maththera.words.input_filter.disguises import TextForms, text_forms
from maththera.words.input_filter.filter_words import (
    FilterWords,
    Housekeeping,
    InsultTerms,
    Kind,
    Profile,
    any_of,
    latin_words,
    load_filter_words,
)

_SHORT_NAME: Final = 2


@dataclass(frozen=True, slots=True)
class FilterVerdict:
    """The kind of a message. `found`: the words that decided, without disguise, or None. `weak`: it passed only for a
    numeral or a word like 추천, which may be about anything."""

    kind: Kind
    found: str | None = None
    weak: bool = False


class MessageFilter:
    """Filters by `configs/words/input_filter.yaml` and the names of concepts."""

    def __init__(self, words: FilterWords, names: frozenset[str]) -> None:
        self.message = words.message
        self._words = words
        self._alike, self._leet = words.disguises.plain_letters, words.disguises.plain_digits
        self._harmless = any_of(words.abuse.harmless)
        self._terms = InsultTerms.of(words.abuse)
        self._patterns = any_of(words.abuse.patterns)
        self._latin = latin_words(words.abuse.latin, words.disguises, words.abuse.latin_after)
        self._phrases = any_of(words.abuse.latin_phrases)
        self._mild = any_of(words.abuse.mild)
        self._mild_latin = latin_words(words.abuse.mild_latin, words.disguises, words.abuse.latin_after)
        self._oneself, self._told, self._another = (
            re.compile(pattern) for pattern in (words.abuse.of_oneself, words.abuse.told, words.abuse.of_another)
        )
        injection = words.injection
        self._orders = tuple(map(injection.any_of, (injection.raw, injection.squeezed, injection.latin)))
        self._planted = tuple(
            map(injection.any_of, (injection.documents_raw, injection.documents_squeezed, injection.documents_latin))
        )
        self._learning = any_of([*words.learning, *map(re.escape, sorted(names, key=len, reverse=True))])
        self._weak, self._numbers = any_of(words.weak_learning), any_of(words.numbers)
        self._talk = any_of(words.small_talk)
        self._mashed = any_of([words.meaningless.mashed])
        self._repeated = any_of([words.meaningless.repeated])
        self._housekeeping = {
            kind: re.compile("|".join(patterns), re.IGNORECASE | re.DOTALL)
            for kind, patterns in words.housekeeping.items()
        }

    @classmethod
    @lru_cache(maxsize=4)
    def load(cls, home: Path) -> "MessageFilter":
        """The filter of a home, loaded once per process. ConfigError names every field that does not fit."""
        return cls(load_filter_words(home), _names(home))

    def check(self, text: str) -> FilterVerdict:
        """The kind of a message. The profile decides whether it ends the turn (`blocks`)."""
        seen = self.read(text)
        if abuse := self.insult(seen):
            return FilterVerdict("abuse", abuse)
        if order := _first_match(self._orders, seen, text):
            return FilterVerdict("injection", order)
        learning = self._learning.search(seen.plain)
        if learning:
            return FilterVerdict("pass", learning[0])
        if expressions := read_expressions(text):
            return FilterVerdict("pass", expressions[0].text)
        if talk := self._talk.search(seen.plain):
            return FilterVerdict("small_talk", talk[0])
        if self._says_nothing(seen):
            return FilterVerdict("meaningless")
        if word := self._numbers.search(seen.plain) or self._weak.search(seen.plain):
            return FilterVerdict("pass", word[0], weak=not any(map(str.isdigit, word[0])))
        return FilterVerdict("unknown")

    def read(self, text: str) -> TextForms:
        """A text without its disguises."""
        return text_forms(text, self._alike, self._leet)

    def blocks(self, verdict: FilterVerdict, profile: Profile) -> bool:
        """Whether the verdict ends the turn."""
        return verdict.kind in self._words.blocks[profile]

    def looks_like_instructions(self, text: str) -> bool:
        """Whether a tool's result or a document speaks to the model instead of to its reader."""
        seen = self.read(text)
        return bool(_first_match(self._orders, seen, text) or _first_match(self._planted, seen, text))

    def housekeeping(self, text: str) -> Housekeeping | None:
        """What a chat front end itself asks for ("title", "tags", …); None for a person's message."""
        asked = text.strip()
        return next((kind for kind, pattern in self._housekeeping.items() if pattern.search(asked)), None)

    def insult(self, seen: TextForms) -> str | None:
        """The first insult that is not about the writer itself, without disguise."""
        plain = self._harmless.sub("|", seen.plain)
        for korean in (seen.korean, seen.keyed):
            if korean and (found := self._terms.find(self._harmless.sub("|", korean))):
                return found
        for pattern, form in ((self._patterns, plain), (self._latin, _shortened(plain)), (self._phrases, plain)):
            if match := pattern.search(form):
                return match[0]
        mild = self._mild_insult(seen, plain)
        return mild[0] if mild and not self._is_feeling(plain) else None

    def _mild_insult(self, seen: TextForms, plain: str) -> re.Match[str] | None:
        for form in (plain, self._harmless.sub("|", seen.korean), seen.keyed or ""):
            if match := self._mild.search(form):
                return match
        return self._mild_latin.search(_shortened(plain))

    def _is_feeling(self, plain: str) -> bool:
        """Whether an insult is about the writer itself, or reported of someone who said it."""
        if self._told.search(plain):
            return True
        return bool(self._oneself.search(plain)) and not self._another.search(plain)

    def _says_nothing(self, seen: TextForms) -> bool:
        said = seen.squeezed
        if not re.search(r"[^\Wㄱ-ㅣ]", said) or self._mashed.search(seen.plain):
            return True
        if self._numbers.search(seen.plain):
            return False
        return len(said) <= self._words.meaningless.short or self._repeated.fullmatch(said) is not None


def _shortened(text: str) -> str:
    """The text without long runs of signs or of one character, over which the search for disguised letters would take
    too long."""
    return re.sub(r"(.)\1{2,}", r"\1\1", re.sub(r"((?:[^\w\s]|_){2})(?:[^\w\s]|_)+", r"\1", text))


def _first_match(patterns: tuple[re.Pattern[str], ...], seen: TextForms, text: str) -> str | None:
    raw, squeezed, latin = patterns
    for pattern, form in ((raw, text.casefold()), (squeezed, seen.squeezed), (latin, seen.latin)):
        if match := pattern.search(form):
            return match[0]
    return None


class _Terms(BaseModel):
    terms: list[str]


def _names(home: Path) -> frozenset[str]:
    """The names of concepts in the curriculum and the Korean analyser. Single syllables are left out: they occur
    everywhere."""
    concepts = load_concepts(home / "configs" / "learner_model" / "concepts.yaml").concepts.values()
    terms = ConfigFile.read(home / "configs" / "korean" / "word_lists.yaml").parse(TypeAdapter(_Terms)).terms
    told = [name for concept in concepts for name in (concept.name, *concept.aliases, *concept.broad)]
    return frozenset(name.casefold() for name in (*told, *terms) if len(name) >= _SHORT_NAME)
