"""Whether a text gives the key of an open quiz away."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from maththera.korean.numbers import written

_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨"
_ORDINALS: Final = ("첫", "두", "세", "네", "다섯", "여섯")
_ANSWER: Final = r"(?:정?답|맞는\s*(?:것|거|건|보기)|옳은\s*(?:것|거|건|보기)|고르|골라|선택)"


@dataclass(frozen=True, slots=True)
class Key:
    """Of an open quiz: the `text` of the right choice and its `number` from 1."""

    text: str
    number: int


def tells_key(text: str, key: Key) -> bool:
    """Whether a text gives the right choice away, by its words or by its number. A key that is a number is told by that
    number alone: 4 is not in 14."""
    shown = unicodedata.normalize("NFC", text)
    words = re.escape(unicodedata.normalize("NFC", key.text)).replace(r"\ ", r"\s*")
    if re.search(rf"(?<!\d){words}(?!\d)", shown):
        return True
    number = str(key.number)
    named = [rf"(?<!\d){number}\s*번", rf"\(\s*{number}\s*\)", rf"{written(key.number, 'sino')}\s*번"]
    if key.number <= len(_CIRCLED):
        named.append(_CIRCLED[key.number - 1])
    if key.number <= len(_ORDINALS):
        named.append(rf"{_ORDINALS[key.number - 1]}\s*번\s*째")
    places = "|".join(named)
    behind = rf"(?:{places}|(?<!\d){number}(?!\d))"
    return bool(re.search(rf"{_ANSWER}.{{0,12}}?{behind}|(?:{places}).{{0,8}}?(?:{_ANSWER}|맞|야[.!]?$|이야)", shown))
