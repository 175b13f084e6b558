"""The whole experiment: the children, those who tap, those with a bad day, and the oracle, in parallel processes."""

from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final, Literal

import orjson

from maththera.config_files import ConfigError
from maththera.knowledge.skills import load_skills
from maththera.learner_model.concept_graph import load_concepts
from maththera.simulation.estimates import Estimate
from maththera.simulation.independent.population import DEFECT, KNOWS_ALL, draw
from maththera.simulation.knowing import oracle
from maththera.simulation.knowing.examiner import Examiner
from maththera.simulation.knowing.figures import Figures, cause_stated, measure, start_lost
from maththera.simulation.knowing.weeks import Tutor, Weeks
from maththera.simulation.session_runs import processes
from maththera.tutoring.content.session_rules import load_rules

Progress = Callable[[str, int, int], None]

_CHUNK: Final = 10
_REST_DAYS: Final = 30.0
_SESSIONS: Final = 8
_SHORT: Final = 4
_BAD_DAY: Final = 4
_TAPPING: Final = 4
_HAVING_A_BAD_DAY: Final = 10
_FEWEST: Final = 10


@dataclass(frozen=True, slots=True)
class Course:
    """Who comes and for how long. Every second child's level is given, for a bad day every child's, never that of
    one who knows all."""

    children: int
    seed: int
    problems: int = 15
    who: Literal["tutor", "oracle", "taps", "bad day"] = "tutor"


@dataclass(frozen=True, slots=True)
class Found:
    """The figures of the tutor, and those of the oracle."""

    tutor: Figures
    oracle: Figures


class Classroom:
    """The tutor, loaded once for any number of children."""

    def __init__(self, home: Path, course: Course) -> None:
        rules = load_rules(home)
        self.examiner = Examiner(rules.bank, load_skills(home / "configs" / "knowledge" / "skills.yaml", rules.bank))
        self._tutor = Tutor(rules, load_concepts(home / "configs" / "learner_model" / "concepts.yaml"), self.examiner)
        self._course = course

    def run(self, indices: range) -> tuple[list[Weeks], list[float]]:
        """The weeks of these children, and the microseconds of each choice of a task."""
        self._tutor.selected_us.clear()
        return [self._weeks(index) for index in indices], list(self._tutor.selected_us)

    def _weeks(self, index: int) -> Weeks:
        course = self._course
        kind = {"taps": DEFECT, "bad day": "healthy"}.get(course.who)
        child = draw(course.seed, index, kind=kind, taps=course.who == "taps")
        if course.who == "oracle":
            return oracle.weeks(index, child, course.seed, self.examiner, sessions=_SESSIONS, rest=_REST_DAYS)
        return self._tutor.weeks(
            index,
            child,
            course.seed,
            level_given=course.who == "bad day" or (index % 2 == 1 and child.habits.kind != KNOWS_ALL),
            sessions=_SHORT if course.who == "taps" else _SESSIONS,
            problems=course.problems,
            bad_day=_BAD_DAY if course.who == "bad day" else None,
            rest=_REST_DAYS if course.who == "tutor" else None,
        )


def knowing(home: Path, course: Course, workers: int, progress: Progress) -> Found:
    """Every figure of the tutor, and of the oracle those of what the children learn."""
    examiner = Classroom(home, course).examiner
    weeks, selected_us = _run(home, course, workers, progress)
    found = measure(weeks, examiner)
    middle = median(selected_us)
    found["selection_us"] = Estimate(middle, middle, middle)
    tapping = replace(course, children=max(_FEWEST, course.children // _TAPPING), who="taps")
    found["cause_by_taps"] = cause_stated(_run(home, tapping, workers, progress)[0], examiner)
    bad = replace(course, children=max(_FEWEST, course.children // _HAVING_A_BAD_DAY), who="bad day")
    found |= start_lost(_run(home, bad, workers, progress)[0], examiner, _BAD_DAY)
    seeing = measure(_run(home, replace(course, who="oracle"), workers, progress)[0], examiner)
    return Found(found, {key: seeing[key] for key in _OF_THE_ORACLE})


_OF_THE_ORACLE: Final = ("right_in_range", "right_median", "four_misses", "gained", "gained_weak", "mended", "kept")


def before(path: Path, course: Course) -> dict[str, float | None]:
    """The recorded figures of the tutor as it was, of the same children; none for other children."""
    try:
        recorded = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    same = (recorded["children"], recorded["seed"], recorded["problems"]) == (
        course.children,
        course.seed,
        course.problems,
    )
    return dict(recorded["figures"]) if same else {}


def as_json(found: Found, course: Course) -> dict[str, object]:
    """The figures by name, as `before` reads them, and their intervals."""
    return {
        "children": course.children,
        "seed": course.seed,
        "problems": course.problems,
        "figures": {key: one.value for key, one in found.tutor.items()},
        "ci": {key: [one.low, one.high] for key, one in found.tutor.items()},
        "oracle": {key: one.value for key, one in found.oracle.items()},
    }


def _run(home: Path, course: Course, workers: int, progress: Progress) -> tuple[list[Weeks], list[float]]:
    pieces = [range(start, min(start + _CHUNK, course.children)) for start in range(0, course.children, _CHUNK)]
    weeks: list[Weeks] = []
    times: list[float] = []
    for own, took in _pieces(home, course, workers, pieces):
        weeks += own
        times += took
        progress(course.who, len(own), course.children)
    return sorted(weeks, key=lambda one: one.index), times


def _pieces(home: Path, course: Course, workers: int, pieces: list[range]) -> Iterator[tuple[list[Weeks], list[float]]]:
    if workers == 1:
        yield from map(Classroom(home, course).run, pieces)
        return
    with processes(workers, partial(_begin, home, course)) as pool:
        for done in as_completed([pool.submit(_run_piece, piece) for piece in pieces]):
            yield done.result()


_WORKER_CLASSROOM: list[Classroom] = []
"""The `Classroom` of a worker process."""


def _begin(home: Path, course: Course) -> None:
    _WORKER_CLASSROOM[:] = [Classroom(home, course)]


def _run_piece(piece: range) -> tuple[list[Weeks], list[float]]:
    return _WORKER_CLASSROOM[0].run(piece)
