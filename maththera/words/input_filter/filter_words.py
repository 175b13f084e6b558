"""The words of `configs/words/input_filter.yaml`, compiled to patterns."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from maththera.config_files import ConfigModel

Profile = Literal["coach", "assistant"]
Housekeeping = Literal["title", "tags", "follow_ups", "queries", "completion", "emoji", "image", "tools"]
Kind = Literal["pass", "abuse", "injection", "meaningless", "small_talk", "unknown"]
_SIGN: Final = "[ ·#]?"
"""What may stand between two syllables of an insult: the signs of `TextForms.korean`."""
_FRAGMENT: Final = re.compile(r"\{([a-z_]+)\}")
_ATOM: Final = re.compile(r"\[[^\]]+\]\??|.")


def _compiles(pattern: str) -> str:
    try:
        re.compile(_FRAGMENT.sub("x", pattern))
    except re.error as error:
        raise ValueError(f"is no pattern: {error}") from error
    return pattern


Pattern = Annotated[str, Field(min_length=1), AfterValidator(_compiles)]
Letters = Annotated[str, Field(min_length=1)]


class Disguises(ConfigModel):
    """A Latin letter and what stands for it: letters that look `alike`, signs of `leet`, any vowel's `hidden_vowel`."""

    alike: dict[Letters, Letters]
    leet: dict[Letters, Letters]
    hidden_vowel: Letters

    @cached_property
    def plain_letters(self) -> Mapping[int, str]:
        return {ord(other): letter for letter, others in self.alike.items() for other in others}

    @cached_property
    def plain_digits(self) -> Mapping[int, str]:
        """Digit or sign → the letter that it stands for; the first letter that names it wins."""
        return {
            ord(other): letter
            for letter, others in reversed(self.leet.items())
            for other in others
            if not other.isalpha()
        }


class AbuseWords(ConfigModel):
    """See the file."""

    anywhere: list[Pattern]
    alone: list[Pattern]
    before: list[str]
    after: list[Pattern]
    patterns: list[Pattern]
    mild: list[Pattern]
    mild_latin: list[Letters]
    of_oneself: Pattern
    told: Pattern
    of_another: Pattern
    latin: list[Letters]
    latin_phrases: list[Pattern]
    latin_after: Pattern
    harmless: list[Pattern]


class InjectionWords(ConfigModel):
    """See the file; `fragments` are named in the other patterns as {name}."""

    fragments: dict[str, Pattern]
    squeezed: list[Pattern]
    latin: list[Pattern]
    raw: list[Pattern]
    documents_squeezed: list[Pattern]
    documents_latin: list[Pattern]
    documents_raw: list[Pattern]

    def any_of(self, patterns: Iterable[str]) -> re.Pattern[str]:
        """The patterns with their fragments put in."""
        return any_of(_FRAGMENT.sub(lambda name: self.fragments[name[1]], pattern) for pattern in patterns)

    @model_validator(mode="after")
    def _fragments_known(self) -> Self:
        patterns = (pattern for name, value in self if name != "fragments" for pattern in value)
        for name in (name for pattern in patterns for name in _FRAGMENT.findall(pattern)):
            if name not in self.fragments:
                raise ValueError(f"there is no fragment {name}")
        return self


class MeaninglessWords(ConfigModel):
    """`short`: letters and digits."""

    short: Annotated[int, Field(ge=0)]
    mashed: Pattern
    repeated: Pattern


class FilterWords(ConfigModel):
    """`configs/words/input_filter.yaml`."""

    message: Letters
    blocks: dict[Profile, list[Kind]]
    disguises: Disguises
    abuse: AbuseWords
    injection: InjectionWords
    meaningless: MeaninglessWords
    learning: list[Pattern]
    weak_learning: list[Pattern]
    numbers: list[Pattern]
    small_talk: list[Pattern]
    housekeeping: dict[Housekeeping, list[Pattern]]


@dataclass(frozen=True)
class InsultTerms:
    """Insults spelt syllable by syllable, and what may stand around them in one word."""

    anywhere: re.Pattern[str]
    alone: re.Pattern[str]
    before: frozenset[str]
    after: re.Pattern[str]

    @classmethod
    def of(cls, words: AbuseWords) -> "InsultTerms":
        return cls(
            any_of(map(_with_signs, words.anywhere)),
            any_of(map(_with_signs, words.alone)),
            frozenset(words.before),
            any_of(words.after),
        )

    def find(self, text: str) -> str | None:
        """The first insult in a text of the form `TextForms.korean`."""
        for terms, alone in ((self.anywhere, False), (self.alone, True)):
            for match in terms.finditer(text):
                if self._stands(text, match, alone=alone):
                    return match[0]
        return None

    def _stands(self, text: str, match: re.Match[str], *, alone: bool) -> bool:
        """Whether a match is a word of its own. Short matches, and syllables with signs between, may be parts of other
        words."""
        before = re.split("[ ·|]", text[max(0, match.start() - 8) : match.start()])[-1]
        after = re.split("[ ·#|]", text[match.end() : match.end() + 12])[0]
        begins = not before or before in self.before
        ends = not after or self.after.fullmatch(after) is not None
        apart = alone or any(sign in match[0] for sign in " ·#")
        return (begins and ends) if apart else (begins or ends)


def latin_words(words: Iterable[str], disguises: Disguises, after: str) -> re.Pattern[str]:
    """The words with each letter perhaps repeated or disguised, or all of them apart from each other."""
    spelt = []
    for word in words:
        classes = [_disguised(letter, disguises) for letter in word]
        spelt += [r"[^\w\s]?".join(classes) + after, r"[\W_]+".join(classes)]
    return re.compile(rf"(?<![a-z])(?:{'|'.join(spelt)})(?![a-z])")


def any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of the patterns; it matches nothing if there are none."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or "(?!)", re.MULTILINE)


def load_filter_words(home: Path) -> FilterWords:
    """ConfigError names every field that does not fit."""
    return FilterWords.from_file(home / "configs" / "words" / "input_filter.yaml")


def _with_signs(term: str) -> str:
    first, *others = _ATOM.findall(term)
    spaced = (f"(?:{_SIGN}{atom[:-1]})?" if atom.endswith("?") else _SIGN + atom for atom in others)
    return str(first) + "".join(spaced)


def _disguised(letter: str, disguises: Disguises) -> str:
    others = disguises.leet.get(letter, "") + (disguises.hidden_vowel if letter in "aeiou" else "")
    return f"[{letter}{re.escape(others)}]{{1,4}}"  # few, because the search would take too long
