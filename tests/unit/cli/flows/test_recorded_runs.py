"""`maththera flow runs`, `show`, `comparison`, `schedules`, `pause` and `resume`, on records of a service's runs."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maththera.cli import app
from maththera.cli.database_access import with_database
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.executions import ExecutionRecords, OpenQuestion
from maththera.store.flow_versions import FlowVersion
from tests.support.flow_home import SCHEDULED, make_home

pytestmark = pytest.mark.slow

LONG = "긴 까닭 " * 60
STEP = {
    "step": "note", "name": "적기", "kind": "mcp_call", "status": "done", "started_at": "2100-01-01T00:00:00+00:00",
    "ms": 1234, "attempts": 2, "inputs": {"word": "[안녕]"}, "output": {"count": 1}, "prints": ["세는 중"],
    "to": None, "reason": LONG, "error": None,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, redis_url: str) -> None:
    home = make_home(tmp_path / "home")
    (home / "flows" / "매분.yaml").write_text(SCHEDULED, encoding="utf-8")
    variants = "\n  variants: [{version: '1.0', weight: 1}]\n"
    text = (home / "flows" / "쓰기.yaml").read_text(encoding="utf-8").rstrip() + variants
    (home / "flows" / "쓰기.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("MATHTHERA_HOME", str(home))
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path / "var"))
    monkeypatch.setenv("MATHTHERA_REDIS_URL", redis_url)

    async def add(database: Database) -> None:
        records = ExecutionRecords(database)
        for execution_id, flow, variant in (
            ("a" * 32, "쓰기", "1.0"),
            ("b" * 32, "실패", None),
            ("d" * 32, "승인", None),
        ):
            await records.create(
                execution_id,
                flow=FlowVersion(flow, flow, "1.0", ""),
                owner=Principal("t", "teacher"),
                inputs={"api_token": "hush-hush"},
                student_id="s1",
                command=None,
                variant=variant,
            )
        await records.end("a" * 32, "completed", result={"count": 1})
        await records.save_steps("a" * 32, [STEP])
        error = {"step": "note", "tool": None, "code": "failed", "message": "401: hush-hush"}
        asked = OpenQuestion(step="ask", question="맞나요, hush-hush?", form={}, expires_at=None)
        await records.end("b" * 32, "failed", error=error)
        await records.ask("d" * 32, asked)

    with_database(add)


def called(*arguments: str, columns: str | None = "200") -> Result:
    return CliRunner().invoke(app, ["flow", *arguments], env={"COLUMNS": columns})


def test_lines_of_a_pipe_are_as_long_as_what_they_say() -> None:
    shown = called("show", "a" * 32, columns=None).output
    assert LONG.strip() in shown
    (row,) = (line for line in called("runs", columns=None).output.splitlines() if "a" * 32 in line)
    assert ("쓰기" in row, "completed" in row, "s1" in row) == (True, True, True)


def test_nothing_is_cut_off_in_a_terminal() -> None:
    shown = called("show", "a" * 32, columns="60").output
    assert shown.count("까닭") == LONG.count("까닭")


def test_runs_are_listed_by_filter() -> None:
    assert ("a" * 32 in called("runs").output, "b" * 32 in called("runs").output) == (True, True)
    found = called("runs", "--status", "completed", "--variant", "1.0", "--student", "s1").output
    assert ("a" * 32 in found, "b" * 32 in found) == (True, False)
    assert "a" * 32 not in called("runs", "--since", "2100-01-01").output


def test_a_secret_input_is_not_shown() -> None:
    failed, asking = called("show", "b" * 32).output, called("show", "d" * 32).output
    assert ("401: ***" in failed, "맞나요, ***?" in asking, "hush-hush" in failed + asking) == (True, True, False)


def test_a_run_is_shown_step_by_step() -> None:
    found = called("show", "a" * 32)
    assert found.exit_code == 0, found.output
    for text in (
        "completed",
        "쓰기 1.0",
        "✓ note",
        "1,234 ms",
        "2 attempts",
        '{"word": "[안녕]"}',
        "세는 중",
        '"count": 1',
    ):
        assert text in found.output
    missing = called("show", "c" * 32)
    assert (missing.exit_code, "there is no run" in missing.output) == (2, True)


def test_variants_are_compared() -> None:
    found = called("comparison", "쓰기")
    assert found.exit_code == 0, found.output
    assert "median_ms" in found.output
    assert called("comparison", "쓰가").exit_code == 2


def test_a_schedule_is_paused_and_resumed() -> None:
    assert "* * * * *" in called("schedules").output
    assert "paused" in called("pause", "매분").output
    assert "paused" in called("schedules").output
    assert "paused" not in called("resume", "매분").output
    assert called("pause", "쓰기").exit_code == 2
