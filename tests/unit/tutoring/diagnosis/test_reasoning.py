"""What an adult reads about an answer: every step has a sentence, and the number in it is the one that decided."""

import re
from random import Random

import pytest

from maththera.arithmetic.malrules import CATALOGUE
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


def test_a_sentence_shows_the_childs_own_working(rules: Rules) -> None:
    found = given(begin(rules, "52-38", 10, 8.0).answer(26).state["diagnosis"])
    assert "52−38=[26]" in found["reasoning"]
