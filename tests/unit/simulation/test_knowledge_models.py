"""Models of knowledge side by side: the figures are right, and no model sees what it predicts."""

import math
from pathlib import Path

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.simulation import human_data
from maththera.simulation.human_data import HumanDataError
from maththera.simulation.knowledge_models import compare, halves, quality, rated
from maththera.simulation.memory_population import Try, tries
from tests.support.tutoring import rules


def test_the_figures_of_a_perfect_a_useless_and_a_misleading_prediction() -> None:
    useless = quality([(0.5, True), (0.5, False)] * 10)
    assert (useless.log_loss, useless.brier, useless.ece, useless.auc) == (pytest.approx(math.log(2)), 0.25, 0, 0.5)
    perfect = quality([(1.0, True), (0.0, False)])
    assert (perfect.brier, perfect.ece, perfect.auc) == (0, 0, 1)
    misleading = quality([(0.1, True), (0.9, False)])
    assert (misleading.auc, misleading.ece) == (0, pytest.approx(0.9))


def test_answers_of_one_kind_alone_cannot_be_judged() -> None:
    with pytest.raises(ValueError, match="right and wrong"):
        quality([(0.9, True)])


@pytest.mark.slow
def test_every_model_beats_the_share_on_children_who_remember_and_forget() -> None:
    fitted, tested = halves(tries(rules().knowledge.skills, rules().bank, 24, seed=1))
    assert not {one.child for own in fitted for one in own} & {one.child for own in tested for one in own}
    found = compare(fitted, tested, rules().knowledge)
    assert set(found) == {"share", "tracing", "rating", "regression"}
    assert all(found[name].log_loss < found["share"].log_loss for name in ("tracing", "rating", "regression"))


def test_a_try_is_predicted_from_what_was_before_it() -> None:
    problem = make_problem(52, "-", 38)
    known = [Try("a", problem, day, right) for day, right in enumerate([True, True, True, False])]
    other = [*known[:3], Try("a", problem, 3, True)]
    before, after = rated([known], rules().knowledge), rated([other], rules().knowledge)
    assert [chance for chance, _ in before] == [chance for chance, _ in after]
    assert before[0][0] < before[1][0] < before[2][0] < before[3][0]


def test_the_same_seed_makes_the_same_children() -> None:
    skills, bank = rules().knowledge.skills, rules().bank
    assert tries(skills, bank, 2, seed=4) == tries(skills, bank, 2, seed=4)
    assert tries(skills, bank, 2, seed=4) != tries(skills, bank, 2, seed=5)


def test_trials_of_people_become_tries_on_their_days(tmp_path: Path) -> None:
    path = tmp_path / "trials.csv"
    path.write_text("participant,age,a,op,b,correct\np2,9,7,x,8,0\np1,10,7,x,8,1\np1,9,9,-,4,1\n", encoding="utf-8")
    found = [(one.child, one.problem.expression, one.day, one.right) for one in human_data.read_tries(path)]
    assert found == [("p1", "9−4", 3285, True), ("p1", "7×8", 3650, True), ("p2", "7×8", 3285, False)]


def test_items_are_no_tries(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("expression,success_rate\n7x8,0.6\n", encoding="utf-8")
    with pytest.raises(HumanDataError, match="participant"):
        human_data.read_tries(path)
