"""A session step by step, for adults: what the child saw, what was seen, and the tags that may be said."""

from typing import Any

from tests.api.conftest import Api


async def _answer(api: Api, view: dict[str, Any], number: int, **more: Any) -> dict[str, Any]:
    sent = {"type": "answer_submitted", "request_id": f"r{number}", "task_id": view["task"]["task_id"], "rt_ms": 6_000}
    answer = await api.client.post(f"/api/v1/sessions/{view['session_id']}/events", json=sent | more)
    assert answer.is_success, answer.text
    turn: dict[str, Any] = answer.json()
    return turn | {"session_id": view["session_id"]}


async def test_each_step_has_the_task_that_the_child_saw_and_what_came_of_it(api: Api) -> None:
    view = await api.begin("s1", c_position=8, w_position=None, first_problem="28+15")
    probe = await _answer(api, view, 1, answer=33)
    after = await _answer(api, probe, 2, answer=25)
    path = f"/api/v1/sessions/{view['session_id']}/steps"
    found = (await api.client.get(path)).json()
    assert [one["task"]["task_id"] for one in found["steps"]] == [view["task"]["task_id"], probe["task"]["task_id"]]
    assert found["open"]["task"]["task_id"] == after["task"]["task_id"]
    first, second = found["steps"]
    assert first["task"]["prompt"] == view["task"]["prompt"]
    assert first["seen"][:3] == ["33이라고 답했어요.", "틀렸어요.", "6.0초 걸렸어요."]
    assert "확인 문제를 내요" in first["follows"][0]
    assert first["follows"][1] == f"다음 문제: {probe['task']['prompt']}"
    assert first["said"] == probe["feedback"]["feedback_text"]
    assert second["phase"] == "probe"
    assert second["words"] == [one["text"] for one in probe["feedback"]["lines"] if one["about"] == "next"]
    assert any(one.startswith("원인: ") for one in second["why"])


async def test_what_was_seen_beside_the_child_is_said(api: Api) -> None:
    view = await api.begin("s1", c_position=8, w_position=None, first_problem="28+15")
    tags = (await api.client.get("/api/v1/observations")).json()["tags"]
    fingers = next(one for one in tags if one["tag"] == "OBS_FINGER_COUNTING")
    path = f"/api/v1/sessions/{view['session_id']}"
    body = {"task_id": view["task"]["task_id"], "tags": [fingers["tag"]]}
    assert (await api.client.post(f"{path}/observations", json=body)).is_success
    assert (await api.client.get(f"{path}/steps")).json()["open"]["observed"] == [fingers["tag"]]
    await _answer(api, view, 1, answer=43)
    (step,) = (await api.client.get(f"{path}/steps")).json()["steps"]
    assert step["seen"][-1] == f"옆에서 본 것: {fingers['description']}."


async def test_no_child_reads_it(api: Api) -> None:
    view = await api.begin("s1")
    child, other = await api.as_("student", "s1"), await api.as_("teacher", "s2")
    path = f"/api/v1/sessions/{view['session_id']}/steps"
    assert (await api.client.get(path, headers=child)).status_code == 403
    assert (await api.client.get(path, headers=other)).status_code == 404
    assert (await api.client.get("/api/v1/observations", headers=child)).status_code == 403
