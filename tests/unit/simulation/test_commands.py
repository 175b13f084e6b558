"""`maththera simulate` on the command line."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maththera.cli import app
from maththera.config_files import ConfigError
from maththera.settings import home
from maththera.simulation.measures import KEYS
from maththera.simulation.parameters import load_parameters
from maththera.tutoring.content.session_rules import Rules

RUNNER = CliRunner()


@pytest.mark.slow
def test_it_shows_the_table_and_writes_both_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With five children where the command takes twenty at least: most of the time are their courses to mastery."""
    monkeypatch.setattr("maththera.simulation.experiment._FEWEST", 5)
    figures, page = tmp_path / "figures.json", tmp_path / "report.html"
    found = RUNNER.invoke(
        app,
        [
            "simulate",
            "--learners",
            "20",
            "--problems",
            "3",
            "--workers",
            "1",
            "--json",
            str(figures),
            "--html",
            str(page),
        ],
    )
    assert found.exit_code == 0, found.output
    assert "top1 accuracy" in found.output
    assert list(json.loads(figures.read_text())) == [*KEYS, "ci"]
    assert page.read_text().endswith("</html>\n")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["--json", "{folder}/none/figures.json"], "there is no folder"),
        (["--html", "{folder}"], "is a folder"),
        (["--learners", "5", "conditions"], "--learners stands after conditions"),
        (["fit-difficulty", "items.csv", "-o", "{folder}/none/model.json"], "there is no folder"),
    ],
)
def test_what_would_be_lost_is_refused_before_the_run(tmp_path: Path, given: list[str], reason: str) -> None:
    found = RUNNER.invoke(app, ["simulate", *(one.format(folder=tmp_path) for one in given)], env={"COLUMNS": "300"})
    assert found.exit_code == 2
    assert reason in found.output


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("slip: 0.1 ", "slip: x ", "slip: Input should be a valid number"),
        ("    STR_DOUBLE: 2400\n", "", "response_times.median_ms: "),
        ("  mixture: 0.06\n", "", "population: no share of mixture"),
        ("  healthy: 0.12", "  healthy: 0", "need a share above 0"),
        ("OBS_FINGER_COUNTING", "OBS_NOBODY", "slow_counting.observation: there is no observation OBS_NOBODY"),
        ("OBS_FINGER_COUNTING", "OBS_RETRIEVING", "slow_counting.observation: OBS_RETRIEVING has no cause with the "),
        ("6.0, 7.5]", "99]", "working_memory.limits[2]: no problem of the bank has a W above 99"),
        ("  sigma: 0.4 ", "  sigma: 1000 ", "response_times.sigma: Input should be less than or equal to 3"),
    ],
)
def test_a_fault_in_the_children_is_named(tmp_path: Path, rules: Rules, right: str, wrong: str, reason: str) -> None:
    write_fault(tmp_path, right, wrong)
    with pytest.raises(ConfigError) as fault:
        load_parameters(tmp_path, rules)
    assert "parameters.yaml:" in str(fault.value)
    assert reason in str(fault.value)


def test_the_command_tells_a_fault_in_the_children_however_many_processes(tmp_path: Path) -> None:
    shutil.copytree(home() / "configs", tmp_path / "configs", ignore=shutil.ignore_patterns("simulation"))
    write_fault(tmp_path, "  mixture: 0.06\n", "")
    found = RUNNER.invoke(app, ["simulate", "--workers", "2"], env={"MATHTHERA_HOME": str(tmp_path)})
    assert found.exit_code == 2, found.output
    assert "parameters.yaml:" in found.output
    assert "population: no share of mixture" in found.output


def write_fault(into: Path, right: str, wrong: str) -> None:
    """Writes the children's parameters with a fault."""
    shutil.copytree(home() / "configs" / "simulation", into / "configs" / "simulation")
    file = into / "configs" / "simulation" / "parameters.yaml"
    text = file.read_text(encoding="utf-8")
    assert right in text
    file.write_text(text.replace(right, wrong), encoding="utf-8")


def test_validate_w_shows_each_predictor(tmp_path: Path) -> None:
    items = tmp_path / "items.csv"
    items.write_text("expression,success_rate\n" + "".join(f"{a}+{a + 2},{1 - a / 20}\n" for a in range(1, 9)))
    found = RUNNER.invoke(app, ["simulate", "validate-w", str(items)])
    assert found.exit_code == 0, found.output
    predictors = ("W", "larger operand", "difficulty model", "knowledge model")
    assert all(name in found.output for name in ("items.csv", *predictors, "8 problems"))


def test_a_file_that_cannot_be_used_ends_with_its_reason(tmp_path: Path) -> None:
    found = RUNNER.invoke(app, ["simulate", "validate-w", str(tmp_path / "none.csv")])
    assert found.exit_code == 2
    assert "none.csv" in found.output
    assert "Traceback" not in found.output
