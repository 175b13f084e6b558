"""When an example comes, and what it counts for."""

import re

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.state import given
from tests.support.sessions import Session, begin, problem_id
from tests.support.tutoring import task_of

CARRIES = "C8.carry_ones"


def missed_before(rules: Rules) -> Session:
    """A child at C8 that missed sums with a carry on earlier days, three times."""
    known = Knowledge.start(rules.knowledge, 3)
    for skill_id in ("C8.tens", "C8.plain", "C7.nine", "C7.doubles", "C7.through_ten", "C8.carry_ones_1d"):
        for day in (3, 4, 4, 4, 4):
            known = known.after(Evidence(skill_id, True, day, fast=True))
    for _ in range(3):
        known = known.after(Evidence(CARRIES, False, 4))
    return begin(rules, None, 8, 5.0, knowledge=known.on_day(5).snapshot(), given=False)


def to_the_example(session: Session) -> Session:
    while not session.ended and session.task["kind"] != "worked_example":
        session.right()
    return session


def test_it_comes_before_a_skill_that_was_missed_and_then_the_skill_is_asked_unaided(rules: Rules) -> None:
    session = to_the_example(missed_before(rules))
    tasks, remaining = session.state["counters"]["tasks"], session.state["remaining"]
    assert rules.ladder.skill_of(session.problem) == CARRIES
    assert session.state["move"] is None or session.response["adaptation"]["downscaling_strategy"] == "direct_support"
    while session.task["kind"] == "worked_example":
        session.right()
    assert (session.task["kind"], session.task["visual_mode"]) == ("problem", "none")
    assert rules.ladder.skill_of(session.problem) == CARRIES
    assert session.state["counters"]["tasks"] == tasks + 3  # two more problems of the example, and this one
    assert session.state["remaining"] == remaining


def test_it_is_help_and_no_try(rules: Rules) -> None:
    session = to_the_example(missed_before(rules))
    before = rules.session_knowledge.at(session.state)[CARRIES]
    while session.task["kind"] == "worked_example":
        session.slip()
    after = rules.session_knowledge.at(session.state)[CARRIES]
    assert (after.tries, after.right, after.aided) == (before.tries, before.right, before.aided + 1)
    assert session.turns[-1].facts["kind"] == "worked_example"
    assert session.turns[-1].facts["correct"] is None


def test_the_steps_of_a_problem_in_columns_have_pictures(rules: Rules) -> None:
    upright = next(one for one in rules.ladder.problems[CARRIES] if one.layout == "vertical")
    session = begin(rules, None, 8, 7.0, first_problem=upright.problem_id)
    session.send("timeout", said=True).send("timeout", said=True)
    assert session.problem.layout == "vertical"
    asked = []
    while session.task["kind"] == "worked_example":
        visual = given(session.task["visual"])
        a, sign, b, *_ = re.split(r"([+=])", session.task["prompt"])
        assert (visual["mode"], visual["model"], sign) == ("base_ten", "join", "+")
        assert visual["shown"] in ([int(a), int(b)], [10 * int(a), 10 * int(b)])
        asked.append(session.task["prompt"])
        session.right()
    assert len(asked) > 3


def test_it_comes_once_a_skill_and_session(rules: Rules) -> None:
    session, shown, before = missed_before(rules), list[str](), None
    while not session.ended:
        example = session.state["example"]
        if example is not None and before is None and not example["together"]:
            shown.append(str(rules.ladder.skill_of(rules.bank.problem(example["model"]))))
        before = example
        session.slip() if rules.ladder.skill_of(session.problem) == CARRIES else session.right()
    assert CARRIES in shown
    assert len(set(shown)) == len(shown)


def test_a_problem_of_which_the_loop_failed_is_worked_through_itself(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0).answer(13).right().right().answer(44)
    assert (session.rows[-1], session.task["prompt"]) == ("26b", "20+10=□")
    assert task_of(session.state)["problem"]["expression"] == "28+15"
    session.right().right().answer(1)
    assert session.response["solution"] == {
        "problem": "28+15",
        "steps": [
            {"prompt": ["십의 자리를 모아."], "expression": "20+10=30"},
            {"prompt": ["일의 자리를 모아."], "expression": "8+5=13"},
            {"prompt": ["모두 더해."], "expression": "30+13=43"},
        ],
        "equation": "28+15=43",
    }
    assert session.task["kind"] == "problem"
    assert [one["problem_id"] for one in session.state["again"]] == [problem_id(rules, "28+15")]


def test_who_does_not_know_is_never_called_inattentive(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0)
    for _ in range(12):
        if session.ended:
            break
        session.send("timeout", said=True)
        assert session.response["diagnosis"]["cause_domain"] != "ATTENTION"
    assert session.state["ended_because"] != "no_response"


def says_so_always(session: Session) -> Session:
    while not session.ended:
        session.send("timeout", said=session.task["kind"] != "training" or None)
    return session


def test_a_session_of_a_child_that_knows_nothing_is_told_to_the_teacher(rules: Rules) -> None:
    """It ends by its number of tasks alone, as "모르겠어" ends none."""
    session = says_so_always(begin(rules, "28+15", 8, 7.0).answer(13))
    assert session.state["ended_because"] in ("remaining", "tasks")
    assert [one.kind for one in session.turns[-1].reviews] == ["hard_session"]
    once = begin(rules, "28+15", 8, 7.0).send("timeout", said=True)
    while not once.ended:
        once.right()
    assert [one.kind for turn in once.turns for one in turn.reviews] == []


def test_what_it_does_not_know_is_counted_for_the_skill_that_was_asked(rules: Rules) -> None:
    """A breather is of another skill than what it stands before."""
    session = begin(rules, "28+15", 8, 7.0).answer(13).send("timeout", said=True)
    assert session.state["current_step"] == "breather"
    breather = rules.ladder.skill_of(session.problem)
    session.send("timeout", said=True)
    assert session.state["practice"]["unsure"] == {CARRIES: 1, breather: 1}


def test_a_probe_that_the_child_does_not_know_is_no_distraction(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0).answer(313)
    assert session.task["kind"] == "probe"
    session.send("timeout", said=True)
    assert session.rows[-1] == "12a"
