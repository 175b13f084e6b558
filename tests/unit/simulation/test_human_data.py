"""CSVs of what real people did, and the difficulty model."""

from pathlib import Path

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.knowledge.difficulty_model import DifficultyModel, ModelError, load_model
from maththera.settings import home
from maththera.simulation import difficulty_fit, human_data
from maththera.simulation.human_data import HumanDataError


def written(folder: Path, text: str) -> Path:
    path = folder / "items.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_items_with_success_rates_and_times(tmp_path: Path) -> None:
    found = human_data.read(written(tmp_path, "expression,success_rate,response_time\n28+15,0.8,4.2\n7 × 8,0.6,3\n"))
    assert [(one.problem.answer, one.success, one.time) for one in found.items] == [(43, 0.8, 4.2), (56, 0.6, 3.0)]
    assert human_data.explained(found).value is None


def test_trials_become_items_and_unusable_ones_are_left_out(tmp_path: Path) -> None:
    rows = "a,op,b,accuracy,rt_s\n7,x,8,1,2\n7,x,8,0,9\n7,x,8,1,4\n7,x,8,err,1\n9,-,4,1,err\n"
    found = human_data.read(written(tmp_path, rows))
    assert [(one.problem.expression, one.success, one.time, one.trials) for one in found.items] == [
        ("7×8", pytest.approx(2 / 3), 3.0, 3)
    ]


def test_wrong_answers_are_held_against_the_malrules(tmp_path: Path) -> None:
    rows = "expression,correct,given_answer\n7x8,0,63\n7x8,0,11\n7x8,1,56\n"
    found = human_data.explained(human_data.read(written(tmp_path, rows)))
    assert found.value == 0.5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("expression\n1+1\n", "no column success_rate"),
        ("problem_text,success\n1+1,1\n", "neither a column"),
        ("expression,success\n1+1,err\n", "no row"),
        ("expression,success\nhello,1\n", r"items\.csv:2:expression: 'hello' is not"),
        ("a,op,b,rt\n3,-,4,1\n", r"items\.csv:2:a,op,b: 3-4 has a negative answer"),
        ("expression,success\n3+4\n", r"items\.csv:2:row: 1 cells instead of 2"),
        ("expression,rt\n3+4,1,2\n", r"items\.csv:2:row: 3 cells instead of 2"),
        ("expression,success\n1+1,1\n\n3+4,90%\n", r"items\.csv:4:success: '90%' is no number"),
        ("expression,Success Rate\n3+4,1.5\n", r"items\.csv:2:Success Rate: 1\.5 is not between 0 and 1"),
        ("expression,rt\n3+4,-2\n", r"items\.csv:2:rt: -2 is not between 0 and inf"),
        ("expression,rt\n3+4,inf\n", r"items\.csv:2:rt: inf is not"),
        ("expression,success,given_answer\n3+4,0,x\n", r"items\.csv:2:given_answer: 'x' is no number"),
        ("expression,success\n3+4,x\n+4,y\n", r":2:success: .*\n.*:3:expression: .*\n.*:3:success: "),
        ("expression,success\n" + "3+4,x\n" * 25, "… and 5 more$"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(HumanDataError, match=reason):
        human_data.read(written(tmp_path, text))
    with pytest.raises(HumanDataError, match=r"none\.csv: No such file"):
        human_data.read(tmp_path / "none.csv")


def test_a_file_of_another_encoding_says_so(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_bytes("식,정답률\n".encode("cp949"))
    with pytest.raises(HumanDataError, match=r"items\.csv: is not written in UTF-8"):
        human_data.read(tmp_path / "items.csv")


def test_rows_that_say_they_have_no_number_are_counted(tmp_path: Path) -> None:
    found = human_data.read(written(tmp_path, "Expression,RT\n1+1,2\n1+2,N/A\n1+3,\n"))
    assert (len(found.items), found.left_out) == (1, 2)


def test_too_few_problems_are_not_compared(tmp_path: Path) -> None:
    found = human_data.read(written(tmp_path, "expression,rt\n1+1,2\n1+2,3\n"))
    with pytest.raises(HumanDataError, match="numbers for 2 problems"):
        human_data.predictions(found, human_data.SIMPLE)


def test_times_that_show_nothing_are_not_fitted() -> None:
    pytest.importorskip("sklearn")
    same = [human_data.Item(make_problem(a, "+", 1), 1.0, 2.0, 1) for a in range(9)]
    for items in (same, [human_data.Item(make_problem(a, "+", 1), 1.0, None, 1) for a in range(9)]):
        with pytest.raises(HumanDataError, match="made up: response times"):
            difficulty_fit.fit({"made up": items})


def test_predictions_by_operation(tmp_path: Path) -> None:
    rows = [f"{a}+{a + 1},{1 - a / 10}" for a in range(1, 9)] + [f"{a}x{a},{a / 10}" for a in range(1, 9)]
    found = human_data.read(written(tmp_path, "expression,success\n" + "\n".join(rows)))
    rho = human_data.predictions(found, {"larger operand": human_data.SIMPLE["larger operand"]})
    assert rho["+", "success", "larger operand"].value == pytest.approx(-1)
    assert rho["x", "success", "larger operand"].value == pytest.approx(1)
    assert rho["all", "success", "larger operand"].value == pytest.approx(0, abs=0.2)
    assert ("all", "time", "larger operand") not in rho


def test_the_shipped_model_finds_larger_facts_harder() -> None:
    model = load_model(home() / "configs" / "knowledge" / "difficulty_model.json")
    easy, tie, hard = (model.difficulty(make_problem(a, "x", b)) for a, b in ((2, 3), (7, 7), (7, 8)))
    assert easy < tie < hard
    assert model.fit["spearman_left_out"] > model.fit["spearman_w"]


def test_a_model_survives_its_file_and_a_broken_one_is_refused(tmp_path: Path) -> None:
    model = DifficultyModel(intercept=0.5, weights={"tie": -1.0}, fit={})
    (tmp_path / "model.json").write_bytes(difficulty_fit.as_json(model))
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
    items = [human_data.Item(one, None, 1 + one.answer / 20 - 0.5 * (one.a == one.b), 10) for one in problems]
    model = difficulty_fit.fit({"made up": items})
    assert model.fit["spearman_left_out"] > 0.95
    assert model.weights["tie"] < 0
