"""A database that an earlier version of the program wrote, under the service of now."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from maththera.api.composition import Content
from tests.api.conftest import Api, serving
from tests.support.tutoring import does_right

DATABASE: Final = Path(__file__).parents[1] / "data" / "database_0013.sql"


@pytest.fixture
async def api(
    tmp_path: Path, redis_url: str, redis: Redis, loaded: Content, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Api]:
    """Redis is empty: the database alone is from before."""
    monkeypatch.setattr("maththera.api.application.Content.load", lambda *_: loaded)
    with closing(sqlite3.connect(tmp_path / "maththera.sqlite")) as connection:
        connection.executescript(DATABASE.read_text())
    async with serving(tmp_path, redis_url) as found:
        yield found


def rows(folder: Path, query: str) -> list[Any]:
    """As they stand in the database, without the program."""
    with closing(sqlite3.connect(folder / "maththera.sqlite")) as connection:
        return connection.execute(query).fetchall()


async def read(api: Api, path: str) -> Any:
    answer = await api.client.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def assert_replays(api: Api, session_id: str) -> None:
    replay = (await api.client.post(f"/api/v1/sessions/{session_id}/replay")).json()
    assert [turn for turn in replay["turns"] if not turn["identical"]] == [], session_id
    assert replay["identical"]


async def test_every_session_replays_as_it_was_recorded(api: Api, tmp_path: Path) -> None:
    sessions = rows(tmp_path, "SELECT session_id FROM sessions")
    assert sessions
    for (session_id,) in sessions:
        await assert_replays(api, session_id)


async def test_open_sessions_go_on_and_ended_ones_stay_ended(api: Api, tmp_path: Path) -> None:
    turns = "SELECT count(*) FROM turns WHERE turns.session_id = sessions.session_id"
    for session_id, ended_at, turn in rows(tmp_path, f"SELECT session_id, ended_at, ({turns}) FROM sessions"):  # noqa: S608
        view = await read(api, f"sessions/{session_id}")
        assert (view["turn"], view["task"] is None) == (turn, ended_at is not None)
        if view["task"] is not None:
            event = does_right(view["task"], "r-now")
            answer = await api.client.post(f"/api/v1/sessions/{session_id}/events", json=event)
            assert (answer.status_code, answer.json()["turn"]) == (200, turn + 1)
            await assert_replays(api, session_id)


async def test_lessons_conversations_and_runs_are_read(api: Api, tmp_path: Path) -> None:
    ((lesson_id,),) = rows(tmp_path, "SELECT lesson_id FROM lessons")
    state = (await read(api, f"lessons/{lesson_id}"))["state"]
    assert (state["current_chapter"], state["session_progress_stage"]) == (2, "session_start")
    assert [one["session_decision_result"] for one in state["recent_sessions_summary"]] == ["proceed"]
    for thread_id, question in rows(tmp_path, "SELECT thread_id, text FROM messages WHERE number = 1"):
        assert (await read(api, f"chat/{thread_id}"))["messages"][0]["text"] == question
    runs = "SELECT execution_id, status, result FROM executions WHERE status != 'waiting'"
    for execution_id, status, result in rows(tmp_path, runs):
        run = await read(api, f"executions/{execution_id}")
        assert (run["status"], run["result"]) == (status, json.loads(result or "null"))
