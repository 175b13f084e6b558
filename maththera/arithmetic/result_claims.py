"""The expressions of a message, the results that it claims for them, and whether these are right."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Final

from maththera.arithmetic.expression_parser import Sides
from maththera.arithmetic.expression_search import sides_in
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
from maththera.korean.number_words import ENDINGS
from maththera.korean.numbers import Number, numbers_in, plain

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
    | {"페이지", "점", "주", "주일", "개월", "등", "문제", "문항", "줄", "걸음", "회", "차", "배"}
)
"""Counters of numbers that are not results: "3번 문제", "9살"."""
_OPEN_ENDINGS: Final = frozenset({"면", "이면", "다"})
_STATED: Final = frozenset(ENDINGS) - _OPEN_ENDINGS
_SUBJECT: Final = frozenset({"", "이", "가", "은", "는", "을", "를", "로", "으로", "도", "라는", "이라는"})
_ANSWER_IS: Final = re.compile(r"(?:답|결과|값)(?:은|는|이|가|을|를|도)?[\s:=]*$")
_SAID: Final = re.compile(
    r"\s*(?:이|가|로|으로|을|를)?\s*(?:맞|아니|아냐|아님|나[왔왓와옴온]|나오|썼|적었|적어|했|한\s*거|답|대답|생각|같|되|돼|됐|된|됩|됨|남|마[자즈즘쪄죠]|확실|오케이|이?더라|"
    r"일까|인가|이?라고|이?라는|이?라며|입니|이?자나|이?에요|예요|이?죠|(?:다\s*)?풀었|계산했|그대로|되잖|(?:더|덜)\s*(?:많|크|길|적|작|짧|필요|했)|차이|많|이?라던데|이?래(?![가-힣])|이?라네|이?랬|이?지|이?야|(?:이|가)\s*맞)"
)
_ALONE: Final = re.compile(
    r"[\s.,!~:]*(?:은|는|이|가|도|을|를|(?:계산)?하면은?|하니까|해서|값은|건|게|거)?[\s.,!~:]*(?:(?:그럼|그러면|딱|바로|무조건|합쳐서|합해서|모두|전부|총|다\s*해서|왜|정말|진짜|혹시|그냥|내\s*생각[에엔]*|나는?|난|저는|내가|제가|내|제|음|아마|그래서|다|당연히|분명히|몇이야|뭐야|얼마야)[\s,]*)*$"
)
_COUNTED_OR_COMPARED: Final = re.compile(r"\s*(?:보다|더|번|넘|이상|이하|중|개월|자리|가지)")
"""Words after a number that is not a result, although it follows "3+4는"."""
_ENDS: Final = re.compile(r"[\s?!.,~^ㄱ-ㅎㅠㅜ]*$")
"""The end of a claim, with words written in consonants: ㅇㅇ, ㅋㅋ."""
_DENIED: Final = re.compile(r"\s*(?:이|가)?\s*아(?:니(?:지|잖|라|고|란)|닌)")
_DENIED_FLATLY: Final = re.compile(r"\s*(?:이|가)\s*(?:아니(?:야|에요|예요|다)|아님)(?!\s*[?])")
_STATEMENT: Final = re.compile(
    r"\s*[은는]\s+\S{1,20}(?:(?:이?야|이?에요|예요|입니다|이?지|이?다|이?네)\s*(?:[.!,~\n]|$)|이?라고\s*(?:알려|가르쳐|외워|설명해))"
)
_IF: Final = re.compile(r"(?:면|니까)$")
_THEN: Final = re.compile(
    r"\s*,?\s*(?:(?:답은|값은|모두)\s*)?[0-9가-힣]{1,12}?\s?(?:(?:이?야|이?에요|예요|입니다|이?지|이?다|이?네|이?고)\s*(?:[.!,~\n]|$)|(?:이|가)?\s?(?:돼|되|됩|남|나와|나오|맞))"
)
"""The words between a condition and its result: "13에서 5를 빼면 9가 돼"."""
_TAKEN_BACK: Final = re.compile(r"\s*(?:인\s*)?줄\s")
_OR: Final = re.compile(r"[\s,?]*(?:아니면|또는|아님)?[\s,?]*")
_DECIMAL: Final = re.compile(r"-?[0-9]+\.[0-9]+")
_TOPIC: Final = re.compile(r"[은는]\s+")
_GAP_IN_WORDS: Final = re.compile(r"[\s,]*(?:은|는|이|가|이랑|랑|와|과|하고)?\s*$")
_SAME: Final = re.compile(r"\s*(?:은|는|이|가|와|과|랑|이랑)?\s*(?:서로\s*)?(?:같|똑같)")
_COPULA: Final = re.compile(r"\s*(?:이?야|이?지|이?에요|예요|인가|맞)")


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression of a message. `start` and `end` are places of `plain(message)`.

    `tree`: the side to work out; `value`: its result, or the number for its gap, or None. `claimed`: the result that
    the message gives, or None; `right`: whether it is correct. `chained`: the result follows an equals sign; `stated`:
    it is stated in words, not asked. `beyond`: why the tutor declines the expression.
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
        """The expression with the usual signs, without its result: "12−5+3"; one with a gap whole: "3+□=5"."""
        if self.beyond in ("decimal", "percent", "power") or has_gap(self.tree):
            return self.written
        return text_of(self.tree)


@lru_cache(maxsize=512)
def read_expressions(message: str) -> tuple[Expression, ...]:
    """The expressions of a message from left to right, each with its claimed result."""
    text = plain(message)
    found = [*_merged(text, sides_in(text))]
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
    """The result claimed by a message without an expression: "왜 13이야?", "그럼 답이 35야?"."""
    text = plain(message)
    if read_expressions(message):
        return None
    claims = [one for one in _claims(text, alone=True) if one.values[0].denominator == 1 and not one.denied]
    bare = [one for one in claims if _ALONE.fullmatch(text, 0, one.start) or _ANSWER_IS.search(text, 0, one.start)]
    return int(bare[0].values[0]) if len(bare) == 1 == len(claims) and bare[0].values[0] >= 0 else None


def _merged(text: str, found: Sequence[Sides]) -> Iterator[Sides]:
    """Joins two expressions that are compared: "3+4는 2+5야?", "3+4랑 2+5는 같아?"."""
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
    """A result claimed in words. `denied`: the message says that it is not the result."""

    values: tuple[Fraction, ...]
    denied: bool
    start: int
    stop: int


def _with_claim(expression: Expression, before: str, after: str) -> Expression:
    text, claims = after, [one for one in _claims(after, alone=True, of=expression) if one.start]  # no 2 in "5+6이야"
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
    if expression.beyond == "remainder" and claim.values[0].denominator != 1:
        return replace(expression, beyond="decimal")
    stated = text is after and told.match(text) is not None
    return replace(expression, claimed=claimed, right=right != claim.denied, stated=stated)


def _claims(text: str, *, alone: bool, behind: str = "", of: Expression | None = None) -> Iterator[_Claim]:
    """The results claimed in a part of a message. `alone`: a bare number counts as one. `behind`: the text after the
    expression, if the part stands before it; `of`: the expression, if the part stands after it. A result may have the
    counter of the expression's numbers, and a share may be given for each: "여섯 개씩"."""
    shares = of is not None and isinstance(of.tree, Operation) and of.tree.op == "/"
    counted = of.written if of else ""
    for decimal in _DECIMAL.finditer(text):
        if _SAID.match(text, decimal.end()) or _ENDS.match(text, decimal.end()):
            yield _Claim((Fraction(decimal[0]),), _is_denied(text, decimal.end()), *decimal.span())
    for number in numbers_in(text):
        counts_other = number.counter in _NO_RESULT and number.counter not in counted
        if not number.values or counts_other or _TAKEN_BACK.match(text, number.stop):
            continue
        each = shares and number.after.startswith("씩")
        if each or _is_claim(text, number, alone=alone, behind=behind):
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
    if number.after or number.doubtful or number.counter or not _TOPIC.fullmatch(before):
        return number.after == "" and bool(_ALONE.fullmatch(before)) and bool(_ENDS.match(text, number.stop))
    return _COUNTED_OR_COMPARED.match(text, number.stop) is None


def _is_denied(text: str, place: int) -> bool:
    return bool(_DENIED.match(text, place) or _DENIED_FLATLY.match(text, place))
