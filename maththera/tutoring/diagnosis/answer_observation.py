"""F-01, F-02: the observation of an answer: right or wrong, how fast by which norm, and which malrules give it."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import malrule_results
from maththera.tutoring.diagnosis.response_time import item_norm, time_norm, unreliable_because
from maththera.tutoring.number_sense.items import Item, item
from maththera.tutoring.problems.task_presentation import separated_steps
from maththera.tutoring.problems.worked_examples import step_at_hand
from maththera.tutoring.state import Event, Observation, Pattern, Task, TutoringState, given


def observe(state: TutoringState, rules: Rules) -> Observation:
    """The observation of the current answer."""
    event, task = given(state["event"]), state["task"]
    seen: Observation = {
        "phase": state["current_step"],
        "kind": task["kind"] if task else None,
        "problem_id": task["problem_id"] if task else None,
        "item_id": task.get("item_id") if task else None,
        "answer": None,
        "correct": None,
        "rt_ms": None,
        "pattern": None,
        "loop_state": state["loop_state"],
        "impulsive": False,
        "tap": False,
        "input": None,
        "behavior_tags": [],
        "malrules": [],
        "norm": {},
    }
    if task is None or task["training_id"] is not None:
        return seen
    if task["kind"] == "worked_example":
        return {**seen, **_step_answer(state, rules)}  # type: ignore[typeddict-item]
    if event["type"] == "timeout":
        return {**seen, "pattern": "no_response"}
    if event["type"] != "answer_submitted":
        return seen
    if (item_id := task.get("item_id")) is not None:
        return _item_answer(seen, event, item(item_id), task["choices"], rules)
    return {**seen, **_problem_answer(state, event, task, rules)}  # type: ignore[typeddict-item]


def _problem_answer(state: TutoringState, event: Event, task: Task, rules: Rules) -> dict[str, Any]:
    """What the answer to a problem shows."""
    problem = rules.bank.problem(given(task["problem_id"]))
    answer, start = event["answer"], state["start"]
    input_kind = event.get("input") or ("tap" if answer in task["choices"] else "typed")
    unreliable = unreliable_because(event)
    rt_ms = None if unreliable else event["rt_ms"]
    correct = answer == problem.answer
    norm = time_norm(
        problem, input_kind, state["rt_norms"], rules.numbers.response_time,
        policy=start["policy"]["rt_policy"], typing_ms=start.get("typing_ms"), wrong=not correct,
    )  # fmt: skip
    malrules = _malrules_giving(problem, answer, rules)
    return {
        "answer": answer,
        "correct": correct,
        "rt_ms": rt_ms,
        "pattern": _pattern(problem, answer, malrules, rules, slow=norm.slow(rt_ms)),
        "impulsive": norm.impulsive(rt_ms),
        "tap": input_kind == "tap",
        "input": input_kind,
        "behavior_tags": _behavior_tags(
            [*event.get("behavior_tags", []), *event.get("observed", [])], event.get("telemetry", {}), rules
        ),
        "malrules": malrules,
        "norm": {**asdict(norm), "unreliable": unreliable},
        **_steps_answered(event, problem),
    }


def _steps_answered(event: Event, problem: Problem) -> dict[str, Any]:
    """Which steps of a task in steps were right, where the child filled them in."""
    if not (answered := event.get("steps")):
        return {}
    return {"steps": [one == step.found for one, step in zip(answered, separated_steps(problem), strict=True)]}


def _step_answer(state: TutoringState, rules: Rules) -> dict[str, Any]:
    """The answer to a step of an example: it closes the step and is no pattern; which malrules give it is seen."""
    event, step = given(state["event"]), step_at_hand(given(state["example"]), rules)
    answer, problem = event.get("answer"), step.problem
    return {
        "answer": answer,
        "correct": answer == step.found if answer is not None else None,
        "malrules": _malrules_giving(problem, answer, rules) if problem is not None else [],
        "step": {
            "expression": step.expression,
            "found": step.found,
            "problem_id": problem.problem_id if problem is not None else None,
        },
    }


def _malrules_giving(problem: Problem, answer: int | None, rules: Rules) -> list[str]:
    results = malrule_results(problem, rules.learned)
    return [name for name, one in results.items() if one == answer and name not in rules.held_out]


def _item_answer(seen: Observation, event: Event, shown: Item, choices: Sequence[int], rules: Rules) -> Observation:
    """The answer to an item of number sense, by one norm for all children: that of the first level."""
    answer, unreliable = event["answer"], unreliable_because(event)
    rt_ms = None if unreliable else event["rt_ms"]
    norm = item_norm(shown.skill_id, rules.numbers.response_time)
    correct, input_kind = shown.is_right(answer), event.get("input") or ("tap" if answer in choices else "typed")
    return {
        **seen,
        "answer": answer,
        "correct": correct,
        "rt_ms": rt_ms,
        "pattern": "logical_error" if not correct else "correct_slow" if norm.slow(rt_ms) else "correct_fast",
        "impulsive": norm.impulsive(rt_ms),
        "tap": input_kind == "tap",
        "input": input_kind,
        "norm": {**asdict(norm), "unreliable": unreliable},
    }


def _behavior_tags(seen: Iterable[str], telemetry: dict[str, Any], rules: Rules) -> list[str]:
    """The tags that an adult gave, then those from telemetry, without repeats."""
    return list(dict.fromkeys([*seen, *rules.catalogue.derive_observations(telemetry)]))


def _pattern(problem: Problem, answer: int, malrules: Sequence[str], rules: Rules, *, slow: bool) -> Pattern:
    if answer == problem.answer:
        return "correct_slow" if slow else "correct_fast"
    if malrules:
        broken = all(CATALOGUE[name].breaks_quantity for name in malrules)
    else:
        limits = rules.numbers.severe_error
        broken = abs(answer - problem.answer) > max(limits.absolute, limits.share * problem.answer)
    return "severe_error" if broken else "logical_error"
