"""Whatever conditions a question about records combines, the answer heeds and names every one of them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import cycle, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maththera.arithmetic.problem import make_problem
from maththera.chat.records.figure_texts import FigureTexts
from maththera.chat.records.record_answers import RecordAnswerer
from maththera.chat.records.record_figures import RecordedAnswer
from maththera.chat.records.record_question import RecordQuestion
from maththera.chat.records.record_reader import Reader
from maththera.chat.records.record_words import RecordWords
from maththera.learner_model.cause_texts import load_cause_texts
from maththera.settings import home

TODAY = date(2026, 11, 23)  # a Monday
NAMES = {"가람": "p1", "나래": "p2"}
WORDS = RecordWords.load(home())
ANSWERER = RecordAnswerer(
    FigureTexts(WORDS, {child: name for name, child in NAMES.items()}, load_cause_texts(home() / "configs")),
    for_guardian=False,
)


@dataclass(frozen=True)
class Condition:
    """How it is said, what the answer must name, and which answers it means."""

    said: str
    named: str
    holds: Callable[[RecordedAnswer], bool]


def _digits(each: RecordedAnswer) -> int:
    assert each.problem is not None
    return len(str(max(each.problem.a, each.problem.b)))


def _op(sign: str) -> Callable[[RecordedAnswer], bool]:
    return lambda each: each.problem is not None and each.problem.op == sign


def _carries(each: RecordedAnswer) -> bool:
    return each.problem is not None and bool(each.problem.carries)


KINDS: dict[str, list[Condition]] = {
    "when": [
        Condition("지난주에", "지난주", lambda each: date(2026, 11, 16) <= each.at.date() <= date(2026, 11, 22)),
        Condition("어제", "어제", lambda each: each.at.date() == date(2026, 11, 22)),
        Condition("이번 달에", "이번 달", lambda each: each.at.month == 11),
        Condition("11월 17일에", "11월 17일", lambda each: each.at.date() == date(2026, 11, 17)),
        Condition("최근 5일 동안", "최근 5일", lambda each: each.at.date() >= date(2026, 11, 19)),
    ],
    "weekday": [
        Condition("화요일에", "화요일", lambda each: each.at.weekday() == 1),
        Condition("금요일에", "금요일", lambda each: each.at.weekday() == 4),
    ],
    "hours": [
        Condition("오전에", "오전", lambda each: each.at.hour < 12),
        Condition("저녁에", "저녁", lambda each: 17 <= each.at.hour < 22),
        Condition("오후 3시 이후에", "15시 이후", lambda each: each.at.hour >= 15),
    ],
    "seconds": [
        Condition("8초 안에 푼", "8초 안", lambda each: each.seconds is not None and each.seconds <= 8),
        Condition("열 초 넘게 걸린", "10초 넘게", lambda each: each.seconds is not None and each.seconds >= 10),
    ],
    "digits": [
        Condition("두 자리 수", "두 자리", lambda each: _digits(each) == 2),
        Condition("한 자리 수", "한 자리", lambda each: _digits(each) == 1),
    ],
    "operation": [
        Condition("덧셈", "덧셈", _op("+")),
        Condition("뺄셈", "뺄셈", _op("-")),
        Condition("곱셈", "곱셈", _op("x")),
        Condition("받아올림 없는 덧셈", "받아올림 없음", lambda each: _op("+")(each) and not _carries(each)),
        Condition("받아내림 있는 뺄셈", "받아내림 있음", lambda each: _op("-")(each) and _carries(each)),
    ],
}
ASKED = {
    "정답률": r"(\d+)문제를 풀어 정답률은",
    "몇 문제 틀렸어?": r"(\d+)문제(?: 가운데|를 풀어)",
    "몇 문제 풀었어?": r"(\d+)문제를 풀었어요",
    "평균 풀이 시간": r"\((\d+)문제\)|걸린 시간이",
}


def _records() -> list[RecordedAnswer]:
    sums = [
        (47, "+", 36),
        (8, "+", 6),
        (52, "-", 38),
        (58, "-", 23),
        (6, "x", 7),
        (23, "+", 14),
        (9, "-", 4),
        (9, "+", 2),
    ]
    start = datetime(2026, 10, 20, 6, tzinfo=UTC)
    found = []
    for number, (a, op, b) in enumerate(islice(cycle(sums), 400)):
        problem = make_problem(a, op, b)
        given_answer = problem.answer + (number % 3 == 0)
        at = start + timedelta(hours=2 * number + number % 2)
        child = "p1" if number % 5 else "p2"
        found.append(
            RecordedAnswer(child, at, problem, problem.c_level, given_answer, number % 3 != 0, 4.0 + number % 9, None)
        )
    return [each for each in found if each.at.date() <= TODAY]


RECORDS = _records()


@st.composite
def conditions(draw: st.DrawFn) -> list[Condition]:
    kinds = draw(st.lists(st.sampled_from([*KINDS]), unique=True, max_size=5))
    return [draw(st.sampled_from(KINDS[kind])) for kind in KINDS if kind in kinds]


def _read(message: str, before: RecordQuestion | None = None) -> RecordQuestion:
    found = Reader(WORDS, NAMES, TODAY).read(message, before)
    assert found is not None, message
    return found.question


def _counted(question: RecordQuestion, pattern: str) -> tuple[str, int]:
    told = ANSWERER.answer(question, RECORDS, "beginner")
    match = re.search(pattern, told)
    return told, int(match[1]) if match and match[1] else 0


@settings(max_examples=150, deadline=None)
@given(conditions(), st.sampled_from([*ASKED]), st.sampled_from([*NAMES]))
def test_every_condition_is_heeded_and_named(wanted: list[Condition], asked: str, name: str) -> None:
    question = _read(f"{name} {' '.join(each.said for each in wanted)} 문제 {asked}")
    told, number = _counted(question, ASKED[asked])
    meant = [each for each in RECORDS if each.child == NAMES[name] and all(one.holds(each) for one in wanted)]
    assert number == len(meant), told
    assert not question.notes
    assert all(each.named in told for each in wanted if meant), told


@settings(max_examples=100, deadline=None)
@given(conditions(), st.sampled_from([*KINDS]), st.data())
def test_a_follow_up_changes_what_it_names_and_keeps_the_rest(
    wanted: list[Condition], kind: str, data: st.DataObject
) -> None:
    other = data.draw(st.sampled_from([each for each in KINDS[kind] if each.said.split()[0] not in _CARRIES]))
    question = _read(f"가람이 {' '.join(each.said for each in wanted)} 문제 몇 문제 풀었어?")
    changed = _read(f"그럼 {other.said} 푼 건?", question)
    kept = [each for each in wanted if each not in KINDS[kind]]
    told, number = _counted(changed, ASKED["몇 문제 풀었어?"])
    meant = [each for each in RECORDS if each.child == "p1" and all(one.holds(each) for one in [*kept, other])]
    assert number == len(meant), told


_CARRIES = ("받아올림", "받아내림")


@settings(max_examples=60, deadline=None)
@given(conditions())
def test_another_learner_is_asked_about_with_the_same_conditions(wanted: list[Condition]) -> None:
    before = _read(f"가람이 {' '.join(each.said for each in wanted)} 문제 몇 문제 풀었어?")
    told, number = _counted(_read("그럼 나래는?", before), ASKED["몇 문제 풀었어?"])
    meant = [each for each in RECORDS if each.child == "p2" and all(one.holds(each) for one in wanted)]
    assert number == len(meant), told


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("힌트 본 문제", "힌트"),
        ("태블릿으로 푼 문제", "어디에서"),
        ("문장제", "문장제"),
        ("분수 문제", "분수"),
        ("어려운 문제", "난이도"),
        ("여름 방학에 푼 문제", "방학"),
        ("급식실에서 푼 문제", "급식"),
        ("빨간색 문제", "빨간색"),
    ],
)
@pytest.mark.parametrize("asked", ["정답률 알려줘", "몇 개 틀렸어?", "요일별 정답률"])
def test_what_cannot_be_heeded_is_said(said: str, named: str, asked: str) -> None:
    assert named in ANSWERER.answer(_read(f"가람이 {said} {asked}"), RECORDS, "beginner")
