"""What a text says of numbers in words, calculated again: "십에서 삼을 빼면 육이야", "35는 53보다 커"."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from maththera.words.equations import wrong_equations

_ALIKE: Final = str.maketrans(
    {**dict.fromkeys("–—‐－➖", "-"), **dict.fromkeys("*✕✖·∙", "×"), **dict.fromkeys("/➗", "÷"), "➕": "+", "＝": "="}
)
_SINO: Final = {word: number for number, word in enumerate("영일이삼사오육칠팔구")} | {"십": 10, "백": 100, "천": 1000}
_ONES: Final = {
    **{
        word: number
        for number, word in enumerate(("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"), 1)
    },
    "한": 1,
    "두": 2,
    "세": 3,
    "네": 4,
}
_TENS: Final = {
    word: 10 * number
    for number, word in enumerate(("열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"), 1)
}
_NATIVE: Final = re.compile(rf"({'|'.join(_TENS)})?({'|'.join(_ONES)})?")
_PARTICLE: Final = (
    r"(?:이|가|은|는|을|를|에서|에|와|과|의|으로|로|야|다|지|하고|보다|,|\.|!|$|\s)(?![일삼사오육칠팔구십백천])"
)
_WORD: Final = re.compile(
    rf"(?<![가-힣])((?:{'|'.join(_TENS)})?(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉)(?={_PARTICLE})|(?:{'|'.join(_TENS)})(?={_PARTICLE})"
    rf"|[일이삼사오육칠팔구]?[십백천][일이삼사오육칠팔구십백천]*?(?={_PARTICLE})"
    r"|[일이삼사오육칠팔구](?=\s*(?:을|를|에서|더하기|빼기|곱하기|이야|이지|이다|이에요|이 \d|이 (?:돼|되|남))))"
)
"""A number in words; a single syllable such as 이 only where it can be nothing else."""

_N: Final = r"(?<![\d.])(?<![-+×÷=])(?<![-+×÷=] )(\d{1,7})(?!\d|\.\d)"
_M: Final = r"(\d{1,7})(?!\d|\.\d)"
_THING: Final = r"\s?(?:개|명|마리|자루|장|권|송이|살|점|원)?"
_ENDING: Final = (
    r"\s?(?:개|명|마리|자루|장|권|송이|살|점|원)?\s?(?:야|이야|이다|다|이지|지|이고|고|이네|네|이에요|예요|입니다|이라고|라고"
    r"|(?:이|가)?\s?(?:돼|되|됩|남|나와|나오|맞))|[.!?]?\s*$|[.!?]\s"
)
_IS: Final = rf"\s*,?\s*(?:답은|값은|모두)?\s*=?\s*(?:약\s*)?(\d{{1,7}})(?={_ENDING})"
_WITH: Final = r"\s*(?:에다가|에다|에|하고|와|과|이랑|랑)\s*"
_OBJECT: Final = rf"{_THING}\s*(?:을|를)?\s*"


_BE: Final = r"\s*(?:는|은|이|가|=)"
_IF: Final = r"(?:면|니까)"
_THAN: Final = rf"{_N}{_THING}\s*(?:는|은|이|가)\s*{_N}{_THING}\s*보다\s*(?:더\s*)?"
_CLAIMS: Final[tuple[tuple[re.Pattern[str], Callable[..., bool]], ...]] = tuple(
    (re.compile(pattern), holds)
    for pattern, holds in (
        (rf"{_N}{_THING}{_WITH}{_N}{_OBJECT}(?:더하|합하|합치){_IF}{_IS}", lambda a, b, c: a + b == c),
        (
            rf"{_N}{_THING}\s*에서\s*{_N}{_OBJECT}(?:빼|덜|덜어\s?내|먹으?|주|쓰){_IF}{_IS}",
            lambda a, b, c: a - b == c,
        ),
        (rf"{_N}{_WITH}{_N}{_OBJECT}곱하{_IF}{_IS}", lambda a, b, c: a * b == c),
        (rf"{_N}{_OBJECT}{_N}\s*(?:으로|로)\s*나누{_IF}{_IS}", lambda a, b, c: b > 0 and a == b * c),
        (rf"{_N}\s*(?:더하기|\+)\s*{_M}{_BE}{_IS}", lambda a, b, c: a + b == c),
        (rf"{_N}\s*(?:빼기|-|−)\s*{_M}{_BE}{_IS}", lambda a, b, c: a - b == c),
        (rf"{_N}\s*(?:곱하기|×|x)\s*{_M}{_BE}{_IS}", lambda a, b, c: a * b == c),
        (rf"{_N}\s*(?:나누기|÷)\s*{_M}{_BE}{_IS}", lambda a, b, c: b > 0 and a // b == c),
        (rf"{_THAN}(?:커|크|많|큰|높|길)", lambda a, b: a > b),
        (rf"{_THAN}(?:작|적|낮|짧)", lambda a, b: a < b),
        (rf"{_N}의\s*(?:두|2)\s*배(?:는|가)?{_IS}", lambda a, b: 2 * a == b),
        (rf"{_N}의\s*(?:절반|반)(?:은|이)?{_IS}", lambda a, b: a == 2 * b),
        (rf"{_N}\s*(?:바로\s*)?다음(?:\s*수)?(?:는|은|가)?{_IS}", lambda a, b: a + 1 == b),
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
_SKIPS: Final = re.compile(r"(\d{1,2})씩\s*뛰어\s*(?:세면|센|세기)\D{0,4}((?:\d+\s*,\s*){2,}\d+)")


def wrong_claims(text: str) -> Iterator[str]:
    """Every equation and statement that is not true; what cannot be read is none."""
    plain = unicodedata.normalize("NFKC", text).translate(_ALIKE)
    yield from wrong_equations(plain)
    for found in _TABLE.finditer(plain):
        if (told := _number(found[3])) is not None and _SINO[found[1]] * _SINO[found[2]] != told:
            yield found[0]
    read = _WORD.sub(lambda word: str(_number(word[1])), plain)
    for pattern, holds in _CLAIMS:
        for found in pattern.finditer(read):
            if not holds(*map(int, found.groups())):
                yield found[0]
    for found in _SKIPS.finditer(read):
        steps = [int(number) for number in re.findall(r"\d+", found[2])]
        if any(after - before != int(found[1]) for before, after in pairwise(steps)):
            yield found[0]


def _number(word: str) -> int | None:
    """The value of a numeral in words; None for what is none."""
    native = _NATIVE.fullmatch(word)
    if word and native is not None:
        return _TENS.get(native[1], 0) + _ONES.get(native[2], 0)
    total = digit = 0
    for syllable in word:
        if syllable not in _SINO:
            return None
        value = _SINO[syllable]
        if value >= 10:
            total, digit = total + max(digit, 1) * value, 0
        else:
            digit = value
    return total + digit if word else None
