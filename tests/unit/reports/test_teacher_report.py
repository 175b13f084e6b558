from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from maththera.reports.records import Span
from maththera.reports.teacher_report import Person, TeacherReport, teacher_report
from maththera.store.answer_history import Answer
from maththera.store.lesson_sessions import ChapterSession
from tests.unit.reports.conftest import CARRY, SPAN, Recorded, answer, carrying, firm


@pytest.fixture
def report(recorded: Recorded) -> "Report":
    return Report(recorded)


class Report:
    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded

    def __call__(self, answers: Sequence[Answer], span: Span = SPAN) -> TeacherReport:
        return teacher_report(self._recorded(answers, span=span), [], Person())


def words(found: TeacherReport) -> dict[str, str]:
    """Skill id → the title of its group."""
    return {skill["skill_id"]: group.title for group in found.skills for skill in group.skills}


def test_a_cause_is_told_only_when_it_is_sure_with_what_the_child_did(report: Report) -> None:
    for confidence in ("medium", "low"):
        found = report(carrying(cause_tag=CARRY, confidence=confidence))
        assert found.causes == []
        assert [error.count for error in found.errors] == [3]
        assert "올린 수를 잊음" not in str(found)
    found = report(carrying(cause_tag=CARRY, confidence="high"))
    (cause,) = found.causes
    assert (cause.name, cause.count, cause.trainings[0]) == ("올린 수를 잊음", 3, "올린 수 적기")
    example = cause.examples[0]
    assert (example.expression, example.given, example.right) == ("58+26", 74, 84)
    assert example.how == "받아올린 수를 더하지 않는다"
    assert found.errors == []
    assert "확인된 오답의 원인: ‘올린 수를 잊음’." in found.summary


def test_a_cause_of_before_is_named_as_such_until_it_is_seen_again(report: Report) -> None:
    before = carrying(cause_tag=CARRY, confidence="high")
    later = Span(date(2026, 4, 1), date(2026, 4, 30))
    quiet = report([*before, answer("20+15", 36, day=35)], later)
    assert (quiet.causes, quiet.earlier_causes) == ([], ["올린 수를 잊음"])
    assert "이 기간에 확인된 오답의 원인은 없어요. 한두 번의 실수는 원인으로 적지 않아요." in quiet.summary
    again = report([*before, answer("58+26", 74, day=35)], later)
    assert ([one.name for one in again.causes], again.earlier_causes) == (["올린 수를 잊음"], [])


def test_a_skill_stands_with_its_tries_interval_and_day(report: Report) -> None:
    found = report(carrying())
    (group,) = [one for one in found.skills if one.title == "연습하는 것"]
    (carry,) = [one for one in group.skills if one["skill_id"] == "C8.carry_ones"]
    assert (carry["tries"], carry["right"], carry["days"], carry["last_day"]) == (3, 0, 1, "2026-03-03")
    assert 0 < carry["low"] < carry["chance"] < carry["high"] < 1
    untested = {skill["name"] for group in found.untested for skill in group.skills}
    assert "(두 자리)×(두 자리), 올림 있음" in untested
    assert carry["name"] not in untested


def test_nothing_is_called_able_that_was_not_shown(report: Report) -> None:
    one_day = [replace(one, session_id="session0") for one in firm(1)]
    assert "할 수 있는 것" not in words(report(one_day)).values(), "nothing was shown on two days"
    assert words(report(firm()))["C7.nine"] == "할 수 있는 것"
    assert "새로 할 수 있게 된 것: " in " ".join(report(firm()).summary)


def test_a_past_period_shows_what_was_known_at_its_end(report: Report) -> None:
    """The same whatever came later, and the past months too."""
    later = [answer("28+15", 33, day=40 + number, number=number) for number in range(6)]
    assert report([*firm(), *later]) == report(firm())
    both = report([*firm(), *later], Span(date(2026, 3, 2), date(2026, 4, 30)))
    assert [one.label for one in both.growth] == ["3월 31일", "4월 30일"]
    assert both.growth[0].counts == report(firm()).growth[-1].counts


def test_knowledge_fades_until_the_end_of_the_period(report: Report) -> None:
    soon = report(firm(), Span(date(2026, 3, 2), date(2026, 3, 10)))
    late = report(firm(), Span(date(2026, 3, 2), date(2027, 3, 2)))
    chance = [
        next(skill["chance"] for group in one.skills for skill in group.skills if skill["skill_id"] == "C7.nine")
        for one in (soon, late)
    ]
    assert chance[0] > chance[1]


def test_a_training_is_told_with_what_changed_after_it(report: Report) -> None:
    training = replace(
        answer("28+15", None, number=20, kind="training", training_id="T21"), problem_id=None, pattern=None
    )
    after = [answer(one, right, day=day) for day, (one, right) in enumerate([("36+27", 63), ("19+44", 63)], start=5)]
    found = report([*carrying()[:4], training, *after])
    (effect,) = found.trainings
    assert (effect.times, effect.first_day, effect.skill) == (
        1,
        "2026-03-03",
        "(두 자리)+(두 자리), 일의 자리에서 받아올림",
    )
    assert (effect.before, effect.after) == ((0, 3), (2, 2))


def test_lessons_count(recorded: Recorded) -> None:
    at = SPAN.since + timedelta(days=4)
    moment = answer("1+1", 2).created_at.replace(month=at.month, day=at.day)
    chapters = [ChapterSession("arithmetic", 8, moment, False), ChapterSession("arithmetic", 8, moment, True)]
    found = teacher_report(recorded([], chapters=chapters), [], Person())
    (line,) = found.chapters
    assert (line.title, line.sessions, line.passed) == ("두 자리 수의 덧셈", 2, 1)
    assert (found.days, found.is_empty) == (1, False)
    assert "수업은 2번 했어요." in found.summary


def test_where_no_goal_was_set_some_are_suggested_with_a_baseline(report: Report, recorded: Recorded) -> None:
    found = report(carrying())
    assert len(found.suggested) >= 1
    assert found.suggested[0].startswith("2026년 4월 28일까지 ‘")
    assert "지금은" in found.suggested[0]
    assert report([]).suggested == [], "nothing is known"


def test_every_problem_is_in_the_appendix(report: Report) -> None:
    found = report(carrying())
    items = [item for day in found.items for item in day.items]
    assert (len(items), sum(item.given == item.right for item in items)) == (12, 8)
    assert (sum(one.right for one in found.sessions), found.counts["right"]) == (8, 8)
    again = report([*carrying(), answer("28+15", 43, number=30)])
    assert [item.expression for day in again.items for item in day.items if not item.counted] == ["28+15", "9+9"]


def test_what_was_worked_through_together_is_neither_wrong_nor_silence(report: Report) -> None:
    """A step of an example is recorded with the whole problem and the number of the step; an end with the open task."""
    steps = [
        replace(answer("28+15", given, number=30 + number, kind="worked_example"), correct=None, pattern=None)
        for number, given in enumerate((13, None, 40, 43))
    ]
    stopped = replace(answer("28+15", None, number=40), pattern=None)
    found = report([*carrying(), *steps, stopped])
    assert (found.sessions, found.items) == (report(carrying()).sessions, report(carrying()).items)
    assert [(one.right, one.wrong, one.silent) for one in found.sessions] == [(1, 3, 0), (7, 0, 1)]
    together = report(steps)
    assert (together.sessions, together.items) == ([], [])


def test_a_child_without_answers(report: Report) -> None:
    found = report([])
    assert found.is_empty
    assert (found.counts["accuracy"], found.growth, found.sessions) == (None, [], [])
    assert found.summary[0].startswith("이 기간에는 공부한 기록이 없어요.")


def test_names_with_commas_stay_apart(report: Report) -> None:
    summary = " ".join(report(firm()).summary)
    assert "‘9와 한 자리 수의 덧셈, 받아올림 있음’, ‘" in summary
