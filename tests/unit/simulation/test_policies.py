"""What leads a child to mastery, and processes that share the work."""

import pytest

from maththera.settings import home
from maththera.simulation.parameters import Parameters
from maththera.simulation.policies import Course, Policy, steps_to_mastery
from maththera.simulation.population import Population
from maththera.simulation.session_runs import Setup, processes
from maththera.tutoring.content.session_rules import Rules

CHILDREN = range(15)


def steps(rules: Rules, parameters: Parameters, policy: Policy) -> list[int]:
    population = Population(rules, parameters, seed=4, kinds=("malrule",))
    course = Course(rules, population, policy, limit=120, session={})
    return [course.steps(index) for index in CHILDREN]


def test_oracle_and_informed_tutor_differ_only_where_an_error_is_not_the_defects(
    rules: Rules, parameters: Parameters
) -> None:
    knowledge = parameters.knowledge.model_copy(update={"fails_above": 0.0})
    only_by_defect = parameters.model_copy(update={"slip": 0.0, "knowledge": knowledge})
    assert steps(rules, only_by_defect, "oracle") == steps(rules, only_by_defect, "informed")
    assert steps(rules, parameters, "oracle") != steps(rules, parameters, "informed")


def test_who_is_told_the_cause_is_sooner_there_than_who_guesses(rules: Rules, parameters: Parameters) -> None:
    told, guessing = (sum(steps(rules, parameters, policy)) for policy in ("informed", "random"))
    assert told < guessing


@pytest.mark.slow
def test_progress_counts_every_child_in_any_number_of_processes() -> None:
    setup, told = Setup(learners=12, seed=4, kinds=("malrule",)), list[int]()
    found = [steps_to_mastery(home(), setup, "tutor", workers, told.append) for workers in (1, 2)]
    assert found[0] == found[1]
    assert told == [10, 2, 10, 2]


def _no_preparation() -> None:
    pass


def test_an_interrupted_run_does_not_do_what_is_left_of_it() -> None:
    left = []
    with pytest.raises(KeyboardInterrupt), processes(1, _no_preparation) as pool:  # noqa: PT012 - what is interrupted
        left = [pool.submit(sum, range(3_000_000)) for _ in range(300)]
        raise KeyboardInterrupt
    assert any(future.cancelled() for future in left)
