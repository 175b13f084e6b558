"""Explanations that were written to the questions of the shipped courses: tests/data/graded_answers_*.yaml and
explanations.yaml."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

import yaml

from maththera.lessons.content import LessonContent
from maththera.lessons.courses.course import Subjective
from maththera.settings import home

DATA: Final = Path(__file__).parents[1] / "data"
Part = Literal["dev", "test", "strangers"]
Kind = Literal["fair", "swapped", "negated", "salad", "off_topic", "half"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """`says`: whether its label gives it any point of the rubric."""

    question: str
    said: str
    says: bool


@cache
def content() -> LessonContent:
    return LessonContent.load(home())


def question(name: str) -> Subjective:
    """By `course/chapter/number`."""
    course, chapter, number = name.split("/")
    found = content().courses[course].chapters[int(chapter)].question(int(number))
    assert isinstance(found, Subjective), name
    return found


def graded(part: Part) -> list[Explanation]:
    """The older ones, to questions as they were when they were put without a task."""
    return _read(f"graded_answers_{part}.yaml")


def explained(*kinds: Kind) -> list[Explanation]:
    """Those of these kinds; all kinds but `fair` are adversarial."""
    return _read("explanations.yaml", *kinds)


def _read(name: str, *kinds: Kind) -> list[Explanation]:
    asked = yaml.load((DATA / name).read_text(), yaml.CSafeLoader)
    return [
        Explanation(one["question"], str(each["said"]), bool(each["met"]))
        for one in asked
        for each in one["answers"]
        if not kinds or each["kind"] in kinds
    ]
