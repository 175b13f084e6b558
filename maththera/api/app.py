"""Puts the service together: routes, errors, the frame of each request, and what is open while it runs."""

import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI, Request, Response

from maththera.api import (
    ag_ui,
    chat,
    docs,
    executions,
    flows,
    lessons,
    mcp,
    openai_chat,
    papers,
    problems,
    reports,
    reviews,
    running,
    sessions,
    students,
    tools,
)
from maththera.api.metrics import Metrics
from maththera.api.middleware import Frame
from maththera.api.openapi import complete
from maththera.api.problems import Problem
from maththera.api.resources import Content, open_resources
from maththera.learners.database import StoreUnavailable
from maththera.runtime.logging import set_up_logging
from maththera.runtime.tracing import start_tracing, stop_tracing
from maththera.settings import Settings
from maththera.tutoring.events import BadEvent
from maththera.tutoring.service import SessionNotFound


def worker() -> FastAPI:
    """What uvicorn runs in each process: settings from the environment, log lines in their form.

    What is loaded here stays for good. Frozen, it is no longer searched for garbage, which takes 0.1 s, some turn's.
    """
    settings = Settings.from_environment()
    set_up_logging(settings.log_format)
    logging.getLogger("uvicorn.access").propagate = False  # `Frame` has a better line
    app = create_app(settings)
    gc.freeze()
    gc.enable()
    return app


def create_app(settings: Settings) -> FastAPI:
    """The application. A broken file under `configs/` or `prompts/` raises its loader's error here; what is opened,
    is opened when the application starts."""
    metrics = Metrics()
    content = Content.load(settings, metrics.llm)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        start_tracing(settings.otlp_endpoint)
        try:
            async with open_resources(settings, content, metrics) as resources:
                app.state.resources = resources
                yield
        finally:
            stop_tracing()

    app = FastAPI(title="Maththera", version=version("maththera"), lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.metrics = metrics
    app.include_router(sessions.router)
    for module in (
        chat,
        ag_ui,
        openai_chat,
        papers,
        executions,
        flows,
        lessons,
        tools,
        reports,
        students,
        reviews,
        running,
    ):
        app.include_router(module.router)
    mcp.install(app)
    docs.install(app)
    app.add_middleware(Frame, metrics=metrics)
    problems.install(app)
    _install_domain_errors(app)
    chat.install_errors(app)
    executions.install_errors(app)
    flows.install_errors(app)
    lessons.install_errors(app)
    papers.install_errors(app)
    reviews.install_errors(app)
    complete(app)
    return app


def _install_domain_errors(app: FastAPI) -> None:
    @app.exception_handler(SessionNotFound)
    async def _not_found(_: Request, __: SessionNotFound) -> Response:
        return Problem("not_found", "There is no such session.").response()

    @app.exception_handler(BadEvent)
    async def _bad_event(_: Request, bad: BadEvent) -> Response:
        return Problem("invalid_input", str(bad), errors=[{"loc": bad.loc, "msg": bad.msg}]).response()

    @app.exception_handler(StoreUnavailable)
    async def _unavailable(_: Request, down: StoreUnavailable) -> Response:
        headers = {"Retry-After": str(down.retry_after)}
        return Problem("store_unavailable", "Nothing was changed. Try again.", headers=headers).response()
