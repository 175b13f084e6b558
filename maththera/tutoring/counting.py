"""What every answer counts for, whatever its row: runs, streak, response times, upscaling."""

from typing import Final

from maththera.tutoring.facts import Facts
from maththera.tutoring.posterior import updated
from maththera.tutoring.rules import Rules
from maththera.tutoring.state import Counters, Observation, TutoringState, given

_HIGHEST_LEVEL: Final = 2
"""Upscaling: 1 abstraction, 2 number extension."""


def count(s: TutoringState, f: Facts, rules: Rules) -> None:
    """What every answer counts for, whatever its row: runs, streak, response times, upscaling."""
    observation = s["observation"]
    if observation is None or not (f.right or f.wrong or f.timeout):
        return
    c = s["counters"]
    ordinary = f.phase == "normal"
    wrong_run = 0 if f.right else c["wrong_run"] + (f.wrong and not f.impulsive)
    s["counters"] = {
        **c,
        "answered": c["answered"] + (f.right or f.wrong),
        "right": c["right"] + f.right,
        "solved": c.get("solved", 0) + (f.right and _is_original(f, observation)),
        "wrong_run": wrong_run,
        "right_run": (c["right_run"] + 1 if f.right else 0) if ordinary else c["right_run"],
        "slow_run": _slow_run(c, f) if ordinary else c["slow_run"],
    }
    s["posterior"] = updated(s, rules)
    _keep_wrong_answer(s)
    _state_cause(s)
    if observation["rt_ms"] is not None:
        s["response_times"] = [*s["response_times"], observation["rt_ms"]][-rules.numbers.session.problem_count_max :]
        _keep_norm(s, rules)
    if ordinary:
        _count_ordinary(s, f, rules)


def _is_original(f: Facts, observation: Observation) -> bool:
    """Whether the task was one of the session's own problems: as it was first put, or come back to in a loop."""
    return observation["kind"] in ("problem", "return") or (observation["kind"] == "bridge" and f.item == "original")


def _keep_wrong_answer(s: TutoringState) -> None:
    """What the problem at hand got, for when it is shown again."""
    observation, attempts = given(s["observation"]), s["attempts"]
    if attempts is None or attempts["problem_id"] != observation["problem_id"] or observation["correct"] is not False:
        return
    s["attempts"] = {**attempts, "wrong": observation["answer"]}


def _state_cause(s: TutoringState) -> None:
    """A cause of high confidence may be stated in records and reports, whatever the row makes of the answer."""
    diagnosis = s["diagnosis"]
    if diagnosis is None or diagnosis["confidence"] != "high":
        return
    tag = given(diagnosis["cause_tag"])
    if tag not in s["stated"]:
        s["stated"] = [*s["stated"], tag]


def _slow_run(c: Counters, f: Facts) -> int:
    if f.right and f.impulsive:
        return c["slow_run"]
    return c["slow_run"] + 1 if f.slow else 0


def _keep_norm(s: TutoringState, rules: Rules) -> None:
    """The child's own running response times for this C and input kind, where the norms are adaptive."""
    observation = s["observation"]
    if s["start"]["policy"]["rt_policy"] != "adaptive" or observation is None or observation["problem_id"] is None:
        return
    rt_ms, key = given(observation["rt_ms"]), observation["norm"]["key"]
    kept = [*s["rt_norms"].get(key, []), rt_ms][-rules.numbers.response_time.window :]
    s["rt_norms"] = {**s["rt_norms"], key: kept}


def _count_ordinary(s: TutoringState, f: Facts, rules: Rules) -> None:
    if f.right:
        s["loop_done_at"] = None
        if s["rise"] is not None and s["rise"][0] == s["c_position"]:
            s["rise"] = None
    if not (f.right and f.impulsive):
        s["streak"] = s["streak"] + 1 if f.fast and not f.second_look else 0
    scaling = s["downscaling"]
    fast = scaling["fast"] + 1 if f.fast and not f.impulsive else 0
    level, active = (scaling["level"], scaling["active"]) if f.right else (0, scaling["active"])
    strategy = scaling["strategy"] if f.right else None
    if fast >= rules.numbers.selection.upscale_after:
        fast = 0
        strategy = "remove_visual" if active else ("abstraction", "number_extension")[min(level, 1)]
        active, level = False, level if active else min(_HIGHEST_LEVEL, level + 1)
    aids = scaling["visual_aids"] if active else []
    s["downscaling"] = {"active": active, "strategy": strategy, "visual_aids": aids, "level": level, "fast": fast}
