"""`maththera schools`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maththera.cli import app

SCHOOL = """\
school_code: B10
name: 한빛초
region: 세종
kind: 초등학교
documents:
  - {file: plan.md, title: 평가 계획, year: 2026}
"""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path / "var"))
    folder = tmp_path / "school"
    folder.mkdir()
    (folder / "school.yaml").write_text(SCHOOL, encoding="utf-8")
    (folder / "plan.md").write_text("# 평가\n\n서술형은 40%입니다.", encoding="utf-8")
    return folder


def called(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["schools", *arguments])


def test_a_school_is_added_listed_and_removed(folder: Path) -> None:
    added = called("add", str(folder))
    assert (added.exit_code, added.output.splitlines()[0]) == (0, "한빛초 (B10), documents: 1")
    assert "평가 계획 (2026)" in called("list").output
    assert called("remove", "B10").exit_code == 0
    assert "한빛초" not in called("list").output
    assert called("remove", "B10").exit_code == 2


def test_everything_that_is_wrong_with_the_folder_is_told_with_its_line(folder: Path) -> None:
    more = "  - {file: plan.pdf, title: 교육 계획, year: 2026}\n  - {file: none.md, title: 안내, year: 2026}\n"
    (folder / "school.yaml").write_text(SCHOOL + more, encoding="utf-8")
    refused = called("add", str(folder))
    assert refused.exit_code == 2
    assert [line.removeprefix(f"{folder}/school.yaml:") for line in refused.stderr.splitlines()] == [
        "7: documents[1].file: plan.pdf must be a .md or .txt file in the same folder",
        "8: documents[2].file: none.md: No such file or directory",
    ]
    assert "한빛초" not in called("list").output


def test_a_folder_that_is_not_there(folder: Path) -> None:
    assert called("add", str(folder / "none")).exit_code == 2
    empty = folder / "empty"
    empty.mkdir()
    assert "school.yaml: No such file" in called("add", str(empty)).stderr
