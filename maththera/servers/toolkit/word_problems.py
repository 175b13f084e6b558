"""Word problems (서술형): a problem of the bank told as a story, from the templates of `word_problems.yaml`.

A story is the same each time for the same template and problem, so its id is enough to tell it again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Final, Literal, cast

from pydantic import Field, model_validator

from maththera.arithmetic.problem import Problem, ProblemError
from maththera.arithmetic.problem_bank import Bank
from maththera.config_files import ConfigModel, Text
from maththera.korean.particles import PARTICLES, Particle, as_called, with_particle

_ID: Final = re.compile(r"W:([a-z-]+):(.+)")
_SLOT: Final = re.compile(rf"\{{(\w+)(?::({'|'.join(PARTICLES)}))?\}}")
_SLOTS: Final = frozenset({"a", "b", "name", "friend", "thing", "unit"})


class Thing(ConfigModel):
    thing: Text
    unit: Text


class Template(ConfigModel):
    """One story. `least`: the larger number is at least this; `most`: no number and no answer is larger."""

    op: Literal["+", "-", "x", "/"]
    structure: Text
    things: str
    least: int = 1
    most: int = 9999
    text: Text

    def fits(self, problem: Problem) -> bool:
        """Whether the story can be told with the numbers of the problem: no 0, and no group of 1."""
        if problem.op != self.op or problem.form != "result" or problem.answer < 1:
            return False
        smallest = 1 if self.op in "+-" else 2
        numbers = (problem.a, problem.b)
        return min(numbers) >= smallest and max(numbers) >= self.least and max(*numbers, problem.answer) <= self.most


class _File(ConfigModel):
    names: Annotated[tuple[Text, ...], Field(min_length=2)]
    things: dict[str, Annotated[tuple[Thing, ...], Field(min_length=1)]]
    templates: dict[Annotated[str, Field(pattern=r"^[a-z-]+$")], Template]

    @model_validator(mode="after")
    def _known(self) -> "_File":
        for name, template in self.templates.items():
            if template.things not in self.things:
                raise ValueError(f"{name}: there are no things {template.things}")
            if strange := {slot for slot, _ in _SLOT.findall(template.text)} - _SLOTS:
                raise ValueError(f"{name}: no such slot as {', '.join(sorted(strange))}")
            if "{" in _SLOT.sub("", template.text):
                raise ValueError(f"{name}: a slot is {{word}} or {{word:particle}}, one of {', '.join(PARTICLES)}")
            if not {"a", "b"} <= {slot for slot, _ in _SLOT.findall(template.text)}:
                raise ValueError(f"{name}: both numbers must be told")
        return self


@dataclass(frozen=True, slots=True)
class WordProblem:
    """A story and the problem it tells. `structure` is the type of situation (첨가, 제거, 등분제 …)."""

    problem_id: str
    question: str
    structure: str
    problem: Problem


class WordProblems:
    """All templates."""

    def __init__(self, file: _File) -> None:
        self._file = file

    @classmethod
    def load(cls, path: Path) -> "WordProblems":
        """ConfigError names what is wrong."""
        return cls(_File.from_file(path))

    @property
    def templates(self) -> Mapping[str, Template]:
        return self._file.templates

    def fitting(self, problem: Problem) -> list[str]:
        """The templates that can tell this problem."""
        return [name for name, template in self._file.templates.items() if template.fits(problem)]

    def tell(self, problem: Problem, template_name: str) -> WordProblem:
        """The story of a problem that the template fits."""
        template = self._file.templates[template_name]
        problem_id = f"W:{template_name}:{problem.problem_id}"
        chance = Random(problem_id)  # noqa: S311 - the same story for the same id
        name, friend = (as_called(one) for one in chance.sample(self._file.names, 2))
        thing = chance.choice(self._file.things[template.things])
        slots = {"a": str(problem.a), "b": str(problem.b), "name": name, "friend": friend,
                 "thing": thing.thing, "unit": thing.unit}  # fmt: skip
        return WordProblem(problem_id, _filled(template.text, slots), template.structure, problem)

    def varied(self, problems: Sequence[Problem]) -> list[WordProblem]:
        """Stories of those problems that have one, neighbours by different templates where there are several."""
        told: list[WordProblem] = []
        used: dict[str, int] = {}
        for problem in problems:
            names = sorted(self.fitting(problem), key=lambda name: used.get(name, 0))
            if names:
                used[names[0]] = used.get(names[0], 0) + 1
                told.append(self.tell(problem, names[0]))
        return told

    def find(self, problem_id: str, bank: Bank) -> WordProblem | None:
        """The word problem of an id; None for any other text. ProblemError where the story does not fit its problem."""
        match = _ID.fullmatch(problem_id)
        if match is None:
            return None
        problem = bank.problem(match[2])
        if match[1] not in self._file.templates or not self._file.templates[match[1]].fits(problem):
            raise ProblemError(f"{problem_id}: no such word problem")
        return self.tell(problem, match[1])


def _filled(text: str, slots: Mapping[str, str]) -> str:
    def fill(match: re.Match[str]) -> str:
        word = slots[match[1]]
        return word if match[2] is None else with_particle(word, cast("Particle", match[2]))

    return _SLOT.sub(fill, text)
