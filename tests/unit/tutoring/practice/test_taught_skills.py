"""What a grade is not taught is not asked, and nothing is concluded on it."""

from collections.abc import Mapping
from typing import Any

import pytest

from maththera.arithmetic.problem import Problem
from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.practice.resting_skills import beyond_grade
from tests.support.sessions import SLOW, Session, begin


def known_to(rules: Rules, c: int, *, right: bool) -> Knowledge:
    """Everything up to a C is known: by right answers, or only thought to be there."""
    skills = [one for one in rules.knowledge.skills if one.strand != "N" and one.c_level <= c]
    chance = None if right else 0.95
    return Knowledge.start(rules.knowledge, 0).after(
        *(Evidence(one.skill_id, right=True, day=0, fast=right, chance=chance) for one in skills for _ in range(4))
    )


def beyond(rules: Rules, known: Knowledge, **start: Any) -> frozenset[str]:
    return beyond_grade(start, known, rules)


def test_times_and_sharing_are_beyond_the_first_grade(rules: Rules) -> None:
    found = beyond(rules, Knowledge.start(rules.knowledge, 0), grade=1)
    skills = rules.knowledge.skills
    assert {one.skill_id for one in skills if one.strand in ("x", "/")} <= found
    assert max(one.c_level for one in skills if one.strand in ("+", "-") and one.skill_id not in found) == 10


def test_tables_are_taught_in_the_second(rules: Rules) -> None:
    found = beyond(rules, Knowledge.start(rules.knowledge, 0), grade=2)
    assert "C13.times_2_5" not in found
    assert {"C14.by_2_5", "C15.tens_1d", "C11.plain"} <= found


@pytest.mark.parametrize("start", [{}, {"grade": 3}, {"grade": 1, "given": True}, {"grade": 1, "thought_c": 9}])
def test_no_limit_where_the_grade_is_not_known_or_an_adult_has_said_where(
    rules: Rules, start: Mapping[str, Any]
) -> None:
    assert beyond(rules, Knowledge.start(rules.knowledge, 0), **start) == frozenset()


def test_who_was_right_at_all_of_it_goes_on(rules: Rules) -> None:
    assert beyond(rules, known_to(rules, 10, right=True), grade=1) == frozenset()
    assert beyond(rules, known_to(rules, 10, right=False), grade=1) != frozenset(), "thought to be there is not enough"


def test_what_was_right_once_stays(rules: Rules) -> None:
    known = Knowledge.start(rules.knowledge, 0).after(Evidence("C13.times_2_5", right=True, day=0))
    assert "C13.times_2_5" not in beyond(rules, known, grade=1)


@pytest.mark.parametrize("seed", range(3))
def test_a_child_of_the_first_grade_that_fails_is_asked_no_times(rules: Rules, seed: int) -> None:
    def fails(problem: Problem) -> bool:
        return problem.op == "-" or problem.answer > 10

    known, asked = Knowledge.start(rules.knowledge, 0), []
    for number in range(3):
        mode = "practice" if number else "placement"
        session = begin(rules, grade=1, knowledge=known.on_day(number).snapshot(), seed=seed + number, mode=mode)
        asked += played(session, fails)
        known = rules.session_knowledge.at(session.state)
    assert len(asked) > 30
    assert {problem.op for problem in asked} == {"+", "-"}
    thought = [one for one in known if known[one].word == "expected" and not known[one].tries]
    assert not [one for one in thought if rules.knowledge.skills[one].strand in ("x", "/")]


def played(session: Session, fails: Any) -> list[Problem]:
    """The problems of a whole session."""
    met: list[Problem] = []
    while not session.ended:
        if session.task["kind"] == "training":
            session.train()
        elif session.item is not None or session.state["example"] is not None:
            session.right()
        else:
            met.append(session.problem)
            session = session.slip(SLOW) if fails(met[-1]) else session.right(SLOW)
    return met
