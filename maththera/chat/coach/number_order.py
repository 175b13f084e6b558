"""Talk of how whole numbers follow and compare: the next number, the larger of two, counting in steps, what a digit is
worth at its place."""

import re
from typing import Final

from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.drafts import NumberTopic, NumberWord
from maththera.korean.numbers import numbers_in

_TEN: Final = 10
_LARGEST: Final = 100_000
_ROW: Final = 10
"""Numbers that are said of a row."""
_LARGER: Final = re.compile(
    r"(?:뭐|뭘|뭔|어느|누가|어떤|무슨|어디|중에).{0,6}(?:크|커|큰|많)|(?:크|커|큰|많)[^?]{0,4}(?:뭐|어느)"
)
_SMALLER: Final = re.compile(r"(?:뭐|뭘|뭔|어느|누가|어떤|무슨|어디|중에).{0,6}(?:작|적)|(?:작|적)[^?]{0,4}(?:뭐|어느)")
_WHY: Final = re.compile(r"(?!.*\d).{0,8}왜.{0,14}|.{0,8}왜.{0,10}(?:크|커|큰|작).{0,5}")
_BARE_PAIR: Final = re.compile(r"\W*(?:그럼|그러면|근데)?\s*\d+\s*(?:이랑|랑|하고|과|와)\s*\d+\s*(?:은|는)?(?:요)?\W*")
_NEXT: Final = re.compile(
    r"\W*(?:그럼|그러면|근데)?\s*(\d+)(?:의|에)?\s*(?:바로\s*)?(다음|담|뒤|앞|전)(?:의)?\s*(?:수|숫자)?[은는이가]?\s*(?:뭐\S*|뭔\S*|몇\S*|알려\s*줘|\d+\s*(?:이?야|이?지|맞\S*|인가)?)?\W*"
)
_STEPS: Final = re.compile(r"(\d+)씩\s*(?:뛰어|건너뛰어|묶어)?\s*(?:세|센|셀|뛰)")
_COUNT_TO: Final = re.compile(r"(\d+)까지\s*(?:세|센|셀)")
_TELLS: Final = re.compile(r"(?:줘|봐|면|볼래|주세요|까|어떻게)\S{0,2}\W*$")
_WRITTEN: Final = re.compile(r"[은는이가을를]?\s*(?:숫자로\s*)?어떻게\s*(?:써|쓰는|적)")
_PLACED: Final = re.compile(r"(?<!\d)(\d)[이가]\s*(일|십|백|천)의?\s*자리(?:에\s*있으면|면|일\s*때|에\s*오면)")
_AND: Final = r"\s*(?:이?랑|하고|[과와])\s*"
_COMPOSED: Final = re.compile(
    rf"(?<!\d)(\d{{2,3}})\s*[은는이가]\s*(\d{{1,3}}){_AND}(\d{{1,3}})(?!\d)(?:{_AND}(\d{{1,3}})(?!\d))?"
)
"""A number as two or three parts: 12가 10이랑 2야?"""
_ALONE: Final = re.compile(r"\W*(?:그럼|그러면|근데|또)?\s*(\d{2,3})\s*(?:은|는|도|이면|이?랑은)?(?:요)?\W*")
_UNITS_OF: Final = re.compile(r"(?<!\d)(\d{2,4})\s*[은는이가]\s*(10|100)\s*[이가]\s*(\d{1,2})\s*개")
_IN_UNITS: Final = re.compile(
    r"(?<!\d)(\d{2,6})\s*(?:은|는|에는?|이|안에는?|을)?\s*(\d{1,5})\s*(?:이|가|은|는|원짜리가?|짜리가?)?\s*몇\s*(?:개|번|묶음|장)"
)
"""How many of one number are in another: 1000은 100이 몇 개예요."""
_OF_UNITS: Final = re.compile(
    r"(?<!\d)(10|100|1000)\s*(?:이|가|원짜리)\s*(\d{1,3})\s*(?:개|번|장|묶음)(?:이?면|은|는|이니까|니까)\s*(?:(\d{1,6})(?!\d)|[^\d]{0,4}(?:얼마|뭐|몇)|\W*$)"
)
"""So many tens or hundreds: 10이 5개면 50?"""
_OTHER_UNIT: Final = re.compile(
    r"\W*(?:그럼|그러면|근데|또)?\s*(\d{1,6})\s*(?:이|은|는|이면|짜리는)?\s*(?:몇\s*개\S*\s*\S*)?(?:요)?\W*"
)
_UNIT_VALUES: Final = {"십": 10, "백": 100, "천": 1000, "만": 10000}
_BARE_UNIT: Final = re.compile(r"(?<![가-힣\d])([십백천만])(?=[은이]|에는|\W*$)")
_THAN: Final = re.compile(
    r"(?:(?<!\d)(?P<one>\d{1,5})\s*[은는이가]\s*)?(?<!\d)(?P<than>\d{1,5})\s*보다\s*(?(one)|(?P<after>\d{1,5})\s*[은는이가]\s*)"
    r"(?:더\s*)?(?P<how>[크커큰작적많])(?![은]?\s*(?:수|거|만큼))(?:\S{0,3})\s*[?!.~ㅋㅎ]*$"
)
"""A number than which another is said to be larger."""
_ZERO_FIRST: Final = re.compile(r"(?<!\d)0(\d{1,2})(?!\d)")
_WORTH: Final = {"일": 1, "십": 10, "백": 100, "천": 1000}


def order_word(text: str, topic: NumberTopic | None) -> NumberWord | None:
    """What to say to such talk; None where a message is something else. `text`: with digits for number words."""
    if read_expressions(text):
        return None
    return (
        _units(text, topic)
        or _composed(text, topic)
        or _compares(text)
        or _compared(text, topic)
        or _neighbour(text)
        or _counted(text)
        or _worth(text)
        or _written(text)
    )


def _compares(text: str) -> NumberWord | None:
    """Whether a number is larger or smaller than another, as it is said: 10보다 9가 작지?"""
    if (found := _THAN.search(text)) is None:
        return None
    one, other = (int(found["one"]), int(found["than"])) if found["one"] else (int(found["after"]), int(found["than"]))
    right = one < other if found["how"] in "작적" else one > other
    slots: dict[str, object] = {"low": min(one, other), "high": max(one, other)}
    if one == other or max(one, other) >= _LARGEST:
        return None
    return NumberWord(
        "compares_yes" if right else "compares_no", slots, {"about": "compared", "number": max(one, other)}
    )


def _compared(text: str, topic: NumberTopic | None) -> NumberWord | None:
    if topic is not None and topic["about"] == "compared" and _WHY.fullmatch(text):
        return NumberWord("larger_why", {}, topic)
    values = [one.value for one in numbers_in(text) if one.value is not None]
    about = topic is not None and topic["about"] == "compared" and _BARE_PAIR.fullmatch(text) is not None
    smaller = _SMALLER.search(text) is not None
    if len(values) != 2 or max(values) >= _LARGEST or not (about or smaller or _LARGER.search(text)):
        return None
    low, high = sorted(values)
    slots: dict[str, object] = {"low": low, "high": high}
    kept: NumberTopic = {"about": "compared", "number": high}
    if low == high:
        return NumberWord("same_number", slots, kept)
    one, other = str(low), str(high)
    key = "smaller_number" if smaller else "larger_number"
    if len(one) != len(other) or len(other) == 1:
        return NumberWord(f"{key}_plain", slots | {"digits": len(other)}, kept)
    at = next(place for place in range(len(one)) if one[place] != other[place])
    slots |= {"place": "일십백천만"[len(one) - 1 - at], "less": one[at], "more": other[at]}
    return NumberWord(key, slots, kept)


def _composed(text: str, topic: NumberTopic | None) -> NumberWord | None:
    """The parts of a number by its places, whether those that are told are these, and a number with a zero in front."""
    if (zero := _ZERO_FIRST.search(text)) is not None and re.search(r"같|이야|뭐|다르|달라|[은는]\W*$", text):
        return NumberWord("zero_in_front", {"number": int(zero[1]), "turned": f"{int(zero[1])}0"})
    if (units := _UNITS_OF.search(text)) is not None:
        whole, unit, count = map(int, units.groups())
        key = "units_yes" if unit * count == whole else "units_no"
        return NumberWord(key, {"number": whole, "unit": unit, "count": count, "total": unit * count})
    found = _COMPOSED.search(text)
    alone = _ALONE.fullmatch(text) if topic is not None and topic["about"] == "composed" else None
    if found is None and alone is None:
        return None
    number = int(found[1] if found else alone[1] if alone else 0)
    kept: NumberTopic = {"about": "composed", "number": number}
    digits = str(number)
    names = zip(("백", "십", "낱개")[-len(digits) :], digits, strict=True)
    slots: dict[str, object] = {"number": number, "parts": ", ".join(f"{name} {digit}개" for name, digit in names)}
    if found is None:
        return NumberWord("composed_parts", slots, kept)
    told = [int(one) for one in found.groups()[1:] if one]
    if sum(told) == number:
        return NumberWord("composed_yes" if max(told) >= _TEN else "composed_parts", slots, kept)
    if told == [int(one) for one in digits]:
        worth = int(digits[0]) * _TEN ** (len(digits) - 1)
        return NumberWord("composed_digits", slots | {"first": digits[0], "worth": worth}, kept)
    return NumberWord("composed_no", slots, kept)


def _units(text: str, topic: NumberTopic | None) -> NumberWord | None:
    """How many of one number are in another, and what so many tens or hundreds are; then the same of other numbers."""
    if (told := _OF_UNITS.search(text)) is not None:
        unit, count, claimed = int(told[1]), int(told[2]), told[3]
        right = claimed is None or int(claimed) == unit * count
        key = "units_make" if claimed is None else "units_yes" if right else "units_no"
        slots: dict[str, object] = {"unit": unit, "count": count, "total": unit * count}
        return NumberWord(key, slots | {"number": claimed or unit * count})
    about = topic is not None and topic["about"] == "units"
    text = _BARE_UNIT.sub(lambda found: str(_UNIT_VALUES[found[1]]), text) if about else text
    asked, other = _IN_UNITS.search(text), _OTHER_UNIT.fullmatch(text) if about else None
    if asked is None and (other is None or topic is None):
        return None
    whole, unit = (
        map(int, asked.groups()) if asked else (topic["number"] if topic else 0, int(other[1]) if other else 0)
    )
    if unit > whole:
        whole, unit = unit, whole // (_TEN if whole >= _TEN**2 else 1)
    if not 0 < unit < whole <= _LARGEST or whole % unit:
        return None
    return NumberWord(
        "units_in", {"number": whole, "unit": unit, "times": whole // unit}, {"about": "units", "number": whole}
    )


def _neighbour(text: str) -> NumberWord | None:
    found = _NEXT.fullmatch(text)
    if found is None or int(found[1]) >= _LARGEST:
        return None
    before = found[2] in ("앞", "전")
    number = int(found[1])
    if before and number == 0:
        return None
    rest = number - 1 if before else number + 1
    return NumberWord("number_before" if before else "number_after", {"number": number, "rest": rest})


def _counted(text: str) -> NumberWord | None:
    """A row in steps, or up to a number: by ones where that is short, else by tens or hundreds."""
    steps, to = _STEPS.search(text), _COUNT_TO.search(text)
    if not (steps or to) or not _TELLS.search(text):
        return None
    step = int(steps[1]) if steps else 1
    until = int(to[1]) if to else step * _ROW
    while not steps and until > step * 2 * _ROW:
        step *= _TEN
    row = range(step, min(until, step * 2 * _ROW) + 1, step)
    if not 0 < step < _LARGEST or not 0 < until < _LARGEST or not row:
        return None
    return NumberWord("counted_row", {"step": step, "row": ", ".join(map(str, row))})


def _worth(text: str) -> NumberWord | None:
    found = _PLACED.search(text)
    if found is None:
        return None
    digit, unit = int(found[1]), _WORTH[found[2]]
    return NumberWord("digit_worth", {"digit": digit, "place": found[2], "unit": unit, "rest": digit * unit})


def _written(text: str) -> NumberWord | None:
    """How a number is written: 육십삼은 어떻게 써?"""
    values = [one.value for one in numbers_in(text) if one.value is not None and not one.counter]
    if len(values) != 1 or not _TEN <= values[0] < _TEN**3 or not _WRITTEN.search(text):
        return None
    digits = str(values[0])
    units = ("백", "십", "낱개")[-len(digits) :]
    parts = ", ".join(f"{name} {digit}개" for name, digit in zip(units, digits, strict=True))
    return NumberWord("number_written", {"number": values[0], "parts": parts})
