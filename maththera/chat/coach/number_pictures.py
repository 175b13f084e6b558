"""Pictures in letters: tens as bars and ones as dots, rows of dots. A picture shows exactly the numbers of a
problem."""

from typing import Final

from maththera.arithmetic.problem import SIGNS, Problem

_LARGEST: Final = 199
_WIDEST: Final = 12
_MOST_DOTS: Final = 60
_ROW: Final = 10
_MOST_JUMPS: Final = 12
_DIGIT_SPACE: Final = "\u2007"
HUNDRED, TEN, ONE = "■", "▮", "●"


def drawn(problem: Problem, *, hide: bool = False) -> list[str]:
    """The lines of a picture; none where the numbers are too large. `hide`: without the result; what is
    shared out stands in rows of ten."""
    a, b = problem.a, problem.b
    if problem.form != "result" or max(a, b) > _LARGEST:
        return []
    if problem.op == "x":
        return [ONE * a for _ in range(b)] if a <= _WIDEST and b <= _WIDEST else []
    if problem.op == "/":
        if hide:
            rows = [ONE * min(_ROW, a - begin) for begin in range(0, a, _ROW)]
            return rows if a <= _MOST_DOTS and b else []
        groups = a // b if b else 0
        dots = [" ".join([ONE * b] * groups), f"{b}개씩 묶으면 {groups}묶음"]
        return dots if 0 < groups <= _WIDEST and b <= _WIDEST and a == b * groups else []
    if problem.op == "+":
        lines = [f"{a}: {blocks(a)}", f"{b}: {blocks(b)}"]
        if hide:
            return lines
        ones = a % 10 + b % 10
        bundled = f"{ONE}{ones}개에서 10개를 {TEN} 하나로 바꿔. " if ones >= 10 else ""
        return [*lines, f"{bundled}모으면 {blocks(a + b)}"]
    opened = blocks(a, opened=True) if a % 10 < b % 10 and a > 9 else ""
    lines = [f"{a}: {blocks(a)}", *([f"{TEN} 하나를 열면 {opened}"] if opened else [])]
    return lines if hide else [*lines, f"{b}만큼({blocks(b)}) 덜면 {blocks(a - b)}"]


def on_line(problem: Problem, *, hide: bool = False) -> str:
    """The way along the number line: 83 (−40)→ 43 (−3)→ 40 (−3)→ 37. `hide`: with a question mark at its end, and of a
    quotient, whose jumps are to be counted, as it is. "" where the jumps are too many."""
    start, jumps = _jumps(problem)
    if problem.form != "result" or not 0 < len(jumps) <= _MOST_JUMPS:
        return ""
    at, told = start, str(start)
    for place, jump in enumerate(jumps, start=1):
        at += jump
        hidden = hide and place == len(jumps) and problem.op != "/"
        told += f" ({'+' if jump > 0 else '−'}{abs(jump)})→ {'?' if hidden else at}"
    return told


def _jumps(problem: Problem) -> tuple[int, list[int]]:
    """Where one stands first, and how far each jump goes."""
    a, b = problem.a, problem.b
    if problem.op == "x":
        return 0, [a] * b
    if problem.op == "/":
        return a, [-b] * (a // b if b else 0)
    sign = 1 if problem.op == "+" else -1
    start, far = (max(a, b), min(a, b)) if sign > 0 else (a, b)
    tens, rest = far // _ROW * _ROW, far % _ROW
    to_round = sign * -(start + sign * tens) % _ROW if sign > 0 else (start - tens) % _ROW
    parts = [to_round, rest - to_round] if 0 < to_round < rest else [rest]
    return start, [sign * one for one in (tens, *parts) if one]


def blocks(number: int, *, opened: bool = False) -> str:
    """■ hundreds, ▮ tens and ● ones; `opened`: one ten as ten ones."""
    tens, ones = number // 10, number % 10
    hundreds, tens = divmod(tens - opened, 10)
    parts = [HUNDRED * hundreds, TEN * tens, ONE * (ones + 10 * opened)]
    return " ".join(filter(None, parts)) or "0"


def in_columns(problem: Problem) -> list[str]:
    """The lines of a sum, difference or product written in columns, down to the rule under which its result belongs;
    none for a quotient."""
    if problem.op not in SIGNS or problem.op == "/" or problem.form != "result":
        return []
    wide = len(str(max(problem.a, problem.b, problem.answer))) + 2
    return [_right(str(problem.a), wide), SIGNS[problem.op] + _right(str(problem.b), wide - 1), "─" * wide]


def _right(text: str, wide: int) -> str:
    """A text at the right of a column, after spaces that are as wide as digits."""
    return _DIGIT_SPACE * (wide - len(text)) + text


def written(problem: Problem) -> str:
    """47+36"""
    return f"{problem.a}{SIGNS[problem.op]}{problem.b}"
