"""One token that sends without a pause: what the others wait for meanwhile, against the same without it."""

import asyncio
import multiprocessing
import os
import signal
import time
from contextlib import suppress
from typing import Any, Final

import httpx

from benchmarks.report import Section, Target, at_most, percentile, table
from benchmarks.servers import Running, service, stores
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.database import Database

CHILDREN: Final = 5
CONNECTIONS: Final = 32
SECONDS: Final = 15.0
PAUSE_SECONDS: Final = 0.6
LIMIT: Final = 2.0
_KINDS: Final = ("turn", "chat", "lesson")
_QUESTION: Final = {"message": "받아올림이 뭐야?"}


def measure() -> Section:
    with stores("embedded") as environment:
        tokens = asyncio.run(_tokens(environment))
        with service(environment) as server:
            asyncio.run(_children(server, tokens, 3.0))
            alone = asyncio.run(_children(server, tokens, SECONDS))
            flooded = {role: _flooded(server, tokens, role) for role in ("teacher", "student")}
    return _report(alone, flooded)


async def _tokens(environment: Any) -> dict[str, str]:
    database = Database(environment["MATHTHERA_DATABASE_URL"])
    try:
        tokens = AccessTokens(database)
        found = {f"c{number}": await tokens.create("student", [f"c{number}"]) for number in range(CHILDREN)}
        return found | {
            "teacher": await tokens.create("teacher", ["flooding-teacher"]),
            "student": await tokens.create("student", ["flooding-student"]),
        }
    finally:
        await database.close()


def _flooded(server: Running, tokens: dict[str, str], role: str) -> dict[str, list[float]]:
    flood = multiprocessing.get_context("spawn").Process(
        target=_flood, args=(server.port, tokens[role], f"flooding-{role}")
    )
    flood.start()
    try:
        time.sleep(2)
        return asyncio.run(_children(server, tokens, SECONDS))
    finally:
        flood.kill()
        flood.join()


def _flood(port: int, token: str, student: str) -> None:
    """Chats and begins sessions over many connections until it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    async def send(client: httpx.AsyncClient, number: int) -> None:
        path, body = ("/api/v1/chat", _QUESTION | {"student_id": student})
        if number % 2:
            path, body = ("/api/v1/sessions", {"student_id": student})
        while True:
            with suppress(httpx.TransportError):
                await client.post(path, json=body)

    async def run() -> None:
        async with _client(port, token, CONNECTIONS) as client:
            await asyncio.gather(*(send(client, number) for number in range(CONNECTIONS)))

    asyncio.run(run())


async def _children(server: Running, tokens: dict[str, str], seconds: float) -> dict[str, list[float]]:
    """-> kind of request → seconds of each"""
    times: dict[str, list[float]] = {kind: [] for kind in _KINDS}
    await asyncio.gather(*(_child(server, tokens[f"c{one}"], f"c{one}", seconds, times) for one in range(CHILDREN)))
    return times


async def _child(server: Running, token: str, student: str, seconds: float, times: dict[str, list[float]]) -> None:
    until = time.perf_counter() + seconds
    async with _client(server.port, token, 1) as client:
        lesson = await client.post("/api/v1/lessons", json={"user_id": student, "user_type": "beginner"})
        lesson_id, number = lesson.json()["lesson_id"], 0
        view = await _session(client, student)
        while time.perf_counter() < until:
            if view["task"] is None:
                view = await _session(client, student)
            number += 1
            event = {"type": "timeout", "request_id": f"r{number}", "task_id": view["task"]["task_id"]}
            answer = await _timed(client, times["turn"], f"/api/v1/sessions/{view['session_id']}/events", event)
            view |= {"task": answer.json()["task"]}
            await asyncio.sleep(PAUSE_SECONDS)
            await _timed(client, times["chat"], "/api/v1/chat", _QUESTION)
            await asyncio.sleep(PAUSE_SECONDS)
            await _timed(client, times["lesson"], f"/api/v1/lessons/{lesson_id}/messages", {"message": "다음"})
            await asyncio.sleep(PAUSE_SECONDS)


async def _session(client: httpx.AsyncClient, student: str) -> dict[str, Any]:
    view: dict[str, Any] = (await client.post("/api/v1/sessions", json={"student_id": student})).json()
    return view


async def _timed(client: httpx.AsyncClient, times: list[float], path: str, body: Any) -> httpx.Response:
    began = time.perf_counter()
    answer = await client.post(path, json=body)
    times.append(time.perf_counter() - began)
    if answer.status_code != httpx.codes.OK:
        raise RuntimeError(f"{path}: {answer.status_code} {answer.text[:200]}")
    return answer


def _client(port: int, token: str, connections: int) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=connections)
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, limits=limits, timeout=60)


def _report(alone: dict[str, list[float]], flooded: dict[str, dict[str, list[float]]]) -> Section:
    targets: list[Target] = []
    rows = []
    for kind in _KINDS:
        before = percentile(alone[kind], 95)
        for role, times in flooded.items():
            after = percentile(times[kind], 95)
            targets.append(at_most(f"A {role}'s token floods: p95 of others' {kind}", after / before, LIMIT, " ×", 2))
        rows.append((kind, before * 1e3, *(percentile(times[kind], 95) * 1e3 for times in flooded.values())))
    titles = ("p95, ms", "alone", *(f"a {role}'s token floods" for role in flooded))
    return Section("One token that floods", _TEXT, targets, [table(titles, rows)])


_TEXT: Final = f"""\
{CHILDREN} children take turns, chat and go on with a lesson, each with a token of its own and a pause of
{PAUSE_SECONDS:g} s, while another token begins sessions and chats over {CONNECTIONS} connections without a pause, from
a process of its own. One worker, embedded; {os.cpu_count()} cores."""
