"""The whole service behind an in-process client: real routes, real records, real Redis."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from redis.asyncio import Redis

from maththera.api.application import create_app
from maththera.api.http_layer import readiness
from maththera.app.content import Content
from maththera.settings import Settings
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.access.authorization import Role
from maththera.tutoring.content.session_rules import Rules
from tests.support.databases import migrated
from tests.support.flow_home import make_home
from tests.support.shared_content import shared


@dataclass(frozen=True)
class Api:
    """`client` is the admin; `as_` another caller."""

    app: FastAPI
    client: httpx.AsyncClient
    tokens: AccessTokens

    async def as_(self, role: Role, *students: str) -> dict[str, str]:
        """Headers of a new token of that role."""
        return {"Authorization": f"Bearer {await self.tokens.create(role, students)}"}

    async def begin(self, student: str = "s1", **more: Any) -> dict[str, Any]:
        body = {"student_id": student, "c_position": 7, "w_position": 4.5, "seed": 7, **more}
        answer = await self.client.post("/api/v1/sessions", json=body)
        assert answer.status_code == 201, answer.text
        view: dict[str, Any] = answer.json()
        return view


@pytest.fixture(scope="session")
def loaded() -> Content:
    """Loaded once: nothing changes it, and there is no model in it to be told of calls."""
    return shared(Settings())


@pytest.fixture(scope="session")
def rules(loaded: Content) -> Rules:
    return loaded.rules


_document: dict[str, Any] = {}
"""The OpenAPI document, built by the first service that is asked for it: it takes a second and is always the same."""


@asynccontextmanager
async def serving(folder: Path, redis_url: str, **more: Any) -> AsyncIterator[Api]:
    """A service on a database of its own in `folder`. `more`: other settings."""
    database_url = f"sqlite+aiosqlite:///{folder / 'maththera.sqlite'}"
    settings = Settings(**{"data_dir": folder, "database_url": database_url, "redis_url": redis_url, **more})
    await migrated(str(settings.database_url))
    app = create_app(settings)
    if _document:
        app.openapi = lambda: _document  # type: ignore[method-assign]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readiness, "PATIENCE_SECONDS", 60.0)  # a machine that is busy with other tests
        async with app.router.lifespan_context(app):
            tokens: AccessTokens = app.state.services.tokens
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            headers = {"Authorization": f"Bearer {await tokens.create('admin', label='an admin')}"}
            async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers) as client:
                yield Api(app, client, tokens)
    _document.update(app.openapi_schema or {})


@pytest.fixture
async def api(
    tmp_path: Path, sqlite_url: str, redis_url: str, redis: Redis, loaded: Content, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Api]:
    monkeypatch.setattr("maththera.api.application.Content.load", lambda *_: loaded)
    async with serving(tmp_path, redis_url, database_url=sqlite_url) as found:
        yield found


@pytest.fixture(scope="module")
async def lasting_api(tmp_path_factory: pytest.TempPathFactory, redis_url: str, loaded: Content) -> AsyncIterator[Api]:
    """One service for the tests of a file that each have sessions or conversations of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("maththera.api.application.Content.load", lambda *_: loaded)
        async with serving(tmp_path_factory.mktemp("lasting"), redis_url) as found:
            yield found


@dataclass(frozen=True)
class FlowApi(Api):
    """`home`: its flows call one server, which writes into its diary what it is asked."""

    home: Path

    async def run(self, flow: str, headers: dict[str, str] | None = None, **inputs: Any) -> str:
        """-> the id of a run"""
        answer = await self.client.post(f"/api/v1/flows/{flow}/run", json={"inputs": inputs}, headers=headers)
        assert answer.status_code == 202, answer.text
        execution_id: str = answer.json()["execution_id"]
        return execution_id

    async def reached(self, execution_id: str, *statuses: str) -> dict[str, Any]:
        """The run, once it is in one of these states."""
        async with asyncio.timeout(60):
            while True:
                answer = await self.client.get(f"/api/v1/executions/{execution_id}")
                view: dict[str, Any] = answer.json()
                if view["status"] in statuses:
                    return view
                await asyncio.sleep(0.02)


@pytest.fixture(scope="module")
async def flow_api(tmp_path_factory: pytest.TempPathFactory, redis_url: str, loaded: Content) -> AsyncIterator[FlowApi]:
    """One service for the tests of a file: starting its MCP server takes a second."""
    folder = tmp_path_factory.mktemp("flows")
    home = make_home(folder / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("maththera.api.application.Content.load", lambda *_: loaded)
        async with serving(folder, redis_url, home=home) as found:
            yield FlowApi(found.app, found.client, found.tokens, home)
