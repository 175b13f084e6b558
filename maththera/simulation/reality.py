"""What real people did: a CSV of items or of single trials, and how well W and its rivals predict it."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Final

from maththera.arithmetic.malrules import wrong_answers
from maththera.arithmetic.problem import Problem, ProblemError, make_problem, parse_expression
from maththera.simulation.statistics import Estimate, bootstrap, share, spearman

_EXPRESSION: Final = ("expression", "problem", "multliplyProblem")
_SUCCESS: Final = ("success_rate", "success", "accuracy", "correct", "multiplyCorr")
_TIME: Final = ("response_time", "rt", "rt_s", "rt_ms", "multi_RT")
_GIVEN: Final = ("given_answer", "answer_given", "multp_Answer")  # 6 × 9: multp_Answer 48, mult_answer 54
_FEWEST_ITEMS: Final = 5

Predictor = Callable[[Problem], float]


class RealityError(ValueError):
    """The file cannot be used; the message says why and where."""


@dataclass(frozen=True, slots=True)
class Item:
    """One problem and all that was seen of it. `success`: share of right answers; `time`: median response time, in the
    file's own unit; None where the file does not say."""

    problem: Problem
    success: float | None
    time: float | None
    trials: int


@dataclass(frozen=True, slots=True)
class Reality:
    """A file's items, and of its wrong answers how many there are and how many a malrule gives."""

    items: Sequence[Item]
    wrong: int
    explained: int


@dataclass(frozen=True, slots=True)
class _Trial:
    problem: Problem
    success: float | None
    time: float | None
    given: int | None


def read(path: Path) -> Reality:
    """The items of a CSV with an expression (or a, op, b) and a success, a response time or both in each row.

    Rows without numbers, such as trials marked "err", are left out. RealityError: no such columns, or nothing left.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            trials = list(_trials(path, rows, rows.fieldnames or []))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RealityError(f"{path}: {error}") from error
    if not trials:
        raise RealityError(f"{path}: no row has a problem and a number")
    by_expression: dict[str, list[_Trial]] = {}
    for trial in trials:
        by_expression.setdefault(trial.problem.expression, []).append(trial)
    wrong = [trial for trial in trials if trial.given is not None and trial.given != trial.problem.answer]
    explained = sum(trial.given in wrong_answers(trial.problem).values() for trial in wrong)
    return Reality([_item(found) for found in by_expression.values()], len(wrong), explained)


def predictions(reality: Reality, predictors: Mapping[str, Predictor]) -> dict[tuple[str, str, str], Estimate]:
    """(operation or "all", "success" or "time", predictor) → Spearman's ρ, where there are enough items.

    A good predictor of difficulty falls with success (−1) and rises with time (+1).
    """
    found: dict[tuple[str, str, str], Estimate] = {}
    operations = sorted({item.problem.op for item in reality.items})
    groups = {"all": list(reality.items)} if len(operations) > 1 else {}
    groups |= {op: [item for item in reality.items if item.problem.op == op] for op in operations}
    for group, items in groups.items():
        for seen in ("success", "time"):
            values = [(item, value) for item in items if (value := getattr(item, seen)) is not None]
            if len(values) >= _FEWEST_ITEMS:
                for name, predict in predictors.items():
                    pairs = [(predict(item.problem), value) for item, value in values]
                    found[group, seen, name] = bootstrap(pairs, _rank_correlation)
    return found


def explained(reality: Reality) -> Estimate:
    """The share of real wrong answers that some malrule of the catalogue gives."""
    return share(reality.explained, reality.wrong)


SIMPLE: Final[dict[str, Predictor]] = {
    "W": lambda problem: problem.w_total,
    "C": lambda problem: problem.c_level,
    "larger operand": lambda problem: max(problem.a, problem.b),
    "smaller operand": lambda problem: min(problem.a, problem.b),
    "answer": lambda problem: problem.answer,
}
"""What is asked of a problem without any fitting."""


def _rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    return spearman([x for x, _ in pairs], [y for _, y in pairs])


def _trials(path: Path, rows: "csv.DictReader[str]", columns: Sequence[str]) -> Iterator[_Trial]:
    success, time, given = (_first(columns, names) for names in (_SUCCESS, _TIME, _GIVEN))
    expression = _first(columns, _EXPRESSION)
    if success is None and time is None:
        raise RealityError(f"{path}: no column {', '.join((*_SUCCESS, *_TIME))}")
    if expression is None and not {"a", "op", "b"} <= set(columns):
        raise RealityError(f"{path}: neither a column {', '.join(_EXPRESSION)} nor a, op and b")
    for row in rows:
        text = row[expression] if expression else f"{row['a']}{row['op']}{row['b']}"
        numbers = [_number(row[name]) if name else None for name in (success, time, given)]
        if (success and numbers[0] is None) or (time and numbers[1] is None):
            continue
        try:
            problem = make_problem(*parse_expression(text))
        except ProblemError as error:
            raise RealityError(f"{path}:{rows.line_num}: {error}") from None
        answer = numbers[2]
        yield _Trial(problem, numbers[0], numbers[1], int(answer) if answer is not None else None)


def _item(trials: Sequence[_Trial]) -> Item:
    """The time of an item is the median of its right answers, where the file tells which are right."""
    successes = [trial.success for trial in trials if trial.success is not None]
    times = [trial.time for trial in trials if trial.time is not None and (trial.success is None or trial.success > 0)]
    return Item(
        trials[0].problem, fmean(successes) if successes else None, median(times) if times else None, len(trials)
    )


def _first(columns: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in columns), None)


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if found >= 0 else None
