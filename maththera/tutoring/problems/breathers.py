"""A breather: after two misses in a row something that works comes before a task that may be missed again."""

from typing import Final

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.practice.mixture import MISSES
from maththera.tutoring.practice.session_practice import by_skills
from maththera.tutoring.problems.problem_selection import secure_problem
from maththera.tutoring.problems.task_builders import breather_task
from maththera.tutoring.state import TutoringState, given

_PUT_OFF: Final = frozenset({
    "same", "probe", "anchor", "gap", "sub_step", "again", "return", "bridge_gap", "moved", "bridge_original",
})  # fmt: skip
"""Tasks about what was missed."""


def put_off_after_misses(draft: TutoringState, rules: Rules, *, history: list[str]) -> None:
    """Puts off the next task behind a breather, where the child has missed two in a row and the task is about what was
    missed. Not for a child that says nothing or only hurries: for those there are moves of their own. `history`: as it
    was before that task."""
    task, move, observation = draft["task"], draft["move"], draft["observation"]
    if task is None or move is None or len(draft["practice"]["missed"]) < MISSES or not by_skills(draft):
        return
    event, hurried = given(draft["event"]), observation is not None and observation["impulsive"]
    if move["show"] not in _PUT_OFF or hurried or (event["type"] == "timeout" and not event.get("said")):
        return
    draft["waiting"] = {"phase": draft["current_step"], "task": task}
    draft["current_step"], draft["history"] = "breather", history
    draft["move"] = {**move, "situation": "breather"}
    draft["task"] = breather_task(draft, rules, secure_problem(draft, rules).problem)
