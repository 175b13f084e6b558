"""Every field of every request, out of range and of the wrong type: 422 and the field's name. And worse."""

import asyncio
import re
from typing import Any

import httpx
import pytest

from maththera.api.http_layer.json_body import LARGEST_BODY
from maththera.api.sessions import NewSessionBody
from maththera.tutoring.turns.events import AnswerSubmitted, Stop, StrategyTold, Telemetry, TimedOut, TrainingDone
from tests.api.conftest import Api

WRONG: dict[str, tuple[Any, ...]] = {
    "text": (None, True, 7, 1.5, [], {}, "", "x" * 129, "a\u0000b", "a\nb"),
    "name": (
        None,
        True,
        7,
        1.5,
        [],
        {},
        "",
        "x" * 65,
        "a b",
        "a/b",
        "a\u0000b",
        "<b>",
        "가".encode().decode("latin-1"),
    ),
    "milliseconds": (None, True, "7", 1.5, [], {}, -1, 10**30),
    "count": (True, "7", 1.5, [], {}, -1, 10_001, 10**30),
}
SESSION = {
    "student_id": WRONG["name"],
    "c_position": (True, "7", 7.5, [], {}, 0, 16, -1, 10**30),
    "w_position": (True, "7", [], {}),
    "capabilities": (None, True, "all", []),
    "problem_count": (True, "7", 7.5, [], {}, 0, -1, 100_000, 10**30),
    "first_problem": (
        True,
        188,
        [],
        {},
        "",
        "x" * 33,
        "9+",
        "98+",
        "1+1+1",
        "a+b",
        "7-9",
        "5/0",
        "7/2",
        "1000+1",
        "0x10+1",
    ),
    "seed": (True, "7", 7.5, [], {}, -1, 2**53, 10**30),
    "mode": (True, 7, "", "exam", [], {}),
    "resume": (7, "yes please", [], {}),
    "unknown": (1,),
}
ANSWER: dict[str, tuple[Any, ...]] = {
    "request_id": WRONG["text"],
    "task_id": WRONG["text"],
    "answer": (None, True, 1.5, [], {}, "", "많이", "x" * 65, "1 2", "사십이요", 10**13, -(10**13), "9" * 60, 10**80),
    "rt_ms": WRONG["milliseconds"],
    "input": (True, 7, "", "eyes", [], {}),
    "behavior_tags": (None, True, 7, "OBS_OVERRELIANCE_COUNTING", {}, ["OBS_OVERRELIANCE_COUNTING"] * 21),
    "behavior_tags.0": (["OBS_NOBODY_KNOWS"], [7], [None], [""], ["x" * 65], [[]]),
    "behavior_tags.1": (["OBS_OVERRELIANCE_COUNTING", "OBS_NOBODY_KNOWS"],),
    "steps": (True, 7, "3", {}, [3] * 21),
    "steps.0": ([1.5], ["x"], [{}]),
    "telemetry": (True, 7, "x", []),
    "telemetry.unknown": ({"unknown": 1},),
    "unknown": (1,),
}
TELEMETRY = {"first_input_ms": WRONG["milliseconds"][1:], "edits": WRONG["count"], "focus_losses": WRONG["count"],
             "hidden_ms": WRONG["milliseconds"][1:], "helped": (True, 7, "aid", {}), "reloaded": (1, "yes"),
             "device": (True, 7, "pen"), "rt_reliable": (0, "no")}  # fmt: skip
TIMEOUT = {
    "request_id": WRONG["text"], "task_id": WRONG["text"], "said": (False, 7, "yes", []), "unknown": (1,),
}  # fmt: skip
TRAINING: dict[str, tuple[Any, ...]] = {
    "request_id": WRONG["text"],
    "task_id": WRONG["text"][1:],
    "training_id": (None, True, 12, [], {}, "", "T1", "T120", "T99", "t12"),
    "results": (None, True, 7, "x", {f"k{n}": 1 for n in range(51)}),
    "results.deep": ({"deep": {"deeper": 1}}, {"deep": "x" * 65}),
    "unknown": (1,),
}
STOP = {"request_id": WRONG["text"], "task_id": WRONG["text"][1:], "unknown": (1,)}
TOLD = {
    "request_id": WRONG["text"],
    "task_id": WRONG["text"],
    "how": (None, 1, "", "guessed", []),
    "unknown": (1,),
}


@pytest.fixture(scope="module")
def api(lasting_api: Api) -> Api:
    """What is refused changes nothing, so that one service is enough."""
    return lasting_api


def cases(wrong: dict[str, tuple[Any, ...]]) -> list[Any]:
    return [
        pytest.param(name, value, id=f"{name}={str(value)[:24]!r}") for name, all_ in wrong.items() for value in all_
    ]


def test_the_lists_above_leave_out_no_field() -> None:
    for model, wrong in (
        (NewSessionBody, SESSION),
        (AnswerSubmitted, ANSWER),
        (Telemetry, TELEMETRY),
        (TimedOut, TIMEOUT),
        (TrainingDone, TRAINING),
        (Stop, STOP),
        (StrategyTold, TOLD),
    ):
        assert set(model.model_fields) - {"type"} <= set(wrong), model


def refused(answer: httpx.Response, field: str) -> None:
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert document["code"] == "invalid_input"
    assert f"body.{field}" in [error["loc"] for error in document["errors"]], document["errors"]
    assert all(error["msg"] for error in document["errors"])


@pytest.mark.parametrize(("field", "value"), cases(SESSION))
async def test_a_bad_field_of_a_new_session(api: Api, field: str, value: Any) -> None:
    refused(await api.client.post("/api/v1/sessions", json={"student_id": "s1", field: value}), field)


async def test_a_session_needs_a_student(api: Api) -> None:
    refused(await api.client.post("/api/v1/sessions", json={}), "student_id")


async def send(api: Api, body: dict[str, Any]) -> httpx.Response:
    view = await api.begin()
    body = {"task_id": view["task"]["task_id"], **body}
    return await api.client.post(f"/api/v1/sessions/{view['session_id']}/events", json=body)


@pytest.mark.parametrize(("field", "value"), cases(ANSWER))
async def test_a_bad_field_of_an_answer(api: Api, field: str, value: Any) -> None:
    body = {"type": "answer_submitted", "request_id": "r", "answer": 14, "rt_ms": 2000, "behavior_tags": []}
    member = field.partition(".")[0]
    refused(await send(api, body | {member: value}), field)


@pytest.mark.parametrize(("field", "value"), cases(TELEMETRY))
async def test_a_bad_field_of_the_telemetry(api: Api, field: str, value: Any) -> None:
    body = {"type": "answer_submitted", "request_id": "r", "answer": 14, "rt_ms": 2000, "telemetry": {field: value}}
    refused(await send(api, body), f"telemetry.{field}")


@pytest.mark.parametrize(("field", "value"), cases(TIMEOUT))
async def test_a_bad_field_of_a_timeout(api: Api, field: str, value: Any) -> None:
    refused(await send(api, {"type": "timeout", "request_id": "r", field: value}), field)


@pytest.mark.parametrize(("field", "value"), cases(TRAINING))
async def test_a_bad_field_of_a_training(api: Api, field: str, value: Any) -> None:
    body = {"type": "training_done", "request_id": "r", "training_id": "T12", "results": {}}
    refused(await send(api, body | {field.partition(".")[0]: value}), field)


@pytest.mark.parametrize(("field", "value"), cases(STOP))
async def test_a_bad_field_of_a_stop(api: Api, field: str, value: Any) -> None:
    view = await api.begin()
    body = {"type": "stop", "request_id": "r", field: value}
    refused(await api.client.post(f"/api/v1/sessions/{view['session_id']}/events", json=body), field)


@pytest.mark.parametrize("field", ["request_id", "task_id", "answer", "rt_ms"])
async def test_what_an_answer_needs(api: Api, field: str) -> None:
    body = {"type": "answer_submitted", "request_id": "r", "task_id": "t", "answer": 14, "rt_ms": 2000}
    del body[field]
    view = await api.begin()
    refused(await api.client.post(f"/api/v1/sessions/{view['session_id']}/events", json=body), field)


@pytest.mark.parametrize("kind", [None, 7, "", "answer", [], {}])
async def test_an_unknown_type_of_event(api: Api, kind: Any) -> None:
    refused(await send(api, {"type": kind, "request_id": "r"}), "type")


async def test_the_types_of_events_are_listed_in_words(api: Api) -> None:
    for body in ({"type": "answer", "request_id": "r"}, {"request_id": "r"}):
        (error,) = (await send(api, body)).json()["errors"]
        assert error == {
            "loc": "body.type",
            "msg": "must be one of answer_submitted, timeout, training_done, stop, strategy_told",
            "korean": "다시 확인해 주세요",
        }


async def test_several_bad_fields_are_all_named(api: Api) -> None:
    body = {"type": "answer_submitted", "request_id": "", "answer": [], "rt_ms": -1}
    answer = await send(api, body)
    assert {error["loc"] for error in answer.json()["errors"]} == {"body.request_id", "body.answer", "body.rt_ms"}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "malformed_json"),
        (b"{", 400, "malformed_json"),
        (b"\xff\xfe", 400, "malformed_json"),
        (b"nan", 400, "malformed_json"),
        (b'{"student_id": "\\ud800"}', 400, "malformed_json"),
        (b'{"student_id": "a\x00"}', 400, "malformed_json"),
        (b"[" * 10_000, 400, "malformed_json"),
        (b'{"seed":' + b"9" * 5000 + b"}", 400, "malformed_json"),
        (b"[]", 422, "invalid_input"),
        (b"null", 422, "invalid_input"),
        (b'"s1"', 422, "invalid_input"),
        (b'{"student_id": "s1", "w_position": NaN}', 422, "invalid_input"),
        (b'{"student_id": "s1", "w_position": Infinity}', 422, "invalid_input"),
        (b'{"student_id": "s1", "w_position": 1e999}', 422, "invalid_input"),
        (b'{"student_id": "s1", "c_position": 7.0}', 422, "invalid_input"),
        (b" " * (LARGEST_BODY + 1), 413, "body_too_large"),
    ],
)
async def test_bodies_that_are_no_request(api: Api, body: bytes, status: int, code: str) -> None:
    answer = await api.client.post("/api/v1/sessions", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    view = await api.begin()
    path = f"/api/v1/sessions/{view['session_id']}/events"
    answer = await api.client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in {status, 422}


@pytest.mark.parametrize("field", ["given_by", "note"])
async def test_what_no_store_can_keep(api: Api, field: str) -> None:
    await api.begin()
    sent = {"purpose": "records", "granted": True, "given_by": "보호자", field: "a\0b"}
    refused(await api.client.post("/api/v1/students/s1/consents", json=sent), field)


@pytest.mark.parametrize("value", ["a\0b", {"a\0b": 1}, [1, {"deep": 10**30}], -(10**30), 2**63])
async def test_what_no_store_can_keep_where_anything_else_may_stand(api: Api, value: Any) -> None:
    body = {"context": {"flow": "진단_리포트_생성", "inputs": {"student_id": "s1", "period_days": value}}}
    answer = await api.client.post("/api/v1/execute", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert answer.json()["errors"][0]["loc"].startswith("body.context.inputs.period_days")
    assert (await api.client.get("/api/v1/executions")).json() == {"executions": [], "next": None}


@pytest.mark.parametrize("note", ["\\u0000", "9" * 40, "a\\0b"])
async def test_what_only_looks_like_that_is_kept(api: Api, note: str) -> None:
    await api.begin()
    sent = {"purpose": "records", "granted": True, "given_by": "보호자", "note": note}
    answer = await api.client.post("/api/v1/students/s1/consents", json=sent)
    assert answer.json()["history"][0]["note"] == note


async def test_no_query_holds_what_no_store_can_keep(api: Api) -> None:
    await api.begin()
    paths = (await api.client.get("/openapi.json")).json()["paths"]
    asked = 0
    for path, operations in paths.items():
        for parameter in operations.get("get", {}).get("parameters", ()):
            if parameter["in"] == "query":
                answer = await api.client.get(f"{re.sub('{.*}', 's1', path)}?{parameter['name']}=a%00b")
                assert (answer.status_code, answer.headers["x-request-id"] != "") == (422, True), path
                assert [error["loc"] for error in answer.json()["errors"]] == [f"query.{parameter['name']}"], path
                asked += 1
    assert asked >= 5
    assert (await api.client.get("/api/v1/students?after=a%2500'")).status_code == 200


async def test_no_route_takes_a_query_parameter_that_it_does_not_know(api: Api) -> None:
    """Nor a parameter of its path in the query."""
    paths = (await api.client.get("/openapi.json")).json()["paths"]
    for path, operations in paths.items():
        for method in operations:
            address = re.sub("{.*?}", "s1", path)
            answer = await api.client.request(method, f"{address}?colour=red&student_ids=s1")
            assert answer.status_code == (400 if path.startswith("/v1/") else 422), (method, path)
            assert "query.colour: Extra inputs are not permitted" in answer.text, (method, path)
    both = (await api.client.get("/api/v1/students?limit=1&offset=2&colour=red")).json()["errors"]
    assert [(error["loc"], error["korean"]) for error in both] == [
        ("query.colour", "여기에는 없는 항목이에요"),
        ("query.offset", "여기에는 없는 항목이에요"),
    ]


async def test_the_token_is_looked_at_before_the_query(api: Api) -> None:
    """Who may not ask at all is not told what may be asked."""
    document = (await api.client.get("/openapi.json")).json()
    own = dict(api.client.headers)
    del api.client.headers["authorization"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            refused = {422} if operation.get("security") == [] else {401}
            answer = await api.client.request(method, f"{re.sub('{.*?}', 's1', path)}?colour=red")
            assert answer.status_code in refused | ({403} if path.startswith("/api/v1/auth") else set()), (method, path)
    api.client.headers.update(own)


async def test_a_body_in_chunks_is_bounded_too(api: Api) -> None:
    async def chunks() -> Any:
        for _ in range(10):
            yield b" " * (LARGEST_BODY // 8)

    answer = await api.client.post("/api/v1/sessions", content=chunks(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


async def test_a_body_that_does_not_arrive_is_given_up(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async def trickle() -> Any:
        yield b"{"
        await asyncio.Event().wait()

    monkeypatch.setattr("maththera.api.http_layer.json_body.BODY_SECONDS", 0.05)
    answer = await api.client.post("/api/v1/sessions", content=trickle(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (408, "body_too_slow")
    assert answer.headers["connection"] == "close"


async def test_the_token_is_checked_before_the_body_is_read(api: Api) -> None:
    read = []

    async def endless() -> Any:
        read.append(1)
        yield b"{"
        await asyncio.Event().wait()

    headers = {"Content-Type": "application/json", "Authorization": "Bearer unknown"}
    answer = await api.client.post("/api/v1/sessions", content=endless(), headers=headers)
    assert (answer.status_code, read) == (401, [])


@pytest.mark.parametrize(("role", "status"), [("author", 403), ("student", 404)])
async def test_a_missing_right_is_told_before_a_fault_of_the_body(api: Api, role: Any, status: int) -> None:
    who = await api.as_(role, *(["s2"] if role == "student" else []))
    for content, media_type in ((b"{", "application/json"), (b"{}", "text/plain"), (b"", "application/json")):
        headers = {**who, "Content-Type": media_type}
        path = "/api/v1/reviews/1/decide" if role == "author" else "/api/v1/students/s1/consents"
        answer = await api.client.post(path, content=content, headers=headers)
        assert answer.status_code == status, answer.text


@pytest.mark.parametrize("media_type", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_other_content_types(api: Api, media_type: str | None) -> None:
    headers = {} if media_type is None else {"Content-Type": media_type}
    answer = await api.client.post("/api/v1/sessions", content=b'{"student_id": "s1"}', headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


async def test_a_charset_beside_the_content_type_is_fine(api: Api) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    answer = await api.client.post("/api/v1/sessions", content='{"student_id": "지민"}'.encode(), headers=headers)
    assert answer.status_code == 201


@pytest.mark.parametrize("session_id", ["none", "%00", "..%2f..", "x" * 5000, "%ED%A0%80", "가", "1' OR '1'='1"])
@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("GET", "/trace"), ("POST", "/replay"), ("POST", "/events")])
async def test_session_ids_that_never_were(api: Api, session_id: str, method: str, path: str) -> None:
    answer = await api.client.request(method, f"/api/v1/sessions/{session_id}{path}", json={})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer.headers["content-type"] == "application/problem+json"


async def test_unknown_addresses_and_methods(api: Api) -> None:
    answer = await api.client.get("/api/v1/nothing")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    answer = await api.client.delete("/api/v1/sessions")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "OPTIONS, POST"
    assert set(answer.json()) >= {"type", "title", "status", "detail", "code"}


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/api/v1/lessons", "GET, HEAD, OPTIONS, POST"),
        ("/api/v1/students/s1/consents", "GET, HEAD, OPTIONS, POST"),
        ("/api/v1/flows/x", "DELETE, GET, HEAD, OPTIONS, PUT"),
        ("/api/v1/flows/lint", "DELETE, GET, HEAD, OPTIONS, POST, PUT"),  # a flow may have that name
        ("/healthz", "GET, HEAD, OPTIONS"),
        ("/openapi.json", "GET, HEAD, OPTIONS"),
        ("/swagger/swagger-ui.css", "GET, HEAD"),
    ],
)
async def test_a_method_that_an_address_does_not_take_is_told_which_it_takes(api: Api, path: str, methods: str) -> None:
    answer = await api.client.patch(path)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert ", ".join(sorted(answer.headers["allow"].split(", "))) == methods
