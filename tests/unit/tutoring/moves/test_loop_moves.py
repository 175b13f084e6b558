"""Recovery loop, Bridge Loop, White-out: what the rows leave behind besides position and task."""

from typing import Any

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from tests.support.sessions import Session, begin


def after(rules: Rules, *answers: int, first: str = "98+90", **start: Any) -> Session:
    session = begin(rules, first, **start)
    for answer in answers:
        session.answer(answer)
    return session


def loop(session: Session) -> dict[str, Any]:
    return dict(session.state["loop_state"] or {})


def test_the_loop_remembers_where_it_came_from(rules: Rules) -> None:
    found = loop(after(rules, 178, 2))
    assert {key: found[key] for key in ("type", "step", "route", "cause_tag", "c_e", "w_e")} == {
        "type": "three_step_recovery", "step": 1, "route": "A", "cause_tag": "UNKNOWN", "c_e": 8, "w_e": 7.0,
    }  # fmt: skip


def test_each_step_is_logged(rules: Rules) -> None:
    session = after(rules, 178, 2, 190, 2, 178)
    assert session.state["original_problem"] == "X:98+90:h"
    assert session.state["scaffold_problem"] == "X:100-98:h:gap"
    assert loop(session)["type"] == "bridge_loop"
    assert loop(session)["step_results"] == [
        {"step": 1, "problem": "X:100+90:h", "answer": 190, "correct": True},
        {"step": 2, "problem": "X:100-98:h:gap", "answer": 2, "correct": True},
        {"step": 3, "problem": "X:98+90:h", "answer": 178, "correct": False},
    ]


def test_the_log_of_a_loop_is_bounded(rules: Rules) -> None:
    session = after(rules, 178, 2).timeout()
    for answer in (190, 1, 1, None, 2, 178, 1, None, 2, 1, 188, 178, 2, 188):
        session.right() if answer is None else session.answer(answer)  # None: a breather
    assert session.rows[-1] == "27m"
    assert len(loop(session)["step_results"]) == 12


def test_a_finished_loop_leaves_nothing_open(rules: Rules) -> None:
    state = after(rules, 178, 2, 190, 2, 188).state
    assert [state[key] for key in ("loop_state", "original_problem", "scaffold_problem", "probe_state")] == [None] * 4
    assert state["loop_done_at"] == 8


def test_an_ordinary_right_answer_between_two_loops_keeps_the_level(rules: Rules) -> None:
    session = after(rules, 178, 2, 190, 2, 188, policy={"advance": "streak", "promotion_streak": 99})
    assert session.right().state["loop_done_at"] is None


def test_the_aid_comes_with_a_miss_and_stays_away_from_the_return(rules: Rules) -> None:
    session = after(rules, 178, 2, 190, 1)
    assert (session.task["visual_mode"], session.state["downscaling"]["strategy"]) == ("number_line", "visual_aid")
    assert session.answer(1).state["downscaling"]["strategy"] == "step_separation"
    assert (session.state["current_step"], session.task["visual_mode"]) == ("breather", "none")
    assert session.right().task["visual_mode"] == "base_ten"
    assert [step["expression"] for step in session.task["presentation"]["steps"] or ()] == ["98+□=100"]
    assert session.answer(2).task["kind"] == "return"
    assert session.task["visual_mode"] == "none"


def test_the_last_original_of_the_bridge_stands_in_columns(rules: Rules) -> None:
    session = after(rules, 178, 2, 190, 2, 178, 2, 188)
    assert (session.task["kind"], session.problem.layout) == ("bridge", "horizontal")
    session.answer(178).answer(2).answer(188)
    assert (session.problem.expression, session.problem.layout) == ("98+90", "vertical")
    assert session.response["adaptation"]["downscaling_strategy"] == "vertical_layout"


def test_after_a_bridge_comes_a_sibling(rules: Rules) -> None:
    session = after(rules, 178, 2, 190, 2, 178, 2, 188, 188)
    sibling = session.problem
    assert session.rows[-1] == "27"
    assert (sibling.c_level, sibling.carries, sibling.layout) == (8, (1,), "horizontal")
    assert (len(str(sibling.a)), len(str(sibling.b))) == (2, 2)
    assert sibling.key != "90+98"
    assert session.state["sibling_of"] is None


def test_an_original_without_siblings_is_followed_by_a_problem_near_the_position(rules: Rules) -> None:
    session = begin(rules, "999+1", 11, 8.0)
    session.slip().right().right().right()
    session.slip().right().right().right()
    assert session.rows[-1] == "27"
    shapes = {(len(str(one.b)), one.carries) for one in rules.bank.level(11)}
    assert (1, (0, 1, 2)) not in shapes
    assert session.problem.c_level == 11
    assert abs(session.problem.w_total - session.state["w_position"]) <= 0.5


# --- White-out --------------------------------------------------------------------------------------------------------


def test_the_white_out_puts_the_aids_on_and_takes_them_off_again(rules: Rules) -> None:
    session = after(rules, 178, 2, 7)
    assert (loop(session)["type"], session.task["visual_mode"]) == ("whiteout", "base_ten")
    assert session.state["streak"] == 0
    session.right()
    assert session.task["visual_mode"] != "none"
    assert not session.right().state["downscaling"]["active"]


def test_the_white_out_lands_on_the_level_of_ten_plus_nine(rules: Rules) -> None:
    session = after(rules, 178, 2, 7)
    assert session.position == (5, 3.0)
    assert session.problem.c_level == 5


def test_below_its_landing_the_white_out_goes_to_the_lowest_load(rules: Rules) -> None:
    # 7−3 is C4: two steps down are C1.
    session = begin(rules, "7-3", 4, 2.5)
    session.state = {**session.state, "counters": {**session.state["counters"], "wrong_run": 2}}
    assert session.slip().position == (1, 0.0)
    assert session.rows == ["15"]


def test_white_out_problems_count_as_problems(rules: Rules) -> None:
    session = after(rules, 178, 2, 7)
    remaining = session.state["remaining"]
    assert session.right().state["remaining"] == remaining - 1
    assert session.state["streak"] == 0


def test_the_white_out_in_vain_is_flagged_for_an_adult(rules: Rules) -> None:
    session = after(rules, 178, 2, 7).timeout().timeout()
    assert session.state["ended_because"] == "white_out"
    assert [review.kind for review in session.turns[-1].reviews] == ["hard_session"]
    assert session.response["feedback"]["feedback_text"]


def missing_the_anchor(rules: Rules, known: Knowledge) -> Session:
    """After the first problem of a teacher's start at C10 was missed, and the anchor of its loop too."""
    session = begin(rules, None, 10, given=True, knowledge=known.snapshot()).slip()
    while session.state["current_step"] != "scaffolded_recovery_1":
        session.slip() if session.state["current_step"] == "normal" else session.right()
    return session.slip()


def test_a_skill_that_was_never_shown_is_solved_together(rules: Rules) -> None:
    session = missing_the_anchor(rules, Knowledge.start(rules.knowledge, 0))
    missed = session.turns[0].facts["problem_id"]
    assert session.rows[-1] == "22n"
    assert [entry["problem_id"] for entry in session.state["again"]] == [missed]
    assert session.state["falls"] == {"10": 1}
    assert session.state["counters"]["wrong_run"] == 0
    assert (session.state["current_step"], session.task["kind"]) == ("worked_example", "worked_example")


def test_missing_what_was_shown_once_leads_to_the_white_out(rules: Rules) -> None:
    asked = begin(rules, None, 10, given=True).state["practice"]["last"]
    known = Knowledge.start(rules.knowledge, 0)
    for day in (0, 0, 0, 1, 1, 2):
        known = known.after(Evidence(str(asked), right=True, day=day, fast=True))
    assert known[str(asked)].shown_once
    session = missing_the_anchor(rules, known)
    assert (session.rows[-1], session.state["current_step"]) == ("22", "white_out")
