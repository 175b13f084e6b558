"""The whole experiment: the children, those who tap, those with a bad day, those who are screened, and the oracle, in
parallel processes."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final, Literal, NamedTuple

import orjson

from maththera.config_files import ConfigError
from maththera.simulation.estimates import Estimate
from maththera.simulation.independent.population import DEFECT, KNOWS_ALL, draw
from maththera.simulation.knowing import oracle
from maththera.simulation.knowing.examiner import Examiner
from maththera.simulation.knowing.figures import Figures, cause_stated, measure, start_lost
from maththera.simulation.knowing.screenings import Screened, measure_screenings, screened
from maththera.simulation.knowing.weeks import Tutor, Weeks
from maththera.simulation.session_runs import processes
from maththera.tutoring.content.session_rules import load_rules

Progress = Callable[[str, int, int], None]

_CHUNK: Final = 10
_REST_DAYS: Final = 30
_SESSIONS: Final = 8
_SHORT: Final = 4
_BAD_DAY: Final = 4
_TAPPING: Final = 4
_SCREENED: Final = 4
_HAVING_A_BAD_DAY: Final = 10
_FEWEST: Final = 10


@dataclass(frozen=True, slots=True)
class Course:
    """Who comes and for how long. Every second child's level is given, for a bad day every child's, never that of
    one who knows all."""

    children: int
    seed: int
    problems: int = 15
    who: Literal["tutor", "oracle", "taps", "bad day", "screening"] = "tutor"


@dataclass(frozen=True, slots=True)
class Found:
    """The figures of the tutor, and those of the oracle."""

    tutor: Figures
    oracle: Figures


class Piece(NamedTuple):
    """Some children's weeks, or their screenings, and microseconds: of each choice of a task, of each answer learnt
    from."""

    weeks: list[Weeks]
    screened: list[Screened]
    selected_us: list[float]
    learnt_us: list[float]


Run = Callable[[Course, Sequence[range]], Iterator[Piece]]


class Classroom:
    """The tutor, loaded once for any number of children."""

    def __init__(self, home: Path) -> None:
        rules = load_rules(home)
        self.examiner = Examiner(rules.bank, rules.knowledge.skills)
        self._tutor = Tutor(rules, self.examiner)

    def run(self, course: Course, indices: range) -> Piece:
        """The weeks of these children, and the time that it took to choose and to learn."""
        self._tutor.selected_us.clear()
        self._tutor.learnt_us.clear()
        if course.who == "screening":
            return Piece([], [screened(self._tutor, course.seed, index) for index in indices], [], [])
        return Piece(
            [self._weeks(course, index) for index in indices],
            [],
            list(self._tutor.selected_us),
            list(self._tutor.learnt_us),
        )

    def _weeks(self, course: Course, index: int) -> Weeks:
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
    """Every figure of the tutor, and of the oracle those of what the children learn. One worker runs in this process,
    more in processes of their own; the figures are the same."""
    room = Classroom(home)
    with _runs(room, home, workers) as run:
        together = _together(run, course, progress)
        tapping = replace(course, children=max(_FEWEST, course.children // _TAPPING), who="taps")
        taps = _together(run, tapping, progress).weeks
        bad = replace(course, children=max(_FEWEST, course.children // _HAVING_A_BAD_DAY), who="bad day")
        bad_days = _together(run, bad, progress).weeks
        screening = replace(course, children=max(_FEWEST, course.children // _SCREENED), who="screening")
        screenings = _together(run, screening, progress).screened
        seen_through = _together(run, replace(course, who="oracle"), progress).weeks
    found = measure(together.weeks, room.examiner)
    for name, times in (("selection_us", together.selected_us), ("knowledge_us", together.learnt_us)):
        middle = median(times)
        found[name] = Estimate(middle, middle, middle)
    found["cause_by_taps"] = cause_stated(taps, room.examiner)
    found |= start_lost(bad_days, room.examiner, _BAD_DAY) | measure_screenings(screenings)
    oracles = measure(seen_through, room.examiner)
    return Found(found, {key: oracles[key] for key in _OF_THE_ORACLE})


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


def _together(run: Run, course: Course, progress: Progress) -> Piece:
    pieces = [range(start, min(start + _CHUNK, course.children)) for start in range(0, course.children, _CHUNK)]
    found = Piece([], [], [], [])
    for one in run(course, pieces):
        found.weeks.extend(one.weeks)
        found.screened.extend(one.screened)
        found.selected_us.extend(one.selected_us)
        found.learnt_us.extend(one.learnt_us)
        progress(course.who, len(one.weeks) + len(one.screened), course.children)
    found.weeks.sort(key=lambda one: one.index)
    found.screened.sort(key=lambda one: one.index)
    return found


@contextmanager
def _runs(room: Classroom, home: Path, workers: int) -> Iterator[Run]:
    """Runs pieces of a course, in this process or in others that live as long as the block."""
    if workers == 1:
        yield lambda course, pieces: (room.run(course, piece) for piece in pieces)
        return
    with processes(workers, partial(_begin, home)) as pool:

        def run(course: Course, pieces: Sequence[range]) -> Iterator[Piece]:
            for done in as_completed([pool.submit(_run_piece, course, piece) for piece in pieces]):
                yield done.result()

        yield run


_WORKER_CLASSROOM: list[Classroom] = []
"""The `Classroom` of a worker process."""


def _begin(home: Path) -> None:
    _WORKER_CLASSROOM[:] = [Classroom(home)]


def _run_piece(course: Course, piece: range) -> Piece:
    return _WORKER_CLASSROOM[0].run(course, piece)
