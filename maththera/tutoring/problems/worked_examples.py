"""Worked examples: a problem is solved step by step, each step a task of its own that asks for the number it finds.

First a sibling of the problem with every step, then one whose last step is open, then one with two; the steps before
are shown done. A problem that stays unsolved is solved together in the same way, itself and alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, Literal

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies import Step
from maththera.knowledge.explanations import explained
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.problems.problem_selection import recent_keys
from maththera.tutoring.problems.seeded_draw import seeded_index
from maththera.tutoring.problems.task_presentation import drawn
from maththera.tutoring.state import Example, Phase, Task, TutoringState, Visual, given

SIBLINGS: Final = 3
"""An example, then one step open, then two."""
_LOOKED_AT: Final = 24
"""Problems among which a sibling is looked for."""

Left = Literal["steps", "siblings"]


def plan_example(draft: TutoringState, rules: Rules, model_id: str, *, phase: Phase | None, show: str) -> bool:
    """Plans an example for the skill of a problem, once a skill and session; False where there is none. `phase`,
    `show`: what comes after it; without a phase, what the row says."""
    skill_id, practice = rules.ladder.skill_of(rules.bank.problem(model_id)), draft["practice"]
    if draft["example"] is not None or skill_id is None or skill_id in practice["exampled"]:
        return False
    example: Example = {
        "model": model_id, "shown": [], "step": 0, "together": False, "phase": phase, "show": show,
    }  # fmt: skip
    if (sibling := next_sibling(draft, rules, example)) is None:
        return False
    draft["example"] = {**example, "shown": [sibling.problem_id]}
    draft["practice"] = {**practice, "exampled": [*practice["exampled"], skill_id]}
    return True


def plan_together(draft: TutoringState, rules: Rules, problem_id: str) -> None:
    """Plans to solve together a problem that stays unsolved, before what comes next."""
    if draft["example"] is None and _may_be_solved_together(draft, rules.bank.problem(problem_id), rules):
        draft["example"] = {
            "model": problem_id, "shown": [problem_id], "step": 0, "together": True, "phase": None, "show": "",
        }  # fmt: skip


def begin_example(draft: TutoringState) -> None:
    """What was planned begins: the row's phase and task wait after it, and the words are its own."""
    example, move = given(draft["example"]), draft["move"]
    if example["phase"] is None:
        example = {**example, "phase": draft["current_step"], "show": given(given(move)["show"])}
    draft["example"], draft["current_step"] = example, "worked_example"
    if move is not None:
        situation = "together" if example["together"] else "example"
        if given(draft["observation"])["correct"]:
            situation += "_after_right"
        draft["move"] = {**move, "situation": situation, "downscaling": "direct_support"}


def steps_of(example: Example, rules: Rules) -> Sequence[Step]:
    """The steps of the problem at hand."""
    return explained(rules.bank.problem(example["shown"][-1]))


def step_at_hand(example: Example, rules: Rules) -> Step:
    """The step that the child is asked for."""
    return steps_of(example, rules)[example["step"]]


def first_open(example: Example, steps: Sequence[Step]) -> int:
    """The index of the first step that the child does; those before are shown done."""
    opened = len(example["shown"]) - 1
    return max(0, len(steps) - opened) if opened and not example["together"] else 0


def begins_here(example: Example, rules: Rules) -> bool:
    """Whether the open step is the first that the child does of its problem."""
    return example["step"] == first_open(example, steps_of(example, rules))


def left_to_do(state: TutoringState, rules: Rules) -> Left | None:
    """What is left after the open step: more steps of its problem, more siblings, or nothing."""
    if (example := state["example"]) is None:
        return None
    if example["step"] + 1 < len(steps_of(example, rules)):
        return "steps"
    return "siblings" if next_sibling(state, rules, example) is not None else None


def next_sibling(state: TutoringState, rules: Rules, example: Example) -> Problem | None:
    """The next problem to work through; None when there were enough, or none has steps that may be shown again."""
    if example["together"] or len(example["shown"]) >= SIBLINGS:
        return None
    return next((one for one in _siblings(state, rules, example) if _may_be_asked(state, example, one, rules)), None)


def _siblings(state: TutoringState, rules: Rules, example: Example) -> Iterator[Problem]:
    """Other problems of the skill: as many steps and no heavier, then any, then the smallest, even again."""
    model = rules.bank.problem(example["model"])
    skill_id = given(rules.ladder.skill_of(model))
    shown = {rules.bank.problem(one).key for one in example["shown"]} | {model.key}
    found = [one for one in rules.ladder.problems[skill_id] if one.layout == model.layout and one.key not in shown]
    start = seeded_index(len(found), state["start"]["seed"], state["counters"]["tasks"]) if found else 0
    drawn, recent = [*found[start:], *found[:start]], set(recent_keys(state, rules, model.c_level))
    alike = (one for one in drawn if one.w_total <= model.w_total and one.key not in recent)
    length = len(explained(model))
    yield from (one for one in islice(alike, _LOOKED_AT) if len(explained(one)) == length)
    yield from drawn[:_LOOKED_AT]
    yield from (one for one in rules.ladder.problems[skill_id] if one.key != model.key)


def _may_be_asked(state: TutoringState, example: Example, problem: Problem, rules: Rules) -> bool:
    """Whether each step that would be open may be shown again, and none is the one before it once more."""
    steps = explained(problem)
    shown: Example = {**example, "shown": [*example["shown"], problem.problem_id]}
    keys = [_key(step) for step in steps[first_open(shown, steps) :]]
    before = [_key(step_at_hand(example, rules))] if example["shown"] else []
    return _may_be_shown(state, keys, rules) and _differ([*before, *keys])


def _may_be_solved_together(state: TutoringState, problem: Problem, rules: Rules) -> bool:
    """Whether the steps of the problem itself may be shown."""
    keys = [_key(step) for step in explained(problem)]
    return _may_be_shown(state, keys, rules) and _differ(keys)


def _may_be_shown(state: TutoringState, keys: Iterable[str], rules: Rules) -> bool:
    times, most = state["practice"]["shown"], rules.numbers.limits.same_task
    return all(times.get(key, 0) < most for key in keys)


def _differ(keys: Sequence[str]) -> bool:
    return len(set(keys)) == len(keys)


def example_task(draft: TutoringState, rules: Rules) -> Task:
    """The open step as a task; its numbers are those of closed steps and of the problem."""
    example, practice = given(draft["example"]), draft["practice"]
    problem, steps = rules.bank.problem(example["shown"][-1]), steps_of(example, rules)
    step, number = steps[example["step"]], draft["counters"]["tasks"]
    begins = begins_here(example, rules)
    if begins:
        draft["history"] = [*draft["history"], problem.key][-rules.numbers.selection.recent :]
    key = _key(step)
    draft["practice"] = {**practice, "shown": {**practice["shown"], key: practice["shown"].get(key, 0) + 1}}
    visual = _visual(step)
    return {
        "task_id": f"t{number + 1}" if begins else f"t{number}-{example['step'] + 1}",
        "kind": "worked_example",
        "problem_id": problem.problem_id,
        "prompt": step.question,
        "answer_format": "integer",
        "choices": [],
        "visual_mode": visual["mode"] if visual else "none",
        "visual": visual,
        "presentation": {
            "emphasis": None,
            "story": None,
            "grid": False,
            "steps": [
                {"prompt": [one.say], "expression": _written(one, place, example["step"])}
                for place, one in enumerate(steps)
            ],
        },
        "training_id": None,
    }


def _key(step: Step) -> str:
    """What the step asks, short: a session's checkpoint has one for each."""
    return f"w{step.left}{step.op}{'=' if step.fills else ''}{step.result if step.fills else step.right}"


def _written(step: Step, place: int, at_hand: int) -> str:
    if place < at_hand:
        return step.expression
    return step.question if place == at_hand else step.outline


def _visual(step: Step) -> Visual | None:
    picture = step.in_pieces
    return drawn(picture) if picture.fits else None  # a gap beyond the line has no pieces
