"""Numbers as people write them in Korean: 188, 1,200, 백팔십팔, 일흔둘, 3백 20, 2만 5천, 쉰두 개, 두 번째, −3.

An unreadable number has no `values`; an ambiguous one has several: "사십이요" is 40 and 42.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from maththera.korean.number_words import (
    AMBIGUOUS,
    BEFORE_A_COUNTER,
    EITHER,
    ENDINGS,
    FIRST_SYLLABLES,
    MYRIADS,
    NATIVE_COUNTERS,
    NATIVE_ONES,
    NATIVE_TENS,
    OTHER_WORDS,
    PARTICLES,
    PLACES,
    SINO_COUNTERS,
    SINO_DIGITS,
    any_of,
)

Style = Literal["digits", "commas", "wide", "spaced", "sino", "native", "mixed"]
"""188, 1,200, １８８, "1 8 8", 백팔십팔, 일흔둘, 2만 5천."""

_MOST_DIGITS: Final = 12
_TOO_MUCH: Final = 10**_MOST_DIGITS
_MYRIAD: Final = 10_000
_MOST_PARTS: Final = 24
_LONGEST_SIGN: Final = 8
_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_PLAIN: Final = _WIDE | dict.fromkeys(map(ord, "−–—‐‑"), ord("-")) | {0x3000: ord(" "), 0xA0: ord(" ")}
_DIGITS: Final = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+"
_WORDS: Final = any_of((*SINO_DIGITS, *PLACES, *MYRIADS, *NATIVE_TENS, *NATIVE_ONES))
_PART: Final = re.compile(f"({_DIGITS})|{_WORDS}")
_EITHER: Final = re.compile(any_of(EITHER))
_APART: Final = re.compile(r"(?:[0-9] ){1,11}[0-9](?! ?[0-9가-힣.,])|[0-9]{1,3}(?: [0-9]{3}){1,3}(?! ?[0-9.,])")
_DECIMALS: Final = re.compile(r"\.[0-9]+")
_START: Final = re.compile(
    r"(?<![0-9])(?<![0-9]\.)(?:(?<![A-Za-z])|(?<=[^A-Za-z][xX]))(?<![A-Za-z][-_:])[0-9]|"
    rf"(?:(?<![0-9A-Za-z가-힣])|(?<=답은))[{''.join(sorted(FIRST_SYLLABLES))}]"
)
_SIGN: Final = re.compile(r"(?:마이너스\s*|-(\s*))$")
_COPULA: Final = re.compile(rf" ?(?:{any_of(one for one in ENDINGS if one[0] in '이일')})(?![가-힣])")
_THEN_PARTICLE: Final = re.compile(r"이 ?(?=맞|아니|아냐|되|돼|나오|나와|남|넘)")
_CERTAIN_COUNTERS: Final = frozenset({"학년", "원", "월", "개월", "퍼센트"})

NATIVE_NUMBER: Final = rf"(?:(?:{any_of(NATIVE_TENS)})\s?(?:{any_of(NATIVE_ONES)})?|(?:{any_of(NATIVE_ONES)}))"
"""A pattern for 하나, 두, 스물다섯, 열 여섯."""
NUMBER: Final = (
    rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,5}}|{NATIVE_NUMBER}|[이삼사오육칠팔구]?(?:[십백천만][일이삼사오육칠팔구]?)+)"
)
"""A pattern for a number before a counter. Without one after it, many syllables are no numbers."""
SMALL_NUMBER: Final = rf"(?:\d{{1,3}}(?!\d)|(?![첫석넉]){NATIVE_NUMBER}|[이삼사오육칠팔구]?십[일이삼사오육칠팔구]?)"
"""A pattern for a number that may also stand without its counter: 3, 스물다섯, 십오. 일, 이, 백 and 만 are mostly other
words."""
_NO_COUNT: Final = frozenset({"첫", "만"})
"""Numerals that count nothing before a counter: 첫 문제, 덧셈 만 문제로."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text. `values`: all possible values, the longest reading first; empty if it is unreadable. The
    numeral stands from `start` to `end`, its `counter` (개, 번째) and what is attached (`after`: 이야, 에서) reach to
    `stop`. `doubtful`: it may be another word, such as 이, 일 or 만."""

    values: tuple[int, ...]
    start: int
    end: int
    stop: int
    counter: str = ""
    after: str = ""
    in_digits: bool = False
    doubtful: bool = False

    @property
    def value(self) -> int | None:
        """The number if it is unambiguous, else None."""
        return self.values[0] if len(self.values) == 1 else None


class _Part(NamedTuple):
    """`size`: what the word counts in (1 for ones, 1000 for 천); 0 for digits and Sino-Korean digits."""

    value: int
    size: int
    end: int
    text: str


def plain(text: str) -> str:
    """The text with full-width signs and dashes as a keyboard has them, of the same length if its letters are
    composed."""
    return unicodedata.normalize("NFC", text).translate(_PLAIN)


def parse_number(text: str) -> int | None:
    """The number if the whole text is one (-3, 열두, 두, 3백 20), else None."""
    text = plain(text).strip()
    sign = re.match(r"-|마이너스\s*", text)
    parts = _parts(text, sign.end() if sign else 0)
    if not parts or parts[-1].end != len(text) or (value := _value(parts)) is None:
        return None
    return -value if sign else value


def numbers_in(text: str) -> list[Number]:
    """The numbers of a text from left to right, doubtful ones as well; places are those of `plain(text)`."""
    return list(_numbers_in(plain(text)))


def counted_in(text: str, counters: Iterable[str]) -> list[Number]:
    """The numbers of a text that one of these counters follows, whatever is written behind it: 서른 개만들어, 열일곱
    문제, 100개. None is in "3개월", which counts months, in "첫 문제" and in "이 문제", which is "this problem"."""
    text = plain(text)
    found: list[Number] = []
    for match in _counted_by(tuple(counters)).finditer(text):
        numeral, value = match["numeral"], parse_number(match["numeral"])
        if value is not None and numeral not in _NO_COUNT:
            start, end = match.span("numeral")
            found.append(Number((value,), start, end, match.end(), match["counter"], in_digits=numeral.isdecimal()))
    return found


@lru_cache(maxsize=32)
def _counted_by(counters: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\d가-힣])(?<!\d[.,])(?P<numeral>{NUMBER})\s*(?P<counter>{any_of(counters)})(?!월)")


@lru_cache(maxsize=512)
def _numbers_in(text: str) -> tuple[Number, ...]:
    found: list[Number] = []
    place = 0
    while start := _START.search(text, place):
        number = number_at(text, start.start())
        if number is None:
            place = start.start() + 1
            continue
        found.append(_signed(text, number, found[-1].stop if found else 0))
        place = number.stop
    return tuple(found)


def number_at(text: str, start: int, stops: str = r"(?!)") -> Number | None:
    """The number that begins at this place of a plain text, without a sign. `stops`: a pattern for words that may be
    attached to it, besides counters, particles and endings."""
    if not text[start : start + 1].isdecimal() and text[start : start + 1] not in FIRST_SYLLABLES:
        return None
    if either := _EITHER.match(text, start):
        tail = _tail(NATIVE_COUNTERS, stops).match(text, either.end())
        if tail and tail["counter"]:
            return _number(EITHER[either[0]], start, either.end(), tail)
    if apart := _APART.match(text, start):
        numbers = [int(part) for part in apart[0].split()]
        values = (int(apart[0].replace(" ", "")), *numbers)
        return Number(values, start, apart.end(), apart.end(), in_digits=True)
    parts = _parts(text, start)
    readings = [*_readings(text, parts, stops)]
    if not readings:
        return _unreadable(text, start, parts, stops)
    longest = readings[0]
    if longest.in_digits and (_of_other_kind(text, longest) or (rest := _DECIMALS.match(text, longest.end))):
        end = rest.end() if (rest := _DECIMALS.match(text, longest.end)) else longest.end
        return Number((), start, end, end, in_digits=True)
    if len(readings) == 1:
        return longest
    return replace(longest, values=tuple(dict.fromkeys(value for one in readings for value in one.values)))


def _parts(text: str, start: int) -> list[_Part]:
    """Digits and number words that stand together, and after a round one (백, 스물) also with a space between."""
    parts: list[_Part] = []
    place = start
    while len(parts) < _MOST_PARTS:
        match = _PART.match(text, place)
        if match is None and parts and parts[-1].size > 1 and text[place : place + 1] == " ":
            match = _PART.match(text, place + 1)
            if match and match[1] and not parts[0].text[0].isdecimal():
                break
        if match is None:
            break
        parts.append(_part(match))
        place = match.end()
    return parts


def _part(match: re.Match[str]) -> _Part:
    word, end = match[0], match.end()
    if match[1]:
        return _Part(int(word.replace(",", "")[: _MOST_DIGITS + 1]), 0, end, word)
    if word in SINO_DIGITS:
        return _Part(SINO_DIGITS[word], 0, end, word)
    if word in PLACES or word in MYRIADS:
        return _Part(1, PLACES.get(word) or MYRIADS[word], end, word)
    return _Part(NATIVE_TENS.get(word) or NATIVE_ONES[word], 10 if word in NATIVE_TENS else 1, end, word)


def _value(parts: Sequence[_Part]) -> int | None:
    """The value of the parts together; None if they make no number."""
    total, last, begin = 0, _TOO_MUCH, 0
    for place, part in enumerate(parts):
        if part.text in MYRIADS:
            section = _section(parts[begin:place]) if place > begin else 1
            if not section or section >= _MYRIAD or part.size >= last:
                return None
            total, last, begin = total + section * part.size, part.size, place + 1
    rest = _section(parts[begin:])
    return None if rest is None or rest >= last else total + rest


def _section(parts: Sequence[_Part]) -> int | None:
    """Parts without a 만: places that go down, each with one digit before it, and ones at the end."""
    total, digit, last, native = 0, None, _TOO_MUCH, False
    for part in parts:
        if not part.size:
            if digit is not None or native or part.value >= last:
                return None
            digit = part.value
            continue
        native = part.text not in PLACES
        if part.size >= last or (digit is not None and (native or not 0 < digit < 10)):
            return None
        total += part.value if native else part.size * (digit or 1)
        digit, last = None, part.size
    return total + (digit or 0)


def _readings(text: str, parts: Sequence[_Part], stops: str) -> Iterator[Number]:
    """The readings of a word, the longest number with a proper ending first: "사십이요" is 42 and 40."""
    found = False
    for length in range(len(parts), 0, -1):
        value, end = _value(parts[:length]), parts[length - 1].end
        if value is None or (found and not (_COPULA.match(text, end) or _THEN_PARTICLE.match(text, end))):
            continue
        if length > 1 and parts[0].text[0].isdecimal() and parts[length - 1].text in SINO_DIGITS:
            continue  # "5천이야" is 5,000
        start = parts[0].end - len(parts[0].text)
        reading = _counted(text, parts[:length], (value,), start, stops)
        if reading is not None:
            found = True
            yield reading


def _counted(text: str, parts: Sequence[_Part], values: tuple[int, ...], start: int, stops: str) -> Number | None:
    last, end = parts[-1], parts[-1].end
    native = last.text in NATIVE_TENS or last.text in NATIVE_ONES
    counters = NATIVE_COUNTERS if native else SINO_COUNTERS
    in_digits = parts[0].text[0].isdecimal()
    tail = _tail(NATIVE_COUNTERS + SINO_COUNTERS if in_digits else counters, stops).match(text, end)
    if tail is None:
        return Number(values, start, end, end, in_digits=True) if last.text[0].isdecimal() else None
    if last.text in BEFORE_A_COUNTER and not tail["counter"]:
        return None
    doubtful = _is_doubtful(text, start, end, tail)
    return Number(values, start, end, tail.end(), (tail["counter"] or "").strip(), tail["after"], in_digits, doubtful)


def _number(values: tuple[int, ...], start: int, end: int, tail: re.Match[str]) -> Number:
    return Number(values, start, end, tail.end(), (tail["counter"] or "").strip(), tail["after"])


@lru_cache(maxsize=8)
def _tail(counters: tuple[str, ...], stops: str) -> re.Pattern[str]:
    """What may follow a numeral up to the end of its word."""
    attached = rf"(?:{any_of(PARTICLES)}){{0,2}}(?:{any_of(ENDINGS)})?"
    return re.compile(rf"(?P<counter> ?(?:{any_of(counters)}))?(?P<after>{attached})(?:(?![가-힣])|(?={stops}))")


def _is_doubtful(text: str, start: int, end: int, tail: re.Match[str]) -> bool:
    numeral, counter = text[start:end], tail["counter"] or ""
    if numeral + counter in OTHER_WORDS:
        return True
    return numeral in AMBIGUOUS and (counter == "" or counter[0] == " ") and counter.strip() not in _CERTAIN_COUNTERS


def _unreadable(text: str, start: int, parts: Sequence[_Part], stops: str) -> Number | None:
    """Several parts that make no number ("십십"), or digits without an end."""
    if not parts:
        return None
    end = parts[-1].end
    if text[start].isdecimal():
        return Number((), start, parts[0].end, parts[0].end, in_digits=True)
    tail = _tail(SINO_COUNTERS, stops).match(text, end)
    return replace(_number((), start, end, tail), doubtful=True) if tail and len(parts) > 1 else None


def _of_other_kind(text: str, number: Number) -> bool:
    """Whether a superscript, a fraction or a circled digit stands beside the number and changes its meaning."""
    around = text[max(number.start - 1, 0) : number.start] + text[number.end : number.end + 1]
    return any(unicodedata.category(sign) == "No" for sign in around)


def _signed(text: str, number: Number, last: int) -> Number:
    """The number with its sign, unless a number ends just before, at `last`. A separate dash may not be a sign."""
    begin = max(number.start - _LONGEST_SIGN, last)
    sign = _SIGN.search(text[begin : number.start])
    if sign is None:
        return number
    start = begin + sign.start()
    if text[start - 1 : start].isalnum() or text[start - 1 : start] == ")" or (last and not text[last:start].strip()):
        return number
    negative = tuple(-value for value in number.values)
    return replace(number, values=negative + number.values if sign[1] else negative, start=start, doubtful=False)


def written(number: int, style: Style) -> str:
    """The number in one of the ways in which people write it; `number` is from 0 to 9,999,999, for 0 all words are
    영."""
    match style:
        case "digits":
            return str(number)
        case "commas":
            return f"{number:,}"
        case "wide":
            return "".join(chr(ord(digit) + 0xFEE0) for digit in str(number))
        case "spaced":
            return " ".join(str(number))
        case "mixed":
            return _by_myriads(number, _mixed)
        case "native":
            return _by_myriads(number, _native)
    return _by_myriads(number, _sino)


def counted(number: int, counter: str) -> str:
    """Up to 99 things: "쉰두 개", "스무 명"."""
    words = _native(number)
    for full, short in {"하나": "한", "둘": "두", "셋": "세", "넷": "네", "스물": "스무"}.items():
        if words.endswith(full):
            words = words.removesuffix(full) + short
    return f"{words} {counter}"


_SINO_NAMES: Final = "영일이삼사오육칠팔구"
_TEN_NAMES: Final = {value: word for word, value in NATIVE_TENS.items() if word != "스무"}
_ONE_NAMES: Final = dict(enumerate(("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"), start=1))


def _by_myriads(number: int, below: Callable[[int], str]) -> str:
    myriads, rest = divmod(number, 10_000)
    if not myriads:
        return below(rest) or "영"
    head = (_mixed(myriads) if below is _mixed else "" if myriads == 1 else _sino(myriads)) + "만"
    return f"{head} {below(rest)}" if rest else head


def _sino(number: int) -> str:
    said = ""
    for name, size in (("천", 1000), ("백", 100), ("십", 10), ("", 1)):
        digit = number // size % 10
        said += "" if not digit else name if digit == 1 and name else _SINO_NAMES[digit] + name
    return said


def _native(number: int) -> str:
    tens, ones = number % 100 // 10 * 10, number % 10
    return _sino(number - number % 100) + _TEN_NAMES.get(tens, "") + _ONE_NAMES.get(ones, "")


def _mixed(number: int) -> str:
    """5천, 3백20."""
    said = ""
    for name, size in (("천", 1000), ("백", 100)):
        said += f"{number // size % 10}{name}" if number // size % 10 else ""
    return said + (str(number % 100) if number % 100 or not number else "")
