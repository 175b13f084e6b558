"""The impure parts of a turn: refusing an event, asking the model, recording."""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, cast

from langgraph.runtime import Runtime

from maththera.arithmetic.curriculum import LOWEST_C
from maththera.llm.time_budget import Budget
from maththera.runtime.turns import body_digest
from maththera.store.learner_state import LearnerUpdate
from maththera.store.tutoring_sessions import NewReview, TurnFacts
from maththera.tutoring import transitions
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis import error_diagnosis as causes
from maththera.tutoring.diagnosis.hypotheses import UNKNOWN
from maththera.tutoring.diagnosis.posterior import suspected_later
from maththera.tutoring.feedback import tone
from maththera.tutoring.feedback.feedback_templates import AnswerOutcome, Feedback
from maththera.tutoring.feedback.vocabulary import is_composed_of
from maththera.tutoring.nodes import Nodes, Update
from maththera.tutoring.placement.session_placement import unplaced
from maththera.tutoring.practice.resting_skills import resting, struggles_after
from maththera.tutoring.state import Task, TutoringState, given
from maththera.tutoring.turns import envelopes
from maththera.tutoring.turns.model_requests import (
    FeedbackRequest,
    ModelCallRecord,
    ModelReply,
    SuspectedCauses,
    UnexplainedAnswer,
    WrittenFeedback,
    choose_words,
    diagnose_unknown,
    reply_from_record,
)
from maththera.tutoring.turns.teacher_entries import recent_white_outs, teacher_entries, told_days
from maththera.words.output_gate.sentence_checks import TextRequirements

_TOO_HARD: Final = ("attention", "no_response", "white_out", "number_sense")
"""Ends of a session that a teacher is to hear of."""

_SEVERAL: Final = 3
"""Times that the child said that it doesn't know, before this says something of the session."""

Refusal = Literal["replay", "stale", "wrong_event", "wrong_training", "wrong_steps"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished turn, ready to be recorded."""

    number: int
    request_id: str
    event: dict[str, Any]
    llm: list[dict[str, Any]]
    response: dict[str, Any]
    trace: list[dict[str, Any]]
    facts: TurnFacts
    learner: LearnerUpdate
    reviews: Sequence[NewReview]
    ended: bool
    open_problems: Sequence[str]


Save = Callable[[Turn], Awaitable[None]]


@dataclass(slots=True)
class TurnContext:
    """The context of a turn beside the state: where to record it, its model calls, the times of its stages.

    `save` None: nothing is recorded (Studio, simulations, replays). `stages` are microseconds by node. `held`: texts
    that the gate held back from adults.
    """

    save: Save | None = None
    degraded: bool = False
    stages: dict[str, int] = field(default_factory=dict)
    llm: list[ModelCallRecord] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    budget: Budget | None = None
    turn: Turn | None = None

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measures the time of the block."""
        started = time.perf_counter_ns()
        try:
            yield
        finally:
            self.stages[name] = self.stages.get(name, 0) + (time.perf_counter_ns() - started) // 1000


def digest_of(event: Mapping[str, Any]) -> str:
    """Of what the client sent: without what was observed or said by a model meanwhile."""
    return body_digest({key: value for key, value in event.items() if key not in ("llm", "observed")})


def answer_refused(state: TutoringState) -> Refusal | None:
    """Why the event may not be applied to this state, or None."""
    event, last = given(state["event"]), state["last_turn"]
    if last is not None and last["request_id"] == event["request_id"]:
        return "replay"
    if state["current_step"] == "ended":
        extra = event["type"] == "training_done" and event["training_id"] in state["offered"]
        return None if extra else "stale"
    if event["type"] == "stop":
        return None
    if event["type"] == "idle":
        return None if event["turn"] == state["turn"] else "stale"
    task = given(state["task"])
    if event["type"] == "training_done":
        return _training_refused(event.get("task_id"), event["training_id"], task)
    if event["task_id"] != task["task_id"]:
        return "stale"
    if (answered := event.get("steps")) and len(answered) != steps_to_answer(task):
        return "wrong_steps"
    return "wrong_event" if event["type"] == "answer_submitted" and task["kind"] == "training" else None


def steps_to_answer(task: Task) -> int:
    """How many steps of the task may be answered with it."""
    steps = task.get("presentation", {}).get("steps") if task["kind"] != "worked_example" else None
    return len(steps or ())


def _training_refused(task_id: str | None, training_id: str, task: Task) -> Refusal | None:
    if task["kind"] != "training" or (task_id is not None and task_id != task["task_id"]):
        return "stale"
    return None if training_id == task["training_id"] else "wrong_training"


# --- the two asks -----------------------------------------------------------------------------------------------------


def recorded_model_call(state: TutoringState, kind: str) -> ModelCallRecord | None:
    """In a replay: the recorded model call of this kind."""
    event = given(state["event"])
    return next((cast("ModelCallRecord", one) for one in event.get("llm", []) if one["kind"] == kind), None)


async def ask_diagnosis(nodes: Nodes, state: TutoringState, runtime: Runtime[TurnContext]) -> Update:
    """F-03's fallback: asks the model about an answer that no rule explains. Without a usable reply, UNKNOWN stays."""
    said = recorded_model_call(state, "diagnosis")
    if said is not None:
        return diagnosis_update(nodes, state, reply_from_record(said, SuspectedCauses), runtime.context)
    observation = given(state["observation"])
    answer = UnexplainedAnswer(
        problem=nodes.rules.bank.problem(given(observation["problem_id"])),
        student_answer=given(observation["answer"]),
        rt_ms=observation["rt_ms"],
        behavior_tags=observation["behavior_tags"],
    )
    domains = {tag: cause.domain for tag, cause in nodes.rules.catalogue.causes.items() if tag != UNKNOWN}
    ask = await diagnose_unknown(
        given(nodes.models), _budget(nodes, runtime.context), answer, domains, nodes.rules.gate
    )
    return diagnosis_update(nodes, state, ask, runtime.context)


def diagnosis_update(
    nodes: Nodes, state: TutoringState, ask: ModelReply[SuspectedCauses], context: TurnContext | None
) -> Update:
    """The diagnosis that follows from the model's answer."""
    if context is not None and ask.record is not None:
        context.llm.append(ask.record)
        context.held += [ask.held] if ask.held else []
    if ask.result is None:
        return {}
    found = [ask.result.primary_cause, ask.result.secondary_cause]
    tags = [one.tag for one in found if one is not None]
    probe, reasoning = ask.result.probe_recommended, ask.result.reasoning
    return nodes.diagnosed(state, causes.from_model(state, nodes.rules, tags, probe=probe, reasoning=reasoning))


async def ask_feedback(nodes: Nodes, state: TutoringState, runtime: Runtime[TurnContext]) -> Update:
    """F-12's fallback: a model chooses words for a situation without a template; without a usable reply, the safe
    lines."""
    said = recorded_model_call(state, "feedback")
    if said is not None:
        return feedback_update(nodes, state, reply_from_record(said, WrittenFeedback), runtime.context)
    observation, diagnosis, feedback = state["observation"], state["diagnosis"], state["feedback"]
    if nodes.models is None or feedback is None or observation is None or observation["problem_id"] is None:
        return nodes.safe_feedback(state)
    situation = FeedbackRequest(
        situation=_SITUATIONS.get(feedback["situation"], feedback["situation"]),
        problem=nodes.rules.bank.problem(observation["problem_id"]),
        student_answer=observation["answer"],
        cause_tag=diagnosis["cause_tag"] if diagnosis else None,
        offered=_fitting_templates(nodes, state),
        words=nodes.rules.feedback.words,
    )
    budget = _budget(nodes, runtime.context)
    check = partial(_broken_rules, nodes.rules, nodes.open_answers(state), right=observation["correct"] is True)
    return feedback_update(nodes, state, await choose_words(nodes.models, budget, situation, check), runtime.context)


def _fitting_templates(nodes: Nodes, state: TutoringState) -> dict[str, Feedback]:
    """The templates that fit the answer and the next task."""
    observation, task = given(state["observation"]), state["task"]
    again = task is not None and task["problem_id"] == observation["problem_id"]
    turned: AnswerOutcome = "right" if observation["correct"] else "again" if again else "another"
    return nodes.rules.feedback.fallback_templates(
        turned,
        context=nodes.context(state),
        seed=state["start"]["seed"],
        turn=state["turn"],
    )


def _broken_rules(rules: Rules, hidden: Sequence[int], lines: Sequence[str], *, right: bool) -> list[str]:
    """The rules that a model's lines break: closed vocabulary, length, tone guide, gate. `right`: whether the answer
    was right, which the lines must not contradict."""
    longest = tone.guide().limits.line
    broken = [] if is_composed_of(lines, rules.feedback.words) else ["vocabulary"]
    broken += ["length"] if any(len(line) > longest for line in lines) else []
    broken += ["verdict"] if rules.gate.words.verdict.contradicts(" ".join(lines), right=right) else []
    answers: Sequence[int | None] = hidden or [None]
    broken += [one.rule for answer in answers for one in tone.check(lines, None, answer=answer, revealed=False)]
    held = rules.gate.check("\n".join(lines), "child", TextRequirements(longest * len(lines) + len(lines)))
    return [*broken, held.code] if held else broken


_SITUATIONS: Final = {"not_learnt_yet": "아직 배우지 않은 것이라 함께 풀고 아는 문제로 간다"}
"""Situations without a template, in words for the model."""


def feedback_update(
    nodes: Nodes, state: TutoringState, ask: ModelReply[WrittenFeedback], context: TurnContext | None
) -> Update:
    """The feedback that follows from the model's choice."""
    if context is not None and ask.record is not None:
        context.llm.append(ask.record)
    if ask.result is None:
        safe = nodes.safe_feedback(state)
        rejected = ask.record is not None and ask.record["outcome"] == "tone"
        return {"feedback": {**safe["feedback"], "tone_check_passed": not rejected}}
    feedback = given(state["feedback"])
    said = ask.result
    chosen = {"feedback_text": said.feedback_lines, "hint_text": said.hint, "template_id": said.template_id}
    return {"feedback": {**feedback, **chosen}}


def _budget(nodes: Nodes, context: TurnContext | None) -> Budget:
    """One budget for both calls of a turn."""
    if context is None:
        return given(nodes.models).budget()
    if context.budget is None:
        context.budget = given(nodes.models).budget()
    return context.budget


# --- the record -------------------------------------------------------------------------------------------------------


async def record(nodes: Nodes, state: TutoringState, runtime: Runtime[TurnContext]) -> Update:
    """F-16: the row is written before the checkpoint, the checkpoint before the answer is acknowledged."""
    context = runtime.context or TurnContext()
    update = finish_turn(nodes, state, context)
    if context.save is not None:
        with context.stage("record"):
            await context.save(given(context.turn))
    return update


def finish_turn(nodes: Nodes, state: TutoringState, context: TurnContext) -> Update:
    """Leaves the finished turn in the context, and returns the orchestrator's keys for the next one."""
    rules, event = nodes.rules, given(state["event"])
    body = envelopes.response(state, rules, degraded=context.degraded)
    sent = {key: value for key, value in event.items() if key != "llm"}
    trace = [*envelopes.trace(state, rules), {"type": "stages", "request_id": event["request_id"],
                                              "payload": dict(context.stages)}]  # fmt: skip
    context.turn = Turn(
        number=body["turn"],
        request_id=event["request_id"],
        event=sent,
        llm=[cast("dict[str, Any]", one) for one in context.llm],
        response=body,
        trace=trace,
        facts=envelopes.report_facts(state, rules),
        learner=_standing(state, rules),
        reviews=[NewReview(one.kind, {**one.payload, "turn": body["turn"]}) for one in _reviews(state, context, rules)],
        ended=state["current_step"] == "ended",
        open_problems=nodes.open_problems(state),
    )
    last = {"request_id": body["request_id"], "sent": digest_of(event), "response": body}
    return {"event": None, "turn": body["turn"], "last_turn": last}


def _standing(state: TutoringState, rules: Rules) -> LearnerUpdate:
    """What the next session needs of this one."""
    start = state["start"]
    today = rules.session_knowledge.at(state).day
    began = {} if start["mode"] != "practice" else {state["strand"]: [start["c_position"], today]}
    together = {tag: tags for tag, tags in start["together"].items() if tag not in state["stated"]}
    below_c1 = state["c_position"] < LOWEST_C
    c, w = state["number_sense"]["back"] if below_c1 else (state["c_position"], state["w_position"])
    return LearnerUpdate(
        c=int(c),
        w=w,
        below_c1=below_c1,
        again=[dict(entry) for entry in state["again"]],
        starts={**start["starts"], **began},
        stated={**start["stated"], **dict.fromkeys(state["stated"], today)},
        suspected=suspected_later(state["posterior"]),
        struggles=struggles_after(start["struggles"], state["known"]["evidence"], today),
        evidence=given(state["move"])["evidence"],
        thought_c=start["thought_c"],
        typing_ms=state["number_sense"]["typing_ms"] or start["typing_ms"],
        unplaced=unplaced(state, rules),
        choices_new=state.get("choices_new", False),
        together={**together, **state["together"]},
        white_outs=recent_white_outs(state, today, rules.entries),
        told=told_days(state, today, rules.entries, rules.catalogue),
        trained=dict(Counter(start.get("trained", {})) + Counter(state["trained"])),
    )


def _knew_nothing(state: TutoringState) -> bool:
    """Whether the child said as often as there were problems that it doesn't know, which by itself ends no session."""
    return sum(state["practice"]["unsure"].values()) >= max(_SEVERAL, state["counters"]["closed"])


def _reviews(state: TutoringState, context: TurnContext, rules: Rules) -> list[NewReview]:
    """The entries for the review queue: unknown answers, rejected words, sessions that were too hard."""
    observation, diagnosis, move = state["observation"], state["diagnosis"], state["move"]
    found: list[NewReview] = []
    cause_unknown = move is not None and transitions.ROWS[move["row"]].cause_unknown
    if cause_unknown and observation is not None and diagnosis is not None:
        asked = next((one["outcome"] for one in context.llm if one["kind"] == "diagnosis"), None)
        found.append(
            NewReview(
                "unknown_answer",
                {
                    "problem_id": observation["problem_id"],
                    "answer": observation["answer"],
                    "rt_ms": observation["rt_ms"],
                    "candidates": diagnosis["candidates"],
                    "model": asked,
                },
            )
        )
    found.extend(
        NewReview("rejected_text", {"output": one["output"]})
        for one in context.llm
        if one["kind"] == "feedback" and one["outcome"] == "tone"
    )
    found.extend(NewReview("rejected_text", {"output": {"reasoning": reasoning}}) for reasoning in context.held)
    if state["current_step"] == "ended":
        if state["ended_because"] in _TOO_HARD or _knew_nothing(state):
            found.append(NewReview("hard_session", {"ended_because": state["ended_because"]}))
        today, before = rules.session_knowledge.at(state).day, state["start"]["struggles"]
        now = resting(struggles_after(before, state["known"]["evidence"], today), today)
        found += teacher_entries(state, today, rules.entries, rules.catalogue)
        found.extend(NewReview("resting_skill", {"skill_id": one}) for one in sorted(now - resting(before, today)))
    return found
