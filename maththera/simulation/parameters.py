"""`configs/simulation/parameters.yaml`, checked: the simulated children (sources: docs/simulation.md)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from maththera.arithmetic.curriculum import HIGHEST_C, LOWEST_C
from maththera.config_files import ConfigFile, Loc, refuse
from maththera.tutoring.content.cause_catalogue import Strategy
from maththera.tutoring.content.session_rules import Rules

Kind = Literal["malrule", "concept", "attention", "slow_counting", "working_memory", "mixture", "healthy"]

_DRAWN_ALONE: Final[tuple[Kind, ...]] = ("malrule", "healthy")

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0, le=600_000)]
Sigma = Annotated[float, Field(gt=0, le=3)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Knowledge(_Section):
    above_start: Annotated[int, Field(ge=0, le=14)]
    fails_above: Share


class Attention(_Section):
    impulsive: Share
    median_ms: Positive
    sigma: Sigma


class SlowCounting(_Section):
    factor: Positive
    seen: Share
    observation: str


class WorkingMemory(_Section):
    limits: Annotated[list[float], Field(min_length=1)]
    fails: Share


class ResponseTimes(_Section):
    """Medians in milliseconds of a child in school year `grade`, one for each of the eight strategies."""

    sigma: Sigma
    grade_factor: Positive
    grade: Annotated[int, Field(ge=1, le=12)]
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


def load_parameters(home: Path, rules: Rules) -> Parameters:
    """ConfigError names every wrong field with its line."""
    file = ConfigFile.read(home / "configs" / "simulation" / "parameters.yaml")
    found = file.parse(TypeAdapter(Parameters))
    refuse(file.fault(loc, reason) for loc, reason in _impossible_learners(found, rules))
    return found


def _impossible_learners(found: Parameters, rules: Rules) -> Iterator[tuple[Loc, str]]:
    """Faults of parameters by which a child would have no problem to fail at."""
    levels = [rules.bank.level(c) for c in range(LOWEST_C, HIGHEST_C + 1)]
    tag = found.slow_counting.observation
    observation = rules.catalogue.observations.get(tag)
    if observation is None:
        yield ("slow_counting", "observation"), f"there is no observation {tag}"
    elif not any(observation.cause(level[0].strategy_tag) for level in levels):
        yield ("slow_counting", "observation"), f"{tag} has no cause with the strategy of any level"
    for place, limit in enumerate(found.working_memory.limits):
        if not any(problem.w_total > limit for level in levels for problem in level):
            yield ("working_memory", "limits", place), f"no problem of the bank has a W above {limit:g}"
