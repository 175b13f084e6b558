"""Sums that an adult wants worked out: a share in percent, portions of a time, a story in one or two steps, and more
done with the result before."""

import re
from typing import Final

from maththera.chat.adults.expression_ways import it_is
from maththera.chat.coach.story_talk import story_of
from maththera.korean.numbers import numbers_in, plain
from maththera.korean.particles import with_particle

_SHARE: Final = re.compile(
    r"(\d{1,5})\s*(?:문제|문항|개|명|점|번|쪽|장|원)?\s*(?:만점)?\s*(?:중에서|중에|중|가운데|에서)\s*(\d{1,5})\D{0,14}?"
    r"(?:몇\s*(?:프로|퍼센트|퍼|%|점)|%\s*[?로가는]|퍼센트)"
)
"""60문제 중에 45개 맞으면 몇 프로?"""
_PERCENT: Final = re.compile(r"(\d{1,5})\s*(?:문제|개|명|원|점|분)?\s*(?:의|중|중에)\s*(\d{1,3})\s*(?:%|퍼센트|프로)")
_PORTION: Final = re.compile(r"(?<!\d)(\d{1,4})\s*(문제|개|분|쪽|장|번|원|권|자루|마리|알|칸|시간)\s*씩")
_TIMES: Final = re.compile(
    r"(\d{1,3})\s*(일|주|달|개월|명|번|묶음|상자|팩|봉지|접시|줄|반|세트|회|사람|모둠)(?!\s*뒤|\s*후)"
)
_GOES_ON: Final = re.compile(
    r"(?:거기|거따|그거|그걸|그\s*값|그\s*수|그\s*답|방금\s*거|여기|이거|그럼|또)\S{0,2}\s*(?:다시\s*)?"
    r"(\d{1,4})\s*(?:개|명|원|문제|분)?\s*(?:을|를|으?로|만|씩|명이)?\s*"
    r"(더하|더해|더\s|빼|덜|곱하|곱해|배|나누|나눠)(?!기\s*\d)"
)
"""거기에 3 곱하면?"""
_OPS: Final = {"더": "+", "빼": "−", "덜": "−", "곱": "×", "배": "×", "나": "÷"}
_WEEK, _SCHOOL_WEEK = 7, 5
_GROUPS: Final = re.compile(
    r"(\d{1,3})\s*(?:개|자루|장|권|마리|알|송이|병|명)\s*씩\D{0,8}?(\d{1,3})\s*(?:상자|봉지|묶음|팩|줄|접시|명|통|박스|세트)\D{0,12}?"
    r"(\d{1,4})\s*(?:개|자루|장|권|마리|알|송이|병|명)\D{0,6}?(썩|먹|버|깨|주|줬|나눠|팔|빼|잃|없|더|사|샀|받)"
)
_ANY_NUMBER: Final = re.compile(r"\d+")
_OTHER_STORY: Final = re.compile(
    r"시속|할인|퍼센트|%|프로|평균|미터|센티|키로|그램|\d\s*시(?!간)|소수|분수|나이|년\s*뒤"
)
"""Of a story that is not of things that are counted."""


def sum_told(message: str, before: int | None) -> tuple[str, int] | None:
    """What a message wants worked out, and the result; None where no sum is read. `before`: the last result."""
    text = _in_digits(plain(message))
    return _share(text) or _going_on(text, before) or _groups(text) or _portions(text) or _story(message)


def _in_digits(text: str) -> str:
    """A text with its numbers in digits: "스물네 개" becomes "24 개"."""
    for number in reversed(numbers_in(text)):
        if number.value is not None and not number.doubtful:
            text = f"{text[: number.start]}{number.value}{text[number.end :]}"
    return text


def _share(text: str) -> tuple[str, int] | None:
    if found := _SHARE.search(text):
        whole, part = int(found[1]), int(found[2])
        if not 0 < part <= whole:
            return None
        percent = 100 * part / whole
        return f"{whole} 가운데 {with_particle(part, '은는')} {percent:.4g}%예요.", round(percent)
    if found := _PERCENT.search(text):
        whole, share = int(found[1]), int(found[2])
        value = whole * share / 100
        return f"{whole}의 {share}%는 {it_is(f'{value:g}')}.", round(value)
    return None


def _portions(text: str) -> tuple[str, int] | None:
    """A portion for each day, week or group: 하루 8문제씩 5일이면?"""
    portion = _PORTION.search(text)
    if portion is None or _ANY_NUMBER.search(text[: portion.start()]):
        return None
    each, unit = int(portion[1]), portion[2]
    a_day = "하루" in text or "매일" in text
    told, value = [], 0
    for found in _TIMES.finditer(text, portion.end()):
        times, what = int(found[1]), found[2]
        if a_day and what == "주":
            value = each * times * _WEEK
            school = each * times * _SCHOOL_WEEK
            told.append(f"{times}주는 날마다 하면 {value}{unit}, 한 주에 닷새면 {school}{unit}")
        else:
            value = each * times
            told.append(f"{each}{unit}씩 {times}{what}이면 {each}×{times}={value}{unit}")
    return (f"{it_is(', '.join(told))}.", value) if told else None


def _going_on(text: str, before: int | None) -> tuple[str, int] | None:
    found = _GOES_ON.search(text)
    if found is None or before is None:
        return None
    number, op = int(found[1]), _OPS[found[2][0]]
    if op == "÷":
        if not number:
            return None
        value, rest = divmod(before, number)
        return f"{before}÷{number}={_with_rest(value, rest)}.", value
    value = {"+": before + number, "−": before - number, "×": before * number}[op]
    return f"{before}{op}{number}={it_is(value)}.", value


def _groups(text: str) -> tuple[str, int] | None:
    """Groups of the same size, of which some go or to which some come: 24개씩 3상자 있는데 17개가 썩었어요."""
    found = _GROUPS.search(text)
    if found is None:
        return None
    each, groups, other = int(found[1]), int(found[2]), int(found[3])
    op = "+" if found[4] in ("더", "사", "샀", "받") else "−"
    whole = each * groups
    value = whole + other if op == "+" else whole - other
    if value < 0:
        return None
    return f"{each}×{groups}={whole}, {whole}{op}{other}={it_is(value)}.", value


def _story(message: str) -> tuple[str, int] | None:
    story = None if _OTHER_STORY.search(message) else story_of(message)
    if story is None or not story.expression:
        return None
    shown = story.expression.replace("-", "−").replace("x", "×").replace("/", "÷")
    value = story.story["value"]
    return f"{shown}={_with_rest(value, story.story.get('left', 0))}.", value


def _with_rest(value: int, rest: int) -> str:
    return f"{value}이고 {with_particle(rest, '이가')} 남아요" if rest else it_is(value)
