import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import make_problem


@pytest.mark.parametrize(
    ("name", "a", "b", "result"),
    [
        ("remainder_dropped", 40, 8, None),
        ("remainder_kept", 40, 8, None),
        ("remainder_kept", 48, 8, 8),
        ("operands_swapped", 8, 8, 1),
        ("operands_swapped", 0, 8, None),
        ("divided_by_itself_is_zero", 56, 8, None),
        ("divided_by_one_is_one", 56, 8, None),
    ],
)
def test_where_it_works_and_where_it_has_nothing_to_work_on(name: str, a: int, b: int, result: int | None) -> None:
    assert CATALOGUE[name].apply(make_problem(a, "/", b)) == result
