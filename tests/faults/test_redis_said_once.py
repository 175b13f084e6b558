"""Redis is away: the log says so once a minute, however many requests miss it."""

import asyncio
import logging
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import RedisError

from maththera.runtime.redis_client import open_redis
from tests.api.conftest import serving
from tests.support.flow_home import entries, make_home
from tests.support.servers import RedisServer

pytestmark = pytest.mark.slow

ROUNDS = 7
RUNS = 5


async def test_fifty_requests_without_redis_are_one_warning(
    tmp_path: Path,
    redis_server: RedisServer,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with serving(tmp_path, redis_server.url, home=make_home(tmp_path / "home")) as api:

        async def ask(method: str, path: str, body: Any = None) -> Any:
            answer = await api.client.request(method, path, json=body)
            assert answer.status_code < 500 or answer.json()["code"] == "store_unavailable", answer.text
            return answer

        thread = (await ask("POST", "/api/v1/chat", {"message": "안녕"})).text
        assert "final" in thread
        redis_server.stop()
        caplog.clear()
        asked = 0
        for number in range(ROUNDS):
            session = (await ask("POST", "/api/v1/sessions", {"student_id": f"s{number}", "seed": 7})).json()
            event = {"type": "timeout", "request_id": "r1", "task_id": session["task"]["task_id"]}
            await ask("POST", f"/api/v1/sessions/{session['session_id']}/events", event)
            lesson = (await ask("POST", "/api/v1/lessons", {"user_id": f"l{number}", "user_type": "beginner"})).json()
            await ask("POST", f"/api/v1/lessons/{lesson['lesson_id']}/messages", {"message": "시작"})
            await ask("POST", "/api/v1/chat", {"message": "받아올림이 뭐야?"})
            await ask("POST", "/api/v1/flows/쓰기/run", {"inputs": {"word": "a"}})
            await ask("GET", "/metrics")
            await ask("GET", "/readyz")
            asked += 8
        said_lines = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert asked > 50
    assert [line for line in said_lines if "Redis is away" not in line] == []
    assert len(said_lines) == 1


async def test_runs_under_way_and_erasures_without_redis_are_one_warning(
    tmp_path: Path, redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "maththera.app.execution_resources")
    home = make_home(tmp_path / "home")
    async with serving(tmp_path, redis_server.url, home=home) as api, asyncio.timeout(120):
        client = api.client
        for number in range(RUNS):
            await client.post("/api/v1/sessions", json={"student_id": f"s{number}", "seed": 7})
            body = {"inputs": {"word": f"{number}", "seconds": 3}}
            assert (await client.post("/api/v1/flows/느림/run", json=body)).status_code == 202
        while not all(entries(home, f"read {number}") for number in range(RUNS)):
            await asyncio.sleep(0.05)
        redis_server.stop()
        for number in range(RUNS):
            erased = await client.delete(f"/api/v1/students/s{number}")
            assert erased.json()["pending"], erased.text
        while sum("broke off" in record.getMessage() for record in caplog.records) < RUNS:
            await asyncio.sleep(0.05)
        said_lines = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert [line for line in said_lines if "Redis is away" not in line] == []
    assert len(said_lines) == 1


async def test_a_redis_that_comes_and_goes_is_one_warning_too(
    redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "maththera.runtime.redis_client")
    async with aclosing(open_redis(redis_server.url)) as redis:
        for _ in range(3):
            await redis.ping()
            redis_server.stop()
            for _ in range(3):
                with pytest.raises(RedisError):
                    await redis.ping()
            redis_server.start()
        await redis.ping()
    said = [record.getMessage() for record in caplog.records]
    assert [line.partition(";")[0] for line in said] == ["Redis is away", "Redis is there again"]
