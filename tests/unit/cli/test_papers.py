from pathlib import Path

import pytest
from typer.testing import CliRunner

from maththera.cli import app

MARKDOWN = "# 뺄셈의 오류\n\n받아내림에서 자주 보이는 오류를 모았다.\n"


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    return CliRunner()


def test_add_list_and_remove(runner: CliRunner, tmp_path: Path) -> None:
    (tmp_path / "bugs.md").write_text(MARKDOWN, encoding="utf-8")
    added = runner.invoke(app, ["papers", "add", str(tmp_path / "bugs.md")])
    assert added.exit_code == 0, added.output
    assert "뺄셈의 오류" in added.output
    again = runner.invoke(app, ["papers", "add", str(tmp_path / "bugs.md")])
    assert "was there already" in again.output
    listed = runner.invoke(app, ["papers", "list"])
    assert "bugs.md" in listed.output
    assert "shipped" in listed.output
    paper_id = added.output.split()[0]
    assert runner.invoke(app, ["papers", "remove", paper_id]).exit_code == 0
    assert runner.invoke(app, ["papers", "remove", paper_id]).exit_code == 2


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_added(runner: CliRunner, tmp_path: Path) -> None:
    (tmp_path / "bugs.md").write_text(MARKDOWN, encoding="utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"no pdf")
    found = runner.invoke(app, ["papers", "add", str(tmp_path / "broken.pdf"), str(tmp_path / "bugs.md")])
    assert found.exit_code == 2
    assert "broken.pdf: cannot be read as PDF" in found.output
    assert "뺄셈의 오류" in found.output
    assert runner.invoke(app, ["papers", "add", str(tmp_path / "nowhere.md")]).exit_code == 2
