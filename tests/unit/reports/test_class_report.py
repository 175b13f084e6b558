from collections.abc import Mapping, Sequence
from datetime import date

import pytest

from maththera.knowledge.explanations import explained
from maththera.learner_model.goals import GoalFigures, Goals
from maththera.reports.class_report import Classmate, ClassReport, Need, class_report, classmate
from maththera.reports.records import Sources, Span
from maththera.store.answer_history import Answer, AnswerHistory
from maththera.store.database import Database
from maththera.store.goals import GoalRecords
from maththera.store.review_queue import OpenCounts
from tests.support.tutoring import rules
from tests.unit.learner_model.test_goals import GOAL
from tests.unit.reports.conftest import CARRY, SPAN, Recorded, answer, carrying, firm


@pytest.fixture
def report(recorded: Recorded, sources: Sources) -> "Report":
    return Report(recorded, sources)


class Report:
    def __init__(self, recorded: Recorded, sources: Sources) -> None:
        self._recorded, self._sources = recorded, sources

    def __call__(
        self,
        pupils: Mapping[str, Sequence[Answer]],
        span: Span = SPAN,
        names: Mapping[str, str] | None = None,
        waiting: Mapping[str, OpenCounts] | None = None,
    ) -> ClassReport:
        classmates = [
            classmate(self._recorded(answers, name, span=span), (), (waiting or {}).get(name, OpenCounts()))
            for name, answers in pupils.items()
        ]
        return class_report(span, self._sources, classmates, names or {})


def says(student: Classmate) -> list[str]:
    return [one.says for one in student.needs]


def test_a_class_shows_who_needs_what_and_who_can_work_together(report: Report) -> None:
    told = carrying(cause_tag=CARRY, confidence="high")
    found = report({"가": told, "나": told, "다": []}, Span(SPAN.since, date(2026, 3, 6)))
    first, _, third = found.students
    assert first.needs[0].says == "‘올린 수를 잊음’이 보인 답이 3개예요."
    assert third.needs == [Need("not_started", "아직 시작하지 않았어요.")]
    assert found.answered == 22
    group = found.groups[0]
    assert [one.student for one in group.members] == ["가", "나"]
    problem = next(one for one in rules().bank if one.expression == group.example)
    assert group.steps == [step.expression for step in explained(problem)]
    assert "3명 가운데 2명이 공부했어요." in found.summary


def test_every_skill_stands_somewhere(report: Report, sources: Sources) -> None:
    found = report({"가": carrying(), "나": []})
    for student in found.students:
        assert sum(student.standing) == len(sources.model.skills.skills)


def test_who_has_been_away_is_named(report: Report) -> None:
    found = report({"가": carrying()}, Span(date(2026, 3, 2), date(2026, 3, 20)))
    assert "15일 동안 공부하지 않았어요." in says(found.students[0])


def test_answers_of_other_days_count_only_for_what_is_known(report: Report) -> None:
    (student,) = report(
        {"가": carrying(cause_tag=CARRY, confidence="high")}, Span(date(2026, 4, 1), date(2026, 4, 30))
    ).students
    assert (student.counts["answered"], student.days) == (0, 0)
    assert not any("잊음" in need for need in says(student))
    assert student.last_day == "2026-03-05"


def test_one_hard_skill_is_told_with_its_tries(report: Report) -> None:
    missed = [answer(one, 10) for one in ("52-38", "61-27", "84-59", "73-46")]
    (student,) = report({"가": missed}, Span(SPAN.since, date(2026, 3, 4))).students
    assert "‘(두 자리)−(두 자리), 받아내림 있음’: 4번 물어봤고 아직 못 맞혔어요." in says(student)


def test_who_misses_most_of_many_things_is_named(report: Report) -> None:
    missed = [answer(one, 1) for one in ("5+3", "9-4", "8+7", "52-38")]
    (student,) = report({"가": missed}, Span(SPAN.since, date(2026, 3, 4))).students
    assert says(student) == ["4문제 가운데 맞힌 것이 없어요."]


def test_children_are_called_by_their_names(report: Report) -> None:
    found = report({"s1": [], "s2": [], "s3": []}, names={"s1": "하늘", "s2": "하늘"})
    assert [one.student for one in found.students] == ["하늘 s1", "하늘 s2", "s3"]


def test_a_goal_whose_day_is_near_is_named(recorded: Recorded, sources: Sources, sqlite_url: str) -> None:
    database = Database(sqlite_url)  # which is never read here
    goals = Goals(GoalRecords(database), AnswerHistory(database), sources.model, sources.bank)
    near: list[GoalFigures] = [{**one, "status": "open"} for one in goals.figures([GOAL], carrying(), SPAN.until)]
    for until, named in ((date(2026, 3, 14), True), (date(2026, 3, 8), False)):
        span = Span(SPAN.since, until)
        found = classmate(recorded(carrying(), span=span), near, OpenCounts())
        text = "‘(두 자리)+(두 자리), 일의 자리에서 받아올림’ 목표의 날이 2026년 3월 20일이에요."
        assert (text in says(found)) == named


def test_at_most_five_children_are_for_today_the_most_urgent_first(report: Report) -> None:
    missed = [answer(one, 10) for one in ("52-38", "61-27", "84-59", "73-46")]
    pupils = {**{f"새{n}": [] for n in range(4)}, "원인": carrying(cause_tag=CARRY, confidence="high"), "뺄셈": missed}
    found = report(
        {**pupils, "끝": []}, Span(SPAN.since, date(2026, 3, 6)), waiting={"끝": OpenCounts(hard_sessions=1)}
    )
    assert found.today == ["끝", "원인", "뺄셈", "새0", "새1"]
    assert found.summary[-1] == "오늘 함께 볼 아이는 5명이에요. 그 밖에 2명은 다음에 봐도 돼요."
    assert report(pupils, Span(SPAN.since, date(2026, 3, 6))).today[:2] == ["원인", "뺄셈"]


def test_a_class_without_work(report: Report) -> None:
    found = report({"가": [], "나": []})
    assert found.is_empty
    assert found.summary == ["이 기간에는 아무도 공부하지 않았어요."]
    assert found.groups == []


def test_what_waits_in_the_review_queue_is_a_reason(report: Report) -> None:
    waiting = {"가": OpenCounts(alerts=1, reviews=9, hard_sessions=1, others=2)}
    first, second = report({"가": [], "나": []}, waiting=waiting).students
    assert [one.code for one in first.needs] == ["not_started", "hard_session", "review_open"]
    assert "살펴볼 것이 2가지 있어요." in says(first)
    assert [one.code for one in second.needs] == ["not_started"]


def test_silence_is_a_reason(report: Report) -> None:
    silent = [answer("5+3", None, number=number) for number in range(3)]
    (student,) = report({"가": silent}, Span(SPAN.since, date(2026, 3, 4))).students
    assert says(student) == ["대답 없이 지나간 문제가 3개예요."]


def test_a_child_stands_somewhere_in_each_operation_that_was_begun(report: Report) -> None:
    (student,) = report({"가": carrying(cause_tag=CARRY, confidence="high")}).students
    assert [*student.units] == ["+"]
    assert student.causes == ["올린 수를 잊음"]
    assert report({"나": []}).students[0].units == {}


def test_what_was_learnt_in_the_period_is_counted(report: Report) -> None:
    (student,) = report({"가": firm()}).students
    (later,) = report({"가": firm()}, Span(date(2026, 4, 1), date(2026, 4, 2))).students
    assert student.moved == student.standing[0] > 0
    assert later.moved == 0
