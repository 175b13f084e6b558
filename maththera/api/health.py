"""Whether the process answers, whether it can work, and its metrics."""

import secrets
from typing import Literal

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse

from maththera.api.http_layer import readiness
from maththera.api.http_layer.auth import Services, caller
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.openapi_document import PUBLIC
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.readiness import State, Status
from maththera.api.http_layer.response_models import Answer, example
from maththera.executions.worker_metrics import figures

router = APIRouter(tags=["running"], route_class=ApiRoute)


class Health(Answer):
    model_config = example({"status": "ok"})

    status: Literal["ok"]


class Dependency(Answer):
    """slow: it answers too late, as a database does that writes for others first."""

    state: State
    ms: float


class Readiness(Answer):
    """degraded: sessions go on, without what is down. `capabilities`: tutoring, lessons, chat, flows, erasing."""

    model_config = example(
        {
            "status": "degraded",
            "dependencies": {
                "database": {"state": "up", "ms": 0.41},
                "writes": {"state": "up", "ms": 0.9},
                "redis": {"state": "down", "ms": 1000.2},
                "servers": {"state": "up", "ms": 0.0},
            },
            "capabilities": {
                "tutoring": "degraded",
                "lessons": "degraded",
                "chat": "down",
                "flows": "down",
                "erasing": "degraded",
            },
        }
    )

    status: Status
    dependencies: dict[str, Dependency]
    capabilities: dict[str, Status]


@router.get("/healthz", summary="The process answers", response_description="It does", openapi_extra=PUBLIC)
async def check_health() -> Health:
    return Health(status="ok")


@router.get(
    "/readyz",
    summary="Each dependency with its state",
    response_description="Ready, perhaps degraded",
    responses={503: {"model": Readiness, "description": "Not ready"}},
    openapi_extra=PUBLIC,
)
async def check_readiness(services: Services, response: Response) -> Readiness:
    found = Readiness.model_validate(await readiness.check_readiness(services.probes))
    if found.status == "down":
        response.status_code = 503
    return found


async def _metrics_reader(request: Request, services: Services) -> None:
    """Anybody where no metrics token is set; else its bearer, and admins."""
    if services.metrics_token is None:
        return
    given = request.headers.get("authorization", "").partition(" ")[2].strip()
    if secrets.compare_digest(given.encode(), services.metrics_token.get_secret_value().encode()):
        return
    if (await caller(request)).role != "admin":
        raise ApiProblem("forbidden", "Not with this role.")


@router.get(
    "/metrics",
    summary="Prometheus metrics",
    response_description="The metrics",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"example": "maththera_sessions_total 1.0\n"}}}},
    openapi_extra=PUBLIC,
    dependencies=[Depends(_metrics_reader)],
)
async def show_metrics(services: Services) -> Response:
    """With `MATHTHERA_METRICS_TOKEN` for its bearer, and for admins."""
    text, content_type = services.metrics.page(await figures(services.executions.runner.redis))
    return Response(text, media_type=content_type)
