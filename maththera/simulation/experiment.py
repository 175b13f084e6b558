"""Whole experiments: the headline figures, the table of conditions and the comparison of policies."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from maththera.arithmetic.malrules import CATALOGUE
from maththera.simulation import measures
from maththera.simulation.estimates import NOTHING, Estimate, bootstrap, ratio
from maththera.simulation.measures import KEYS, Measured
from maththera.simulation.policies import POLICIES, Policy, steps_to_mastery
from maththera.simulation.session_runs import Setup, loaded, run
from maththera.simulation.simulated_learner import Input
from maththera.simulation.simulated_session import SessionRecord
from maththera.tutoring.content.cause_catalogue import Cause

Progress = Callable[[str, int, int], None]
"""A callback: the stage, how many are newly done, of how many."""

_HELD_OUT: Final = 0.2
"""The share of malrules held out of the tutor's catalogue, to measure unknown errors."""
_SOME: Final = 4
"""One child in this many is enough for the figures beside the headline."""
_HEALTHY: Final = 2
"""One extra healthy child for this many of the population, because a rate of a few per cent needs more of them."""
_COURSES: Final = 10
_FEWEST: Final = 20
_MOST: Final = 1000
_MOST_COURSES: Final = 200
"""The most courses to mastery; each is up to ten sessions long."""
_SLIPS: Final = (0.0, 0.05, 0.1, 0.2)
_INPUTS: Final[tuple[Input, ...]] = ("typed", "taps")
COMPARED: Final[Mapping[str, Mapping[str, Any]]] = {
    "skills": {"advance": "skills", "rt_policy": "adaptive"},
    "skills, fixed norms": {"advance": "skills", "rt_policy": "fixed"},
    "seed": {"advance": "seed", "rt_policy": "adaptive"},
    **{
        f"streak {length}": {"advance": "streak", "promotion_streak": length, "rt_policy": "adaptive"}
        for length in (2, 3)
    },
}
"""Name → the policy of a session, as in its start. The seed's is a streak of 1."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of an experiment: the figures and the sessions behind them."""

    figures: Measured
    records: Sequence[SessionRecord]
    steps: dict[Policy, list[int]]


def headline(home: Path, setup: Setup, workers: int, progress: Progress) -> Findings:
    """Every named figure for one condition: sessions, sessions with malrules held out, and courses to mastery."""
    causes = _causes(home)
    started = time.monotonic()
    records = _session_records(home, setup, workers, progress, "sessions")
    seconds = time.monotonic() - started
    found = measures.measure(records, causes)
    healthy = replace(setup, learners=_sample_size(setup, _HEALTHY), seed=setup.seed + 1, kinds=("healthy",))
    found |= measures.measure_healthy([*records, *_session_records(home, healthy, workers, progress, "healthy")])
    hidden = replace(setup, learners=_sample_size(setup, _SOME), held_out=held_out(setup.seed), kinds=("malrule",))
    found |= measures.measure_unknown(_session_records(home, hidden, workers, progress, "malrules held out"))
    steps = {name: _mastery_steps(home, setup, name, workers, progress) for name in POLICIES}
    for name in POLICIES[1:]:
        found[f"steps_ratio_{name}"] = bootstrap(list(zip(steps["tutor"], steps[name], strict=True)), ratio)
    speed = sum(record.turns for record in records) / seconds
    found["turns_per_second"] = Estimate(speed, speed, speed)
    return Findings(found, records, steps)


def held_out(seed: int) -> frozenset[str]:
    """The held-out malrules: a fifth of the catalogue, drawn by the seed."""
    names = sorted(CATALOGUE)
    return frozenset(Random(seed).sample(names, round(_HELD_OUT * len(names))))  # noqa: S311 - repeatable on purpose


def conditions(home: Path, setup: Setup, workers: int, progress: Progress) -> dict[str, Measured]:
    """The figures at each slip rate, typed and tapped, and with malrules held out."""
    causes = _causes(home)
    found: dict[str, Measured] = {}
    for kind in _INPUTS:
        for slip in _SLIPS:
            name = f"{kind}, slip {slip:g}"
            one = replace(setup, slip=slip, input=kind)
            hidden = replace(
                one, learners=_sample_size(setup, _SOME), held_out=held_out(setup.seed), kinds=("malrule",)
            )
            found[name] = measures.measure(_session_records(home, one, workers, progress, name), causes)
            found[name] |= measures.measure_unknown(
                _session_records(home, hidden, workers, progress, f"{name}, held out")
            )
    return found


def policies(home: Path, setup: Setup, workers: int, progress: Progress) -> dict[str, Measured]:
    """Every way up the ladder, and fixed response-time norms, on the same children."""
    causes = _causes(home)
    found: dict[str, Measured] = {}
    for name, policy in COMPARED.items():
        one = replace(setup, policy=policy)
        found[name] = measures.measure(_session_records(home, one, workers, progress, name), causes)
        steps = _mastery_steps(home, one, "tutor", workers, progress, f"{name}, steps to mastery")
        found[name]["steps_to_mastery"] = bootstrap(steps, measures.mean)
    return found


def as_json(found: Measured) -> dict[str, object]:
    """The named figures, and their intervals under `ci`; null where nothing was measured."""
    chosen = {key: found.get(key, NOTHING) for key in KEYS}
    return {
        **{key: estimate.value for key, estimate in chosen.items()},
        "ci": {key: [estimate.low, estimate.high] for key, estimate in chosen.items()},
    }


def _causes(home: Path) -> Mapping[str, Cause]:
    """Loads everything that the processes will load, so that a fault is reported once and by name."""
    rules, _ = loaded(home)
    return rules.catalogue.causes


def _session_records(home: Path, setup: Setup, workers: int, progress: Progress, what: str) -> list[SessionRecord]:
    return run(home, setup, workers, lambda done: progress(what, done, setup.learners))


def _mastery_steps(  # noqa: PLR0913 - one condition, one policy, and what is told of it
    home: Path, setup: Setup, policy: Policy, workers: int, progress: Progress, what: str = ""
) -> list[int]:
    course = replace(setup, learners=_sample_size(setup, _COURSES, _MOST_COURSES), kinds=("malrule",))
    what = what or f"steps to mastery, {policy}"
    return steps_to_mastery(home, course, policy, workers, lambda done: progress(what, done, course.learners))


def _sample_size(setup: Setup, one_in: int, most: int = _MOST) -> int:
    return min(most, max(_FEWEST, setup.learners // one_in))
