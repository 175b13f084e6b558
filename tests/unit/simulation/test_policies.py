"""What leads a child to mastery, and processes that share the work."""

from dataclasses import replace
from itertools import combinations

import pytest

from maththera.settings import home
from maththera.simulation.experiment import COMPARED, policies
from maththera.simulation.parameters import Parameters
from maththera.simulation.policies import Course, Policy, steps_to_mastery
from maththera.simulation.population import Population
from maththera.simulation.session_runs import Setup, processes
from maththera.tutoring.content.session_rules import Rules
from tests.unit.simulation.conftest import Laboratories

CHILDREN = range(15)


def steps(rules: Rules, parameters: Parameters, policy: Policy) -> list[int]:
    population = Population(rules, parameters, seed=4, kinds=("malrule",))
    course = Course(rules, population, policy, limit=120, session={})
    return [course.steps(index) for index in CHILDREN]


@pytest.fixture(scope="module")
def informed(rules: Rules, parameters: Parameters) -> list[int]:
    return steps(rules, parameters, "informed")


def test_oracle_and_informed_tutor_differ_only_where_an_error_is_not_the_defects(
    rules: Rules, parameters: Parameters, informed: list[int]
) -> None:
    knowledge = parameters.knowledge.model_copy(update={"fails_above": 0.0})
    only_by_defect = parameters.model_copy(update={"slip": 0.0, "knowledge": knowledge})
    assert steps(rules, only_by_defect, "oracle") == steps(rules, only_by_defect, "informed")
    assert steps(rules, parameters, "oracle") != informed


def test_who_is_told_the_cause_is_sooner_there_than_who_guesses(
    rules: Rules, parameters: Parameters, informed: list[int]
) -> None:
    assert sum(informed) < sum(steps(rules, parameters, "random"))


@pytest.mark.slow
def test_progress_counts_every_child_in_any_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maththera.simulation.policies._CHUNK", 2)
    setup, told = Setup(learners=5, seed=4, kinds=("malrule",)), list[int]()
    found = [steps_to_mastery(home(), setup, "tutor", workers, told.append) for workers in (1, 2)]
    assert found[0] == found[1]
    assert told == [2, 2, 1, 2, 2, 1]


def test_each_policy_that_is_compared_leads_children_in_a_way_of_its_own(laboratories: Laboratories) -> None:
    setup = Setup(learners=len(CHILDREN), seed=4, transcript=True)
    ways = [
        [record.transcript for record in laboratories.make(replace(setup, policy=policy)).run(CHILDREN)]
        for policy in COMPARED.values()
    ]
    assert all(one != other for one, other in combinations(ways, 2))


def test_the_seeds_policy_is_a_streak_of_one(laboratories: Laboratories) -> None:
    setup, streak = Setup(learners=len(CHILDREN), seed=4), {"advance": "streak", "promotion_streak": 1}
    seeds, ones = (
        laboratories.make(replace(setup, policy=policy)).run(CHILDREN) for policy in (COMPARED["seed"], streak)
    )
    assert seeds == ones


@pytest.mark.slow
def test_the_comparison_has_a_column_for_each_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A course to mastery takes as long as ten sessions: five for each column, not twenty."""
    monkeypatch.setattr("maththera.simulation.experiment._FEWEST", 5)
    found = policies(home(), Setup(learners=20, seed=4, problems=3), 1, lambda *_: None)
    assert list(found) == list(COMPARED)
    assert all(one["steps_to_mastery"].value for one in found.values())
    assert len({one["steps_to_mastery"].value for one in found.values()}) > 1


def _no_preparation() -> None:
    pass


def test_an_interrupted_run_does_not_do_what_is_left_of_it() -> None:
    left = []
    with pytest.raises(KeyboardInterrupt), processes(1, _no_preparation) as pool:  # noqa: PT012 - what is interrupted
        left = [pool.submit(sum, range(3_000_000)) for _ in range(300)]
        raise KeyboardInterrupt
    assert any(future.cancelled() for future in left)
