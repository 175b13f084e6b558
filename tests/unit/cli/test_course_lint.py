"""`maththera course lint` as authors meet it."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maththera.cli import app
from maththera.lessons.content import COURSES
from maththera.settings import home

SAMPLE = home() / COURSES / "arithmetic"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "arithmetic"
    folder.mkdir()
    for name in ("course.yaml", "chapter_01.yaml"):
        shutil.copy(SAMPLE / name, folder / name)
    return folder


def lint(*paths: Path) -> tuple[int, list[str]]:
    result = CliRunner().invoke(app, ["course", "lint", *map(str, paths)])
    return result.exit_code, result.output.splitlines()


@pytest.mark.parametrize("file", [".", "course.yaml", "chapter_01.yaml"])
def test_a_sound_course_or_chapter(course: Path, file: str) -> None:
    assert lint(course / file) == (0, ["chapters: 1, mistakes: 0"])


@pytest.mark.parametrize("file", [".", "chapter_01.yaml"])
def test_mistakes_of_every_kind_have_their_place(course: Path, file: str) -> None:
    path = course / "chapter_01.yaml"
    text = path.read_text(encoding="utf-8").replace("unit: Cur-C1", "unit: Cur-C2")
    path.write_text(text.replace("세는 수는 6이야. 5+1=6.", "세는 수는 6이야. 5+1=7."), encoding="utf-8")
    code, lines = lint(course / file)
    assert code == 1
    assert lines[0] == f"{path}:3: unit: chapter 1 of an arithmetic course teaches Cur-C1"
    assert lines[1] == f"{path}:37: explanation.beginner[one_more].text: 5+1=7 is wrong"
    assert lines[-1] == "chapters: 1, mistakes: 2"


def test_a_chapter_that_is_no_yaml(course: Path) -> None:
    path = course / "chapter_01.yaml"
    path.write_text("chapter: [1")
    code, lines = lint(path)
    assert code == 1
    assert lines[0].startswith(f"{path}:")


def test_what_is_no_course(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("")
    assert lint(path)[0] == 2
    assert lint(tmp_path)[0] == 1, "a folder without course.yaml"
