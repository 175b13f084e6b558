"""Answers as words that can be compared: spelling mended, numbers in digits, one form for what means the same."""

import re
from collections.abc import Collection, Iterator, Sequence
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

_CONTENT: Final = frozenset({"NNG", "NNP", "NNB", "NR", "VV", "VA", "VX", "VCN", "XR", "MAG", "MM", "SL", "SN", "XPN"})
_DETERMINERS: Final = NATIVE_ONES.keys() | SINO_DIGITS.keys()
_ENDS_OF_ROUND: Final = (*PLACES, *MYRIADS, *NATIVE_TENS)
_MINUS: Final = str.maketrans("−–", "--")
_TIMES: Final = re.compile(r"(?<=\d)\s*[xX*×·✕]\s*(?=\d)")
_SIGNS: Final = re.compile(r"(?<=\d)\s*([-+÷×=])\s*(?=\d)")
_SIGN_WORDS: Final = {"+": "더하", "-": "빼", "×": "곱하", "÷": "나누"}
OPERATIONS: Final = frozenset(_SIGN_WORDS.values())
"""Stems that stand for the signs."""
_SUFFIXES: Final = ("씩", "짜리", "끼리")
"""That say something themselves: "낱개" is not yet "낱개끼리"."""
_ATTACHED: Final = ("보다", "만", "대로")
"""Particles that change what is said: "전체보다" is another word than "전체", "1만" says more than "1"."""


Patterns = TypeVar("Patterns", tuple[str, ...], dict[str, str])


def _patterns(expressions: Patterns) -> Patterns:
    for expression in expressions:
        re.compile(expression)
    return expressions


class Negations(BaseModel):
    """Words that deny the verb that follows them, or the one before. `alike`: one of `before` → the same of `after`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    before: frozenset[str]
    after: frozenset[str]
    alike: dict[str, str]


class GradingLists(BaseModel):
    """`configs/grading.yaml`; what each list is for stands there."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    spelling: Annotated[dict[str, str], AfterValidator(_patterns)]
    same: dict[str, str]
    compounds: dict[str, str]
    negations: Negations
    unsaid: str
    answer: frozenset[str]
    either: frozenset[str]
    not_amounts: frozenset[str]
    taken_back: frozenset[str]
    hedges: frozenset[str]
    turning: frozenset[str]
    doubting: frozenset[str]
    orders: Annotated[tuple[str, ...], AfterValidator(_patterns)]


def load_grading_lists(folder: Path) -> GradingLists:
    """Of this home; ConfigError names every fault by file, line and field."""
    return Document.read(folder / "configs" / "grading.yaml").parse(TypeAdapter(GradingLists))


@cache
def grading_lists() -> GradingLists:
    """The installed ones."""
    return load_grading_lists(home())


class Word(NamedTuple):
    """`after`: the morphemes that follow it before the next word (endings, particles), as forms with their tags.
    `written`: whether a number stands in digits."""

    form: str
    after: tuple[tuple[str, str], ...] = ()
    written: bool = False

    @property
    def is_number(self) -> bool:
        return self.form.isdigit()

    @property
    def carries(self) -> bool:
        """Whether anything but a comma stands behind it."""
        return any(tag != "SP" for _, tag in self.after)

    @property
    def has_ending(self) -> bool:
        """Whether it is a verb; of "개야" the verb is not "개"."""
        return bool(self.after) and self.after[0][1].startswith("E")

    def has(self, tag: str) -> bool:
        return any(each == tag for _, each in self.after)

    def followed_by(self, forms: Collection[str]) -> bool:
        return any(form in forms for form, _ in self.after)


@dataclass(slots=True)
class _Reading:
    """Words as they are found, each taking in what follows it."""

    found: list[Word]

    def add(self, form: str, *, written: bool = False) -> None:
        self.found.append(Word(grading_lists().same.get(form, form), (), written))

    def follow(self, morpheme: Morpheme) -> None:
        if self.found:
            last = self.found[-1]
            form = last.form + morpheme.form if morpheme.form in _ATTACHED and not last.has("EC") else last.form
            self.found[-1] = Word(form, (*last.after, (morpheme.form, morpheme.tag)), last.written)


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
            reading.add(str(number), written=part.tag == "SN")
        elif compound:
            reading.add(compound)
        elif part.tag in _CONTENT or part.form in _SUFFIXES:
            reading.add(part.form)
        elif part.form in _SIGN_WORDS:
            reading.add(_SIGN_WORDS[part.form])
        elif part.tag != "NP":  # "나는" behind "14야." is no particle of it
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
