"""The problem that a written expression is."""

from fractions import Fraction
from typing import Final

from maththera.arithmetic.expressions import Operation
from maththera.arithmetic.problem import Form, Problem, make_problem
from maththera.arithmetic.result_claims import Expression

_FORM_OF_GAP: Final[dict[str, tuple[str, Form]]] = {"+": ("-", "addend"), "x": ("/", "factor")}


def problem_of(expression: Expression) -> Problem | None:
    """The problem that an expression of two natural numbers is, also with a gap (3+□=5); None for a longer one."""
    tree = expression.tree
    if expression.beyond is not None or expression.value is None or not isinstance(tree, Operation):
        return None
    left, right = tree.left, tree.right
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return make_problem(int(left), tree.op, int(right))
    known = left if isinstance(left, Fraction) else right
    if (
        not isinstance(known, Fraction)
        or tree.op not in _FORM_OF_GAP
        or isinstance(left, Operation | Fraction) == (isinstance(right, Operation | Fraction))
    ):
        return None
    whole = known + expression.value if tree.op == "+" else known * expression.value
    op, form = _FORM_OF_GAP[tree.op]
    return make_problem(int(whole), op, int(known), form=form) if known or op == "-" else None
