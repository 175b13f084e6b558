"""What a message says about expressions: which it names, which result it claims, and whether that is right."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Final

from maththera.arithmetic.expression_parser import Sides, find_sides
from maththera.arithmetic.expressions import (
    Beyond,
    Node,
    Operation,
    beyond,
    has_gap,
    solved,
    text_of,
    value_of,
)
from maththera.korean.numbers import Number, numbers_in, plain
from maththera.korean.numerals import ENDINGS

_NO_RESULT: Final = frozenset(
    {
        "번",
        "번째",
        "째",
        "가지",
        "학년",
        "살",
        "월",
        "년",
        "분",
        "초",
        "시",
        "시간",
        "단",
        "단원",
        "단계",
        "반",
        "층",
        "쪽",
    }
    | {"페이지", "점", "주", "주일", "개월", "등", "문제", "문항", "줄", "걸음", "회", "차"}
)
"""Counters of what is no result: "3번 문제", "9살"."""
_OPEN_ENDINGS: Final = frozenset({"면", "이면", "다"})
_STATED: Final = frozenset(ENDINGS) - _OPEN_ENDINGS
_SUBJECT: Final = frozenset({"", "이", "가", "은", "는", "을", "를", "로", "으로", "도"})
_ANSWER_IS: Final = re.compile(r"(?:답|결과|값)(?:은|는|이|가|을|를|도)?\s*$")
_SAID: Final = re.compile(
    r"\s*(?:이|가|로|으로|을|를)?\s*(?:맞|아니|아냐|아님|나[왔왓와옴온]|나오|썼|적었|적어|했|한\s*거|답|대답|생각|같|되|돼|됐|된|됩|남|"
    r"일까|인가|이?라고|이?라는|이?라며|입니|이?자나|이?에요|예요|이?죠|풀었|계산했|이?지|이?야|(?:이|가)\s*맞)"
)
_ALONE: Final = re.compile(
    r"[\s.,!~:]*(?:은|는|이|가|도|을|를|하면|값은|건|게|거)?[\s.,!~:]*(?:(?:그럼|그러면|왜|정말|진짜|혹시|그냥|내\s*생각[에엔]*|나는?|난|저는|내가|제가|내|제|음|아마|그래서|다)[\s,]*)*$"
)
_ENDS: Final = re.compile(r"[\s?!.~ㅋㅎㅠㅜ^]*$")
_DENIED: Final = re.compile(r"\s*(?:이|가)?\s*아(?:니(?:지|잖|라|고|란)|닌)")
_DENIED_FLATLY: Final = re.compile(r"\s*(?:이|가)\s*(?:아니(?:야|에요|예요|다)|아님)(?!\s*[?])")
_STATEMENT: Final = re.compile(
    r"\s*[은는]\s+\S{1,20}(?:(?:이?야|이?에요|예요|입니다|이?지|이?다|이?네)\s*(?:[.!,~\n]|$)|이?라고\s*(?:알려|가르쳐|외워|설명해))"
)
_IF: Final = re.compile(r"(?:면|니까)$")
_THEN: Final = re.compile(
    r"\s*,?\s*(?:(?:답은|값은|모두)\s*)?[0-9가-힣]{1,12}?\s?(?:(?:이?야|이?에요|예요|입니다|이?지|이?다|이?네|이?고)\s*(?:[.!,~\n]|$)|(?:이|가)?\s?(?:돼|되|됩|남|나와|나오|맞))"
)
"""What follows a condition: "13에서 5를 빼면 9가 돼"."""
_TAKEN_BACK: Final = re.compile(r"\s*(?:인\s*)?줄\s")
_OR: Final = re.compile(r"[\s,?]*(?:아니면|또는|아님)?[\s,?]*")
_DECIMAL: Final = re.compile(r"-?[0-9]+\.[0-9]+")
_GAP_IN_WORDS: Final = re.compile(r"[\s,]*(?:은|는|이|가|이랑|랑|와|과|하고)?\s*$")
_SAME: Final = re.compile(r"\s*(?:은|는|이|가|와|과|랑|이랑)?\s*(?:서로\s*)?(?:같|똑같)")
_COPULA: Final = re.compile(r"\s*(?:이?야|이?지|이?에요|예요|인가|맞)")


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression of a message. `start` and `end` are places of `plain(message)`.

    `tree`: the side that is worked out; `value`: what it comes to, of one with a gap what belongs there; None where it
    has no value. `claimed`: the result that the message gives, `right` whether it is that: None where none is given.
    `chained`: it is given by an equals sign; `stated`: in words, and nobody asks. `beyond`: why the tutor declines it.
    """

    tree: Node
    start: int
    end: int
    written: str
    value: Fraction | None
    claimed: Fraction | None = None
    right: bool | None = None
    chained: bool = False
    stated: bool = False
    beyond: Beyond | None = None

    @property
    def text(self) -> str:
        """With the usual signs, without what it equals: "12−5+3"; one with a gap as it stands: "3+□=5"."""
        if self.beyond in ("decimal", "percent", "power") or has_gap(self.tree):
            return self.written
        return text_of(self.tree)


@lru_cache(maxsize=512)
def read_expressions(message: str) -> tuple[Expression, ...]:
    """The expressions of a message from left to right, each with what is claimed of it."""
    text = plain(message)
    found = [*_merged(text, [*find_sides(text)])]
    read: list[Expression] = []
    for place, sides in enumerate(found):
        until = found[place + 1].start if place + 1 < len(found) else len(text)
        since = found[place - 1].end if place else 0
        expression = _expression(text, sides)
        if expression.claimed is None and not sides.asks:
            expression = _with_claim(expression, text[since : sides.start], text[sides.end : until])
        read.append(expression)
    return tuple(read)


def claim_in(message: str) -> int | None:
    """The result that a message gives which has no expression of its own: "왜 13이야?", "그럼 답이 35야?"."""
    text = plain(message)
    if read_expressions(message):
        return None
    claims = [one for one in _claims(text, alone=True) if one.values[0].denominator == 1 and not one.denied]
    bare = [one for one in claims if _ALONE.fullmatch(text, 0, one.start) or _ANSWER_IS.search(text, 0, one.start)]
    return int(bare[0].values[0]) if len(bare) == 1 == len(claims) and bare[0].values[0] >= 0 else None


def _merged(text: str, found: Sequence[Sides]) -> Iterator[Sides]:
    """ "3+4는 2+5야?" and "3+4랑 2+5는 같아?" are equalities as well."""
    place = 0
    while place < len(found):
        one = found[place]
        other = found[place + 1] if place + 1 < len(found) else None
        if other is not None and _equated(text, one, other):
            one = Sides((*one.nodes, *other.nodes), one.start, other.end, False, None, one.beyond or other.beyond)
            place += 1
        yield one
        place += 1


def _equated(text: str, one: Sides, other: Sides) -> bool:
    between = _GAP_IN_WORDS.fullmatch(text, one.end, other.start)
    if between is None or one.asks or other.asks:
        return False
    link, rest = between[0].strip(" ,"), text[other.end : other.end + 20]
    return (link != "" and bool(_SAME.match(rest))) or (link in ("은", "는") and bool(_COPULA.match(rest)))


def _expression(text: str, sides: Sides) -> Expression:
    tree = next((node for node in sides.nodes if isinstance(node, Operation)), sides.nodes[0])
    written = re.sub(r"\s+", "", text[sides.start : sides.end])
    expression = Expression(tree, sides.start, sides.end, written, None)
    if sides.beyond in ("percent", "power"):
        return replace(expression, beyond=sides.beyond)
    if any(map(has_gap, sides.nodes)):
        return _with_gap(expression, sides)
    try:
        values = [value_of(node) for node in sides.nodes]
    except ZeroDivisionError:
        return replace(expression, beyond="by_zero")
    value = values[sides.nodes.index(tree)]
    expression = replace(expression, value=value, beyond=sides.beyond or beyond(tree, value))
    if sides.remainder is not None:
        claimed = values[-1]
        right = isinstance(tree, Operation) and _with_remainder(tree, claimed, sides.remainder)
        return replace(expression, claimed=claimed, right=right, chained=True)
    if len(values) == 1:
        return expression
    others = [one for one, node in zip(values, sides.nodes, strict=True) if node is not tree]
    claimed = next((one for one in others if one != value), others[-1])
    return replace(expression, claimed=claimed, right=claimed == value, chained=True)


def _with_remainder(tree: Operation, quotient: Fraction, left: int) -> bool:
    divisor = value_of(tree.right)
    return value_of(tree.left) == divisor * quotient + left and 0 <= left < divisor


def _with_gap(expression: Expression, sides: Sides) -> Expression:
    nodes = sides.nodes
    known = [node for node in nodes if not has_gap(node)]
    gaps = text_of(expression.tree).count("□") if len(nodes) == 2 and has_gap(expression.tree) else 0
    gaps = gaps or sum(text_of(node).count("□") for node in nodes)
    open_side = next(node for node in nodes if has_gap(node))
    if len(nodes) != 2 or len(known) != 1 or gaps != 1:
        return replace(expression, beyond="unknown")
    try:
        value = solved(open_side, value_of(known[0]))
    except ZeroDivisionError:
        return replace(expression, beyond="by_zero")
    written = f"{text_of(open_side)}={text_of(known[0])}"
    return replace(
        expression, tree=open_side, written=written, value=value, beyond=sides.beyond or beyond(open_side, value)
    )


# --- claims -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Claim:
    """A result that is given in words; `denied`: it is said not to be it."""

    values: tuple[Fraction, ...]
    denied: bool
    start: int
    stop: int


def _with_claim(expression: Expression, before: str, after: str) -> Expression:
    text, claims = after, [*_claims(after, alone=True)]
    if not claims:
        text, claims = before, [*_claims(before, alone=False, behind=after)]
    if not claims or expression.value is None:
        return expression
    if any(_OR.fullmatch(text, one.stop, other.start) for one, other in pairwise(claims)):
        return expression  # "1이야 2야?" claims neither
    claim = next((one for one in claims if not one.denied), claims[0])
    right = expression.value in claim.values
    claimed = expression.value if right else claim.values[0]
    told = _THEN if _IF.search(expression.written) else _STATEMENT
    stated = text is after and told.match(text) is not None
    return replace(expression, claimed=claimed, right=right != claim.denied, stated=stated)


def _claims(text: str, *, alone: bool, behind: str = "") -> Iterator[_Claim]:
    """The results given in a part of a message. `alone`: a number that nothing else is said of is one; `behind`: what
    follows the expression, where the part stands before it."""
    for decimal in _DECIMAL.finditer(text):
        if _SAID.match(text, decimal.end()) or _ENDS.match(text, decimal.end()):
            yield _Claim((Fraction(decimal[0]),), _is_denied(text, decimal.end()), *decimal.span())
    for number in numbers_in(text):
        if not number.values or number.counter in _NO_RESULT or _TAKEN_BACK.match(text, number.stop):
            continue
        if _is_claim(text, number, alone=alone, behind=behind):
            place = number.stop - len(number.after) if number.after in _SUBJECT else number.stop
            values = tuple(map(Fraction, number.values))
            yield _Claim(values, _is_denied(text, place), number.start, number.stop)


def _is_claim(text: str, number: Number, *, alone: bool, behind: str) -> bool:
    before = text[: number.start]
    if _ANSWER_IS.search(before):
        return True
    if number.after in _STATED or (number.after == "" and _SAID.match(text, number.stop)):
        return not number.doubtful or _ALONE.fullmatch(before) is not None
    if number.after not in _SUBJECT:
        return False
    if _SAID.match(text, number.stop - len(number.after)):
        return not number.doubtful or _ALONE.fullmatch(before) is not None
    if not alone:
        return not number.doubtful and number.after in ("이", "가", "은", "는") and bool(_COPULA.match(behind))
    return number.after == "" and bool(_ALONE.fullmatch(before)) and bool(_ENDS.match(text, number.stop))


def _is_denied(text: str, place: int) -> bool:
    return bool(_DENIED.match(text, place) or _DENIED_FLATLY.match(text, place))
