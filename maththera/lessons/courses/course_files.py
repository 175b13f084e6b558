"""Courses read from `configs/lessons/courses/`, whole or refused with every fault of every file."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from maththera.config_files import ConfigError, ConfigFile, refuse
from maththera.lessons.courses.course import CHAPTER, CHAPTER_FILE, HEAD, Chapter, Course, CourseHead
from maththera.lessons.courses.course_checks import CourseRules, chapter_faults

HEAD_FILE: Final = "course.yaml"


def load_courses(folder: Path, rules: CourseRules) -> tuple[dict[str, Course], list[str]]:
    """The sound courses of the folder by id, and a line for each fault of the others."""
    courses: dict[str, Course] = {}
    faults: list[str] = []
    for head in sorted(folder.glob(f"*/{HEAD_FILE}")):
        try:
            courses[head.parent.name] = load_course(head.parent, rules)
        except ConfigError as error:
            faults += str(error).splitlines()
    return courses, faults


def load_course(folder: Path, rules: CourseRules) -> Course:
    """ConfigError with a line for each fault of `course.yaml` and of its chapters."""
    head = load_head(folder)
    chapters: dict[int, Chapter] = {}
    faults = [
        f"{path}: the name of a chapter is chapter_01.yaml, chapter_02.yaml …"
        for path in _others(folder)
        if not CHAPTER_FILE.fullmatch(path.name)
    ]
    files = chapter_files(folder)
    for path in files:
        try:
            chapter = load_chapter(path, head, rules)
            chapters[chapter.chapter] = chapter
        except ConfigError as error:
            faults.append(str(error))
    if not files:
        faults.append(f"{folder}: there is no chapter_01.yaml")
    for number, path in enumerate(files, start=1):
        if path.name != f"chapter_{number:02}.yaml":
            faults.append(f"{path}: chapter_{number:02}.yaml is missing before it")
            break
    refuse(faults)
    return Course(head, chapters)


def load_head(folder: Path) -> CourseHead:
    """ConfigError for a `course.yaml` that is missing or does not fit."""
    document = ConfigFile.read(folder / HEAD_FILE)
    head = document.parse(HEAD)
    if head.id != folder.name:
        raise ConfigError(document.fault(("id",), f"must be {folder.name}, as its folder"))
    return head


def load_chapter(path: Path, head: CourseHead, rules: CourseRules) -> Chapter:
    """ConfigError with a line for each fault of this one file."""
    document = ConfigFile.read(path)
    chapter = document.parse(CHAPTER)
    faults = chapter_faults(document, chapter, head, rules)
    if path.name != f"chapter_{chapter.chapter:02}.yaml":
        faults.append(document.fault(("chapter",), f"{chapter.chapter} stands in {path.name}"))
    refuse(faults)
    return chapter


def chapter_files(folder: Path) -> list[Path]:
    """In the order of the chapters."""
    return sorted(path for path in folder.iterdir() if CHAPTER_FILE.fullmatch(path.name))


def _others(folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.glob("*.y*ml") if path.name != HEAD_FILE)
