"""Screenings of number sense: does the profile show what a child's senses are, and which of them is weak."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, mean, pstdev
from typing import Final, Literal

from maththera.simulation.estimates import Estimate, bootstrap, share, spearman
from maththera.simulation.independent.number_sense import Senses
from maththera.simulation.independent.population import draw
from maththera.simulation.knowing.figures import Figures
from maththera.simulation.knowing.weeks import Tutor
from maththera.tutoring.number_sense.screening_profile import NumberSenseProfile

Sense = Literal["glance", "counting", "comparing", "line"]
SENSES: Final[tuple[Sense, ...]] = ("glance", "counting", "comparing", "line")
"""What a screening asks for: N1 and how dots are counted, N3, N5. The other skills of number sense it leaves out."""

_EASY, _HARD = "1:2", "5:6"
_WEAK: Final = 2
"""How many times worse a weak sense is; so many dots fewer it sees at once, but one."""


@dataclass(frozen=True, slots=True)
class Screened:
    """A child in its first months at school: its senses and what a screening found, and what another one found once
    `weak` had become worse."""

    index: int
    senses: Senses
    found: NumberSenseProfile
    weak: Sense
    found_weak: NumberSenseProfile


def screened(tutor: Tutor, seed: int, index: int) -> Screened:
    """The child of this number, screened twice. Which sense is made weak goes by the number."""
    child, weaker, weak = draw(seed, index, kind="weak"), draw(seed, index, kind="weak"), SENSES[index % len(SENSES)]
    own = replace(child.senses)
    weaker.senses = _weakened(own, weak)
    return Screened(index, own, tutor.screening(child, 2 * index), weak, tutor.screening(weaker, 2 * index + 1))


def measure_screenings(children: Sequence[Screened]) -> Figures:
    """The figures of number sense."""
    usual = {sense: [value for one in children if (value := _lack(one.found, sense)) is not None] for sense in SENSES}
    ranges = [
        abs(seen - one.senses.at_once)
        for one in children
        if (seen := one.found["enumeration"]["subitizing_range"]) is not None
    ]
    return {
        "glance_near": share(sum(off <= 1 for off in ranges), len(ranges)),
        "counting_rho": _rho(children, "counting"),
        "comparing_rho": _rho(children, "comparing"),
        "line_rho": _rho(children, "line"),
        "ratio_effect": bootstrap([_right(one.found, _EASY) - _right(one.found, _HARD) for one in children], mean),
        "weak_sense": share(sum(_weakest(one.found_weak, usual) == one.weak for one in children), len(children)),
    }


def _weakened(senses: Senses, sense: Sense) -> Senses:
    if sense == "glance":
        return replace(senses, at_once=max(1, senses.at_once - _WEAK))
    if sense == "counting":
        return replace(senses, count_ms=senses.count_ms * _WEAK)
    if sense == "comparing":
        return replace(senses, blur=senses.blur * _WEAK)
    return replace(senses, line=senses.line * _WEAK)


def _lack(found: NumberSenseProfile, sense: Sense) -> float | None:
    """What a profile says of a sense, the more the weaker it is; None where it says nothing."""
    dots = found["enumeration"]
    if sense == "glance":
        return None if dots["subitizing_range"] is None else -float(dots["subitizing_range"])
    if sense == "counting":
        return dots["counting_ms_per_dot"]
    if sense == "comparing":
        pairs = [one for one in found["comparison"] if one["shown"] == "dots"]
        return 1 - sum(one["right"] for one in pairs) / sum(one["of"] for one in pairs)
    errors = [one["error_percent"] for one in found["line"] if one["error_percent"] is not None]
    return fmean(errors) if errors else None


def _true_lack(senses: Senses, sense: Sense) -> float:
    own: Mapping[Sense, float] = {
        "glance": -senses.at_once, "counting": senses.count_ms, "comparing": senses.blur, "line": senses.line,
    }  # fmt: skip
    return own[sense]


def _weakest(found: NumberSenseProfile, usual: Mapping[Sense, Sequence[float]]) -> Sense | None:
    """The sense that lies farthest on the weak side of what is usual, in standard deviations."""
    far = {
        sense: (lack - mean(values)) / spread
        for sense, values in usual.items()
        if (lack := _lack(found, sense)) is not None and len(values) > 1 and (spread := pstdev(values)) > 0
    }
    by_distance: list[Sense] = sorted(far, key=far.__getitem__)
    return by_distance[-1] if by_distance else None


def _right(found: NumberSenseProfile, ratio: str) -> float:
    """The share of right answers to dots of one ratio."""
    pair = next(one for one in found["comparison"] if one["shown"] == "dots" and one["ratio"] == ratio)
    return pair["right"] / pair["of"]


def _rho(children: Sequence[Screened], sense: Sense) -> Estimate:
    """Spearman's ρ of what the profiles say and what the senses are."""
    pairs = [(lack, _true_lack(one.senses, sense)) for one in children if (lack := _lack(one.found, sense)) is not None]
    return bootstrap(pairs, lambda sample: spearman(*zip(*sample, strict=True)))
