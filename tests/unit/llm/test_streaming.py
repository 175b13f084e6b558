"""A reply as it is spoken: pieces, calls, and every way to end early."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from maththera.llm.model_client import Call, LlmError, LlmFailed, LlmRejected, LlmTimeout, Models
from maththera.llm.streaming import ReplyPiece, StreamedReply, stream_reply
from maththera.llm.time_budget import Budget
from maththera.settings import home
from tests.support.speaking_llm import Says, SpeakingLlm

VARIABLES = {"message": "안녕", "summary": ""}
TOOL = {"type": "function", "function": {"name": "look", "description": "", "parameters": {"type": "object"}}}


@pytest.fixture
async def calls() -> list[Call]:
    return []


async def spoken(
    llm: SpeakingLlm, calls: list[Call], seconds: float = 20, silence: float = 20
) -> AsyncIterator[StreamedReply]:
    models = Models.load(home(), llm.base_url, "key", "m", on_call=calls.append)
    yield stream_reply(models, "coach_data_lookup", VARIABLES, Budget(seconds), silence=silence, tools=[TOOL])
    await models.aclose()


async def heard(speech: StreamedReply) -> list[ReplyPiece]:
    found = []
    while (piece := await speech.next()) is not None:
        found.append(piece)
    return found


async def test_words(calls: list[Call]) -> None:
    with SpeakingLlm([Says(["안녕, ", "나야."])]) as llm:
        async for speech in spoken(llm, calls):
            assert await heard(speech) == [ReplyPiece("안녕, "), ReplyPiece("나야.")]
            assert await speech.next() is None
            assert (speech.text, speech.calls, speech.cancelled) == ("안녕, 나야.", [], False)
    assert (calls[0].prompt, calls[0].model, calls[0].outcome) == ("coach_data_lookup", "m", "ok")
    assert calls[0].usage.estimated
    assert calls[0].usage.output_tokens > 0
    assert "response_format" not in llm.requests[0]
    assert llm.requests[0]["tools"] == [TOOL]


async def test_calls_are_there_when_they_are_whole(calls: list[Call]) -> None:
    with SpeakingLlm([Says(["보자."], calls=[("look", '{"at": 1}'), ("look", "")], beside=["응"])]) as llm:
        async for speech in spoken(llm, calls):
            pieces = await heard(speech)
            assert [piece.calling for piece in pieces] == [False, True, True]
            assert [(call.name, call.arguments) for call in speech.calls] == [("look", {"at": 1}), ("look", {})]


@pytest.mark.parametrize(
    ("says", "refused"), [(Says(status=401), True), (Says(["하나"], ending="cut"), True), (Says(["하나"]), False)]
)
async def test_a_refusal_is_known_until_an_answer(says: Says, refused: bool) -> None:
    with SpeakingLlm([says]) as llm:
        models = Models.load(home(), llm.base_url, "key", "m")
        speech = stream_reply(models, "coach_data_lookup", VARIABLES, Budget(20), silence=20)
        with suppress(LlmFailed):
            await heard(speech)
        await models.aclose()
    assert models.refused == refused


@pytest.mark.parametrize(
    ("says", "error"),
    [
        (Says(status=429), LlmFailed),
        (Says(status=500), LlmFailed),
        (Says(["하나"], ending="cut"), LlmFailed),
        (Says(["하나"], ending="hangs"), LlmTimeout),
        (Says(calls=[("look", '{"at": ')]), LlmRejected),
        (Says(calls=[("look", "[1]")]), LlmRejected),
        (Says(calls=[("", "{}")]), LlmRejected),
    ],
)
async def test_failures(says: Says, error: type[LlmError], calls: list[Call]) -> None:
    silence = 0.5 if says.ending == "hangs" else 20.0
    with SpeakingLlm([says]) as llm:
        async for speech in spoken(llm, calls, silence=silence):
            with pytest.raises(error):
                await heard(speech)
    assert calls[0].outcome == error.__name__.removeprefix("Llm").lower()


async def test_the_budget_ends_what_has_signs_of_life(calls: list[Call]) -> None:
    with SpeakingLlm([Says(["하나"], ending="hangs")]) as llm:
        async for speech in spoken(llm, calls, seconds=0.5):
            with pytest.raises(LlmTimeout):
                await heard(speech)


async def test_who_closes_it_hangs_up(calls: list[Call]) -> None:
    with SpeakingLlm([Says(["하나"], ending="hangs")]) as llm:
        async for speech in spoken(llm, calls):
            assert await speech.next() == ReplyPiece("하나")
            speech.close()
            assert await speech.next() is None
            assert speech.cancelled
            assert await asyncio.to_thread(llm.left.wait, 60)
    assert len(calls) == 1


async def test_one_task_may_go_on_where_another_has_stopped(calls: list[Call]) -> None:
    with SpeakingLlm([Says(["하나", "둘"])]) as llm:
        async for speech in spoken(llm, calls):
            first = await asyncio.create_task(speech.next())
            rest = await asyncio.create_task(heard(speech))
            assert [first, *rest] == [ReplyPiece("하나"), ReplyPiece("둘")]
