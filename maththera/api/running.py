"""Whether it lives, whether it can work, and what it counts."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import orjson
from fastapi import APIRouter, Request, Response

from maththera.api import openapi
from maththera.api.auth import resources

router = APIRouter(tags=["running"])

PATIENCE_SECONDS: Final = 1.0
REQUIRED: Final = frozenset({"database"})  # without the others sessions go on, degraded


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="The process answers", **openapi.HEALTH)
async def healthz() -> dict[str, str]:
    return {"status": "ok"}


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz", summary="Each dependency with its state", **openapi.READINESS)
async def readyz(request: Request) -> Response:
    probes = resources(request).probes
    found = await asyncio.gather(*(_probe(probe) for probe in probes.values()))
    dependencies = dict(zip(probes, found, strict=True))
    down = {name for name, state in dependencies.items() if state["state"] == "down"}
    status = "down" if down & REQUIRED else "degraded" if down else "ok"
    body = {"status": status, "dependencies": dependencies}
    return Response(
        orjson.dumps(body), 503 if status == "down" else 200, {"Cache-Control": "no-store"}, "application/json"
    )


async def _probe(probe: Callable[[], Awaitable[object]]) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await probe()
        state = "up"
    except Exception:
        state = "down"
    return {"state": state, "ms": round((time.perf_counter() - started) * 1000, 2)}


@router.head("/metrics", include_in_schema=False)
@router.get("/metrics", summary="Prometheus metrics", **openapi.METRICS)
async def metrics(request: Request) -> Response:
    text, content_type = request.app.state.metrics.page()
    return Response(text, media_type=content_type)
