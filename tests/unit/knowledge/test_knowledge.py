"""What a child knows: the words and what is enough to go up, by their rules."""

import shutil
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.arithmetic.problem_bank import Bank
from maththera.config_files import ConfigError
from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.knowledge.model import KnowledgeModel, load_knowledge_model
from maththera.knowledge.skills import Skills, load_skills
from tests.support.flow_home import ROOT

CONFIGS = ROOT / "configs"
MONDAY = date(2026, 3, 2).toordinal()
SKILL = "C10.borrow"


@pytest.fixture(scope="module")
def bank() -> Bank:
    return Bank.load(CONFIGS / "arithmetic" / "problem_bank.csv")


@pytest.fixture(scope="module")
def skills(bank: Bank) -> Skills:
    return load_skills(CONFIGS / "knowledge" / "skills.yaml", bank)


@pytest.fixture(scope="module")
def model(bank: Bank) -> KnowledgeModel:
    return load_knowledge_model(CONFIGS, bank)


@pytest.fixture(scope="module")
def nothing(model: KnowledgeModel) -> Knowledge:
    return Knowledge.start(model, MONDAY)


def answered(knowledge: Knowledge, results: str, day: int = MONDAY, *, fast: bool = False) -> Knowledge:
    """After tries of one skill on one day: + right, - wrong."""
    for result in results:
        knowledge = knowledge.after(Evidence(SKILL, result == "+", day, fast=fast and result == "+"))
    return knowledge


def test_a_skill_that_was_never_asked_is_untested(nothing: Knowledge) -> None:
    assert {one.word for one in nothing.values()} == {"untested"}
    assert not any(one.passed or one.due or one.known_once for one in nothing.values())


def test_wrong_answers_make_a_beginning_and_right_ones_practice(nothing: Knowledge) -> None:
    assert answered(nothing, "--")[SKILL].word == "beginning"
    assert answered(nothing, "+")[SKILL].word == "practising"


def test_five_right_tries_on_two_days_are_shown_and_on_one_day_are_not(nothing: Knowledge) -> None:
    assert answered(nothing, "+++++")[SKILL].word == "expected"
    assert answered(answered(nothing, "+++"), "++", MONDAY + 1)[SKILL].word == "shown"


def test_half_of_the_answers_right_is_never_shown(nothing: Knowledge) -> None:
    for day in range(20):
        nothing = answered(nothing, "+-", MONDAY + day)
        assert nothing[SKILL].word in ("practising", "beginning")


def test_what_is_right_again_after_two_weeks_is_kept(nothing: Knowledge) -> None:
    shown = answered(answered(nothing, "+++"), "+++", MONDAY + 1)
    assert answered(shown, "+", MONDAY + 14)[SKILL].word == "shown"
    assert answered(shown, "+", MONDAY + 15)[SKILL].word == "kept"


def test_misses_make_what_was_shown_slip_and_it_can_be_shown_again(nothing: Knowledge) -> None:
    shown = answered(answered(nothing, "+++"), "+++", MONDAY + 1)
    slipping = answered(shown, "----", MONDAY + 2)
    assert slipping[SKILL].word == "slipping"
    assert slipping[SKILL].known_once
    assert not slipping[SKILL].passed
    assert answered(slipping, "++++++++", MONDAY + 3)[SKILL].word == "shown"


def test_time_alone_makes_a_skill_slip_and_a_review_falls_due_before(nothing: Knowledge) -> None:
    shown = answered(answered(nothing, "+++"), "+++", MONDAY + 1)
    assert not shown[SKILL].due
    due = next(day for day in range(1, 400) if shown.on_day(MONDAY + day)[SKILL].due)
    slips = next(day for day in range(1, 400) if shown.on_day(MONDAY + day)[SKILL].word == "slipping")
    assert 1 < due < slips


def test_what_was_missed_falls_due_sooner_and_each_success_after_a_gap_later(nothing: Knowledge) -> None:
    def rest(known: Knowledge) -> int:
        return next(days for days in range(400) if known.on_day(known.day + days)[SKILL].due)

    taught = answered(nothing, "--++++++")
    assert rest(taught) < rest(answered(nothing, "++++++"))
    later = answered(taught, "+", MONDAY + 3)
    assert rest(taught) < rest(later) < rest(answered(later, "+", MONDAY + 9))


def test_what_is_passed_and_not_known_falls_due_too(nothing: Knowledge) -> None:
    passed = answered(nothing, "-+-+-+-+")
    assert passed[SKILL].passed
    assert not passed[SKILL].known_once
    assert not passed[SKILL].due
    assert passed.on_day(MONDAY + 5)[SKILL].due


def test_each_success_after_a_gap_makes_it_last_longer(nothing: Knowledge) -> None:
    once = answered(answered(nothing, "+++"), "+++", MONDAY + 1)
    again = answered(once, "+", MONDAY + 10)
    assert again.on_day(MONDAY + 40)[SKILL].chance > answered(once, "+", MONDAY + 1).on_day(MONDAY + 31)[SKILL].chance


@pytest.mark.parametrize(
    ("results", "fast", "falls", "passed"),
    [
        ("++", True, 0, True),
        ("++", False, 0, False),
        ("++++", False, 0, True),
        ("+-+", True, 0, False),
        ("++", True, 1, False),
        ("+++", True, 1, True),
        ("----++", True, 0, False),  # below 0.6 all the same
    ],
)
def test_what_is_enough_to_go_up(nothing: Knowledge, results: str, fast: bool, falls: int, passed: bool) -> None:
    assert answered(nothing, results, fast=fast).passed(SKILL, falls) is passed


def test_one_right_try_is_enough_where_it_was_expected(nothing: Knowledge) -> None:
    for _ in range(12):
        nothing = nothing.after(Evidence("C12.borrow_two", True, MONDAY))
    assert nothing[SKILL].word == "expected"
    assert not nothing[SKILL].passed
    assert answered(nothing, "+")[SKILL].passed


def test_a_right_answer_speaks_for_the_skills_below_and_for_no_other(nothing: Knowledge, skills: Skills) -> None:
    after = answered(nothing, "+")
    raised = {skill_id for skill_id in after if after.chance(skill_id) > nothing.chance(skill_id)}
    assert raised == {SKILL, *skills.ancestors(SKILL)}
    assert after["C10.plain"].tries == 0


def test_a_wrong_answer_speaks_against_the_skills_above_and_for_no_other(nothing: Knowledge, skills: Skills) -> None:
    after = answered(nothing, "-")
    assert {one for one in after if after.chance(one) < nothing.chance(one)} == {SKILL, *skills.dependents(SKILL)}


def test_aided_tries_are_counted_apart_and_prove_nothing(nothing: Knowledge) -> None:
    after = nothing.after(Evidence(SKILL, True, MONDAY, aided=True))[SKILL]
    assert (after.aided, after.tries, after.chance) == (1, 0, nothing.chance(SKILL))


def test_a_stated_cause_lowers_its_skill_without_a_try_of_it(nothing: Knowledge) -> None:
    after = nothing.after(Evidence(SKILL, False, MONDAY, tried=False))[SKILL]
    assert after.chance < nothing.chance(SKILL)
    assert (after.tries, after.last_day, after.word) == (0, None, "untested")


def test_a_half_counted_answer_moves_less(nothing: Knowledge) -> None:
    half = nothing.after(Evidence(SKILL, True, MONDAY, weight=0.5))
    assert nothing.chance(SKILL) < half.chance(SKILL) < answered(nothing, "+").chance(SKILL)


@pytest.mark.parametrize("expression", ["52-38", "1000+124", "100-98", "20+0"])
def test_every_problem_has_an_expectation(nothing: Knowledge, expression: str) -> None:
    assert nothing.expectation(make_problem(*parse_expression(expression))) == pytest.approx(0.5, abs=0.3)


def test_a_harder_problem_of_the_same_skill_is_less_expected(nothing: Knowledge, model: KnowledgeModel) -> None:
    easier, harder = (make_problem(*parse_expression(text)) for text in ("2x3", "2x9"))
    assert model.skill_of(easier) == model.skill_of(harder)
    assert nothing.expectation(easier) > nothing.expectation(harder)
    assert model.item_difficulty(easier) < model.item_difficulty(harder)


def test_no_problem_is_far_from_its_skill(model: KnowledgeModel) -> None:
    assert max(abs(within) for _, within in model.asked.values()) == model.numbers.difficulty.most


def test_a_number_out_of_range_is_named_with_its_line(tmp_path: Path, bank: Bank) -> None:
    shutil.copytree(CONFIGS / "knowledge", tmp_path / "knowledge")
    file = tmp_path / "knowledge" / "model.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("slipping: 0.6", "slipping: 1.6"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"model\.yaml:\d+.*slipping"):
        load_knowledge_model(tmp_path, bank)


EVIDENCE = st.builds(
    Evidence,
    skill_id=st.sampled_from(["C1.plus1", "C7.nine", "C8.carry_ones", "C10.borrow", "C12.across_zero", "C14.by_6_9"]),
    right=st.booleans(),
    day=st.integers(MONDAY, MONDAY + 90),
    aided=st.booleans(),
    fast=st.booleans(),
    weight=st.sampled_from([0.5, 1.0]),
    difficulty=st.floats(-2, 2),
    tried=st.booleans(),
    chance=st.none(),
)


def after_all(knowledge: Knowledge, evidence: Iterable[Evidence]) -> Knowledge:
    for one in evidence:
        knowledge = knowledge.after(one)
    return knowledge


@given(evidence=st.lists(EVIDENCE, max_size=25))
def test_whatever_happens_chances_lie_in_their_intervals(nothing: Knowledge, evidence: list[Evidence]) -> None:
    for one in after_all(nothing, evidence).values():
        assert 0 < one.low <= one.chance <= one.high < 1
        assert one.right <= one.tries
        assert one.days <= one.tries


@given(evidence=st.lists(EVIDENCE, max_size=20), last=EVIDENCE)
def test_a_right_answer_never_leaves_less_than_a_wrong_one(
    nothing: Knowledge, evidence: list[Evidence], last: Evidence
) -> None:
    before = after_all(nothing, evidence)
    right, wrong = (
        before.after(Evidence(last.skill_id, result, last.day, weight=last.weight)) for result in (True, False)
    )
    assert all(right.chance(skill_id) >= wrong.chance(skill_id) for skill_id in right)
    assert right.chance(last.skill_id) > wrong.chance(last.skill_id)


@given(evidence=st.lists(EVIDENCE, max_size=20), later=st.lists(EVIDENCE, max_size=5))
def test_a_snapshot_is_taken_up_where_it_was_left(
    nothing: Knowledge, model: KnowledgeModel, evidence: list[Evidence], later: list[Evidence]
) -> None:
    known = after_all(nothing, evidence)
    taken_up = Knowledge.from_snapshot(known.snapshot(), model)
    assert taken_up.snapshot() == known.snapshot()
    goes_on = after_all(taken_up, later)
    for skill_id, one in after_all(known, later).items():
        assert goes_on[skill_id].chance == pytest.approx(one.chance, abs=0.005)
        assert (goes_on[skill_id].tries, goes_on[skill_id].run) == (one.tries, one.run)


@given(evidence=st.lists(EVIDENCE, max_size=20), days=st.integers(0, 400), more=st.integers(0, 400))
def test_forgetting_goes_on_where_it_stopped(
    nothing: Knowledge, evidence: list[Evidence], days: int, more: int
) -> None:
    known = after_all(nothing, evidence)
    at_once = known.on_day(known.day + days + more)
    in_steps = known.on_day(known.day + days).on_day(known.day + days + more)
    assert at_once.snapshot() == in_steps.snapshot()


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence(SKILL, right=True, day=MONDAY),
        Evidence(SKILL, right=False, day=MONDAY, aided=True),
        Evidence(SKILL, right=True, day=MONDAY, weight=0.5),
        Evidence(SKILL, right=False, day=MONDAY, tried=False),
        Evidence(SKILL, right=True, day=MONDAY, chance=0.9),
    ],
)
def test_evidence_is_recorded_in_short_and_read_back(evidence: Evidence) -> None:
    assert Evidence(*evidence.entry) == evidence
    assert len(Evidence(SKILL, right=True, day=MONDAY).entry) == 3


@given(st.data())
def test_answers_taken_together_say_the_same_as_one_by_one(
    model: KnowledgeModel, nothing: Knowledge, data: st.DataObject
) -> None:
    named = st.sampled_from([SKILL, "C10.plain", "C10.borrow_x0", "C7.nine"])
    one = st.builds(
        Evidence,
        named,
        st.booleans(),
        st.just(0),
        aided=st.booleans(),
        fast=st.booleans(),
        weight=st.just(1.0),
        difficulty=st.just(0.0),
        tried=st.booleans(),
        chance=st.sampled_from([None, None, 0.3, 0.9]),
    )
    gaps = st.integers(0, 9)
    day, evidence = MONDAY, []
    for given_, gap in data.draw(st.lists(st.tuples(one, gaps), max_size=12)):
        day += gap
        evidence.append(given_._replace(day=day))
    step_by_step = nothing
    for each in evidence:
        step_by_step = step_by_step.after(each)
    together = nothing.after(*evidence)
    assert (together.day, together.snapshot()) == (step_by_step.day, step_by_step.snapshot())
    assert {**together} == {**step_by_step}
