"""`configs/simulation.yaml`, checked: who the simulated children are. docs/simulation.md tells where it comes from."""

from pathlib import Path
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from maththera.documents import Document
from maththera.tutoring.catalogue import Strategy

Kind = Literal["malrule", "concept", "attention", "slow_counting", "working_memory", "mixture", "healthy"]

_DRAWN_ALONE: Final[tuple[Kind, ...]] = ("malrule", "healthy")

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Knowledge(_Section):
    above_start: Annotated[int, Field(ge=0, le=14)]
    fails_above: Share


class Attention(_Section):
    impulsive: Share
    median_ms: Positive
    sigma: Positive


class SlowCounting(_Section):
    factor: Positive
    seen: Share
    observation: str


class WorkingMemory(_Section):
    limits: Annotated[list[float], Field(min_length=1)]
    fails: Share


class ResponseTimes(_Section):
    """Medians in milliseconds of a child in school year `grade`, one for each of the eight strategies."""

    sigma: Positive
    grade_factor: Positive
    grade: Annotated[int, Field(ge=1)]
    median_ms: Annotated[dict[Strategy, Positive], Field(min_length=8)]


class Learning(_Section):
    training: Share
    practice: Share
    exposure: Share
    mastered: Share


def _drawable(shares: dict[Kind, float]) -> dict[Kind, float]:
    if missing := [kind for kind in get_args(Kind) if kind not in shares]:
        raise ValueError(f"no share of {', '.join(missing)}")
    if not all(shares[kind] > 0 for kind in _DRAWN_ALONE):
        raise ValueError(f"{' and '.join(_DRAWN_ALONE)} are also drawn alone and need a share above 0")
    return shares


class Parameters(_Section):
    """All rates and shares of the simulated children."""

    slip: Share
    guess: Share
    guess_tap: Share
    population: Annotated[dict[Kind, Share], AfterValidator(_drawable)]
    knowledge: Knowledge
    attention: Attention
    slow_counting: SlowCounting
    working_memory: WorkingMemory
    response_times: ResponseTimes
    learning: Learning


def load_parameters(home: Path) -> Parameters:
    """ConfigError names every wrong field with its line."""
    return Document.read(home / "configs" / "simulation.yaml").parse(TypeAdapter(Parameters))
