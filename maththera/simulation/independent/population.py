"""The children, drawn one by one from a seed; each is independent of their number."""

from dataclasses import dataclass, replace
from random import Random
from typing import Final

from maththera.simulation.independent.abilities import MONTH, SIGN, TAUGHT
from maththera.simulation.independent.child import Child, Habits
from maththera.simulation.independent.memory import LONGEST, Memory
from maththera.simulation.independent.number_sense import senses
from maththera.simulation.independent.procedures import PROCEDURES, Procedure

DEFECT, KNOWS_ALL = "single defect", "knows all"
_EVERYTHING: Final = 60.0
"""Months of school after which all is known."""
_SLOW_TYPISTS: Final = 0.15
_SURE: Final = 2.0
"""Months after its lesson from which an ability sits firmly; as long before it, something of it is there."""
_NEW: Final = 12.0
"""Days in which half of what was just learnt is forgotten."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """`share` of the children; `months` at school of what they know; the rest as in `Habits`."""

    share: float
    months: tuple[float, float]
    learns: float
    slip: float
    speed: float
    hasty: float = 0.0
    gaps: tuple[int, int] = (0, 0)


KINDS: Final = {
    "healthy": _Kind(0.2, (5, 30), 1.0, 0.08, 1.0),
    DEFECT: _Kind(0.3, (0, 0), 0.8, 0.1, 1.0),
    "weak": _Kind(0.1, (1, 9), 0.35, 0.12, 1.2),
    "slow": _Kind(0.1, (5, 24), 0.8, 0.08, 1.9),
    "careless": _Kind(0.06, (5, 30), 0.9, 0.09, 0.8, hasty=0.06),
    "gaps": _Kind(0.14, (10, 30), 0.8, 0.08, 1.0, gaps=(1, 3)),
    KNOWS_ALL: _Kind(0.05, (_EVERYTHING, _EVERYTHING), 1.0, 0.04, 1.0),
    "fast": _Kind(0.05, (5, 24), 1.8, 0.06, 0.6),
}
"""Shares and rates are chosen; the slip of a child with a defect is the usual one of Bayesian knowledge tracing."""


def draw(seed: int, index: int, *, kind: str | None = None, taps: bool = False) -> Child:
    """The child of this number; the same seed makes the same child. `kind`: draw only this one."""
    chance = Random(f"{seed}:{index}")  # noqa: S311 - repeatable on purpose
    drawn = chance.choices(list(KINDS), [one.share for one in KINDS.values()])[0]
    kind = kind or drawn
    traits = KINDS[kind]
    speed = traits.speed * chance.lognormvariate(0, 0.2)
    if kind == KNOWS_ALL:
        speed *= chance.choice((0.6, 1.6))
    habits = Habits(
        kind, traits.learns * chance.uniform(0.8, 1.2), traits.slip, speed, traits.hasty,
        types_slowly=chance.random() < _SLOW_TYPISTS, taps=taps,
    )  # fmt: skip
    procedure = chance.choice(list(PROCEDURES.values())) if kind == DEFECT else None
    own = Random(chance.getrandbits(63))  # noqa: S311
    months = chance.uniform(*(procedure.months if procedure else traits.months))
    knows = _knowledge(traits, procedure, months, chance)
    return Child(habits, knows, senses(months, speed, chance), own, procedure=procedure)


def _knowledge(traits: _Kind, procedure: Procedure | None, months: float, chance: Random) -> dict[str, Memory]:
    reached = {sign: months + chance.gauss(0, 1.5) for sign in TAUGHT}
    if procedure is not None:  # what the procedure is about was taught
        reached[procedure.sign] = max(reached[procedure.sign], months)
    knows = {ability: _memory(reached[SIGN[ability]] - month, chance) for ability, month in MONTH.items()}
    sure = [ability for ability in knows if reached[SIGN[ability]] - MONTH[ability] > _SURE]
    for ability in chance.sample(sure, min(len(sure), chance.randint(*traits.gaps))):
        low = chance.uniform(0.05, 0.3)
        knows[ability] = replace(knows[ability], strength=low, base=low, half_life=_NEW)
    return knows


def _memory(months_ago: float, chance: Random) -> Memory:
    """What is left of an ability that was taught so long ago; below 0: not yet."""
    if months_ago > _SURE:
        return Memory(0.995, 0.97, LONGEST / 2)
    if months_ago > 0:
        return Memory(chance.uniform(0.75, 0.97), 0.7, 60.0)
    if months_ago > -_SURE:
        low = chance.uniform(0.1, 0.6)
        return Memory(low, low, _NEW)
    return Memory(0.02, 0.02, _NEW)
