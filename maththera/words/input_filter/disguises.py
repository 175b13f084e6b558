"""Removes what disguises the words of a text: other alphabets, invisible characters, split letters."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from maththera.korean.jamo import CONJOINING, composed, from_keyboard, parts, syllable_of

_INVISIBLE: Final = frozenset("\u115f\u1160\u3164\uffa0\u034f")
"""Invisible characters outside the category of format characters (Cf)."""
_LETTERS: Final = re.compile(r"[ㄱ-ㅣ]")
_TWO_KEYS: Final = re.compile(r"[가-힣ㄱ-ㅣ]")
_LAUGHTER: Final = re.compile(r"ㅋ+|ㅎ{2,}|[ㅠㅜ]{2,}|(?<![ㄱ-ㅣ])[ㅎㅠㅜㅡ](?![ㄱ-ㅣ])")
_NO_LETTERS: Final = re.compile(r"[^가-힣ㄱ-ㅣa-z]+")
_LATIN: Final = re.compile(r"[A-Za-z]{4,}")
_STRETCHED: Final = dict(zip("ㅕㅑㅠㅛㅖㅒㅝㅘㅟㅢ", "ㅓㅏㅜㅗㅔㅐㅓㅏㅣㅣ", strict=True))
"""The sound in which a vowel goes on: 벼엉."""


@dataclass(frozen=True)
class TextForms:
    """One text in the forms in which words are searched; made by `text_forms`.

    `cased`: without disguises, one space between words; `plain`: the same in small letters.
    """

    cased: str
    leet: Mapping[int, str]

    @cached_property
    def plain(self) -> str:
        return self.cased.casefold()

    @cached_property
    def korean(self) -> str:
        """Split letters joined, drawn-out vowels shortened, laughter gone. One sign is left of what stands between
        letters: "#" of digits, " " of what holds a space and no digit right before the next letter, else "·"."""
        return _as_syllables(self.plain)

    @cached_property
    def keyed(self) -> str | None:
        """As `korean`, with Latin words read as typed on a Korean keyboard; None where there are none."""
        text = _LATIN.sub(lambda match: _if_korean(match[0]), self.cased)
        return _as_syllables(text.casefold()) if text != self.cased else None

    @cached_property
    def squeezed(self) -> str:
        """Letters and digits alone, split Korean letters joined."""
        return re.sub(r"[\W_]+", "", composed(self.plain) if _LETTERS.search(self.plain) else self.plain)

    @cached_property
    def latin(self) -> str:
        """The Latin letters alone, with digits and signs that stand for letters read as such."""
        return re.sub(r"[^a-z]+", "", self.plain.translate(self.leet))


def text_forms(text: str, alike: Mapping[int, str], leet: Mapping[int, str]) -> TextForms:
    """`alike`: letter of another alphabet → the Latin one it looks like; `leet`: sign or digit → letter."""
    if text.isascii():
        return TextForms(re.sub(r"\s+", " ", text).strip(), leet)
    shown = "".join(map(_plain_look, unicodedata.normalize("NFC", text)))
    return TextForms(re.sub(r"\s+", " ", unicodedata.normalize("NFC", shown).translate(alike)).strip(), leet)


def _plain_look(character: str) -> str:
    """A character as it looks, in its plainest form; "" for an invisible one."""
    if _TWO_KEYS.match(character) or character.isascii():
        return character
    if character in _INVISIBLE or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return ""
    return unicodedata.normalize("NFKC", character).translate(CONJOINING)


def _as_syllables(text: str) -> str:
    text = _NO_LETTERS.sub(_sign, _LAUGHTER.sub("·", text))
    if _LETTERS.search(text):
        text = composed(re.sub(r"(?<=[ㄱ-ㅣ])[ ·#](?=[ㄱ-ㅣ])", "", text))
    return _shortened(text)


def _sign(match: re.Match[str]) -> str:
    between = match[0]
    if between[-1].isdigit():
        return "#"
    if " " in between:
        return " "
    return "#" if any(map(str.isdigit, between)) else "·"


def _shortened(text: str) -> str:
    """ "시이이발" as "시발": a syllable that only goes on with the vowel before it melts into it."""
    result: list[str] = []
    for character in text:
        before, now = (parts(result[-1]) if result else None), parts(character)
        if before and now and not before[2] and now[0] == "ㅇ" and now[1] in (before[1], _STRETCHED.get(before[1])):
            result[-1] = syllable_of(before[0], before[1], now[2])
        else:
            result.append(character)
    return "".join(result)


def _if_korean(word: str) -> str:
    """The word as typed on a Korean keyboard if that gives only whole syllables, else the word."""
    korean = from_keyboard(word)
    return korean if not _LETTERS.search(korean) else word
