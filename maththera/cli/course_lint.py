"""`maththera course lint`."""

from pathlib import Path
from typing import Final

import typer

from maththera.cli.failures import EXIT_CODE, mendable
from maththera.documents import ConfigError, Document
from maththera.lessons.config import load_lesson_config
from maththera.lessons.course_checks import CourseRules
from maththera.lessons.course_files import HEAD_FILE, chapter_files, load_chapter, load_course, load_head
from maththera.lessons.courses import CHAPTER, CHAPTER_FILE
from maththera.lessons.rubric_checks import rubric_faults
from maththera.settings import home

_UNKNOWN: Final = f"is neither the folder of a course nor its {HEAD_FILE} nor one of its chapters"


def run(wanted: list[Path] | None) -> None:
    """A folder or its `course.yaml` is checked as a whole course, a chapter alone."""
    courses = home() / "configs" / "courses"
    paths = wanted or sorted(path.parent for path in courses.glob(f"*/{HEAD_FILE}"))
    with mendable():
        rules = load_lesson_config(home() / "configs" / "lessons.yaml").courses
    for path in paths:
        if not (path.is_dir() or path.name == HEAD_FILE or CHAPTER_FILE.fullmatch(path.name)):
            typer.echo(f"{path}: {_UNKNOWN}", err=True)
            raise typer.Exit(EXIT_CODE)
    faults = [fault for path in paths for fault in _faults(path, rules)]
    for fault in faults:
        typer.echo(fault)
    chapters = sum(1 if CHAPTER_FILE.fullmatch(path.name) else len(chapter_files(_folder(path))) for path in paths)
    typer.echo(f"chapters: {chapters}, mistakes: {len(faults)}")
    if faults:
        raise typer.Exit(1)


def _faults(path: Path, rules: CourseRules) -> list[str]:
    if CHAPTER_FILE.fullmatch(path.name):
        return _chapter_faults(path, rules)
    folder = _folder(path)
    faults = [fault for chapter in chapter_files(folder) for fault in _rubric_faults(chapter)]
    try:
        load_course(folder, rules)
    except ConfigError as error:
        faults = [*str(error).splitlines(), *faults]
    return faults


def _chapter_faults(path: Path, rules: CourseRules) -> list[str]:
    try:
        load_chapter(path, load_head(path.parent), rules)
    except ConfigError as error:
        return [*str(error).splitlines(), *_rubric_faults(path)]
    return _rubric_faults(path)


def _rubric_faults(path: Path) -> list[str]:
    """None for a chapter that does not even fit the schema."""
    try:
        document = Document.read(path)
        return rubric_faults(document, document.parse(CHAPTER))
    except ConfigError:
        return []


def _folder(path: Path) -> Path:
    return path if path.is_dir() else path.parent
