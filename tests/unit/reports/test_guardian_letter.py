import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date

import pytest

from maththera.knowledge.explanations import explained
from maththera.knowledge.knowledge import Evidence
from maththera.reports.guardian_letter import GuardianLetter, guardian_letter
from maththera.reports.records import Span
from maththera.reports.teacher_report import Person
from maththera.store.answer_history import Answer
from tests.support.tutoring import rules
from tests.unit.reports.conftest import CARRY, Recorded, answer, carrying, firm


def told(letter: GuardianLetter) -> str:
    """All that is printed, without the texts of the template."""
    printed = {name: value for name, value in asdict(letter).items() if name not in ("student", "person")}
    for step in (printed["activity"] or {"steps": []})["steps"]:
        del step["picture"]  # names the drawing
    return json.dumps([*printed.values()], ensure_ascii=False)


def test_guardians_read_no_jargon_and_no_blame(recorded: Recorded) -> None:
    letter = guardian_letter(recorded(carrying(cause_tag=CARRY, confidence="high")), Person())
    for word in ("오류", "결함", "못하", "틀렸", "틀린", "원인", "%", "도움이 필요"):
        assert word not in told(letter)
    text = re.sub(r'"[a-z_]+":|true|false|null', "", told(letter))
    assert not re.search(r"[A-Za-z]", text), text


def test_only_what_was_shown_is_called_able(recorded: Recorded) -> None:
    assert guardian_letter(recorded(carrying()), Person()).able == []
    letter = guardian_letter(recorded(firm()), Person())
    assert {one.name for one in letter.able} == {"9에 더하기", "같은 수끼리 더해서 10 넘기", "10을 만들어 더하기"}
    assert all(one.new for one in letter.able)
    later = [answer("28+15", 43, day=20)]
    span = Span(date(2026, 3, 18), date(2026, 3, 31))
    known = recorded([*firm(), *later], span=span)
    assert not any(one.new for one in guardian_letter(known, Person()).able)


def placed(answers: Sequence[Answer], *skill_ids: str) -> list[Answer]:
    """These answers, and what the end of their session concluded of skills that it did not ask."""
    day = answers[-1].created_at.date().toordinal()
    concluded = [Evidence(one, True, day, chance=0.97).entry for one in skill_ids]
    return [*answers, replace(answers[-1], turn=99, problem_id=None, correct=None, pattern=None, evidence=concluded)]


def test_what_is_expected_rests_on_own_right_answers_the_easiest_first(recorded: Recorded) -> None:
    asked = [answer("30+20", 50, number=1), answer("9+4", 13, number=2), answer("9+5", 14, number=3)]
    guessed = ("C13.times_6_9", "C13.times_0", "C8.tens", "C7.nine", "C6.partners")
    records = recorded(placed(asked, *guessed))
    assert records.knowledge["C13.times_6_9"].word == "expected"
    letter = guardian_letter(records, Person())
    names = [records.sources.model.skills[one].child for one in ("C6.partners", "C7.nine", "C8.tens")]
    assert [one for one in letter.expected if one in names] == names, "as they are taught"
    assert not {"6단부터 9단까지", "0 곱하기"} & {*letter.expected}
    assert letter.expected_more == 0


def test_the_activity_is_a_problem_of_what_comes_next_step_by_step(recorded: Recorded) -> None:
    records = recorded(carrying())
    activity = guardian_letter(records, Person()).activity
    assert activity is not None
    named = activity.expression.split(", ")
    problems = {one.expression: one for one in rules().bank if one.expression in named and one.layout == "horizontal"}
    solved = [step.expression for one in named for step in explained(problems[one])]
    assert [step.expression for step in activity.steps] == solved
    assert not {"28+15", "47+36", "58+26"} & {*named}, "the child knows these"


def test_where_a_problem_is_one_step_the_five_minutes_have_three(recorded: Recorded) -> None:
    """From easy to hard, and none that the child knows."""
    records = recorded([answer("3+1", 5), answer("4+1", 6), answer("5+1", 7)])
    activity = guardian_letter(records, Person()).activity
    assert activity is not None
    expressions = activity.expression.split(", ")
    assert len(activity.steps) == len({*expressions}) == 3
    assert [step.expression.partition("=")[0] for step in activity.steps] == expressions
    assert not {"3+1", "4+1", "5+1"} & {*expressions}


def test_what_waits_in_a_session_is_not_told(recorded: Recorded) -> None:
    first = guardian_letter(recorded(carrying()), Person()).activity
    assert first is not None
    named = {*first.expression.split(", ")}
    waiting = [one.problem_id for one in rules().bank if one.expression in named]
    other = guardian_letter(recorded(carrying(), open_problems=waiting), Person()).activity
    assert other is not None
    assert not named & {*other.expression.split(", ")}


@pytest.mark.parametrize("days", [1, 3])
def test_the_greeting_says_what_was_done(recorded: Recorded, days: int) -> None:
    answers = [answer("28+15", 43, day=day) for day in range(days)]
    greeting = guardian_letter(recorded(answers), Person()).greeting
    assert greeting == f"아이가 이 기간에 {'하루 동안' if days == 1 else '3일 동안'} {days}문제를 풀었어요."


def test_a_child_without_records(recorded: Recorded) -> None:
    letter = guardian_letter(recorded([]), Person())
    assert letter.is_empty
    assert (letter.activity, letter.following) == (None, [])
    assert "기록이 없어요" in letter.greeting
