"""Answers as words that can be compared: spelling mended, numbers in digits, one form for what means the same."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Final, NamedTuple, TypeVar
from unicodedata import normalize

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter

from maththera.documents import Document
from maththera.korean.morphemes import Morpheme, morphemes
from maththera.korean.numbers import parse_number
from maththera.korean.numerals import MYRIADS, NATIVE_ONES, NATIVE_TENS, PLACES, SINO_DIGITS
from maththera.settings import home

_CONTENT: Final = frozenset(
    {"NNG", "NNP", "NNB", "NR", "NP", "VV", "VA", "VX", "VCN", "XR", "MAG", "MM", "SL", "SN", "XPN"}
)
_DETERMINERS: Final = NATIVE_ONES.keys() | SINO_DIGITS.keys()
_ENDS_OF_ROUND: Final = (*PLACES, *MYRIADS, *NATIVE_TENS)
_MINUS: Final = str.maketrans("−–", "--")
_TIMES: Final = re.compile(r"(?<=\d)\s*[xX*×·✕]\s*(?=\d)")
_SIGNS: Final = re.compile(r"(?<=\d)\s*([-+÷×=])\s*(?=\d)")
_SIGN_WORDS: Final = {"+": "더하", "-": "빼", "×": "곱하", "÷": "나누"}
_SUFFIXES: Final = ("씩", "짜리", "끼리")
"""That say something themselves: "낱개" is not yet "낱개끼리"."""
_ATTACHED: Final = (*_SUFFIXES, "대로")
"""What changes the word before it: "차례대로" is another word than "차례"."""
_NOUNS: Final = frozenset({"NNG", "NNP", "NNB", "NR", "SL", "SN"})


Patterns = TypeVar("Patterns", tuple[str, ...], dict[str, str])


def _patterns(expressions: Patterns) -> Patterns:
    for expression in expressions:
        re.compile(expression)
    return expressions


class Negations(BaseModel):
    """Words that deny the verb that follows them, or the one before; the `forbidding` ones say that it
    is not to be done."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    before: frozenset[str]
    after: frozenset[str]
    forbidding: frozenset[str]


class GradingLists(BaseModel):
    """`configs/grading.yaml`; what each list is for stands there."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    spelling: Annotated[dict[str, str], AfterValidator(_patterns)]
    same: dict[str, str]
    compounds: dict[str, str]
    with_particle: dict[str, str]
    opposites: dict[str, frozenset[str]]
    symmetric: frozenset[str]
    negations: Negations
    unsaid: str
    empty_verbs: frozenset[str]
    wrong: frozenset[str]
    doubting: frozenset[str]
    carriers: frozenset[str]
    anything: frozenset[str]
    orders: Annotated[tuple[str, ...], AfterValidator(_patterns)]

    def opposite(self, one: str, other: str) -> bool:
        return other in self.opposites.get(one, ()) or one in self.opposites.get(other, ())


def load_grading_lists(folder: Path) -> GradingLists:
    """Of this home; ConfigError names every fault by file, line and field."""
    return Document.read(folder / "configs" / "grading.yaml").parse(TypeAdapter(GradingLists))


@cache
def grading_lists() -> GradingLists:
    """The installed ones."""
    return load_grading_lists(home())


class Word(NamedTuple):
    """`after`: the morphemes that follow it before the next word (endings, particles), as forms with their tags. `tag`:
    of its first morpheme."""

    form: str
    after: tuple[tuple[str, str], ...] = ()
    tag: str = ""

    @property
    def is_noun(self) -> bool:
        return self.tag in _NOUNS

    @property
    def helps(self) -> bool:
        """A verb that may help another one, and no noun: 말 of "하지 말고", not of "말을"."""
        return self.tag in ("VX", "VV", "VA", "VCN")

    @property
    def is_number(self) -> bool:
        return self.form.isdigit()

    @property
    def ends(self) -> tuple[str, ...]:
        """Endings of a verb, or of a noun with 이다; that of tense is none."""
        return tuple(form for form, tag in self.after if tag in ("EC", "EF", "ETM", "ETN"))

    @property
    def nominal(self) -> bool:
        """A verb that is used as a noun: "치우침을", "세기"."""
        return self.has("ETN")

    @property
    def particles(self) -> tuple[str, ...]:
        return tuple(form for form, tag in self.after if tag.startswith("J"))

    def has(self, tag: str) -> bool:
        return any(each == tag for _, each in self.after)


@dataclass(slots=True)
class _Reading:
    """Words as they are found, each taking in what follows it."""

    found: list[Word]

    def add(self, form: str, tag: str) -> None:
        self.found.append(Word(grading_lists().same.get(form, form), (), tag))

    def follow(self, morpheme: Morpheme) -> None:
        if self.found:
            last = self.found[-1]
            attached = morpheme.form in _ATTACHED and not last.ends
            form = last.form + morpheme.form if attached else last.form
            kept = last.after if attached else (*last.after, (morpheme.form, morpheme.tag))
            self.found[-1] = Word(form, kept, last.tag)


@lru_cache(maxsize=8192)
def answer_words(text: str) -> tuple[Word, ...]:
    reading = _Reading([])
    parts = _numbers_ending_a_sentence(morphemes(_spelt(text)))
    place = 0
    while place < len(parts):
        part = parts[place]
        number, length = _number(parts[place:])
        compound, taken = _compound(parts[place:])
        if length:
            reading.add(str(number), "SN")
        elif compound:
            reading.add(compound, part.tag)
        elif part.form == "가" and place and parts[place - 1].tag == "SN" and parts[place - 1].end == part.start:
            reading.follow(Morpheme("가", "JKS", part.start, part.end))  # the analyser is not sure of "9가" alone
        elif noun := grading_lists().with_particle.get(part.form):
            reading.add(noun, part.tag)
            reading.follow(Morpheme(part.form.removeprefix(noun), "JKS", part.start, part.end))
        elif part.tag in _CONTENT and part.form not in _SUFFIXES:
            reading.add(part.form, part.tag)
        elif part.form in _SIGN_WORDS:
            reading.add(_SIGN_WORDS[part.form], "SW")
        else:
            reading.follow(part)
        place += length or taken or 1
    return tuple(reading.found)


def _numbers_ending_a_sentence(parts: Sequence[Morpheme]) -> list[Morpheme]:
    """The analyser takes "14." for the head of a list. It is one where it counts on from "1."."""
    found, heads = [], 0
    for part in parts:
        number = part.form.rstrip(".")
        if part.tag != "SB" or not number.isdecimal():
            found.append(part)
        elif len(parts) > 1 and int(number) == heads + 1:
            heads += 1
        else:
            found.append(Morpheme(number, "SN", part.start, part.start + len(number)))
    return found


def _spelt(text: str) -> str:
    text = _SIGNS.sub(r" \1 ", _TIMES.sub("×", normalize("NFKC", text).lower().translate(_MINUS)))
    for wrong, right in grading_lists().spelling.items():
        text = re.sub(wrong, right, text)
    return text


def _compound(parts: Sequence[Morpheme]) -> tuple[str, int]:
    """One word that the analyser parts ("꾸며 내다", 더+해) and how many morphemes it takes, ("", 0) for none."""
    length = 3 if len(parts) > 2 and parts[1].tag == "EC" else 2
    if len(parts) < length:
        return "", 0
    first, last = parts[0], parts[length - 1]
    joined = first.end == last.start
    word = grading_lists().compounds.get(f"{first.form}{'' if joined else ' '}{last.form}")
    word = word or grading_lists().compounds.get(f"{first.form} {last.form}")
    return (word, length) if word else ("", 0)


def _number(parts: Sequence[Morpheme]) -> tuple[int, int]:
    """The number that begins here and how many morphemes it takes, (0, 0) for none."""
    run = [*_joined(parts)]
    value = parse_number("".join(each.form for each in run))
    return (0, 0) if value is None else (value, len(run))


def _joined(parts: Sequence[Morpheme]) -> Iterator[Morpheme]:
    """Digits and number words that make one number: 육/백/이/십/삼, 20/만, but not 칠/칠. Children part them behind a
    unit, "예순 둘"; but "십 이에요" is 10, and "세니까" behind "열" is a verb."""
    text = ""
    for place, part in enumerate(parts):
        alone = part.tag in ("NR", "SN") or (part.tag == "MM" and part.form in _DETERMINERS)
        last = part.tag == "JKS" and part.form == "이" and text.endswith("십") and place == len(parts) - 1
        if not (alone or last) or parse_number(text + part.form) is None:
            return
        if place and part.start != parts[place - 1].end:
            copula = place + 1 < len(parts) and parts[place + 1].tag == "VCP"
            if not text.endswith(_ENDS_OF_ROUND) or (copula and (part.tag == "MM" or part.form == "이")):
                return
        text += part.form
        yield part
