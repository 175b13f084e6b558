"""F-14: the next problem, and F-15's share of it: the task that a row of the transition table asks to show."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from maththera.arithmetic.problem import Problem, make_problem
from maththera.tutoring import scaffolds
from maththera.tutoring.choices import choices
from maththera.tutoring.draw import draw
from maththera.tutoring.rules import Rules
from maththera.tutoring.state import Kind, Task, TutoringState, given
from maththera.tutoring.suspects import nearest_telling, revealing, suspects, telling

_ABSTRACT: Final = 1
"""From this upscaling level on there are no choices."""
_EXTENDED: Final = 2
"""From this upscaling level on the harder half of the window is taken."""
_PROBE_MODES: Final = {"layout": "vertical"}
_CHOOSABLE: Final = frozenset({"problem", "probe", "anchor", "moved"})


def select_problem(s: TutoringState, rules: Rules) -> tuple[Problem, bool]:
    """A problem near (C, W) that was not shown lately, and whether the window had to be widened. In ordinary practice
    it is one that tells something of the child."""
    c, w = s["c_position"], s["w_position"]
    recent, start = recent_keys(s, rules), draw(1 << 30, s["start"]["seed"], s["counters"]["tasks"])
    pools = [_window(rules, c, low, high) for low, high in _bounds(s, rules)]
    ordinary = s["current_step"] == "normal"
    if ordinary and (hypotheses := suspects(s, rules)):
        for widened, problems in enumerate(pools):
            if found := telling(problems, hypotheses, rules, start=start, without=recent):
                return found, bool(widened)
        if found := nearest_telling(s, hypotheses, rules, start=start, without=recent):
            return found, True
    for widened, problems in enumerate(pools):
        shows = revealing(problems, s, rules, start=start, without=recent) if ordinary else None
        if found := shows or _pick(problems, recent, start):
            return found, bool(widened)
    nearest = sorted(rules.bank.level(c), key=lambda problem: abs(problem.w_total - w))
    found = _pick(nearest, recent, 0)
    return given(found), True  # at most half of a level's expressions are recent


def _bounds(s: TutoringState, rules: Rules) -> tuple[tuple[float, float], tuple[float, float]]:
    """The W between which a problem is looked for, first and when there is none."""
    numbers, w = rules.numbers.selection, s["w_position"]
    low = w if s["downscaling"]["level"] >= _EXTENDED else w - numbers.window
    return (low, w + numbers.window), (w - numbers.widened, w + numbers.widened)


def _window(rules: Rules, c: int, low: float, high: float) -> Sequence[Problem]:
    """The problems of a C between two W; where the difficulty model orders the level, those at the same places of its
    order: the fifth that is hardest by W becomes the fifth that is hardest by the model."""
    problems = rules.bank.window(c, low, high)
    if not rules.by_difficulty:
        return problems
    below = len(rules.bank.window(c, -inf, high)) - len(problems)
    return rules.by_difficulty[c][below : below + len(problems)]


def recent_keys(s: TutoringState, rules: Rules) -> list[str]:
    """The expressions that may not come again yet: the last 20, but at most half of what this C has."""
    limit = min(rules.numbers.selection.recent, rules.bank.expressions(s["c_position"]) // 2)
    return s["history"][-limit:] if limit else []


def _pick(problems: Sequence[Problem], recent: Sequence[str], start: int) -> Problem | None:
    """The first problem from `start` on, going round, whose expression is not recent."""
    size = len(problems)
    for step in range(size):
        problem = problems[(start + step) % size]
        if problem.key not in recent:
            return problem
    return None


def _sibling(s: TutoringState, rules: Rules, model: Problem) -> Problem | None:
    """Same C, shape and carries as the model, other numbers."""
    recent, level = recent_keys(s, rules), rules.bank.level(model.c_level)
    start = draw(len(level), s["start"]["seed"], s["counters"]["tasks"])
    shape = _shape(model)
    for step in range(len(level)):
        problem = level[(start + step) % len(level)]
        if _shape(problem) == shape and problem.key not in recent and problem.key != model.key:
            return problem
    return None


def _shape(problem: Problem) -> tuple[str, int, int, tuple[int, ...], str]:
    return problem.op, len(str(problem.a)), len(str(problem.b)), problem.carries, problem.layout


# --- what a row can show ----------------------------------------------------------------------------------------------


def _ordinary(s: TutoringState, rules: Rules, problem: Problem, *, parked: bool = False) -> Task:
    """A new ordinary problem, with a fresh account of attempts at it."""
    s["attempts"] = {
        "problem_id": problem.problem_id,
        "shown": 1,
        "attention": 0,
        "timeouts": 0,
        "slip": None,
        "c_e": s["c_position"],
        "w_e": s["w_position"],
        "pattern": None,
        "parked": parked,
    }
    return _task(s, rules, "problem", problem)


def _show_select(s: TutoringState, rules: Rules) -> Task:
    """A due parked problem in ordinary practice, else one near the position."""
    if s["current_step"] == "normal" and (due := _due(s, rules)) is not None:
        s["parked"] = [entry for entry in s["parked"] if entry["problem_id"] != due]
        return _ordinary(s, rules, rules.bank.problem(due), parked=True)
    return _show_drill(s, rules)


def _due(s: TutoringState, rules: Rules) -> str | None:
    """The oldest parked problem whose C is reached again, three answered problems after it was put aside."""
    settled = s["counters"]["closed"] - rules.numbers.limits.parked_after
    for entry in s["parked"]:
        if entry["c"] <= s["c_position"] and entry["since"] <= settled:
            return entry["problem_id"]
    return None


def _show_drill(s: TutoringState, rules: Rules) -> Task:
    problem, widened = select_problem(s, rules)
    if widened and (move := s["move"]) is not None:
        s["move"] = {**move, "widened": True}
    return _ordinary(s, rules, problem)


def _show_sibling(s: TutoringState, rules: Rules) -> Task:
    model = rules.bank.problem(given(s["sibling_of"]))
    s["sibling_of"] = None
    problem = _sibling(s, rules, model)
    return _ordinary(s, rules, problem) if problem else _show_drill(s, rules)


def _show_same(s: TutoringState, rules: Rules) -> Task:
    """The ordinary problem at hand once more."""
    attempts = given(s["attempts"])
    s["attempts"] = {**attempts, "shown": attempts["shown"] + 1}
    return _task(s, rules, "problem", rules.bank.problem(attempts["problem_id"]))


def _show_probe(s: TutoringState, rules: Rules) -> Task:
    probe = given(s["probe_state"])
    s["scaffold_problem"] = probe["probe_problem"]
    return _task(s, rules, "probe", rules.bank.problem(probe["probe_problem"]))


def _original(s: TutoringState, rules: Rules) -> Problem:
    return rules.bank.problem(given(s["original_problem"]))


def _scaffold(s: TutoringState, rules: Rules, problem: Problem, kind: Kind, choosable: str = "") -> Task:
    s["scaffold_problem"] = problem.problem_id
    return _task(s, rules, kind, problem, choosable)


def _show_anchor(s: TutoringState, rules: Rules) -> Task:
    """Route A: the anchor of tables D. Route B: a bank problem at the lowered position."""
    loop = s["loop_state"]
    if loop is not None and loop["route"] == "A":
        problem = scaffolds.anchor(_original(s, rules))
    else:
        problem, widened = select_problem(s, rules)
        if widened and (move := s["move"]) is not None:
            s["move"] = {**move, "widened": True}
    return _scaffold(s, rules, problem, "anchor")


def _show_gap(s: TutoringState, rules: Rules) -> Task:
    kind: Kind = "diagnostic_question" if s["current_step"] == "diagnostic_question" else "fine_adjustment"
    return _scaffold(s, rules, scaffolds.gap(_original(s, rules)), kind)


def _show_sub_step(s: TutoringState, rules: Rules) -> Task:
    return _scaffold(s, rules, scaffolds.sub_step(_original(s, rules)), "fine_adjustment")


def _show_again(s: TutoringState, rules: Rules) -> Task:
    """The loop's task at hand, now with aid."""
    task = s["task"]
    problem = rules.bank.problem(given(s["scaffold_problem"]))
    kind: Kind = {"scaffolded_recovery_1": "anchor", "bridge_loop": "bridge"}.get(s["current_step"], "fine_adjustment")  # type: ignore[assignment]
    choosable = "moved" if task is not None and task["kind"] == "bridge" and task["choices"] else ""
    return _task(s, rules, kind, problem, choosable)


def _show_bridge_gap(s: TutoringState, rules: Rules) -> Task:
    return _scaffold(s, rules, scaffolds.gap(_original(s, rules)), "bridge")


def _show_moved(s: TutoringState, rules: Rules) -> Task:
    return _scaffold(s, rules, scaffolds.moved(_original(s, rules)), "bridge", "moved")


def _show_return(s: TutoringState, rules: Rules) -> Task:
    return _show_original(s, rules, "return")


def _show_bridge_original(s: TutoringState, rules: Rules) -> Task:
    """In the last round the original stands in columns: the last of the downscaling strategies."""
    loop, original = given(s["loop_state"]), _original(s, rules)
    if loop["round"] >= rules.numbers.limits.bridge_rounds and original.form == "result":
        a, op, b = original.a, original.op, original.b
        original = rules.bank.find(a, op, b, "vertical") or make_problem(a, op, b, layout="vertical")
        if (move := s["move"]) is not None:
            s["move"] = {**move, "downscaling": "vertical_layout"}
    return _show_original(s, rules, "bridge", original)


def _show_original(s: TutoringState, rules: Rules, kind: Kind, problem: Problem | None = None) -> Task:
    attempts = given(s["attempts"])
    problem = problem or _original(s, rules)
    s["attempts"] = {**attempts, "shown": attempts["shown"] + 1}
    return _task(s, rules, kind, problem)


def _show_training(s: TutoringState, rules: Rules) -> Task:
    training_id = given(s["waiting"])["training_id"]
    training = rules.catalogue.trainings[training_id]
    return {
        "task_id": _next_id(s),
        "kind": "training",
        "problem_id": None,
        "prompt": training.title,
        "answer_format": "training",
        "choices": [],
        "visual_mode": training.visual_mode,
        "training_id": training_id,
    }


SHOWS: Final[dict[str, Callable[[TutoringState, Rules], Task]]] = {
    "select": _show_select,
    "drill": _show_drill,
    "sibling": _show_sibling,
    "same": _show_same,
    "probe": _show_probe,
    "anchor": _show_anchor,
    "gap": _show_gap,
    "sub_step": _show_sub_step,
    "again": _show_again,
    "return": _show_return,
    "bridge_gap": _show_bridge_gap,
    "moved": _show_moved,
    "bridge_original": _show_bridge_original,
    "training": _show_training,
}
"""What a row of the transition table may name as its next task."""


def first_task(s: TutoringState, rules: Rules) -> Task:
    """The session's first task: the problem that was asked for, else one near the position."""
    first = s["start"]["first_problem"]
    return _ordinary(s, rules, rules.bank.problem(first)) if first else _show_drill(s, rules)


def _next_id(s: TutoringState) -> str:
    return f"t{s['counters']['tasks'] + 1}"


def _task(s: TutoringState, rules: Rules, kind: Kind, problem: Problem, choosable: str = "") -> Task:
    s["history"] = [*s["history"], problem.key][-rules.numbers.selection.recent :]
    offered = (choosable or kind) in _CHOOSABLE and not (kind == "problem" and s["downscaling"]["level"] >= _ABSTRACT)
    number = s["counters"]["tasks"] + 1
    return {
        "task_id": _next_id(s),
        "kind": kind,
        "problem_id": problem.problem_id,
        "prompt": problem.prompt,
        "answer_format": "integer",
        "choices": choices(problem, draw(1 << 30, s["start"]["seed"], number)) if offered else [],
        "visual_mode": _visual_mode(s, kind),
        "training_id": None,
    }


def _visual_mode(s: TutoringState, kind: Kind) -> str:
    """Aids stay away from a probe, which removes one variable and no other, and from the original's return."""
    if kind == "probe":
        probe = s["probe_state"]
        return _PROBE_MODES.get(probe["removed_variable"], "none") if probe else "none"
    scaling = s["downscaling"]
    if not scaling["active"] or kind == "return":
        return "none"
    return scaling["visual_aids"][0]
