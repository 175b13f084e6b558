"""Puts the application together: routes, errors, middleware, documentation, and the services of its lifetime."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.middleware.cors import CORSMiddleware
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.staticfiles import StaticFiles

from maththera.api import (
    access_log,
    ag_ui,
    attention,
    chat,
    class_overview,
    class_sheets,
    classes,
    commands,
    consents,
    conversations,
    execution_actions,
    executions,
    files,
    flow_inspection,
    flow_runs,
    flows,
    free_play,
    goals,
    guardian_requests,
    health,
    lessons,
    letters,
    mcp_endpoint,
    openai_chat,
    openai_events,
    operations,
    page,
    papers,
    procedure_language,
    procedure_versions,
    procedures,
    ratings,
    reports,
    review_clusters,
    reviews,
    rule_candidates,
    schedules,
    session_steps,
    session_turns,
    sessions,
    sign_in,
    student_overview,
    student_progress,
    student_turns,
    students,
    tokens,
    tools,
    traces,
)
from maththera.api.composition import open_services
from maththera.api.http_layer import openapi_document, problem_details
from maththera.api.http_layer.connection_limits import ConnectionState
from maththera.api.http_layer.metrics import Metrics
from maththera.api.http_layer.middleware import RequestMiddleware
from maththera.api.http_layer.problem_details import ApiProblem, Problems, answer_errors, invalid_field
from maththera.api.openai_events import CompletionFrame
from maththera.api.session_turns import TurnFrame
from maththera.app.content import Content
from maththera.runtime.logging import set_up_logging
from maththera.runtime.tracing import start_tracing, stop_tracing
from maththera.runtime.turns import RequestIdReused
from maththera.runtime.worker_processes import end_with_parent, join_data_dir
from maththera.settings import Settings
from maththera.store.database import StoreUnavailable
from maththera.tutoring.session.service import SessionNotFound
from maththera.tutoring.turns.events import BadEvent

_ROUTED: Final = (
    sessions,
    session_turns,
    traces,
    session_steps,
    chat,
    conversations,
    ag_ui,
    openai_chat,
    papers,
    files,
    ratings,
    commands,
    executions,
    execution_actions,
    flows,
    flow_inspection,
    flow_runs,
    schedules,
    lessons,
    tools,
    students,
    student_overview,
    student_progress,
    student_turns,
    reports,
    goals,
    letters,
    guardian_requests,
    free_play,
    consents,
    access_log,
    tokens,
    operations,
    rule_candidates,  # before `reviews`, which takes any id
    review_clusters,  # as well
    procedure_language,
    procedure_versions,  # before `procedures`, which takes any id
    procedures,
    reviews,
    attention,
    health,
)
_WITH_ERRORS: Final = (chat, executions, flows, schedules, lessons, papers, ratings, reviews, procedures, goals)
"""Modules that answer their domain's errors."""
_PROBLEMS: Final[Problems] = {
    SessionNotFound: lambda _: ApiProblem("not_found", "There is no such session."),
    BadEvent: lambda bad: invalid_field(bad.loc, bad.msg),
    RequestIdReused: lambda reused: ApiProblem("request_id_reused", str(reused)),
    StoreUnavailable: lambda down: ApiProblem(
        "store_unavailable", "Nothing was changed. Try again.", headers={"Retry-After": str(down.retry_after)}
    ),
}
_GARBAGE_THRESHOLDS: Final = (10_000, 20, 50)
"""New objects until the youngest are looked at; times of that until the older ones are, and of these until all are."""


def create_worker_app() -> FastAPI:
    """The application of one uvicorn process: settings from the environment, logging, the end with the parent process.

    The objects loaded here live as long as the process. `gc.freeze` exempts them from garbage collection, which would
    otherwise delay one turn by 0.1 s now and then. What a turn leaves behind is mostly freed without it, so it is
    looked for less often than by default, which takes a few percent of a worker's time.
    """
    settings = Settings.from_environment()
    end_with_parent()
    set_up_logging(settings.log_format)
    logging.getLogger("uvicorn.access").propagate = False  # `RequestMiddleware` logs more
    app = create_app(settings)
    gc.freeze()
    gc.set_threshold(*_GARBAGE_THRESHOLDS)
    gc.enable()
    return app


def create_app(settings: Settings) -> FastAPI:
    """The application. A broken file under `configs/` or `prompts/` raises its loader's error here; connections are
    opened when the application starts."""
    metrics = Metrics()
    content = Content.load(settings, metrics.llm)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[ConnectionState]:
        start_tracing(settings.otlp_endpoint)
        closing = asyncio.Event()
        try:
            with join_data_dir(settings.data_dir):
                async with open_services(settings, content, metrics, closing) as services:
                    app.state.services = services
                    yield {"closing": closing, "connections": content.limits.connections}
        finally:
            stop_tracing()

    app = FastAPI(
        title="Maththera",
        version=version("maththera"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    for module in _ROUTED:
        app.include_router(module.router)
    of_classes = (classes.router, classes.cards, class_overview.router, class_sheets.router)
    for router in (sign_in.auth, sign_in.me, access_log.readers, *of_classes):
        app.include_router(router)
    mcp_endpoint.install(app)
    _install_documentation(app)
    page.install(app)
    app.add_middleware(RequestMiddleware, metrics=metrics)
    if settings.cors_origins:
        _allow_browsers(app, settings.cors_origins)
    problem_details.install(app)
    for problems in (_PROBLEMS, *(module.PROBLEMS for module in _WITH_ERRORS)):
        answer_errors(app, problems)
    openai_events.install_errors(app)
    openapi_document.complete(app, CompletionFrame, TurnFrame)
    return app


def _allow_browsers(app: FastAPI, origins: str) -> None:
    """Lets pages of these origins, separated by commas, call the service and read the headers that it answers with."""
    app.add_middleware(
        CORSMiddleware,
        allow_origins=[origin.strip() for origin in origins.split(",")],
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "Last-Event-ID", "Idempotency-Key", "X-Request-Id"],
        expose_headers=["X-Run-Id", "X-Thread-Id", "X-Request-Id", "X-Access-Logged", "Location", "Retry-After",
                        "Idempotent-Replay"],
    )  # fmt: skip


def _install_documentation(app: FastAPI) -> None:
    """Swagger UI at `/docs`, from files that come with the service: it needs no network. Its addresses are relative, so
    that a proxy may put a path in front of them."""
    app.mount("/swagger", StaticFiles(packages=[("fastapi_swagger", "resources")]))

    @app.get("/docs", include_in_schema=False)
    async def _docs(_: Request) -> Response:
        return get_swagger_ui_html(
            openapi_url="openapi.json",
            title=app.title,
            swagger_js_url="swagger/swagger-ui-bundle.js",
            swagger_css_url="swagger/swagger-ui.css",
            swagger_favicon_url="swagger/favicon-32x32.png",
        )
