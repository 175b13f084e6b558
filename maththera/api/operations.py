"""The state of the service for its operator: what `/readyz`, `/metrics` and the lists say, in one answer."""

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query, Request

from maththera.api.health import Readiness
from maththera.api.http_layer import readiness
from maththera.api.http_layer.auth import Services, caller_with
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.metrics import Metrics, TimeHistogram, quantile
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.api.services import OpenServices
from maththera.executions.schedules import scheduled_flows
from maththera.servers.client.connection_status import ConnectionStatus
from maththera.store.access.access_tokens import TokenRow

router = APIRouter(
    prefix="/api/v1/operations", tags=["running"], route_class=ApiRoute, dependencies=[Depends(caller_with("admin"))]
)

MOST_UNEXPLAINED: Final = 0.02
"""Of all answers; above this share the catalogue of errors has a gap."""
_HISTOGRAMS: Final[dict[str, TimeHistogram]] = {"turns": "turn_seconds", "requests": "http_request_seconds"}
_SOON: Final = timedelta(days=14)


class AnswerOperations(Answer):
    """`unexplained`: wrong answers that nothing explains, by pattern; `share` of all answers, null without any.
    `degraded`: turns without Redis."""

    answered: int
    wrong: int
    unexplained: dict[str, int]
    share: float | None
    most: float
    degraded: int


class Latency(Answer):
    """Milliseconds; null without any, or beyond the last bound of the histogram."""

    count: int
    p50_ms: float | None
    p95_ms: float | None


class ScheduleOperations(Answer):
    flow: str
    paused: bool
    next_at: Moment | None
    last_status: str | None


class Storage(Answer):
    """Bytes of the data directory, of the reports in it, and of its disk."""

    data: int
    reports: int
    disk_free: int
    disk: int


class TokenOperations(Answer):
    """`ending`: within two weeks. `unused`: live, and never used."""

    live: int
    ending: int
    unused: int
    tablets: int


class Operations(Answer):
    """`answers`, `executions`: of the last `days`. `latency`: since the service has begun. `secure`: this request came
    by HTTPS."""

    model_config = example(
        {
            "at": "2026-11-22T03:00:00+00:00",
            "days": 7,
            "readiness": {
                "status": "ok",
                "dependencies": {"database": {"state": "up", "ms": 0.41}},
                "capabilities": {"tutoring": "ok"},
            },
            "answers": {
                "answered": 450,
                "wrong": 90,
                "unexplained": {"severe_error": 6},
                "share": 0.0133,
                "most": MOST_UNEXPLAINED,
                "degraded": 0,
            },
            "latency": {"turns": {"count": 450, "p50_ms": 7.2, "p95_ms": 18.0}},
            "executions": {"completed": 12, "failed": 1},
            "schedules": [
                {
                    "flow": "주간_연습_세트",
                    "paused": False,
                    "next_at": "2026-11-23T07:00:00+09:00",
                    "last_status": "completed",
                }
            ],
            "servers": {"logic-engine-mcp": {"state": "up", "calls": 12}},
            "storage": {"data": 4096000, "reports": 512000, "disk_free": 20000000000, "disk": 64000000000},
            "tokens": {"live": 4, "ending": 0, "unused": 1, "tablets": 2},
            "alerts_unopened": 0,
            "requests_open": 0,
            "secure": True,
        }
    )

    at: Moment
    days: int
    readiness: Readiness
    answers: AnswerOperations
    latency: dict[str, Latency]
    executions: dict[str, int]
    schedules: list[ScheduleOperations]
    servers: dict[str, ConnectionStatus]
    storage: Storage
    tokens: TokenOperations
    alerts_unopened: int
    requests_open: int
    secure: bool


@router.get("", summary="How the service is", response_description="Everything that an operator looks at first")
async def view_operations(
    request: Request,
    services: Services,
    days: Annotated[int, Query(ge=1, le=90, description="The period of answers and runs: so many days.")] = 7,
) -> Operations:
    """For admins. It names no child."""
    now = datetime.now(UTC)
    since, learners = now - timedelta(days=days), services.learners
    found = Readiness.model_validate(await readiness.check_readiness(services.probes))
    return Operations(
        at=now,
        days=days,
        readiness=found,
        answers=await _answers(services, since),
        latency={what: _latency(services.metrics, name) for what, name in _HISTOGRAMS.items()},
        executions=await services.figures.runs(since),
        schedules=await _schedules(services),
        servers=services.executions.runner.files.health(),
        storage=await asyncio.to_thread(_storage, services.data_dir),
        tokens=_tokens(await services.tokens.list(), await services.sign_ins.tablets(), now),
        alerts_unopened=sum((await learners.alerts.unopened(None)).values()),
        requests_open=len(await learners.requests.of_students(None, open_only=True)),
        secure=request.url.scheme == "https",
    )


async def _answers(services: OpenServices, since: datetime) -> AnswerOperations:
    found = await services.figures.answers(since)
    share = sum(found.unexplained.values()) / found.answered if found.answered else None
    return AnswerOperations(**asdict(found), share=share if share is None else round(share, 4), most=MOST_UNEXPLAINED)


def _latency(metrics: Metrics, histogram: TimeHistogram) -> Latency:
    times = metrics.times(histogram)
    return Latency(
        count=int(max(times.values(), default=0)),
        p50_ms=_milliseconds(quantile(times, 0.5)),
        p95_ms=_milliseconds(quantile(times, 0.95)),
    )


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(1000 * seconds, 1)


async def _schedules(services: OpenServices) -> list[ScheduleOperations]:
    return [
        ScheduleOperations(
            flow=one.flow.name,
            paused=one.paused is not None,
            next_at=one.next_at,
            last_status=one.last.status if one.last else None,
        )
        for one in await scheduled_flows(services.executions)
    ]


def _tokens(rows: Sequence[TokenRow], tablets: int, now: datetime) -> TokenOperations:
    live = [one for one in rows if one.revoked_at is None and (one.expires_at is None or one.expires_at > now)]
    return TokenOperations(
        live=len(live),
        ending=sum(one.expires_at is not None and one.expires_at < now + _SOON for one in live),
        unused=sum(one.last_used_at is None for one in live),
        tablets=tablets,
    )


def _storage(data_dir: Path) -> Storage:
    disk = shutil.disk_usage(data_dir)
    return Storage(
        data=_bytes_in(data_dir), reports=_bytes_in(data_dir / "reports"), disk_free=disk.free, disk=disk.total
    )


def _bytes_in(folder: Path) -> int:
    """A file that is gone meanwhile counts nothing."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_size
        except FileNotFoundError:
            continue
    return total
