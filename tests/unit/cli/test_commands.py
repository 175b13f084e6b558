"""The commands as they are called, and how they fail."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from maththera.arithmetic.problem_bank import Bank
from maththera.cli import app
from maththera.cli.terminal import play_session
from maththera.settings import home
from maththera.tutoring.session.session_start import Capabilities, NewSession


@pytest.fixture(autouse=True)
def _own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path))


def called(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_help_is_there_without_the_slow_imports() -> None:
    code = "import maththera.cli, sys; sys.exit(any(m in sys.modules for m in ('langgraph', 'sqlalchemy', 'fastapi')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    text = called("--help").output
    assert all(command in text for command in ("serve", "play", "bank", "tokens", "graph", "cost"))


@pytest.mark.slow
def test_service_is_loaded_without_what_only_some_need() -> None:
    """MCP's types take a fifth of the start, and are imported when a server is first opened."""
    rare = ("mcp", "mcp_types", "celery", "openai", "kiwipiepy", "alembic")
    code = f"import maththera.api.application, sys; print(*(m for m in {rare} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_version_is_that_of_the_installed_package() -> None:
    assert called("--version").output == f"maththera {version('maththera')}\n"


def test_the_terminal_says_what_it_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[NewSession] = []
    monkeypatch.setattr(play_session, "run", lambda wanted, **_: began.append(wanted))
    assert called("play").exit_code == 0
    assert began[0].capabilities == Capabilities(widgets=True, presentation=True)


def test_the_shipped_bank_is_good() -> None:
    result = called("bank", "check")
    assert result.exit_code == 0
    assert f"{len(Bank.load(home() / 'configs' / 'arithmetic' / 'problem_bank.csv')):,} problems" in result.output


def test_the_generator_writes_the_shipped_bank(tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    result = called("bank", "generate", str(path))
    assert result.exit_code == 0
    assert path.read_bytes() == (home() / "configs" / "arithmetic" / "problem_bank.csv").read_bytes()


def test_a_bad_bank_is_named_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    lines = (home() / "configs" / "arithmetic" / "problem_bank.csv").read_text().splitlines()
    path.write_text("\n".join([*lines[:4], lines[4].replace(",+,", ",?,")]))
    result = called("bank", "check", str(path))
    assert result.exit_code == 2
    assert f"{path}:5:op:" in result.output
    assert "Traceback" not in result.output


def test_a_bank_that_is_not_there(tmp_path: Path) -> None:
    result = called("bank", "check", str(tmp_path / "bank.csv"))
    assert (result.exit_code, result.output) == (2, f"{tmp_path / 'bank.csv'}: No such file or directory\n")


def test_a_bank_that_cannot_be_written(tmp_path: Path) -> None:
    result = called("bank", "generate", str(tmp_path / "missing" / "bank.csv"))
    assert result.exit_code == 2


def test_a_token_is_made_shown_and_revoked() -> None:
    made = called("tokens", "create", "student", "--student", "s1", "--label", "[/집]")
    assert made.exit_code == 0
    token = made.output.strip()
    listed = called("tokens", "list").output
    assert "student" in listed
    assert "live" in listed
    assert "[/집]" in listed
    assert token not in listed
    token_id = next(line.split("│")[1].strip() for line in listed.splitlines() if "student" in line)
    assert called("tokens", "revoke", token_id).exit_code == 0
    assert "ended" in called("tokens", "list").output
    assert called("tokens", "revoke", token_id).exit_code == 2


def test_a_student_token_stands_for_one_student() -> None:
    nobody = called("tokens", "create", "student")
    assert nobody.exit_code == 2
    assert "exactly one student" in nobody.output
    assert called("tokens", "create", "admin", "--student", "s1").exit_code == 2
    assert called("tokens", "create", "king").exit_code == 2


@pytest.mark.parametrize("name", ["", "a b", "../s1", "s１", "x" * 65])
def test_a_student_whom_no_request_could_name(name: str) -> None:
    assert called("tokens", "create", "student", "--student", name).exit_code == 2
    assert called("play", "--student", name).exit_code == 2


@pytest.mark.parametrize("name", ["", "a b", "../t1", "t" * 65])
def test_a_conversation_that_no_request_could_name(name: str) -> None:
    assert called("chat", "--thread", name).exit_code == 2


def test_the_graph_as_text_and_as_a_picture(tmp_path: Path) -> None:
    text = called("graph").output
    assert all(node in text for node in ("diagnose", "probe", "adapt", "route_a", "white_out", "feedback"))
    path = tmp_path / "graph.mmd"
    assert called("graph", "--output", str(path)).exit_code == 0
    assert path.read_text(encoding="utf-8").strip() == text.strip()
    path = tmp_path / "graph.png"
    assert called("graph", "--format", "png", "--output", str(path)).exit_code == 0
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        colours = picture.convert("RGB").getcolors(maxcolors=1 << 24)
    assert colours is not None
    assert {(0xCF, 0xE5, 0xFF), (0xFF, 0xE3, 0xC2), (0xD5, 0xF2, 0xD3)} <= {colour for _, colour in colours}
    assert called("graph", "--format", "png").exit_code == 2


@pytest.mark.parametrize("kind", ["png", "mermaid"])
def test_a_picture_that_cannot_be_written(tmp_path: Path, kind: str) -> None:
    result = called("graph", "--format", kind, "--output", str(tmp_path / "missing" / "graph"))
    assert result.exit_code == 2
    assert "No such file or directory" in result.output


def test_the_cost_reproduces_the_comparison_and_says_what_is_not_measured() -> None:
    result = called("cost")
    assert result.exit_code == 0
    for figure in ("92,250.00", "75,000.00", "2,430.00", "1,912.50", "96.8%", "No turns are recorded"):
        assert figure in result.output


def test_the_cost_of_a_configured_model_without_a_price_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BASE_URL", "http://localhost:1/v1"), ("MODEL", "fake-big"), ("SMALL_MODEL", "gpt-4o-mini")):
        monkeypatch.setenv(f"MATHTHERA_LLM_{name}", value)
    lines = called("cost").output.splitlines()
    assert any("fake-big" in line and "unknown" in line for line in lines)
    assert not any("gpt-4o-mini" in line and "unknown" in line for line in lines)


@pytest.mark.parametrize("command", [("tokens", "list"), ("cost",), ("serve",), ("play",)])
def test_a_bad_setting_is_one_line(monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.setenv("MATHTHERA_LOG_FORMAT", "xml")
    result = called(*command)
    assert result.exit_code == 2
    assert result.output.startswith("MATHTHERA_LOG_FORMAT: ")
    assert len(result.output.splitlines()) == 1


@pytest.mark.parametrize("command", [("tokens", "list"), ("cost",), ("serve",)])
def test_a_data_directory_that_takes_no_files(monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.setenv("MATHTHERA_DATA_DIR", "/proc")  # where not even root can make one
    result = called(*command)
    assert result.exit_code == 2
    assert result.output.startswith("MATHTHERA_DATA_DIR: /proc: ")
    assert len(result.output.splitlines()) == 1


@pytest.mark.parametrize("command", [("tokens", "list"), ("cost",), ("serve",)])
def test_a_data_directory_that_cannot_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path / "file"))
    result = called(*command)
    assert result.exit_code == 2
    assert "MATHTHERA_DATA_DIR" in result.output
