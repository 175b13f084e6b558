"""Reads expressions where they stand in Korean text: in signs (3+4×2), in words (28에서 15를 빼면) and mixed."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final, NamedTuple

from maththera.arithmetic.expressions import GAP, MOST_OPERATIONS, Beyond, Node, Operation
from maththera.korean.numbers import number_at
from maththera.korean.numerals import SINO_DIGITS

_SIGNS: Final = {
    **dict.fromkeys("+➕", "+"),
    **dict.fromkeys("-ㅡ➖", "-"),
    **dict.fromkeys("xX*×✕✖·∙⋅", "x"),
    **dict.fromkeys("÷➗", "/"),
}
_WORDS: Final = {
    **dict.fromkeys(("더하기", "더 하기", "플러스", "보태기", "덧셈 "), "+"),
    **dict.fromkeys(("빼기", "뺴기", "마이너스", "뺄셈 "), "-"),
    **dict.fromkeys(("곱하기", "곱 하기", "곱셈 "), "x"),
    **dict.fromkeys(("나누기", "나눗기", "나눗셈 "), "/"),
}
_VERBS: Final = {
    "+": r"더하(?!기)|더해|더한|더할|더했|합하|합한|합해|합쳐|합치|보태(?!기)|보탠|합(?![가-힣])|합[은이을]",
    "-": r"빼(?!기)|뺀|뺄|뺐|덜어|덜면|차(?![가-힣])|차[는가를]",
    "x": r"곱하(?!기)|곱해|곱한|곱할|곱했|곱(?![가-힣])|곱[은이을]",
    "/": r"나누(?!기)|나눠|나눈|나눌|나눴|몫",
}
_SIGN: Final = re.compile(rf"\s*(?:([{re.escape(''.join(_SIGNS))}])|({'|'.join(_WORDS)})|(/))\s*")
_VERB: Final = re.compile(
    "|".join(rf"\s*(?:(?P<{name}>{_VERBS[op]}))[가-힣]*" for name, op in zip("asmd", "+-x/", strict=True))
)
_OP_OF: Final = dict(zip("asmd", "+-x/", strict=True))
_COMPARED: Final = re.compile(r"\s*(?:더 )?(?:(큰|많은)|(작은|적은)) ?수?[가-힣]*")
_STOPS: Final = r"더하|더 하|더해|더한|빼|뺀|뺄|곱|나누|나눠|나눈|플러스|마이너스|합|보태|차"
_ITEM_LINKS: Final = frozenset({"", "와", "과", "하고", "랑", "이랑", "에"})
_FIRST_LINKS: Final = frozenset(
    {"에", "에다", "에다가", "에서", "와", "과", "하고", "랑", "이랑", "을", "를", "의", "보다", "씩"}
)
_TIMES_LINKS: Final = ("을", "를", "씩")
_THEN: Final = re.compile(r"[\s,]*(?:(?:또|다시|그리고|그\s?다음에?|거기[에서]*)[\s,]+)?")
_AFTER_BRACKET: Final = re.compile(r"\s*(에다가?|에서?|와|과|하고|이?랑|을|를|의|보다)(?![가-힣])")
_EQUALS: Final = re.compile(r"\s*(?:은|는|이|가)?\s*=\s*")
_GAP: Final = re.compile(
    r"[□▢☐⬜ㅁ]|네모|빈칸|얼마|어떤 수|\[\s*\]|\(\s*\)|[?](?=\s*[-+x×÷=*/])|[a-wyzA-WYZxX](?![A-Za-z0-9])"
)
_ASKED: Final = re.compile(r"[?□▢☐⬜ㅁ]|네모|빈칸|얼마|뭐|몇|\(\s*\)")
_MIXED: Final = re.compile(r"([0-9]{1,6})\s?[과와]\s?([0-9]{1,6})\s?/\s?([0-9]{1,6})(?![0-9])")
_FRACTION: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})(?![0-9])")
_PARTS_OF: Final = re.compile(r"\s?분의\s?")
_DECIMAL: Final = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}(?![0-9])")
_SPOKEN_POINT: Final = re.compile(r"([영공일이삼사오육칠팔구십백]+)\s?점\s?([영공일이삼사오육칠팔구]+)")
_VULGAR: Final = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5)}
_POWER: Final = re.compile(r"[²³]|\s?\^\s?[0-9]+|의?\s?[세네]?제곱")
_PERCENT: Final = re.compile(r"\s?(?:%|퍼센트|프로)")
_SUFFIXES: Final[tuple[tuple[re.Pattern[str], Beyond], ...]] = ((_POWER, "power"), (_PERCENT, "percent"))
_REMAINDER: Final = re.compile(r"\s*(?:…|⋯|\.{2,3}|,?\s*나머지[가는]?)\s*")
_NO_AMOUNTS: Final = frozenset({"자리", "번째", "째", "학년", "단원", "단계"})
"""Counters of what is never calculated with: "(두 자리 수)+(한 자리 수)" is the name of a unit."""
_THOUSANDS: Final = re.compile(r"[0-9]{1,3}(?: [0-9]{3})+")
_MINUS: Final = re.compile(r"(?:-|마이너스)\s*")
_MOST_DIGITS: Final = 40
_DEEPEST: Final = 12
_MOST_SIDES: Final = 12


class NotOne(Exception):
    """What stands here is no expression."""


class Sides(NamedTuple):
    """What stands between equals signs, from `start` to `end` of the text. `asks`: the last side is left open."""

    nodes: tuple[Node, ...]
    start: int
    end: int
    asks: bool
    remainder: int | None
    beyond: Beyond | None


@dataclass(slots=True)
class ExpressionParser:
    """One attempt to read an expression that begins at `place`. `place` is behind what was read, before the particle
    that follows; `link` is that particle."""

    text: str
    place: int
    link: str = ""
    beyond: list[Beyond] = field(default_factory=list)
    operations: int = 0
    depth: int = 0
    slashes: list[tuple[Node, Node]] = field(default_factory=list)

    def sides(self) -> Sides:
        """Raises NotOne."""
        start = self.place
        nodes = [self._spoken(self._sum())]
        asks, remainder = False, None
        while len(nodes) < _MOST_SIDES and (equals := _EQUALS.match(self.text, self.place)):
            before = self.place
            self.place = equals.end()
            try:
                nodes.append(self._sum())
            except NotOne:
                asked = _ASKED.match(self.text, equals.end())
                self.place, asks = asked.end() if asked else before, True
                break
            remainder = self._remainder()
        if nodes[-1] is GAP and len(nodes) > 1:
            nodes.pop()
            asks = True
        return Sides(tuple(nodes), start, self.place, asks, remainder, self._reason())

    def _reason(self) -> Beyond | None:
        if any(isinstance(b, Fraction) and not b for _, b in self.slashes):
            return "by_zero"
        if self.beyond:
            return self.beyond[0]
        uneven = [(a, b) for a, b in self.slashes if isinstance(a, Fraction) and isinstance(b, Fraction) and a % b]
        if uneven and self.operations > 1:
            return "fraction"
        return "too_long" if self.operations > MOST_OPERATIONS else None

    # --- signs --------------------------------------------------------------------------------------------------------

    def _sum(self) -> Node:
        return self._chain("+-", self._product)

    def _product(self) -> Node:
        return self._chain("x/", self._operand)

    def _chain(self, ops: str, below: Callable[[], Node]) -> Node:
        node = below()
        while (found := self._sign(ops)) is not None:
            before, (op, end) = self.place, found
            slash = self.text[before:end].strip() == "/"
            self.place = end
            try:
                right = below()
            except NotOne:
                self.place = before
                break
            if slash:
                self.slashes.append((node, right))
            node = self._operation(op, node, right)
        return node

    def _sign(self, ops: str) -> tuple[str, int] | None:
        match = _SIGN.match(self.text, self.place + self._skipped_link())
        if match is None:
            implied = self.text[self.place : self.place + 1] == "(" and "x" in ops
            return ("x", self.place) if implied else None
        op = _SIGNS.get(match[1] or "") or _WORDS.get(match[2] or "") or "/"
        return (op, match.end()) if op in ops else None

    def _skipped_link(self) -> int:
        """The particle of "8에 더하기 6"."""
        return len(self.link) if self.link in ("에", "에다", "에다가", "에서") else 0

    def _operation(self, op: str, left: Node, right: Node) -> Node:
        self.operations += 1
        return left if self.operations > 2 * MOST_OPERATIONS else Operation(op, left, right)

    # --- operands -----------------------------------------------------------------------------------------------------

    def _operand(self) -> Node:
        self._skip_spaces()
        gap = _GAP.match(self.text, self.place)
        if gap:
            self.place, self.link = gap.end(), ""
            return GAP
        if self.text[self.place : self.place + 1] in tuple("([{"):
            return self._bracket()
        return self._number()

    def _bracket(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotOne
        self.place += 1
        node = self._sum()
        self._skip_spaces()
        if self.text[self.place : self.place + 1] not in tuple(")]}"):
            raise NotOne
        self.place += 1
        self.depth -= 1
        link = _AFTER_BRACKET.match(self.text, self.place)
        self.link = link[1] if link else ""
        return node

    def _number(self) -> Node:
        sign = _MINUS.match(self.text, self.place)
        if sign:
            self.place = sign.end()
        value = self._unusual()
        if value is None:
            value = self._whole()
        self._power_or_percent()
        return -value if sign else value

    def _whole(self) -> Fraction:
        number = number_at(self.text, self.place, _STOPS)
        if number is None or number.counter in _NO_AMOUNTS:
            raise NotOne
        said = self.text[number.start : number.end]
        if number.in_digits and len(number.values) > 1 and not _THOUSANDS.fullmatch(said):
            number = replace(number, values=number.values[1:2], end=number.start + said.index(" "))
            said = self.text[number.start : number.end]
        if not number.values and not (said.isdecimal() and len(said) <= _MOST_DIGITS):
            raise NotOne
        if len(said) > 1 and said.startswith("0") and said.isdecimal():
            raise NotOne  # of a date or a telephone number
        value = Fraction(number.values[0] if number.values else int(said))
        parts = _PARTS_OF.match(self.text, number.end)
        if parts and value:
            self.place = parts.end()
            self.beyond.append("fraction")
            return self._whole() / value
        self.place, self.link = number.end, number.after
        if number.counter:
            self.place = self.text.index(number.counter, number.end) + len(number.counter)
        return value

    def _unusual(self) -> Fraction | None:
        """A fraction or a decimal."""
        text, place = self.text, self.place
        if mixed := _MIXED.match(text, place):
            a, b, c = (int(part) for part in mixed.groups())
            return self._other("fraction", mixed.end(), Fraction(a) + Fraction(b, c or 1))
        if (fraction := _FRACTION.match(text, place)) and int(fraction[1]) < int(fraction[2]) and int(fraction[1]):
            return self._other("fraction", fraction.end(), Fraction(int(fraction[1]), int(fraction[2])))
        if text[place : place + 1] in _VULGAR:
            return self._other("fraction", place + 1, Fraction(*_VULGAR[text[place]]))
        if decimal := _DECIMAL.match(text, place):
            return self._other("decimal", decimal.end(), Fraction(decimal[0]))
        if spoken := _SPOKEN_POINT.match(text, place):
            whole = number_at(spoken[1], 0)
            digits = "".join(str("영일이삼사오육칠팔구".index(one.replace("공", "영"))) for one in spoken[2])
            if whole is not None and whole.value is not None:
                return self._other("decimal", spoken.end(), Fraction(f"{whole.value}.{digits}"))
        return None

    def _other(self, kind: Beyond, end: int, value: Fraction) -> Fraction:
        self.beyond.append(kind)
        link = _AFTER_BRACKET.match(self.text, end)
        self.place, self.link = end, link[1] if link else ""
        return value

    def _power_or_percent(self) -> None:
        for pattern, kind in _SUFFIXES:
            if match := pattern.match(self.text, self.place):
                self._other(kind, match.end(), Fraction(0))

    def _remainder(self) -> int | None:
        match = _REMAINDER.match(self.text, self.place)
        number = number_at(self.text, match.end()) if match else None
        if number is None or number.value is None:
            return None
        self.place = number.end
        return number.value

    # --- words --------------------------------------------------------------------------------------------------------

    def _spoken(self, node: Node) -> Node:
        """What is done with it by verbs: "28에서 15를 빼고 3을 더하면"."""
        spoken = False
        while spoken or self.link in _FIRST_LINKS:
            done = self._verb(node)
            if done is None:
                break
            node, spoken = done, True
        return node

    def _verb(self, node: Node) -> Node | None:
        before, link = self.place, self.link
        items: list[Node] = []
        op = None
        while op is None:
            self._skip_link()
            try:
                items.append(self._number())
            except NotOne:
                break
            op = self._verb_here(link, items)
            if self.link not in _ITEM_LINKS:
                break
        if op is None:
            self.place, self.link = before, link
            return None
        for item in items:
            node = self._operation(op, node, item)
        return node

    def _verb_here(self, link: str, items: list[Node]) -> str | None:
        """The operation that is named behind the last item, and goes past it."""
        if link == "의" and (self.text[: self.place].endswith("배") or self.beyond[-1:] == ["percent"]):
            return "x"
        place = self.place + len(self.link)
        if link == "보다":
            match = _COMPARED.match(self.text, place)
            op = None if match is None else "+" if match[1] else "-"
        else:
            match = _VERB.match(self.text, place)
            op = _OP_OF[match.lastgroup or ""] if match else None
            if op == "+" and link in _TIMES_LINKS and self.text[: self.place].endswith("번"):
                op = "x"  # "8을 5번 더하면"
            elif link == "씩":
                return None
            if match is None and len(items) == 1 and (sign := _SIGN.match(self.text, place)) and sign[2]:
                match, op = sign, _WORDS[sign[2]]
        if match is not None:
            self.place, self.link = match.end(), ""
        return op

    def _skip_link(self) -> None:
        self.place += len(self.link)
        if then := _THEN.match(self.text, self.place):
            self.place = then.end()

    def _skip_spaces(self) -> None:
        while self.text[self.place : self.place + 1].isspace():
            self.place += 1


_CHANT: Final = re.compile(
    r"(?<![0-9A-Za-z가-힣])(?P<a>[일이삼사오육칠팔구]) ?(?P<b>[일이삼사오육칠팔구])"
    r"(?P<link>은|는|이|에는?)?(?![가-힣])\s*"
)
"""A line of the times tables: "칠팔에 오십육"."""
_ASKED_OF_A_CHANT: Final = re.compile(r"[?\s]*$|몇|얼마|뭐|답이?|모르|[?]")
_WORDS_LIKE_A_CHANT: Final = frozenset(
    {"사이", "이사", "오이", "구이", "일이", "이일", "이이", "오일"}
    | {"사오", "이오", "사사", "사일", "일사", "이구", "구사", "팔이"}
)
_STARTS: Final = re.compile(
    r"(?<![0-9])(?<![0-9]\.)(?<![A-Za-z])(?<![A-Za-z][-_:])[0-9½⅓⅔¼¾⅕]|(?<![0-9A-Za-z가-힣])[가-힣]|[(\[{□▢☐⬜]|"
    r"(?<![0-9A-Za-z가-힣])[ㅁ?xXyYaA](?=\s*[-+×÷*/=])|(?<![0-9A-Za-z가-힣)])-(?=[0-9])"
)
_DATE: Final = re.compile(r"(?:19|20)[0-9]{2}([-./])[0-9]{1,2}\1[0-9]{1,2}(?![0-9])|0[0-9]{1,2}-[0-9]{3,4}-[0-9]{4}")


def find_sides(text: str) -> Iterator[Sides]:
    """Everything in a plain text that has an operation, from left to right."""
    place = 0
    while start := _STARTS.search(text, place):
        place = start.start() + 1
        date = _DATE.match(text, start.start())
        if date:
            place = date.end()
            continue
        if chant := _chanted(text, start.start()):
            yield chant
            place = chant.end
            continue
        try:
            found = ExpressionParser(text, start.start()).sides()
        except NotOne:
            continue
        if found.beyond == "power" or any(isinstance(node, Operation) for node in found.nodes):
            yield found
        place = max(place, found.end)


def _chanted(text: str, start: int) -> Sides | None:
    """A line of the times tables with its product or a question behind it. Pairs that are also everyday words ("사이")
    are one only with the right product."""
    match = _CHANT.match(text, start)
    if match is None:
        return None
    a, b = SINO_DIGITS[match["a"]], SINO_DIGITS[match["b"]]
    product = number_at(text, match.end())
    said = product is not None and product.counter == "" and bool(product.values)
    if match["a"] + match["b"] in _WORDS_LIKE_A_CHANT:
        known = product is not None and said and a * b in product.values
    else:
        known = said or _ASKED_OF_A_CHANT.match(text, match.end()) is not None
    end = match.end("link") if match["link"] else match.end("b")
    node = Operation("x", Fraction(a), Fraction(b))
    return Sides((node,), start, end, False, None, None) if known else None
