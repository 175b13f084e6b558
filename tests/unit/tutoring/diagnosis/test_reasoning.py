"""What an adult reads about an answer: every step has a sentence, and the number in it is the one that decided."""

import re
from random import Random

import pytest

from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.arithmetic.problem import Problem, make_problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import UNKNOWN
from maththera.tutoring.state import Diagnosis, given
from tests.support.sessions import FAST, SLOW, begin

PROBABILITY = re.compile(r"가능성 (\d+)%")
ERRING = tuple(name for name, rule in CATALOGUE.items() if rule.form == "result")


def diagnoses(rules: Rules, seed: int) -> list[Diagnosis]:
    """Those of a session of a child that follows a procedure most of the time, and slips."""
    chance = Random(seed)  # noqa: S311
    rule = CATALOGUE[chance.choice(ERRING)]
    a, op, b, _ = rule.example
    session = begin(rules, f"{a}{op}{b}", chance.choice((8, 10, 13)), 5.0, seed=seed)
    found = []
    for _ in range(25):
        task = session.state["task"]
        if task is None:
            break
        if task["kind"] == "training":
            session.train()
            continue
        problem = rules.bank.problem(given(task["problem_id"]))
        wrong = rule.apply(problem)
        answer = wrong if wrong is not None and wrong >= 0 and chance.random() < 0.7 else problem.answer
        if chance.random() < 0.15:
            answer = max(0, problem.answer + chance.choice((-10, -1, 1, 10, 100)))
        if chance.random() < 0.05:
            session.timeout()
        else:
            session.answer(answer, chance.choice((FAST, SLOW)))
        found.append(given(session.state["diagnosis"]))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_every_step_has_a_sentence_and_names_no_cause_that_it_doubts(rules: Rules, seed: int) -> None:
    for one in diagnoses(rules, seed):
        assert one["reasoning"]
        assert "STR_" not in one["reasoning"]
        named = [int(number) for number in PROBABILITY.findall(one["reasoning"])]
        if one["cause_tag"] not in (None, UNKNOWN):
            assert all(number >= 100 * rules.numbers.evidence.name_at for number in named), one["reasoning"]


@pytest.mark.parametrize(
    ("results", "says"),
    [
        ({"items": 6, "right": 5}, "연습 ‘올린 수 적기’: 정해진 만큼 맞혔어요."),
        ({"items": 6, "right": 1}, "연습 ‘올린 수 적기’: 정해진 만큼은 맞히지 못했어요."),
        ({"items": 6, "right": 0}, "연습 ‘올린 수 적기’: 맞힌 것이 없어요."),
        ({}, "연습 ‘올린 수 적기’: 몇 개를 맞혔는지는 몰라요."),
    ],
)
def test_a_training_has_a_sentence_too(rules: Rules, results: dict[str, int], says: str) -> None:
    session = begin(rules, "47+26", 8, 8.0)
    session.state = {**session.state, "loops": {"EXECUTION_L4_CARRY_FORGOTTEN": 2}}
    session.answer(63)
    while session.task["kind"] == "worked_example":
        session.right()
    session.send("training_done", training_id="T21", results=results)
    assert given(session.state["diagnosis"])["reasoning"] == says


def test_the_end_and_an_item_of_number_sense_have_one(rules: Rules) -> None:
    assert given(begin(rules, "47+26").stop().state["diagnosis"])["reasoning"] == "아이가 여기서 그만두었어요."
    assert given(begin(rules, "47+26").idle().state["diagnosis"])["reasoning"] == "오래 답이 없어 끝났어요."
    item = begin(rules, mode="number_sense", capabilities={"widgets": True}).slip()
    assert re.fullmatch(r"틀렸어요. 바른 답: \d+.", given(item.state["diagnosis"])["reasoning"])
    assert given(item.right().state["diagnosis"])["reasoning"].endswith("초 만에 맞혔어요.")
    assert given(item.timeout().state["diagnosis"])["reasoning"] == "정해진 시간 동안 답이 없었어요."


@pytest.mark.parametrize(
    ("asked", "answer", "working"),
    [
        ("28+15", 13, "28+15=[13]: 8+5만 썼어요."),
        ("52-38", 26, "52−38=[26]: 2−8 대신 8−2=6."),
        ("47+26", 63, "47+26=[63]: 7+6=13에서 올린 1을 더하지 않았어요."),
        ("27x4", 88, "27×4=[88]: 7×4=28에서 올린 수를 더하지 않았어요."),
    ],
)
def test_a_sentence_shows_the_childs_own_working(rules: Rules, asked: str, answer: int, working: str) -> None:
    session = begin(rules, asked).answer(answer)
    if session.rows == ["9"]:  # several causes of one procedure
        assert working.partition(": ")[2][:-1] in given(session.state["diagnosis"])["reasoning"]
    else:
        assert given(session.state["diagnosis"])["reasoning"].startswith(working)


def shown_on(rules: Rules) -> dict[str, list[Problem]]:
    """Malrule → problems on which it gives a wrong answer: its example, and a spread over the bank."""
    found: dict[str, list[Problem]] = {name: [] for name in CATALOGUE}
    for name, rule in CATALOGUE.items():
        a, op, b, _ = rule.example
        if rule.form == "result":
            found[name].append(make_problem(a, op, b))
    gaps = [make_problem(a, "-", b, form="addend") for a in range(2, 21) for b in range(1, a)]
    factors = [make_problem(a * b, "/", b, form="factor") for a in range(1, 10) for b in range(1, 10)]
    in_tens = [make_problem(a, "/", 10, form="tens") for a in range(10, 200, 10)]
    for problem in (*(one for c in range(1, 16) for one in rules.bank.level(c)[::5]), *gaps, *factors, *in_tens):
        for name in wrong_answers(problem):
            found[name].append(problem)
    return found


def test_every_procedure_tells_its_working_with_the_numbers_of_the_problem(rules: Rules) -> None:
    """No sentence stays open, and every equation in it is true, however wrong the answer is."""
    for name, problems in shown_on(rules).items():
        assert problems, f"{name} never shows"
        for problem in problems:
            said = CATALOGUE[name].worked(problem)
            where = f"{name} on {problem.expression}: {said}"
            assert re.search(r"\d", said), where
            assert said != CATALOGUE[name].title, where
            assert not re.match(r"[^\d가-힣]", said), where
            assert "  " not in said, where
            assert not re.search(r"[가-힣]$", said) or said.endswith("요"), where
            for left, right in re.findall(r"(?<![\d+−×÷])([\d+−×÷]+)=(\d+)", said):
                assert eval(left.translate(str.maketrans("−×", "-*")).replace("÷", "//")) == int(right), where  # noqa: S307
