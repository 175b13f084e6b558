"""Korean syllables and the letters (jamo) they are made of, as one types them."""

import re
from typing import Final

_INITIALS: Final = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS: Final = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS: Final = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
_PAIRS: Final = {
    "ㄳ": "ㄱㅅ", "ㄵ": "ㄴㅈ", "ㄶ": "ㄴㅎ", "ㄺ": "ㄹㄱ", "ㄻ": "ㄹㅁ", "ㄼ": "ㄹㅂ", "ㄽ": "ㄹㅅ", "ㄾ": "ㄹㅌ",
    "ㄿ": "ㄹㅍ", "ㅀ": "ㄹㅎ", "ㅄ": "ㅂㅅ", "ㅘ": "ㅗㅏ", "ㅙ": "ㅗㅐ", "ㅚ": "ㅗㅣ", "ㅝ": "ㅜㅓ", "ㅞ": "ㅜㅔ",
    "ㅟ": "ㅜㅣ", "ㅢ": "ㅡㅣ",
}  # fmt: skip
"""Letters that are typed with two keys."""

_KEYS: Final = dict(
    zip("rRseEfaqQtTdwWczxvg" + "koiOjpuPhynbml", _INITIALS + "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅛㅜㅠㅡㅣ", strict=True)
)
"""The standard two-set keyboard. Other capitals type what the small letter types."""

_TWO_KEY_VOWELS: Final = {pair: letter for letter, pair in _PAIRS.items() if letter in _VOWELS}
_TWO_KEY_FINALS: Final = {pair: letter for letter, pair in _PAIRS.items() if letter in _FINALS}
_SYLLABLE: Final = re.compile(
    rf"([{_INITIALS}])({'|'.join(_TWO_KEY_VOWELS)}|[{_VOWELS}])"
    rf"((?:{'|'.join(_TWO_KEY_FINALS)}|[{''.join(_FINALS)}])(?![{_VOWELS}]))?"
)
CONJOINING: Final = {
    **{0x1100 + place: letter for place, letter in enumerate(_INITIALS)},
    **{0x1161 + place: letter for place, letter in enumerate(_VOWELS)},
    **{0x11A7 + place: letter for place, letter in enumerate(_FINALS) if letter},
}
"""The letters that Unicode normalisation makes, as one types them; for `str.translate`."""

_FIRST: Final = ord("가")
SYLLABLES: Final = range(_FIRST, ord("힣") + 1)


def parts(syllable: str) -> tuple[str, str, str] | None:
    """Initial, vowel and final ("" where there is none) of one whole syllable; None for anything else."""
    if ord(syllable) not in SYLLABLES:
        return None
    rest, final = divmod(ord(syllable) - _FIRST, len(_FINALS))
    return _INITIALS[rest // len(_VOWELS)], _VOWELS[rest % len(_VOWELS)], _FINALS[final]


def syllable_of(initial: str, vowel: str, final: str = "") -> str:
    """The syllable of these letters."""
    number = _INITIALS.index(initial) * len(_VOWELS) + _VOWELS.index(vowel)
    return chr(_FIRST + number * len(_FINALS) + _FINALS.index(final))


def composed(letters: str) -> str:
    """The text with single letters joined to the syllables that typing them gives: "ㅅㅏㄱㅗㅏ" is "사과"."""
    return _SYLLABLE.sub(_compose, letters)


def from_keyboard(keys: str) -> str:
    """What Latin letters give on a Korean keyboard: "tkrhk" is "사과". Other characters stay as they are."""
    return composed("".join(_KEYS.get(key) or _KEYS.get(key.lower(), key) for key in keys))


def _compose(match: re.Match[str]) -> str:
    initial, vowel, final = match[1], match[2], match[3] or ""
    return syllable_of(initial, _TWO_KEY_VOWELS.get(vowel, vowel), _TWO_KEY_FINALS.get(final, final))
