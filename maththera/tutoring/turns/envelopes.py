"""The envelopes that the agents hand each other, and the client's view of them."""

from typing import Any, Final

from pydantic import TypeAdapter

from maththera.arithmetic.problem import Problem
from maththera.knowledge.explanations import explained
from maththera.knowledge.skills import STRANDS
from maththera.store.tutoring_sessions import TurnFacts
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.content.trainings import Training
from maththera.tutoring.number_sense.items import item
from maththera.tutoring.practice.session_practice import border_of, strand_at_work
from maththera.tutoring.state import Presentation, Task, TutoringState, given

Json = dict[str, Any]

_TRAINING: Final = TypeAdapter(Training)
_WORKED_THROUGH: Final = frozenset({"37", "37s", "38", "38s"})
"""Rows that close the last step of a problem."""
_BEGINNINGS: Final = {"placement": "placement_start", "number_sense": "number_sense_start"}
"""Mode → the situation of the words before its first task."""
_PLAIN: Final[Presentation] = {"emphasis": None, "grid": False, "steps": None, "story": None}


def trace(state: TutoringState, rules: Rules) -> list[Json]:
    """The six envelopes of the turn at hand, in the order in which they were handed over."""
    event, observation, diagnosis = given(state["event"]), given(state["observation"]), given(state["diagnosis"])
    move, feedback = given(state["move"]), given(state["feedback"])
    problem = rules.bank.problem(observation["problem_id"]) if observation["problem_id"] else None
    step = observation.get("step")
    shown = item(observation["item_id"]) if observation["item_id"] else None
    asked = problem.expression if problem else shown.prompt if shown else None
    right = step["found"] if step else problem.answer if problem else shown.answer if shown else None
    result = {
        **_diagnostic_result(state),
        "norm": observation["norm"],
        "malrules": observation["malrules"],
        "probe": diagnosis["probe"],
    }
    steps: list[tuple[str, Json]] = [
        (
            "diagnostic_request",
            {
                "problem_id": problem.problem_id if problem else None,
                "problem": asked,
                "correct_answer": right,
                **({"step": step["expression"]} if step else {}),
                **({"steps": observation["steps"]} if "steps" in observation else {}),
                **({"item_id": shown.item_id} if shown else {}),
                "student_answer": observation["answer"],
                "rt_ms": observation["rt_ms"],
                "behavior_tags": observation["behavior_tags"],
                "session_context": {
                    "w_position": move["before"][1],
                    "c_position": int(move["before"][0]),
                    "strand": state["strand"] if move["before"][0] else "N",
                    "current_step": observation["phase"],
                    "loop_state": observation.get("loop_state"),
                },
            },
        ),
        ("diagnostic_result", result),
        (
            "adaptation_request",
            {
                "diagnostic_result": _diagnostic_result(state),
                "response_pattern": observation["pattern"],
                "current_w": move["before"][1],
                "current_c": int(move["before"][0]),
            },
        ),
        (
            "adaptation_result",
            {
                **adaptation(state),
                "row": move["row"],
                "next_problem": _next_problem(state, rules),
                "loop_state_update": state["loop_state"],
                "knowledge": move["changes"],
                "next_time": next_time(state, rules),
            },
        ),
        (
            "feedback_request",
            {
                "situation": feedback["situation"],
                "problem": asked,
                "student_answer": observation["answer"],
                "cause_tag": diagnosis["cause_tag"],
                "training_context": (state["waiting"] or {}).get("training_id", move["route"]),
            },
        ),
        ("feedback_result", _feedback(state, rules)),
    ]
    return [{"type": kind, "request_id": event["request_id"], "payload": payload} for kind, payload in steps]


def response(state: TutoringState, rules: Rules, *, degraded: bool) -> Json:
    """The turn as the client gets it; a student's projection leaves out diagnosis and adaptation."""
    event, observation, diagnosis = given(state["event"]), given(state["observation"]), _diagnostic_result(state)
    return {
        "request_id": event["request_id"],
        "turn": state["turn"] + 1,
        "correct": observation["correct"],
        "response_pattern": observation["pattern"],
        "diagnosis": diagnosis,
        "adaptation": adaptation(state),
        "feedback": _feedback(state, rules),
        "phase": state["current_step"],
        "position": {"c": state["c_position"], "w": state["w_position"]},
        "training": state["offered"] if state["current_step"] == "ended" else diagnosis["training_ids"],
        "degraded": degraded,
        "task": task_view(state["task"], rules),
        "solution": _solution(state, rules),
        "summary": _summary(state),
        "stones": _stones(state),
    }


def _solution(state: TutoringState, rules: Rules) -> Json | None:
    """The problem of an example that was worked through with this answer, every step closed."""
    observation, before = given(state["observation"]), given(state["move"])["row"]
    if observation["problem_id"] is None or before not in _WORKED_THROUGH:
        return None
    problem = rules.bank.problem(observation["problem_id"])
    steps = [{"prompt": [step.say], "expression": step.expression} for step in explained(problem)]
    equation = problem.prompt.replace("□", str(problem.answer))
    return {"problem": problem.expression, "steps": steps, "equation": equation}


def view(session_id: str, state: TutoringState, rules: Rules) -> Json:
    """Where the session stands. A placement and a screening begin with words: they are no test."""
    seen = {
        "session_id": session_id,
        "student_id": state["start"]["student_id"],
        "phase": state["current_step"],
        "turn": state["turn"],
        "remaining": max(0, state["remaining"]),
        "position": position(state),
        "task": task_view(state["task"], rules),
        "stones": _stones(state),
        "summary": _summary(state),
    }
    if state["current_step"] != "ended" and state["turn"] == 0 and (situation := _BEGINNINGS.get(_mode(state))):
        words = rules.feedback.compose(
            situation,
            context={"closed": 0},
            last_template=None,
            seed=state["start"]["seed"],
            turn=0,
        )
        seen["words"] = given(words).lines
    return seen


def _summary(state: TutoringState) -> Json | None:
    """What was done, with the last words, once the session has ended."""
    summary, feedback = state["summary"], state.get("feedback")
    return None if summary is None else {**summary, "words": feedback["feedback_text"] if feedback else []}


def _stones(state: TutoringState) -> Json:
    """How far the session is: its own problems that are over, of how many."""
    of = state["start"]["problem_count"]
    return {"done": min(state["counters"]["closed"], of), "of": of}


def _mode(state: TutoringState) -> str:
    return str(state["start"]["mode"])


def position(state: TutoringState) -> Json:
    """(C, W), and the strand at work; number sense below C1."""
    strand = state["strand"] if state["c_position"] else "N"
    return {"c": state["c_position"], "w": state["w_position"], "strand": strand}


def task_view(task: Task | None, rules: Rules) -> Json | None:
    """A task with its problem, or with the whole training that a front end draws; never the right answer."""
    if task is None:
        return None
    view: Json = {
        "task_id": task["task_id"],
        "kind": task["kind"],
        "prompt": task["prompt"],
        "answer_format": task["answer_format"],
        "problem": _problem_view(rules.bank.problem(task["problem_id"])) if task["problem_id"] else None,
        "choices": task["choices"],
        "visual_mode": task["visual_mode"],
        "visual": task.get("visual"),
        "presentation": task.get("presentation", _PLAIN),
    }
    if "words" in task:
        view["words"] = task["words"]
    if (item_id := task.get("item_id")) is not None:
        view["widget"] = item(item_id).widget
    if task["training_id"] is not None:
        plan = rules.catalogue.trainings[task["training_id"]]
        view["training"] = _TRAINING.dump_python(plan.training(task["training_items"]), mode="json")
    return view


def _problem_view(problem: Problem) -> Json:
    return {
        "problem_id": problem.problem_id,
        "expression": problem.expression,
        "layout": problem.layout,
        **_equation(problem),
        "c_level": problem.c_level,
        "w_total": problem.w_total,
    }


def _equation(problem: Problem) -> Json:
    """a op b = result, with None for the number that is asked: 98+□=100, 10×□=70."""
    if problem.form == "result":
        return {"a": problem.a, "op": problem.op, "b": problem.b, "result": None}
    return {"a": problem.b, "op": "+" if problem.form == "addend" else "x", "b": None, "result": problem.a}


def adaptation(state: TutoringState) -> Json:
    """The route and how far the position moved."""
    move = given(state["move"])
    c, w = move["before"]
    return {
        "route": move["route"],
        "c_adjustment": state["c_position"] - int(c),
        "w_adjustment": state["w_position"] - w,
        "downscaling_strategy": move["downscaling"],
        "widened": move["widened"],
    }


def _diagnostic_result(state: TutoringState) -> Json:
    return {key: value for key, value in given(state["diagnosis"]).items() if key not in ("pairs", "probe")}


def _feedback(state: TutoringState, rules: Rules) -> Json:
    """`lines`: each line, and whether it is about the answer or stays beside the next task."""
    feedback = given(state["feedback"])
    shown = {
        key: feedback[key] for key in ("situation", "feedback_text", "hint_text", "visual_mode", "tone_check_passed")
    }
    over = state["task"] is None
    lines = [
        {"text": line, "about": "answer" if over else rules.feedback.about(line)} for line in feedback["feedback_text"]
    ]
    return {**shown, "lines": lines}


def _next_problem(state: TutoringState, rules: Rules) -> Json | None:
    task = state["task"]
    if task is None or task["problem_id"] is None:
        return None
    problem = rules.bank.problem(task["problem_id"])
    return {
        "problem_id": problem.problem_id,
        "problem": problem.expression,
        "w_total": problem.w_total,
        "c_level": problem.c_level,
    }


def report_facts(state: TutoringState, rules: Rules) -> TurnFacts:
    """The columns that reports count, of the task that was answered. A step of an example is neither right nor wrong
    there."""
    observation, diagnosis = given(state["observation"]), given(state["diagnosis"])
    found: TurnFacts = {"phase": observation["phase"], "kind": observation["kind"]}
    if observation["problem_id"] is not None:
        problem = rules.bank.problem(observation["problem_id"])
        found |= {
            "problem_id": problem.problem_id,
            "c_level": problem.c_level,
            "w": problem.w_total,
            "correct": observation["correct"] if observation["kind"] != "worked_example" else None,
            "pattern": observation["pattern"],
            "rt_ms": observation["rt_ms"],
        }
        if observation["input"] is not None:
            found["input_kind"] = observation["input"]
    if diagnosis["cause_tag"] is not None:
        found |= {"cause_tag": diagnosis["cause_tag"], "confidence": diagnosis["confidence"]}
    return found


def next_time(state: TutoringState, rules: Rules) -> dict[str, Any] | None:
    """`skill_id`: what the next session is about, `training_id`: what may go before it, each None where there is none;
    `says`: both in words. None where nothing is to be planned yet: while the session goes on and states no cause."""
    diagnosis = given(state["diagnosis"])
    stated, ended = diagnosis["confidence"] == "high", state["current_step"] == "ended"
    if not (stated or ended):
        return None
    offered = state["offered"] if ended else diagnosis["training_ids"]
    left = [one for one in offered if one not in state["trained"]]
    skill_id, training_id = _skill_id(state, rules), next(iter([*left, *offered]), None)
    skill = rules.ladder.skills[skill_id].name if skill_id is not None else None
    training = rules.catalogue.trainings[training_id].title if training_id is not None else None
    return {"skill_id": skill_id, "training_id": training_id, "says": plan_in_words(skill, training)}


def plan_in_words(skill: str | None, training: str | None) -> str | None:
    """The names of what is to come, in quotation marks, as some have commas of their own; None for nothing."""
    parts = [f"‘{skill}’"] if skill is not None else []
    parts += [f"놀이 ‘{training}’"] if training is not None else []
    return f"다음 시간: {', '.join(parts)}." if parts else None


def _skill_id(state: TutoringState, rules: Rules) -> str | None:
    """The lowest skill that was begun, else the first to learn: of the strand at work, then of the others."""
    border, strand = border_of(state, rules), strand_at_work(state)
    for skill_ids in (border.begun(), *(border.of_strand(one) for one in (strand, *STRANDS))):
        if skill_ids:
            return skill_ids[0]
    return None
