"""Services and Celery workers are killed, suspended and ended at random moments of runs: nothing that must happen once
happens twice, nothing is begun again, and no run is lost. Each signal meets runs of all shapes. FLOW_KILLS=100: more.
"""

import asyncio
import logging
import os
import random
import signal
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from redis.asyncio import Redis

from maththera.flows.runs.run_repairs import Repair
from maththera.runtime.redis_client import open_redis
from maththera.settings import Settings
from maththera.store.database import Database
from maththera.store.executions import ENDED, ExecutionRow
from maththera.store.migrations import migrate
from tests.support.flow_home import make_home
from tests.support.flow_processes import ADMIN, PATIENCE_SECONDS, Kind, Site, open_site

logger = logging.getLogger(__name__)

KILLS: Final = int(os.environ.get("FLOW_KILLS", "1"))
"""Signals of each kind to each kind of process."""
MOMENTS: Final = (0.0, 1.5)
"""Seconds after the first run has begun."""
ANSWERING: Final = 0.1
"""The part of a moment after which a process is killed that has been sent an answer, or has accepted one."""
LATE: Final = "late"
"""Said where a run still asks in the end."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240 + 60 * KILLS)]

HEAD = "flow:\n  name: %s\n  inputs: [{name: word, type: string}]\n  steps:\n"


def step(name: str, tool: str, after: str = "", word: str = "$inputs.word", more: str = "") -> str:
    needs = f", depends_on: [{after}]" if after else ""
    params = f'{{word: "{name} {word}", seconds: 0.05}}'
    return f"    - {{id: {name}{needs}{more}, mcp_call: {{server: faulty, tool: {tool}, params: {params}}}}}\n"


FLAT = step("pay0", "write") + step("look0", "read", "pay0") + step("pay1", "write", "look0")
ITEMS = range(10)
FORM = "{type: object, properties: {said: {type: string}}, required: [said]}"
SHAPES = {
    "flat": FLAT + step("look1", "read", "pay1") + step("pay2", "write", "look1"),
    "chains": FLAT + step("side0", "write") + step("side1", "write", "side0"),
    "nested": step("before", "write")
    + "    - {id: inner, action: graph, graph: flat, params: {word: $inputs.word}, depends_on: [before]}\n"
    + step("after", "write", "inner"),
    "foreach": f"    - id: loop\n      action: foreach\n      items: {[*ITEMS]}\n"
    "      max_concurrency: 3\n      steps:\n  "
    + step("look", "read", word="$index $inputs.word").replace("    -", "      -")
    + "  "
    + step("pay", "write", "look", "$index $inputs.word").replace("    -", "      -"),
    "parallel": "    - id: all\n      action: parallel\n      tasks:\n"
    + "".join("    " + step(f"pay{n}", "write") for n in range(5))
    + step("last", "write", "all"),
    "asked": step("pay0", "write")
    + f"    - {{id: ask, action: approve, question: '?', form: {FORM}, depends_on: [pay0]}}\n"
    + step("pay1", "write", "ask")
    + "  outputs: {said: $ask_result.said}\n",
    "asked_inside": step("before", "write")
    + "    - {id: inner, action: graph, graph: asked, params: {word: $inputs.word}, depends_on: [before]}\n"
    + step("after", "write", "inner")
    + "  outputs: {said: $inner_result.said}\n",
    "failing": step("pay0", "write")
    + step("trial", "write_and_fail", "pay0", more=", retry: {backoff: 0}, on_error: continue")
    + step("pay1", "write", "trial"),
}
ASKING = ("asked", "asked_inside")
ONCE = {
    "flat": ["pay0", "pay1", "pay2"],
    "chains": ["pay0", "pay1", "side0", "side1"],
    "nested": ["before", "pay0", "pay1", "pay2", "after"],
    "foreach": [f"pay {item}" for item in ITEMS],
    "parallel": [*(f"pay{n}" for n in range(5)), "last"],
    "asked": ["pay0", "pay1"],
    "asked_inside": ["before", "pay0", "pay1", "after"],
    "failing": ["pay0", "pay1"],
}
"""What a run of each shape does once."""
TRIAL = {"failing": ["trial"]}
"""What a run does once, or not at all where it was broken off just before: the run goes on either way."""
BEFORE = {"pay1": "look0", "pay2": "look1"} | {f"pay {item}": f"look {item}" for item in ITEMS}
"""What is over and done with when this begins."""


@pytest.fixture(params=["service", "celery"])
async def site(tmp_path: Path, redis: Redis, redis_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Site]:
    kind: Kind = request.param
    celery = redis_url if kind == "celery" else None
    settings = Settings(data_dir=tmp_path, redis_url=redis_url, celery=celery, home=make_home(tmp_path / "home"))
    for name, steps in SHAPES.items():
        (settings.home / "flows" / f"{name}.yaml").write_text(HEAD % name + steps, encoding="utf-8")
    await migrate(settings.database_url)
    database, client = Database(settings.database_url), open_redis(redis_url)
    async with open_site(kind, settings, database, client) as found:
        yield found
    await database.close()
    await client.aclose()


def moments(name: str) -> Iterator[float]:
    chosen = random.Random(f"{name} {KILLS}")  # noqa: S311
    return (chosen.uniform(*MOMENTS) for _ in range(KILLS))


async def test_kills(site: Site) -> None:
    for number, moment in enumerate(moments(f"kill {site.kind}")):
        async with site.process() as process:
            for shape in SHAPES:
                await site.begin(process, shape, f"{number}-{shape}")
            await site.at_work()
            await asyncio.sleep(moment)
            process.program.send_signal(signal.SIGKILL)
            await asyncio.to_thread(process.program.wait)
        await site.lapse()
    await done_once(site)


async def test_suspensions(site: Site) -> None:
    """Another process takes over; the suspended one wakes up, at times when all is done, and does nothing any more."""
    async with site.process() as one, site.process() as other:
        for number, moment in enumerate(moments(f"stop {site.kind}")):
            for shape in SHAPES:
                await site.begin(one, shape, f"{number}-{shape}")
            await site.at_work()
            await asyncio.sleep(moment)
            await site.suspend(one)
            await site.lapse()
            await (asyncio.sleep(moment) if number % 2 else site.ended())
            one.program.send_signal(signal.SIGCONT)
            one, other = other, one  # noqa: PLW2901
        await done_once(site, running=True, woken=1)


async def test_ends_in_the_middle_of_a_step(site: Site) -> None:
    """The steps under way that must not be broken off end first, so nothing is left unknown."""
    for number, moment in enumerate(moments(f"end {site.kind}")):
        async with site.process() as process:
            for shape in SHAPES:
                await site.begin(process, shape, f"{number}-{shape}")
            await site.at_work()
            await asyncio.sleep(moment)
            process.program.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.program.wait, PATIENCE_SECONDS) == 0
    assert await done_once(site) == 0


async def test_kills_around_an_answer(site: Site) -> None:
    """Every answer that was accepted counts, also when the process dies before it goes on with the run."""
    accepted: dict[str, str] = {}
    for number, moment in enumerate(moments(f"answer {site.kind}")):
        async with site.process() as process:
            words = {shape: f"{number}-{shape}" for shape in ASKING}
            for shape, word in words.items():
                await site.begin(process, shape, word)
            asking = await site.asking(words.values())
            answers = [asyncio.create_task(site.answer(process, each, {"said": f"{number}"})) for each in asking]
            if number % 2 == 0:
                await asyncio.wait(answers, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(moment * ANSWERING)
            process.program.send_signal(signal.SIGKILL)
            await asyncio.to_thread(process.program.wait)
            taken = await asyncio.gather(*answers)
        accepted |= {each: f"{number}" for each, so in zip(asking, taken, strict=True) if so}
        await site.lapse()
    await done_once(site, ASKING)
    logger.info("%d of %d answers were accepted", len(accepted), KILLS * len(ASKING))
    said = {row.execution_id: row.result and row.result["said"] for row in await site.rows()}
    assert accepted
    assert accepted.items() <= said.items()


async def done_once(site: Site, shapes: Collection[str] = SHAPES, *, running: bool = False, woken: int = 0) -> int:
    """Every run comes to its end. -> how many steps may have happened or not, which an adult takes for done. `running`:
    there is a process that works on them; `woken`: how often the process of a run woke up after another had taken over,
    which then makes the call that it was about to make: of a read, once more, as it changes nothing."""
    if not running:
        async with site.process():
            return await done_once(site, shapes, running=True)
    await site.ended()
    rows = await site.rows()
    assert len(rows) == KILLS * len(shapes)
    assert {row.status for row in rows} <= ENDED | {"waiting"}
    unknown = sum([await settled(site, row) for row in rows])
    told, effects = site.diary(), site.effects()
    expected = written(rows, ONCE)
    assert effects.keys() <= expected | written(rows, TRIAL)
    assert {entry: count for entry, count in effects.items() if count > 1} == {}
    assert len(expected - effects.keys()) <= unknown
    for row in rows:
        for after, before in BEFORE.items():
            word = row.inputs["word"]
            with suppress(ValueError):
                late = told[told.index(f"write {after} {word}") :]
                assert late.count(f"read {before} {word}") <= woken, "it was begun again"
    return unknown


def written(rows: Collection[ExecutionRow], steps: Mapping[str, list[str]]) -> set[str]:
    return {f"write {name} {row.inputs['word']}" for row in rows for name in steps.get(row.flow_name, ())}


async def settled(site: Site, row: ExecutionRow) -> int:
    """An adult takes for done what is not known, and answers, and the run comes to its end. -> how many were unknown"""
    found = 0
    async with asyncio.timeout(PATIENCE_SECONDS):
        while row.status != "completed":
            if row.status == "waiting":
                await site.executions.answer(ADMIN, row.execution_id, {"said": LATE})
            if row.status == "failed":
                assert row.error is not None
                assert row.error["code"] == "unknown"
                lines = [line.split(": ", 1) for line in row.error_log or ()]
                path = next(path for path, reason in reversed(lines) if reason.startswith("was under way"))
                await site.executions.repair(ADMIN, row.execution_id, Repair("mark_done", path, {"count": 1}))
                found += 1
            await asyncio.sleep(0.05)
            row = await site.executions.find(ADMIN, row.execution_id)
    return found
