"""What strangers typed to the tasks of the shipped courses (tests/data/task_answers_*.yaml), and how it is read."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.config_files import ConfigFile
from maththera.lessons.courses.tasks import Answer, score_of_task
from maththera.lessons.quiz.task_answers import read_answer
from tests.support.graded import content, question

DATA: Final = Path(__file__).parents[1] / "data"
Half = Literal["dev", "sealed", "fresh"]
"""The reader was made with the first in sight. The second has other tasks, and only measures."""


class Line(BaseModel):
    """`meant`: the places of the options, or the number; None where no one can tell."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    task: str
    typed: str
    meant: tuple[int, ...] | None
    passed: bool
    kind: Literal["fair", "adversarial"]
    author: str


@dataclass(frozen=True, slots=True)
class Read:
    """A line with what was read in it."""

    line: Line
    answer: Answer | None
    passed: bool

    @property
    def right(self) -> bool:
        return self.passed == self.line.passed

    @property
    def exact(self) -> bool:
        return self.answer == self.line.meant

    @property
    def asked_again(self) -> bool:
        """Although something was meant."""
        return self.answer is None and self.line.meant is not None

    @property
    def passed_wrongly(self) -> bool:
        return self.passed and not self.line.passed


@cache
def lines(half: Half) -> tuple[Line, ...]:
    """ConfigError names file, line and reason."""
    return ConfigFile.read(DATA / f"task_answers_{half}.yaml").parse(TypeAdapter(tuple[Line, ...]))


def read(line: Line) -> Read:
    task = question(line.task.replace(" ", "")).task
    answer = read_answer(task, line.typed)
    least = content().config.sessions.passed["subjective"]
    return Read(line, answer, answer is not None and score_of_task(task, answer) >= least)
