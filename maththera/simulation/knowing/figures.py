"""The figures: does the tutor know what a child can do, does it find what is wrong, does the child learn.

A figure is a share of children, of sessions or of tasks, as its words say; None where there was nothing to measure.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from statistics import mean, median, quantiles
from typing import Final, NamedTuple

from maththera.knowledge.knowledge import KNOWN, UNDERSTOOD, Word
from maththera.knowledge.skills import STRANDS
from maththera.simulation.estimates import Estimate, bootstrap, ratio, share, spearman
from maththera.simulation.independent.population import DEFECT, KNOWS_ALL
from maththera.simulation.knowing.examiner import HAS, HAS_NOT, Examiner, Truth
from maththera.simulation.knowing.weeks import Asked, Session, Weeks

Figures = dict[str, Estimate]


class Line(NamedTuple):
    """One line of the table: what is counted, and what is wanted of it."""

    words: str
    wanted: str = ""


LINES: Final = {
    "shown_not_had": Line("skills called understood that the child has not", "≤ 0.005"),
    "expected_not_had": Line("skills taken to be known that it has not", "≤ 0.04"),
    "recognised": Line("skills it has that are known after 4 sessions", "≥ 0.85"),
    "placed": Line("strands within one step after the first session", "≥ 0.9"),
    "placement_problems": Line("problems of a placement, mean", "≤ 12"),
    "met_by_2": Line("defect asked and missed by session 2 after the placement", "≥ 0.8"),
    "met_by_3": Line("defect asked and missed by session 3 after it", "≥ 0.87"),
    "met_given_by_2": Line("the same, level given, by session 2"),
    "met_given_by_3": Line("the same, level given, by session 3"),
    "cause_by_3": Line("its cause stated by session 3 after the placement", "≥ 0.8"),
    "cause_given_by_3": Line("the same, level given", "≥ 0.8"),
    "cause_by_taps": Line("the same by who taps where there are choices, both starts", "≥ 0.75"),
    "wrong_cause_outside": Line("outside the catalogue: a cause stated by then", "≤ 0.1"),
    "healthy_cause": Line("healthy children with a stated cause by then", "≤ 0.02"),
    "healthy_cause_session": Line("sessions of healthy children with a stated cause"),
    "right_in_range": Line("children with 0.70 to 0.90 of first tries right", "≥ 0.85"),
    "right_median": Line("first tries right, median child"),
    "four_misses": Line("sessions with four misses in a row", "≤ 0.02"),
    "four_misses_careless": Line("the same, careless children", "≤ 0.08"),
    "four_times": Line("sessions with a task more than three times", "0"),
    "start_lost": Line("next start more than a step lower after a bad session", "0"),
    "start_lost_most": Line("steps lost after a bad session, most", "≤ 1"),
    "extra_tasks": Line("tasks in loops, trainings and examples", "≤ 0.55"),
    "cut_off": Line("sessions cut off", "≤ 0.06"),
    "white_out_healthy": Line("sessions with a White-out, healthy", "≤ 0.01"),
    "white_out_defect": Line("sessions with a White-out, single defect"),
    "stuck": Line("children stuck for three sessions", "≤ 0.04"),
    "strand_idle": Line("open strands without work for four sessions", "≤ 0.01"),
    "to_the_top_fast": Line("knows all, fast: sessions to the top, 9th of 10", "≤ 4"),
    "to_the_top_slow": Line("knows all, slow: sessions to the top, 9th of 10", "≤ 4"),
    "gained": Line("skills gained in 8 sessions, mean", "2 × before"),
    "gained_weak": Line("the same, weak children"),
    "mended": Line("defects that hold in less than half of the cases after 8 sessions"),
    "kept": Line("gained skills still there after 30 days and one session", "≥ 0.8"),
    **{f"rho_{sign}": Line(f"ρ of prediction and true success, {sign}") for sign in STRANDS},
    "rho_within_c": Line("ρ within a C, mean"),
    "glance_near": Line("screening: range of dots at a glance within one of the child's"),
    "counting_rho": Line("screening: ρ of what counting a dot costs and what it costs the child"),
    "comparing_rho": Line("screening: ρ of wrong comparisons of dots and the child's blur"),
    "line_rho": Line("screening: ρ of the error on a line and the child's"),
    "ratio_effect": Line("screening: right answers at 1:2 less those at 5:6, dots"),
    "weak_sense": Line("screening: the one weak sense of four is the farthest from usual"),
    "selection_us": Line("choosing a task, median µs", "≤ 60"),
    "knowledge_us": Line("learning from an answer, median µs", "≤ 40"),
}
"""Figure → its line, in the order of the table."""

_EXPECTED: Final = KNOWN - UNDERSTOOD

_TRIED: Final = 3
_EXTRA: Final = frozenset({"anchor", "fine_adjustment", "return", "bridge", "training", "worked_example"})
_NO_MISS: Final = frozenset({"training", "worked_example"})
_SESSIONS: Final = 8
_STUCK: Final = 3
_IDLE: Final = 4
_ENOUGH: Final = 20


def measure(weeks: Sequence[Weeks], examiner: Examiner) -> Figures:
    """All figures of children who came for eight sessions, and once more after a rest."""
    courses = [_first(one, _SESSIONS) for one in weeks]
    healthy, defects = _of_kind(courses, "healthy"), _of_kind(courses, DEFECT)
    trying = [one for one in courses if one.kind != "careless"]
    learners = [one for one in courses if _has_left(one.truth, examiner)]
    inside = [one for one in defects if examiner.causes(one.procedure or "")]
    outside = [one for one in defects if not examiner.causes(one.procedure or "")]
    found = {
        "shown_not_had": _said_wrongly(courses, UNDERSTOOD),
        "expected_not_had": _said_wrongly(courses, _EXPECTED),
        "recognised": bootstrap([_recognised(one) for one in courses], ratio),
        "placed": bootstrap([_placed(one, examiner) for one in courses if one.given_c is None], ratio),
        "placement_problems": _mean([float(many) for one in courses for many in _placements(one)]),
        "wrong_cause_outside": _children(outside, lambda one: bool(_stated(one))),
        "healthy_cause": _children(healthy, lambda one: bool(_stated(one))),
        "healthy_cause_session": _sessions(healthy, lambda session: bool(session.stated)),
        "right_in_range": _children(learners, lambda one: 0.7 <= _right_share(one) <= 0.9),
        "right_median": bootstrap([_right_share(one) for one in learners], median),
        "four_misses": _sessions(trying, lambda session: _longest_run_of_misses(session) >= 4),
        "four_misses_careless": _sessions(
            _of_kind(courses, "careless"), lambda session: _longest_run_of_misses(session) >= 4
        ),
        "four_times": _sessions(courses, _asks_a_fourth_time),
        "extra_tasks": bootstrap([_extra_tasks(one) for one in courses], ratio),
        "cut_off": _sessions(courses, lambda session: session.ended_because == "tasks"),
        "white_out_healthy": _sessions(healthy, lambda session: session.white_out),
        "white_out_defect": _sessions(defects, lambda session: session.white_out),
        "stuck": _children(learners, lambda one: _is_stuck(one, examiner)),
        "strand_idle": bootstrap([_idle_strands(one, examiner) for one in learners], ratio),
        "gained": _mean([float(len(_gained(one))) for one in learners]),
        "gained_weak": _mean([float(len(_gained(one))) for one in _of_kind(learners, "weak")]),
        "mended": _children(defects, lambda one: one.sessions[-1].hold < HAS_NOT),
        "kept": bootstrap([_kept(one) for one in weeks], ratio),
    }
    for name, given in (("", False), ("_given", True)):
        own = [one for one in defects if (one.given_c is not None) == given]
        known = [one for one in inside if (one.given_c is not None) == given]
        found[f"met{name}_by_2"] = _children(own, lambda one: _met(one, 2))
        found[f"met{name}_by_3"] = _children(own, lambda one: _met(one, 3))
        found[f"cause{name}_by_3"] = cause_stated(known, examiner)
    climbing = [one for one in _of_kind(courses, KNOWS_ALL) if one.given_c is None]
    for name, slow in (("fast", False), ("slow", True)):
        found[f"to_the_top_{name}"] = _most([_to_the_top(one, examiner) for one in climbing if (one.speed > 1) == slow])
    return found | _predictions(courses)


def cause_stated(weeks: Sequence[Weeks], examiner: Examiner) -> Estimate:
    """Children of procedures within the catalogue whose cause is stated within three sessions after the placement."""
    known = [one for one in weeks if examiner.causes(one.procedure or "")]
    return _children(known, lambda one: bool(_stated(one) & examiner.causes(one.procedure or "")))


def start_lost(weeks: Sequence[Weeks], examiner: Examiner, bad_day: int) -> Figures:
    """How far the starts after one bad session lie below the last starts of their strands."""
    lost = []
    for one in weeks:
        last: dict[str, int] = {}
        worst = 0
        for number, session in enumerate(one.sessions):
            ladder = examiner.ladder(session.strand)
            place = ladder.index(session.start_c) if session.start_c in ladder else 0
            if number > bad_day:
                worst = max(worst, last.pop(session.strand, place) - place)
            else:
                last[session.strand] = place
        lost.append(worst)
    most = float(max(lost, default=0))
    return {
        "start_lost": share(sum(steps > 1 for steps in lost), len(lost)),
        "start_lost_most": Estimate(most, most, most),
    }


# --- one child --------------------------------------------------------------------------------------------------------


def _first(weeks: Weeks, sessions: int) -> Weeks:
    return replace(weeks, sessions=weeks.sessions[:sessions])


def _has_left(truth: Truth, examiner: Examiner) -> bool:
    return any(truth[skill.skill_id] < HAS_NOT for skill in examiner.needed())


def _looked_at(weeks: Weeks, sessions: int) -> Sequence[Session]:
    """So many sessions after the placement, which is the first one where no level is given."""
    return weeks.sessions[: sessions + (weeks.given_c is None)]


def _stated(weeks: Weeks) -> set[str]:
    return {tag for session in _looked_at(weeks, _TRIED) for tag in session.stated}


def _met(weeks: Weeks, sessions: int) -> bool:
    asked = (one for session in _looked_at(weeks, sessions) for one in session.asked)
    return any(one.why == "procedure" and one.right is False for one in asked)


def _recognised(weeks: Weeks) -> tuple[int, int]:
    session = weeks.sessions[_TRIED]
    had = [skill_id for skill_id, value in session.truth.items() if value >= HAS]
    return sum(session.said.get(skill_id) in KNOWN for skill_id in had), len(had)


def _placed(weeks: Weeks, examiner: Examiner) -> tuple[int, int]:
    session = weeks.sessions[0]
    had = [skill_id for skill_id, value in session.truth.items() if value >= HAS]
    known = [skill_id for skill_id, word in session.said.items() if word in KNOWN]
    steps = [abs(examiner.border(known, strand) - examiner.border(had, strand)) for strand in STRANDS]
    return sum(one <= 1 for one in steps), len(steps)


def _placements(weeks: Weeks) -> Iterable[int]:
    counts = (sum(one.phase == "placement" for one in session.asked) for session in weeks.sessions)
    return (many for many in counts if many)


def _first_tries(weeks: Weeks) -> list[Asked]:
    return [one for session in weeks.sessions for one in session.asked if one.first and one.phase != "placement"]


def _right_share(weeks: Weeks) -> float:
    tries = _first_tries(weeks)
    return sum(one.right is True for one in tries) / len(tries) if tries else 0.0


def _extra_tasks(weeks: Weeks) -> tuple[int, int]:
    kinds = [one.kind for session in weeks.sessions for one in session.asked if one.counts]
    return sum(kind in _EXTRA for kind in kinds), len(kinds)


def _reach(weeks: Weeks, examiner: Examiner) -> list[set[str]]:
    """For each session, the skills within the child's reach when it began."""
    before = [weeks.truth, *(session.truth for session in weeks.sessions)]
    return [examiner.within_reach(truth) for truth in before[:-1]]


def _is_stuck(weeks: Weeks, examiner: Examiner) -> bool:
    """Whether the child got no task of a skill that was ready to learn, for `_STUCK` sessions in a row."""
    missed = [
        bool(reach) and not any(one.skill_id in reach for one in session.asked)
        for reach, session in zip(_reach(weeks, examiner), weeks.sessions, strict=True)
    ]
    return _longest_run(missed) >= _STUCK


def _idle_strands(weeks: Weeks, examiner: Examiner) -> tuple[int, int]:
    """How many strands gave no task during `_IDLE` sessions in a row in which they had a skill ready to learn, and how
    many had such sessions at all."""
    reach = _reach(weeks, examiner)
    opened = idle = 0
    for strand in STRANDS:
        within = [any(examiner.skills[skill_id].strand == strand for skill_id in own) for own in reach]
        worked = [any(one.sign == strand for one in session.asked) for session in weeks.sessions]
        opened += _longest_run(within) >= _IDLE
        idle += _longest_run([a and not b for a, b in zip(within, worked, strict=True)]) >= _IDLE
    return idle, opened


def _to_the_top(weeks: Weeks, examiner: Examiner) -> float:
    """Sessions until the highest level of every strand was asked; one more than there were if never."""
    missing = {examiner.ladder(strand)[-1] for strand in STRANDS}
    for number, session in enumerate(weeks.sessions, start=1):
        missing -= {one.c for one in session.asked if one.c is not None}
        if not missing:
            return number
    return len(weeks.sessions) + 1


def _gained(weeks: Weeks) -> set[str]:
    after = weeks.sessions[_SESSIONS - 1].truth
    return {skill_id for skill_id, value in after.items() if value >= HAS and weeks.truth[skill_id] < HAS_NOT}


def _kept(weeks: Weeks) -> tuple[int, int]:
    gained, after = _gained(weeks), weeks.sessions[-1].truth
    return sum(after[skill_id] >= HAS for skill_id in gained), len(gained)


# --- one session ------------------------------------------------------------------------------------------------------


def _longest_run_of_misses(session: Session) -> int:
    return _longest_run([one.right is not True for one in session.asked if one.kind not in _NO_MISS])


def _asks_a_fourth_time(session: Session) -> bool:
    tasks = [(one.kind, one.prompt) for one in session.asked if one.kind != "training"]
    return any(tasks.count(task) > 3 for task in set(tasks))


def _longest_run(values: Iterable[bool]) -> int:
    run = longest = 0
    for value in values:
        run = run + 1 if value else 0
        longest = max(longest, run)
    return longest


# --- all children -----------------------------------------------------------------------------------------------------


def _of_kind(weeks: Sequence[Weeks], kind: str) -> list[Weeks]:
    return [one for one in weeks if one.kind == kind]


def _children(weeks: Sequence[Weeks], fits: Callable[[Weeks], bool]) -> Estimate:
    return share(sum(map(fits, weeks)), len(weeks))


def _sessions(weeks: Sequence[Weeks], fits: Callable[[Session], bool]) -> Estimate:
    return bootstrap([(sum(map(fits, one.sessions)), len(one.sessions)) for one in weeks], ratio)


def _mean(values: Sequence[float]) -> Estimate:
    return bootstrap(values, mean)


def _most(values: Sequence[float]) -> Estimate:
    return bootstrap(values, lambda sample: quantiles(sample, n=10)[-1] if len(sample) > 1 else max(sample))


def _said_wrongly(weeks: Sequence[Weeks], words: frozenset[Word]) -> Estimate:
    """Of what is said of skills at the ends of all sessions, the share that is not so."""
    pairs = []
    for one in weeks:
        said = [session.truth[name] for session in one.sessions for name, word in session.said.items() if word in words]
        pairs.append((sum(value < HAS_NOT for value in said), len(said)))
    return bootstrap(pairs, ratio)


def _predictions(weeks: Sequence[Weeks]) -> Figures:
    """Spearman's ρ over first tries between what the tutor goes by and the children's true chance."""
    tries = [asked for one in weeks for asked in _first_tries(one)]
    found = {}
    for sign in STRANDS:
        own = [(one.predicted, one.chance) for one in tries if one.sign == sign]
        found[f"rho_{sign}"] = _rho(own)
    levels: dict[int, list[tuple[float, float]]] = {}
    for asked in tries:
        if asked.c is not None:
            levels.setdefault(asked.c, []).append((asked.predicted, asked.chance))
    within = [(value, len(own)) for own in levels.values() if (value := _rho(own).value) is not None]
    weighted = sum(value * size for value, size in within) / max(1, sum(size for _, size in within))
    return {**found, "rho_within_c": Estimate(weighted, weighted, weighted)}


def _rho(pairs: Sequence[tuple[float, float]]) -> Estimate:
    value = spearman(*zip(*pairs, strict=True)) if len(pairs) >= _ENOUGH else None
    return Estimate(value, value, value)
