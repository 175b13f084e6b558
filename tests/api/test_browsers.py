"""What browsers are told: who may frame, call and follow, and what an address takes."""

from pathlib import Path

import httpx
import pytest
from redis.asyncio import Redis

from tests.api.conftest import Api, serving

ORIGIN = "https://school.example"


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/healthz", "/none", "/api/v1/students", "/swagger/x"])
async def test_every_answer_has_its_security_headers(api: Api, path: str) -> None:
    answer = await api.client.get(path)
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "strict-transport-security" not in answer.headers
    async with httpx.AsyncClient(transport=api.client._transport, base_url="https://test") as secure:
        assert "max-age" in (await secure.get(path)).headers["strict-transport-security"]


async def test_the_documentation_runs_under_its_policy(api: Api) -> None:
    policy = (await api.client.get("/docs")).headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "default-src 'none'" in (await api.client.get("/openapi.json")).headers["content-security-policy"]


async def test_head_is_get_without_a_body(api: Api) -> None:
    view = await api.begin("s1")
    said = await api.client.post("/api/v1/chat", json={"message": "안녕", "student_id": "s1", "thread_id": "t"})
    paths = ["/healthz", "/docs", "/openapi.json", "/api/v1/students", f"/api/v1/sessions/{view['session_id']}",
             "/api/v1/students/s1/export", "/none", "/api/v1/tools/none",
             f"/api/v1/chat/runs/{said.headers['x-run-id']}/events"]  # fmt: skip
    for path in paths:
        head, get = await api.client.head(path), await api.client.get(path)
        assert (head.status_code, head.content) == (get.status_code, b""), path
        assert head.headers.get("content-type") == get.headers.get("content-type"), path


async def test_options_tells_what_an_address_takes(api: Api) -> None:
    for path, methods in (("/api/v1/execute", "OPTIONS, POST"), ("/api/v1/students", "GET, HEAD, OPTIONS")):
        answer = await api.client.options(path)
        assert (answer.status_code, answer.headers["allow"]) == (204, methods)
    assert (await api.client.options("/none")).status_code == 404


async def test_no_page_elsewhere_may_call_unless_it_is_set(
    api: Api, tmp_path: Path, redis_url: str, redis: Redis
) -> None:
    preflight = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST",
                 "Access-Control-Request-Headers": "authorization, content-type"}  # fmt: skip
    assert "access-control-allow-origin" not in (await api.client.options("/api/v1/chat", headers=preflight)).headers
    folder = tmp_path / "open"
    folder.mkdir()
    async with serving(folder, redis_url, cors_origins=f"{ORIGIN}, https://other.example") as opened:
        asked = await opened.client.options("/api/v1/chat", headers=preflight)
        assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (200, ORIGIN)
        called = await opened.client.get("/api/v1/students", headers={"Origin": ORIGIN})
        assert called.headers["access-control-allow-origin"] == ORIGIN
        assert "X-Run-Id" in called.headers["access-control-expose-headers"]
        stranger = await opened.client.get("/api/v1/students", headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in stranger.headers
