"""Two messages at once on a thread, and turns that are ended: never mixed, always whole."""

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis

from maththera.chat.service import NewTurn, ThreadBusy, ThreadNotFound
from maththera.store.access.authorization import Principal
from maththera.store.conversations import Conversations
from tests.support.chatting import CHILD, PATIENCE_SECONDS, Chat, Event, chat, codes, models, text, types
from tests.support.speaking_llm import Says, SpeakingLlm

ASKED = "내 약점을 분석해줘"
SLOW = Says(["생각해 볼게. " * 10], ending="hangs")


async def under_way(own: Chat, llm: SpeakingLlm, thread_id: str = "t1") -> str:
    """A turn that the model does not end."""
    run_id = await own.service.start(CHILD, NewTurn(ASKED, thread_id=thread_id, resumable=True))
    assert await asyncio.to_thread(llm.streaming.wait, PATIENCE_SECONDS)
    return run_id


async def of(own: Chat, run_id: str) -> list[Event]:
    return [event async for _, event in own.service.events(run_id)]


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_second_message_is_told_of_the_first(elsewhere: bool, sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([SLOW]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own, chat(sqlite_url, redis) as other:
            run_id = await under_way(own, llm)
            with pytest.raises(ThreadBusy) as busy:
                await (other if elsewhere else own).service.start(CHILD, NewTurn("안녕", thread_id="t1"))
            assert busy.value.run_id == run_id
            await own.service.cancel(CHILD, run_id)
            assert types(await of(own, run_id))[-1] == "final"


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_message_that_interrupts(elsewhere: bool, sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([SLOW]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own, chat(sqlite_url, redis) as other:
            run_id = await under_way(own, llm)
            later = await other.say("내 성적 보여줘", thread_id="t1", on_conflict="interrupt") if elsewhere else None
            later = later or await own.say("시발", thread_id="t1", on_conflict="interrupt")
            first = await of(own, run_id)
            said = await own.records.messages("t1", 10)
        assert llm.left.wait(PATIENCE_SECONDS)
    assert codes(first) == ["interrupted"]
    assert types(first)[-1] == "final"
    assert codes(later) == []
    assert [one.number for one in said] == [1, 2, 3, 4]
    assert said[0].text == ASKED
    assert said[1].text == text(first)
    assert said[3].text == text(later)


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_many_messages_that_interrupt_at_once(elsewhere: bool, sqlite_url: str, redis: Redis) -> None:
    """Each takes the place of the one before, and all that was asked is in the conversation, once."""
    asked = ["내 성적 보여줘", "시발", "받아올림이 뭐야?", "내 약점 보여줘"]
    with SpeakingLlm([SLOW]) as llm:
        async with (
            chat(sqlite_url, redis, models(llm.base_url)) as own,
            chat(sqlite_url, redis) as other,
        ):
            run_id = await under_way(own, llm)
            services = [other if elsewhere and number % 2 else own for number in range(len(asked))]
            turns = [NewTurn(message, thread_id="t1", on_conflict="interrupt") for message in asked]
            pairs = zip(services, turns, strict=True)
            runs = await asyncio.gather(*(each.service.start(CHILD, turn) for each, turn in pairs))
            for each, run in zip(services, runs, strict=True):
                await each.service.cancel(CHILD, run)  # the last of them, which none interrupts, and no more
            told = [await of(each, run) for each, run in zip(services, runs, strict=True)]
            first = await of(own, run_id)
            said = await own.records.messages("t1", 99)
    assert codes(first) == ["interrupted"]
    assert all(types(events)[-1] == "final" for events in told)
    assert [one.number for one in said] == list(range(1, 2 * len(asked) + 3))
    assert sorted(one.text for one in said[2::2]) == sorted(asked)
    assert [one.run_id for one in said[::2]] == [one.run_id for one in said[1::2]]
    assert {one.run_id: one.text for one in said[1::2]} == dict(
        zip([run_id, *runs], map(text, [first, *told]), strict=True)
    )


async def test_a_turn_that_is_ended_before_it_has_begun_has_last_words(sqlite_url: str, redis: Redis) -> None:
    async with chat(sqlite_url, redis) as own:
        run_id = await own.service.start(CHILD, NewTurn(ASKED, thread_id="t1"))
        await asyncio.gather(*(own.service.cancel(CHILD, run_id) for _ in range(3)))
        events = await of(own, run_id)
        said = await own.records.messages("t1", 9)
    assert codes(events) == ["cancelled"]
    assert [(one.role, one.text) for one in said] == [("user", ASKED), ("assistant", "")]


async def test_a_turn_that_is_ended_just_when_it_was_recorded_is_recorded_once(
    database_url: str, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = Conversations.append

    async def ended_just_after(records: Conversations, *turn: Any) -> None:
        await append(records, *turn)
        await own.service.cancel(CHILD, run_id)
        await asyncio.sleep(PATIENCE_SECONDS)  # ended here

    async with chat(database_url, redis) as own:
        await own.say("안녕", thread_id="t1")
        monkeypatch.setattr(Conversations, "append", ended_just_after)
        run_id = await own.service.start(CHILD, NewTurn(ASKED, thread_id="t1"))
        events = await of(own, run_id)
        said = await own.records.messages("t1", 9)
    assert codes(events) == ["cancelled"]
    assert [(one.number, one.text) for one in said[2:]] == [(3, ASKED), (4, text(events))]


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_cancelled_turn_ends_with_what_there_is(elsewhere: bool, sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([SLOW]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own, chat(sqlite_url, redis) as other:
            run_id = await under_way(own, llm)
            await (other if elsewhere else own).service.cancel(CHILD, run_id)
            events = await of(own, run_id)
            assert await of(other, run_id) == events
        assert llm.left.wait(PATIENCE_SECONDS)
    assert types(events)[-2:] == ["error", "final"]
    assert codes(events) == ["cancelled"]


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("last_id", ["1-1", "999999999999999-1"])
async def test_an_id_of_another_run_misses_nothing(
    elsewhere: bool, last_id: str, sqlite_url: str, redis: Redis
) -> None:
    with SpeakingLlm([SLOW]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own, chat(sqlite_url, redis) as other:
            run_id = await under_way(own, llm)
            reader = (other if elsewhere else own).service.events(run_id, last_id)
            first = await anext(reader)
            await own.service.cancel(CHILD, run_id)
            events = [first[1], *[event async for _, event in reader]]
            assert events == await of(own, run_id)
    assert types(events)[0] == "intent_detected"


async def test_another_learner_ends_nothing(sqlite_url: str, redis: Redis) -> None:
    stranger = Principal("token-s2", "student", frozenset({"s2"}))
    with SpeakingLlm([SLOW]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            run_id = await under_way(own, llm)
            with pytest.raises(ThreadNotFound):
                await own.service.cancel(stranger, run_id)
            with pytest.raises(ThreadNotFound):
                await own.service.start(stranger, NewTurn("안녕", thread_id="t1", on_conflict="interrupt"))
            assert (await own.service.find(CHILD, run_id)).student_id == "s1"
            await own.service.cancel(CHILD, run_id)
            await of(own, run_id)


async def test_a_service_that_stops_ends_its_turns(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([SLOW]) as llm:
        async with chat(sqlite_url, redis) as other:
            async with chat(sqlite_url, redis, models(llm.base_url)) as own:
                run_id = await under_way(own, llm)
            events = await of(other, run_id)
            assert codes(events) == ["stopping"]
            assert types(events)[-1] == "final"
            assert types(await other.say("내 성적 보여줘", thread_id="t1"))[-1] == "final"


async def test_a_conversation_survives_the_loss_of_its_working_state(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(["그래, 뺄셈부터 하자."])]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            await own.say("뺄셈 점수를 올리고 싶어", thread_id="t1")
            await redis.flushall()
            await own.say("내 약점을 분석해줘", thread_id="t1")
        asked = llm.streamed[-1]["messages"]
    assert [(one["role"], one["content"]) for one in asked[1:3]] == [
        ("user", "뺄셈 점수를 올리고 싶어"),
        ("assistant", "그래, 뺄셈부터 하자."),
    ]
