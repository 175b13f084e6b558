"""Figures of recorded answers by learner, day, cause and the like; pure functions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from statistics import fmean, median
from typing import Final

from maththera.arithmetic.curriculum import UNITS
from maththera.arithmetic.malrules import Malrule, malrules_giving
from maththera.arithmetic.problem import SIGNS, Problem, ProblemError, parse_expression
from maththera.chat.records.record_question import Group, Hours, Measure, RecordQuestion, Restriction, Span
from maththera.korean.dates import Period

OPERATIONS: Final[Mapping[str, str]] = {"+": "덧셈", "-": "뺄셈", "x": "곱셈", "/": "나눗셈"}
WEEKDAYS: Final = "월화수목금토일"
_NOON: Final = 12
UNIT_NAMES: Final = {unit.c: unit.title for unit in UNITS}


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """`at`: Korean time. `cause`: the tag of the cause; None for a right answer, and for a wrong one whose cause is not
    told. `learned`: the learned procedures that its session knew, by name."""

    child: str
    at: datetime
    problem: Problem | None
    unit: int | None
    given: int | None
    correct: bool
    seconds: float | None
    cause: str | None
    learned: tuple[str, ...] = ()

    @property
    def expression(self) -> str:
        return self.problem.expression if self.problem else ""


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of a group. `seconds`: mean time, `median`: median time, `minutes`: total time; None if no time was
    measured. `streak`: the longest run of right answers."""

    key: str
    answered: int
    right: int
    seconds: float | None
    days: int
    minutes: float | None = None
    median: float | None = None
    streak: int = 0

    @property
    def wrong(self) -> int:
        return self.answered - self.right

    @property
    def percent(self) -> float | None:
        return round(100 * self.right / self.answered, 1) if self.answered else None

    def value(self, measure: Measure) -> float | None:
        """The value of a measure; None if there is nothing to calculate it from."""
        if measure == "percent":
            return self.percent
        if measure == "wrong_percent":
            return None if self.percent is None else round(100 - self.percent, 1)
        if measure == "seconds":
            return self.seconds
        if measure == "minutes":
            return self.minutes
        if measure == "median":
            return self.median
        return {"answered": self.answered, "right": self.right, "wrong": self.wrong, "streak": self.streak}[measure]


def row_of(key: str, answers: Sequence[RecordedAnswer]) -> Row:
    times = [each.seconds for each in answers if each.seconds is not None]
    return Row(
        key,
        len(answers),
        sum(each.correct for each in answers),
        round(fmean(times), 1) if times else None,
        len({each.at.date() for each in answers}),
        round(sum(times) / 60, 1) if times else None,
        round(median(times), 1) if times else None,
        _streak(answers),
    )


def _streak(answers: Sequence[RecordedAnswer]) -> int:
    longest = running = 0
    for each in sorted(answers, key=lambda each: each.at):
        running = running + 1 if each.correct else 0
        longest = max(longest, running)
    return longest


def restricted(answers: Iterable[RecordedAnswer], only: Restriction, *, correct: bool = True) -> list[RecordedAnswer]:
    """The answers that meet the conditions. `correct`: False ignores the condition on right and wrong, since rates need
    both."""
    found = [each for each in answers if _counts(each, only)]
    if only.fastest is not None:
        timed = [each for each in found if each.seconds is not None]
        found = sorted(timed, key=lambda each: each.seconds or 0.0)[: only.fastest]
    if correct and only.correct is not None:
        found = [each for each in found if each.correct is only.correct]
    return found


def _counts(answer: RecordedAnswer, only: Restriction) -> bool:
    problem = answer.problem
    if only.operations and (problem is None or problem.op not in only.operations):
        return False
    if only.tables and (problem is None or problem.op != "x" or not {problem.a, problem.b}.intersection(only.tables)):
        return False
    if only.carries is not None and (problem is None or bool(problem.carries) is not only.carries):
        return False
    if only.expression and (problem is None or not _is_same(problem, only.expression)):
        return False
    if only.digits is not None and (problem is None or len(str(max(problem.a, problem.b))) != only.digits):
        return False
    if only.wrong_place is not None and not _is_wrong_at(answer, only.wrong_place):
        return False
    return (
        (not only.units or answer.unit in only.units)
        and (not only.causes or not only.causes.isdisjoint(_tags(answer)))
        and (only.given is None or answer.given == only.given)
        and (only.seconds is None or _is_timed(answer, *only.seconds))
        and (not only.weekdays or answer.at.weekday() in only.weekdays)
        and (not only.hours or any(each.first <= answer.at.hour < each.end for each in only.hours))
    )


def _is_timed(answer: RecordedAnswer, least: float, most: float | None) -> bool:
    return answer.seconds is not None and least <= answer.seconds and (most is None or answer.seconds <= most)


def _is_wrong_at(answer: RecordedAnswer, place: int) -> bool:
    """Whether the digit at a place differs from that of the right answer."""
    if answer.problem is None or answer.given is None or answer.correct:
        return False
    unit = int(10**place)
    return abs(answer.given) // unit % 10 != answer.problem.answer // unit % 10


def _is_same(problem: Problem, expression: tuple[int, str, int]) -> bool:
    a, op, b = expression
    return problem.op == op and (problem.a, problem.b) in ({(a, b), (b, a)} if op in "+x" else {(a, b)})


def _tags(answer: RecordedAnswer) -> set[str]:
    """The recorded cause, or else those of the wrong procedures that give this answer."""
    if answer.correct:
        return set()
    if answer.cause is not None:
        return {answer.cause}
    return {cause.tag for rule in procedures(answer.problem, answer.given, answer.learned) for cause in rule.causes}


@lru_cache(maxsize=4096)
def procedures(problem: Problem | None, given: int | None, learned: tuple[str, ...] = ()) -> tuple[Malrule, ...]:
    """The wrong procedures that give this answer. `learned`: learned procedures to try as well."""
    return () if problem is None or given is None else malrules_giving(problem, given, learned)


def within(answers: Iterable[RecordedAnswer], spans: Sequence[Span]) -> list[RecordedAnswer]:
    """The answers in these periods; all if there are none."""
    return [
        each for each in answers
        if not spans or any(one.period.start <= each.at.date() <= one.period.end for one in spans)
    ]  # fmt: skip


def grouped(
    answers: Sequence[RecordedAnswer], question: RecordQuestion, children: Sequence[str], untold: str
) -> list[Row]:
    """A row for each group; groups that were named have one even without answers."""
    if question.by is None:
        return [row_of("", answers)]
    if question.by == "period":
        return [row_of(each.said, within(answers, [each])) for each in question.spans]
    if question.by == "cause":
        answers = [each for each in answers if not each.correct]
    key = _named_hours(question.only.hours) if question.by == "half_day" and question.only.hours else _KEYS[question.by]
    groups: dict[str, list[RecordedAnswer]] = {name: [] for name in _named_groups(question, children)}
    for each in answers:
        groups.setdefault(key(each) or untold, []).append(each)
    return [row_of(name, own) for name, own in groups.items()]


def _named_groups(question: RecordQuestion, children: Sequence[str]) -> list[str]:
    match question.by:
        case "child":
            return list(children)
        case "weekday":
            return [f"{WEEKDAYS[day]}요일" for day in sorted(question.only.weekdays)]
        case "half_day":
            return [each.said for each in question.only.hours] or ["오전", "오후"]
        case "carry":
            return list(_carry_names(question.only.operations))
        case "operation":
            return [OPERATIONS[op] for op in question.only.operations]
        case _:
            return []


def _carry_names(operations: Sequence[str]) -> tuple[str, str]:
    what = "받아내림" if operations == ("-",) else "받아올림"
    return f"{what} 있음", f"{what} 없음"


def _carry(answer: RecordedAnswer) -> str | None:
    if answer.problem is None:
        return None
    names = _carry_names((answer.problem.op,))
    return names[0] if answer.problem.carries else names[1]


def _named_hours(hours: Sequence[Hours]) -> Callable[[RecordedAnswer], str | None]:
    """The first of these spans of hours that contains the answer."""
    return lambda answer: next((each.said for each in hours if each.first <= answer.at.hour < each.end), None)


def _unit(answer: RecordedAnswer) -> str | None:
    return UNIT_NAMES.get(answer.unit) if answer.unit else None


_KEYS: Final[Mapping[Group, Callable[[RecordedAnswer], str | None]]] = {
    "child": lambda each: each.child,
    "day": lambda each: each.at.date().isoformat(),
    "weekday": lambda each: f"{WEEKDAYS[each.at.weekday()]}요일",
    "month": lambda each: f"{each.at.year}년 {each.at.month}월",
    "half_day": lambda each: "오전" if each.at.hour < _NOON else "오후",
    "unit": _unit,
    "operation": lambda each: OPERATIONS.get(each.problem.op) if each.problem else None,
    "carry": _carry,
    "cause": lambda each: each.cause,
    "problem": lambda each: each.expression or None,
}


def ordered(rows: Sequence[Row], question: RecordQuestion, measure: Measure) -> list[Row]:
    """The rows that meet the bound, in the order asked for; rows without a figure come last."""
    bound = question.bound
    kept = [row for row in rows if bound is None or _holds(row, question)]
    if question.order is None and question.by == "day":
        return sorted(kept, key=lambda row: row.key)
    if question.order is None and question.by not in ("cause", "problem"):
        return kept
    least = question.order == "least"
    told = [row for row in kept if row.value(measure) is not None]
    untold = [row for row in kept if row.value(measure) is None]
    return [*sorted(told, key=lambda row: (row.value(measure) or 0) * (1 if least else -1)), *untold]


def _holds(row: Row, question: RecordQuestion) -> bool:
    bound = question.bound
    if bound is None:
        return True
    value = row.value(bound.measure)
    return value is not None and bound.holds(value) and (row.answered > 0 or bound.measure == "answered")


def narrowed(question: RecordQuestion, by: Group | None, row: str | None) -> RecordQuestion:
    """The question limited to one row of a group."""
    if row is None or not row:
        return question
    only = question.only
    match by:
        case "child":
            return replace(question, children=(row,))
        case "cause":
            return replace(question, only=replace(only, causes=frozenset({row})))
        case "operation":
            return replace(question, only=replace(only, operations=(_op_of(row),)))
        case "unit":
            units = tuple(unit for unit, name in UNIT_NAMES.items() if name == row)
            return replace(question, only=replace(only, units=units))
        case "weekday":
            return replace(question, only=replace(only, weekdays=frozenset({WEEKDAYS.index(row[0])})))
        case "problem":
            return replace(question, only=replace(only, expression=_expression_of(row)))
        case "day":
            day = date.fromisoformat(row)
            return replace(question, spans=(Span(Period(day, day), f"{day.month}월 {day.day}일"),))
        case _:
            return question


def _expression_of(row: str) -> tuple[int, str, int] | None:
    """The expression of a problem; None for one with a missing part: 5+□=7."""
    try:
        return parse_expression(row)
    except ProblemError:
        return None


def _op_of(name: str) -> str:
    return next(op for op, called in OPERATIONS.items() if called == name)


def days_without(answers: Iterable[RecordedAnswer], span: Span) -> list[date]:
    """The days of a period without answers."""
    there = {each.at.date() for each in answers}
    length = (span.period.end - span.period.start).days + 1
    return [day for day in (span.period.start + timedelta(days=step) for step in range(length)) if day not in there]


def spoken_day(day: date) -> str:
    return f"{day.month}월 {day.day}일({WEEKDAYS[day.weekday()]})"


def wrong_answer(answer: RecordedAnswer) -> str:
    """47+36→73 (바른 답 83)"""
    if answer.problem is None:
        return "" if answer.given is None else str(answer.given)
    said = "무응답" if answer.given is None else str(answer.given)
    right = "" if answer.correct else f" (바른 답 {answer.problem.answer})"
    return f"{answer.problem.a}{SIGNS[answer.problem.op]}{answer.problem.b}→{said}{right}"
