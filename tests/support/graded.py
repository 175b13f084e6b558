"""tests/data/graded_answers_*.yaml and explanations.yaml, and how the grading by rules agrees with the labels."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

import yaml

from maththera.lessons.content import LessonContent
from maththera.lessons.courses import Subjective
from maththera.lessons.grading import grade_words, score_of
from maththera.settings import home

DATA: Final = Path(__file__).parents[1] / "data"
Part = Literal["dev", "test", "strangers"]
Kind = Literal["fair", "swapped", "negated", "salad", "off_topic", "half"]


@dataclass(frozen=True, slots=True)
class Graded:
    """An answer with the points that its label gives and those that the rules give."""

    question: str
    said: str
    points: int
    wanted: frozenset[str]
    given: frozenset[str]

    @property
    def apart(self) -> int:
        """By how many points the two differ."""
        return len(self.wanted ^ self.given)

    @property
    def ungraded(self) -> bool:
        """Whether the learner is asked once more, and then nothing is concluded."""
        return not self.given

    def passes(self, least: int) -> bool:
        """Whether the explanation alone passes, or not, as its label does."""
        return (self._score(self.given) >= least) == (self._score(self.wanted) >= least)

    def whole_right(self, least: int) -> bool:
        """The same for the whole question, where the task before was answered as the explanation was meant."""
        task = self._score(self.wanted)
        return (max(task, self._score(self.given)) >= least) == (task >= least)

    def _score(self, met: frozenset[str]) -> int:
        return score_of(question(self.question), met)


@cache
def content() -> LessonContent:
    return LessonContent.load(home())


def question(name: str) -> Subjective:
    """By `course/chapter/number`."""
    course, chapter, number = name.split("/")
    found = content().courses[course].chapters[int(chapter)].question(int(number))
    assert isinstance(found, Subjective), name
    return found


def graded(part: Part) -> list[Graded]:
    """Points that explanations are not asked for any more (results in numbers, which a task judges) are left out."""
    asked = yaml.load((DATA / f"graded_answers_{part}.yaml").read_text(), yaml.CSafeLoader)
    return [_graded(one["question"], each["said"], each["met"]) for one in asked for each in one["answers"]]


def _graded(name: str, said: object, met: list[str]) -> Graded:
    points = {point.id for point in question(name).points}
    given = grade_words(question(name), str(said)).met
    return Graded(name, str(said), len(points), frozenset(met) & points, frozenset(given))


def explained(*kinds: Kind) -> list[Graded]:
    """Of tests/data/explanations.yaml, those of these kinds; all kinds but `fair` are adversarial."""
    asked = yaml.load((DATA / "explanations.yaml").read_text(), yaml.CSafeLoader)
    return [
        _graded(one["question"], each["said"], each["met"])
        for one in asked
        for each in one["answers"]
        if each["kind"] in kinds
    ]
