"""The chat as an AG-UI agent: balanced events, whatever happens, and the same rules as everywhere."""

import json
from typing import Any, Final

import httpx
import pytest

from maththera.api.ag_ui import Translation
from tests.api.conftest import Api

PATH: Final = "/api/v1/ag-ui"
SHOW: Final = "내 약점 보여줘"

AgUi = list[dict[str, Any]]


@pytest.fixture(scope="module")
async def api(lasting_api: Api) -> Api:
    return lasting_api


async def run(api: Api, *said: str, thread: str = "t", headers: Any = None, **props: Any) -> httpx.Response:
    """`said`: the user's and the assistant's words in turn."""
    roles = ("user", "assistant")
    messages = [{"id": f"m{n}", "role": roles[n % 2], "content": text} for n, text in enumerate(said)]
    body = {"threadId": thread, "runId": "r", "messages": messages, "tools": [], "context": [], "state": {}}
    return await api.client.post(PATH, json={**body, "forwardedProps": props}, headers=headers)


def events(answer: httpx.Response) -> AgUi:
    assert answer.status_code == 200, answer.text
    found = [json.loads(line[6:]) for line in answer.text.split("\n") if line.startswith("data: ")]
    assert_balanced(found)
    return found


def assert_balanced(found: AgUi) -> None:
    """What the protocol asks of every run."""
    pairs = {
        "STEP_STARTED": ("STEP_FINISHED", "stepName"),
        "TEXT_MESSAGE_START": ("TEXT_MESSAGE_END", "messageId"),
        "TOOL_CALL_START": ("TOOL_CALL_END", "toolCallId"),
    }
    ends = {end: (start, name) for start, (end, name) in pairs.items()}
    inside = {
        "TEXT_MESSAGE_CONTENT": ("TEXT_MESSAGE_START", "messageId"),
        "TOOL_CALL_ARGS": ("TOOL_CALL_START", "toolCallId"),
    }
    still: set[tuple[str, str]] = set()
    assert found[0]["type"] == "RUN_STARTED"
    assert found[-1]["type"] in {"RUN_FINISHED", "RUN_ERROR"}
    for event in found[1:-1]:
        kind = event["type"]
        if kind in pairs:
            key = (kind, event[pairs[kind][1]])
            assert key not in still
            still.add(key)
        elif kind in ends:
            start, name = ends[kind]
            still.remove((start, event[name]))
        elif kind in inside:
            start, name = inside[kind]
            assert (start, event[name]) in still
            assert event["delta"]
        else:
            assert kind in {"TOOL_CALL_RESULT", "CUSTOM"}
    assert not still


def types(found: AgUi) -> list[str]:
    return [event["type"] for event in found]


def text(found: AgUi, name: str | None = None) -> str:
    ids = {e["messageId"] for e in found if e["type"] == "TEXT_MESSAGE_START" and e.get("name") == name}
    return "".join(e["delta"] for e in found if e["type"] == "TEXT_MESSAGE_CONTENT" and e["messageId"] in ids)


async def test_a_run_of_the_coach(api: Api) -> None:
    answer = await run(api, SHOW, thread="coach")
    found = events(answer)
    assert found[0] == {"type": "RUN_STARTED", "threadId": "coach", "runId": "r", "protocolVersion": "1.0"}
    assert found[-1] == {"type": "RUN_FINISHED", "threadId": "coach", "runId": "r"}
    assert (found[1]["name"], found[1]["value"]["intent_type"]) == ("intent_detected", "A")
    call = next(event for event in found if event["type"] == "TOOL_CALL_START")
    result = next(event for event in found if event["type"] == "TOOL_CALL_RESULT")
    assert call["toolCallName"] == "get_weak_points"
    assert result["toolCallId"] == call["toolCallId"]
    assert isinstance(json.loads(result["content"]), dict)
    view = (await api.client.get("/api/v1/chat/coach")).json()
    assert [one["text"] for one in view["messages"]] == [SHOW, text(found)]
    assert answer.headers["x-run-id"] == view["messages"][0]["run_id"]


async def test_the_levels_of_the_assistant_are_messages(api: Api) -> None:
    found = events(await run(api, "자릿값이 뭐야?", thread="levels", profile="assistant"))
    assert text(found, "elementary")
    assert text(found, "beginner")
    missing = events(await run(api, "xyzzy가 뭐야?", thread="missing", profile="assistant"))
    assert {e["name"] for e in missing if e["type"] == "CUSTOM"} == {"route", "fallback"}


async def test_the_record_goes_on_before_what_the_client_repeats(api: Api) -> None:
    first = text(events(await run(api, "뺄셈이 어려워", thread="goes-on")))
    events(await run(api, "뺄셈이 어려워", first, "왜?", thread="goes-on"))
    assert (await api.client.get("/api/v1/chat/goes-on")).json()["turns"] == 2
    alone = text(events(await run(api, "왜?", thread="alone")))
    assert text(events(await run(api, "7×8이 왜 56이야?", "더하면 돼.", "왜?", thread="repeated"))) != alone


async def test_any_name_of_a_thread_will_do(api: Api) -> None:
    first = await run(api, SHOW, thread="우리 반/1")
    assert events(first)[0]["threadId"] == "우리 반/1"
    second = await run(api, SHOW, thread="우리 반/1")
    assert first.headers["x-thread-id"] == second.headers["x-thread-id"]


async def test_a_front_ends_own_requests_leave_no_record(api: Api) -> None:
    answer = await run(api, SHOW, "뺄셈이야.", "Generate a concise title for this conversation", thread="titled")
    assert types(events(answer)) == [
        "RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"
    ]  # fmt: skip
    assert text(events(answer)) == SHOW
    assert (await api.client.get("/api/v1/chat/titled")).status_code == 404


async def test_who_may_run_it_about_whom(api: Api) -> None:
    child = await api.as_("student", "s1")
    assert (await run(api, SHOW, thread="own", headers=child)).status_code == 200
    assert (await run(api, SHOW, thread="own", headers=await api.as_("student", "s2"))).status_code == 404
    assert (await run(api, SHOW, thread="x", headers=child, student_id="s2")).status_code == 404
    assert (await run(api, SHOW, thread="x", headers=child, profile="assistant")).status_code == 403
    assert (await run(api, SHOW, thread="x", headers={"Authorization": ""})).status_code == 401


@pytest.mark.parametrize(
    ("more", "loc"),
    [
        ({"messages": []}, "body.messages"),
        ({"messages": [{"id": "1", "role": "assistant", "content": SHOW}]}, "body.messages"),
        ({"messages": [{"id": "1", "role": "user", "content": "\x00"}]}, "body.messages.0.content"),
        ({"messages": [{"id": "1", "role": "user", "content": "가" * 4001}]}, "body.messages"),
        ({"threadId": ""}, "body.threadId"),
        ({"forwardedProps": {"profile": "x"}}, "body.forwardedProps.profile"),
        ({"forwardedProps": {"student_id": "a:b"}}, "body.forwardedProps.student_id"),
    ],
)
async def test_what_does_not_fit_is_refused(api: Api, more: dict[str, Any], loc: str) -> None:
    whole = {"threadId": "t", "runId": "r", "messages": [{"id": "1", "role": "user", "content": SHOW}]}
    answer = await api.client.post(PATH, json=whole | more)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["loc"] == loc


async def test_messages_of_every_kind_are_let_by(api: Api) -> None:
    messages = [
        {"id": "1", "role": "developer", "content": "Be a pirate."},
        {"id": "2", "role": "user", "content": "뺄셈이 어려워"},
        {"id": "3", "role": "assistant", "toolCalls": [{"id": "c", "type": "function"}]},
        {"id": "4", "role": "tool", "toolCallId": "c", "content": "{}"},
        {"id": "5", "role": "activity", "activityType": "x", "content": {"a": 1}},
        {"id": "6", "role": "reasoning", "content": "흠"},
        {"id": "7", "role": "user", "content": [{"type": "text", "text": SHOW}, {"type": "image", "source": {}}]},
    ]
    body = {"threadId": "kinds", "runId": "r", "messages": messages, "resume": [], "parentRunId": "p"}
    events(await api.client.post(PATH, json=body))
    assert (await api.client.get("/api/v1/chat/kinds")).json()["messages"][0]["text"] == SHOW


STEP: Final = {"type": "step_start", "tool": "get_user_scores", "arguments": {}}
THINK: Final = {"type": "thinking", "message": "…"}
TOKEN: Final = {"type": "token", "token": "안"}
FINAL: Final = {"type": "final"}


def failed(code: str) -> dict[str, Any]:
    return {"type": "error", "code": code, "message": "왜"}


@pytest.mark.parametrize(
    ("told", "last"),
    [
        ([FINAL], "RUN_FINISHED"),
        ([THINK, THINK, FINAL], "RUN_FINISHED"),
        ([THINK, STEP, STEP, failed("cancelled"), FINAL], "RUN_ERROR"),
        ([TOKEN, failed("interrupted"), FINAL], "RUN_ERROR"),
        ([TOKEN, failed("internal"), FINAL], "RUN_ERROR"),
        ([failed("llm_timeout"), TOKEN, FINAL], "RUN_FINISHED"),
        ([TOKEN, failed("store_unavailable"), FINAL], "RUN_FINISHED"),
        ([failed("store_unavailable"), FINAL], "RUN_ERROR"),
    ],
)
def test_however_a_run_ends_it_is_balanced(told: AgUi, last: str) -> None:
    translation = Translation("t", "r", "ours")
    found = [translation.begin(), *(event for one in told for event in translation.of(one))]
    assert_balanced(found)
    assert found[-1]["type"] == last


def test_results_find_their_calls() -> None:
    translation = Translation("t", "r", "ours")
    calls: AgUi = [{**STEP, "tool": tool} for tool in "aba"]
    results: AgUi = [
        {"type": "step_result", "tool": tool, "result": {"n": n}, "cached": False} for n, tool in enumerate("baa")
    ]
    found = [event for one in (*calls, *results) for event in translation.of(one)]
    ids = [event["toolCallId"] for event in found if event["type"] == "TOOL_CALL_START"]
    answered = {e["toolCallId"]: json.loads(e["content"])["n"] for e in found if e["type"] == "TOOL_CALL_RESULT"}
    assert answered == {ids[1]: 0, ids[0]: 1, ids[2]: 2}
