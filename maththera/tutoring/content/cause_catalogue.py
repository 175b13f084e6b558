"""Causes, trainings and observations: three files under `configs/`, checked together."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter

from maththera.arithmetic.malrules import CATALOGUE as MALRULES
from maththera.config_files import ConfigFile, ConfigModel, Text, refuse
from maththera.tutoring.content.trainings import TrainingPlan, load_trainings

Domain = Literal["CONCEPT", "STRATEGY", "SPATIAL", "EXECUTION", "FLUENCY", "ATTENTION", "TRANSCRIPTION", "UNKNOWN"]
ReachedBy = Literal["malrule", "observation", "fluency", "attention", "llm"]
_STRATEGIES: Final = "STR_(COUNT_ALL|COUNT_ON|PART_WHOLE|DOUBLE|MAKE10|PLACE_VALUE|COMPENSATE|RETRIEVE)"
Strategy = Annotated[str, Field(pattern=rf"^{_STRATEGIES}$")]
StrategyOrAny = Annotated[str, Field(pattern=rf"^({_STRATEGIES}|any)$")]
TrainingId = Annotated[str, Field(pattern=r"^T\d\d$")]
Tag = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")]
ObservationTag = Annotated[str, Field(pattern=r"^OBS_[A-Z0-9_]+$")]

_NAMED_BY_PATTERN: Final = re.compile(r"(?P<domain>[A-Z]+)_L(?P<level>[0-6])_[A-Z0-9_]+")
_SEED_NAMES: Final = frozenset({"MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK", "UNKNOWN"})
"""Tags that the seed gives and that do not follow DOMAIN_Ln_NAME."""


class Cause(ConfigModel):
    """Why a child errs or is slow.

    `level` is 0..6 (L0..L6), `axis` the concept C1..C6, strategy S1..S7 or load E1..E3 it concerns; `name` and
    `explanation` are Korean, for a teacher. `trainings` are offered in this order.
    """

    domain: Domain
    level: Annotated[int, Field(ge=0, le=6)]
    axis: Annotated[str, Field(pattern=r"^(C[1-6]|S[1-7]|E[1-3])$")]
    name: Text
    explanation: Text
    trainings: Annotated[tuple[TrainingId, ...], Field(min_length=1)]
    reached_by: Annotated[frozenset[ReachedBy], Field(min_length=1)]


class Observation(ConfigModel):
    """Behaviour that an adult saw or telemetry shows. `shows` is the strategy that it belongs to, or None."""

    description: Text
    shows: Strategy | None
    causes: dict[StrategyOrAny, Tag]

    def cause(self, required: str) -> str | None:
        """The cause if a problem asks for the strategy `required`; None if the child used that strategy."""
        if self.shows == required:
            return None
        return self.causes.get(required, self.causes.get("any"))


class Derivation(ConfigModel):
    """A telemetry field of `at_least` this value (milliseconds or times) counts as the observation `tag`."""

    field: Literal["first_input_ms", "edits", "focus_losses"]
    at_least: Annotated[int, Field(ge=1)]
    tag: ObservationTag


class _Observations(ConfigModel):
    observations: dict[ObservationTag, Observation]
    telemetry: tuple[Derivation, ...]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The contents of the three files, with every reference between them checked."""

    causes: Mapping[str, Cause]
    trainings: Mapping[str, TrainingPlan]
    observations: Mapping[str, Observation]
    telemetry: tuple[Derivation, ...]

    def derive_observations(self, telemetry: Mapping[str, int]) -> tuple[str, ...]:
        """The observation tags that an answer's telemetry shows. Fields that the client did not send are skipped."""
        return tuple(rule.tag for rule in self.telemetry if telemetry.get(rule.field, 0) >= rule.at_least)


def load_catalogue(home: Path) -> Catalogue:
    """The catalogue under `home/configs`; ConfigError with a line `file:line: entry.field: reason` for every fault."""
    configs = home / "configs"
    trainings = load_trainings(configs / "tutoring" / "trainings.yaml", configs / "tutoring" / "drawings.yaml")
    causes_file, observations_file = (
        ConfigFile.read(configs / "tutoring" / "causes.yaml"),
        ConfigFile.read(configs / "tutoring" / "observations.yaml"),
    )
    causes = causes_file.parse(TypeAdapter(dict[Tag, Cause]))
    observed = observations_file.parse(TypeAdapter(_Observations))
    faults = [
        *_cause_faults(causes_file, causes, trainings, observed.observations),
        *_unreachable(configs / "tutoring" / "trainings.yaml", trainings, causes),
        *_observation_faults(observations_file, observed, causes),
    ]
    refuse(faults)
    return Catalogue(causes, trainings, observed.observations, observed.telemetry)


def _cause_faults(
    file: ConfigFile,
    causes: Mapping[str, Cause],
    trainings: Mapping[str, TrainingPlan],
    observations: Mapping[str, Observation],
) -> Iterator[str]:
    by_malrule = {cause.tag for rule in MALRULES.values() for cause in rule.causes}
    by_observation = {tag for observation in observations.values() for tag in observation.causes.values()}
    for tag, cause in causes.items():
        name = _NAMED_BY_PATTERN.fullmatch(tag)
        if name is None and tag not in _SEED_NAMES:
            yield file.fault((tag,), "the tag is not DOMAIN_Ln_NAME")
        if name and name["domain"] != cause.domain:
            yield file.fault((tag, "domain"), f"the tag says {name['domain']}")
        if name and int(name["level"]) != cause.level:
            yield file.fault((tag, "level"), f"the tag says {name['level']}")
        for training_id in cause.trainings:
            if training_id not in trainings:
                yield file.fault((tag, "trainings"), f"there is no training {training_id}")
        for way, tags in (("malrule", by_malrule), ("observation", by_observation)):
            if (way in cause.reached_by) != (tag in tags):
                yield file.fault((tag, "reached_by"), f"{'some' if tag in tags else 'no'} {way} names this cause")
    for tag in sorted(by_malrule - causes.keys()):
        yield file.fault((tag,), "missing, but a malrule names this cause")


def _unreachable(path: Path, trainings: Mapping[str, TrainingPlan], causes: Mapping[str, Cause]) -> Iterator[str]:
    reachable = {training for cause in causes.values() for training in cause.trainings if cause.reached_by != {"llm"}}
    for training_id in sorted(trainings.keys() - reachable):
        yield f"{path}: {training_id}: no cause that a rule can name leads to this training"


def _observation_faults(file: ConfigFile, observed: _Observations, causes: Mapping[str, Cause]) -> Iterator[str]:
    for tag, observation in observed.observations.items():
        for strategy, cause in observation.causes.items():
            if cause not in causes:
                yield file.fault(("observations", tag, "causes", strategy), f"there is no cause {cause}")
    for index, rule in enumerate(observed.telemetry):
        if rule.tag not in observed.observations:
            yield file.fault(("telemetry", index, "tag"), f"there is no observation {rule.tag}")
