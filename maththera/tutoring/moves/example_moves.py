"""The effects of the transition table's rows on a worked example: it goes on step by step, and ends.

What is planned comes before the row's own task, which waits after it.
"""

from typing import Final

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.session_moves import attempts_of, close_problem, settle_position, solve_together
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.problems.worked_examples import first_open, next_sibling, plan_example, steps_of
from maththera.tutoring.state import Example, TutoringState, given

_ALONE: Final = frozenset({"alone", "sibling"})
"""Tasks that follow an example without its picture."""


def show_how(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The child has said twice that it doesn't know this skill: the problem is let go, its loop too without a fall; an
    example and then other numbers come."""
    problem_id = attempts_of(draft)["problem_id"]
    solve_together(draft, rules)
    if draft["loop_state"] is not None:
        settle_position(draft, rules, draft["loop_state"]["c_e"], draft["w_position"])
    close_problem(draft, facts, rules)
    draft["sibling_of"] = problem_id
    if draft["remaining"] > 0:
        plan_example(draft, rules, problem_id, phase="normal", show="sibling")


def next_step(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The step is closed; the next one of the same problem opens."""
    example = given(draft["example"])
    draft["example"] = {**example, "step": example["step"] + 1}


def next_in_example(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The problem is worked through; the next sibling leaves its last steps to the child."""
    example = given(draft["example"])
    sibling = given(next_sibling(draft, rules, example))
    after: Example = {**example, "shown": [*example["shown"], sibling.problem_id]}
    draft["example"] = {**after, "step": first_open(after, steps_of(after, rules))}


def end_example(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """What waited after it comes; a problem that the child now does alone, without the picture."""
    example, move = given(draft["example"]), given(draft["move"])
    draft["current_step"], draft["example"] = given(example["phase"]), None
    words = "training_start" if example["show"] == "training" else move["situation"]
    draft["move"] = {**move, "show": example["show"], "situation": words}
    if example["show"] in _ALONE:
        draft["downscaling"] = {**draft["downscaling"], "active": False, "visual_aids": []}
