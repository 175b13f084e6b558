"""What is passed over without weighing it could not have been the most informative problem."""

from collections.abc import Sequence
from math import exp
from random import Random

import pytest

from maththera.arithmetic.curriculum import HIGHEST_C
from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import predictions, tag_of
from maththera.tutoring.practice.skill_problems import LADDERS
from maththera.tutoring.problems.informative_problems import unseen_error_problem
from maththera.tutoring.state import TutoringState
from tests.support.sessions import begin


def weighed(problems: Sequence[Problem], state: TutoringState, rules: Rules, start: int) -> Problem | None:
    """All of the problems that are looked at, each weighed in full, the first of the best."""
    posterior, known = state["posterior"], state["start"]["frequent_cause"]
    size, many = len(problems), min(len(problems), rules.numbers.evidence.looked_at)
    best, most = None, 0.0
    for problem in (problems[(start + step * size // many) % size] for step in range(many)):
        weight = float(len(predictions(problem, None)))
        for key in predictions(problem, None):
            doubt = exp(posterior[key][0]) - 1 if key in posterior and posterior[key][0] < 0 else 0.0
            weight += doubt
            if tag_of(key) == known:
                weight += (rules.numbers.evidence.known_cause - 1) * (1 + doubt)
        if weight > most + 1e-9:
            best, most = problem, weight
    return best


@pytest.mark.parametrize("known", [None, "CONCEPT_L6_TIMES_ONE"])
@pytest.mark.parametrize("c", range(1, HIGHEST_C + 1))
def test_the_problem_that_could_show_most_is_found(rules: Rules, c: int, known: str | None) -> None:
    chance = Random(c)  # noqa: S311 - repeatable on purpose
    level = rules.bank.level(c)
    for seed in range(6):
        first = chance.randrange(len(level))
        window = level[first : first + 60]
        keys = sorted({key for problem in window for key in predictions(problem, None)})
        some = chance.sample(keys, min(len(keys), 64))
        posterior = {key: [round(chance.gauss(-2, 3), 2), 0, 0] for key in some}
        state: TutoringState = {**begin(rules, frequent_cause=known).state, "posterior": posterior}
        found = unseen_error_problem(window, state, rules, start=seed, without=())
        assert found == weighed(window, state, rules, seed)


def test_no_procedure_shows_at_a_level_without_its_operations(rules: Rules) -> None:
    """So a suspect of another operation need not be looked for there."""
    for c in range(1, HIGHEST_C + 1):
        operations = {op for op, levels in LADDERS.items() if c in levels}
        level = rules.bank.level(c)
        assert {problem.op for problem in level} == operations
        for problem in level[::40]:
            shown = {key.partition("|")[0] for key in predictions(problem, None)}
            assert all(operations & set(CATALOGUE[name].ops) for name in shown)
