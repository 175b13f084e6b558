"""What is agreed to for a child acts: on sessions, lessons, chats and models."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis

from maththera.app.content import Content
from tests.api.conftest import Api, serving
from tests.support.fake_llm import FakeLlm
from tests.support.shared_content import shared

THIS_YEAR = datetime.now(UTC).year
DANGER = "나 죽고 싶어"


async def born(api: Api, student: str, year: int | None) -> dict[str, Any]:
    answer = await api.client.patch(f"/api/v1/students/{student}", json={"birth_year": year})
    assert answer.status_code == 200, answer.text
    view: dict[str, Any] = answer.json()
    return view


async def agreed(api: Api, student: str, purpose: str, *, granted: bool = True) -> None:
    sent = {"purpose": purpose, "granted": granted, "given_by": "보호자"}
    answer = await api.client.post(f"/api/v1/students/{student}/consents", json=sent)
    assert answer.status_code == 201, answer.text


async def begins(api: Api, student: str, room: str) -> httpx.Response:
    child = await api.as_("student", student)
    path, body = {
        "session": ("/api/v1/sessions", {"student_id": student}),
        "lesson": ("/api/v1/lessons", {"user_id": student, "user_type": "beginner"}),
        "chat": ("/api/v1/chat", {"message": "받아올림이 뭐야?"}),
    }[room]
    return await api.client.post(path, json=body, headers=child)


@pytest.mark.parametrize("room", ["session", "lesson", "chat"])
async def test_nothing_begins_for_a_young_child_without_its_guardian(api: Api, room: str) -> None:
    view = await born(api, "s1", THIS_YEAR - 10)
    assert (view["under_age"], view["learning"], view["model"]) == (True, False, False)
    refused = await begins(api, "s1", room)
    assert (refused.status_code, refused.json()["code"]) == (403, "consent_needed")
    await agreed(api, "s1", "learning")
    assert (await begins(api, "s1", room)).status_code in (200, 201)
    await agreed(api, "s1", "learning", granted=False)
    assert (await begins(api, "s1", room)).status_code == 403


@pytest.mark.parametrize(("age", "needed"), [(13, True), (14, True), (15, False)])
async def test_the_age_is_the_country_s_and_a_year_that_may_be_too_young_is(api: Api, age: int, needed: bool) -> None:
    view = await born(api, "s1", THIS_YEAR - age)
    assert (view["under_age"], view["learning"]) == (needed, not needed)


async def test_a_turn_needs_the_consent_as_well_and_danger_does_not(api: Api) -> None:
    view = await api.begin("s1")
    await born(api, "s1", THIS_YEAR - 10)
    child = await api.as_("student", "s1")
    path = f"/api/v1/sessions/{view['session_id']}/events"
    event = {"type": "answer_submitted", "request_id": "r", "task_id": view["task"]["task_id"], "rt_ms": 900}
    refused = await api.client.post(path, json={**event, "answer": 14}, headers=child)
    assert (refused.status_code, refused.json()["code"]) == (403, "consent_needed")
    heard = await api.client.post(path, json={**event, "answer": DANGER}, headers=child)
    assert "safety" in heard.json()
    chatted = await api.client.post("/api/v1/chat", json={"message": DANGER}, headers=child)
    assert (chatted.status_code, '"type":"safety"' in chatted.text) == (200, True)


async def test_an_unknown_age_warns_adults_and_goes_on(api: Api) -> None:
    await api.begin("s1")
    assert [one["code"] for one in (await api.client.get("/api/v1/students/s1")).json()["warnings"]] == ["age_unknown"]
    own = (await api.client.get("/api/v1/students/s1", headers=await api.as_("student", "s1"))).json()
    assert own["warnings"] == []
    assert "선생님" in own["who_reads"]
    assert (await born(api, "s1", THIS_YEAR - 20))["warnings"] == []


@pytest.mark.parametrize(("role", "word"), [("student", "볼 수 있어."), ("teacher", "기록으로 남아요.")])
async def test_whoever_begins_is_told_who_reads(api: Api, role: Any, word: str) -> None:
    who = await api.as_(role, "s1")
    session = await api.client.post("/api/v1/sessions", json={"student_id": "s1"}, headers=who)
    lesson = await api.client.post("/api/v1/lessons", json={"user_id": "s1", "user_type": "beginner"}, headers=who)
    again = [await api.client.get(each.headers["location"], headers=who) for each in (session, lesson)]
    for told in (session, lesson, *again):
        assert word in told.json()["who_reads"]
    profile = "coach" if role == "student" else "assistant"
    said = {"message": "받아올림이 뭐야?", "thread_id": "t1", "student_id": "s1", "profile": profile}
    streams = [(await api.client.post("/api/v1/chat", json=said, headers=who)).text for _ in range(2)]
    first = streams[0].split("\r\n")[0]
    assert first.startswith('data: {"type":"who_reads"')
    assert word in first
    assert "who_reads" not in streams[1]


async def test_a_child_at_another_client_is_told_who_reads(api: Api) -> None:
    child = await api.as_("student", "s1")
    question = {"role": "user", "content": "받아올림이 뭐야?"}
    body = {"model": "maththera-coach", "messages": [question]}
    first = (await api.client.post("/v1/chat/completions", json=body, headers=child)).json()["choices"][0]["message"]
    assert first["content"].startswith("여기서 나눈 이야기는 선생님과 보호자가 볼 수 있어.")
    body["messages"] = [question, {"role": "assistant", "content": first["content"]}, question]
    second = (await api.client.post("/v1/chat/completions", json=body, headers=child)).json()
    assert "보호자가 볼 수" not in second["choices"][0]["message"]["content"]


async def test_an_unknown_age_may_need_consent(
    tmp_path: Path, redis_url: str, redis: Redis, loaded: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maththera.api.application.Content.load", lambda *_: loaded)
    async with serving(tmp_path, redis_url, unknown_age="consent") as api:
        assert (await begins(api, "s1", "session")).status_code == 403


async def test_a_consent_for_nobody_is_refused(api: Api) -> None:
    sent = {"purpose": "records", "granted": True, "given_by": "보호자"}
    assert (await api.client.post("/api/v1/students/nobody/consents", json=sent)).status_code == 404


async def test_only_who_may_consent_records_a_birth_year(api: Api) -> None:
    for role, status in (("student", 403), ("guardian", 200), ("teacher", 200)):
        who = await api.as_(role, "s1")  # type: ignore[arg-type]
        answer = await api.client.patch("/api/v1/students/s1", json={"birth_year": 2016}, headers=who)
        assert answer.status_code == status
    for bad in (1, "2016", 2016.5, True):
        assert (await api.client.patch("/api/v1/students/s1", json={"birth_year": bad})).status_code == 422


@pytest.fixture
def llm() -> Iterator[FakeLlm]:
    with FakeLlm() as found:
        yield found


@pytest.fixture
async def api_with_model(
    tmp_path: Path, redis_url: str, redis: Redis, llm: FakeLlm, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Api]:
    monkeypatch.setattr(Content, "load", shared)
    async with serving(tmp_path, redis_url, llm_base_url=llm.base_url, llm_model="m") as found:
        yield found


ASKS = ("내 약점을 분석해서 자세히 설명해 줘", "분수의 나눗셈은 왜 뒤집어서 곱하는지 이야기해 줘")


async def asked(api: Api, llm: FakeLlm, headers: dict[str, str], **more: Any) -> int:
    """How many requests a model got."""
    before = len(llm.requests)
    for message in ASKS:
        said = await api.client.post("/api/v1/chat", json={"message": message, **more}, headers=headers)
        assert said.status_code == 200, said.text
        assert '"type":"final"' in said.text
    return len(llm.requests) - before


async def test_without_consent_no_model_hears_of_a_child(api_with_model: Api, llm: FakeLlm) -> None:
    api = api_with_model
    child, teacher = await api.as_("student", "s1"), await api.as_("teacher", "s1", "s2")
    about = {"student_id": "s1", "profile": "assistant"}
    await agreed(api, "s1", "model")
    assert await asked(api, llm, child) > 0
    assert await asked(api, llm, teacher, **about) > 0
    await agreed(api, "s1", "model", granted=False)
    assert await asked(api, llm, child) == 0
    assert await asked(api, llm, teacher, **about) == 0
    assert await asked(api, llm, teacher, profile="assistant", student_id="s2") > 0


_READS_THEN_ASKS = """
flow:
  name: 활동을 읽고 쓰기
  description: 한 학생의 활동을 읽고, 사람이 본 뒤, 글을 쓰게 한다
  inputs: [{name: who, type: string}]
  steps:
    - id: read
      mcp_call: {server: lab-node-mcp, tool: get_recent_activity, params: {student_id: $inputs.who}}
    - {id: look, action: approve, depends_on: [read], question: "이대로 쓸까요?"}
    - {id: write, action: llm, depends_on: [look], prompt: closing, schema: {type: object},
       variables: {flow: f, description: d, outputs: $read_result.message}}
  outputs: {text: $write_result}
"""


async def test_a_run_that_read_of_such_a_child_asks_no_model_after_its_pause(api_with_model: Api, llm: FakeLlm) -> None:
    """The input does not say that it is a student: only the call does."""
    api = api_with_model
    saved = await api.client.put("/api/v1/flows/활동을 읽고 쓰기", json={"text": _READS_THEN_ASKS})
    assert saved.status_code == 201, saved.text
    await api.as_("teacher", "s1", "s2")
    await agreed(api, "s1", "model")
    await agreed(api, "s2", "model", granted=False)

    async def requests(who: str) -> int:
        before = len(llm.requests)
        begun = await api.client.post("/api/v1/flows/활동을 읽고 쓰기/run", json={"inputs": {"who": who}})
        path = f"/api/v1/executions/{begun.json()['execution_id']}"
        async with asyncio.timeout(60):
            while (view := (await api.client.get(path)).json())["status"] in {"running", "waiting"}:
                if view["status"] == "waiting":
                    await api.client.post(f"{path}/resume", json={"answer": {"approved": True}})
                await asyncio.sleep(0.05)
        return len(llm.requests) - before

    assert await requests("s1") > 0
    assert await requests("s2") == 0
