"""How many requests a client has: by its token, and by its address where it has none that is right."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis

from maththera.api.http_layer.rate_limits import ConcurrencyShares, RequestRates, TooManyRequests
from maththera.app.content import Content
from maththera.runtime.service_limits import Limits, ShareLimits
from maththera.settings import Settings, home
from tests.api.conftest import Api, serving
from tests.api.test_danger import words_of
from tests.support.home import home_with_limits
from tests.support.servers import RedisServer

FEW = 20
WRONG = {"Authorization": "Bearer nobody"}
NOBODY = {"Authorization": ""}


@pytest.fixture
async def api(
    tmp_path: Path, redis_url: str, redis: Redis, loaded: Content, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Api]:
    """A student has twenty requests a minute, an address three wrong tokens and twenty calls without one."""
    requests = {"student": FEW, "wrong_tokens": 3, "refusal_seconds": 0.1, "without_token": FEW}

    def with_limits(settings: Settings, *_: object) -> Content:
        return replace(loaded, limits=Limits.load(settings.home))

    monkeypatch.setattr("maththera.api.application.Content.load", with_limits)
    async with serving(tmp_path, redis_url, home=home_with_limits(tmp_path / "home", requests=requests)) as found:
        yield found


async def flood(api: Api, headers: dict[str, str], path: str = "/api/v1/sessions/none") -> httpx.Response:
    """The first refusal."""
    for _ in range(FEW):
        await api.client.get(path, headers=headers)
    refused = await api.client.get(path, headers=headers)
    assert refused.status_code == 429, refused.text
    return refused


async def test_a_token_has_so_many_requests_a_minute(api: Api) -> None:
    child, other = await api.as_("student", "s1"), await api.as_("student", "s2")
    refused = await flood(api, child)
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["code"] == "too_many_requests"
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert (await api.client.get("/api/v1/students/s2/summary", headers=other)).status_code == 200
    assert 'maththera_refused_requests_total{kind="student"} 1.0' in (await api.client.get("/metrics")).text


async def test_an_openai_client_reads_of_its_limit_in_its_own_words(api: Api) -> None:
    child = await api.as_("student", "s1")
    await flood(api, child)
    refused = await api.client.get("/v1/models", headers=child)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limit_exceeded")
    assert refused.headers["retry-after"]


async def test_sixty_tablets_behind_one_address_pass(api: Api) -> None:
    for wrong in range(5):
        await api.client.get("/api/v1/students", headers={"Authorization": f"Bearer {wrong}"})
    tablets = [await api.as_("student", f"t{number}") for number in range(60)]
    body = {"seed": 7, "problem_count": 2}
    begun = [
        await api.client.post("/api/v1/sessions", json={"student_id": f"t{number}", **body}, headers=tablet)
        for number, tablet in enumerate(tablets)
    ]
    assert {one.status_code for one in begun} == {201}


async def test_wrong_tokens_are_counted_and_refused(api: Api) -> None:
    answers = [await api.client.get("/api/v1/students", headers=WRONG) for _ in range(5)]
    assert [one.status_code for one in answers] == [401, 401, 401, 429, 429]
    assert answers[-1].headers["retry-after"]


async def test_calls_without_a_token_are_counted_but_for_those_of_a_monitor(api: Api) -> None:
    async with httpx.AsyncClient(transport=api.client._transport, base_url="http://test") as nobody:
        answers = [await nobody.get("/openapi.json") for _ in range(FEW + 1)]
        assert [one.status_code for one in answers] == [200] * FEW + [429]
        assert {(await nobody.get("/healthz")).status_code for _ in range(2 * FEW)} == {200}


def said(name: str) -> tuple[str, dict[str, Any]]:
    danger = "나 죽고 싶어"
    bodies: dict[str, tuple[str, dict[str, Any]]] = {
        "chat": ("/api/v1/chat", {"message": danger}),
        "coach": ("/api/core/ai-coach/chat/", {"message": danger}),
        "completions": (
            "/v1/chat/completions",
            {"model": "maththera-coach", "messages": [{"role": "user", "content": danger}]},
        ),
        "ag-ui": (
            "/api/v1/ag-ui",
            {
                "threadId": "t",
                "runId": "r",
                "state": {},
                "tools": [],
                "context": [],
                "forwardedProps": {},
                "messages": [{"id": "1", "role": "user", "content": danger}],
            },
        ),
        "session": (
            "/api/v1/sessions/{session}/events",
            {"type": "answer_submitted", "request_id": "r", "task_id": "t", "rt_ms": 9, "answer": danger},
        ),
        "lesson": ("/api/v1/lessons/{lesson}/messages", {"message": danger}),
    }
    return bodies[name]


@pytest.mark.parametrize("room", ["chat", "coach", "completions", "ag-ui", "session", "lesson"])
async def test_danger_is_answered_past_the_limit(api: Api, room: str) -> None:
    child = await api.as_("student", "s1")
    session = (await api.begin("s1"))["session_id"]
    begun = await api.client.post("/api/v1/lessons", json={"user_id": "s1", "user_type": "beginner"}, headers=child)
    path, body = said(room)
    path = path.format(session=session, lesson=begun.json().get("lesson_id"))
    await flood(api, child)
    answer = await api.client.post(path, json=body, headers=child)
    assert "1388" in words_of(answer)
    harmless = await api.client.post(path, json=_without_danger(body), headers=child)
    assert harmless.status_code == 429


def _without_danger(body: Any) -> Any:
    if isinstance(body, dict):
        return {name: _without_danger(value) for name, value in body.items()}
    if isinstance(body, list):
        return [_without_danger(each) for each in body]
    return "13" if body == "나 죽고 싶어" else body


async def test_nobody_raises_an_alert_for_somebody_elses_child_past_the_limit(api: Api) -> None:
    child = await api.as_("student", "s1")
    await flood(api, child)
    answer = await api.client.post("/api/v1/chat", json={"message": "나 죽고 싶어", "student_id": "s2"}, headers=child)
    assert answer.status_code == 404
    assert (await api.client.get("/api/v1/reviews", params={"kind": "safety"})).json()["reviews"] == []


async def test_what_another_worker_counted_counts(redis: Redis) -> None:
    limits = Limits.load(home()).requests.model_copy(update={"student": FEW})
    workers = [RequestRates(limits, redis, lambda _: None) for _ in range(2)]
    for number in range(FEW):
        await workers[number % 2].check("student", "t1")
    for worker in workers:
        with pytest.raises(TooManyRequests):
            await worker.check("student", "t1")


async def test_without_redis_each_worker_counts_for_itself(redis: Redis, redis_server: RedisServer) -> None:
    redis_server.kill()
    limits = Limits.load(home()).requests.model_copy(update={"student": FEW})
    worker = RequestRates(limits, redis, lambda _: None)
    for _ in range(FEW):
        await worker.check("student", "t1")
    with pytest.raises(TooManyRequests):
        await worker.check("student", "t1")


async def test_a_token_waits_for_its_own_requests_once_others_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = ConcurrencyShares(ShareLimits(alone=3, shared=1, remembered_seconds=60, seconds=60))
    first = [await shares.place("flood") for _ in range(3)]
    waiting = [asyncio.create_task(shares.place("flood")) for _ in range(2)]
    other = await shares.place("child")
    other.free()
    for place in first[:2]:
        place.free()
        place.free()  # once is enough
    await asyncio.sleep(0)
    assert not any(each.done() for each in waiting)
    first[2].free()
    await asyncio.sleep(0)
    assert [each.done() for each in waiting] == [True, False]
    waiting[1].cancel()
    (await waiting[0]).free()
    (await shares.place("flood")).free()


async def test_a_request_that_lasts_gives_its_place_to_the_next() -> None:
    shares = ConcurrencyShares(ShareLimits(alone=1, shared=1, remembered_seconds=60, seconds=0.01))
    lasting = await shares.place("flood")
    async with asyncio.timeout(60):
        (await shares.place("flood")).free()
    lasting.free()
    next_one = await shares.place("flood")
    next_one.free()
