"""A rough key of a text's sound, equal for spellings that sound alike ("조아" and "좋아", "낯개" and "낱개")."""

from typing import Final, NamedTuple

from maththera.korean.jamo import parts

_CONSONANTS: Final = str.maketrans("ㄲㅋㄸㅌㅃㅍㅆㅉㅊ", "ㄱㄱㄷㄷㅂㅂㅅㅈㅈ")
_VOWELS: Final = str.maketrans("ㅐㅒㅖㅙㅚㅞ", "ㅔㅔㅔㅔㅔㅔ")
_FINALS: Final = {
    "ㄳ": "ㄱㅅ", "ㄵ": "ㄴㅈ", "ㄶ": "ㄴ", "ㄺ": "ㄹㄱ", "ㄻ": "ㄹㅁ", "ㄼ": "ㄹㅂ", "ㄽ": "ㄹㅅ", "ㄾ": "ㄹㄷ",
    "ㄿ": "ㄹㅂ", "ㅀ": "ㄹ", "ㅄ": "ㅂㅅ", "ㅎ": "", "ㄲ": "ㄱ", "ㅆ": "ㅅ",
}  # fmt: skip
"""Before a vowel."""

_CLOSED: Final = str.maketrans("ㅅㅈㅊㅌㅆㅋㄲㅍ", "ㄷㄷㄷㄷㄷㄱㄱㅂ")
"""Before a consonant, or at the end."""

_TWO_CLOSED: Final = {"ㄳ": "ㄱ", "ㄵ": "ㄴ", "ㅄ": "ㅂ", "ㄽ": "ㄹ", "ㄾ": "ㄹ", "ㄿ": "ㄹ"}


class Sounds(NamedTuple):
    """`key`: the sounds in a row, without spaces and signs; `at`: for each the place of its character in the text;
    `starts`: the places in the key where a syllable or another character begins."""

    key: str
    at: tuple[int, ...]
    starts: tuple[int, ...]


def sounds(text: str) -> Sounds:
    """The sounds of a text. Other letters, digits and arithmetic signs stand for themselves."""
    key, at, starts = "", [], []
    for place, sign in enumerate(text):
        said = _said(sign, text[place + 1 : place + 2])
        if said:
            starts.append(len(key))
        key += said
        at += [place] * len(said)
    return Sounds(key, tuple(at), tuple(starts))


def _said(sign: str, following: str) -> str:
    syllable = parts(sign)
    if syllable is None:
        return sign.lower() if sign.isalnum() or sign in "+-×÷=" else ""
    initial, vowel, final = syllable
    after = parts(following) if following else None
    closed = _FINALS.get(final, final) if after and after[0] == "ㅇ" else _TWO_CLOSED.get(final, final)
    if not (after and after[0] == "ㅇ"):
        closed = _FINALS.get(closed, closed) if len(closed) == 1 and closed != "ㅆ" else closed
        closed = "".join(_FINALS.get(one, one) for one in closed).translate(_CLOSED)
    opened = "" if initial == "ㅇ" else initial
    return (opened + vowel.translate(_VOWELS)).translate(_CONSONANTS) + closed.translate(_CONSONANTS)
