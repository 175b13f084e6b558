"""What really is answered, held against the schemas of the documentation."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from maththera.api.chat_turns import LARGEST_BODY
from maththera.api.http_layer.response_models import Answer
from maththera.store.access.authorization import Role
from tests.api.conftest import Api, FlowApi
from tests.api.test_papers import add, chat
from tests.api.test_reviews import PATTERN, decide, unknown_answers
from tests.api.test_sessions import answer_to, events
from tests.api.test_students import CONSENT
from tests.support.flow_home import FLOWS

STUDENT, REVIEW = "/api/v1/students/{student_id}", "/api/v1/reviews/{review_id}"
READ_BY: dict[Role, tuple[str, ...]] = {
    "student": ("summary", "heatmap", "sessions", "consents"),
    "guardian": ("summary", "heatmap", "sessions", "consents", "export"),
}

EVERY_KIND_OF_EVENT = """
flow:
  name: 모두
  description: 묻고, 세고, 빼고, 다시 하고, 실패한다
  steps:
    - {id: ask, action: approve, question: "해도 될까요?"}
    - id: each
      action: foreach
      items: [1, 2]
      steps:
        - {id: inside, action: python, code: "return 1"}
      depends_on: [ask]
    - {id: never, condition: $ask_result.approved, action: python, code: "return 1", depends_on: [ask]}
    - {id: odd, condition: 1 / 0 > 1, action: python, code: "return 1", depends_on: [ask]}
    - id: broken
      retry: {attempts: 2, backoff: 0.01}
      mcp_call: {server: faulty, tool: fail, params: {word: every, times: 99}}
      depends_on: [ask]
"""
ROLES: tuple[Role, ...] = ("student", "teacher", "admin")


class Documented:
    """Calls, and holds each answer against what the documentation says of its operation."""

    def __init__(self, api: Api, document: dict[str, Any]) -> None:
        self._api, self._document = api, document

    async def __call__(self, method: str, path: str, body: Any = None, role: Role = "admin", **known: Any) -> Any:
        headers = None if role == "admin" else await self._api.as_(role, *([] if role == "author" else ["s1"]))
        answer = await self._api.client.request(method, path.format(**known), json=body, headers=headers)
        return self.fits(method, path, answer)

    def fits(self, method: str, path: str, answer: httpx.Response) -> Any:
        assert answer.is_success, answer.text
        return self.told(method, path, answer)

    def streamed(self, method: str, path: str, answer: httpx.Response) -> set[str]:
        """Holds each event against its model. -> the types, or the names of custom ones"""
        assert answer.is_success, answer.text
        found = self._document["paths"][path][method.lower()]["responses"]["200"]["content"]["text/event-stream"]
        components = self._document["components"]
        data = components["schemas"][found["itemSchema"]["$ref"].rpartition("/")[2]]["properties"]["data"]
        schema = next(one for one in data.get("anyOf", [data]) if "contentSchema" in one)["contentSchema"]
        events = [one for one in answer.text.splitlines() if one.startswith("data: ") and one != "data: [DONE]"]
        for event in map(json.loads, (one.removeprefix("data: ") for one in events)):
            Draft202012Validator({**schema, "components": components}).validate(event)
        return {name for one in events for name in (json.loads(one[6:]).get(key) for key in ("type", "name")) if name}

    def told(self, method: str, path: str, answer: httpx.Response) -> Any:
        """As `fits`, of a refusal, too."""
        media = self._document["paths"][path][method.lower()]["responses"][str(answer.status_code)]["content"]
        schema = media[answer.headers["content-type"]]["schema"]
        assert schema, path
        found = answer.json()
        Draft202012Validator({**schema, "components": self._document["components"]}).validate(found)
        return found


async def test_answers_about_students_and_reviews_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    review = (await unknown_answers(api))[0]
    for _ in range(2):  # what happens twice is a pattern
        view = await api.begin(first_problem="28+15", c_position=8)
        assert (await api.client.post(events(view), json=answer_to(view, answer=13, rt_ms=3_000))).is_success
    await ask("POST", f"{STUDENT}/consents", {**CONSENT, "note": "2026-03-02"}, student_id="s1")
    for role, parts in READ_BY.items():
        for part in parts:
            await ask("GET", f"{STUDENT}/{part}", role=role, student_id="s1")
    summary = await ask("GET", f"{STUDENT}/summary", student_id="s1")
    assert summary["patterns"]
    await ask("GET", "/api/v1/students")
    await ask("GET", "/api/v1/reviews")
    await ask("GET", REVIEW, review_id=review["review_id"])
    assert (await decide(api, review, PATTERN)).is_success
    await ask("GET", REVIEW, review_id=review["review_id"])
    candidates = await ask("GET", "/api/v1/reviews/candidates", role="author")
    assert candidates["candidates"]
    await ask("DELETE", STUDENT, student_id="s1")


async def test_answers_about_documents_and_ratings_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    ask.fits("POST", "/api/v1/papers", await add(api))
    assert (await ask("GET", "/api/v1/papers"))["papers"]
    who = await api.as_("teacher", "s1")
    run_id, _ = await chat(api, who, "받아올림이 뭔지 설명하고 저장해줘")
    rating = "/api/v1/chat/runs/{run_id}/rating"
    sent = {"score": 5, "level": "elementary", "comment": "비유가 좋아요"}
    answer = await api.client.post(rating.format(run_id=run_id), json=sent, headers=who)
    ask.fits("POST", rating, answer)
    assert (await ask("GET", "/api/v1/ratings"))["ratings"]


@pytest.mark.slow
async def test_answers_about_runs_are_as_documented(flow_api: FlowApi) -> None:
    ask = Documented(flow_api, (await flow_api.client.get("/openapi.json")).json())
    begun = await ask("POST", "/api/v1/execute", {"context": {"flow": "쓰기", "inputs": {"word": "a"}}})
    await flow_api.reached(begun["execution_id"], "completed")
    assert (await ask("POST", "/api/v1/execute", {"command": "뭐라도 해 줘"}))["status"] == "unclear"
    failed = await flow_api.run("실패", word="c")
    await flow_api.reached(failed, "failed")
    assert (await ask("GET", "/api/v1/executions/{execution_id}", execution_id=failed))["error"]
    assert len((await ask("GET", "/api/v1/executions"))["executions"]) >= 2
    (flow_api.home / "flows" / "모두.yaml").write_text(EVERY_KIND_OF_EVENT, encoding="utf-8")
    every = await flow_api.run("모두")
    await flow_api.reached(every, "waiting")
    one = "/api/v1/executions/{execution_id}"
    await ask("POST", f"{one}/resume", {"answer": {"approved": False}}, execution_id=every)
    await flow_api.reached(every, "failed")
    await ask("POST", f"{one}/skip", {"step": "broken"}, execution_id=every)
    await flow_api.reached(every, "completed")
    events_path, seen, last = f"{one}/events".format(execution_id=every), set[str](), "0-0"
    for _ in ("to the failure", "behind the repair"):
        told = await flow_api.client.get(events_path, headers={"Last-Event-ID": last})
        seen |= ask.streamed("GET", f"{one}/events", told)
        last = [line.removeprefix("id: ") for line in told.text.splitlines() if line.startswith("id: ")][-1]
    assert seen >= {"started", "step_started", "step_finished", "step_failed", "step_skipped", "retry", "waiting"}
    assert seen >= {"answered", "repaired", "progress", "warning", "final"}
    slow = await flow_api.run("느림", word="b", seconds=60)
    await ask("POST", "/api/v1/executions/{execution_id}/cancel", execution_id=slow)


async def test_answers_about_sessions_and_of_the_running_service_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    session = "/api/v1/sessions/{session_id}"
    for role in ROLES:
        view = await ask("POST", "/api/v1/sessions", {"student_id": "s1", "seed": 7}, role=role)
        known = {"session_id": view["session_id"]}
        await ask("POST", f"{session}/events", answer_to(view, answer=77), role=role, **known)
        await ask("POST", f"{session}/events", {"type": "stop", "request_id": "r-2"}, role=role, **known)
        await ask("GET", session, role=role, **known)
    view = await ask("POST", "/api/v1/sessions", {"student_id": "s1", "seed": 7})
    told = await api.client.post(events(view), json=answer_to(view), headers={"Accept": "text/event-stream"})
    assert ask.streamed("POST", f"{session}/events", told) >= {"diagnostic_result", "task", "final"}
    await ask("GET", f"{session}/trace", **known)
    assert (await ask("POST", f"{session}/replay", **known))["identical"]
    assert (await ask("GET", "/healthz"))["status"] == "ok"
    assert (await ask("GET", "/readyz"))["dependencies"]


async def test_answers_of_the_chat_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    await ask("POST", "/api/v1/sessions", {"student_id": "s1"})
    thread, seen = "/api/v1/chat/{thread_id}", set[str]()
    for profile, message in (("coach", "내 약점 보여줘"), ("coach", "안녕"), ("assistant", "받아올림이 뭐야?")):
        said = await api.client.post("/api/v1/chat", json={"message": message, "profile": profile, "student_id": "s1"})
        known: dict[str, Any] = {name: said.headers[f"x-{name.replace('_', '-')}"] for name in ("run_id", "thread_id")}
        await ask("POST", "/api/v1/chat/runs/{run_id}/cancel", **known)
        found = await ask("GET", thread, **known)
        assert found["messages"][-1]["text"]
        seen |= found["messages"][-1]["detail"].keys()
    assert seen >= {"intent", "steps", "chart", "tool_pipeline", "final_answers"}


async def test_events_of_the_chat_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    await ask("POST", "/api/v1/sessions", {"student_id": "s1"})
    seen = set[str]()
    for profile, message in (
        ("coach", "내 약점 보여줘"),
        ("coach", "죽고 싶어"),
        ("assistant", "받아올림이 뭐야?"),
        ("assistant", "받아올림을 가르치는 논문 찾아줘"),
    ):
        sent = {"message": message, "profile": profile, "student_id": "s1"}
        answer = await api.client.post("/api/v1/chat", json=sent)
        seen |= ask.streamed("POST", "/api/v1/chat", answer)
        back = "/api/v1/chat/runs/{run_id}/events"
        again = await api.client.get(back.format(run_id=answer.headers["x-run-id"]))
        ask.streamed("GET", back, again)
        agent: dict[str, Any] = {"threadId": "t", "runId": "r", "messages": [{"role": "user", "content": message}]}
        agent["forwardedProps"] = {"profile": profile, "student_id": "s1"}
        seen |= ask.streamed("POST", "/api/v1/ag-ui", await api.client.post("/api/v1/ag-ui", json=agent))
        completion = {"model": f"maththera-{profile}", "messages": agent["messages"], "stream": True}
        completion |= {"user": "s1", "stream_options": {"include_usage": True}}
        answer = await api.client.post("/v1/chat/completions", json=completion)
        ask.streamed("POST", "/v1/chat/completions", answer)
    assert seen >= {"intent_detected", "step_result", "chart_data", "token", "safety", "route", "thinking", "final"}
    assert seen >= {"RUN_STARTED", "TOOL_CALL_RESULT", "TEXT_MESSAGE_CONTENT", "CUSTOM", "RUN_FINISHED"}


async def test_answers_to_clients_of_chat_completions_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    path = "/v1/chat/completions"
    body = {"model": "maththera-coach", "messages": [{"role": "user", "content": "내 약점 보여줘"}], "user": "s1"}
    assert (await ask("POST", path, body))["choices"][0]["message"]["content"]
    for model in (await ask("GET", "/v1/models"))["data"]:
        await ask("GET", "/v1/models/{model}", model=model["id"])
    for status, sent, headers in (
        (400, body | {"messages": []}, {}),
        (401, body, {"Authorization": "Bearer nobody"}),
        (403, body | {"model": "maththera-assistant"}, await api.as_("student", "s1")),
        (404, body | {"model": "gpt-4"}, {}),
    ):
        answer = await api.client.post(path, json=sent, headers=headers)
        assert answer.status_code == status
        assert ask.told("POST", path, answer)["error"]["message"]
    for status, content, media in ((413, b" " * (LARGEST_BODY + 1), "application/json"), (415, b"{}", "text/plain")):
        answer = await api.client.post(path, content=content, headers={"Content-Type": media})
        assert answer.status_code == status
        assert ask.told("POST", path, answer)["error"]["message"]


async def test_answers_about_lessons_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    path = "/api/v1/lessons/{lesson_id}"
    begun = await ask("POST", "/api/v1/lessons", {"user_id": "s1", "user_type": "beginner", "course": "arithmetic"})
    known = {"lesson_id": begun["lesson_id"]}
    seen = set[str]()
    on = {"message": "다음"}
    for said in (
        {"message": "시작"},
        on,
        on,
        on,
        on,
        {"hint": True},
        {"message": "죽고 싶어"},
        {"answer": 1},
        {"answer": 1},
        on,
        on,
    ):
        answer = await api.client.post(f"{path}/messages".format(**known), json=said)
        seen |= ask.streamed("POST", f"{path}/messages", answer)
        view = await ask("GET", path, **known)
        assert view.keys() == begun.keys()
        assert view["state"].keys() == begun["state"].keys()
    words = {"token", "picture", "check", "quiz", "evaluation", "safety"}
    assert seen == words | {"agent", "stage", "ui_mode", "final"}
    judged = await api.client.get("/api/v1/lessons?user_id=s1")
    assert ask.fits("GET", "/api/v1/lessons", judged)["sessions"]


@pytest.mark.slow
async def test_answers_about_flows_and_tools_are_as_documented(flow_api: FlowApi) -> None:
    ask = Documented(flow_api, (await flow_api.client.get("/openapi.json")).json())
    one, text = "/api/v1/flows/{name}", FLOWS["쓰기"].replace("name: 쓰기", "name: 다른_쓰기")
    saved = await ask("PUT", one, {"text": text}, name="다른_쓰기")
    await ask("PUT", one, {"text": text.replace("한 번", "두 번"), "hash": saved["hash"]}, name="다른_쓰기")
    (flow_api.home / "flows" / "틀린.yaml").write_text(text.replace("tool: write", "tool: wirte"), encoding="utf-8")
    assert (await ask("GET", one, name="틀린"))["faults"]
    listed = await ask("GET", "/api/v1/flows")
    assert listed["flows"]
    assert listed["faults"]
    for sent in (text, text.replace("tool: write", "tool: wirte")):
        checked = await ask("POST", "/api/v1/flows/lint", {"text": sent})
        assert checked["ok"] is not bool(checked["faults"])
    await ask("GET", f"{one}/graph", name="다른_쓰기")
    assert (await ask("POST", f"{one}/plan", {"inputs": {"word": "a"}}, name="다른_쓰기"))["steps"]
    assert (await ask("POST", f"{one}/test", name="다른_쓰기"))["passed"] is False
    await ask("POST", f"{one}/run", {"inputs": {"word": "a"}}, name="다른_쓰기")
    assert len((await ask("GET", f"{one}/versions", name="다른_쓰기"))["versions"]) == 2
    await ask("GET", f"{one}/versions/{{digest}}", name="다른_쓰기", digest=saved["hash"])
    await ask("GET", f"{one}/comparison", name="다른_쓰기")
    scheduled = text.replace("다른_쓰기", "새해").replace("type: string}", "type: string, default: a}", 1)
    scheduled = scheduled.replace("  inputs:", '  schedule: "0 7 1 1 *"\n  inputs:')
    await ask("PUT", one, {"text": scheduled}, name="새해")
    assert (await ask("GET", "/api/v1/schedules"))["schedules"]
    for change in ("pause", "resume"):
        await ask("POST", f"/api/v1/schedules/{{flow}}/{change}", flow="새해")
    found = await ask("GET", "/api/v1/tools")
    assert found["tools"]
    assert found["servers"]


async def test_each_answer_that_has_a_body_has_a_schema(api: Api) -> None:
    """An empty one lets everything pass."""
    document = (await api.client.get("/openapi.json")).json()
    without = [
        (path, method, status, media)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        for status, answer in operation["responses"].items()
        for media, content in answer.get("content", {}).items()
        if not (content.get("schema") or content.get("itemSchema"))
    ]
    assert without == []


def test_no_two_models_have_the_same_name() -> None:
    """In the document one would take the place of the other."""
    names = Counter(model.__name__ for model in set(subclasses(Answer)) if not model.__name__.startswith("_"))
    assert [name for name, number in names.items() if number > 1] == []


def subclasses(of: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in set(of.__subclasses__()):
        yield each
        yield from subclasses(each)
