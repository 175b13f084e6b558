"""F-01, F-02: the observation of an answer: right or wrong, how fast by which norm, and which malrules give it."""

from collections.abc import Iterable, Sequence
from statistics import median, quantiles
from typing import Any

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import malrule_results
from maththera.tutoring.state import Observation, Pattern, TutoringState, given


def observe(state: TutoringState, rules: Rules) -> Observation:
    """The observation of the current answer."""
    event, task = given(state["event"]), state["task"]
    seen: Observation = {
        "phase": state["current_step"],
        "kind": task["kind"] if task else None,
        "problem_id": task["problem_id"] if task else None,
        "answer": None,
        "correct": None,
        "rt_ms": None,
        "pattern": None,
        "impulsive": False,
        "tap": False,
        "behavior_tags": [],
        "malrules": [],
        "norm": {},
    }
    if task is None or task["problem_id"] is None:
        return seen
    if event["type"] == "timeout":
        return {**seen, "pattern": "no_response"}
    if event["type"] != "answer_submitted":
        return seen
    problem = rules.bank.problem(task["problem_id"])
    answer, rt_ms, tap = event["answer"], event["rt_ms"], event["answer"] in task["choices"]
    correct = answer == problem.answer
    norm = response_time_norm(state, rules, f"{problem.c_level}:{'tap' if tap else 'typed'}", wrong=not correct)
    malrules = [name for name, one in malrule_results(problem).items() if one == answer and name not in rules.held_out]
    return {
        **seen,
        "answer": answer,
        "correct": correct,
        "rt_ms": rt_ms,
        "pattern": _pattern(problem, answer, malrules, rules, slow=rt_ms > norm["slow_ms"]),
        "impulsive": rt_ms < norm["impulsive_ms"],
        "tap": tap,
        "behavior_tags": _behavior_tags(event.get("behavior_tags", []), event.get("telemetry", {}), rules),
        "malrules": malrules,
        "norm": norm,
    }


def _behavior_tags(seen: Iterable[str], telemetry: dict[str, int], rules: Rules) -> list[str]:
    """The tags that an adult gave, then those from telemetry, without repeats."""
    return list(dict.fromkeys([*seen, *rules.catalogue.derive_observations(telemetry)]))


def response_time_norm(state: TutoringState, rules: Rules, key: str, *, wrong: bool) -> dict[str, Any]:
    """The response-time norm for this C and input kind, in milliseconds. Adaptive: slow is above twice the child's own
    median; a wrong answer within the child's own fastest tenth is impulsive. The fixed norm holds until enough answers
    are known."""
    numbers, policy = rules.numbers.response_time, state["start"]["policy"]["rt_policy"]
    norm = {"policy": policy, "key": key, "slow_ms": numbers.slow_ms, "impulsive_ms": numbers.impulsive_ms}
    own = state["rt_norms"].get(key, []) if policy == "adaptive" else []
    if len(own) >= numbers.median_after:
        norm["slow_ms"] = round(numbers.slow_factor * median(own))
    if wrong and len(own) >= numbers.share_after:
        # Impulsive means below the limit; + 1 keeps the child's own tenth within it.
        norm["impulsive_ms"] = round(quantiles(own, n=round(1 / numbers.impulsive_share))[0]) + 1
    return norm


def _pattern(problem: Problem, answer: int, malrules: Sequence[str], rules: Rules, *, slow: bool) -> Pattern:
    if answer == problem.answer:
        return "correct_slow" if slow else "correct_fast"
    if malrules:
        broken = all(CATALOGUE[name].breaks_quantity for name in malrules)
    else:
        limits = rules.numbers.severe_error
        broken = abs(answer - problem.answer) > max(limits.absolute, limits.share * problem.answer)
    return "severe_error" if broken else "logical_error"
