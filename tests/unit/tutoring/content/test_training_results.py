"""What a training's answers are worth."""

from typing import Any

import pytest

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.content.training_results import fits, judged, practised
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
    assert practised(training, {"items": answered(rules, "T12")}) == (True, True)
    assert practised(training, {"items": answered(rules, "T12", shown=True), "done": True}) == (False, False)
    assert practised(training, {"items": answered(rules, "T12")[:1]}) == (True, False)
    assert practised(training, {"items": 6, "right": 5}) == (True, True)
    assert practised(training, {"items": 6, "right": 2, "done": False}) == (False, False)


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


def test_above_its_rule_it_is_help_with_the_skill(rules: Rules) -> None:
    session = in_training(rules)
    skill_id = session.state["practice"]["last"]
    assert skill_id is not None
    before = rules.session_knowledge.at(session.state)[skill_id].aided
    session.send("training_done", training_id="T21", results={"items": answered(rules, "T21")})
    assert session.rows[-1] == "32"
    assert rules.session_knowledge.at(session.state)[skill_id].aided == before + 1
