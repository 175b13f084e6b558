"""Whether a text tells a number, or the key of a question, that it should not."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_DIGITS: Final = ("영", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구")
_ONES: Final = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_BEFORE_COUNTER: Final = {"하나": "한", "둘": "두", "셋": "세", "넷": "네", "스물": "스무"}
_TENS: Final = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_END: Final = (
    r"(?:\s*(?:이야|야|이지|지|이네|네|이다|다|이에요|예요|입니다|이라고|라고|이라는|라는|이란|이\s*(?:돼|되|나|맞|남)|가\s*(?:돼|되|나|맞|남)"
    r"|이랑\s*같|와\s*같|과\s*같|(?:개|명|마리|자루|장|권|송이|살|원|점|배|묶음)?\s*(?:야|이야|가\s*(?:돼|되|남|나)|이\s*(?:돼|되|남|나)))"
    r"|[\s*\"'”’)]*(?:[.!?~…,]|$))"
)
_BEFORE: Final = (
    r"(?:=|답[은이:]?|정답[은이:]?|결과[는가:]?|합[은이]|차[는가]|곱[은이]|몫[은이]|값[은이]|는|은|:|→)\s*[\"'“‘*(]*\s*"
)
_ANSWER_IS: Final = r"(?:=|답[은이:]?|정답[은이:]?|결과[는가]?|합[은이]|차[는가]|곱[은이]|몫[은이])\s*[\"'“‘*(]*"
_NAMES: Final = r"\s*(?:번|단원|단계|학년|분|월|일|쪽|장|개\s*단원|[-+−–×x*÷/])"
"""Behind a number that names something, or with which an expression begins."""
_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨"
_ORDINALS: Final = ("첫", "두", "세", "네", "다섯", "여섯")
_ANSWER: Final = r"(?:정?답|맞는\s*(?:것|거|건|보기)|옳은\s*(?:것|거|건|보기)|고르|골라|선택)"


@dataclass(frozen=True, slots=True)
class Key:
    """Of an open quiz: the `text` of the right choice and its `number` from 1."""

    text: str
    number: int


def tells_value(text: str, value: int) -> bool:
    """Whether a text says that something is `value`: in digits, also spaced and full-width, or in Korean numerals, at
    the end of what it says or behind an equals sign. A number that counts or names something else tells nothing."""
    shown = re.sub(r"(?<=\d)[\s,·_-](?=\d)", "", unicodedata.normalize("NFKC", text))
    return any(re.search(pattern, form) for pattern in _patterns(value) for form in (shown, _bare(shown)))


def tells_key(text: str, key: Key) -> bool:
    """Whether a text gives the right choice away, by its words or by its number. A key that is a number is told by that
    number alone: 4 is not in 14."""
    shown = unicodedata.normalize("NFC", text)
    words = re.escape(unicodedata.normalize("NFC", key.text)).replace(r"\ ", r"\s*")
    if re.search(rf"(?<!\d){words}(?!\d)", shown):
        return True
    number = str(key.number)
    named = [rf"(?<!\d){number}\s*번", rf"\(\s*{number}\s*\)", rf"{_spelt(key.number)}\s*번"]
    if key.number <= len(_CIRCLED):
        named.append(_CIRCLED[key.number - 1])
    if key.number <= len(_ORDINALS):
        named.append(rf"{_ORDINALS[key.number - 1]}\s*번\s*째")
    places = "|".join(named)
    behind = rf"(?:{places}|(?<!\d){number}(?!\d))"
    return bool(re.search(rf"{_ANSWER}.{{0,12}}?{behind}|(?:{places}).{{0,8}}?(?:{_ANSWER}|맞|야[.!]?$|이야)", shown))


@lru_cache(maxsize=512)
def _patterns(value: int) -> tuple[str, ...]:
    digits = rf"(?<![\d.])0*{value}(?![\d]|\.\d)"
    words = "|".join(sorted(set(_written(value)), key=len, reverse=True))
    word = rf"(?<![가-힣])(?:{words})"
    return (rf"{digits}{_END}", rf"{_BEFORE}{digits}(?!{_NAMES})", rf"{word}{_END}", rf"{_ANSWER_IS}(?:{words})")


def _bare(text: str) -> str:
    """Without spaces between syllables that stand alone: "십 사", "열 넷"."""
    return re.sub(r"(?<=[십백천열물른흔쉰순든])\s+(?=[가-힣])", "", text)


def _written(value: int) -> Iterator[str]:
    """A number in Korean words; of a negative one, what is left when its sign is gone."""
    value = abs(value)
    yield _spelt(value)
    if value >= 10:
        yield "".join(_DIGITS[int(digit)] for digit in str(value))
    if 0 < value < 100:
        tens, ones = divmod(value, 10)
        yield _TENS[tens] + _ONES[ones]
        last = _ONES[ones] or _TENS[tens]
        if last in _BEFORE_COUNTER:
            yield (
                (_TENS[tens] if ones else "") + _BEFORE_COUNTER[last] + r"\s*(?:개|명|마리|자루|장|권|송이|살|배|묶음)"
            )


def _spelt(value: int) -> str:
    """Sino-Korean, below 10,000; digit by digit above that."""
    if value == 0:
        return "영"
    if value >= 10_000:
        return "".join(_DIGITS[int(digit)] for digit in str(value))
    said = ""
    for unit, name in ((1000, "천"), (100, "백"), (10, "십")):
        count, value = divmod(value, unit)
        said += ("" if count == 1 else _DIGITS[count]) + name if count else ""
    return said + (_DIGITS[value] if value else "")


def first_told(text: str, values: Sequence[int]) -> int | None:
    """The first of the values that a text tells."""
    return next((value for value in values if tells_value(text, value)), None)
