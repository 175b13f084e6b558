"""Turns of the chat: without a model, with one that answers at once, and two thousand at the same time."""

import asyncio
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import orjson
import uvloop

from benchmarks.report import Cell, Section, Target, at_most, percentile, table
from benchmarks.servers import TOKEN, Client, Running, free_port, running, service, stores
from benchmarks.speaker import WORDS
from benchmarks.streams import Reader, Stream
from maththera.chat.coach.asks import AskReader
from maththera.settings import home
from tests.support.coach_world import Thread, play
from tests.support.utterances import utterances

T = TypeVar("T")

PATH: Final = "/api/v1/chat"
LEARNER: Final = "child-100000"  # the first that the client plays
TURNS: Final = 200
AT_ONCE: Final = 16
SECONDS: Final = 4.0
OPEN: Final = 2_000
OPENING: Final = 24  # at the same time: they are opened as fast as the service lets them
LOOKS: Final = 200
DOUBTFUL: Final = 20
QUESTIONS: Final = (
    "내 성적 보여줘",
    "내 약점을 분석해줘",
    "약점을 극복하려면?",
    "8+6 이 문제 못 풀었어",
    "받아올림이 뭐야?",
)
LIMIT_FIRST_MS, LIMIT_WHOLE_MS, LIMIT_TOKEN_MS, LIMIT_HEALTH_MS = 30.0, 150.0, 50.0, 50.0


def measure() -> Section:
    with stores("embedded") as environment:
        with service(environment) as chat, Client() as client:
            client.load(chat, 1, 1.0)
            alone = _run(_in_turn(chat, TURNS))
            rate, frames = _run(_rate(chat, PATH)), alone[0].events
        bare = _bare_rate(environment, frames)
        with _speaker() as (url, control), _patient_home() as patient:
            asked = {
                **environment,
                "MATHTHERA_LLM_BASE_URL": url,
                "MATHTHERA_LLM_MODEL": "m",
                "MATHTHERA_HOME": patient,
            }
            with service(asked) as chat:
                spoken = _run(_in_turn(chat, TURNS // 2))
                many = _run(_open(chat, control))
    first, whole, token = ([getattr(one, name) * 1e3 for one in alone] for name in ("first", "whole", "token"))
    with_model = [one.token * 1e3 for one in spoken]
    targets = [
        at_most("No model: first event, p95", percentile(first, 95), LIMIT_FIRST_MS, " ms"),
        at_most("No model: whole turn, p95", percentile(whole, 95), LIMIT_WHOLE_MS, " ms"),
        at_most("A model that answers at once: first token, p50", percentile(with_model, 50), LIMIT_TOKEN_MS, " ms"),
        at_most(f"{OPEN:,} open streams: /healthz, p99", many["health_ms"], LIMIT_HEALTH_MS, " ms"),
        Target(
            f"{OPEN:,} open streams: those without a lost event",
            f"{many['complete']:,}",
            f"{OPEN:,}",
            many["complete"] == OPEN,
        ),
    ]
    rows: list[list[Cell]] = [
        ["no model: first event", percentile(first, 50), percentile(first, 95)],
        ["no model: first token", percentile(token, 50), percentile(token, 95)],
        ["no model: whole turn", percentile(whole, 50), percentile(whole, 95)],
        ["a model at once: first token", percentile(with_model, 50), percentile(with_model, 95)],
        ["a model at once: whole turn", *(percentile([one.whole * 1e3 for one in spoken], p) for p in (50, 95))],
    ]
    figures: list[list[Cell]] = [
        ["whole turns a second, 16 at once", rate],
        ["the same frames from a bare endpoint, streams a second", bare],
        [f"opening {OPEN:,} streams, seconds", many["opening"]],
        ["memory before them, MB", many["before_mb"]],
        ["memory with all of them open, MB", many["open_mb"]],
        ["from the word to the end of the last stream, seconds", many["ending"]],
        ["of them answered by the rules, as the model was not heard to the end", many["by_rules"]],
        ["errors told in them", many["errors"]],
    ]
    doubtful = table(("asked of the coach", "answered; the most doubtful, for people to read"), _run(_doubtful()))
    tables = [table(("one client, ms", "p50", "p95"), rows), table(("", ""), figures), doubtful]
    return Section("Chat", _TEXT, targets, tables)


async def _doubtful() -> list[list[Cell]]:
    """The questions of the half `test` whose two likeliest asks are nearest to each other, with the coach's answers."""
    reader = AskReader.load(home())

    def lead(said: str) -> float:
        first, second, *_ = reader.ranked(said, follows=False)
        return first[1] - second[1]

    asked = [
        said for intent, texts in utterances("intents", "test").items() if intent != "out_of_scope" for said in texts
    ]
    threads = [
        Thread(id=said, who="student", child="하늘", open_task=None, lines=[{"say": said}])
        for said in sorted(asked, key=lead)[:DOUBTFUL]
    ]
    return [[heard.line["say"], heard.answer.replace("\n", " / ")] async for heard in play(threads)]


def _run(work: Coroutine[Any, Any, T]) -> T:
    return uvloop.run(work)


async def _in_turn(chat: Running, turns: int) -> list[Stream]:
    """One client, one turn after the other."""
    reader = Reader(chat.port, TOKEN)
    for question in QUESTIONS:
        await reader.say(PATH, _asked(question))
    return [await reader.say(PATH, _asked(QUESTIONS[place % len(QUESTIONS)])) for place in range(turns)]


async def _rate(chat: Running, path: str) -> float:
    """Whole streams a second."""
    reader, until, done = Reader(chat.port, TOKEN), time.perf_counter() + SECONDS, 0

    async def ask() -> None:
        nonlocal done
        while time.perf_counter() < until:
            await reader.say(path, _asked(QUESTIONS[0]))
            done += 1

    started = time.perf_counter()
    await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
    return done / (time.perf_counter() - started)


async def _open(chat: Running, control: int) -> dict[str, Any]:
    """All streams open at once, half told; then the models end, and every event must have come."""
    reader, models = Reader(chat.port, TOKEN), Reader(control, "")
    await models.say_plainly("/hold")
    before, started = chat.resident_bytes(), time.perf_counter()
    gate = asyncio.Semaphore(OPENING)
    tasks = [asyncio.create_task(_held(reader, gate)) for _ in range(OPEN)]
    held = await asyncio.gather(*tasks)
    opening, opened = time.perf_counter() - started, chat.resident_bytes()
    health = [await reader.get("/healthz") for _ in range(LOOKS)]
    released = time.perf_counter()
    await models.say_plainly("/release")
    streams = await asyncio.gather(*held)
    ending = time.perf_counter() - released
    codes = Counter(event["code"] for one in streams for event in one.events if event["type"] == "error")
    return {
        "opening": opening,
        "before_mb": before / 1e6,
        "open_mb": opened / 1e6,
        "health_ms": percentile(health, 99) * 1e3,
        "ending": ending,
        "complete": sum(one.complete for one in streams),
        "by_rules": sum(_tokens(one) != WORDS for one in streams),
        "errors": ", ".join(f"{code} {times}" for code, times in codes.most_common()) or "none",
    }


async def _held(reader: Reader, gate: asyncio.Semaphore) -> "asyncio.Task[Stream]":
    """A stream that has its first token, or has ended without one."""
    async with gate:
        begun = asyncio.Event()
        stream = asyncio.create_task(reader.say(PATH, _asked("받아올림이 뭐야?"), begun))
        waiting = asyncio.create_task(begun.wait())
        await asyncio.wait([stream, waiting], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        return stream


def _tokens(stream: Stream) -> int:
    return sum(event["type"] == "token" for event in stream.events)


def _asked(question: str) -> dict[str, str]:
    return {"message": question, "student_id": LEARNER}


def _bare_rate(environment: Mapping[str, str], frames: list[dict[str, Any]]) -> float:
    port = free_port()
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(b"\n".join(map(orjson.dumps, frames)))
        file.flush()
        command = [sys.executable, "-m", "uvicorn", "benchmarks.bare_sse:app", "--factory", "--port", str(port)]
        command += [
            "--loop",
            "uvloop",
            "--http",
            "httptools",
            "--ws",
            "none",
            "--no-access-log",
            "--log-level",
            "warning",
        ]
        with running(command, {**environment, "BARE_FRAMES": file.name}, port, "/openapi.json") as bare:
            return _run(_rate(bare, "/bare"))


@contextmanager
def _speaker() -> Iterator[tuple[str, int]]:
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.speaker", str(port)]
    with running(command, {}, port, "/release"):
        yield f"http://127.0.0.1:{port}/v1", port


@contextmanager
def _patient_home() -> Iterator[str]:
    """What is shipped, with a budget that two thousand turns at once do not use up on few cores."""
    with tempfile.TemporaryDirectory(prefix="maththera-home-") as folder:
        for part in ("configs", "prompts", "flows"):
            shutil.copytree(home() / part, Path(folder) / part)
        path = Path(folder) / "configs" / "chat" / "chat.yaml"
        text = path.read_text()
        patient = "seconds: {turn: 600, intent: 60, silence: 600, tool: 60, summary: 3, interrupt: 3}"
        lines = [patient if line.startswith("seconds:") else line for line in text.splitlines()]
        path.write_text("\n".join(lines) + "\n")
        yield folder


_TEXT: Final = f"""\
One worker on SQLite and a private Redis. A learner who has played asks {len(QUESTIONS)} questions in turn; the times
run from the request to the event at the client. The model answers at once and takes no time of its own: what passes
before the first token is ours, two requests to the model (intent, answer) among it. Then {OPEN:,} turns are open at
once, each with a model that has said half of its {WORDS} words; a stream has lost no event when no id is missing and
it ends with `final`; whether the answer in it is the model's or that of the rules is counted apart. Client, model and
Redis share the cores with the worker."""
