"""What a text says of numbers that is not so: "8+5=14", "십에서 삼을 빼면 육이야", "35는 53보다 커"."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from maththera.arithmetic.claims import read_expressions
from maththera.korean.numbers import numbers_in, parse_number, plain

_QUOTED: Final = re.compile(
    r"(?P<open>['\"“‘])[^'\"“”‘’\n]{1,60}['\"”’]\s*(?:이?라고|이?라는)\s*(?:쓰|쓴|썼|적|답|말|계산|했|한)"
)
"""What somebody has written is told of, not said."""

_N: Final = r"(?<![\d.])(?<![-+×÷=])(?<![-+×÷=] )(\d{1,7})(?!\d|\.\d)"
_THING: Final = r"\s?(?:개|명|마리|자루|장|권|송이|살|점|원)?"
_ENDING: Final = (
    r"\s?(?:개|명|마리|자루|장|권|송이|살|점|원)?\s?(?:야|이야|이다|다|이지|지|이고|고|이네|네|이에요|예요|입니다|이라고|라고"
    r"|(?:이|가)?\s?(?:돼|되|됩|남|나와|나오|맞))|[.!?]?\s*$|[.!?]\s"
)
_IS: Final = rf"\s*,?\s*(?:답은|값은|모두)?\s*=?\s*(?:약\s*)?(\d{{1,7}})(?={_ENDING})"
_WITH: Final = r"\s*(?:에다가|에다|에|하고|와|과|이랑|랑)\s*"
_THAN: Final = rf"{_N}{_THING}\s*(?:는|은|이|가)\s*{_N}{_THING}\s*보다\s*(?:더\s*)?"
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
_TABLE: Final = re.compile(
    r"(?<![가-힣])([이삼사오육칠팔구])([일이삼사오육칠팔구])(?:은|는)?\s*([이삼사오육칠팔]?십?[일이삼사오육칠팔구]?)(?=이야|이지|야|이고|,|\.|!)"
)
_PLACE: Final = re.compile(r"(?<![가-힣])(일|십|백|천)(?=이 \S{1,4} ?개)")
"""In "64는 십이 4개, 일이 6개야"; elsewhere 일이 is work."""
_SKIPS: Final = re.compile(r"(\d{1,2})씩\s*뛰어\s*(?:세면|센|세기)\D{0,4}((?:\d+\s*,\s*){2,}\d+)")


def wrong_equations(text: str) -> Iterator[str]:
    """The untrue equations of a text as they stand there: chains such as "8+5=8+2+3=14", and sums whose result is told
    in words ("3+4는 8이야"). What is asked is no equation, nor is one with a gap."""
    whole = plain(text)
    for one in read_expressions(text):
        if one.right is False and (one.chained or (one.stated and one.beyond is None)):
            yield whole[one.start : one.end]


def untrue(text: str) -> Iterator[str]:
    """Every equation and statement that is not so; what cannot be read is none."""
    said = _QUOTED.sub(" ", unicodedata.normalize("NFKC", text))
    yield from wrong_equations(said)
    for found in _TABLE.finditer(said):
        factors, told = (parse_number(found[1]), parse_number(found[2])), parse_number(found[3])
        if None not in (*factors, told) and factors[0] * factors[1] != told:  # type: ignore[operator]
            yield found[0]
    read = _in_digits(said)
    for pattern, holds in _CLAIMS:
        for found in pattern.finditer(read):
            if not holds(*map(int, found.groups())):
                yield found[0]
    for found in _SKIPS.finditer(read):
        steps = [int(number) for number in re.findall(r"\d+", found[2])]
        if any(after - before != int(found[1]) for before, after in pairwise(steps)):
            yield found[0]


def _in_digits(text: str) -> str:
    """With the numbers in words that can be read in one way as digits."""
    text, read, place = _PLACE.sub(lambda found: str(parse_number(found[1])), plain(text)), "", 0
    for number in numbers_in(text):
        if number.value is not None and not number.in_digits and not (number.doubtful and number.after == ""):
            read, place = f"{read}{text[place : number.start]}{number.value}", number.end
    return read + text[place:]
