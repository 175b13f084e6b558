"""What the answers of a session make of the causes."""

from collections.abc import Mapping
from typing import Any

import pytest

from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis import posterior
from maththera.tutoring.diagnosis.hypotheses import ANY_WRONG, IMPULSE, UNKNOWN, predictions, tag_of
from maththera.tutoring.diagnosis.likelihoods import AnsweredTask, log_likelihoods, slip_likelihood
from maththera.tutoring.diagnosis.posterior import cause_probabilities, concluded_causes, plausible_pairs
from maththera.tutoring.problems.informative_problems import distinct_answers, suspected_hypotheses
from tests.support.sessions import IMPULSIVE, Session, begin

DROPPED, FORGOTTEN = "sum_carry_dropped", "EXECUTION_L4_CARRY_FORGOTTEN"
LOST = "EXECUTION_L5_STEP_LOST"
COUNTED = "STRATEGY_L2_COUNT_ON_START"


def problem(text: str) -> Problem:
    return make_problem(*parse_expression(text))


def of(session: Session, tag: str, rules: Rules) -> float:
    return cause_probabilities(session.state["posterior"], session.state, rules).of(tag)


def arranged(session: Session, **keys: Any) -> Session:
    session.state = {**session.state, **keys}  # type: ignore[typeddict-item]
    return session


def test_each_cause_of_a_malrule_predicts_for_itself() -> None:
    both = ("carry_in_full|STRATEGY_L4_PLACEVALUE", "carry_in_full|SPATIAL_L4_ALIGNMENT")
    assert [predictions(problem("28+15"), None).get(key) for key in both] == [313, 313]
    assert [predictions(problem("20+15"), "carry").get(key) for key in both] == [None, ANY_WRONG]


def test_a_cause_that_needs_big_numbers_predicts_nothing_without_them() -> None:
    neighbour, counting = "one_group_more|EXECUTION_L6_TABLE_NEIGHBOUR", "one_group_more|STRATEGY_L6_SKIP_COUNT"
    assert neighbour not in predictions(problem("3x4"), None)
    assert predictions(problem("3x4"), None)[counting] == 15
    assert predictions(problem("7x8"), None)[neighbour] == 63


def test_what_is_held_out_predicts_nothing() -> None:
    assert not [key for key in predictions(problem("47+26"), None, {DROPPED}) if key.startswith(DROPPED)]


def test_one_answer_makes_a_cause_likelier_and_a_right_one_less_likely(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0).answer(63)
    once = of(session, FORGOTTEN, rules)
    assert 0.1 < once < 0.95
    right = log_likelihoods(
        AnsweredTask(problem("58+27"), (), None, aided=False),
        {**session.state["observation"], "answer": 85, "malrules": [], "tap": False},  # type: ignore[typeddict-item]
        rules,
    )
    assert right[f"{DROPPED}|{FORGOTTEN}"][0] < -1


def test_a_right_answer_with_an_aid_speaks_against_nothing(rules: Rules) -> None:
    seen = begin(rules, "47+26", 8, 8.0).answer(73).state["observation"]
    assert seen is not None
    shown = AnsweredTask(problem("47+26"), (), None, aided=True)
    assert set(log_likelihoods(shown, seen, rules)) == {IMPULSE}


def test_quick_answers_say_nothing_but_that_they_were_quick(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0).answer(5, IMPULSIVE)
    assert set(session.state["posterior"]) == {IMPULSE}
    assert of(session, IMPULSE, rules) > 0.5


def test_a_cause_of_the_records_is_likelier_from_the_start(rules: Rules) -> None:
    fresh = begin(rules, "47+26", 8, 8.0).answer(63)
    known = begin(rules, "47+26", 8, 8.0, frequent_cause=FORGOTTEN).answer(63)
    assert of(known, FORGOTTEN, rules) > of(fresh, FORGOTTEN, rules)


def test_other_operations_do_not_compete(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0)
    one = {f"{DROPPED}|{FORGOTTEN}": [6.0, 2, 0], "x|UNKNOWN": [20.0, 5, 0]}
    belief = cause_probabilities(one, session.state, rules)
    assert belief.of(FORGOTTEN) > 0.8
    assert belief.of(UNKNOWN) > 0.9


def test_much_less_likely_pairs_are_ruled_out(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0)
    pairs = [[DROPPED, FORGOTTEN], ["ones_never_added", "EXECUTION_L5_STEP_LOST"]]
    assert plausible_pairs(pairs, {}, session.state, rules) == pairs
    assert plausible_pairs(pairs, {f"{DROPPED}|{FORGOTTEN}": [4.0, 1, 0]}, session.state, rules) == pairs[:1]


def test_the_conclusion_is_what_was_stated_or_unknown_or_nothing(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0)
    assert concluded_causes(session.state, rules) == []
    assert concluded_causes(arranged(session, posterior={"+|UNKNOWN": [8.0, 3, 0]}).state, rules) == [UNKNOWN]
    assert concluded_causes(arranged(session, stated=[FORGOTTEN]).state, rules) == [FORGOTTEN]


def test_what_a_session_remembers_is_bounded(rules: Rules) -> None:
    many = {f"{DROPPED}|{index}": [-float(index), int(index == 0), 0] for index in range(200)}
    session = arranged(begin(rules, "47+26", 8, 8.0), posterior=many).answer(63)
    kept = session.state["posterior"]
    assert len(kept) == rules.numbers.evidence.kept
    assert {f"{DROPPED}|0", f"{DROPPED}|199", f"{DROPPED}|{FORGOTTEN}"} <= set(kept)


@pytest.mark.parametrize(("first", "second", "parted"), [
    ("count_back_one_less|STRATEGY_L2_COUNT_BACK_START", "ten_left_too_large|CONCEPT_L3_TEN_PARTNERS", False),
    ("count_back_one_less|STRATEGY_L2_COUNT_BACK_START", "subtrahend_repeated|CONCEPT_L2_TAKING_AWAY", True),
])  # fmt: skip
def test_a_problem_tells_causes_apart_where_they_differ(first: str, second: str, parted: bool, rules: Rules) -> None:
    assert distinct_answers(problem("15-7"), [first, second], rules) == (3 if parted else 2)
    assert distinct_answers(problem("15+8"), [first, second], rules) == 0


@pytest.mark.parametrize(
    ("one_step", "more", "key"),
    [("7+1", "7+2", "count_on_one_less|STRATEGY_L2_COUNT_ON_START"),
     ("7-1", "7-2", "count_back_one_less|STRATEGY_L2_COUNT_BACK_START")],
)  # fmt: skip
def test_the_next_number_is_known_by_heart(one_step: str, more: str, key: str, rules: Rules) -> None:
    """A child that counts from itself is mostly right about one more: that says nothing against it, two more does."""
    assert answered(one_step, problem(one_step).answer, rules).get(key, 0.0) == 0
    assert answered(more, problem(more).answer, rules)[key] < -1
    assert answered(one_step, 7, rules)[key] > 0


def test_practice_shows_what_parts_the_suspects(rules: Rules) -> None:
    """11−6 → 6 counts back wrongly or repeats the 6; afterwards a problem comes where those two differ."""
    suspected = {
        "count_back_one_less|STRATEGY_L2_COUNT_BACK_START": [4.0, 1, 0],
        "subtrahend_repeated|CONCEPT_L2_TAKING_AWAY": [4.0, 1, 0],
    }
    session = arranged(
        begin(rules, "15-7", 9, 8.0, policy={"advance": "streak", "promotion_streak": 9}), posterior=suspected
    ).right()
    hypotheses = suspected_hypotheses(session.state, rules)
    assert distinct_answers(session.problem, hypotheses, rules) > 2


def test_the_same_wrong_answer_to_the_same_problem_says_nothing_new(rules: Rules) -> None:
    """Any child who errs again on the same problem repeats its answer, also after other problems."""
    session, key = begin(rules, "47+26", 8, 8.0).answer(63), f"{DROPPED}|{FORGOTTEN}"
    before = session.state["posterior"][key]
    shown = session.task["problem_id"]
    session.state = {**session.state, "task": {**session.task, "problem_id": "X:8+6:h", "choices": []}}
    assert session.right().state["mistakes"] == {"26+47": [63]}
    session.state = {**session.state, "task": {**session.task, "problem_id": shown, "choices": []}}
    between = session.state["posterior"][key]
    assert session.answer(63).state["posterior"][key] == between
    assert between[1] == before[1] == 1


def test_nor_does_it_where_another_one_came_between(rules: Rules) -> None:
    session = arranged(begin(rules, "47+26", 8, 8.0), mistakes={"26+47": [63]}).answer(89)
    assert session.state["mistakes"] == {"26+47": [63, 89]}
    session = arranged(begin(rules, "47+26", 8, 8.0), mistakes=session.state["mistakes"]).answer(63)
    assert f"{DROPPED}|{FORGOTTEN}" not in session.state["posterior"]


def test_nor_does_the_wrong_answer_to_the_original_at_its_moved_problem(rules: Rules) -> None:
    """10+50 and 60+0 have the same answer: who says 70 twice may only repeat it."""
    session = begin(rules, "10+50")
    moved = {**session.task, "kind": "bridge", "problem_id": "X:60+0:h", "choices": []}
    asked_alone = arranged(begin(rules, "10+50"), task=moved).answer(70).state["posterior"]
    assert asked_alone["always_carries|EXECUTION_L4_CARRY_UNNEEDED"][1] == 1
    original = {"original_problem": session.task["problem_id"], "mistakes": {"10+50": [70]}}
    repeated = arranged(session, task=moved, **original).answer(70).state["posterior"]
    assert not any(hits for _, hits, _ in repeated.values())


def test_a_far_answer_is_the_less_a_slip_the_larger_the_numbers_are() -> None:
    assert slip_likelihood(problem("412-137"), 133, ()) < slip_likelihood(problem("8+6"), 3, ())
    assert slip_likelihood(problem("47+26"), 37, ()) > slip_likelihood(problem("47+26"), 38, ())


def test_digits_changed_over_are_a_slip_where_a_nought_comes_first_too() -> None:
    assert slip_likelihood(problem("89+1"), 9, ()) == slip_likelihood(problem("78+1"), 97, ())


def answered(text: str, answer: int, rules: Rules, *, tap: bool = False, **task: Any) -> Mapping[str, float]:
    """Hypothesis → what the answer to a task adds to its weight."""
    one = problem(text)
    seen: Any = {"answer": answer, "tap": tap, "impulsive": False, "malrules": [], "correct": answer == one.answer}
    shown = AnsweredTask(one, task.pop("choices", ()), task.pop("removed", None), aided=False, **task)
    return {key: weight for key, (weight, _, _) in log_likelihoods(shown, seen, rules).items()}


def test_without_a_procedure_a_near_answer_is_likelier_than_a_far_one(rules: Rules) -> None:
    """Where nothing is learnt yet, "one less" is what many a child says, and so shows less of a procedure."""
    less, added = "quotient_one_less|STRATEGY_L6_SKIP_COUNT", "quotient_subtracted|CONCEPT_L6_DIVISION_MEANING"
    near, far = answered("8/2", 3, rules, unlearnt=0.6)[less], answered("32/2", 30, rules, unlearnt=0.6)[added]
    assert near < far - 1
    assert near < 2.5


def test_a_tap_of_the_right_answer_says_less_where_the_own_one_could_not_be_tapped(rules: Rules) -> None:
    key = f"{DROPPED}|{FORGOTTEN}"
    shown = ([63, 72, 73, 74], [71, 72, 73, 74])
    could, could_not = (answered("47+26", 73, rules, tap=True, choices=choices)[key] for choices in shown)
    assert could < could_not < 0


def test_the_same_answer_to_a_probe_speaks_against_what_the_probe_took_out(rules: Rules) -> None:
    sign, meaning = "product_added|ATTENTION_L0_OPERATION_SWITCH", "product_added|CONCEPT_L6_MULTIPLICATION_MEANING"
    again = answered("2x5", 7, rules, removed="operation", repeated=[7])
    assert again[sign] < -1
    assert meaning not in again
    assert {sign, meaning}.isdisjoint(answered("2x5", 7, rules, repeated=[7]))


def test_a_wrong_number_in_a_step_of_an_example_shows_a_procedure(rules: Rules) -> None:
    """It is no miss; and a right one, with the example before the child's eyes, speaks against nothing."""
    session, key = begin(rules, "28+15", 8, 7.0).answer(13).right().right().answer(44), f"count_on_one_less|{COUNTED}"
    before = session.state["posterior"]
    assert (session.task["kind"], session.task["prompt"]) == ("worked_example", "20+10=□")
    assert session.right().state["posterior"] == before
    assert session.task["prompt"] == "8+5=□"
    weight, explained, _ = session.answer(12).state["posterior"][key]
    assert weight > before.get(key, [0.0])[0]
    assert explained == 1


def test_a_cause_holds_while_most_of_what_it_predicted_came(rules: Rules) -> None:
    key, state = f"{DROPPED}|{FORGOTTEN}", begin(rules, "47+26", 8, 8.0).state

    def holds(hits: int, otherwise: int) -> bool:
        return cause_probabilities({key: [9.0, hits, otherwise]}, state, rules).holds(FORGOTTEN, rules.numbers.evidence)

    assert [holds(2, 0), holds(3, 3), holds(3, 4)] == [True, True, False]


def test_a_cause_that_no_longer_holds_is_not_concluded(rules: Rules) -> None:
    session = arranged(begin(rules, "47+26", 8, 8.0), posterior={f"{DROPPED}|{FORGOTTEN}": [0.0, 2, 4]})
    assert concluded_causes(arranged(session, stated=[FORGOTTEN]).state, rules) == []


def test_two_answers_name_a_cause_at_the_end_that_is_not_stated_yet(rules: Rules) -> None:
    session = arranged(begin(rules, "47+26", 8, 8.0), posterior={f"{DROPPED}|{FORGOTTEN}": [4.5, 2, 0]})
    assert 0.6 < of(session, FORGOTTEN, rules) < 0.84
    assert concluded_causes(session.state, rules) == [FORGOTTEN]


@pytest.mark.parametrize(("before", "asked"), [(0, True), (1, False), (2, False)])
def test_a_model_is_asked_about_the_first_unexplained_answer_of_an_operation(
    before: int, asked: bool, rules: Rules
) -> None:
    unexplained = {"+|UNKNOWN": [1.0, before, 0], "x|UNKNOWN": [1.0, 9, 0]}
    session = arranged(begin(rules, "47+26", 8, 8.0), posterior=unexplained)
    assert posterior.may_ask_model(session.state, rules) is asked


def test_where_a_skill_may_not_be_learnt_an_error_says_less(rules: Rules) -> None:
    seen = begin(rules, "47+26", 8, 8.0).answer(63).state["observation"]
    assert seen is not None
    known, new = (
        log_likelihoods(AnsweredTask(problem("47+26"), (), None, False, unlearnt=one), seen, rules)
        for one in (0.0, 0.6)
    )
    for key in (f"{DROPPED}|{FORGOTTEN}", "+|UNKNOWN"):
        assert new[key][0] < known[key][0]


def test_an_error_in_what_was_missed_before_says_less_than_in_what_an_adult_chose(rules: Rules) -> None:
    missed = Knowledge.start(rules.knowledge, 0).after(Evidence("C8.carry_ones", right=False, day=0))
    chosen, asked = begin(rules, "47+26", 8, 8.0), begin(rules, "47+26", 8, 8.0, knowledge=missed.snapshot())
    assert of(asked.answer(63), FORGOTTEN, rules) < of(chosen.answer(63), FORGOTTEN, rules)


def test_the_first_of_causes_that_nothing_told_apart_is_concluded(rules: Rules) -> None:
    ones = f"ones_never_added|{LOST}"
    session = begin(rules, "47+26", 8, 8.0)

    def concluded(*explained: int) -> list[str]:
        found = {key: [7.0, one, 0] for key, one in zip((f"{DROPPED}|{FORGOTTEN}", ones), explained, strict=True)}
        return concluded_causes(arranged(session, posterior=found).state, rules)

    assert concluded(2, 2) == [FORGOTTEN]
    assert concluded(1, 2) == [LOST]
    assert concluded(1, 1) == []


def test_a_settled_cause_is_practised(rules: Rules) -> None:
    key = f"{DROPPED}|{FORGOTTEN}"
    session = arranged(
        begin(rules, "47+26", 8, 8.0), posterior={key: [9.0, 2, 0], f"ones_never_added|{LOST}": [3.0, 1, 0]}
    )
    assert suspected_hypotheses(session.state, rules) == [key]
    quick = arranged(session, posterior={IMPULSE: [9.0, 3, 0], key: [3.0, 1, 0]})
    assert suspected_hypotheses(quick.state, rules) == []


def test_what_explained_answers_goes_on_in_the_next_session(rules: Rules) -> None:
    session, key = begin(rules, "47+26", 8, 8.0).answer(63), f"{DROPPED}|{FORGOTTEN}"
    weight, explained, _ = session.state["posterior"][key]
    suspected = session.turns[-1].learner.suspected
    assert suspected[key][:2] == [weight, explained]
    assert {tag_of(one) for one in suspected}.isdisjoint({UNKNOWN, IMPULSE})
    later = begin(rules, "58+27", 8, 8.0, suspected=suspected)
    assert of(later.answer(75), FORGOTTEN, rules) > of(begin(rules, "58+27", 8, 8.0).answer(75), FORGOTTEN, rules)


def test_what_right_answers_spoke_against_is_no_longer_suspected() -> None:
    both = {f"{DROPPED}|{FORGOTTEN}": [-1.0, 1, 0], f"ones_never_added|{LOST}": [2.0, 1, 0], "+|UNKNOWN": [3.0, 2, 0]}
    assert posterior.suspected_later(both) == {f"ones_never_added|{LOST}": [2.0, 1, 0]}


def test_what_wrong_answers_spoke_against_is_not_forgotten(rules: Rules) -> None:
    """Else what explains one answer by chance, session after session, is stated in the end."""
    session, key = begin(rules, "47+26", 8, 8.0).answer(89), f"{DROPPED}|{FORGOTTEN}"
    suspected = session.turns[-1].learner.suspected
    assert suspected[key][0] < 0
    assert suspected[key][1:] == [0, 1]
    later = begin(rules, "58+27", 8, 8.0, suspected=suspected)
    assert of(later.answer(75), FORGOTTEN, rules) < of(begin(rules, "58+27", 8, 8.0).answer(75), FORGOTTEN, rules)
