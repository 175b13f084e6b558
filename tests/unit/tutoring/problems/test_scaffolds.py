"""Tables D, row by row: anchor, gap, moved problem and sub-step of an original."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.tutoring.problems import scaffolds

ROWS = [
    # 97+3: the gap of the row, 97+□=100, would show the answer, so it is (b−1)+□=b
    # C, when: original, anchor, gap, moved, sub-step; "gap" stands for the gap again
    ("1-3 +, s >= 2", "5+4", "5+1", "1+□=4", "6+3", "gap"),
    ("1-3 +, s >= 2", "2+3", "3+1", "1+□=2", "4+1", "gap"),
    ("1-3 +, s = 1", "4+1", "3+1", "3+□=4", "3+2", "gap"),
    ("1-3 +, s = 1", "1+4", "3+1", "3+□=4", "3+2", "gap"),
    ("1-3 +, 1+1", "1+1", "2+1", "0+□=1", "0+2", "gap"),
    ("3 +, a zero", "5+0", "5+1", "5+□=6", "0+5", "gap"),
    ("3 +, a zero", "0+5", "5+1", "5+□=6", "5+0", "gap"),
    ("4 -, a zero", "5-0", "5-1", "5+□=6", "0+□=5", "gap"),
    ("4 -, 0-0", "0-0", "1-1", "0+□=1", "0+□=0", "gap"),
    ("13 x, a zero", "7x0", "7x1", "7+□=8", "0+0", "gap"),
    ("13 x, a zero", "0x7", "7x1", "7+□=8", "0+0", "gap"),
    ("1 -, b = 1", "6-1", "5-1", "6+□=7", "1+□=6", "gap"),
    ("4 -, 1-1", "1-1", "2-1", "1+□=2", "1+□=1", "gap"),
    ("2 -, b >= 2", "6-2", "6-1", "1+□=2", "5-1", "gap"),
    ("4 -, b >= 2", "9-5", "9-1", "1+□=5", "8-4", "gap"),
    ("4 -, n-n", "7-7", "7-1", "1+□=7", "6-6", "gap"),
    ("5 +, n >= 6", "10+9", "10+1", "5+□=9", "15+4", "gap"),
    ("5 +, n < 6", "10+4", "10+1", "1+□=4", "11+3", "gap"),
    ("5 +, n = 1", "1+10", "10+2", "9+□=10", "9+2", "gap"),
    ("5 -, 1n-n", "17-7", "11-1", "17은 10이 □개", "7+□=17", "gap"),
    ("5 -, 11-1", "11-1", "12-2", "11은 10이 □개", "1+□=11", "gap"),
    ("5 -, 1n-10", "17-10", "11-10", "10-10=□", "10+□=17", "gap"),
    ("5 -, 11-10", "11-10", "12-10", "10-10=□", "10+□=11", "gap"),
    ("6 +", "7+3", "5+5", "5+□=7", "8+2", "gap"),
    ("6 +, 9+1", "9+1", "5+5", "5+□=9", "8+2", "gap"),
    ("6 +, 5+5", "5+5", "4+4", "4+□=5", "6+4", "gap"),
    ("6 -, b < 5", "10-4", "10-5", "4+□=5", "4+□=10", "gap"),
    ("6 -, b > 5", "10-8", "10-5", "5+□=8", "8+□=10", "gap"),
    ("6 -, b = 5", "10-5", "10-9", "4+□=5", "5+□=10", "gap"),
    ("7 +", "8+6", "10+6", "8+□=10", "10+4", "gap"),
    ("7 +, o = g", "9+2", "10+2", "9+□=10", "10+1", "gap"),
    ("8 +, ones carry", "28+15", "30+15", "28+□=30", "30+13", "8+5"),
    ("8 +, ones carry", "15+28", "30+15", "28+□=30", "30+13", "5+8"),
    ("8 +, ones carry, o = g", "97+3", "100+3", "2+□=3", "96+4", "7+3"),
    ("11 +, ones carry", "367+285", "370+285", "367+□=370", "370+282", "7+5"),
    ("8 +, tens carry, x >= 90", "98+90", "100+90", "98+□=100", "100+88", "gap"),
    ("11 +, hundreds carry, x >= 90", "293+550", "300+550", "293+□=300", "300+543", "gap"),
    ("8 +, other, u(s), s >= 11", "43+12", "43+10", "10+□=12", "45+10", "3+2"),
    ("11 +, other, u(s), s >= 11", "423+152", "423+150", "150+□=152", "425+150", "3+2"),
    ("8 +, other, u(s) = 0", "43+20", "40+20", "40+□=43", "40+23", "3+20"),
    ("8 +, other, s <= 9", "43+5", "40+5", "40+□=43", "40+8", "3+5"),
    ("8 +, tens + one digit", "20+5", "20+10", "1+□=5", "21+4", "gap"),
    ("8 +, tens + 1", "20+1", "20+10", "9+□=10", "19+2", "gap"),
    ("8 +, tens + tens", "40+30", "4+3", "40은 10이 □개", "50+20", "4+3"),
    ("8 +, tens + tens with carry", "100+90", "10+9", "100은 10이 □개", "110+80", "10+9"),
    ("9 -", "15-8", "15-10", "8+□=10", "17-10", "10-8"),
    ("10 -, ones borrow", "52-38", "52-40", "38+□=40", "54-40", "12-8"),
    ("12 -, ones borrow", "503-278", "503-280", "278+□=280", "505-280", "13-8"),
    ("12 -, only tens borrow, b >= 90", "548-293", "548-300", "293+□=300", "555-300", "gap"),
    ("10 -, no ones borrow, b >= 11", "57-32", "57-30", "30+□=32", "55-30", "7-2"),
    ("10 -, one-digit b, no borrow", "57-2", "7-2", "50+□=57", "2+□=57", "7-2"),
    ("10 -, u(b) = 0", "57-20", "50-20", "50+□=57", "20+□=57", "5-2"),
    ("10 -, u(b) = 0, only the ones are left", "41-40", "40-40", "40+□=41", "11-10", "4-4"),
    ("10 -, tens", "70-20", "7-2", "70은 10이 □개", "20+□=70", "7-2"),
    ("13 x, b >= 6", "7x8", "7x5", "5+□=8", "35+21", "7+7"),
    ("13 x, b 3..5", "7x4", "7x2", "2+□=4", "14+14", "7+7"),
    ("13 x, b = 2", "7x2", "7x1", "1+□=2", "7+7", "7+7"),
    ("13 x, b = 1", "7x1", "1x1", "0+□=1", "0+7", "7+7"),
    ("13 x, 1x1", "1x1", "2x1", "0+□=1", "0+1", "1+1"),
    ("14 /, q >= 6", "56/8", "40/8", "40+□=56", "8×□=56", "8x5"),
    ("14 /, q 3..5", "32/8", "16/8", "16+□=32", "8×□=32", "8x2"),
    ("14 /, q = 2", "16/8", "8/8", "8+□=16", "8×□=16", "8x1"),
    ("14 /, q = 1", "8/8", "16/8", "8+□=16", "8×□=8", "8x2"),
    ("15 x, two by one", "24x3", "20x3", "20+□=24", "60+12", "4x3"),
    ("15 x, one by two", "3x24", "20x3", "20+□=24", "60+12", "4x3"),
    ("15 x, tens by one", "20x3", "2x3", "20은 10이 □개", "40+20", "2x3"),
    ("15 x, two by two", "98x76", "98x70", "70+□=76", "6860+588", "98x6"),
    ("15 x, by tens", "24x30", "24x3", "30은 10이 □개", "72x10", "4x3"),
    ("15 x, by 10", "24x10", "24x1", "10은 10이 □개", "216+24", "4x1"),
    ("15 x, tens by tens", "20x30", "20x3", "30은 10이 □개", "60x10", "2x3"),
]


def written(problem: Problem) -> str:
    return f"{problem.a}{problem.op}{problem.b}" if problem.form == "result" else problem.prompt


@pytest.mark.parametrize("one", ["anchor", "gap", "moved", "sub_step"])
def test_each_may_be_asked_for_alone(one: str) -> None:
    problem = make_problem(98, "+", 90)
    assert getattr(scaffolds, one)(problem) == getattr(scaffolds.scaffolds(problem), one)


def test_everything_but_a_gap_stands_in_the_originals_layout() -> None:
    found = scaffolds.scaffolds(make_problem(28, "+", 15, layout="vertical"))
    assert (found.anchor.layout, found.moved.layout, found.sub_step.layout, found.gap.layout) == (
        "vertical",
        "vertical",
        "vertical",
        "horizontal",
    )


@pytest.mark.parametrize(
    ("original", "moved"), [("11+10", "20+1"), ("10+11", "20+1"), ("21+20", "40+1"), ("10x20", "100+100")]
)
def test_a_moved_problem_that_would_be_the_original_puts_the_tens_first(original: str, moved: str) -> None:
    assert written(scaffolds.moved(make_problem(*parse_expression(original)))) == moved


@pytest.mark.parametrize(("when", "original", "anchor", "gap", "moved", "sub_step"), ROWS)
def test_the_row(when: str, original: str, anchor: str, gap: str, moved: str, sub_step: str) -> None:
    found = scaffolds.scaffolds(make_problem(*parse_expression(original)))
    gap_found = found.gap.prompt.replace("−", "-")
    assert (written(found.anchor), gap_found, written(found.moved)) == (anchor, gap, moved), when
    assert (
        (found.sub_step.prompt.replace("−", "-") == gap_found)
        if sub_step == "gap"
        else (written(found.sub_step) == sub_step)
    ), when
