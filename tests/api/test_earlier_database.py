"""A database that an earlier version of the program wrote, under the service of now."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from maththera.app.content import Content
from tests.api.conftest import Api, serving

DATABASE: Final = Path(__file__).parents[1] / "data" / "database_0023.sql"


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


async def test_sessions_are_shown_as_recorded_and_not_computed_again(api: Api, tmp_path: Path) -> None:
    turns = "SELECT count(*) FROM turns WHERE turns.session_id = sessions.session_id"
    recorded = rows(tmp_path, f"SELECT session_id, ({turns}) FROM sessions")  # noqa: S608
    assert recorded
    for session_id, turn in recorded:
        view = await read(api, f"sessions/{session_id}")
        assert (view["turn"], view["phase"], view["task"]) == (turn, "ended", None)
        assert len((await read(api, f"sessions/{session_id}/trace"))["turns"]) == turn
        replay = (await api.client.post(f"/api/v1/sessions/{session_id}/replay")).json()
        assert (replay["engine"], replay["identical"], replay["turns"]) == (1, None, [])
        late = {"type": "stop", "request_id": "late"}
        assert (await api.client.post(f"/api/v1/sessions/{session_id}/events", json=late)).status_code == 409


async def test_their_answers_are_known_in_the_next_session(api: Api, tmp_path: Path) -> None:
    asked = "SELECT student_id FROM sessions JOIN turns USING (session_id) WHERE correct AND kind = 'problem' LIMIT 1"
    ((student_id,),) = rows(tmp_path, asked)
    answer = await api.client.post("/api/v1/sessions", json={"student_id": student_id})
    session_id = answer.json()["session_id"]
    ((start,),) = rows(tmp_path, f"SELECT start FROM sessions WHERE session_id = '{session_id}'")  # noqa: S608
    assert sum(tries for _, tries, *_ in json.loads(start)["knowledge"]["skills"].values()) > 0


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
