"""Which tasks are told as a story: ordinary ones of a skill that is known, never those that are to teach or to tell."""

from functools import cache

import pytest

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from tests.support.sessions import Session, begin
from tests.support.tutoring import rules as shipped


@cache
def knows_all() -> Knowledge:
    """Every skill was right on ten days."""
    knowledge = Knowledge.start(shipped().knowledge, 1)
    for day in range(1, 21, 2):
        knowledge = knowledge.on_day(day)
        for skill_id in shipped().ladder.problems:
            knowledge = knowledge.after(Evidence(skill_id, True, day))
    return knowledge


def played(rules: Rules, knowledge: Knowledge, seed: int) -> list[tuple[str, str | None]]:
    """Kind and story of each task of a session of a child that is always right."""
    session = begin(rules, knowledge=knowledge.on_day(40).snapshot(), seed=seed, problem_count=20)
    found: list[tuple[str, str | None]] = []
    while not session.ended:
        found.append((session.task["kind"], story_of(session)))
        session.right()
    return found


def story_of(session: Session) -> str | None:
    return session.task["presentation"].get("story") if "presentation" in session.task else None


def test_who_knows_all_is_told_stories_and_chains_of_problems_of_the_bank(rules: Rules) -> None:
    told = [story for seed in range(4) for _, story in played(rules, knows_all(), seed) if story]
    assert 10 <= len(told) <= 70
    assert any("앞에서부터 풀자." in story for story in told)
    assert any("앞에서부터 풀자." not in story for story in told)
    assert len(set(told)) > len(told) * 0.8


def test_the_same_session_tells_the_same(rules: Rules) -> None:
    assert played(rules, knows_all(), 3) == played(rules, knows_all(), 3)


def test_who_knows_nothing_is_told_none(rules: Rules) -> None:
    nothing = Knowledge.start(rules.knowledge, 1)
    assert not any(story for seed in range(3) for _, story in played(rules, nothing, seed))


def in_story(rules: Rules) -> Session:
    """A session at a task that is told."""
    session = begin(rules, knowledge=knows_all().on_day(40).snapshot(), seed=1, problem_count=30)
    while story_of(session) is None:
        session.right()
    return session


def test_a_told_problem_stays_itself_and_after_a_miss_stands_bare(rules: Rules) -> None:
    session = in_story(rules)
    task, problem = session.task, session.problem
    assert (task["kind"], task["prompt"]) == ("problem", problem.prompt)
    assert str(problem.b) in str(story_of(session))
    session.slip()
    assert story_of(session) is None
    assert session.response["task"]["presentation"]["story"] is None


@pytest.mark.parametrize("knows", [True, False])
def test_only_ordinary_problems_are_told(rules: Rules, knows: bool) -> None:
    knowledge = knows_all() if knows else Knowledge.start(rules.knowledge, 1)
    session = begin(rules, knowledge=knowledge.on_day(40).snapshot(), seed=5, problem_count=20)
    number = 0
    while not session.ended:
        number += 1
        assert story_of(session) is None or session.task["kind"] == "problem"
        if session.task["kind"] == "training":
            session.train()
        elif number % 4:
            session.right()
        else:
            session.slip()
