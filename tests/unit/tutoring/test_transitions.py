"""Every row of the transition table, walked through the real engine, against tables C of the design."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import predictions
from maththera.tutoring.moves.transition_facts import Facts, gather_facts
from maththera.tutoring.problems.task_builders import TASK_BUILDERS
from maththera.tutoring.state import TutoringState
from maththera.tutoring.transitions import NODES, ROWS, TABLE, Row, match
from tests.support.sessions import FAST, IMPULSIVE, SLOW, Session, begin

Act = Callable[[Session], object]


@dataclass(frozen=True)
class Step:
    """After `act`: the row that held, the phase, (C, W) and the next task, "kind prompt" or the kind alone."""

    act: Act
    row: str
    phase: str
    at: tuple[int, float]
    task: str | None


@dataclass(frozen=True)
class Scenario:
    """Steps from `first`, shown at `at`. `given` is what earlier turns of the session would have left."""

    name: str
    first: str
    at: tuple[int, float]
    steps: tuple[Step, ...]
    start: dict[str, Any] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)


def say(answer: int, rt_ms: int = FAST) -> Act:
    return lambda session: session.answer(answer, rt_ms)


def said_by_model(tag: str) -> Act:
    """An answer that no rule explains, and what the model made of it."""
    output = {
        "primary_cause": {"tag": tag, "domain": tag.partition("_")[0], "confidence": "high"},
        "secondary_cause": None,
        "reasoning": "짐작이다.",
        "probe_recommended": False,
    }
    record = {"kind": "diagnosis", "model": "m", "input_tokens": 1, "output_tokens": 1, "estimated": False,
              "cost_usd": None, "ms": 1, "outcome": "ok", "output": output}  # fmt: skip
    return lambda session: session.answer(70, llm=[record])


right: Act = Session.right
slow: Act = lambda session: session.right(SLOW)  # noqa: E731
hasty: Act = lambda session: session.slip(IMPULSIVE)  # noqa: E731
slip: Act = Session.slip
timeout: Act = Session.timeout
trained_badly: Act = lambda session: session.send(  # noqa: E731
    "training_done", training_id=session.task["training_id"], results={"items": []}
)
unsure: Act = lambda session: session.send("timeout", said=True)  # noqa: E731
train: Act = Session.train
stop: Act = Session.stop
idle: Act = Session.idle


def earlier(**keys: Any) -> dict[str, Any]:
    return keys


CLIMBING = {"policy": {"advance": "seed"}}
"""The original document's rule: every fast right answer climbs. What skills do is in test_by_skills."""
STEADY = {"policy": {"advance": "streak", "promotion_streak": 9}}
"""A child who stays where it is."""
WIDGETS = {"capabilities": {"widgets": True}}
"""A client that can show items of number sense."""
EXPECTED = {"practice": {"expected": 0.9}}
"""The first problem was expected to be right."""
SUSPECTS_OF_13 = [key for key, answer in predictions(make_problem(28, "+", 15), None).items() if answer == 13]
"""The hypotheses that predict 28+15=13."""
NOT_CHOSEN: dict[str, Any] = {"start": {"first_problem": None}}
"""No adult chose the first problem: of its skill nothing is known."""

TO_THE_RETURN = (
    Step(say(178), "10", "diagnostic_question", (8, 7.0), "diagnostic_question 98+□=100"),
    Step(say(2), "18a", "scaffolded_recovery_1", (8, 5.5), "anchor 100+90=□"),
    Step(say(190), "20a", "scaffolded_recovery_2", (8, 5.5), "fine_adjustment 98+□=100"),
    Step(say(2), "23", "scaffolded_recovery_3", (8, 5.5), "return 98+90=□"),
)
TO_THE_BRIDGE = (*TO_THE_RETURN, Step(say(178), "26a", "bridge_loop", (8, 5.5), "bridge 98+□=100"))
TO_THE_BRIDGES_ORIGINAL = (
    *TO_THE_BRIDGE,
    Step(say(2), "27g", "bridge_loop", (8, 5.5), "bridge 100+88=□"),
    Step(say(188), "27m", "bridge_loop", (8, 5.5), "bridge 98+90=□"),
)
TO_THE_WHITE_OUT = (
    *TO_THE_RETURN[:2],
    Step(say(7), "22", "white_out", (5, 3.0), "problem"),
)
# 28+15 → 13 is SPATIAL_L4_PLACE_VALUE: route B.
TO_THE_SUB_STEP = (
    Step(say(13), "12b", "scaffolded_recovery_1", (7, 5.0), "anchor"),
    Step(right, "20b", "scaffolded_recovery_2", (7, 5.0), "fine_adjustment 8+5=□"),
)

SCENARIOS = (
    Scenario("fast and right climbs", "8+6", (7, 4.5), (Step(right, "2", "normal", (8, 5.5), "problem"),)),
    Scenario(
        "at the top only W rises", "24x3", (15, 3.5), (Step(right, "2", "normal", (15, 4.5), "problem"),)
    ),
    Scenario(
        "a fall from the next C asks for one more", "8+6", (7, 4.5),
        (Step(right, "1", "normal", (7, 4.5), "problem"), Step(right, "2", "normal", (8, 5.5), "problem")),
        given=earlier(falls={"8": 1}),
    ),
    Scenario(
        "falls count up to three", "8+6", (7, 4.5),
        (*(Step(right, "1", "normal", (7, 4.5), "problem"),) * 3, Step(right, "2", "normal", (8, 5.5), "problem")),
        given=earlier(falls={"8": 9}),
    ),
    Scenario(
        "the fourth slow right answer climbs", "8+6", (7, 4.5),
        (*(Step(slow, "3", "normal", (7, 4.5), "problem"),) * 3, Step(slow, "3p", "normal", (8, 5.5), "problem")),
    ),
    Scenario(
        "an impulsive right answer neither climbs nor breaks a streak", "8+6", (7, 4.5),
        (
            Step(right, "1", "normal", (7, 4.5), "problem"),
            Step(lambda s: s.right(IMPULSIVE), "4", "normal", (7, 4.5), "problem"),
            Step(right, "2", "normal", (8, 5.5), "problem"),
        ),
        start={"policy": {"advance": "streak", "promotion_streak": 2}},
    ),
    Scenario(
        "impulsive twice: the problem is dropped; the third dropped in a row ends kindly", "47+26", (8, 8.0),
        (
            Step(say(5, IMPULSIVE), "5", "training", (8, 8.0), "training"),
            Step(train, "32", "normal", (8, 8.0), "problem 47+26=□"),
            Step(say(5, IMPULSIVE), "6", "normal", (8, 8.0), "problem"),
            Step(hasty, "5", "training", (8, 8.0), "training"),
            Step(timeout, "33", "normal", (8, 8.0), "problem"),
            Step(hasty, "6", "normal", (8, 8.0), "problem"),
            Step(hasty, "5n", "normal", (8, 8.0), "problem"),
            Step(hasty, "6e", "ended", (8, 8.0), None),
        ),
    ),
    Scenario(
        "attention again, but not in haste: as any cause, route A", "28+15", (8, 7.0),
        (
            Step(said_by_model("ATTENTION_L0_DISENGAGED"), "5", "training", (8, 7.0), "training"),
            Step(train, "32", "normal", (8, 7.0), "problem 28+15=□"),
            Step(said_by_model("ATTENTION_L0_DISENGAGED"), "7", "scaffolded_recovery_1", (8, 5.5), "anchor 30+15=□"),
        ),
    ),
    Scenario(
        "a wrong answer that was not expected is looked at again", "8+6", (7, 4.5),
        (
            Step(slip, "8", "normal", (7, 4.5), "problem 8+6=□"),
            Step(right, "8r", "normal", (7, 4.5), "problem"),
        ),
        given=EXPECTED,
    ),
    Scenario(
        "a wrong answer of a procedure that explained two before is no slip", "28+15", (8, 7.0),
        (Step(say(13), "12b", "scaffolded_recovery_1", (7, 5.0), "anchor"),),
        given=earlier(**EXPECTED, posterior={key: [4.0, 2, 0] for key in SUSPECTS_OF_13}),
    ),
    Scenario(
        "one that explained a single answer may be", "28+15", (8, 7.0),
        (Step(say(13), "8", "normal", (8, 7.0), "problem 28+15=□"),),
        given=earlier(**EXPECTED, posterior={key: [4.0, 1, 0] for key in SUSPECTS_OF_13}),
    ),
    Scenario(
        "a second wrong look goes on", "28+15", (8, 7.0),
        (
            Step(say(13), "8", "normal", (8, 7.0), "problem 28+15=□"),
            Step(say(13), "12b", "scaffolded_recovery_1", (7, 5.0), "anchor"),
        ),
        given=EXPECTED,
    ),
    Scenario(
        "a probe leaves a STRATEGY: route A", "28+15", (8, 7.0),
        (
            Step(say(313), "9", "probe", (8, 7.0), "probe 20+15=□"),
            Step(say(35), "12a", "scaffolded_recovery_1", (8, 5.5), "anchor 30+15=□"),
        ),
    ),
    Scenario(
        "a probe leaves a SPATIAL cause: route B", "28+15", (8, 7.0),
        (
            Step(say(313), "9", "probe", (8, 7.0), "probe 20+15=□"),
            Step(say(215), "12b", "scaffolded_recovery_1", (7, 5.0), "anchor"),
        ),
    ),
    Scenario(
        "a probe leaves a cause that the other answers speak against: the gap decides", "28+15", (8, 7.0),
        (
            Step(say(313), "9", "probe", (8, 7.0), "probe 20+15=□"),
            Step(say(35), "10p", "diagnostic_question", (8, 7.0), "diagnostic_question 28+□=30"),
            Step(say(2), "18a", "scaffolded_recovery_1", (8, 5.5), "anchor 30+15=□"),
        ),
        given=earlier(posterior={
            "carry_in_full|STRATEGY_L4_PLACEVALUE": [-12.0, 1, 4], "carry_in_full|SPATIAL_L4_ALIGNMENT": [-12.0, 1, 4],
        }),
    ),
    Scenario(
        "a probe that leaves several: a second one; its miss is the third in a row", "8+5", (7, 4.0),
        (
            Step(say(3), "9", "probe", (7, 4.0), "probe 8+1=□"),
            Step(say(7), "16", "probe", (7, 4.0), "probe 8+5=□"),
            Step(say(3), "15", "white_out", (3, 0.0), "problem"),
        ),
    ),
    Scenario(
        "a probe that leaves ATTENTION is refocused; the second time it is any cause", "9+7", (7, 5.0),
        (
            Step(say(2), "9", "probe", (7, 5.0), "probe 9+7=□"),
            Step(say(16), "17", "training", (7, 5.0), "training"),
            Step(train, "32", "normal", (7, 5.0), "problem 9+7=□"),
            Step(say(2), "9", "probe", (7, 5.0), "probe 9+7=□"),
            Step(say(16), "12t", "scaffolded_recovery_1", (7, 3.5), "anchor 10+7=□"),
        ),
        given=earlier(practice={"expected": 0.6}),
    ),
    Scenario(
        "a probe without an answer: attention first, then the likeliest", "28+15", (8, 7.0),
        (
            Step(say(313), "9", "probe", (8, 7.0), "probe 20+15=□"),
            Step(timeout, "17", "training", (8, 7.0), "training"),
            Step(train, "32", "normal", (8, 7.0), "problem 28+15=□"),
            Step(say(313), "9", "probe", (8, 7.0), "probe 20+15=□"),
            Step(timeout, "12a", "scaffolded_recovery_1", (8, 5.5), "anchor 30+15=□"),
        ),
    ),
    Scenario(
        "no third training for attention", "28+15", (8, 7.0),
        (
            Step(say(313), "9", "probe", (8, 7.0), "probe 20+15=□"),
            Step(timeout, "17n", "normal", (8, 7.0), "problem 28+15=□"),
        ),
        given=earlier(counters={"trainings_for_attention": 2}),
    ),
    Scenario(
        "this cause had its loops: a training, and on at the lower C", "47+26", (8, 8.0),
        (
            Step(say(63), "11", "worked_example", (7, 5.0), "worked_example 40+20=□"),
            Step(right, "36", "worked_example", (7, 5.0), "worked_example 7+6=□"),
            Step(say(12), "36s", "worked_example", (7, 5.0), "worked_example 60+13=□"),
            Step(right, "38", "training", (7, 5.0), "training"),
            Step(train, "32", "normal", (7, 5.0), "problem"),
        ),
        given=earlier(loops={"EXECUTION_L4_CARRY_FORGOTTEN": 2}),
    ),
    Scenario(
        "this cause had its loops, severe: two steps", "28+15", (8, 7.0),
        (Step(say(16), "11s", "worked_example", (6, 2.5), "worked_example"),),
        given=earlier(loops={"CONCEPT_L1_MAGNITUDE": 2}),
    ),
    Scenario(
        "a second miss on a skill that had its loop: solved together", "28+15", (8, 7.0),
        (Step(say(313), "11n", "worked_example", (7, 5.0), "worked_example"),),
        given=earlier(practice={"looped": ["C8.carry_ones"]}),
    ),
    Scenario(
        "a miss that nothing explains on a skill that had its example: solved together", "28+15", (8, 7.0),
        (Step(say(49), "11e", "worked_example", (7, 5.0), "worked_example"),),
        given=earlier(practice={"exampled": ["C8.carry_ones"]}, **NOT_CHOSEN),
    ),
    Scenario(
        "a child who doesn't know, twice: an example, with one step open, with two, then alone", "28+15", (8, 7.0),
        (
            Step(unsure, "13", "normal", (8, 7.0), "problem 28+15=□"),
            Step(unsure, "14s", "worked_example", (8, 7.0), "worked_example"),
            Step(right, "36", "worked_example", (8, 7.0), "worked_example"),
            Step(right, "36", "worked_example", (8, 7.0), "worked_example"),
            Step(slip, "37s", "worked_example", (8, 7.0), "worked_example"),
            Step(right, "37", "worked_example", (8, 7.0), "worked_example"),
            Step(timeout, "36s", "worked_example", (8, 7.0), "worked_example"),
            Step(unsure, "38s", "normal", (8, 7.0), "problem"),
        ),
    ),
    Scenario(
        "a child who doesn't know, twice in a loop: an example in place of a fall", "28+15", (8, 7.0),
        (
            Step(say(13), "12b", "scaffolded_recovery_1", (7, 5.0), "anchor"),
            Step(right, "20b", "scaffolded_recovery_2", (7, 5.0), "fine_adjustment 8+5=□"),
            Step(unsure, "24", "scaffolded_recovery_2", (7, 5.0), "fine_adjustment 8+5=□"),
            Step(unsure, "14s", "worked_example", (8, 5.0), "worked_example"),
        ),
    ),
    Scenario(
        "no answer at the third showing", "47+26", (8, 8.0),
        (
            Step(say(5, IMPULSIVE), "5", "training", (8, 8.0), "training"),
            Step(train, "32", "normal", (8, 8.0), "problem 47+26=□"),
            Step(say(74), "8", "normal", (8, 8.0), "problem 47+26=□"),
            Step(timeout, "13f", "worked_example", (7, 5.0), "worked_example"),
        ),
        given=EXPECTED,
    ),
    Scenario(
        "too quick at the third showing: dropped", "47+26", (8, 8.0),
        (
            Step(timeout, "13", "normal", (8, 8.0), "problem 47+26=□"),
            Step(say(74), "8", "normal", (8, 8.0), "problem 47+26=□"),
            Step(say(5, IMPULSIVE), "6", "normal", (8, 8.0), "problem"),
        ),
        given=EXPECTED,
    ),
    Scenario(
        "a probe without an answer, after the third showing", "28+15", (8, 7.0),
        (
            Step(timeout, "13", "normal", (8, 7.0), "problem 28+15=□"),
            Step(say(313), "8", "normal", (8, 7.0), "problem 28+15=□"),
            Step(say(313), "9", "probe", (8, 7.0), "probe 20+15=□"),
            Step(timeout, "17f", "worked_example", (7, 5.0), "worked_example"),
        ),
        given=EXPECTED,
    ),
    Scenario(
        "the gap of the Bridge missed at its third showing", "98+90", (8, 7.0),
        (
            *TO_THE_BRIDGE,
            Step(timeout, "28", "bridge_loop", (8, 5.5), "bridge 98+□=100"),
            Step(say(2), "27g", "bridge_loop", (8, 5.5), "bridge 100+88=□"),
            Step(say(188), "27m", "bridge_loop", (8, 5.5), "bridge 98+90=□"),
            Step(say(178), "28n", "bridge_loop", (8, 5.5), "bridge 98+□=100"),
            Step(timeout, "28g", "worked_example", (7, 5.0), "worked_example"),
        ),
    ),
    Scenario(
        "a severe error: two steps down, W at most 1", "28+15", (8, 7.0),
        (Step(say(16), "12s", "scaffolded_recovery_1", (6, 2.5), "anchor"),),
    ),
    Scenario(
        "a known cause of EXECUTION: route A", "47+26", (8, 8.0),
        (Step(say(63), "12a", "scaffolded_recovery_1", (8, 6.5), "anchor 50+26=□"),),
    ),
    Scenario(
        "no response four times: two problems in a row", "28+15", (8, 7.0),
        (
            Step(timeout, "13", "normal", (8, 7.0), "problem 28+15=□"),
            Step(timeout, "14", "normal", (8, 6.0), "problem"),
            Step(timeout, "13", "normal", (8, 6.0), "problem"),
            Step(timeout, "14e", "ended", (8, 5.0), None),
        ),
    ),
    Scenario(
        "the diagnostic question is missed: route B", "98+90", (8, 7.0),
        (TO_THE_RETURN[0], Step(say(7), "18b", "scaffolded_recovery_1", (7, 5.0), "anchor")),
    ),
    Scenario(
        "a severe unknown error, and the question is missed", "98+90", (8, 7.0),
        (
            Step(say(501), "10", "diagnostic_question", (8, 7.0), "diagnostic_question 98+□=100"),
            Step(say(7), "18s", "scaffolded_recovery_1", (6, 2.5), "anchor"),
        ),
    ),
    Scenario(
        "the diagnostic question without an answer", "98+90", (8, 7.0),
        (
            TO_THE_RETURN[0],
            Step(timeout, "19", "diagnostic_question", (8, 7.0), "diagnostic_question 98+□=100"),
            Step(timeout, "18b", "scaffolded_recovery_1", (7, 5.0), "anchor"),
        ),
    ),
    Scenario(
        "the question has its own second chance", "98+90", (8, 7.0),
        (
            Step(timeout, "13", "normal", (8, 7.0), "problem 98+90=□"),
            TO_THE_RETURN[0],
            Step(timeout, "19", "diagnostic_question", (8, 7.0), "diagnostic_question 98+□=100"),
        ),
    ),
    Scenario(
        "route B: sub-step, then the original is missed", "28+15", (8, 7.0),
        (
            *TO_THE_SUB_STEP,
            Step(say(13), "23", "scaffolded_recovery_3", (7, 5.0), "return 28+15=□"),
            Step(say(44), "26b", "worked_example", (7, 5.0), "worked_example"),
        ),
    ),
    Scenario(
        "three misses at the fine adjustment", "28+15", (8, 7.0),
        (
            *TO_THE_SUB_STEP,
            Step(say(1), "24", "scaffolded_recovery_2", (7, 5.0), "fine_adjustment 8+5=□"),
            Step(timeout, "24b", "scaffolded_recovery_2", (7, 5.0), "fine_adjustment 8+5=□"),
            Step(say(1), "24f", "worked_example", (7, 5.0), "worked_example"),
        ),
    ),
    Scenario(
        "the loop's own cause at the anchor: a training, once", "2+20", (8, 2.5),
        (
            Step(say(32), "12a", "scaffolded_recovery_1", (8, 1.5), "anchor 20+10=□"),
            Step(say(40), "21", "training", (8, 1.5), "training"),
            Step(trained_badly, "32n", "training", (8, 1.5), "training"),
            Step(trained_badly, "32l", "worked_example", (8, 1.5), "worked_example"),
            Step(right, "37", "worked_example", (8, 1.5), "worked_example"),
            Step(right, "37", "worked_example", (8, 1.5), "worked_example"),
            Step(right, "38", "scaffolded_recovery_1", (8, 1.5), "anchor 20+10=□"),
            Step(timeout, "22", "white_out", (5, 3.0), "problem"),
        ),
    ),
    Scenario(
        "the anchor without an answer", "98+90", (8, 7.0),
        (
            *TO_THE_RETURN[:2],
            Step(timeout, "22t", "scaffolded_recovery_1", (8, 5.5), "anchor 100+90=□"),
            Step(timeout, "22", "white_out", (5, 3.0), "problem"),
        ),
    ),
    Scenario(
        "the anchor of a skill that was never shown", "98+90", (8, 7.0),
        (*TO_THE_RETURN[:2], Step(say(7), "22n", "worked_example", (7, 5.0), "worked_example")),
        given=NOT_CHOSEN,
    ),
    Scenario(
        "the loop is done: C as before, W stays lowered", "98+90", (8, 7.0),
        (*TO_THE_RETURN, Step(say(188), "25", "normal", (8, 5.5), "problem")),
    ),
    Scenario(
        "the second loop in a row at this C", "98+90", (8, 7.0),
        (*TO_THE_RETURN, Step(say(188), "25d", "normal", (7, 5.0), "problem")),
        given=earlier(loop_done_at=8),
    ),
    Scenario(
        "over the Bridge", "98+90", (8, 7.0),
        (*TO_THE_BRIDGES_ORIGINAL, Step(say(188), "27", "normal", (8, 5.5), "problem")),
    ),
    Scenario(
        "over the Bridge, the second loop in a row", "98+90", (8, 7.0),
        (*TO_THE_BRIDGES_ORIGINAL, Step(say(188), "27d", "normal", (7, 5.0), "problem")),
        given=earlier(loop_done_at=8),
    ),
    Scenario(
        "two rounds of the Bridge in vain", "98+90", (8, 7.0),
        (
            *TO_THE_BRIDGE,
            Step(say(7), "28", "bridge_loop", (8, 5.5), "bridge 98+□=100"),
            Step(timeout, "28n", "bridge_loop", (8, 5.5), "bridge 98+□=100"),
            Step(say(2), "27g", "bridge_loop", (8, 5.5), "bridge 100+88=□"),
            Step(say(7), "28", "bridge_loop", (8, 5.5), "bridge 100+88=□"),
            Step(say(188), "27m", "bridge_loop", (8, 5.5), "bridge 98+90=□"),
            Step(say(7), "28f", "worked_example", (7, 5.0), "worked_example"),
        ),
    ),
    Scenario(
        "the fourth showing of one problem is missed", "98+90", (8, 7.0),
        (
            *TO_THE_BRIDGES_ORIGINAL,
            Step(say(178), "28n", "bridge_loop", (8, 5.5), "bridge 98+□=100"),
            Step(say(2), "27g", "bridge_loop", (8, 5.5), "bridge 100+88=□"),
            Step(say(188), "27m", "bridge_loop", (8, 5.5), "bridge 98+90=□"),
            Step(say(178), "15", "white_out", (5, 3.0), "problem"),
        ),
    ),
    Scenario(
        "the third wrong answer in a row, of a skill that was never shown", "47+26", (8, 8.0),
        (Step(say(63), "15n", "worked_example", (7, 5.0), "worked_example"),),
        given=earlier(counters={"wrong_run": 2}, **NOT_CHOSEN),
    ),
    Scenario(
        "the sixth wrong answer in a row", "47+26", (8, 8.0),
        (Step(say(63), "15", "white_out", (5, 3.0), "problem"),),
        given=earlier(counters={"wrong_run": 2}, practice={"missed": ["+"] * 5}, **NOT_CHOSEN),
    ),
    Scenario(
        "the third wrong answer in a row", "47+26", (8, 8.0),
        (Step(say(63), "15", "white_out", (5, 3.0), "problem"),),
        given=earlier(counters={"wrong_run": 2}),
    ),
    Scenario(
        "after two misses something that works, then the sequence goes on; missed, it ends the loop", "98+90", (8, 7.0),
        (
            TO_THE_RETURN[0],
            Step(unsure, "19", "breather", (8, 7.0), "problem"),
            Step(right, "b", "diagnostic_question", (8, 7.0), "diagnostic_question 98+□=100"),
            Step(unsure, "18b", "scaffolded_recovery_1", (7, 5.0), "anchor"),
            Step(unsure, "22t", "breather", (7, 5.0), "problem"),
            Step(unsure, "bm", "worked_example", (1, 1.0), "worked_example"),
        ),
        start={"policy": {"advance": "skills"}},
        given=earlier(practice={"exampled": ["C8.near_hundred"]}),
    ),
    Scenario(
        "out of the White-out", "98+90", (8, 7.0),
        (
            *TO_THE_WHITE_OUT,
            Step(slip, "31", "white_out", (2, 0.0), "problem"),
            Step(right, "30", "white_out", (2, 0.0), "problem"),
            Step(right, "30n", "worked_example", (5, 2.0), "worked_example"),
        ),
    ),
    Scenario(
        "the White-out in vain", "98+90", (8, 7.0),
        (
            *TO_THE_WHITE_OUT,
            Step(right, "30", "white_out", (5, 3.0), "problem"),
            Step(slip, "31", "white_out", (2, 0.0), "problem"),
            Step(timeout, "31e", "ended", (2, 0.0), None),
        ),
    ),
    Scenario("stop", "8+6", (7, 4.5), (Step(stop, "34", "ended", (7, 4.5), None),)),
    Scenario("idle inside a loop", "98+90", (8, 7.0), (*TO_THE_BRIDGE, Step(idle, "34i", "ended", (8, 5.5), None))),
    Scenario("stop inside a loop", "98+90", (8, 7.0), (*TO_THE_BRIDGE, Step(stop, "34", "ended", (8, 5.5), None))),
    Scenario(
        "one more training after the end", "8+6", (7, 4.5),
        (
            Step(slow, "3", "normal", (7, 4.5), "problem"),
            Step(stop, "34", "ended", (7, 4.5), None),
            Step(lambda s: s.send("training_done", training_id=s.state["offered"][0]), "32e", "ended", (7, 4.5), None),
        ),
    ),
    Scenario(
        "a placement asks what tells most, right or missed, and ends where the child stands", "8+6", (7, 4.5),
        (
            Step(right, "0", "placement", (13, 0.5), "problem"), Step(timeout, "0m", "placement", (10, 9.0), "problem"),
            Step(right, "0", "placement", (11, 7.0), "problem"), Step(right, "0", "placement", (12, 8.5), "problem"),
            Step(right, "0", "placement", (13, 0.5), "problem"), Step(right, "0", "placement", (14, 1.5), "problem"),
            Step(right, "0", "placement", (15, 6.5), "problem"), Step(right, "0", "placement", (15, 6.5), "problem"),
            Step(right, "0", "placement", (14, 6.0), "problem"), Step(right, "0", "placement", (12, 8.0), "problem"),
            Step(right, "0", "placement", (13, 0.0), "problem"), Step(right, "0e", "ended", (11, 1.5), None),
        ),
        start={"mode": "placement"},
    ),
    Scenario(
        "three items of number sense warm up for the first problem", "4+1", (1, 0.5),
        (
            Step(right, "w", "warm_up", (1, 0.5), "widget"), Step(slip, "wm", "warm_up", (1, 0.5), "widget"),
            Step(timeout, "wm", "normal", (1, 0.5), "problem 4+1=□"),
        ),
        start=WIDGETS,
    ),
    Scenario(
        "a screening asks all its items, whatever the answers", "4+1", (1, 0.5),
        (
            Step(right, "s", "screening", (1, 0.5), "widget"),
            *(Step(timeout, "sm", "screening", (1, 0.5), "widget"),) * 40,
            Step(slip, "se", "ended", (1, 0.5), None),
        ),
        start={**WIDGETS, "mode": "number_sense", "problem_count": 42},
    ),
    Scenario(
        "below C1: three misses in a row end kindly", "4+1", (1, 0.5),
        (
            *(Step(timeout, "wm", "warm_up", (0, 0.0), "widget"),) * 2,
            Step(timeout, "wm", "number_sense", (0, 0.0), "widget"),
            Step(slip, "nm", "number_sense", (0, 0.0), "widget"), Step(right, "n", "number_sense", (0, 0.0), "widget"),
            Step(slip, "nm", "number_sense", (0, 0.0), "widget"), Step(slip, "nm", "number_sense", (0, 0.0), "widget"),
            Step(timeout, "ne", "ended", (0, 0.0), None),
        ),
        start={**WIDGETS, "below_c1": True, "policy": {"advance": "skills"}},
    ),
)  # fmt: skip


def begun(rules: Rules, scenario: Scenario) -> Session:
    session = begin(rules, scenario.first, *scenario.at, **{**CLIMBING, **scenario.start})
    state: TutoringState = session.state
    nested = {key: {**state[key], **scenario.given.get(key, {})} for key in ("counters", "practice", "start")}
    session.state = {**state, **scenario.given, **nested}  # type: ignore[typeddict-item]
    return session


def walk(session: Session, step: Step) -> None:
    step.act(session)
    state = session.state
    assert (session.rows[-1], state["current_step"], session.position) == (step.row, step.phase, step.at)
    task = state["task"]
    assert (task is None) == (step.task is None)
    if task is not None and step.task is not None:
        assert f"{task['kind']} {task['prompt']}".startswith(step.task)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_the_session_goes_as_the_table_says(rules: Rules, scenario: Scenario) -> None:
    session = begun(rules, scenario)
    for step in scenario.steps:
        walk(session, step)


def test_every_row_is_walked() -> None:
    assert {step.row for scenario in SCENARIOS for step in scenario.steps} == set(ROWS)
    assert len(TABLE) == len(ROWS)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"row {row.number}")
def test_a_row_names_only_what_there_is(row: Row) -> None:
    nodes = [node for node in row.path if node != "adapt"]
    assert [NODES.index(node) for node in nodes] == sorted(map(NODES.index, nodes))
    assert row.show is None or row.show in TASK_BUILDERS


def test_what_no_row_is_made_for_is_refused(rules: Rules) -> None:
    session = begin(rules, "8+6").stop()
    facts: Facts = gather_facts({**session.state, "event": {"type": "answer_submitted"}}, rules)
    with pytest.raises(LookupError, match="no row of the transition table"):
        match(facts)


# --- row 35 -------------------------------------------------------------------------------------------------------


def test_the_session_ends_when_its_problems_are_closed(rules: Rules) -> None:
    session = begin(rules, "8+6", problem_count=2).right()
    assert session.state["remaining"] == 1
    session.right()
    assert (session.ended, session.state["ended_because"], session.state["remaining"]) == (True, "remaining", 0)
    assert session.response["task"] is None


def test_an_open_loop_is_finished_before_the_session_ends(rules: Rules) -> None:
    session = begin(rules, "98+90", 8, 7.0, problem_count=2)
    session.state = {**session.state, "remaining": 1}
    for answer in (178, 2, 190, 2):
        assert not session.answer(answer).ended
    assert session.answer(188).state["ended_because"] == "remaining"


def test_three_tasks_for_each_problem_are_the_most_and_an_open_original_is_kept(rules: Rules) -> None:
    session = begin(rules, "98+90", 8, 7.0, problem_count=2)
    for answer in (178, 2, 190, 2, 178, 2):
        assert not session.ended
        session.answer(answer)
    assert (session.ended, session.state["ended_because"]) == (True, "tasks")
    assert session.state["counters"]["tasks"] == 6
    assert session.response["summary"]["again"] == ["98+90"]


def test_a_training_at_the_very_end_is_not_waited_for_without_end(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0, problem_count=1)
    session.state = {**session.state, "loops": {"EXECUTION_L4_CARRY_FORGOTTEN": 2}}
    session.answer(63)
    while session.task["kind"] == "worked_example":
        session.right()
    assert session.task["kind"] == "training"
    session.train()
    assert (session.ended, session.state["ended_because"]) == (True, "remaining")
