"""False statements about numbers: "8+5=14", "십에서 삼을 빼면 육이야", "35는 53보다 커"."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from maththera.arithmetic.result_claims import read_expressions
from maththera.korean.numbers import numbers_in, parse_number, plain


def _times(ratio: int) -> Callable[[int, int], bool]:
    return lambda one, many: one * ratio == many


def _equals(count: int) -> Callable[[int], bool]:
    return lambda told: told == count


_QUOTED: Final = re.compile(
    r"(?P<open>['\"“‘])[^'\"“”‘’\n]{1,60}['\"”’]\s*(?:이?라고|이?라는)\s*(?:쓰|쓴|썼|적|답|말|계산|했|한)"
)
"""A quotation of what somebody wrote; it is not checked."""

_N: Final = r"(?<![\d.])(?<![-+×÷=])(?<![-+×÷=] )(\d{1,7})(?!\d|\.\d)"
_THING: Final = r"\s?(?:개|명|마리|자루|장|권|송이|살|점|원)?"
_ENDING: Final = (
    r"\s?(?:개|명|마리|자루|장|권|송이|살|점|원)?\s?(?:야|이야|이다|다|이지|지|이고|고|이네|네|이에요|예요|입니다|이라고|라고"
    r"|(?:이|가)?\s?(?:돼|되|됩|남|나와|나오|맞))|[.!?]?\s*$|[.!?]\s"
)
_IS: Final = rf"\s*,?\s*(?:답은|값은|모두)?\s*=?\s*(?:약\s*)?(\d{{1,7}})(?={_ENDING})"
_WITH: Final = r"\s*(?:에다가|에다|에|하고|와|과|이랑|랑)\s*"
_THAN: Final = rf"{_N}{_THING}\s*(?:는|은|이|가)\s*{_N}{_THING}\s*보다\s*(?:\d+\s*(?:만큼\s*)?)?(?:더\s*)?"
_CLAIMS: Final[tuple[tuple[re.Pattern[str], Callable[..., bool]], ...]] = tuple(
    (re.compile(pattern), holds)
    for pattern, holds in (
        (
            rf"{_N}{_THING}\s*에서\s*{_N}{_THING}\s*(?:을|를)?\s*(?:덜어\s?내|먹으|주|쓰)(?:면|니까){_IS}",
            lambda a, b, c: a - b == c,
        ),
        (rf"{_THAN}(?:커|크|많|큰|높|길)", lambda a, b: a > b),
        (rf"{_THAN}(?:작|적|낮|짧)", lambda a, b: a < b),
        (rf"{_N}의\s*(?:두|2)\s*배(?:는|가)?{_IS}", lambda a, b: 2 * a == b),
        (rf"{_N}의\s*(?:절반|반)(?:은|이)?{_IS}", lambda a, b: a == 2 * b),
        (rf"{_N}\s*(?:바로\s*)?다음(?:에\s*오는)?(?:\s*수)?(?:는|은|가)?{_IS}", lambda a, b: a + 1 == b),
        (rf"{_N}보다\s*{_N}\s*(?:만큼\s*)?(?:더\s*)?큰\s*수(?:는|가)?{_IS}", lambda a, b, c: a + b == c),
        (rf"{_N}보다\s*{_N}\s*(?:만큼\s*)?(?:더\s*)?작은\s*수(?:는|가)?{_IS}", lambda a, b, c: a - b == c),
        (rf"{_N}{_WITH}{_N}\s*중에서?\s*{_N}(?:이|가)\s*(?:더\s*)?(?:큰|커|많)", lambda a, b, c: c == max(a, b)),
        (rf"{_N}\s*(?:은|는)\s*짝수(?:야|지|다|예요|입니다)", lambda a: a % 2 == 0),
        (rf"{_N}\s*(?:은|는)\s*홀수(?:야|지|다|예요|입니다)", lambda a: a % 2 == 1),
        (rf"{_N}\s*(?:은|는)\s*{_N}{_WITH}{_N}\s*(?:으로|로)\s*(?:가르|가를|나눌|나뉘)", lambda a, b, c: a == b + c),
        (rf"{_N}\s*(?:은|는)\s*{_N}{_WITH}{_N}\s*(?:을|를)?\s*(?:모은|모으면|더한|합한)", lambda a, b, c: a == b + c),
        (rf"{_N}\s*(?:은|는)\s*10이\s*(\d)\s*개\s*,?\s*1이\s*(\d)\s*개", lambda a, b, c: a == 10 * b + c),
        (rf"{_N}\s*(?:은|는)\s*(10|100|1000)이\s*(\d{{1,4}})\s*개(?!\s*,?\s*10?이)", lambda a, b, c: a == b * c),
        (r"0을\s*(?:더하|빼)(?:면|도)\s*(\d+)(?:이|가)?\s*(?:돼|되)", lambda a: a != 0),
    )
)
"""A statement and whether it holds, given its numbers."""
_RATIOS: Final = {
    ("시간", "분"): 60,
    ("분", "초"): 60,
    ("(?:주|주일)", "일"): 7,
    ("년", "(?:개월|달)"): 12,
    ("(?:미터|m)", "(?:센티미터|cm)"): 100,
    ("(?:센티미터|cm)", "(?:밀리미터|mm)"): 10,
    ("(?:킬로미터|km)", "(?:미터|m)"): 1000,
    ("(?:킬로그램|kg)", "(?:그램|g)"): 1000,
    ("(?:리터|L)", "(?:밀리리터|mL)"): 1000,
    ("다스", "(?:자루|개)"): 12,
}
"""How many of the second are one of the first."""
_WHOLES: Final = {("하루", "시간"): 24, (r"(?<!\d)(?:1?주일|한 주)", "(?:일|날)"): 7}
"""How many of the second make up the first."""
_PARTS: Final = {
    ("(?:세모|삼각형)", "(?:변|꼭짓점|각)"): 3,
    ("(?:네모|사각형)", "(?:변|꼭짓점|각)"): 4,
    ("오각형", "(?:변|꼭짓점|각)"): 5,
    ("육각형", "(?:변|꼭짓점|각)"): 6,
    ("(?<![가-힣])원", "(?:변|꼭짓점|각)"): 0,
    ("(?:주사위|정육면체)", "면"): 6,
}
"""How many of the second one of the first has."""
_LEGS: Final = {
    ("(?:강아지|개|고양이|토끼|말|소|코끼리|돼지)",): 4,
    ("(?:닭|오리|병아리|참새|새)",): 2,
    ("(?:개미|벌|나비)",): 6,
    ("거미",): 8,
}
"""Legs of an animal."""
_FACT_TABLES: Final[tuple[tuple[Callable[..., str], Callable[[int], Callable[..., bool]], Mapping[Any, int]], ...]] = (
    (
        lambda one, other: rf"{_N}\s?{one}(?:은|는|이면|이니까|니까)\s(?:모두\s?)?{_N}\s?{other}(?![가-힣a-z]*\s?뒤)",
        _times,
        _RATIOS,
    ),
    (lambda one, other: rf"{one}(?:은|는|이)\s(?:모두\s?|항상\s?)?{_N}\s?{other}", _equals, _WHOLES),
    (
        lambda one, other: rf"{one}(?:은|는|의|에는|에)\s{other}(?:은|는|이|가)\s(?:모두\s?|항상\s?)?{_N}\s?개",
        _equals,
        _PARTS,
    ),
    (
        lambda one: rf"(?<![가-힣]){one}\s{_N}\s?마리(?:의)?\s다리(?:는|를\s세면|는\s?모두)\s(?:모두\s?)?{_N}\s?개",
        _times,
        _LEGS,
    ),
)
"""How a fact of a table is said, when it holds, and the table: names of things → a number."""
_FACTS: Final = tuple(
    (re.compile(said(*things)), holds(number))
    for said, holds, table in _FACT_TABLES
    for things, number in table.items()
)
_TABLE: Final = re.compile(
    r"(?<![가-힣])([이삼사오육칠팔구])([일이삼사오육칠팔구])(?:은|는)?\s*([이삼사오육칠팔]?십?[일이삼사오육칠팔구]?)(?=이야|이지|야|이고|,|\.|!)"
)
_PLACE: Final = re.compile(r"(?<![가-힣])(일|십|백|천)(?=이 \S{1,4} ?개)")
"""In "64는 십이 4개, 일이 6개야"; elsewhere 일이 is work."""
_SKIPS: Final = re.compile(r"(\d{1,2})씩\s*뛰어\s*(?:세면|센|세기)\D{0,4}((?:\d+\s*,\s*){2,}\d+)")


def wrong_equations(text: str) -> Iterator[str]:
    """The false equations of a text, as written: chains such as "8+5=8+2+3=14", and sums with a result in words ("3+4는
    8이야"). Questions and gaps do not count."""
    whole = plain(text)
    for one in read_expressions(text):
        if one.right is False and (one.chained or (one.stated and one.beyond is None)):
            yield whole[one.start : one.end]


def find_false_statements(text: str) -> Iterator[str]:
    """Every false equation and statement. What cannot be parsed is skipped."""
    said = _QUOTED.sub(" ", unicodedata.normalize("NFKC", text))
    yield from wrong_equations(said)
    for found in _TABLE.finditer(said):
        factors, told = (parse_number(found[1]), parse_number(found[2])), parse_number(found[3])
        if None not in (*factors, told) and factors[0] * factors[1] != told:  # type: ignore[operator]
            yield found[0]
    read = _in_digits(said)
    for pattern, holds in (*_CLAIMS, *_FACTS):
        for found in pattern.finditer(read):
            if not holds(*map(int, found.groups())):
                yield found[0]
    for found in _SKIPS.finditer(read):
        steps = [int(number) for number in re.findall(r"\d+", found[2])]
        if any(after - before != int(found[1]) for before, after in pairwise(steps)):
            yield found[0]


def _in_digits(text: str) -> str:
    """The text with its unambiguous number words as digits."""
    text, read, place = _PLACE.sub(lambda found: str(parse_number(found[1])), plain(text)), "", 0
    for number in numbers_in(text):
        if number.value is not None and not number.in_digits and not (number.doubtful and number.after == ""):
            read, place = f"{read}{text[place : number.start]}{number.value}", number.end
    return read + text[place:]
