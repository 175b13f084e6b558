"""Reads expressions where they stand in Korean text: in signs (3+4×2), in words (28에서 15를 빼면) and mixed."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final, NamedTuple

from maththera.arithmetic import expression_words as words
from maththera.arithmetic.expressions import GAP, MOST_OPERATIONS, Beyond, Node, Operation
from maththera.korean.number_words import SINO_DIGITS
from maththera.korean.numbers import Number, number_at

_MOST_DIGITS: Final = 40
_LONGEST_TAIL: Final = 16
_DIGIT_NEXT: Final = re.compile(r"\s+[0-9]")
_DEEPEST: Final = 12
_MOST_SIDES: Final = 12


class NotAnExpression(Exception):
    """No expression begins here."""


class Sides(NamedTuple):
    """The sides of an equation, from `start` to `end` of the text. `asks`: the last side is left open."""

    nodes: tuple[Node, ...]
    start: int
    end: int
    asks: bool
    remainder: int | None
    beyond: Beyond | None


@dataclass(slots=True)
class ExpressionParser:
    """One attempt to parse an expression that begins at `place`. While parsing, `place` is the end of the text read,
    and `link` the particle that follows. `spaced`: the digits of the first number stand apart."""

    text: str
    place: int
    link: str = ""
    beyond: list[Beyond] = field(default_factory=list)
    operations: int = 0
    depth: int = 0
    numbers: int = 0
    spaced: bool = False
    slashes: list[tuple[Node, Node]] = field(default_factory=list)

    def sides(self) -> Sides:
        """Everything up to where no equals sign follows. NotAnExpression."""
        start = self.place
        nodes = [self._spoken(self._sum())]
        asks, remainder = False, None
        while len(nodes) < _MOST_SIDES and (equals := words.EQUALS.match(self.text, self.place)):
            before = self.place
            self.place = equals.end()
            try:
                nodes.append(self._sum())
            except NotAnExpression:
                asked = words.ASKED.match(self.text, equals.end())
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
            except NotAnExpression:
                self.place = before
                break
            if slash:
                self.slashes.append((node, right))
            node = self._operation(op, node, right)
        return node

    def _sign(self, ops: str) -> tuple[str, int] | None:
        match = words.SIGN.match(self.text, self.place + self._skipped_link())
        if match is None:
            implied = self.text[self.place : self.place + 1] == "(" and "x" in ops
            return ("x", self.place) if implied else None
        op = words.SIGNS.get(match[1] or "") or words.WORDS.get(match[2] or "") or "/"
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
        gap = words.GAP.match(self.text, self.place)
        if gap:
            self.place, self.link = gap.end(), ""
            return GAP
        if self.text[self.place : self.place + 1] in tuple("([{"):
            return self._bracket()
        return self._number()

    def _bracket(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotAnExpression
        self.place += 1
        node = self._sum()
        self._skip_spaces()
        if self.text[self.place : self.place + 1] not in tuple(")]}"):
            raise NotAnExpression
        self.place += 1
        self.depth -= 1
        link = words.AFTER_BRACKET.match(self.text, self.place)
        self.link = link[1] if link else ""
        return node

    def _number(self) -> Node:
        sign = words.MINUS.match(self.text, self.place)
        if sign:
            self.place = sign.end()
        value = self._unusual()
        if value is None:
            value = self._whole()
        self._power_or_percent()
        return -value if sign else value

    def _whole(self) -> Fraction:
        number = self._apart() or number_at(self.text, self.place, words.STOPS)
        if number is None or number.counter in words.NO_AMOUNTS:
            raise NotAnExpression
        if self.numbers == 1 and number.doubtful and number.after and _DIGIT_NEXT.match(self.text, number.stop):
            raise NotAnExpression  # the apples (사과) of "사과 28개랑 15개"
        said = self.text[number.start : number.end].replace(" ", "")
        if not number.values and not (said.isdecimal() and len(said) <= _MOST_DIGITS):
            raise NotAnExpression
        if len(said) > 1 and said.startswith("0") and said.isdecimal():
            raise NotAnExpression  # part of a date or a telephone number
        value = Fraction(number.values[0] if number.values else int(said))
        parts = words.PARTS_OF.match(self.text, number.end)
        if parts and value:
            self.place = parts.end()
            self.beyond.append("fraction")
            return self._whole() / value
        self.place, self.link = number.end, number.after
        if number.counter:
            self.place = self.text.index(number.counter, number.end) + len(number.counter)
        return value

    def _apart(self) -> Number | None:
        """Digits with spaces between them. They are one number if an operation follows the expression's first number,
        and then for all its numbers; otherwise only the first digit counts: "3+4 7", "11 곱하기 11 121"."""
        self.numbers += 1
        found = words.APART.match(self.text, self.place)
        if found is None:
            return None
        end = found.end()
        joined = number_at(found[0].replace(" ", "") + self.text[end : end + _LONGEST_TAIL], 0, words.STOPS)
        if joined is None or not joined.values:
            return None
        moved = end - joined.end
        joined = replace(joined, start=self.place, end=end, stop=joined.stop + moved)
        if self.numbers == 1:
            self.spaced = joined.after in words.FIRST_LINKS or words.SIGN.match(self.text, end) is not None
        if self.spaced or words.ROUND.fullmatch(found[0]):
            return joined
        first = self.text.index(" ", self.place)
        return Number((int(self.text[self.place : first]),), self.place, first, first, in_digits=True)

    def _unusual(self) -> Fraction | None:
        """A fraction or a decimal, or None."""
        text, place = self.text, self.place
        if mixed := words.MIXED.match(text, place):
            a, b, c = (int(part) for part in mixed.groups())
            return self._other("fraction", mixed.end(), Fraction(a) + Fraction(b, c or 1))
        if (fraction := words.FRACTION.match(text, place)) and int(fraction[1]) < int(fraction[2]) and int(fraction[1]):
            return self._other("fraction", fraction.end(), Fraction(int(fraction[1]), int(fraction[2])))
        if text[place : place + 1] in words.VULGAR:
            return self._other("fraction", place + 1, Fraction(*words.VULGAR[text[place]]))
        if decimal := words.DECIMAL.match(text, place):
            return self._other("decimal", decimal.end(), Fraction(decimal[0]))
        if spoken := words.SPOKEN_POINT.match(text, place):
            whole = number_at(spoken[1], 0)
            digits = "".join(str(SINO_DIGITS[one]) for one in spoken[2])
            if whole is not None and whole.value is not None:
                return self._other("decimal", spoken.end(), Fraction(f"{whole.value}.{digits}"))
        return None

    def _other(self, kind: Beyond, end: int, value: Fraction) -> Fraction:
        self.beyond.append(kind)
        link = words.AFTER_BRACKET.match(self.text, end)
        self.place, self.link = end, link[1] if link else ""
        return value

    def _power_or_percent(self) -> None:
        for pattern, kind in words.SUFFIXES:
            if match := pattern.match(self.text, self.place):
                self._other(kind, match.end(), Fraction(0))

    def _remainder(self) -> int | None:
        match = words.REMAINDER.match(self.text, self.place)
        number = number_at(self.text, match.end()) if match else None
        if number is None or number.value is None:
            return None
        self.place = number.end
        return number.value

    # --- words --------------------------------------------------------------------------------------------------------

    def _spoken(self, node: Node) -> Node:
        """The node with the operations of the verbs that follow: "28에서 15를 빼고 3을 더하면"."""
        spoken = False
        while spoken or self._has_operand_link() or words.HALF.match(self.text, self.place):
            done = self._verb(node)
            if done is None:
                break
            node, spoken = done, True
        return node

    def _has_operand_link(self) -> bool:
        """Whether the particle after the last number lets a verb follow."""
        return self.link in words.FIRST_LINKS or self.link in words.TOPIC_LINKS

    def _verb(self, node: Node) -> Node | None:
        before, link = self.place, self.link
        if half := words.HALF.match(self.text, self.place):
            self.place, self.link = half.end(), ""
            return self._operation("/", node, Fraction(2))
        items: list[Node] = []
        op = None
        while op is None:
            self._skip_link()
            try:
                items.append(self._number())
            except NotAnExpression:
                break
            op = self._verb_here(link, items)
            if self.link not in words.ITEM_LINKS:
                break
        if op is None:
            self.place, self.link = before, link
            return None
        for item in items:
            node = self._operation(op, node, item)
        return node

    def _verb_here(self, link: str, items: list[Node]) -> str | None:
        """The operation named after the last item; moves past it."""
        if link == "의" and (self.text[: self.place].endswith("배") or self.beyond[-1:] == ["percent"]):
            return "x"
        place = self.place + len(self.link)
        if link in words.TOPIC_LINKS:
            match = words.VERB.match(self.text, place) if self.link in ("로", "으로") and len(items) == 1 else None
            op = "/" if match and words.OP_OF[match.lastgroup or ""] == "/" else None
            match = match if op else None
        elif link == "보다":
            match = words.COMPARED.match(self.text, place)
            op = None if match is None else "+" if match[1] else "-"
        else:
            match = words.VERB.match(self.text, place)
            op = words.OP_OF[match.lastgroup or ""] if match else None
            if op == "+" and link in words.TIMES_LINKS and self.text[: self.place].endswith("번"):
                op = "x"  # "8을 5번 더하면"
            elif link == "씩":
                return "x" if words.IN_GROUPS.search(self.text[: self.place]) else None
            named = words.SIGN.match(self.text, place) if match is None and len(items) == 1 else None
            if named is not None and named[2] and not self._begins_another(named.end()):
                match, op = named, words.WORDS[named[2]]
        if match is not None:
            self.place, self.link = match.end(), ""
        return op

    def _begins_another(self, place: int) -> bool:
        """Whether an operation named after an item is that of a second expression: "20곱하기 6이랑 4곱하기 6"."""
        return self.operations > 0 and number_at(self.text, place, words.STOPS) is not None

    def _skip_link(self) -> None:
        self.place += len(self.link)
        if then := words.THEN.match(self.text, self.place):
            self.place = then.end()

    def _skip_spaces(self) -> None:
        while self.text[self.place : self.place + 1].isspace():
            self.place += 1
