"""What the chat lets in, decided before any language model sees it. Pure: the same text has the same verdict."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, TypeAdapter

from maththera.arithmetic.claims import read_expressions
from maththera.documents import Document
from maththera.learners.concepts import load_concepts
from maththera.words.disguises import Reading, read
from maththera.words.lexicon import GuardWords, Housekeeping, Kind, Profile, Terms, any_of, latin_words, load_words

_SHORT_NAME: Final = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """`found`: the words that decided, as they read without disguise; None where nothing was found. `weak`: only a
    numeral or a word like 추천 let it pass, which may be about anything."""

    kind: Kind
    found: str | None = None
    weak: bool = False


class Guard:
    """Reads `configs/words/guard.yaml` and the names of concepts once."""

    def __init__(self, words: GuardWords, names: frozenset[str]) -> None:
        self.message = words.message
        self._words = words
        self._alike, self._leet = words.disguises.plain_letters, words.disguises.plain_digits
        self._harmless = any_of(words.abuse.harmless)
        self._terms = Terms.of(words.abuse)
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
    def load(cls, home: Path) -> "Guard":
        """ConfigError names every field that does not fit."""
        return cls(load_words(home), _names(home))

    def check(self, text: str) -> Verdict:
        """What kind of words these are; whether it ends the turn is the profile's to say (`blocks`)."""
        seen = self.read(text)
        if abuse := self.insult(seen):
            return Verdict("abuse", abuse)
        if order := _first(self._orders, seen, text):
            return Verdict("injection", order)
        learning = self._learning.search(seen.plain)
        if learning:
            return Verdict("pass", learning[0])
        if expressions := read_expressions(text):
            return Verdict("pass", expressions[0].text)
        if talk := self._talk.search(seen.plain):
            return Verdict("small_talk", talk[0])
        if self._says_nothing(seen):
            return Verdict("meaningless")
        if word := self._numbers.search(seen.plain) or self._weak.search(seen.plain):
            return Verdict("pass", word[0], weak=not any(map(str.isdigit, word[0])))
        return Verdict("unknown")

    def read(self, text: str) -> Reading:
        """A text without its disguises."""
        return read(text, self._alike, self._leet)

    def blocks(self, verdict: Verdict, profile: Profile) -> bool:
        """Whether such words end the turn."""
        return verdict.kind in self._words.blocks[profile]

    def looks_like_instructions(self, text: str) -> bool:
        """Whether a tool's result or a document speaks to the model instead of to its reader."""
        seen = self.read(text)
        return bool(_first(self._orders, seen, text) or _first(self._planted, seen, text))

    def housekeeping(self, text: str) -> Housekeeping | None:
        """What a chat front end asks for on its own behalf ("title", "tags", …); None for a person's words."""
        asked = text.strip()
        return next((kind for kind, pattern in self._housekeeping.items() if pattern.search(asked)), None)

    def insult(self, seen: Reading) -> str | None:
        """The first insult that is not said of oneself, as it reads without disguise."""
        plain = self._harmless.sub("|", seen.plain)
        for korean in (seen.korean, seen.keyed):
            if korean and (found := self._terms.find(self._harmless.sub("|", korean))):
                return found
        for pattern, form in ((self._patterns, plain), (self._latin, _shortened(plain)), (self._phrases, plain)):
            if match := pattern.search(form):
                return match[0]
        mild = self._mild_insult(seen, plain)
        return mild[0] if mild and not self._is_feeling(plain) else None

    def _mild_insult(self, seen: Reading, plain: str) -> re.Match[str] | None:
        for form in (plain, self._harmless.sub("|", seen.korean), seen.keyed or ""):
            if match := self._mild.search(form):
                return match
        return self._mild_latin.search(_shortened(plain))

    def _is_feeling(self, plain: str) -> bool:
        """Whether an insult is said of oneself, or told of someone who said it."""
        if self._told.search(plain):
            return True
        return bool(self._oneself.search(plain)) and not self._another.search(plain)

    def _says_nothing(self, seen: Reading) -> bool:
        said = seen.squeezed
        if not re.search(r"[^\Wㄱ-ㅣ]", said) or self._mashed.search(seen.plain):
            return True
        if self._numbers.search(seen.plain):
            return False
        return len(said) <= self._words.meaningless.short or self._repeated.fullmatch(said) is not None


def _shortened(text: str) -> str:
    """Without long runs of signs or of one character, over which disguised letters would be looked for in every way."""
    return re.sub(r"(.)\1{2,}", r"\1\1", re.sub(r"((?:[^\w\s]|_){2})(?:[^\w\s]|_)+", r"\1", text))


def _first(patterns: tuple[re.Pattern[str], ...], seen: Reading, text: str) -> str | None:
    raw, squeezed, latin = patterns
    for pattern, form in ((raw, text.casefold()), (squeezed, seen.squeezed), (latin, seen.latin)):
        if match := pattern.search(form):
            return match[0]
    return None


class _Terms(BaseModel):
    terms: list[str]


def _names(home: Path) -> frozenset[str]:
    """What the curriculum and the Korean analyser call concepts; a single syllable would be found everywhere."""
    concepts = load_concepts(home / "configs" / "concepts.yaml").concepts.values()
    terms = Document.read(home / "configs" / "korean.yaml").parse(TypeAdapter(_Terms)).terms
    told = [name for concept in concepts for name in (concept.name, *concept.aliases, *concept.broad)]
    return frozenset(name.casefold() for name in (*told, *terms) if len(name) >= _SHORT_NAME)
