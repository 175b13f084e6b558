"""Who may do what, and what a child sees."""

from typing import Any

import pytest

from maththera.store.access.authorization import Role
from tests.api.conftest import Api
from tests.api.test_sessions import answer_to, events

HIDDEN = {
    *(
        "diagnosis",
        "adaptation",
        "answer",
        "correct_answer",
        "cause_tag",
        "cause_tags",
        "candidates",
        "causes",
        "response_pattern",
    ),
    *("position", "position_before", "position_after", "w_total", "c_level"),
}


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Bearer nobody", "Basic YTpi", "nobody", "Bearer é"])
async def test_without_a_valid_token(api: Api, header: str | None) -> None:
    headers: dict[bytes, bytes] = {} if header is None else {b"Authorization": header.encode("latin-1")}
    api.client.headers.pop("Authorization")
    for method, path in (
        ("POST", "/api/v1/sessions"),
        ("GET", "/api/v1/sessions/x"),
        ("POST", "/api/v1/sessions/x/events"),
    ):
        answer = await api.client.request(method, path, headers=headers, json={})
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
        assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_revoked_token_is_no_token(api: Api) -> None:
    headers = await api.as_("student", "s1")
    token_id = (await api.tokens.list())[-1].token_id
    assert await api.tokens.revoke(token_id)
    assert (await api.client.get("/api/v1/sessions/x", headers=headers)).status_code == 401


# (role, whom the token stands for) → what creating, reading, answering, tracing and replaying s1's session gives
MATRIX: list[tuple[Role, tuple[str, ...], tuple[int, int, int, int, int]]] = [
    ("admin", (), (201, 200, 200, 200, 200)),
    ("teacher", ("s1", "s2"), (201, 200, 200, 200, 200)),
    ("teacher", ("s2",), (404, 404, 404, 404, 404)),
    ("guardian", ("s1",), (403, 200, 403, 200, 200)),
    ("guardian", ("s2",), (404, 404, 404, 404, 404)),
    ("student", ("s1",), (201, 200, 200, 403, 403)),
    ("student", ("s2",), (404, 404, 404, 404, 404)),
    ("author", (), (404, 404, 404, 404, 404)),
]


@pytest.mark.parametrize(("role", "students", "expected"), MATRIX)
async def test_roles(api: Api, role: Role, students: tuple[str, ...], expected: tuple[int, ...]) -> None:
    view = await api.begin("s1")
    headers = await api.as_(role, *students)
    path = f"/api/v1/sessions/{view['session_id']}"
    answers = [
        await api.client.post("/api/v1/sessions", headers=headers, json={"student_id": "s1"}),
        await api.client.get(path, headers=headers),
        await api.client.post(f"{path}/events", headers=headers, json=answer_to(view)),
        await api.client.get(f"{path}/trace", headers=headers),
        await api.client.post(f"{path}/replay", headers=headers),
    ]
    assert tuple(answer.status_code for answer in answers) == expected
    codes = {403: "forbidden", 404: "not_found"}
    assert all(answer.json()["code"] == codes[answer.status_code] for answer in answers if answer.is_error)


@pytest.mark.parametrize(("role", "status"), [("student", 403), ("teacher", 201), ("admin", 201)])
async def test_who_may_choose_the_first_problem(api: Api, role: Role, status: int) -> None:
    headers = await api.as_(role, *(() if role == "admin" else ("s1",)))
    body = {"student_id": "s1", "first_problem": "8+6"}
    answer = await api.client.post("/api/v1/sessions", headers=headers, json=body)
    assert answer.status_code == status
    if status == 403:
        assert answer.json()["errors"][0]["loc"] == "body.first_problem"


def members(value: Any) -> set[str]:
    """The names of all members, however deep."""
    if isinstance(value, dict):
        return set(value) | {name for inner in value.values() for name in members(inner)}
    if isinstance(value, list):
        return {name for inner in value for name in members(inner)}
    return set()


async def test_a_child_sees_neither_diagnosis_nor_answer(api: Api) -> None:
    headers = await api.as_("student", "s1")
    view = await api.begin("s1", first_problem="28+15", c_position=8)
    answer = await api.client.get(f"/api/v1/sessions/{view['session_id']}", headers=headers)
    harder = {"c_level", "w_total"}
    problem = {name: value for name, value in view["task"]["problem"].items() if name not in harder}
    own = {name: value for name, value in view.items() if name != "position"}
    own["task"] = {**view["task"], "problem": problem}
    assert answer.json() == {**own, "who_reads": answer.json()["who_reads"]}
    seen = [answer.json()]
    for number, wrong in enumerate((13, 1, 99)):
        body = answer_to(seen[-1], request_id=f"r-{number}", answer=wrong, rt_ms=3000)
        seen.append((await api.client.post(events(view), headers=headers, json=body)).json())
    stale = await api.client.post(events(view), headers=headers, json=answer_to(view, request_id="late"))
    seen.append(stale.json())
    seen.append((await api.client.post(events(view), headers=headers, json={"type": "stop", "request_id": "s"})).json())
    assert stale.status_code == 409
    assert seen[-1]["summary"]
    for body in seen:
        assert not members(body) & HIDDEN


async def test_a_childs_stream_has_no_frames_for_adults(api: Api) -> None:
    headers = await api.as_("student", "s1") | {"Accept": "text/event-stream"}
    view = await api.begin("s1", first_problem="28+15", c_position=8)
    text = (await api.client.post(events(view), headers=headers, json=answer_to(view, answer=13))).text
    assert not [name for name in HIDDEN if f'"{name}":' in text]
    assert "diagnostic_result" not in text
    assert "adaptation_result" not in text
    assert [kind for kind in ("feedback_result", "task", "final") if f'"type":"{kind}"' not in text] == []


async def test_a_repeated_request_is_shown_as_the_role_may_see_it(api: Api) -> None:
    view = await api.begin("s1", first_problem="28+15", c_position=8)
    await api.client.post(events(view), json=answer_to(view, answer=13))
    again = await api.client.post(events(view), headers=await api.as_("student", "s1"), json=answer_to(view, answer=13))
    assert again.headers["idempotent-replay"] == "true"
    assert not members(again.json()) & HIDDEN
