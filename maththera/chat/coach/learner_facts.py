"""The facts that the coach's answers are made of: counts, days, kinds of problems and answers of one child.

Every number that an answer gives about a child stands here, so that the same question has the same answer everywhere.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from statistics import median
from typing import Final, Literal, TypeAlias, get_args

from typing_extensions import TypedDict

from maththera.arithmetic.malrules import CATALOGUE, malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.korean.dates import KOREA
from maththera.store.answer_history import Answer

KindId: TypeAlias = Literal["add", "carry", "take", "borrow", "times", "share"]
"""Kinds of problems as a child knows them: adding without and with a carry, and so on."""
KINDS: Final[tuple[KindId, ...]] = get_args(KindId)
OPERATION_OF: Final[dict[KindId, str]] = {
    "add": "+", "carry": "+", "take": "-", "borrow": "-", "times": "x", "share": "/",
}  # fmt: skip
_OPERATIONS: Final = {
    "+": "덧셈|더하기",
    "-": "뺄셈|빼기",
    "x": "곱셈|곱하기|구구단|\\d단|몇\\s*단",
    "/": "나눗셈|나누기",
}
ENOUGH: Final = 3
"""Answers from which something is said of a kind."""
STRONG_SHARE, WEAK_SHARE = 0.8, 0.75
_TRIES: Final = 24
_EXAMPLES: Final = 3


class DayCounts(TypedDict):
    """`day`: ISO date in Korea. `kinds`: (answered, right) of each kind."""

    day: str
    answered: int
    right: int
    kinds: dict[str, tuple[int, int]]


class Try(TypedDict):
    """One answer. `seconds`: None where no time was measured."""

    expression: str
    kind: KindId
    given: int | None
    correct: bool
    seconds: int | None
    day: str


class Cause(TypedDict):
    """A wrong procedure (a malrule's name and title) and how many answers it explains."""

    name: str
    title: str
    count: int


class KindCounts(TypedDict):
    """`examples`: the newest wrong answers, of the commonest cause first."""

    kind: KindId
    answered: int
    right: int
    causes: list[Cause]
    examples: list[Try]


class Facts(TypedDict):
    """`kinds`: those with an answer. `tries`: the newest last. `seconds`: the median of the answers' times."""

    today: str
    answered: int
    right: int
    days: list[DayCounts]
    kinds: list[KindCounts]
    tries: list[Try]
    slowest: Try | None
    seconds: int | None


def operations_in(message: str) -> list[str]:
    """The operations that a message names."""
    return [op for op, words in _OPERATIONS.items() if re.search(words, message)]


def kinds_in(message: str) -> list[str]:
    """The kinds of problems that a message names, by their own words or their operation."""
    if re.search(r"(?:받아\s*|(?<![가-힣]))올림이?\s*없는", message):
        return ["add"]
    if re.search(r"(?:받아\s*|(?<![가-힣]))내림이?\s*없는", message):
        return ["take"]
    if re.search(r"(?:받아\s*|(?<![가-힣]))올림|올린|올리는", message):
        return ["carry", *(["borrow"] if re.search(r"받아\s*내림|빌려", message) else [])]
    if re.search(r"(?:받아\s*|(?<![가-힣]))내림|빌려", message):
        return ["borrow"]
    named = operations_in(message)
    return [kind for kind, op in OPERATION_OF.items() if op in named]


def kind_of(problem: Problem) -> KindId:
    """The kind of a problem."""
    if problem.op in "x/":
        return "times" if problem.op == "x" else "share"
    if problem.op == "+":
        return "carry" if problem.carries else "add"
    return "borrow" if problem.carries else "take"


def learner_facts(
    answers: Sequence[Answer],
    problem_of: Callable[[str | None], Problem | None],
    hidden: Sequence[Problem],
    today: date,
) -> Facts:
    """`hidden`: open tasks, whose tries are left out of the lists."""
    judged = [one for one in answers if one.correct is not None]
    tries = [made for one in judged if (made := _try(one, problem_of(one.problem_id), hidden)) is not None]
    timed = [one for one in tries if one["seconds"] is not None]
    days: dict[str, DayCounts] = {}
    for one in judged:
        day = _day(one)
        counts = days.setdefault(day, {"day": day, "answered": 0, "right": 0, "kinds": {}})
        counts["answered"] += 1
        counts["right"] += bool(one.correct)
        if (problem := problem_of(one.problem_id)) is not None:
            answered, right = counts["kinds"].get(kind_of(problem), (0, 0))
            counts["kinds"][kind_of(problem)] = answered + 1, right + bool(one.correct)
    return {
        "today": today.isoformat(),
        "answered": len(judged),
        "right": sum(bool(one.correct) for one in judged),
        "days": [*days.values()],
        "kinds": _kinds(judged, tries, problem_of),
        "tries": tries[-_TRIES:],
        "slowest": max(timed, key=lambda one: one["seconds"] or 0, default=None),
        "seconds": round(median(one["seconds"] or 0 for one in timed)) if timed else None,
    }


def _kinds(
    judged: Sequence[Answer], tries: Sequence[Try], problem_of: Callable[[str | None], Problem | None]
) -> list[KindCounts]:
    found = [(one, problem) for one in judged if (problem := problem_of(one.problem_id)) is not None]
    kinds: list[KindCounts] = []
    for kind in KINDS:
        own = [(one, problem) for one, problem in found if kind_of(problem) == kind]
        if not own:
            continue
        rules = Counter(
            rule.name
            for one, problem in own
            if not one.correct and one.given is not None
            for rule in malrules_giving(problem, one.given, one.learned)[:1]
        )
        causes: list[Cause] = [
            {"name": name, "title": CATALOGUE[name].title, "count": count} for name, count in rules.most_common(3)
        ]
        kinds.append(
            {
                "kind": kind,
                "answered": len(own),
                "right": sum(bool(one.correct) for one, _ in own),
                "causes": causes,
                "examples": _examples(
                    [one for one in tries if one["kind"] == kind and not one["correct"]], own, causes
                ),
            }
        )
    return kinds


def _examples(wrong: Sequence[Try], own: Sequence[tuple[Answer, Problem]], causes: Sequence[Cause]) -> list[Try]:
    shown = {one["expression"]: one for one in wrong if one["given"] is not None}
    problems = {problem.expression: problem for _, problem in own}
    learned = dict.fromkeys(name for one, _ in own for name in one.learned)
    main = causes[0]["name"] if causes else ""

    def of_main_cause(one: Try) -> bool:
        rules = malrules_giving(problems[one["expression"]], one["given"] or 0, learned)
        return any(rule.name == main for rule in rules[:1])

    newest = [*reversed(shown.values())]
    return sorted(newest, key=lambda one: not of_main_cause(one))[:_EXAMPLES]


def _try(answer: Answer, problem: Problem | None, hidden: Sequence[Problem]) -> Try | None:
    if problem is None or any(problem.key == one.key for one in hidden):
        return None
    return {
        "expression": problem.expression,
        "kind": kind_of(problem),
        "given": answer.given,
        "correct": bool(answer.correct),
        "seconds": None if answer.rt_ms is None else max(1, round(answer.rt_ms / 1000)),
        "day": _day(answer),
    }


def _day(answer: Answer) -> str:
    return answer.created_at.astimezone(KOREA).date().isoformat()


def strong_kinds(facts: Facts) -> list[KindCounts]:
    """The kinds that go well, the best first."""
    good = [one for one in facts["kinds"] if one["answered"] >= ENOUGH and _share(one) >= STRONG_SHARE]
    return sorted(good, key=lambda one: (-_share(one), -one["answered"]))


def weak_kinds(facts: Facts) -> list[KindCounts]:
    """The kinds with wrong answers that are worth practising, those with the most wrong answers first."""
    weak = [one for one in facts["kinds"] if one["answered"] >= ENOUGH and _share(one) < WEAK_SHARE]
    return sorted(weak, key=lambda one: one["right"] - one["answered"])


def _share(one: KindCounts) -> float:
    return one["right"] / one["answered"]


def days_within(facts: Facts, length: int) -> list[DayCounts]:
    """The days with answers among the last `length` days, today included."""
    since = date.fromisoformat(facts["today"]) - timedelta(days=length - 1)
    return [one for one in facts["days"] if date.fromisoformat(one["day"]) >= since]
