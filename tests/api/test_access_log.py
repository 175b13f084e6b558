"""Adults who look at a child's records leave an entry, which outlives the child's records without the child."""

from datetime import timedelta
from typing import Any, Final

import pytest

from maththera.reports.signed_links import report_file
from maththera.store.access.authorization import Principal
from maththera.store.reports import ReportRecords
from maththera.store.saved_files import SavedFiles
from tests.api.conftest import Api, FlowApi
from tests.api.test_mcp import client_of
from tests.api.test_reviews import PATTERN, unknown_answers
from tests.support.flow_home import FLOWS

STUDENT: Final = "/api/v1/students/{student_id}"
RUN: Final = "/api/v1/executions/{execution_id}"
CLASS: Final = "/api/v1/classes/{class_id}"
SAID: Final = {"role": "user", "content": "받아올림이 뭐야?"}
ABOUT: Final = {"message": SAID["content"], "profile": "assistant", "student_id": "s1"}
AG_UI: Final = {
    "threadId": "t3",
    "runId": "r",
    "messages": [{"id": "1", **SAID}],
    "forwardedProps": {"profile": "assistant", "student_id": "s1"},
}
READS: Final[dict[str, tuple[str, str, Any]]] = {
    "GET /api/v1/students": ("read", "roster", None),
    f"GET {STUDENT}": ("read", "student", None),
    f"PATCH {STUDENT}": ("consent", "student", {"birth_year": 2000}),
    f"GET {STUDENT}/summary": ("read", "summary", None),
    f"GET {STUDENT}/overview": ("read", "overview", None),
    f"GET {STUDENT}/heatmap": ("read", "heatmap", None),
    f"GET {STUDENT}/knowledge": ("read", "knowledge", None),
    f"GET {STUDENT}/number-sense": ("read", "number_sense", None),
    f"GET {STUDENT}/sessions": ("read", "sessions", None),
    f"GET {STUDENT}/letter": ("read", "letter", None),
    f"GET {STUDENT}/readers": ("read", "readers", None),
    f"POST {STUDENT}/requests": ("read", "request", {"kind": "correction", "about": "name"}),
    "GET /api/v1/requests": ("read", "request", None),
    "GET /api/v1/attention": ("read", "request, review", None),
    "POST /api/v1/requests/{request_id}/done": ("change", "request", None),
    f"GET {STUDENT}/trainings": ("read", "trainings", None),
    f"GET {STUDENT}/export": ("export", "everything", None),
    f"GET {STUDENT}/consents": ("read", "consents", None),
    f"POST {STUDENT}/consents": (
        "consent",
        "consents",
        {"purpose": "learning", "granted": True, "given_by": "보호자"},
    ),
    f"GET {STUDENT}/goals": ("read", "goals", None),
    f"POST {STUDENT}/goals": ("read", "goals", {"skill_id": "C7.nine", "due": "2099-12-01"}),
    f"PATCH {STUDENT}/goals/{{goal_id}}": ("read", "goals", {"right": 3}),
    f"DELETE {STUDENT}/goals/{{goal_id}}": ("read", "goals", None),
    f"GET {STUDENT}/reports": ("read", "reports", None),
    f"POST {STUDENT}/reports": ("read", "reports", {"kind": "guardian"}),
    f"POST {STUDENT}/reports/{{report_id}}/links": ("change", "reports", None),
    f"DELETE {STUDENT}/reports/{{report_id}}/links/{{link_id}}": ("change", "reports", None),
    f"POST {STUDENT}/cards": ("change", "card", None),
    "GET /api/v1/classes": ("read", "class", None),
    f"GET {CLASS}": ("read", "class", None),
    f"GET {CLASS}/overview": ("read", "class", None),
    f"GET {CLASS}/sheet": ("read", "class", None),
    f"PATCH {CLASS}": ("read", "class", {"name": "3반"}),
    f"POST {CLASS}/cards": ("change", "card", None),
    f"POST {CLASS}/members": ("change", "class", {"student_id": "s1", "nickname": "하늘"}),
    f"DELETE {CLASS}/members/{{student_id}}": ("change", "class", None),
    "POST /api/v1/sessions": ("read", "session", {"student_id": "s1"}),
    "POST /api/v1/sessions/{session_id}/observations": (
        "read",
        "session",
        {"task_id": "t1", "tags": ["OBS_FINGER_COUNTING"]},
    ),
    "POST /api/v1/sessions/{session_id}/events": ("read", "session", {"type": "stop", "request_id": "r"}),
    f"GET {STUDENT}/turns": ("read", "turns", None),
    "GET /api/v1/sessions/{session_id}": ("read", "session", None),
    "GET /api/v1/sessions/{session_id}/trace": ("read", "session", None),
    "GET /api/v1/sessions/{session_id}/steps": ("read", "session", None),
    "POST /api/v1/sessions/{session_id}/replay": ("read", "session", {}),
    "POST /api/v1/chat": ("read", "chat", ABOUT),
    "POST /api/core/ai-coach/chat/": ("read", "chat", {"message": SAID["content"], "student_id": "s1"}),
    "POST /api/v1/ag-ui": ("read", "chat", AG_UI),
    "POST /v1/chat/completions": ("read", "chat", {"model": "maththera-assistant", "messages": [SAID], "user": "s1"}),
    "GET /api/v1/chat/runs/{run_id}/events": ("read", "chat", None),
    "GET /api/v1/chat/{thread_id}": ("read", "chat", None),
    "POST /api/v1/lessons": ("read", "lesson", {"user_id": "s1", "user_type": "beginner"}),
    "GET /api/v1/lessons": ("read", "lessons", None),
    "POST /api/v1/lessons/{lesson_id}/messages": ("read", "lesson", {"message": "시작"}),
    "GET /api/v1/lessons/open": ("read", "lessons", None),
    "GET /api/v1/lessons/{lesson_id}": ("read", "lesson", None),
    "GET /api/v1/lessons/{lesson_id}/sessions": ("read", "lesson", None),
    "GET /api/v1/files/{file_id}": ("read", "file", None),
    "GET /api/v1/ratings": ("read", "rating", None),
    "GET /api/v1/reviews": ("read", "review", None),
    "GET /api/v1/reviews/clusters": ("read", "review", None),
    "GET /api/v1/reviews/{review_id}": ("read", "review", None),
    "POST /api/v1/reviews/{review_id}/open": ("read", "review", {}),
    "POST /api/v1/reviews/decide": ("read", "review", {"verdict": "slip"}),
    "POST /api/v1/reviews/{review_id}/decide": ("read", "review", PATTERN),
    "POST /api/v1/execute": (
        "read",
        "run",
        {"command": "적어 줘", "student_id": "s1", "context": {"flow": "쓰기", "inputs": {"word": "하나"}}},
    ),
    "POST /api/v1/flows/{name}/run": ("read", "run", {"inputs": {"word": "둘", "student_id": "s1"}}),
    "GET /api/v1/executions": ("read", "run", None),
    "GET /api/v1/procedures/versions/{version}/sessions": ("read", "sessions", None),
    f"GET {RUN}": ("read", "run", None),
    f"GET {RUN}/events": ("read", "run", None),
    f"POST {RUN}/resume": ("read", "run", {"answer": {"approved": True}}),
    f"POST {RUN}/cancel": ("read", "run", None),
    f"POST {RUN}/retry": ("read", "run", {"from_step": "broken"}),
    f"POST {RUN}/mark_done": ("read", "run", {"step": "broken", "value": {"count": 1}}),
    f"POST {RUN}/skip": ("read", "run", {"step": "broken"}),
    "GET /api/v1/reports/{report_id}.pdf": ("read", "report", None),
}
"""Operation → the entry that it leaves, or those with the newest first, and what is sent."""

NOBODY: Final = {
    "what the service has of no child": {
        "GET /healthz", "GET /readyz", "GET /metrics", "GET /v1/models", "GET /v1/models/{model}",
        "GET /api/v1/observations", "GET /api/v1/operations",
        "GET /api/v1/papers", "POST /api/v1/papers", "DELETE /api/v1/papers/{paper_id}", "GET /api/v1/tools",
        "GET /api/v1/flows", "GET /api/v1/flow-schema", "GET /api/v1/schedules", "GET /api/v1/lessons/courses",
        "POST /api/v1/schedules/{flow}/pause", "POST /api/v1/schedules/{flow}/resume",
        *(f"{method} /api/v1/flows/{{name}}" for method in ("GET", "PUT", "DELETE")),
        *(f"GET /api/v1/flows/{{name}}/{part}" for part in ("graph", "versions", "versions/{digest}", "comparison")),
        *(f"POST /api/v1/flows/{{name}}/{part}" for part in ("plan", "test")),
        *(f"POST /api/v1/flows/{what}" for what in ("lint", "inspect", "test", "sample-tests")),
    },
    "examples of rules, and procedures, which do not say whose they are": {
        "GET /api/v1/reviews/candidates", "GET /api/v1/procedures", "POST /api/v1/procedures",
        "POST /api/v1/procedures/check", "POST /api/v1/procedures/preview", "GET /api/v1/procedures/language",
        "GET /api/v1/procedures/versions",
        "GET /api/v1/procedures/{procedure_id}",
        *(f"POST /api/v1/procedures/{{procedure_id}}/{what}" for what in ("trial", "approve", "off")),
    },
    "an id or a score that the caller has just sent": {
        "POST /api/v1/chat/runs/{run_id}/cancel", "POST /api/v1/chat/runs/{run_id}/rating",
    },
    "the names of those for whom the caller stands, and an admin stands for none": {
        "GET /api/v1/me", "PUT /api/v1/me/prefs",
    },
    "signing in, of which there are entries of another kind": {
        f"{method} /api/v1/auth/{what}" for method, what in (
            ("POST", "sessions"), ("DELETE", "sessions"), ("POST", "devices"), ("GET", "tiles"), ("POST", "child"),
            ("POST", "card"),
        )
    },
    "one's own conversations": {
        "GET /api/v1/chat", "PATCH /api/v1/chat/{thread_id}", "DELETE /api/v1/chat/{thread_id}",
        "POST /api/v1/chat/{thread_id}/regenerate",
    },
    "a class without its children": {
        "POST /api/v1/classes", f"POST {CLASS}/device-codes", f"GET {CLASS}/devices",
        f"DELETE {CLASS}/devices/{{device_id}}",
    },
    "asked four times a minute beside the overview, whose look is logged": {f"GET {CLASS}/overview/playing"},
    "what adults did": {"GET /api/v1/access-log"},
    "tokens, of which a new one has an entry": {
        "GET /api/v1/tokens", "POST /api/v1/tokens", "POST /api/v1/tokens/{token_id}/rotate",
        "DELETE /api/v1/tokens/{token_id}",
    },
    "nothing is read, and the test of erasure has its entry": {f"DELETE {STUDENT}"},
}  # fmt: skip
REPORT: Final = "a" * 24


async def entries(api: Api, **wanted: str) -> list[tuple[str, str, str | None]]:
    found = (await api.client.get("/api/v1/access-log", params=wanted)).json()["entries"]
    return [(one["access"], one["what"], one["student_id"]) for one in found]


async def test_every_operation_says_whether_it_reads_what_is_a_childs(api: Api) -> None:
    document = (await api.client.get("/openapi.json")).json()
    there = {f"{method.upper()} {path}" for path, own in document["paths"].items() for method in own}
    known = READS.keys() | set().union(*NOBODY.values())
    assert there - known == set(), "READS needs an entry for what reads a child's records, NOBODY for what reads none"
    assert known - there == set(), "READS or NOBODY names an operation that is not there"


@pytest.fixture(scope="module")
async def records(flow_api: FlowApi) -> dict[str, Any]:
    """The ids of what there is of s1, by the names of the document's parameters."""
    api, child = flow_api, await flow_api.as_("student", "s1")
    database = api.app.state.services.learners.alerts._database
    review = (await unknown_answers(api, "s1"))[0]
    session = await api.begin("s1")
    lesson = await api.client.post("/api/v1/lessons", json={"user_id": "s1", "user_type": "beginner"}, headers=child)
    said = await api.client.post("/api/v1/chat", json={"message": "나는 죽고 싶어", "thread_id": "t1"}, headers=child)
    alert = (await api.client.get("/api/v1/reviews", params={"kind": "safety"})).json()["reviews"][0]
    rated = await api.client.post("/api/v1/chat", json=ABOUT)
    rating = f"/api/v1/chat/runs/{rated.headers['x-run-id']}/rating"
    assert (await api.client.post(rating, json={"score": 5})).is_success
    admin = Principal((await api.tokens.list())[0].token_id, "admin")
    file = await SavedFiles(database).save(admin, "s1", "답", "본문", timedelta(hours=1))
    goal = await api.client.post("/api/v1/students/s1/goals", json={"skill_id": "C8.tens", "due": "2099-12-01"})
    asked = await api.client.post("/api/v1/students/s1/requests", json={"kind": "erasure", "about": "answers"})
    day: dict[str, Any] = {"since": "2026-11-01", "until": "2026-11-22", "pages": 1}
    await ReportRecords(database).save(REPORT, kind="teacher", title="1", student_ids=["s1"], **day)
    link = await ReportRecords(database).add_link(REPORT, timedelta(hours=1))
    assert link is not None
    pdf = report_file(api.app.state.services.data_dir, REPORT)
    pdf.parent.mkdir(exist_ok=True)
    pdf.write_bytes(b"%PDF-")
    made = await api.client.post("/api/v1/classes", json={"name": "2반"})
    members = f"/api/v1/classes/{made.json()['class_id']}/members"
    assert (await api.client.post(members, json={"student_id": "s1", "nickname": "하늘"})).is_success
    return {
        "student_id": "s1",
        "class_id": made.json()["class_id"],
        "user_id": "s1",
        "session_id": session["session_id"],
        "lesson_id": lesson.json()["lesson_id"],
        "thread_id": "t1",
        "run_id": said.headers["x-run-id"],
        "file_id": file.file_id,
        "report_id": REPORT,
        "link_id": link.link_id,
        "goal_id": goal.json()["goal_id"],
        "version": 0,
        "request_id": asked.json()["request_id"],
        "review_id": review["review_id"],
        "alert_id": alert["review_id"],
        "name": "쓰기",
    }


async def run_of(api: FlowApi, operation: str) -> str:
    """-> the id of a run about s1 that the operation can do something with."""
    asks = operation.endswith(("resume", "cancel"))
    kind = "승인" if asks else "실패"
    text = FLOWS[kind].replace(f"name: {kind}", f"name: {kind}_학생")
    text = text.replace("type: string}]", "type: string}, {name: student_id, type: string}]", 1)
    (api.home / "flows" / f"{kind}_학생.yaml").write_text(text, encoding="utf-8")
    execution_id = await api.run(f"{kind}_학생", word="하나", student_id="s1")
    await api.reached(execution_id, "waiting" if asks else "failed")
    return execution_id


@pytest.mark.parametrize("operation", READS)
async def test_a_look_is_logged_and_told(
    flow_api: FlowApi, records: dict[str, Any], monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    access, what, body = READS[operation]
    method, path = operation.split()
    known = dict(records)
    if RUN in path:
        known["execution_id"] = await run_of(flow_api, operation)
    if path.endswith("/reviews/decide"):
        fresh = (await unknown_answers(flow_api, "s1", 120))[-1]
        body = {**body, "review_ids": [fresh["review_id"]]}
    if path.endswith("/open"):
        known["review_id"] = known["alert_id"]
    params = {"user_id": "s1"} if operation in ("GET /api/v1/lessons", "GET /api/v1/lessons/open") else None
    if path.endswith("/sheet"):
        params = {"skill_id": "C8.tens"}
    url = path.format(**known)
    if path.endswith(".pdf"):
        link = (await flow_api.client.post(f"/api/v1/students/s1/reports/{REPORT}/links")).json()
        url = link["url"]
    monkeypatch.setattr("maththera.store.access.access_log._SAME_S", 0.0)
    before = await entries(flow_api, student_id="s1")
    seen = await flow_api.client.request(method, url, json=body, params=params)
    assert (seen.is_success, seen.headers.get("x-access-logged")) == (True, "true"), seen.text
    after = await entries(flow_api, student_id="s1")
    assert after[: len(after) - len(before)] == [(access, each, "s1") for each in what.split(", ")]


async def test_a_childs_own_looks_are_not_logged(api: Api) -> None:
    child = await api.as_("student", "s1")
    session = await api.client.post("/api/v1/sessions", json={"student_id": "s1"}, headers=child)
    for path in (session.headers["location"], "/api/v1/students/s1/summary", "/api/v1/students"):
        seen = await api.client.get(path, headers=child)
        assert (seen.status_code, "x-access-logged" in seen.headers) == (200, False)
    assert await entries(api) == []


async def test_reads_of_a_kind_within_a_minute_are_one_entry(api: Api) -> None:
    teacher = await api.as_("teacher", "s1", "s2")
    for _ in range(3):
        await api.client.get("/api/v1/students", headers=teacher)
    assert sorted(await entries(api)) == [("read", "roster", "s1"), ("read", "roster", "s2")]


async def test_an_entry_says_whose_token_it_was(api: Api) -> None:
    made = (
        await api.client.post("/api/v1/tokens", json={"role": "teacher", "subject": ["s1"], "label": "김 선생님"})
    ).json()
    for token in (made["token"], await api.tokens.create("guardian", ["s1"])):
        await api.client.get("/api/v1/students", headers={"Authorization": f"Bearer {token}"})
    before = (await api.client.get("/api/v1/access-log")).json()["entries"]
    (ended,) = {one["token_id"] for one in before if one["label"] == "김 선생님"}
    assert (await api.client.delete(f"/api/v1/tokens/{ended}")).is_success
    found = (await api.client.get("/api/v1/access-log")).json()["entries"]
    assert [(one["role"], one["label"]) for one in found if one["what"] == "roster"] == [
        ("guardian", None),
        ("teacher", "김 선생님"),
    ]


async def test_a_tool_of_an_mcp_server_and_the_link_that_it_gives_are_logged(api: Api) -> None:
    async with client_of(api, "report-node-mcp", await api.as_("teacher", "s1")) as client:
        made = await client.call_tool("generate_typst_report", {"student_id": "s1", "report_type": "diagnostic"})
    report = made.structured_content or {}
    assert (await api.client.get(report["pdf_url"], headers={"Authorization": ""})).status_code == 200
    opened, asked = (await api.client.get("/api/v1/access-log")).json()["entries"]
    assert (asked["what"], asked["role"], asked["student_id"]) == ("tool", "teacher", "s1")
    assert (opened["what"], opened["role"], opened["token_id"]) == ("report", "link", report["report_id"])


async def test_export_and_erasure_are_logged_and_the_child_is_forgotten(api: Api) -> None:
    await api.begin("s1")
    await api.begin("s2")
    await api.client.get("/api/v1/students/s2/summary")
    await api.client.patch("/api/v1/students/s1", json={"birth_year": 2000})
    assert "2000" in (await api.client.get("/api/v1/students/s1/export")).text
    assert (await api.client.delete("/api/v1/students/s1")).status_code == 200
    assert await entries(api) == [
        ("erase", "everything", None),
        ("export", "everything", None),
        ("consent", "student", None),
        ("read", "summary", "s2"),
        ("read", "session", "s2"),
        ("read", "session", None),
    ]


async def test_the_log_is_the_admins_and_has_pages(api: Api) -> None:
    await api.begin("s1")
    for _ in range(2):
        await api.client.get("/api/v1/students/s1/export")
    first = (await api.client.get("/api/v1/access-log", params={"limit": 2})).json()
    rest = (await api.client.get("/api/v1/access-log", params={"limit": 2, "before": first["next"]})).json()
    assert [len(first["entries"]), len(rest["entries"]), rest["next"]] == [2, 1, None]
    teacher = await api.as_("teacher", "s1")
    assert (await api.client.get("/api/v1/access-log", headers=teacher)).status_code == 403
