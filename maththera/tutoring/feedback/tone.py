"""Checks lines for a child against the tone guide.

Templates are checked once, by the tests; text from elsewhere is checked before a child sees it. The full check needs a
Korean morphological analyser, which takes time and memory to load, so it is loaded on first need.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from pydantic import Field

from maththera.config_files import ConfigModel
from maththera.korean.morphemes import Morpheme, morphemes
from maththera.korean.numbers import Number, numbers_in
from maththera.settings import home

Mode = Literal["full", "quick"]
"""`quick` skips the checks that need the analyser (speech level, number words): for checked templates with new
numbers."""

_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…~]*")
_SQUEEZED_OUT: Final = re.compile(r"[\s\-_·ㆍ・~,\u200b-\u200f\u2060\ufeff]+")
_DIGITS: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d+")
_ANSWER_IS: Final = re.compile(r"답(?:은\s*|이\s+|\s+)\Z")
_FOREIGN: Final = re.compile(r"[^가-힣ᄀ-ᇿㄱ-ㅎㅏ-ㅣ0-9\s.,!?…~'\"“”‘’()+\-−×÷=□·:/]")
_SOMETHING_SAID: Final = re.compile(r"[가-힣0-9]")


class Limits(ConfigModel):
    sentences: int = Field(gt=0)
    line: int = Field(gt=0)
    line_with_number: int = Field(gt=0)
    hint: int = Field(gt=0)


class Banned(ConfigModel):
    why: str
    squeezed: tuple[re.Pattern[str], ...] = ()
    word: tuple[str, ...] = ()


class Honorific(ConfigModel):
    ending: re.Pattern[str]
    infix: frozenset[str]
    verbs: frozenset[str]
    particles: frozenset[str]
    pronouns: frozenset[str]
    interjections: frozenset[str]
    spellings: re.Pattern[str]


class Guide(ConfigModel):
    """`configs/tutoring/tone.yaml`."""

    limits: Limits
    idioms: tuple[str, ...]
    banned: tuple[Banned, ...]
    honorific: Honorific


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule (`empty sentences length hint answer honorific banned language`), the line, and the reason."""

    rule: str
    line: str
    why: str


@cache
def guide() -> Guide:
    """The installed tone guide."""
    return Guide.from_file(home() / "configs" / "tutoring" / "tone.yaml")


def check(
    lines: Sequence[str], hint: str | None, *, answer: int | None, revealed: bool, mode: Mode = "full"
) -> list[Violation]:
    """The violations of the guide; an empty list means the text passes.

    `hint` is shown beside the lines and counts as a sentence, unless it is one of them. `answer` is the right answer of
    the open task. Until the child has given it (`revealed`), no line may contain it, in digits or in words.
    """
    lines = [unicodedata.normalize("NFC", line) for line in lines]
    hint = unicodedata.normalize("NFC", hint) if hint is not None else None
    said = lines if hint is None or hint in lines else [*lines, hint]
    violations = [*_amount(lines, said, hint)]
    for line in said:
        violations += _length(line, is_hint=line == hint)
        violations += _wording(line)
        if mode == "full":
            violations += _speech_level(line)
        if answer is not None and not revealed and answer in _numbers(line, mode):
            violations.append(Violation("answer", line, f"tells the answer {answer}"))
    return violations


def _amount(lines: Sequence[str], said: Sequence[str], hint: str | None) -> list[Violation]:
    violations = []
    if not lines:
        violations.append(Violation("empty", "", "says nothing"))
    sentences = sum(len(_sentences(line)) for line in said)
    if sentences > guide().limits.sentences:
        violations.append(Violation("sentences", " ".join(said), f"{sentences} sentences"))
    if hint is not None and len(_sentences(hint)) > 1:
        violations.append(Violation("hint", hint, "more than one hint"))
    return violations


def _sentences(line: str) -> list[str]:
    return [part for part in _SENTENCE.findall(line) if _SOMETHING_SAID.search(part)]


def _length(line: str, *, is_hint: bool) -> list[Violation]:
    if not _SOMETHING_SAID.search(line):
        return [Violation("empty", line, "says nothing")]
    limits = guide().limits
    allowed = limits.line
    if _DIGITS.search(line):
        allowed = limits.line_with_number
    if is_hint:
        allowed = max(allowed, limits.hint)
    return [Violation("length", line, f"{len(line)} characters, at most {allowed}")] if len(line) > allowed else []


def _wording(line: str) -> list[Violation]:
    violations = []
    if foreign := _FOREIGN.search(line):
        violations.append(Violation("language", line, f"{foreign[0]!r} is no Korean, number or punctuation"))
    squeezed = _SQUEEZED_OUT.sub("", unicodedata.normalize("NFKC", line))
    words = re.findall(r"[가-힣]+", line)
    for group in guide().banned:
        found = next((match[0] for pattern in group.squeezed if (match := pattern.search(squeezed))), None)
        found = found or next((word for word in words if word in group.word), None)
        if found:
            violations.append(Violation("banned", line, f"{group.why}: {found}"))
    return violations


def _speech_level(line: str) -> list[Violation]:
    if spelling := guide().honorific.spellings.search(line):
        return [Violation("honorific", line, spelling[0])]
    polite = next((token for token in morphemes(line) if _is_polite(token)), None)
    return [Violation("honorific", line, f"{polite.form}/{polite.tag}")] if polite else []


def _is_polite(token: Morpheme) -> bool:
    polite = guide().honorific
    form, tag = token.form, token.tag
    match tag:
        case "EP":
            return form in polite.infix
        case "EF" | "EC" | "JX":
            return polite.ending.search(form) is not None
        case "VV" | "VX" | "VA":
            return form in polite.verbs
        case "JKB" | "JKS":
            return form in polite.particles
        case "NP":
            return form in polite.pronouns
        case "IC":
            return form in polite.interjections or form.endswith("요")
    return False


def _numbers(line: str, mode: Mode) -> set[int]:
    """The numbers in a line. Number words count in the full mode only, and not in an idiom ("하나씩")."""
    text = unicodedata.normalize("NFKC", line)
    numbers = {int(digits.replace(",", "")) for digits in _DIGITS.findall(text)}
    if mode == "full":
        for idiom in guide().idioms:
            text = text.replace(idiom, "…")
        said = [number for number in numbers_in(text) if not number.doubtful or _is_numeral(text, number)]
        numbers.update(value for number in said for value in number.values)
    return numbers


def _is_numeral(text: str, number: Number) -> bool:
    """Whether an ambiguous word (이, 사) is a number here: the analyser says so, or it stands where an answer does."""
    if _ANSWER_IS.search(text, 0, number.start):
        return True
    return any(token.tag == "NR" and token.start == number.start for token in morphemes(text))
