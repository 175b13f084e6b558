"""What workers count, added up, and shown with what the service counts itself."""

from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from maththera.api.http_layer.metrics import Metrics
from maththera.executions.worker_metrics import KEY, FlowMetrics, WorkerMetrics, figures


class Worker:
    def __init__(self, redis: Redis) -> None:
        registry = CollectorRegistry()
        self.metrics, self.figures = FlowMetrics(registry), WorkerMetrics(redis, registry)


def step(ms: int) -> Any:
    return {"type": "step_finished", "step": "note", "ms": ms}


ROW: Any = SimpleNamespace(flow_name="쓰기")


async def shown(service: Metrics, redis: Redis) -> dict[str, float]:
    """`name[values of the labels, by their names]` → value, of flows and tools."""
    text = service.page(await figures(redis))[0].decode()
    return {
        f"{sample.name}{list(sample.labels.values())}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if family.name.startswith(("maththera_flow", "maththera_tool")) and not sample.name.endswith("_created")
    }


async def test_what_workers_count_is_added_to_what_the_service_counts(redis: Redis) -> None:
    service, workers = Metrics(), [Worker(redis), Worker(redis)]
    service.flows.event(ROW, step(7))
    for worker in workers:
        for ms in (7, 400):
            worker.metrics.event(ROW, step(ms))
        worker.metrics.call("faulty", "write", "ok", 0.02)
        await worker.figures.hand_over()
        await worker.figures.hand_over()
    found = await shown(service, redis)
    assert found["maththera_flow_steps_total['쓰기', 'done', 'note']"] == 5
    assert found["maththera_flow_step_seconds_bucket['쓰기', '0.01', 'note']"] == 3
    assert found["maththera_flow_step_seconds_bucket['쓰기', '+Inf', 'note']"] == 5
    assert found["maththera_flow_step_seconds_sum['쓰기', 'note']"] == pytest.approx(0.821)
    assert found["maththera_tool_calls_total['ok', 'faulty', 'write']"] == 2


async def test_buckets_of_workers_alone_come_in_the_order_of_their_bounds(redis: Redis) -> None:
    worker = Worker(redis)
    worker.metrics.event(ROW, step(7))
    await worker.figures.hand_over()
    text = Metrics().page(await figures(redis))[0].decode()
    bounds = [line.split('le="')[1].split('"')[0] for line in text.splitlines() if "flow_step_seconds_bucket" in line]
    assert bounds == sorted(bounds, key=float)
    assert bounds[-1] == "+Inf"


async def test_the_next_worker_goes_on_from_what_the_last_has_counted(redis: Redis) -> None:
    for _ in range(3):
        worker = Worker(redis)
        worker.metrics.call("faulty", "write", "ok", 0.02)
        await worker.figures.hand_over()
    assert (await shown(Metrics(), redis))["maththera_tool_calls_total['ok', 'faulty', 'write']"] == 3
    assert await redis.ttl(KEY) > 0


async def test_figures_wait_for_a_redis_that_is_away(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker(redis)
    worker.metrics.call("faulty", "write", "ok", 0.02)

    async def away(*_: Any, **__: Any) -> Any:
        raise RedisConnectionError

    with monkeypatch.context() as patch:
        patch.setattr("redis.asyncio.client.Pipeline.execute", away)
        await worker.figures.hand_over()
    await worker.figures.hand_over()
    assert (await shown(Metrics(), redis))["maththera_tool_calls_total['ok', 'faulty', 'write']"] == 1
