"""Flows that begin by themselves: listed, paused, resumed; none begins while its last run goes on."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest
from redis.asyncio import Redis

from maththera.executions import service
from maththera.executions.service import Executions
from maththera.store.executions import ExecutionFilter
from tests.api.conftest import FlowApi, serving
from tests.support.flow_home import SCHEDULED, entries, make_home

pytestmark = pytest.mark.slow

SLOW = SCHEDULED.replace("매분", "매분_느림").replace(
    "mcp_call: {server: faulty, tool: write, params: {word: due}}",
    "mcp_call: {server: faulty, tool: read, params: {word: due, seconds: 60}}",
)
OVERLAPPING = SLOW.replace("매분_느림", "매분_겹침").replace("  steps:", "  overlap: allow\n  steps:")


@pytest.fixture
async def flow_api(
    tmp_path: Path, redis_url: str, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[FlowApi]:
    """A service with an upkeep that begins nothing by itself meanwhile."""
    monkeypatch.setattr(service, "UPKEEP_SECONDS", 3_600.0)
    home = make_home(tmp_path / "home")
    for name, text in (("매분", SCHEDULED), ("매분_느림", SLOW), ("매분_겹침", OVERLAPPING)):
        (home / "flows" / f"{name}.yaml").write_text(text, encoding="utf-8")
    async with serving(tmp_path, redis_url, home=home) as found:
        yield FlowApi(found.app, found.client, found.tokens, home)


async def a_minute_passes(executions: Executions) -> None:
    """As if nobody had looked for what is due since the minute before."""
    await executions.runner.redis.delete("maththera:due")
    await executions.begin_due()


async def runs(executions: Executions, flow: str) -> list[str]:
    return [row.execution_id for row in await executions.runner.records.page(ExecutionFilter(flow=flow))]


async def test_schedules_are_listed_with_what_comes_next(flow_api: FlowApi) -> None:
    executions: Executions = flow_api.app.state.services.executions
    found = (await flow_api.client.get("/api/v1/schedules")).json()["schedules"]
    assert [(each["flow"], each["schedule"], each["overlap"]) for each in found] == [
        ("매분", "* * * * *", "skip"),
        ("매분_겹침", "* * * * *", "allow"),
        ("매분_느림", "* * * * *", "skip"),
    ]
    assert found[0]["last"] is None
    assert datetime.fromisoformat(found[0]["next_at"]).utcoffset() is not None
    await a_minute_passes(executions)
    found = (await flow_api.client.get("/api/v1/schedules")).json()["schedules"]
    assert found[0]["last"]["flow"] == "매분"
    for role in ("teacher", "author"):
        headers = await flow_api.as_(role)
        assert (await flow_api.client.get("/api/v1/schedules", headers=headers)).status_code == 403
        assert (await flow_api.client.post("/api/v1/schedules/매분/pause", headers=headers)).status_code == 403


async def test_what_is_paused_does_not_begin(flow_api: FlowApi) -> None:
    executions: Executions = flow_api.app.state.services.executions
    paused = (await flow_api.client.post("/api/v1/schedules/매분/pause")).json()
    assert paused["paused_at"]
    assert paused["next_at"] is None
    await a_minute_passes(executions)
    assert await runs(executions, "매분") == []
    resumed = (await flow_api.client.post("/api/v1/schedules/매분/resume")).json()
    assert resumed["paused_at"] is None
    assert resumed["next_at"]
    await a_minute_passes(executions)
    (execution_id,) = await runs(executions, "매분")
    await flow_api.reached(execution_id, "completed")
    assert entries(flow_api.home, "write due") == 1
    assert (await flow_api.client.post("/api/v1/schedules/쓰기/pause")).status_code == 404


async def test_what_is_due_while_the_last_run_goes_on_is_skipped_and_told(
    flow_api: FlowApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    executions: Executions = flow_api.app.state.services.executions
    await a_minute_passes(executions)
    (first,) = await runs(executions, "매분_느림")

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + service._MINUTE

    monkeypatch.setattr(service, "datetime", Later)
    await asyncio.gather(a_minute_passes(executions), executions.begin_due())
    assert await runs(executions, "매분_느림") == [first]
    assert len(await runs(executions, "매분_겹침")) == 2
    found = (await flow_api.client.get("/api/v1/schedules")).json()["schedules"]
    skipped = {each["flow"]: [one["running"] for one in each["skipped"]] for each in found}
    assert skipped["매분_느림"] == [first]
    assert skipped["매분_겹침"] == []
