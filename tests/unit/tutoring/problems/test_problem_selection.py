"""F-14, F-15: the next problem near the position, the tasks of every row, choices and aids."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.knowledge.difficulty_model import ModelError, load_model
from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.settings import home
from maththera.tutoring.content.session_rules import Rules, load_rules
from maththera.tutoring.diagnosis.hypotheses import malrule_results, predictions
from maththera.tutoring.problems.problem_selection import next_practice, recent_keys, select_problem
from tests.support.sessions import IMPULSIVE, SLOW, Session, begin


def at(session: Session, c: int, w: float, **keys: Any) -> Session:
    session.state = {**session.state, "c_position": c, "w_position": w, **keys}  # type: ignore[typeddict-item]
    return session


@pytest.mark.parametrize("c", range(1, 16))
def test_the_problem_lies_within_half_a_point(rules: Rules, c: int) -> None:
    low, high = rules.bank.band(c)
    for seed in range(5):
        session = at(begin(rules, seed=seed), c, (low + high) / 2 // 0.5 * 0.5)
        problem, _, widened = select_problem(session.state, rules)
        assert problem.c_level == c
        assert abs(problem.w_total - session.position[1]) <= (1.0 if widened else 0.5)


def test_no_problem_in_range_widens_to_one_point_and_says_so(rules: Rules) -> None:
    # C6 has no problem from 4.5 to 6.
    session = begin(rules, "8+2", 6, 5.1).right(SLOW)
    assert session.position == (6, 5.1)
    assert session.response["adaptation"]["widened"] is True
    assert abs(session.problem.w_total - 5.1) > 0.5


def test_nothing_within_one_point_takes_the_nearest(rules: Rules) -> None:
    session = at(begin(rules, "8+2", 6, 5.25), 6, 5.25)
    assert not rules.bank.window(6, 4.25, 6.25)
    problem, _, widened = select_problem(session.state, rules)
    assert (problem.w_total, widened) == (4.0, True)


def test_widening_is_said_of_an_anchor_too(rules: Rules) -> None:
    # Route B leads from 8+6 to C6 at 2.5, where 5+5 stands alone.
    streak = {"advance": "streak"}
    fresh = begin(rules, "8+6", 7, 4.0, policy=streak).slip().slip()
    assert (fresh.rows, fresh.position, fresh.problem.key) == (["10", "18b"], (6, 2.5), "5+5")
    assert fresh.response["adaptation"]["widened"] is False
    recent = at(begin(rules, "8+6", 7, 4.0, policy=streak), 7, 4.0, history=["5+5"]).slip().slip()
    assert (recent.task["kind"], recent.response["adaptation"]["widened"]) == ("anchor", True)


@pytest.mark.parametrize(("c", "limit"), [(1, 8), (2, 9), (5, 13), (6, 7), (7, 10), (8, 20), (13, 20)])
def test_recent_are_twenty_expressions_but_at_most_half_of_the_level(rules: Rules, c: int, limit: int) -> None:
    # 6+8 and 8+6 are one expression here: of C7's 36 sums 20 are different.
    history = [f"{n}+{n}" for n in range(30)]
    session = at(begin(rules), c, 0.0, history=history)
    assert recent_keys(session.state, rules) == history[-limit:]


def test_the_same_seed_gives_the_same_problems_another_seed_others(rules: Rules) -> None:
    def problems(seed: int) -> list[str]:
        session = begin(rules, None, 8, 5.0, seed=seed)
        return [session.right().problem.expression for _ in range(6)]

    assert problems(3) == problems(3)
    assert problems(3) != problems(4)


def test_a_slow_review_is_not_drilled(rules: Rules) -> None:
    learnt, reviewed = begin(rules, "8+6"), begin(rules, "8+6")
    reviewed.state["practice"] = {**reviewed.state["practice"], "place": [7, 4.5]}
    for session in (learnt, reviewed):
        assert session.right(SLOW).rows[-1] == "3"
    assert "drill" in learnt.state["practice"]["sources"]
    assert "drill" not in reviewed.state["practice"]["sources"]


def test_a_fluency_drill_keeps_the_position_and_changes_the_numbers(rules: Rules) -> None:
    session = begin(rules, "8+6", 7, 4.5).right(SLOW)
    assert session.position == (7, 4.5)
    assert session.problem.key != "6+8"


# --- what a problem tells ---------------------------------------------------------------------------------------------

ZERO, NOTHING = "borrow_from_zero", "CONCEPT_L5_BORROW_FROM_NOTHING"


def test_practice_shows_what_could_show_most(rules: Rules) -> None:
    """Where multiplying by one is known to fail, that comes; what a right answer spoke against shows elsewhere."""
    fresh = select_problem(at(begin(rules), 13, 0.5).state, rules)[0]
    known = select_problem(at(begin(rules, frequent_cause="CONCEPT_L6_TIMES_ONE"), 13, 0.5).state, rules)[0]
    assert 1 in (known.a, known.b)
    seen = {key: [-9.0, 0, 0] for key in predictions(fresh, None)}
    assert select_problem(at(begin(rules), 13, 0.5, posterior=seen).state, rules)[0] != fresh


def test_where_nothing_could_show_any_problem_comes(rules: Rules) -> None:
    nothing = replace(rules, held_out=frozenset(CATALOGUE))
    problem, _, widened = select_problem(at(begin(nothing), 8, 5.0).state, nothing)
    assert (problem.c_level, widened) == (8, False)


def test_a_suspect_is_looked_for_near_the_position_first(rules: Rules) -> None:
    session = at(begin(rules), 12, 9.0, posterior={f"{ZERO}|{NOTHING}": [4.0, 1, 0]})
    problem, _, widened = select_problem(session.state, rules)
    assert ZERO in malrule_results(problem)
    assert abs(problem.w_total - 9.0) <= 0.5
    assert not widened


def test_a_suspect_that_cannot_show_near_the_position_is_looked_for_on_the_level(rules: Rules) -> None:
    session = at(begin(rules), 12, 5.0, posterior={f"{ZERO}|{NOTHING}": [4.0, 1, 0]})
    problem, _, widened = select_problem(session.state, rules)
    assert ZERO in malrule_results(problem)
    assert widened
    elsewhere = at(begin(rules), 13, 1.0, posterior={f"{ZERO}|{NOTHING}": [4.0, 1, 0]})
    assert select_problem(elsewhere.state, rules)[0].c_level == 13


def with_a_suspect(rules: Rules, weight: float, **keys: Any) -> Session:
    """At work on sums of C8; a subtraction with a borrow was missed before, as one procedure explains. Six ordinary
    tasks are done."""
    known = Knowledge.start(rules.knowledge, 0).after(Evidence("C10.borrow", False, 0))
    session = at(
        begin(rules, c=8, strand="+", policy={"advance": "skills"}, knowledge=known.snapshot()), 8, 5.0,
        posterior={"smaller_from_larger|CONCEPT_L6_SUBTRACTION_COMMUTES": [weight, 1, 0]}, **keys,
    )  # fmt: skip
    practice = session.state["practice"]
    session.state["practice"] = {**practice, "sources": {"border": 6}, "given": [], "expected": 0.9}
    return session


def test_a_suspect_of_another_operation_is_asked_about_too(rules: Rules) -> None:
    session = with_a_suspect(rules, 5.0)
    selected = next_practice(session.state, rules)
    assert (selected.source, selected.problem.op) == ("suspects", "-")
    assert 0 in selected.problem.carries


@pytest.mark.parametrize(
    "keys",
    [{"stated": ["CONCEPT_L6_SUBTRACTION_COMMUTES"]}, {"weight": 0.5}, {"sources": {"border": 6, "suspects": 1}}],
    ids=["stated already", "may not be named yet", "asked lately"],
)
def test_a_suspect_of_another_operation_waits(rules: Rules, keys: dict[str, Any]) -> None:
    arranged = {**keys}
    sources = arranged.pop("sources", {"border": 6})
    session = with_a_suspect(rules, arranged.pop("weight", 5.0), **arranged)
    session.state["practice"] = {**session.state["practice"], "sources": sources}
    assert next_practice(session.state, rules).source != "suspects"


# --- choices ----------------------------------------------------------------------------------------------------------


def kinds_with_choices(session: Session, *answers: int) -> list[tuple[str, bool]]:
    seen: list[tuple[str, bool]] = [(session.task["kind"], bool(session.task["choices"]))]
    for answer in answers:
        session.answer(answer)
        seen.append((session.task["kind"], bool(session.task["choices"])))
    return seen


def test_choices_are_offered_where_a_tap_tells_something(rules: Rules) -> None:
    assert kinds_with_choices(begin(rules, "98+90", 8, 7.0), 178, 2, 190, 2, 178, 2, 188) == [
        ("problem", True),
        ("diagnostic_question", False),
        ("anchor", True),
        ("fine_adjustment", False),
        ("return", False),
        ("bridge", False),
        ("bridge", True),  # the moved problem
        ("bridge", False),  # the original
    ]
    assert kinds_with_choices(begin(rules, "28+15", 8, 7.0), 13, 0)[-1] == ("problem", True)
    sub_step = begin(rules, "28+15", 8, 7.0).answer(13).right()
    assert (sub_step.task["kind"], sub_step.task["choices"]) == ("fine_adjustment", [])


def test_what_is_to_decide_about_a_cause_is_written(rules: Rules) -> None:
    """A probe, a second look, and a problem that tells suspected causes apart."""
    assert kinds_with_choices(begin(rules, "28+15", 8, 7.0), 313) == [("problem", True), ("probe", False)]
    sure = at(begin(rules, "28+15", 8, 7.0), 8, 7.0)
    sure.state = {**sure.state, "practice": {**sure.state["practice"], "expected": 0.9}}
    assert kinds_with_choices(sure, 13) == [("problem", True), ("problem", False)]
    assert sure.rows == ["8"]
    suspected = {"sum_carry_dropped|EXECUTION_L4_CARRY_FORGOTTEN": [3.0, 1, 0]}
    asked = at(begin(rules, "28+15", 8, 7.0), 8, 7.0, posterior=suspected)
    asked.state = {**asked.state, "practice": {**asked.state["practice"], "given": [], "expected": 0.9}}
    asked.right()
    assert (asked.state["practice"]["sources"].get("suspects"), asked.task["choices"]) == (1, [])


def test_a_moved_problem_shown_again_has_choices_a_gap_has_none(rules: Rules) -> None:
    session = begin(rules, "98+90", 8, 7.0, policy={"advance": "seed"})
    assert kinds_with_choices(session, 178, 2, 190, 2, 178, 1, 2, 1)[-3:] == [
        ("bridge", False),
        ("bridge", True),
        ("bridge", True),
    ]
    assert session.task["visual_mode"] == "base_ten"


def test_a_training_has_neither_problem_nor_choices(rules: Rules) -> None:
    task = begin(rules, "47+26", 8, 8.0).answer(5, IMPULSIVE).task
    assert (task["kind"], task["problem_id"], task["choices"], task["answer_format"]) == (
        "training",
        None,
        [],
        "training",
    )
    assert task["prompt"] == rules.catalogue.trainings["T30"].title


# --- aids, upscaling --------------------------------------------------------------------------------------------------


def test_two_fast_right_answers_take_one_step_up(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0, policy={"advance": "streak", "promotion_streak": 99}).timeout()
    assert session.task["visual_mode"] == "base_ten"
    steps = []
    for _ in range(8):
        session.right(2000)
        steps.append((session.state["downscaling"]["strategy"], bool(session.task["choices"])))
    assert session.task["visual_mode"] == "none"
    assert [strategy for strategy, _ in steps[1::2]] == [
        "remove_visual",
        "abstraction",
        "number_extension",
        "number_extension",
    ]
    assert [choices for _, choices in steps] == [True, True, True, False, False, False, False, False]


def test_extended_numbers_take_the_harder_half_of_the_window(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 5.5, policy={"advance": "streak", "promotion_streak": 99})
    for _ in range(4):
        session.right(2000)
    assert session.state["downscaling"]["level"] == 2
    for _ in range(10):
        assert session.right(2000).problem.w_total >= session.position[1]


def test_a_wrong_answer_brings_the_choices_back(rules: Rules) -> None:
    session = (
        begin(rules, "98+90", 8, 7.0, policy={"advance": "streak", "promotion_streak": 99}).right(2000).right(2000)
    )
    assert session.task["choices"] == []
    session.slip()
    assert session.state["downscaling"]["level"] == 0


def test_a_probe_that_removes_the_layout_stands_in_a_grid(rules: Rules) -> None:
    session = begin(rules, "1+98", 8, 2.5).answer(9)
    probe = session.state["probe_state"]
    assert probe is not None
    assert (probe["removed_variable"], session.problem.expression) == ("layout", "1+98")
    assert (session.problem.layout, session.task["visual_mode"]) == ("vertical", "vertical")


def test_other_probes_stand_without_aid_even_when_one_is_on(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0).timeout()
    assert session.task["visual_mode"] == "base_ten"
    assert session.answer(313).right().task["kind"] == "probe"
    assert session.task["visual_mode"] == "none"


def test_the_difficulty_model_orders_a_level_where_it_is_configured(rules: Rules) -> None:
    """The easiest of C8 by W are the easiest by the model then, and no others."""
    model = load_model(home() / "configs" / "knowledge" / "difficulty_model.json")
    level = rules.bank.level(8)
    ordered = replace(rules, by_difficulty={8: sorted(level, key=model.difficulty)})
    low, high = rules.bank.band(8)
    for w, part in ((low, slice(0, len(level) // 2)), (high, slice(len(level) // 2, None))):
        problem, *_ = select_problem(at(begin(rules), 8, w).state, ordered)
        assert problem in ordered.by_difficulty[8][part]


def test_w_drives_the_selection_as_shipped(rules: Rules) -> None:
    assert rules.numbers.selection.by == "w"
    assert not rules.by_difficulty


def test_a_home_that_asks_for_the_difficulty_model_gets_its_order(tmp_path: Path) -> None:
    for name in ("configs", "prompts"):
        copytree(home() / name, tmp_path / name)
    numbers = tmp_path / "configs" / "tutoring" / "session_rules.yaml"
    numbers.write_text(numbers.read_text().replace("  by: w ", "  by: difficulty "))
    found = load_rules(tmp_path)
    model = load_model(tmp_path / "configs" / "knowledge" / "difficulty_model.json")
    assert sorted(found.by_difficulty) == list(range(1, 16))
    difficulties = [model.difficulty(problem) for problem in found.by_difficulty[13]]
    assert difficulties == sorted(difficulties)


def test_a_broken_difficulty_model_is_told_at_the_start(tmp_path: Path) -> None:
    for name in ("configs", "prompts"):
        copytree(home() / name, tmp_path / name)
    (tmp_path / "configs" / "knowledge" / "difficulty_model.json").write_text("{}")
    with pytest.raises(ModelError, match="difficulty"):
        load_rules(tmp_path)


def test_sessions_at_one_place_begin_in_different_ways_and_each_always_in_the_same(rules: Rules) -> None:
    def firsts() -> list[str]:
        begun = (begin(rules, c=1, given=False, policy={"advance": "skills"}, seed=seed) for seed in range(20))
        return [session.task["prompt"] for session in begun]

    assert len(set(firsts())) >= 5
    assert firsts() == firsts()
