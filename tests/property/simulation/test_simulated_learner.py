"""Whatever child is drawn and whatever it is shown, it answers something possible."""

from functools import cache
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from maththera.settings import home
from maththera.simulation.parameters import load_parameters
from maththera.simulation.population import Population
from maththera.simulation.simulated_learner import Input, ShownTask
from maththera.tutoring.problems.task_presentation import tap_choices
from tests.support.tutoring import rules


@cache
def population(kind: Input) -> Population:
    return Population(rules(), load_parameters(home(), rules()), seed=9, input_kind=kind)


@given(index=st.integers(0, 5000), place=st.integers(0, 15_052), kind=st.sampled_from(["typed", "taps"]))
def test_every_answer_is_possible(index: int, place: int, kind: Input) -> None:
    problem = rules().bank.problem(f"P-{place + 1:05}")
    offered = tap_choices(problem, index) if index % 2 else []
    learner = population(kind).child(index).learner
    response = learner.respond(ShownTask(problem, offered, None))
    assert response.answer >= 0
    assert 250 <= response.rt_ms < 600_000
    if offered and kind == "taps":
        assert response.answer in offered
    if response.origin in ("defect", "slip", "unknown"):
        assert response.answer != problem.answer


@given(index=st.integers(0, 5000), seed=st.integers(0, 99))
def test_a_defect_only_ever_weakens(index: int, seed: int) -> None:
    learner, chance = population("typed").child(index).learner, Random(seed)  # noqa: S311 - repeatable on purpose
    strengths = [learner.strength]
    for _ in range(12):
        if chance.random() < 0.5:
            learner.train(matched=chance.random() < 0.5)
        else:
            learner.practise(
                rules().bank.problem(f"P-{chance.randrange(len(rules().bank)) + 1:05}"), matched=chance.random() < 0.5
            )
        strengths.append(learner.strength)
    assert strengths == sorted(strengths, reverse=True)
    assert 0 <= strengths[-1] <= 1
