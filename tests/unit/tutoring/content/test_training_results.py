"""What a training's answers are worth."""

from typing import Any

import pytest

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.content.training_results import Outcome, fits, judged, outcome
from tests.support.sessions import Session, begin


def answered(rules: Rules, training_id: str, **more: Any) -> list[dict[str, Any]]:
    """Items of a training, each step right."""
    plan = rules.catalogue.trainings[training_id]
    items = plan.training(plan.draw(earlier=0, seed=1, level=8, limit=None)).items
    return [
        {"item_id": item.id, "answers": [step.answer for step in item.steps], "tries": [1] * len(item.steps), **more}
        for item in items
    ]


@pytest.mark.parametrize(
    ("given", "answer", "right"),
    [(14, 14, True), ("십사", 14, True), ("2", "2번", True), ("빌려오기", "빌려 오기", True), (None, 3, False),
     ("7x8", "7×8", True), ("15", 14, False)],
)  # fmt: skip
def test_an_answer_fits_as_a_keyboard_writes_it(given: int | str | None, answer: int | str, right: bool) -> None:
    assert fits(given, answer) == right


def test_an_item_is_right_by_its_last_step_at_the_second_try_and_unshown(rules: Rules) -> None:
    training = rules.catalogue.trainings["T12"]
    first = answered(rules, "T12")[0]
    assert judged(training, [first]) == [True]
    assert judged(training, [{**first, "answers": [9, 9, first["answers"][-1]]}]) == [True]
    assert judged(training, [{**first, "answers": [*first["answers"][:-1], 99]}]) == [False]
    assert judged(training, [{**first, "tries": [1, 1, 3]}]) == [False]
    assert judged(training, [{**first, "shown": True}]) == [False]
    assert judged(training, [{**first, "answers": first["answers"][-1:]}]) == [False]
    assert judged(training, [{**first, "skipped": "no_voice"}]) == []


def test_the_client_is_not_believed_where_it_tells_of_items(rules: Rules) -> None:
    training = rules.catalogue.trainings["T12"]
    assert outcome(training, {"items": answered(rules, "T12")}) == "met"
    assert outcome(training, {"items": answered(rules, "T12", shown=True), "done": True}) == "nothing"
    assert outcome(training, {"items": answered(rules, "T12")[:1]}) == "below"


@pytest.mark.parametrize(
    ("results", "how"),
    [
        ({"items": 6, "right": 5}, "met"),
        ({"correct": 5, "of": 6}, "met"),
        ({"correct": 5}, "met"),
        ({"correct": 1, "of": 6}, "below"),
        ({"correct": 1, "of": 6, "done": True}, "below"),
        ({"correct": 6, "of": 12}, "below"),
        ({"items": 6, "right": 5, "done": False}, "below"),
        ({"right": 0}, "nothing"),
        ({"done": True}, "met"),
        ({"done": False}, "below"),
        ({}, "unknown"),
        ({"right": "five"}, "unknown"),
    ],
)
def test_flat_results_are_held_to_the_rule(rules: Rules, results: dict[str, Any], how: Outcome) -> None:
    """Five of the last six; without numbers the client's word counts, and nothing said is nothing known."""
    assert outcome(rules.catalogue.trainings["T12"], results) == how


@pytest.mark.parametrize(("off", "right"), [(0, True), (5, True), (-5, True), (6, False)])
def test_a_place_on_a_line_is_near_enough(rules: Rules, off: int, right: bool) -> None:
    plan = rules.catalogue.trainings["T03"]
    ids = plan.draw(earlier=1, seed=1, level=8, limit=None)
    item = next(one for one in plan.training(ids).items if one.params["high"] == 100)
    place = item.steps[0].answer
    assert isinstance(place, int)
    assert judged(plan, [{"item_id": item.id, "answers": [place + off]}]) == [right]


def in_training(rules: Rules) -> Session:
    session = begin(rules, "47+26", 8, 8.0)
    session.state = {**session.state, "loops": {"EXECUTION_L4_CARRY_FORGOTTEN": 2}}
    session.answer(63)
    while session.task["kind"] == "worked_example":
        session.right()
    assert session.task["training_id"] == "T21"
    return session


def test_below_its_rule_it_comes_again_with_other_items_and_then_goes_on(rules: Rules) -> None:
    session = in_training(rules)
    first = session.response["task"]["training"]["items"]
    for item in first:
        assert max(item["params"]["a"], item["params"]["b"], item["steps"][-1]["answer"]) <= 73  # 47+26
    session.send("training_done", training_id="T21", results={"items": answered(rules, "T21")[:1]})
    assert (session.rows[-1], session.task["kind"]) == ("32n", "training")
    assert {one["id"] for one in session.response["task"]["training"]["items"]}.isdisjoint(one["id"] for one in first)
    session.send("training_done", training_id="T21", results={"items": []})
    assert (session.rows[-1], session.task["kind"]) == ("32l", "problem")
    assert session.state["trained"] == []
    assert session.turns[-1].learner.trained == {}


def test_a_training_is_never_harder_than_what_failed(rules: Rules) -> None:
    """10−4: the training of the columns has no number below 20, so another one of the cause comes."""
    session = begin(rules, "11-8", 9, 8.0)
    cause = "CONCEPT_L6_SUBTRACTION_COMMUTES"
    session.state = {**session.state, "loops": {cause: 2}, "evidence": {cause: 3}}
    session.answer(17)
    while session.task["kind"] == "worked_example":
        session.right()
    assert (session.task["kind"], session.task["training_id"]) == ("training", "T13")
    for item in session.response["task"]["training"]["items"]:
        numbers = [one for one in (*item["params"].values(), item["steps"][-1]["answer"]) if isinstance(one, int)]
        assert max(numbers) <= 11


def test_results_that_are_not_told_are_no_evidence_and_no_reason_to_repeat(rules: Rules) -> None:
    session = in_training(rules)
    session.send("training_done", training_id="T21", results={})
    assert (session.rows[-1], session.turns[-1].learner.evidence) == ("32", [])
    assert session.state["trained"] == ["T21"]


def test_a_training_after_the_end_counts_only_when_something_was_right(rules: Rules) -> None:
    for results, trained in (({"right": 0}, []), ({"right": 3}, ["T12"])):
        session = begin(rules, "8+6", 7, 4.5).answer(14, 12_000, ["OBS_OVERRELIANCE_COUNTING"]).stop()
        assert "T12" in session.state["offered"]
        session.send("training_done", training_id="T12", results=results)
        assert session.state["trained"] == trained


def test_above_its_rule_it_is_help_with_the_skill(rules: Rules) -> None:
    session = in_training(rules)
    skill_id = session.state["practice"]["last"]
    assert skill_id is not None
    before = rules.session_knowledge.at(session.state)[skill_id].aided
    session.send("training_done", training_id="T21", results={"items": answered(rules, "T21")})
    assert session.rows[-1] == "32"
    assert rules.session_knowledge.at(session.state)[skill_id].aided == before + 1
