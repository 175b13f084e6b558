"""How a task is shown: the picture that fits its problem, its steps, and the variable that a probe takes out."""

from collections.abc import Sequence

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies import Step
from maththera.knowledge.explanations import explained, pictured
from maththera.tutoring.state import Kind, Presentation, TaskStep, TutoringState, Visual


def visual_aid(draft: TutoringState, kind: Kind, problem: Problem) -> Visual | None:
    """The picture of a problem while the aids are on: after the steps did not help, in another representation. A probe
    removes one variable only and the original's return is unaided, so both have none."""
    if not draft["downscaling"]["active"] or kind in ("probe", "return"):
        return None
    picture = pictured(problem, other=_in_steps(draft))
    if picture is None or picture.mode == "columns":
        return None
    movable = picture.mode != "number_line"
    return {"mode": picture.mode, "model": picture.model, "shown": [*picture.shown], "movable": movable}


def presentation(draft: TutoringState, kind: Kind, problem: Problem) -> Presentation:
    """F-15, step_separation: the steps. A probe: the operation's sign, or the places."""
    probe = draft["probe_state"] if kind == "probe" else None
    removed = probe["removed_variable"] if probe else None
    return {
        "emphasis": "operation" if removed == "operation" else None,
        "grid": removed == "layout",
        "steps": _steps(problem) if _in_steps(draft) and kind not in ("probe", "return") else None,
        "story": None,
    }


def first_step(state: TutoringState, problem: Problem) -> str:
    """What to do first, in the representation that the task is shown in; of a task whose steps were answered, the first
    that went wrong."""
    observation = state["observation"]
    steps = observation.get("steps") if observation is not None else None
    if observation is not None and steps and not all(steps) and observation["problem_id"] == problem.problem_id:
        return separated_steps(problem)[steps.index(False)].say
    return explained(problem, other=_in_steps(state))[0].say


def _in_steps(draft: TutoringState) -> bool:
    move = draft["move"]
    return move is not None and move["downscaling"] == "step_separation" and draft["current_step"] != "breather"


def separated_steps(problem: Problem) -> Sequence[Step]:
    """The steps of a task in steps: in the other representation, unless only the first has more than one."""
    other, main = explained(problem, other=True), explained(problem)
    return main if len(other) == 1 < len(main) else other


def _steps(problem: Problem) -> list[TaskStep]:
    return [{"prompt": [step.say], "expression": step.outline} for step in separated_steps(problem)]
