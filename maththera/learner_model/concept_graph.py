"""The concepts a child's answers are evidence of, and what rests on what: `configs/learner_model/concepts.yaml`.

An answer to a problem of Cur-C n is evidence of that unit and of the cognitive concept that the unit rests on.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from maththera.arithmetic.curriculum import LOWEST_C, UNITS, unit
from maththera.config_files import ConfigModel, Text

UNIT: Final = "Cur-C"
COGNITIVE: Final = "Cog-C"


class Concept(ConfigModel):
    """One concept; all texts are Korean, for adults. `broad` are words that mean more than it, for which it is the best
    guess; `requires` are the ids of its direct prerequisites."""

    name: Text
    description: Text
    aliases: tuple[Text, ...]
    broad: tuple[Text, ...] = ()
    requires: tuple[str, ...]


class ConceptGraph(ConfigModel):
    """All concepts by id."""

    concepts: dict[Annotated[str, Field(pattern=r"^C(ur|og)-C[1-9]\d?$")], Concept]

    @model_validator(mode="after")
    def _fits_the_ladder(self) -> Self:
        if faults := [*_faults(self.concepts)]:
            raise ValueError("; ".join(faults))
        return self

    @cached_property
    def order(self) -> Mapping[str, int]:
        """Concept id → its place when every concept stands after all that it requires."""
        placed: dict[str, int] = {}

        def place(concept_id: str) -> None:
            if concept_id not in placed:
                for required in self.concepts[concept_id].requires:
                    place(required)
                placed[concept_id] = len(placed)

        for concept_id in self.concepts:
            place(concept_id)
        return placed

    def ancestors(self, concept_id: str) -> set[str]:
        """All that a concept rests on, directly or not, without itself."""
        found: set[str] = set()
        waiting = [*self.concepts[concept_id].requires]
        while waiting:
            required = waiting.pop()
            if required not in found:
                found.add(required)
                waiting += self.concepts[required].requires
        return found

    def deepest_first(self, concept_ids: Sequence[str] | set[str]) -> list[str]:
        """Sorted so that prerequisites come before what rests on them."""
        return sorted(concept_ids, key=self.order.__getitem__)


def unit_id(c: int) -> str:
    """The concept of a curriculum unit: 7 is "Cur-C7"."""
    return f"{UNIT}{c}"


def concepts_of_level(c: int) -> tuple[str, str]:
    """The two concepts that an answer at Cur-C `c` is evidence of."""
    return unit_id(c), f"{COGNITIVE}{unit(c).cog_c}"


def levels_of_concept(concept_id: str) -> list[int]:
    """The Cur-C whose problems exercise a concept: one for a unit, all that rest on it for a cognitive concept.
    Cog-C1, which no unit rests on directly, is exercised where counting begins."""
    number = int(concept_id.removeprefix(UNIT).removeprefix(COGNITIVE))
    if concept_id.startswith(UNIT):
        return [number]
    return [one.c for one in UNITS if one.cog_c == number] or [LOWEST_C]


def load_concepts(path: Path) -> ConceptGraph:
    """ConfigError names what is wrong."""
    return ConceptGraph.from_file(path)


def _faults(concepts: Mapping[str, Concept]) -> Iterator[str]:
    for concept_id, concept in concepts.items():
        for required in concept.requires:
            if required not in concepts:
                yield f"{concept_id} requires {required}, which is not there"
    for one in UNITS:
        own, cognitive = concepts_of_level(one.c)
        if own not in concepts:
            yield f"{own} is missing"
            continue
        needed = {cognitive, unit_id(one.down)} - {own}
        for absent in sorted(needed - set(concepts[own].requires)):
            yield f"{own} must require {absent}"
    for concept_id in concepts:
        if _reaches_itself(concept_id, concepts):
            yield f"{concept_id} requires itself in the end"


def _reaches_itself(start: str, concepts: Mapping[str, Concept]) -> bool:
    seen: set[str] = set()
    waiting = [*concepts[start].requires]
    while waiting:
        found = waiting.pop()
        if found == start:
            return True
        if found not in seen and found in concepts:
            seen.add(found)
            waiting += concepts[found].requires
    return False
