"""The problem bank: a CSV of tagged problems, checked against the formulas, kept in memory, queried by (C, W-range)."""

import csv
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Final, TextIO, cast

from maththera.arithmetic.curriculum import UNITS, curriculum_level
from maththera.arithmetic.problem import SIGNS, Layout, Problem, ProblemError, make_problem, problem_from_id
from maththera.arithmetic.wscore import WScores

HEADER: Final = "problem_id,a,op,b,answer,layout,w1,w2,w3,w4,w5,w6,w_total,c_level,cog_c,l_level,strategy_tag"
COLUMNS: Final = HEADER.split(",")
LAYOUTS: Final[tuple[Layout, Layout]] = ("horizontal", "vertical")

_FAULTS_SHOWN: Final = 20
_PROBLEM_ID: Final = re.compile(r"[\w.-]{1,64}")
_NATURAL: Final = re.compile(r"[0-9]{1,6}")
_TEXT_COLUMNS: Final = frozenset({"problem_id", "op", "layout", "strategy_tag"})

Fault = tuple[str, str]
"""The column of a bad cell, and the reason."""


class BankError(Exception):
    """The file is not a valid bank. Each line of the message is "file:line:column: reason", at most 20 of them."""


class Bank:
    """All problems, by id, by expression, and per C sorted by (W, id)."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """`problems` have distinct ids and expressions and hold at least one of every C."""
        self._by_id = {problem.problem_id: problem for problem in problems}
        self._by_expression = {_identity(problem): problem for problem in problems}
        levels: dict[int, list[Problem]] = defaultdict(list)
        for problem in sorted(problems, key=attrgetter("w_total", "problem_id")):
            levels[problem.c_level].append(problem)
        self._levels = {c: tuple(level) for c, level in levels.items()}
        self._w_totals = {c: [problem.w_total for problem in level] for c, level in levels.items()}
        self._expressions = {c: len({problem.key for problem in level}) for c, level in levels.items()}

    @classmethod
    def load(cls, path: Path) -> "Bank":
        """Reads and checks every row of a CSV. BankError names all faults, and then nothing is loaded."""
        return cls(_read(path))

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._by_id.values())

    def __getitem__(self, problem_id: str) -> Problem:
        return self._by_id[problem_id]

    def problem(self, problem_id: str) -> Problem:
        """The problem of a bank id or of a derived X: id; ProblemError for any other text."""
        return self._by_id.get(problem_id) or problem_from_id(problem_id)

    def get(self, problem_id: str) -> Problem | None:
        """The same, but None for any other text, such as the id of a bank that was replaced."""
        try:
            return self.problem(problem_id)
        except ProblemError:
            return None

    def find(self, a: int, op: str, b: int, layout: Layout) -> Problem | None:
        """The bank's problem `a op b`, op one of + - x /."""
        return self._by_expression.get((a, op, b, layout))

    def level(self, c: int) -> Sequence[Problem]:
        """Every problem of a C, sorted by (W, id)."""
        return self._levels[c]

    def band(self, c: int) -> tuple[float, float]:
        """The lowest and the highest W of a C."""
        w_totals = self._w_totals[c]
        return w_totals[0], w_totals[-1]

    def expressions(self, c: int) -> int:
        """How many expressions a C has, both layouts and both orders of + and × counted as one."""
        return self._expressions[c]

    def window(self, c: int, low: float, high: float) -> Sequence[Problem]:
        """The problems of a C with low ≤ W ≤ high, sorted by (W, id)."""
        w_totals = self._w_totals[c]
        return self._levels[c][bisect_left(w_totals, low) : bisect_right(w_totals, high)]


def bank_problem(a: int, op: str, b: int, layout: Layout, problem_id: str) -> Problem:
    """`a op b` in the bank's form: the differences of C2 ask for the part (b+□=a), all others for the result."""
    taken_apart = op == "-" and curriculum_level(a, op, b) == 2
    return make_problem(a, op, b, layout=layout, form="addend" if taken_apart else "result", problem_id=problem_id)


def row_of(problem: Problem) -> list[str]:
    """The CSV row of a problem, in the order of COLUMNS."""
    return [
        problem.problem_id,
        str(problem.a),
        problem.op,
        str(problem.b),
        str(problem.answer),
        problem.layout,
        *_w_cells(problem.w_scores),
        str(problem.w_total),
        str(problem.c_level),
        str(problem.cog_c),
        str(problem.l_level),
        problem.strategy_tag,
    ]


@cache
def _w_cells(scores: WScores) -> tuple[str, ...]:
    """The bank has some fifty different W-scores in 15,000 rows."""
    return tuple(map(str, scores))


def _identity(problem: Problem) -> tuple[int, str, int, str]:
    return problem.a, problem.op, problem.b, problem.layout


def _read(path: Path) -> list[Problem]:
    try:
        # Spreadsheets put a byte order mark before UTF-8.
        with path.open(encoding="utf-8-sig", newline="") as file:
            return _problems(path, file)
    except OSError as error:
        raise BankError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BankError(f"{path}: {error}") from error


def _problems(path: Path, file: TextIO) -> list[Problem]:
    rows = csv.reader(file, strict=True)
    if next(rows, []) != COLUMNS:
        raise BankError(f"{path}:1:header: must be {HEADER}")
    problems: list[Problem] = []
    faults: list[str] = []
    first_lines: dict[object, int] = {}
    for row in rows:
        found = _check_row(row)
        if isinstance(found, Problem):
            problems.append(found)
            found = _duplicates(found, first_lines, rows.line_num)
        faults.extend(f"{path}:{rows.line_num}:{column}: {reason}" for column, reason in found)
    if not faults:
        missing = {unit.c for unit in UNITS} - {problem.c_level for problem in problems}
        faults = [
            f"{path}:{rows.line_num}:c_level: no problem of C{c}, and a session visits all" for c in sorted(missing)
        ]
    if faults:
        hidden = len(faults) - _FAULTS_SHOWN
        raise BankError("\n".join(faults[:_FAULTS_SHOWN]) + (f"\n… and {hidden} more" if hidden > 0 else ""))
    return problems


def _check_row(row: list[str]) -> Problem | list[Fault]:
    if len(row) != len(COLUMNS):
        return [("row", f"{len(row)} cells instead of {len(COLUMNS)}")]
    if faults := list(_malformed(row)):
        return faults
    problem_id, a, op, b, _, layout = row[:6]
    try:
        problem = bank_problem(int(a), op, int(b), cast(Layout, layout), problem_id)
    except ProblemError as error:
        return [("b", str(error))]
    expected = row_of(problem)
    if row != expected:
        faults = [
            (column, f"{actual!r} instead of {wanted!r}")
            for column, actual, wanted in zip(COLUMNS, row, expected, strict=True)
            if not _same(column, actual, wanted)
        ]
    if curriculum_level(problem.a, op, problem.b) is None:
        faults = [("a", f"{problem.expression} is outside the curriculum ladder")]
    return faults or problem


def _malformed(row: list[str]) -> Iterator[Fault]:
    """Faults of the cells from which no problem can be made."""
    problem_id, a, op, b, _, layout = row[:6]
    if not _PROBLEM_ID.fullmatch(problem_id):
        yield "problem_id", f"{problem_id!r} must be 1 to 64 letters, digits and _ . -"
    if not _NATURAL.fullmatch(a):
        yield "a", f"{a!r} is not a natural number of at most six digits"
    if op not in SIGNS:
        yield "op", f"{op!r} must be one of {' '.join(SIGNS)}"
    if not _NATURAL.fullmatch(b):
        yield "b", f"{b!r} is not a natural number of at most six digits"
    if layout not in LAYOUTS:
        yield "layout", f"{layout!r} must be one of {', '.join(LAYOUTS)}"


def _same(column: str, actual: str, wanted: str) -> bool:
    """Whether two cells are equal; a spreadsheet may write 5 for 5.0."""
    if column in _TEXT_COLUMNS:
        return actual == wanted
    try:
        return float(actual) == float(wanted)
    except ValueError:
        return False


def _duplicates(problem: Problem, first_lines: dict[object, int], line: int) -> list[Fault]:
    faults: list[Fault] = []
    for column, value in (("problem_id", problem.problem_id), ("a", _identity(problem))):
        first = first_lines.setdefault(value, line)
        if first != line:
            shown = value if isinstance(value, str) else f"{problem.expression} {problem.layout}"
            faults.append((column, f"{shown} stands in line {first} already"))
    return faults
