"""Data of real people: a CSV of items or of single trials, and how well W and its rivals predict it."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite
from pathlib import Path
from statistics import fmean, median
from typing import Final

from maththera.arithmetic.malrules import wrong_answers
from maththera.arithmetic.problem import Problem, ProblemError, make_problem, parse_expression
from maththera.simulation.estimates import Estimate, bootstrap, share, spearman
from maththera.simulation.memory_population import Try

_EXPRESSION: Final = ("expression", "problem", "multliplyproblem")
_CHILD: Final = ("participant", "child", "student_id")
_AGE: Final = ("age",)
_OPERANDS: Final = ("a", "op", "b")
_SUCCESS: Final = ("success_rate", "success", "accuracy", "correct", "multiplycorr")
_TIME: Final = ("response_time", "rt", "rt_s", "rt_ms", "multi_rt")
_GIVEN: Final = ("given_answer", "answer_given", "multp_answer")  # 6 × 9: multp_Answer 48, mult_answer 54
"""Column → its accepted names, in any case, with spaces or underscores."""
_MISSING: Final = frozenset({"", "err", "n/a", "na", "nan"})
"""The texts of a cell without a number, in any case."""
_FAULTS_SHOWN: Final = 20
FEWEST_ITEMS: Final = 5
"""The fewest problems from which a rank correlation is computed."""

Predictor = Callable[[Problem], float]


class HumanDataError(ValueError):
    """The file cannot be used; the message says why and where."""


@dataclass(frozen=True, slots=True)
class Item:
    """One problem and its data. `success`: share of right answers; `time`: median response time, in the file's own
    unit; None where the file does not say."""

    problem: Problem
    success: float | None
    time: float | None
    trials: int


@dataclass(frozen=True, slots=True)
class HumanData:
    """A file's items, the number of its wrong answers and of those that a malrule gives, and the number of rows left
    out."""

    items: Sequence[Item]
    wrong: int
    explained: int
    left_out: int


@dataclass(frozen=True, slots=True)
class _Trial:
    problem: Problem
    success: float | None
    time: float | None
    given: float | None
    child: str | None
    day: int


def read(path: Path) -> HumanData:
    """The items of a CSV with an expression (or a, op, b) and a success, a response time or both in each row.

    Rows that say they have no number, such as trials marked "err", are left out and counted. HumanDataError: missing
    columns, no rows left, or unreadable cells, one "file:line:column: reason" each, at most 20.
    """
    trials, left_out = _trials(path)
    by_expression: dict[str, list[_Trial]] = {}
    for trial in trials:
        by_expression.setdefault(trial.problem.expression, []).append(trial)
    wrong = [trial for trial in trials if trial.given is not None and trial.given != trial.problem.answer]
    explained = sum(trial.given in wrong_answers(trial.problem).values() for trial in wrong)
    items = [_item(found) for found in by_expression.values()]
    return HumanData(items, len(wrong), explained, left_out)


def read_tries(path: Path) -> list[Try]:
    """Single trials as answers of children, child after child in the order of the file. HumanDataError as in `read`."""
    trials, _ = _trials(path)
    found = [
        Try(trial.child, trial.problem, trial.day, trial.success > 0)
        for trial in trials
        if trial.child is not None and trial.success in (0, 1)
    ]
    if not found:
        raise HumanDataError(f"{path}:1: no column {', '.join(_CHILD)}, or no single answers that are 0 or 1")
    return sorted(found, key=lambda one: (one.child, one.day))


def _trials(path: Path) -> tuple[list["_Trial"], int]:
    """The rows with a number, and how many have none."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file)
            sheet = _Sheet(path, next(rows, []))
            trials = [trial for row in rows if row and (trial := sheet.trial(row, rows.line_num)) is not None]
    except UnicodeDecodeError as error:
        raise HumanDataError(f"{path}: is not written in UTF-8") from error
    except (OSError, csv.Error) as error:
        raise HumanDataError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if sheet.faults:
        hidden = len(sheet.faults) - _FAULTS_SHOWN
        raise HumanDataError("\n".join(sheet.faults[:_FAULTS_SHOWN]) + (f"\n… and {hidden} more" if hidden > 0 else ""))
    if not trials:
        raise HumanDataError(f"{path}: no row has a problem and a number")
    return trials, sheet.left_out


def predictions(reality: HumanData, predictors: Mapping[str, Predictor]) -> dict[tuple[str, str, str], Estimate]:
    """(operation or "all", "success" or "time", predictor) → Spearman's ρ, where there are enough items.

    A good predictor of difficulty falls with success (−1) and rises with time (+1). HumanDataError: too few items
    everywhere.
    """
    found: dict[tuple[str, str, str], Estimate] = {}
    operations = sorted({item.problem.op for item in reality.items})
    groups = {"all": list(reality.items)} if len(operations) > 1 else {}
    groups |= {op: [item for item in reality.items if item.problem.op == op] for op in operations}
    for group, items in groups.items():
        for seen in ("success", "time"):
            values = [(item, value) for item in items if (value := getattr(item, seen)) is not None]
            if len(values) >= FEWEST_ITEMS:
                for name, predict in predictors.items():
                    pairs = [(predict(item.problem), value) for item, value in values]
                    found[group, seen, name] = bootstrap(pairs, _rank_correlation)
    if not found:
        raise HumanDataError(f"numbers for {len(reality.items)} problems; at least {FEWEST_ITEMS} of them are needed")
    return found


def explained(reality: HumanData) -> Estimate:
    """The share of real wrong answers that some malrule of the catalogue gives."""
    return share(reality.explained, reality.wrong)


SIMPLE: Final[dict[str, Predictor]] = {
    "W": lambda problem: problem.w_total,
    "C": lambda problem: problem.c_level,
    "larger operand": lambda problem: max(problem.a, problem.b),
    "smaller operand": lambda problem: min(problem.a, problem.b),
    "answer": lambda problem: problem.answer,
}
"""The predictors that need no fitting."""


def _rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    return spearman([x for x, _ in pairs], [y for _, y in pairs])


class _Sheet:
    """Reads the rows of one file and collects the faults of their cells in `faults`."""

    def __init__(self, path: Path, header: Sequence[str]) -> None:
        self._path, self._header = path, header
        columns = {name.strip().lower().replace(" ", "_"): place for place, name in enumerate(header)}
        self._success, self._time, self._given, self._child, self._age, expression = (
            next((columns[name] for name in names if name in columns), None)
            for names in (_SUCCESS, _TIME, _GIVEN, _CHILD, _AGE, _EXPRESSION)
        )
        if self._success is None and self._time is None:
            raise HumanDataError(f"{path}:1: no column {', '.join((*_SUCCESS, *_TIME))}")
        self._written = [columns[name] for name in _OPERANDS if name in columns] if expression is None else [expression]
        if expression is None and len(self._written) < len(_OPERANDS):
            raise HumanDataError(f"{path}:1: neither a column {', '.join(_EXPRESSION)} nor a, op and b")
        self.faults: list[str] = []
        self.left_out = 0

    def trial(self, row: Sequence[str], line: int) -> _Trial | None:
        """The trial of one row; None if it has no number or a fault."""
        faults = [f"{self._path}:{line}:{column}: {reason}" for column, reason in self._wrong_with(row)]
        self.faults += faults
        if faults:
            return None
        success, time, given = (self._number(row, place) for place in (self._success, self._time, self._given))
        if (self._success is not None and success is None) or (self._time is not None and time is None):
            self.left_out += 1
            return None
        child = None if self._child is None else row[self._child]
        return _Trial(self._problem(row), success, time, given, child, round(365 * (self._number(row, self._age) or 0)))

    def _wrong_with(self, row: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The column and the reason."""
        if len(row) != len(self._header):
            yield "row", f"{len(row)} cells instead of {len(self._header)}"
            return
        try:
            self._problem(row)
        except ProblemError as error:
            yield ",".join(self._header[place] for place in self._written), str(error)
        for place, highest in ((self._success, 1.0), (self._time, inf), (self._given, inf), (self._age, inf)):
            try:
                number = self._number(row, place)
            except ValueError:
                yield self._header[place or 0], f"{row[place or 0]!r} is no number"
            else:
                if number is not None and not (0 <= number <= highest and isfinite(number)):
                    yield self._header[place or 0], f"{number:g} is not between 0 and {highest:g}"

    def _problem(self, row: Sequence[str]) -> Problem:
        return _parsed("".join(row[place] for place in self._written))

    def _number(self, row: Sequence[str], place: int | None) -> float | None:
        """The number of a cell; None without such a column, or if the cell says that there is no number."""
        return None if place is None or row[place].strip().lower() in _MISSING else float(row[place])


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Problem:
    return make_problem(*parse_expression(text))


def _item(trials: Sequence[_Trial]) -> Item:
    """The item of some trials. Its time is the median of the right answers, if the file marks them."""
    successes = [trial.success for trial in trials if trial.success is not None]
    times = [trial.time for trial in trials if trial.time is not None and (trial.success is None or trial.success > 0)]
    return Item(
        trials[0].problem, fmean(successes) if successes else None, median(times) if times else None, len(trials)
    )
