"""CSVs of what real people did, and the difficulty model."""

from pathlib import Path

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.settings import home
from maththera.simulation import difficulty, reality
from maththera.simulation.reality import RealityError
from maththera.tutoring.difficulty import DifficultyModel, ModelError, load_model


def written(folder: Path, text: str) -> Path:
    path = folder / "items.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_items_with_success_rates_and_times(tmp_path: Path) -> None:
    found = reality.read(written(tmp_path, "expression,success_rate,response_time\n28+15,0.8,4.2\n7 × 8,0.6,3\n"))
    assert [(one.problem.answer, one.success, one.time) for one in found.items] == [(43, 0.8, 4.2), (56, 0.6, 3.0)]
    assert reality.explained(found).value is None


def test_trials_become_items_and_unusable_ones_are_left_out(tmp_path: Path) -> None:
    rows = "a,op,b,accuracy,rt_s\n7,x,8,1,2\n7,x,8,0,9\n7,x,8,1,4\n7,x,8,err,1\n9,-,4,1,err\n"
    found = reality.read(written(tmp_path, rows))
    assert [(one.problem.expression, one.success, one.time, one.trials) for one in found.items] == [
        ("7×8", pytest.approx(2 / 3), 3.0, 3)
    ]


def test_wrong_answers_are_held_against_the_malrules(tmp_path: Path) -> None:
    rows = "expression,correct,given_answer\n7x8,0,63\n7x8,0,11\n7x8,1,56\n"
    found = reality.explained(reality.read(written(tmp_path, rows)))
    assert found.value == 0.5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("expression\n1+1\n", "no column success_rate"),
        ("problem_text,success\n1+1,1\n", "neither a column"),
        ("expression,success\n1+1,err\n", "no row"),
        ("expression,success\nhello,1\n", ":2: 'hello' is not"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(RealityError, match=reason):
        reality.read(written(tmp_path, text))
    with pytest.raises(RealityError, match="No such file"):
        reality.read(tmp_path / "none.csv")


def test_predictions_by_operation(tmp_path: Path) -> None:
    rows = [f"{a}+{a + 1},{1 - a / 10}" for a in range(1, 9)] + [f"{a}x{a},{a / 10}" for a in range(1, 9)]
    found = reality.read(written(tmp_path, "expression,success\n" + "\n".join(rows)))
    rho = reality.predictions(found, {"larger operand": reality.SIMPLE["larger operand"]})
    assert rho["+", "success", "larger operand"].value == pytest.approx(-1)
    assert rho["x", "success", "larger operand"].value == pytest.approx(1)
    assert rho["all", "success", "larger operand"].value == pytest.approx(0, abs=0.2)
    assert ("all", "time", "larger operand") not in rho


def test_the_shipped_model_finds_larger_facts_harder() -> None:
    model = load_model(home() / "configs" / "difficulty.json")
    easy, tie, hard = (model.difficulty(make_problem(a, "x", b)) for a, b in ((2, 3), (7, 7), (7, 8)))
    assert easy < tie < hard
    assert model.fit["spearman_left_out"] > model.fit["spearman_w"]


def test_a_model_survives_its_file_and_a_broken_one_is_refused(tmp_path: Path) -> None:
    model = DifficultyModel(intercept=0.5, weights={"tie": -1.0}, fit={})
    difficulty.save(model, tmp_path / "model.json")
    assert load_model(tmp_path / "model.json") == model
    assert model.difficulty(make_problem(4, "+", 4)) == -0.5
    (tmp_path / "model.json").write_text('{"intercept": 0, "weights": {"colour": 1}, "fit": {}}')
    with pytest.raises(ModelError, match="no such feature as colour"):
        load_model(tmp_path / "model.json")
    with pytest.raises(ModelError):
        load_model(tmp_path / "none.json")


def test_a_fit_finds_what_made_the_times() -> None:
    pytest.importorskip("sklearn")
    problems = [make_problem(a, "x", b) for a in range(2, 10) for b in range(2, 10)]
    items = [reality.Item(one, None, 1 + one.answer / 20 - 0.5 * (one.a == one.b), 10) for one in problems]
    model = difficulty.fit({"made up": items})
    assert model.fit["spearman_left_out"] > 0.95
    assert model.weights["tie"] < 0
