"""The tasks that a row of the transition table may name as the next one, each built from the state."""

from collections.abc import Callable
from typing import Final

from maththera.arithmetic.problem import Problem, make_problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.placement.session_placement import next_placement_problem
from maththera.tutoring.problems import scaffolds
from maththera.tutoring.problems.answer_choices import tap_choices
from maththera.tutoring.problems.problem_selection import seeded_index, select_problem, sibling_problem
from maththera.tutoring.problems.task_presentation import presentation, visual_aid
from maththera.tutoring.state import Kind, Task, TutoringState, given

_ABSTRACT: Final = 1
"""From this upscaling level on there are no choices."""
_CHOOSABLE: Final = frozenset({"problem", "probe", "anchor", "moved"})


def _practice_task(draft: TutoringState, rules: Rules, problem: Problem, *, parked: bool = False) -> Task:
    """A new ordinary problem, with its attempts counted from 1."""
    draft["attempts"] = {
        "problem_id": problem.problem_id,
        "shown": 1,
        "attention": 0,
        "timeouts": 0,
        "slip": None,
        "c_e": draft["c_position"],
        "w_e": draft["w_position"],
        "pattern": None,
        "parked": parked,
    }
    return _task(draft, rules, "problem", problem)


def _show_placement(draft: TutoringState, rules: Rules) -> Task:
    """The number must be typed: one in four taps would be right without the skill."""
    task = _practice_task(draft, rules, next_placement_problem(draft, rules))
    return {**task, "choices": []}


def _show_select(draft: TutoringState, rules: Rules) -> Task:
    """A due parked problem in ordinary practice, else one near the position."""
    if draft["current_step"] == "normal" and (due := _due_parked_problem(draft, rules)) is not None:
        draft["parked"] = [entry for entry in draft["parked"] if entry["problem_id"] != due]
        return _practice_task(draft, rules, rules.bank.problem(due), parked=True)
    return _show_drill(draft, rules)


def _due_parked_problem(draft: TutoringState, rules: Rules) -> str | None:
    """The oldest parked problem whose C is reached again, three answered problems after it was put aside."""
    settled = draft["counters"]["closed"] - rules.numbers.limits.parked_after
    for entry in draft["parked"]:
        if entry["c"] <= draft["c_position"] and entry["since"] <= settled:
            return entry["problem_id"]
    return None


def _show_drill(draft: TutoringState, rules: Rules) -> Task:
    problem, widened = select_problem(draft, rules)
    if widened and (move := draft["move"]) is not None:
        draft["move"] = {**move, "widened": True}
    return _practice_task(draft, rules, problem)


def _show_sibling(draft: TutoringState, rules: Rules) -> Task:
    model = rules.bank.problem(given(draft["sibling_of"]))
    draft["sibling_of"] = None
    problem = sibling_problem(draft, rules, model)
    return _practice_task(draft, rules, problem) if problem else _show_drill(draft, rules)


def _show_same(draft: TutoringState, rules: Rules) -> Task:
    """The current ordinary problem once more."""
    attempts = given(draft["attempts"])
    draft["attempts"] = {**attempts, "shown": attempts["shown"] + 1}
    return _task(draft, rules, "problem", rules.bank.problem(attempts["problem_id"]))


def _show_probe(draft: TutoringState, rules: Rules) -> Task:
    probe = given(draft["probe_state"])
    draft["scaffold_problem"] = probe["probe_problem"]
    return _task(draft, rules, "probe", rules.bank.problem(probe["probe_problem"]))


def _original(draft: TutoringState, rules: Rules) -> Problem:
    return rules.bank.problem(given(draft["original_problem"]))


def _scaffold(draft: TutoringState, rules: Rules, problem: Problem, kind: Kind, choosable: str = "") -> Task:
    draft["scaffold_problem"] = problem.problem_id
    return _task(draft, rules, kind, problem, choosable)


def _show_anchor(draft: TutoringState, rules: Rules) -> Task:
    """Route A: the anchor of tables D. Route B: a bank problem at the lowered position."""
    loop = draft["loop_state"]
    if loop is not None and loop["route"] == "A":
        problem = scaffolds.anchor(_original(draft, rules))
    else:
        problem, widened = select_problem(draft, rules)
        if widened and (move := draft["move"]) is not None:
            draft["move"] = {**move, "widened": True}
    return _scaffold(draft, rules, problem, "anchor")


def _show_gap(draft: TutoringState, rules: Rules) -> Task:
    kind: Kind = "diagnostic_question" if draft["current_step"] == "diagnostic_question" else "fine_adjustment"
    return _scaffold(draft, rules, scaffolds.gap(_original(draft, rules)), kind)


def _show_sub_step(draft: TutoringState, rules: Rules) -> Task:
    return _scaffold(draft, rules, scaffolds.sub_step(_original(draft, rules)), "fine_adjustment")


def _show_again(draft: TutoringState, rules: Rules) -> Task:
    """The loop's current task once more, now with aid."""
    task = draft["task"]
    problem = rules.bank.problem(given(draft["scaffold_problem"]))
    kind: Kind = {"scaffolded_recovery_1": "anchor", "bridge_loop": "bridge"}.get(
        draft["current_step"], "fine_adjustment"
    )  # type: ignore[assignment]
    choosable = "moved" if task is not None and task["kind"] == "bridge" and task["choices"] else ""
    return _task(draft, rules, kind, problem, choosable)


def _show_bridge_gap(draft: TutoringState, rules: Rules) -> Task:
    return _scaffold(draft, rules, scaffolds.gap(_original(draft, rules)), "bridge")


def _show_moved(draft: TutoringState, rules: Rules) -> Task:
    return _scaffold(draft, rules, scaffolds.moved(_original(draft, rules)), "bridge", "moved")


def _show_return(draft: TutoringState, rules: Rules) -> Task:
    return _show_original(draft, rules, "return")


def _show_bridge_original(draft: TutoringState, rules: Rules) -> Task:
    """In the last round the original stands in columns: the last of the downscaling strategies."""
    loop, original = given(draft["loop_state"]), _original(draft, rules)
    if loop["round"] >= rules.numbers.limits.bridge_rounds and original.form == "result":
        a, op, b = original.a, original.op, original.b
        original = rules.bank.find(a, op, b, "vertical") or make_problem(a, op, b, layout="vertical")
        if (move := draft["move"]) is not None:
            draft["move"] = {**move, "downscaling": "vertical_layout"}
    return _show_original(draft, rules, "bridge", original)


def _show_original(draft: TutoringState, rules: Rules, kind: Kind, problem: Problem | None = None) -> Task:
    attempts = given(draft["attempts"])
    problem = problem or _original(draft, rules)
    draft["attempts"] = {**attempts, "shown": attempts["shown"] + 1}
    return _task(draft, rules, kind, problem)


def _show_training(draft: TutoringState, rules: Rules) -> Task:
    training_id = given(draft["waiting"])["training_id"]
    training = rules.catalogue.trainings[training_id]
    return {
        "task_id": _next_id(draft),
        "kind": "training",
        "problem_id": None,
        "prompt": training.title,
        "answer_format": "training",
        "choices": [],
        "visual_mode": training.visual_mode,
        "training_id": training_id,
    }


TASK_BUILDERS: Final[dict[str, Callable[[TutoringState, Rules], Task]]] = {
    "placement": _show_placement,
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
"""`show` of a row of the transition table → the function that builds the task."""


def first_task(draft: TutoringState, rules: Rules) -> Task:
    """The session's first task: the placement's, the problem that was asked for, else one near the position."""
    if draft["current_step"] == "placement":
        return _show_placement(draft, rules)
    first = draft["start"]["first_problem"]
    return _practice_task(draft, rules, rules.bank.problem(first)) if first else _show_drill(draft, rules)


def _next_id(draft: TutoringState) -> str:
    return f"t{draft['counters']['tasks'] + 1}"


def _task(draft: TutoringState, rules: Rules, kind: Kind, problem: Problem, choosable: str = "") -> Task:
    draft["history"] = [*draft["history"], problem.key][-rules.numbers.selection.recent :]
    offered = (choosable or kind) in _CHOOSABLE and not (
        kind == "problem" and draft["downscaling"]["level"] >= _ABSTRACT
    )
    number = draft["counters"]["tasks"] + 1
    visual, shown = visual_aid(draft, kind, problem), presentation(draft, kind, problem)
    if draft["downscaling"]["active"]:
        draft["downscaling"] = {**draft["downscaling"], "visual_aids": [visual["mode"]] if visual else []}
    return {
        "task_id": _next_id(draft),
        "kind": kind,
        "problem_id": problem.problem_id,
        "prompt": problem.prompt,
        "answer_format": "integer",
        "choices": tap_choices(problem, seeded_index(1 << 30, draft["start"]["seed"], number)) if offered else [],
        "visual_mode": visual["mode"] if visual else "vertical" if shown["grid"] else "none",
        "visual": visual,
        "presentation": shown,
        "training_id": None,
    }
