"""A model that hangs is waited for once. From then on no turn of any room and learner is longer than without it."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from tests.api.conftest import Api, serving
from tests.support.fake_llm import FakeLlm

EXTRA_SECONDS: Final = 0.5
"""More than a turn without a model takes."""
CHILD: Final = ("1학년 때 친구가 준 우산 얘기야", "어제는 우산을 거기 두고 왔어")
"""Words that the rules are not certain about: a model's opinion is asked for."""
ADULT: Final = ("아이가 자꾸 우산을 두고 와요", "받아올림을 어떤 그림으로 보여 주면 좋을까요?")
Turn = Callable[[str], Awaitable[None]]


async def _lesson(api: Api, student: str) -> Turn:
    body = {"user_id": student, "user_type": "beginner", "course": "arithmetic", "chapter": 7}
    begun = await api.client.post("/api/v1/lessons", json=body)
    assert begun.status_code == 201, begun.text

    async def turn(message: str) -> None:
        sent = await api.client.post(f"/api/v1/lessons/{begun.json()['lesson_id']}/messages", json={"message": message})
        assert '"token"' in sent.text

    return turn


async def _chat(api: Api, student: str, model: str) -> Turn:
    headers = await api.as_("student", student) if model == "maththera-coach" else dict[str, str]()

    async def turn(message: str) -> None:
        body: dict[str, Any] = {"model": model, "messages": [{"role": "user", "content": message}]}
        sent = await api.client.post("/v1/chat/completions", json=body, headers=headers)
        assert sent.status_code == 200, sent.text
        assert sent.json()["choices"][0]["message"]["content"]

    return turn


async def _room(api: Api, room: str, student: str) -> Turn:
    return await (_lesson(api, student) if room == "lesson" else _chat(api, student, f"maththera-{room}"))


async def _seconds(turn: Turn, message: str) -> float:
    started = time.monotonic()
    await turn(message)
    return time.monotonic() - started


@pytest.fixture
async def alone(tmp_path: Path, redis_url: str, redis: Redis) -> AsyncIterator[Api]:
    (tmp_path / "alone").mkdir()
    async with serving(tmp_path / "alone", redis_url) as found:
        yield found


@pytest.mark.parametrize("room", ["lesson", "coach", "assistant"])
async def test_who_comes_second_does_not_wait(room: str, alone: Api, tmp_path: Path, redis_url: str) -> None:
    messages = ADULT if room == "assistant" else CHILD
    usual_turn = await _room(alone, room, "s1")
    usual = max([await _seconds(usual_turn, each) for each in messages])
    (tmp_path / "hanging").mkdir()
    with FakeLlm("hangs") as llm:
        more = {"llm_base_url": llm.base_url, "llm_model": "m"}
        async with serving(tmp_path / "hanging", redis_url, **more) as api:
            await (await _room(api, room, "s1"))(messages[0])
            asked = len(llm.requests)
            assert asked, "it was waited for, once"
            for other in ("lesson", "coach", "assistant"):  # by another learner, too
                turn = await _room(api, other, "s2")
                own = usual if other == room else max(usual, 1.0)
                assert await _seconds(turn, (ADULT if other == "assistant" else CHILD)[1]) <= own + EXTRA_SECONDS
            ready = (await api.client.get("/readyz")).json()
            assert (ready["status"], ready["dependencies"]["model"]["state"]) == ("degraded", "down")
            metrics = (await api.client.get("/metrics")).text
    assert 'outcome="not_asked"' in metrics
    assert len(llm.requests) <= asked + 2, "trials alone"
