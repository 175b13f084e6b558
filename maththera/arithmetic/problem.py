"""One arithmetic problem with all its tags, and its two texts: the expression and the derived id."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from maththera.arithmetic import curriculum
from maththera.arithmetic.columns import carry_columns
from maththera.arithmetic.curriculum import curriculum_level
from maththera.arithmetic.wscore import WScores, w_scores, w_total
from maththera.korean.particles import with_particle

Layout = Literal["horizontal", "vertical"]
Form = Literal["result", "addend", "factor", "tens"]

SIGNS: Final = {"+": "+", "-": "−", "x": "×", "/": "÷"}
"""op → the sign for people."""

_OPS: Final = {
    **dict.fromkeys("+", "+"),
    **dict.fromkeys("-−–", "-"),
    **dict.fromkeys("xX×*·", "x"),
    **dict.fromkeys("/÷:", "/"),
}
_NUMBER: Final = r"(0|[1-9][0-9]{0,5})"
EXPRESSION: Final = re.compile(rf"\s*{_NUMBER}\s*([{re.escape(''.join(_OPS))}])\s*{_NUMBER}\s*")
_DERIVED_ID: Final = re.compile(rf"X:{_NUMBER}([-+x/]){_NUMBER}:([hv])(?::(gap|factor|tens))?")
_FORM_OF_SUFFIX: Final[dict[str | None, Form]] = {None: "result", "gap": "addend", "factor": "factor", "tens": "tens"}
_SUFFIX_OF_FORM: Final = {"result": "", "addend": ":gap", "factor": ":factor", "tens": ":tens"}
_OP_OF_FORM: Final = {"addend": "-", "factor": "/", "tens": "/"}


class ProblemError(ValueError):
    """The text or the numbers do not make a problem with a natural number as its answer."""


@dataclass(frozen=True, slots=True)
class Problem:
    """`a op b` as it is shown to a child. `form` says what is asked: the result; the missing addend of b+□=a (op -);
    the missing factor of b×□=a (op /); or how many tens a is (op /, b = 10). `w_scores` are W1..W6; `carries` the
    columns (0 = ones) that carry or borrow. `key`: the same for both layouts and, in + and ×, for both orders: 8+6 and
    6+8 are "6+8"."""

    problem_id: str
    a: int
    op: str
    b: int
    layout: Layout
    form: Form
    answer: int
    w_scores: WScores
    w_total: float
    c_level: int
    cog_c: int
    l_level: int
    strategy_tag: str
    carries: tuple[int, ...]
    key: str

    @property
    def expression(self) -> str:
        """The text for people: "52−38"; for a form that asks for a part, the whole prompt."""
        return f"{self.a}{SIGNS[self.op]}{self.b}" if self.form == "result" else self.prompt

    @property
    def prompt(self) -> str:
        """The question with a □ where the answer belongs."""
        if self.form == "addend":
            return f"{self.b}+□={self.a}"
        if self.form == "factor":
            return f"{self.b}×□={self.a}"
        if self.form == "tens":
            return f"{with_particle(self.a, '은는')} 10이 □개"
        return f"{self.a}{SIGNS[self.op]}{self.b}=□"


def make_problem(  # noqa: PLR0913 - the numbers, and three keyword-only ways to present them
    a: int, op: str, b: int, *, layout: Layout = "horizontal", form: Form = "result", problem_id: str | None = None
) -> Problem:
    """The problem `a op b` (op one of + - x /) with its tags; without an id of the bank it gets the derived X: id.

    A problem outside the ladder takes the nearest C of its operation. ProblemError for a negative number or answer,
    a remainder, an unknown sign, and a form that the operation cannot have.
    """
    answer = a // b if form == "tens" and b == 10 else _answer(a, op, b)
    if form != "result" and (op != _OP_OF_FORM[form] or (form == "tens" and b != 10)):
        raise ProblemError(f"{a}{op}{b} cannot be asked as {form}")
    carries = carry_columns(a, op, b)
    scores = w_scores(a, op, b, layout, carries=bool(carries))
    c = curriculum_level(a, op, b) or curriculum.nearest_level(a, op, b)
    unit = curriculum.unit(c)
    return Problem(
        problem_id=problem_id or f"X:{a}{op}{b}:{layout[0]}{_SUFFIX_OF_FORM[form]}",
        a=a,
        op=op,
        b=b,
        layout=layout,
        form=form,
        answer=answer,
        w_scores=scores,
        w_total=w_total(scores),
        c_level=c,
        cog_c=unit.cog_c,
        l_level=unit.l_level_with_carry if carries else unit.l_level,
        strategy_tag=curriculum.strategy(c, a, b),
        carries=carries,
        key=f"{b}{op}{a}" if op in "+x" and a > b else f"{a}{op}{b}",
    )


@lru_cache(maxsize=4096)
def problem_from_id(text: str) -> Problem:
    """The problem of a derived id such as `X:100-98:h:gap`; ProblemError for any other text."""
    match = _DERIVED_ID.fullmatch(text)
    if match is None:
        raise ProblemError(f"{text!r} is not the id of a derived problem")
    a, op, b, layout, suffix = match.groups()
    return make_problem(
        int(a), op, int(b), layout="horizontal" if layout == "h" else "vertical", form=_FORM_OF_SUFFIX[suffix]
    )


def parse_expression(text: str) -> tuple[int, str, int]:
    """(a, op, b) of a written "52 − 38"; every usual sign is understood. ProblemError says what is wrong."""
    match = EXPRESSION.fullmatch(text)
    if match is None:
        raise ProblemError(f"{text!r} is not two numbers of at most six digits with one sign of {' '.join(_OPS)}")
    a, sign, b = match.groups()
    return int(a), _OPS[sign], int(b)


def _answer(a: int, op: str, b: int) -> int:
    if a < 0 or b < 0 or op not in SIGNS:
        raise ProblemError(f"{a}{op}{b}: two natural numbers and one of + - x / are needed")
    if op == "+":
        return a + b
    if op == "x":
        return a * b
    if op == "-":
        if b > a:
            raise ProblemError(f"{a}-{b} has a negative answer")
        return a - b
    if b == 0 or a % b:
        raise ProblemError(f"{a}/{b} has no whole answer")
    return a // b
