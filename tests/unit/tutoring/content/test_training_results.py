"""What a training's answers are worth."""

from typing import Any

import pytest

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.content.training_results import fits, fitting_items, judged, practised
from maththera.tutoring.content.trainings import LEAST_ITEMS
from tests.support.sessions import Session, begin


def answered(rules: Rules, training_id: str, **more: Any) -> list[dict[str, Any]]:
    """Every item, each step right."""
    items = rules.catalogue.trainings[training_id].items
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


def test_no_item_is_harder_than_what_failed(rules: Rules) -> None:
    failed = rules.bank.find(8, "+", 4, "horizontal")
    assert failed is not None
    training = rules.catalogue.trainings["T12"]
    for start in range(20):
        items = fitting_items(training, failed, start=start)
        assert len(set(items)) == len(items) >= max(training.done.of, LEAST_ITEMS)
        sums = [item.steps[-1].answer for item in training.items if item.id in items]
        smallest = sorted(int(item.steps[-1].answer) for item in training.items)[: len(items)]
        assert all(int(one) <= 12 for one in sums) or sorted(map(int, sums)) == smallest


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
    session.send("training_done", training_id="T21", results={"items": answered(rules, "T21")[:1]})
    assert (session.rows[-1], session.task["kind"]) == ("32n", "training")
    assert session.response["task"]["training"]["items"][0] != first[0]
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
