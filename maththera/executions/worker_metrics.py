"""The metrics of flows, steps and tools. A Celery worker has no `/metrics`: it adds its counts to one hash in Redis,
and the service shows them with its own. They remain when the worker ends.
"""

import asyncio
import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import orjson
from prometheus_client import CollectorRegistry, Counter, Histogram
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.runtime.event_log import Event
from maththera.store.executions import ExecutionRow

logger = logging.getLogger(__name__)

KEY: Final = "maththera:worker-figures"
_KEPT_SECONDS: Final = 7 * 24 * 3600
_EVERY_SECONDS: Final = 5.0
_CREATED: Final = "_created"
"""The suffix of samples that are times and cannot be added up."""

Figures: TypeAlias = Mapping[tuple[str, frozenset[tuple[str, str]]], float]
"""(name of a sample, its labels) → its value. The buckets of a histogram are cumulative, as in Prometheus."""


class WorkerMetrics:
    """The metrics of one worker, counted in its `registry`."""

    def __init__(self, redis: Redis, registry: CollectorRegistry) -> None:
        self._redis: Any = redis
        self._registry = registry
        self._handed: dict[bytes, float] = {}

    async def upkeep(self) -> None:
        """Adds new counts to Redis every few seconds until it is cancelled."""
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            await self.hand_over()

    async def hand_over(self) -> None:
        """Adds the counts since the last call to Redis. While Redis is away they are kept for the next call."""
        now = {
            orjson.dumps([sample.name, sample.labels]): sample.value
            for metric in self._registry.collect()
            for sample in metric.samples
            if not sample.name.endswith(_CREATED)
        }
        fresh = {name: value for name, value in now.items() if value != self._handed.get(name, 0.0)}
        if not fresh:
            return
        pipeline = self._redis.pipeline()
        for name, value in fresh.items():
            pipeline.hincrbyfloat(KEY, name, value - self._handed.get(name, 0.0))
        pipeline.expire(KEY, _KEPT_SECONDS)
        try:
            await pipeline.execute()
        except RedisError as error:
            logger.debug("the worker's figures wait: %r", error)
        else:
            self._handed |= fresh


async def figures(redis: Redis) -> Figures:
    """The sums of all workers; empty while Redis is away."""
    client: Any = redis
    try:
        found = await client.hgetall(KEY)
    except RedisError as error:
        logger.debug("without the workers' figures: %r", error)
        return {}
    samples = {}
    for name, value in found.items():
        sample, labels = orjson.loads(name)
        samples[sample, frozenset(labels.items())] = float(value)
    return samples


SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0)
OTHER: Final = "(other)"
_MOST_FLOWS: Final = 200
_MOST_STEPS: Final = 1_000
_MOST_TOOLS: Final = 500
_ITEM: Final = re.compile(r"\[\d+\]")
_ENDS: Final = {"step_finished": "done", "step_skipped": "skipped", "step_failed": "failed"}


class FlowMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"maththera_{name}", what, labels, registry=registry)

        def histogram(name: str, what: str, *labels: str) -> Histogram:
            return Histogram(f"maththera_{name}", what, labels, buckets=SECONDS, registry=registry)

        self._runs = counter("flow_runs", "Runs of flows that ended", "flow", "outcome")
        self._run_seconds = histogram("flow_run_seconds", "From the beginning to the end of a run", "flow")
        self._steps = counter("flow_steps", "Steps that ended", "flow", "step", "outcome")
        self._step_seconds = histogram(
            "flow_step_seconds", "Time of a step, waiting for people included", "flow", "step"
        )
        self._retries = counter("flow_step_retries", "Further attempts of steps", "flow", "step")
        self._calls = counter("tool_calls", "Calls of MCP tools", "server", "tool", "outcome")
        self._call_seconds = histogram("tool_call_seconds", "Time of a call with all its attempts", "server", "tool")
        self._flows, self._paths, self._tools = _Bounded(_MOST_FLOWS), _Bounded(_MOST_STEPS), _Bounded(_MOST_TOOLS)

    def event(self, row: ExecutionRow, event: Event) -> None:
        """Counts an event of a run."""
        kind = event["type"]
        if kind == "final":
            (flow,) = self._flows.labels(row.flow_name)
            self._runs.labels(flow, event["status"]).inc()
            self._run_seconds.labels(flow).observe((datetime.now(UTC) - row.created_at).total_seconds())
        elif kind in _ENDS or kind == "retry":
            step = self._paths.labels(row.flow_name, _ITEM.sub("[]", event["step"]))
            if kind == "retry":
                self._retries.labels(*step).inc()
                return
            self._steps.labels(*step, _ENDS[kind]).inc()
            if "ms" in event:
                self._step_seconds.labels(*step).observe(event["ms"] / 1_000)

    def call(self, server: str, tool: str, outcome: str, seconds: float) -> None:
        """Counts a call of a tool. `outcome`: ok, or the code of the error."""
        labels = self._tools.labels(server, tool)
        self._calls.labels(*labels, outcome).inc()
        self._call_seconds.labels(*labels).observe(seconds)


class _Bounded:
    """Keeps the first label values and replaces all further ones by `OTHER`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[tuple[str, ...]] = set()

    def labels(self, *values: str) -> tuple[str, ...]:
        if values in self._known:
            return values
        if len(self._known) >= self._most:
            return (OTHER,) * len(values)
        self._known.add(values)
        return values
