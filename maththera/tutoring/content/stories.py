"""Short stories and chains that are told in place of a bare problem; the problem stays what it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, TypeAdapter

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies.steps import MODELS, Model
from maththera.config_files import ConfigFile, ConfigModel, refuse
from maththera.tutoring.content.training_patterns import worded

_Lines = Annotated[tuple[str, ...], Field(min_length=2, max_length=3)]

_LARGEST: Final = 999
_TEN: Final = 10


class _Written(ConfigModel):
    stories: dict[Model, Annotated[tuple[_Lines, ...], Field(min_length=1)]]
    chains: dict[Model, _Lines]


@dataclass(frozen=True, slots=True)
class Stories:
    """`told`: by the model of the operation."""

    told: Mapping[Model, tuple[tuple[str, ...], ...]]
    chains: Mapping[Model, tuple[str, ...]]

    def story(self, problem: Problem, draw: int) -> str | None:
        """The story of a problem, one line below the other; `draw` chooses it. None where nothing can be told: of 0,
        of numbers above 999, of other forms."""
        model = model_of(problem)
        told = self.told.get(model, ()) if model else ()
        if not told or min(problem.a, problem.b) < 1 or max(problem.a, problem.b, problem.answer) > _LARGEST:
            return None
        return "\n".join(worded(line, {"a": problem.a, "b": problem.b}, ()) for line in told[draw % len(told)])

    def chain(self, problem: Problem, draw: int) -> str | None:
        """A sum or difference with its first number in two parts, without carrying or borrowing there: 43−17 as
        41+2−17; `draw` chooses the parts. None for other problems, and where there are no such parts."""
        model = model_of(problem)
        lines = self.chains.get(model) if model else None
        if lines is None or problem.b < 1 or max(problem.a, problem.b, problem.answer) > _LARGEST:
            return None
        ones = problem.a % _TEN
        most = min(ones, problem.a - 1) if model == "take" else _TEN - 1 - ones
        if most < 1 or problem.a < 1:
            return None
        q = 1 + draw % most
        p = problem.a - q if model == "take" else problem.a + q
        return "\n".join(worded(line, {"p": p, "q": q, "b": problem.b}, ()) for line in lines)


def model_of(problem: Problem) -> Model | None:
    """What a problem does with its numbers; None for those that ask for a factor or for tens."""
    if problem.form == "addend":
        return "gap"
    return MODELS[problem.op] if problem.form == "result" else None


def load_stories(path: Path) -> Stories:
    """ConfigError names what is wrong."""
    file = ConfigFile.read(path)
    found = file.parse(TypeAdapter(_Written))
    faults = [
        file.fault(("stories", model, place), str(fault))
        for model, told in found.stories.items()
        for place, lines in enumerate(told)
        if (fault := _fault(lines, {"a": 6, "b": 3})) is not None
    ]
    faults += [
        file.fault(("chains", model), str(fault))
        for model, lines in found.chains.items()
        if (fault := _fault(lines, {"p": 6, "q": 3, "b": 2})) is not None
    ]
    refuse(faults)
    return Stories(found.stories, found.chains)


def _fault(lines: tuple[str, ...], numbers: Mapping[str, int]) -> str | None:
    """What a story lacks: every number of its problem, once, and no other."""
    try:
        for line in lines:
            worded(line, numbers, ())
    except ValueError as error:
        return str(error)
    text = "".join(lines)
    missing = [name for name in numbers if text.count("{" + name) != 1]
    return f"must name {missing[0]} once" if missing else None
