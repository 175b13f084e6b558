"""The whole service behind an in-process client: real routes, real records, real Redis."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from redis.asyncio import Redis

from maththera.api.app import create_app
from maththera.learners.access import Role
from maththera.learners.migrations import migrate
from maththera.learners.tokens import Tokens
from maththera.settings import Settings, home
from maththera.tutoring.rules import Rules, load_rules


@dataclass(frozen=True)
class Api:
    """`client` is the admin; `as_` another caller."""

    app: FastAPI
    client: httpx.AsyncClient
    tokens: Tokens

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
def rules() -> Rules:
    """Loaded once: nothing changes them."""
    return load_rules(home())


@pytest.fixture
async def api(
    tmp_path: Path, sqlite_url: str, redis_url: str, redis: Redis, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Api]:
    monkeypatch.setattr("maththera.api.resources.load_rules", lambda _: rules)
    await migrate(sqlite_url)
    app = create_app(Settings(data_dir=tmp_path, database_url=sqlite_url, redis_url=redis_url))
    async with app.router.lifespan_context(app):
        tokens: Tokens = app.state.resources.tokens
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        headers = {"Authorization": f"Bearer {await tokens.create('admin')}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers) as client:
            yield Api(app, client, tokens)
