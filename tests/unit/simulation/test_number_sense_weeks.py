"""Weeks of a child that fails at C1, with a client that shows items of number sense and with one that does not."""

from collections import Counter

from maththera.simulation.independent.population import draw
from maththera.simulation.independent.procedures import Procedure
from maththera.simulation.knowing.examiner import Examiner
from maththera.simulation.knowing.weeks import Session, Tutor
from maththera.tutoring.content.session_rules import Rules

SAME = Procedure("takes one more for the same", "+", (0, 3), lambda a, b: max(a, b) if min(a, b) == 1 else None)


def eight_sessions(rules: Rules, *, widgets: bool, index: int) -> list[Session]:
    child = draw(3, index, kind="weak")
    child.procedure = SAME
    for ability in child.knows:
        child.knows[ability].strength = child.knows[ability].base = 0.3
    tutor = Tutor(rules, Examiner(rules.bank, rules.knowledge.skills), widgets=widgets)
    return tutor.weeks(index, child, 3, level_given=True, sessions=8, problems=15).sessions


def test_children_that_fail_at_c1_do_more_than_the_same_sums_for_eight_sessions(rules: Rules) -> None:
    done = before = 0
    for index in (1, 3):
        sessions = eight_sessions(rules, widgets=True, index=index)
        assert sum(one.ended_because == "remaining" for one in sessions) >= 6
        assert any(task.phase == "number_sense" for one in sessions for task in one.asked)
        kinds = [Counter(task.kind for task in one.asked if task.prompt == "6+1=□") for one in sessions]
        assert all(times <= 3 for one in kinds for times in one.values())
        without = eight_sessions(rules, widgets=False, index=index)
        assert not any(task.kind == "widget" for one in without for task in one.asked)
        done += len({task.prompt for one in sessions for task in one.asked})
        before += len({task.prompt for one in without for task in one.asked})
    assert done > before
