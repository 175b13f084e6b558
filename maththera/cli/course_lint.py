"""`maththera course lint`: checks whole courses and single chapters."""

from pathlib import Path
from typing import Final

import typer

from maththera.cli.command_errors import EXIT_CODE, exit_on_user_error
from maththera.config_files import ConfigError
from maththera.lessons.config import load_lesson_config
from maththera.lessons.courses.course import CHAPTER_FILE
from maththera.lessons.courses.course_checks import CourseRules
from maththera.lessons.courses.course_files import HEAD_FILE, chapter_files, load_chapter, load_course, load_head
from maththera.settings import home

_UNKNOWN: Final = f"is neither the folder of a course nor its {HEAD_FILE} nor one of its chapters"


def run(wanted: list[Path] | None) -> None:
    """Checks each path: a folder or its `course.yaml` as a whole course, a chapter alone."""
    courses = home() / "configs" / "lessons" / "courses"
    paths = wanted or sorted(path.parent for path in courses.glob(f"*/{HEAD_FILE}"))
    with exit_on_user_error():
        rules = load_lesson_config(home() / "configs" / "lessons" / "lessons.yaml").courses
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
    try:
        if CHAPTER_FILE.fullmatch(path.name):
            load_chapter(path, load_head(path.parent), rules)
        else:
            load_course(_folder(path), rules)
    except ConfigError as error:
        return str(error).splitlines()
    return []


def _folder(path: Path) -> Path:
    return path if path.is_dir() else path.parent
