"""Whole sessions with children of every kind: what holds whatever they do."""

import json
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from maththera.knowledge.skills import Strand
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.practice.session_practice import border_of, task_key
from maththera.tutoring.practice.skill_problems import LADDERS
from maththera.tutoring.problems.problem_selection import recent_keys
from maththera.tutoring.state import TutoringState
from tests.support.sessions import (
    IMPULSIVE,
    Child,
    Session,
    WatchedEngine,
    answer_wrong,
    begin,
    failing,
    play,
    random_child,
)

SHARES = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0])
RARE = st.sampled_from([0.0, 0.0, 0.05, 0.3])
FIRST = st.sampled_from([None, None, "98+90", "28+15", "8+6", "56/8", "503-278", "99x99", "6-2", "0+5", "999+1"])

STARTS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "c": st.integers(1, 15),
        "w": st.floats(0, 9.5),
        "first": FIRST,
        "seed": st.integers(0, 1 << 31),
        "problem_count": st.sampled_from([1, 2, 5, 15, 15, 40]),
        "policy": st.fixed_dictionaries(
            {
                "advance": st.sampled_from(["skills", "skills", "streak", "seed"]),
                "promotion_streak": st.integers(1, 3),
                "rt_policy": st.sampled_from(["fixed", "adaptive"]),
            }
        ),
        "again": st.lists(
            st.sampled_from(["X:98+90:h", "X:7x8:v", "X:5+4:h"]).map(lambda one: {"problem_id": one, "day": 4}),
            max_size=2,
            unique_by=str,
        ),
        "knowledge": st.sampled_from([{"day": day, "skills": {}} for day in (4, 5)]),
        "capabilities": st.sampled_from([{"widgets": False}, {"widgets": True}]),
        "below_c1": st.sampled_from([False, False, True]),
    }
)
CHILDREN: st.SearchStrategy[dict[str, Any]] = st.builds(
    dict,
    seed=st.integers(0, 1 << 31),
    right=SHARES,
    malrule=SHARES,
    timeout=RARE,
    impulsive=RARE,
    stop=st.sampled_from([0.0, 0.0, 0.0, 0.02]),
)

any_session = given(start=STARTS, habits=CHILDREN)
Start = dict[str, Any]


def child_of(habits: dict[str, Any]) -> Child:
    return random_child(habits["seed"], **{key: share for key, share in habits.items() if key != "seed"})


def turns_of(rules: Rules, start: Start, habits: dict[str, Any]) -> Iterator[Session]:
    """The session before its first turn and after each."""
    session, child = begin(rules, **start), child_of(habits)
    yield session
    while not session.ended:
        yield child(session)


def shown(session: Session) -> str | None:
    """The id of the problem that is to be seen now."""
    task = session.state["task"]
    return task["problem_id"] if task else None


# --- bounds ---------------------------------------------------------------------------------------------------------

Watch = Generator[None, Session, None]
"""What must hold throughout a session: it is sent the session before its first turn and after each."""


def position_stays_on_the_ladder_and_in_the_band(rules: Rules, start: Start) -> Watch:
    while True:
        session = yield
        c, w = session.position
        if c == 0 and session.state["start"]["capabilities"]["widgets"]:  # number sense has no W
            assert w == 0
            continue
        low, high = rules.bank.band(c)
        assert 1 <= c <= 15
        assert low <= w <= high


def no_more_than_three_tasks_for_each_problem(rules: Rules, start: Start) -> Watch:
    count = 0
    while True:
        session = yield
        task = session.state["task"]
        count += task is not None and "-" not in task["task_id"]  # the steps of a problem are one task
        if session.ended:
            assert count - session.state["number_sense"]["first"] <= 3 * start["problem_count"]
            assert session.state["remaining"] >= 0
            assert session.response["summary"]["words"]


def nobody_sees_one_problem_more_than_four_times(rules: Rules, start: Start) -> Watch:
    closed, times = -1, 0
    while True:
        session = yield
        task, attempts = session.state["task"], session.state["attempts"]
        if session.state["counters"]["closed"] != closed:
            closed, times = session.state["counters"]["closed"], 0
        # A probe may have the same numbers, to take out the layout or the sign; it is another question.
        if task and attempts and task["kind"] != "probe" and task["problem_id"] == attempts["problem_id"]:
            times += 1
        assert times <= 4


def put(session: Session) -> str | None:
    """Kind and expression of the task to be seen now; None for a training and at the end."""
    task = session.task_or_none
    if task and task["kind"] == "worked_example":
        return f"w{task['prompt']}"
    return task_key(task["kind"], session.problem) if task and task["problem_id"] else None


def nothing_is_put_more_than_three_times(rules: Rules, start: Start) -> Watch:
    times: Counter[str] = Counter()
    while True:
        session = yield
        if (shown_now := put(session)) is not None:
            times[shown_now] += 1
            assert times[shown_now] <= 3, shown_now


AGAIN = {"5n", "8", "13", "17n", "19", "22t", "24", "24b", "28", "28n"}
"""The rows that may put the same task twice running; 5 and 17 do, after a training."""


def nothing_is_put_twice_running_but_where_the_table_says_so(rules: Rules, start: Start) -> Watch:
    before: tuple[str, str] | None = None
    while True:
        session = yield
        task = session.task_or_none
        now = (task["kind"], task["prompt"]) if task and task["problem_id"] else None
        assert now is None or now != before or session.rows[-1] in AGAIN
        before = now


def no_expression_comes_again_too_soon(rules: Rules, start: Start) -> Watch:
    seen: list[str] = []
    while True:
        session = yield
        task, attempts = session.state["task"], session.state["attempts"]
        if task is None or task["problem_id"] is None:
            continue
        key = session.problem.key
        chosen = task["kind"] == "problem" and attempts and attempts["shown"] == 1
        if chosen and seen:
            limit = min(20, rules.bank.expressions(session.problem.c_level) // 2)
            assert key not in seen[-limit:]
            assert len(recent_keys(session.state, rules, session.problem.c_level)) <= limit
        seen.append(key)


def words_never_tell_an_open_answer(rules: Rules, start: Start) -> Watch:
    while True:
        session = yield
        if not session.turns:
            continue
        feedback = session.response["feedback"]
        said = {int(digits) for line in [*feedback["feedback_text"], feedback["hint_text"] or ""]
                for digits in re.findall(r"\d+", line)}  # fmt: skip
        open_ids = {shown(session), session.state["original_problem"]} - {None}
        assert said.isdisjoint(rules.bank.problem(str(one)).answer for one in open_ids)
        assert feedback["feedback_text"]
        assert feedback["tone_check_passed"]


def every_answer_gets_a_word(rules: Rules, start: Start) -> Watch:
    """Before what comes next; before a probe one that tells nothing of right and wrong."""
    while True:
        session = yield
        if session.turns and session.turns[-1].event["type"] in ("answer_submitted", "timeout"):
            feedback = session.response["feedback"]
            said = [line["text"] for line in feedback["lines"] if line["about"] == "answer"]
            assert said, feedback
            assert len(feedback["feedback_text"]) + (feedback["hint_text"] is not None) <= 3, feedback
            if feedback["situation"] == "probe":
                assert said[0] in rules.feedback.heard["unmarked"], feedback


def what_was_shown_is_no_work_of_the_childs(rules: Rules, start: Start) -> Watch:
    """Whose answer completes an equation that stood on the screen is told so, and not praised; but where the words are
    for another thing that comes."""
    praise = {text for name in ("칭찬", "확인") for text in rules.feedback.slots[name]}
    before: dict[str, Any] | None = None
    while True:
        session = yield
        now = session.response if session.turns else None
        if before and before["task"] and before["task"]["prompt"].count("□") == 1 and now and now["correct"]:
            solution = before["solution"] or {"steps": [], "equation": None}
            steps = [*(before["task"]["presentation"]["steps"] or []), *solution["steps"]]
            shown = {step["expression"] for step in steps} | {solution["equation"]}
            given = before["task"]["prompt"].replace("□", str(session.turns[-1].event["answer"]))
            goes_on = session.state["current_step"] not in ("ended", "training", "scaffolded_recovery_1")
            if given in shown and goes_on and not now["feedback"]["situation"].endswith("_after_right"):
                words = " ".join(now["feedback"]["feedback_text"])
                assert not any(f"{one}!" in words for one in praise), (given, words)
        before = now


THROUGHOUT: Final[Sequence[Callable[[Rules, Start], Watch]]] = (
    position_stays_on_the_ladder_and_in_the_band,
    no_more_than_three_tasks_for_each_problem,
    nobody_sees_one_problem_more_than_four_times,
    nothing_is_put_more_than_three_times,
    nothing_is_put_twice_running_but_where_the_table_says_so,
    no_expression_comes_again_too_soon,
    words_never_tell_an_open_answer,
    every_answer_gets_a_word,
    what_was_shown_is_no_work_of_the_childs,
)


@settings(max_examples=400)
@any_session
def test_what_holds_throughout_a_session(rules: Rules, start: Start, habits: dict[str, Any]) -> None:
    """All of `THROUGHOUT` are watched in the same sessions: playing one takes nearly all of the time."""
    watches = [watch(rules, start) for watch in THROUGHOUT]
    for watch in watches:
        next(watch)
    for session in turns_of(rules, start, habits):
        for watch in watches:
            watch.send(session)


# --- children at the ends of the scale ------------------------------------------------------------------------------


@settings(max_examples=50)
@given(start=STARTS, rt_ms=st.integers(800, 5000))
def test_a_perfect_child_always_climbs_to_the_top(rules: Rules, start: Start, rt_ms: int) -> None:
    policy = {"advance": "streak", "promotion_streak": start["policy"]["promotion_streak"]}
    session = begin(rules, **{**start, "problem_count": 60, "policy": policy})
    while not session.ended:
        session.right(rt_ms)
    assert session.position[0] == 15
    assert session.state["counters"]["right"] == session.state["counters"]["answered"] == 60
    assert session.response["summary"]["causes"] == []


@settings(max_examples=30)
@given(strand=st.sampled_from("+-x/"), seed=st.integers(0, 1 << 31), rt_ms=st.integers(800, 5000))
def test_a_perfect_child_passes_every_skill_of_its_strand(rules: Rules, strand: Strand, seed: int, rt_ms: int) -> None:
    session = begin(rules, None, LADDERS[strand][0], seed=seed, problem_count=70, strand=strand)
    while not session.ended:
        session.right(rt_ms)
    assert session.position[0] == LADDERS[strand][-1]
    assert not border_of(session.state, rules).of_strand(strand)


def silent(session: Session) -> Session:
    return session.timeout()


def hasty(session: Session) -> Session:
    return session.train() if session.task["kind"] == "training" else session.slip(IMPULSIVE)


def by_malrules(session: Session) -> Session:
    return session.train() if session.task["kind"] == "training" else session.answer(answer_wrong(session))


@pytest.mark.parametrize("child", [failing, silent, hasty, by_malrules])
@settings(max_examples=40)
@given(start=STARTS)
def test_a_child_who_fails_everything_always_ends_kindly(rules: Rules, child: Child, start: Start) -> None:
    session = play(begin(rules, **start), child)
    assert session.state["counters"]["right"] == 0
    assert session.task_or_none is None
    assert session.response["feedback"]["feedback_text"] == session.response["summary"]["words"] != []
    assert session.turns[-1].ended
    if start["problem_count"] >= 5:
        assert session.state["ended_because"] in {"white_out", "no_response", "attention", "number_sense"}
        assert [review.kind for review in session.turns[-1].reviews] == ["hard_session"]


# --- the same inputs, the same session ------------------------------------------------------------------------------


@settings(max_examples=100)
@any_session
def test_the_same_inputs_give_the_same_bytes(rules: Rules, start: Start, habits: dict[str, Any]) -> None:
    def everything() -> str:
        session = play(begin(rules, **start), child_of(habits))
        return json.dumps([session.state, [turn.response for turn in session.turns]], ensure_ascii=False)

    assert everything() == everything()


@settings(max_examples=100)
@any_session
def test_the_recorded_events_lead_to_the_same_state(rules: Rules, start: Start, habits: dict[str, Any]) -> None:
    session = play(begin(rules, **start), child_of(habits))
    again = begin(rules, **start)
    for turn in session.turns:
        again.apply({**turn.event, "llm": turn.llm})  # type: ignore[typeddict-item]
        assert again.response == turn.response
    assert again.state == session.state


# --- what is kept ---------------------------------------------------------------------------------------------------


@settings(max_examples=100)
@any_session
def test_the_state_is_plain_json_and_comes_back_from_a_checkpoint(
    rules: Rules, start: Start, habits: dict[str, Any]
) -> None:
    serializer = JsonPlusSerializer()
    for session in turns_of(rules, start, habits):
        assert json.loads(json.dumps(session.state)) == session.state
        assert serializer.loads_typed(serializer.dumps_typed(session.state)) == session.state


@settings(max_examples=10)
@given(habits=CHILDREN, seed=st.integers(0, 1 << 31))
def test_two_hundred_turns_leave_a_small_state(rules: Rules, habits: dict[str, Any], seed: int) -> None:
    session = begin(rules, seed=seed, problem_count=100, policy={"rt_policy": "adaptive"})
    child = child_of({**habits, "stop": 0.0, "timeout": 0.0, "impulsive": 0.0, "right": max(0.5, habits["right"])})
    while not session.ended and len(session.turns) < 200:
        child(session)
        # The last turn also concludes something of each skill that was never asked.
        assert len(_without_task(session.state)) < (32_000 if session.ended else 26_000)


def _without_task(state: TutoringState) -> bytes:
    """The state but for the content of a training, which the last response carries along whole."""
    last = state["last_turn"]
    if last is not None and last["response"]["task"]:
        last = {**last, "response": {**last["response"], "task": {**last["response"]["task"], "training": None}}}
    return json.dumps({**state, "last_turn": last}).encode()


@settings(max_examples=100)
@any_session
def test_each_node_writes_what_its_agent_owns_and_leaves_the_rest_alone(
    rules: Rules, start: Start, habits: dict[str, Any]
) -> None:
    session = begin(rules, **start)
    session.engine = WatchedEngine(Nodes(rules))
    play(session, child_of(habits))
