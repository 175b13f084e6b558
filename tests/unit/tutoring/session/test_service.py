"""Sessions from outside, on real stores: begun, answered, answered again, looked back on; by one service and by two."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Final

import pytest
from redis.asyncio import Redis
from sqlalchemy import update

from maththera.runtime import leases
from maththera.runtime.checkpointer import PREFIX, WEEK_SECONDS
from maththera.runtime.turns import RequestIdReused
from maththera.store.answer_history import AnswerHistory
from maththera.store.tutoring_sessions import sessions, turns
from maththera.tutoring.session.service import SessionNotFound, StaleTask, TurnOutcome, TutoringService
from maththera.tutoring.session.session_start import NewSession
from maththera.tutoring.session_knowledge import SessionKnowledge
from maththera.tutoring.turns.events import BadEvent
from tests.support.tutoring import (
    Child,
    Moods,
    Stand,
    answered,
    does_right,
    right_answer,
    rules,
    stand,
    trained,
    wrong_answers_to,
)

NOBODY: Final = "no-such-session"
STOP: Final = {"type": "stop", "request_id": "stop"}


@pytest.fixture
async def here(redis: Redis, redis_url: str, database_url: str) -> AsyncIterator[Stand]:
    async with stand(redis_url, database_url) as found:
        yield found


@pytest.fixture
async def there(here: Stand, redis_url: str, database_url: str) -> AsyncIterator[Stand]:
    """Another worker on the same stores."""
    async with stand(redis_url, database_url) as found:
        yield found


def text(outcome: TurnOutcome) -> str:
    return json.dumps(outcome.body, ensure_ascii=False)


async def until_training(child: Child) -> None:
    """Two answers too fast to be meant: the second task is a training."""
    await child.answer(right_answer(child.current()) + 70, rt_ms=300)
    assert child.current()["kind"] == "training"


async def ended_with_offers(here: Stand) -> Child:
    """A session whose only problem was solved, slowly and by counting: trainings are offered."""
    child = await here.begin(first_problem="8+6", problem_count=1)
    event = answered(child.current(), 14, "slow", 12_000) | {"behavior_tags": ["OBS_OVERRELIANCE_COUNTING"]}
    outcome = await child.send(event)
    assert outcome.body["phase"] == "ended"
    assert outcome.body["training"] == ["T12", "T17"]
    return child


# --- begin ------------------------------------------------------------------------------------------------------------


async def test_a_new_session_shows_its_first_task(here: Stand) -> None:
    child = await here.begin(first_problem="98+90")
    view = await here.service.view(child.session_id)
    assert view["task"] == child.task
    assert (view["turn"], view["phase"], view["remaining"]) == (0, "normal", 15)
    assert child.current()["problem"]["expression"] == "98+90"
    assert view["position"] == {"c": 8, "w": 7.0, "strand": "+"}
    assert await here.service.owner(child.session_id) == "s1"


async def test_a_start_outside_the_band_is_clamped(here: Stand) -> None:
    view = await here.service.create(NewSession("s1", c_position=7, w_position=9.5))
    assert view["position"] == {"c": 7, "w": 5.0, "strand": "+"}


async def test_the_next_session_is_the_other_strands_and_begins_beside_the_first(here: Stand) -> None:
    child = await here.begin()
    await child.right()
    view = await here.service.create(NewSession("s1"))
    assert view["position"] == {"c": 6, "w": 6.5, "strand": "-"}


@pytest.mark.parametrize(
    ("wanted", "loc"),
    [
        ({"first_problem": "1000+5"}, "body.first_problem"),
        ({"first_problem": "8 plus 6"}, "body.first_problem"),
        ({"problem_count": 101}, "body.problem_count"),
    ],
)
async def test_what_no_session_can_begin_with_is_named(wanted: dict[str, Any], loc: str, here: Stand) -> None:
    with pytest.raises(BadEvent) as refused:
        await here.service.create(NewSession("s1", **wanted))
    assert refused.value.loc == loc


async def test_a_perfect_session_ends_with_a_summary(here: Stand) -> None:
    child = await here.begin()
    while child.task is not None:
        outcome = await child.right()
    summary = outcome.body["summary"]
    assert (summary["answered"], summary["right"], summary["ended_because"]) == (15, 15, "remaining")
    assert (await here.service.view(child.session_id))["task"] is None
    assert (await here.service.replay(child.session_id))["identical"]
    row = await here.records.session(child.session_id)
    assert row is not None
    assert row.ended_at is not None


# --- the same request again -------------------------------------------------------------------------------------------


async def test_a_repeated_request_gets_the_same_bytes(here: Stand, there: Stand) -> None:
    child = await here.begin()
    event = does_right(child.current(), "once")
    first = await child.send(event)
    for service in (here.service, there.service, here.service):
        again = await service.handle(child.session_id, event)
        assert again.replayed
        assert text(again) == text(first)
    assert await here.records.last_turn_number(child.session_id) == 1


@pytest.mark.parametrize("emptied", [False, True])
async def test_an_older_request_too_and_another_under_its_id_is_refused(
    emptied: bool, here: Stand, there: Stand
) -> None:
    child = await here.begin()
    sent, outcomes = [], []
    for number in range(4):
        sent.append(does_right(child.current(), f"older-{number}"))
        outcomes.append(await child.send(sent[-1]))
    if emptied:
        await here.redis.flushall()
    for service in (there.service, here.service):
        again = await service.handle(child.session_id, sent[1])
        assert again.replayed
        assert text(again) == text(outcomes[1])
        with pytest.raises(RequestIdReused):
            await service.handle(child.session_id, {"type": "stop", "request_id": "older-1"})
    assert (await child.right()).body["turn"] == 5


async def test_the_last_request_of_an_ended_session_too(here: Stand) -> None:
    child = await here.begin()
    ended = await child.send(STOP)
    again = await here.service.handle(child.session_id, STOP)
    assert again.replayed
    assert text(again) == text(ended)


# --- refused ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("emptied", [False, True])
async def test_an_old_task_is_stale_and_the_current_one_is_told(emptied: bool, here: Stand) -> None:
    child = await here.begin()
    old = child.current()
    await child.right()
    if emptied:
        await here.redis.flushall()
    for event in (does_right(old, "late"), {"type": "timeout", "request_id": "late", "task_id": old["task_id"]}):
        with pytest.raises(StaleTask) as stale:
            await here.service.handle(child.session_id, event)
        assert stale.value.current_task == child.task
    assert await here.records.last_turn_number(child.session_id) == 1
    assert (await child.right()).body["turn"] == 2


async def test_an_answer_to_a_training_is_refused(here: Stand) -> None:
    child = await here.begin()
    await until_training(child)
    with pytest.raises(BadEvent, match="training_done") as refused:
        await child.answer(7)
    assert refused.value.loc == "body.type"
    with pytest.raises(BadEvent) as refused:
        await child.send(trained(child.current(), "other") | {"training_id": "T01"})
    assert refused.value.loc == "body.training_id"
    assert (await child.right()).body["turn"] == 2


async def test_a_training_that_nobody_set_is_stale(here: Stand) -> None:
    child = await here.begin()
    with pytest.raises(StaleTask):
        await child.send({"type": "training_done", "request_id": "x", "training_id": "T12"})


@pytest.mark.parametrize(
    ("change", "loc"),
    [
        ({"answer": "열넷쯤"}, "body.answer"),
        ({"behavior_tags": ["OBS_OVERRELIANCE_COUNTING", "OBS_NONSENSE"]}, "body.behavior_tags.1"),
    ],
)
async def test_what_cannot_be_understood_changes_nothing(change: dict[str, Any], loc: str, here: Stand) -> None:
    child = await here.begin()
    with pytest.raises(BadEvent) as refused:
        await child.send(does_right(child.current(), "bad") | change)
    assert refused.value.loc == loc
    assert await here.records.last_turn_number(child.session_id) == 0
    assert (await child.right()).body["turn"] == 1


@pytest.mark.parametrize("emptied", [False, True])
async def test_an_ended_session_takes_no_more_answers(emptied: bool, here: Stand) -> None:
    child = await here.begin()
    task = child.current()
    await child.send(STOP)
    if emptied:
        await here.redis.flushall()
    for event in (does_right(task, "late"), STOP | {"request_id": "again"}):
        with pytest.raises(StaleTask) as stale:
            await here.service.handle(child.session_id, event)
        assert stale.value.current_task is None


@pytest.mark.parametrize("emptied", [False, True])
async def test_one_offered_training_may_follow_the_end(emptied: bool, here: Stand) -> None:
    child = await ended_with_offers(here)
    if emptied:
        await here.redis.flushall()
    with pytest.raises(StaleTask):
        await child.send({"type": "training_done", "request_id": "not-offered", "training_id": "T01"})
    outcome = await child.send({"type": "training_done", "request_id": "extra", "training_id": "T12"})
    assert (outcome.body["phase"], outcome.body["turn"]) == ("ended", 2)
    assert outcome.body["summary"] is not None
    assert (await here.service.replay(child.session_id))["identical"]


async def test_an_unknown_session_is_not_found_and_leaves_nothing_behind(here: Stand) -> None:
    service = here.service
    for ask in (service.view, service.trace, service.replay, service.owner):
        with pytest.raises(SessionNotFound):
            await ask(NOBODY)
    with pytest.raises(SessionNotFound):
        await service.handle(NOBODY, STOP)
    assert await here.redis.keys("*") == []


# --- at once ----------------------------------------------------------------------------------------------------------


async def test_of_answers_at_once_one_is_applied(here: Stand, there: Stand) -> None:
    child = await here.begin()
    events = [does_right(child.current(), f"at-once-{n}") for n in range(8)]
    services = [here.service, there.service] * 4
    found = await asyncio.gather(
        *(service.handle(child.session_id, event) for service, event in zip(services, events, strict=True)),
        return_exceptions=True,
    )
    applied = [one for one in found if isinstance(one, TurnOutcome)]
    assert len(applied) == 1
    assert not applied[0].replayed
    assert [type(one) for one in found].count(StaleTask) == 7
    assert await here.records.last_turn_number(child.session_id) == 1


async def test_of_the_same_request_at_once_one_is_applied_and_all_are_answered(here: Stand, there: Stand) -> None:
    child = await here.begin()
    event = does_right(child.current(), "the-same")
    found = await asyncio.gather(*(one.service.handle(child.session_id, event) for one in [here, there] * 4))
    assert len({text(outcome) for outcome in found}) == 1
    assert [outcome.replayed for outcome in found].count(False) == 1


async def test_two_workers_share_a_session(here: Stand, there: Stand) -> None:
    child = await here.begin()
    for number in range(10):
        child.service = (here, there)[number % 2].service
        assert (await child.right()).body["turn"] == number + 1
    assert await here.service.view(child.session_id) == await there.service.view(child.session_id)


# --- look back --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 12))])
async def test_a_session_through_two_workers_and_an_emptied_redis_replays_identically(
    seed: int, here: Stand, there: Stand
) -> None:
    child, moods = await here.begin(c_position=1 + seed, w_position=None, seed=seed), Moods(seed)
    number = 0
    while child.task is not None:
        child.service = (here, there)[number % 2].service
        if number % 5 == 4:
            await here.redis.flushall()
        await child.send(moods.event(child.current(), f"r{number}"))
        number += 1
    replay = await there.service.replay(child.session_id)
    assert [one for one in replay["turns"] if not one["identical"]] == []
    assert [one["turn"] for one in replay["turns"]] == list(range(1, number + 1))


async def test_the_trace_holds_every_turn_with_its_event(here: Stand) -> None:
    child = await here.begin()
    await child.answer(right_answer(child.current()))
    await child.send(STOP)
    trace = await here.service.trace(child.session_id)
    assert [(one["turn"], one["request_id"], one["event"]["type"]) for one in trace["turns"]] == [
        (1, "r1", "answer_submitted"),
        (2, "stop", "stop"),
    ]
    stages = trace["turns"][0]["envelopes"][-1]["payload"]
    assert {"diagnose", "adapt", "select", "feedback"} <= set(stages)
    assert all(isinstance(microseconds, int) for microseconds in stages.values())


async def test_a_replay_names_what_differs(here: Stand) -> None:
    child = await here.begin()
    await child.right()
    row = (await here.records.turns(child.session_id))[0]
    changed = update(turns).values(response={**row.response, "phase": "probe"})
    await here.database.run(lambda connection: connection.execute(changed))
    replay = await here.service.replay(child.session_id)
    assert replay["turns"] == [{"turn": 1, "identical": False, "differs": ["phase"]}]
    assert not replay["identical"]


# --- what is kept -----------------------------------------------------------------------------------------------------


async def test_every_key_is_ours_and_ends_by_itself(here: Stand) -> None:
    child = await here.begin()
    await child.right()
    await here.redis.expire(PREFIX + child.session_id, 60)
    await child.right()
    key = PREFIX + child.session_id
    assert await here.redis.keys("*") == [key.encode()], "and the lock was given back"
    assert WEEK_SECONDS - 60 <= await here.redis.ttl(key) <= WEEK_SECONDS
    async with leases.lease(here.redis, child.session_id):
        assert 0 < await here.redis.pttl(leases.PREFIX + child.session_id) <= leases.HELD_SECONDS * 1000


async def test_a_turn_costs_the_saver_four_commands(here: Stand) -> None:
    child = await here.begin()
    await child.right()
    await here.redis.config_resetstat()
    await child.right()
    stats = await here.redis.info("commandstats")
    calls = {name.removeprefix("cmdstat_"): one["calls"] for name, one in stats.items()}
    of_the_lock = {"set": 1, "eval": 1, "get": 1, "del": 1}
    of_the_saver = {"zrangebylex": 1, "zadd": 1, "zremrangebylex": 1, "expire": 1}
    assert {name: n for name, n in calls.items() if not name.startswith(("config", "info", "client"))} == {
        **of_the_lock,
        **of_the_saver,
    }


@pytest.mark.slow
async def test_what_redis_holds_of_a_session_does_not_grow_without_end(here: Stand) -> None:
    child = await here.begin(problem_count=100)
    sizes: list[int] = []
    waited_for = ""
    while child.task is not None and len(sizes) < 200:
        task = child.current()
        if task["kind"] == "problem" and task["prompt"] != waited_for:
            waited_for = task["prompt"]
            await child.send(
                {"type": "timeout", "request_id": f"late-{len(sizes)}", "task_id": task["task_id"]}
            )  # so that a hundred problems take many more turns
        elif task["kind"] == "problem" and len(sizes) % 7 == 0:
            await child.answer(min(wrong_answers_to(task)))
        else:
            await child.right()
        sizes.append(await here.redis.memory_usage(PREFIX + child.session_id, samples=0) or 0)
    if child.task is None:
        sizes.pop()  # the end adds what it concludes of skills that were never asked: one entry each
    assert len(sizes) > 150
    assert max(sizes[100:]) <= 2 * max(sizes[:45])  # the most tasks of a usual session
    assert max(sizes) <= 64 * 1024


# --- envelopes --------------------------------------------------------------------------------------------------------

FIELDS: Final = {
    "diagnostic_request": {
        "problem_id", "problem", "correct_answer", "student_answer", "rt_ms", "behavior_tags", "session_context",
    },
    "diagnostic_result": {
        "cause_tag", "cause_domain", "confidence", "training_ids", "probe_needed", "reasoning",
    },
    "adaptation_request": {"diagnostic_result", "response_pattern", "current_w", "current_c"},
    "adaptation_result": {
        "route", "next_problem", "c_adjustment", "w_adjustment", "downscaling_strategy", "loop_state_update",
    },
    "feedback_request": {"situation", "problem", "student_answer", "cause_tag", "training_context"},
    "feedback_result": {"feedback_text", "hint_text", "visual_mode", "tone_check_passed"},
}  # fmt: skip


async def test_every_kind_of_turn_is_traced_in_full(here: Stand) -> None:
    """The seed's six envelopes with all their fields, in order, whatever was sent."""
    child = await ended_with_offers(here)
    await child.send({"type": "training_done", "request_id": "extra", "training_id": "T12"})
    sessions = [child.session_id]
    child = await here.begin("s2", first_problem="28+15")
    for event in ("probe", "timeout", "training", "answer", "stop"):
        task = child.current()
        match event:
            case "probe":
                await child.answer(313)
                assert child.current()["kind"] == "probe"
            case "timeout":
                await child.send({"type": "timeout", "request_id": event, "task_id": task["task_id"]})
                assert child.current()["kind"] == "training"
            case "training":
                await child.send(trained(task, event))
            case "answer":
                await child.answer(right_answer(task))
            case _:
                await child.send(STOP)
    sessions.append(child.session_id)
    traced = [turn for session_id in sessions for turn in (await here.service.trace(session_id))["turns"]]
    assert {turn["event"]["type"] for turn in traced} == {"answer_submitted", "timeout", "training_done", "stop"}
    for turn in traced:
        envelopes = {one["type"]: one for one in turn["envelopes"]}
        assert list(envelopes) == [*FIELDS, "stages"]
        for kind, fields in FIELDS.items():
            assert fields <= set(envelopes[kind]["payload"]), (turn["event"], kind)
            assert envelopes[kind]["request_id"] == turn["request_id"]


async def test_the_envelopes_say_what_happened(here: Stand) -> None:
    """The seed's UC1, hand-over by hand-over."""
    child = await ended_with_offers(here)
    turn = (await here.service.trace(child.session_id))["turns"][0]
    said = {one["type"]: one["payload"] for one in turn["envelopes"]}
    cause = "MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK"
    assert said["diagnostic_request"] | {"problem_id": None} == {
        "problem_id": None, "problem": "8+6", "correct_answer": 14, "student_answer": 14, "rt_ms": 12_000,
        "behavior_tags": ["OBS_OVERRELIANCE_COUNTING"],
        "session_context": {
            "w_position": 5.0, "c_position": 7, "strand": "+", "current_step": "normal", "loop_state": None,
        },
    }  # fmt: skip
    assert said["diagnostic_result"]["cause_tag"] == cause
    assert said["diagnostic_result"]["training_ids"] == ["T12", "T17"]
    assert said["diagnostic_result"]["norm"]["policy"] == "adaptive"
    assert said["adaptation_request"]["response_pattern"] == "correct_slow"
    assert said["adaptation_request"]["diagnostic_result"]["cause_tag"] == cause
    assert said["adaptation_result"]["route"] == "fluency_drill"
    assert said["adaptation_result"]["next_problem"] is None
    assert said["feedback_request"]["cause_tag"] == cause
    assert said["feedback_result"]["tone_check_passed"] is True
    assert rules().catalogue.causes[cause].trainings == ("T12", "T17")


async def test_the_checkpoint_has_no_knowledge_and_another_worker_reads_it_from_the_row(
    here: Stand, redis_url: str, database_url: str
) -> None:
    child = await here.begin(first_problem="52-38")
    stored = [await here.redis.dump(key) or b"" for key in await here.redis.keys("*")]
    assert stored
    assert not any(b"half_life" in one or b"C1.plus1" in one for one in stored)
    fresh = replace(rules(), session_knowledge=SessionKnowledge(rules().knowledge))
    async with stand(redis_url, database_url, known=fresh) as other:
        child.service = other.service
        await child.right()
        assert (await other.service.replay(child.session_id))["identical"]


async def test_the_next_session_starts_from_what_the_last_one_showed(here: Stand) -> None:
    first = await here.begin(first_problem="52-38")
    await first.right()
    second = await here.begin(first_problem="52-38")
    session = await here.records.session(second.session_id)
    assert session is not None
    chance, tries, last_day, *_ = session.start["knowledge"]["skills"]["C10.borrow"]
    assert (tries, last_day) == (1, session.start["knowledge"]["day"])
    assert chance > 0.5


@pytest.mark.parametrize("engine", [1, 2, 3])
async def test_a_session_of_an_earlier_engine_is_shown_and_not_computed_again(engine: int, here: Stand) -> None:
    """The first one did not say so, nor what was known."""
    child = await here.begin()
    await child.right()
    stored = await here.records.session(child.session_id)
    assert stored is not None
    first = {key: value for key, value in stored.start.items() if key not in ("engine", "knowledge")}
    old = first if engine == 1 else {**stored.start, "engine": engine}
    await here.database.run(lambda connection: connection.execute(update(sessions).values(start=old)))
    later = replace(rules(), session_knowledge=SessionKnowledge(rules().knowledge))
    service = TutoringService(later, here.records, AnswerHistory(here.database), here.redis)
    view = await service.view(child.session_id)
    assert (view["phase"], view["turn"], view["task"]) == ("ended", 1, None)
    assert len((await service.trace(child.session_id))["turns"]) == 1
    replay = await service.replay(child.session_id)
    assert (replay["engine"], replay["identical"], replay["turns"]) == (engine, None, [])
    with pytest.raises(StaleTask):
        await service.handle(child.session_id, does_right(child.current(), "late"))
    assert await service.end_idle(child.session_id, 1)
    assert not await service.end_idle(child.session_id, 1)
