"""The service as people run it, over HTTP, killed in mid-run: the next one goes on, and nothing is done twice."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from redis.asyncio import Redis

from maththera.settings import Settings
from tests.support.flow_home import ROOT, entries, make_home
from tests.support.forked import Forked
from tests.support.network import free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(280)]

TOKEN: Final = {"Authorization": "Bearer end-to-end"}


@contextmanager
def service(settings: Settings, port: int) -> Iterator[Forked]:
    environment = os.environ | settings.for_servers() | {"MATHTHERA_ADMIN_TOKEN": "end-to-end"}
    command = ["tests.support.patient_maththera", "serve", "--port", str(port)]
    process = Forked(command, environment, settings.data_dir / "service.log")
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@asynccontextmanager
async def client(port: int) -> AsyncIterator[httpx.AsyncClient]:
    """Of a service that is ready."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=TOKEN, timeout=60) as found:
        async with asyncio.timeout(120):
            while True:
                with suppress(httpx.TransportError):
                    if (await found.get("/readyz")).is_success:
                        break
                await asyncio.sleep(0.05)
        yield found


@pytest.fixture
def settings(tmp_path: Path, redis: Redis, redis_url: str) -> Settings:
    return Settings(data_dir=tmp_path, redis_url=redis_url, home=make_home(tmp_path / "home"))


@pytest.fixture
def port() -> int:
    return free_port()


async def events(http: httpx.AsyncClient, path: str, last_id: str = "", until: str = "final") -> list[tuple[str, Any]]:
    """(id, event) of each frame of a live stream, to the first of this type."""
    found = []
    number = ""
    async with http.stream("GET", f"{path}/events", headers={"Last-Event-ID": last_id}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        async for line in answer.aiter_lines():
            name, _, value = line.partition(": ")
            if name == "id":
                number = value
            if name == "data":
                found.append((number, json.loads(value)))
                if found[-1][1]["type"] == until:
                    return found
    return found


async def begun(http: httpx.AsyncClient, flow: str, **inputs: Any) -> str:
    """-> the path of the run"""
    body = {"context": {"flow": flow, "inputs": inputs}}
    answer = await http.post("/api/v1/execute", json=body)
    assert answer.status_code == 202, answer.text
    return str(answer.headers["location"])


async def noted(home: Path, entry: str) -> None:
    async with asyncio.timeout(100):
        while not entries(home, entry):
            await asyncio.sleep(0.02)


async def test_a_run_outlives_the_service_that_began_it(settings: Settings, port: int) -> None:
    home = settings.home
    with service(settings, port) as first:
        async with client(port) as http:
            path = await begun(http, "느림", word="a", seconds=3)
            seen = await events(http, path, until="step_finished")
            await noted(home, "read a")
        first.send_signal(signal.SIGKILL)
        first.wait()
    with service(settings, port):
        async with client(port) as http:
            assert (await http.get(path)).json()["status"] in ("running", "completed")
            later = await events(http, path, last_id=seen[-1][0])
            view = (await http.get(path)).json()
            everything = await events(http, path)
    assert (view["status"], view["error"], view["result"]) == ("completed", None, {"first": 1, "last": 1})
    assert later[-1][1]["type"] == "final"
    assert everything == seen + later
    assert (entries(home, "write first a"), entries(home, "write last a"), entries(home, "read a")) == (1, 1, 2)


async def test_a_question_outlives_the_service_that_asked_it(settings: Settings, port: int) -> None:
    with service(settings, port) as first:
        async with client(port) as http:
            path = await begun(http, "승인", word="b")
            (*_, (number, waiting)) = await events(http, path, until="waiting")
            assert waiting["type"] == "waiting"
        first.send_signal(signal.SIGKILL)
        first.wait()
    with service(settings, port):
        async with client(port) as http:
            assert (await http.get(path)).json()["waiting"][0]["question"] == "'b' 적을까요?"
            assert (await http.post(f"{path}/resume", json={"answer": {"approved": True}})).status_code == 202
            later = await events(http, path, last_id=number)
            assert [later[0][1]["type"], later[-1][1]["status"]] == ["answered", "completed"]
            slow = await begun(http, "느림", word="c", seconds=60)
            await noted(settings.home, "read c")
            assert (await http.post(f"{slow}/cancel")).json()["status"] == "cancelled"
            assert (await events(http, slow))[-1][1]["status"] == "cancelled"
    assert (entries(settings.home, "write b"), entries(settings.home, "write last c")) == (1, 0)


async def test_a_stop_lets_a_step_end_that_must_not_be_broken_off(settings: Settings, port: int) -> None:
    flow = settings.home / "flows" / "쓰기.yaml"
    flow.write_text(flow.read_text().replace("{word: $inputs.word}", "{word: $inputs.word, seconds: 2}"))
    with service(settings, port) as first:
        async with client(port) as http:
            path = await begun(http, "쓰기", word="d")
            await noted(settings.home, "write d")
        first.terminate()
        await asyncio.to_thread(first.wait, 60)
    with service(settings, port):
        async with client(port) as http:
            assert (await events(http, path))[-1][1]["status"] == "completed"
            view = (await http.get(path)).json()
    assert (view["error"], view["result"], entries(settings.home, "write d")) == (None, {"count": 1}, 1)


async def test_an_adult_repairs_a_run_on_the_command_line(settings: Settings, port: int) -> None:
    with service(settings, port):
        async with client(port) as http:
            path = await begun(http, "실패", word="e")
            assert (await events(http, path))[-1][1]["status"] == "failed"
            said = await maththera(settings, "flow", "skip", path.rpartition("/")[2], "broken")
            assert "이어서" in said, said
            async with asyncio.timeout(60):
                while (await http.get(path)).json()["status"] != "completed":
                    await asyncio.sleep(0.1)
    assert entries(settings.home, "write e") == 1


async def maththera(settings: Settings, *arguments: str) -> str:
    """What a command says."""
    command = (sys.executable, "-m", "maththera", *arguments)
    environment = os.environ | settings.for_servers()
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdout=pipe, stderr=asyncio.subprocess.STDOUT
    )
    return (await program.communicate())[0].decode()
