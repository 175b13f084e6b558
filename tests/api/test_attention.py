"""What has to be looked at first, over HTTP: alerts and guardians' requests of the caller's students alone."""

from typing import Any

import httpx
import pytest

from tests.api.conftest import Api

PATH = "/api/v1/attention"


async def told(api: Api, student_id: str) -> None:
    child = await api.as_("student", student_id)
    said = {"message": "나는 죽고 싶어", "thread_id": f"t-{student_id}"}
    (await api.client.post("/api/v1/chat", json=said, headers=child)).raise_for_status()


async def found(api: Api, headers: dict[str, str] | None = None) -> dict[str, Any]:
    answer: httpx.Response = await api.client.get(PATH, headers=headers)
    shown: dict[str, Any] = answer.raise_for_status().json()
    return shown


async def test_alerts_and_requests_come_together_with_the_names_of_the_children(api: Api) -> None:
    await api.client.patch("/api/v1/students/s1", json={"nickname": "하늘"})
    await told(api, "s1")
    wanted = {"kind": "correction", "about": "name"}
    asked = (await api.client.post("/api/v1/students/s1/requests", json=wanted)).json()
    shown = await found(api)
    queue = (await api.client.get("/api/v1/reviews", params={"kind": "safety"})).json()["reviews"]
    children: Any = {"s1": {"called": "하늘", "animal": None, "animal_name": None, "classes": []}}
    assert shown == {"alerts": queue, "requests": [asked], "children": children}
    assert [one["student_id"] for one in shown["alerts"]] == ["s1"]


async def test_what_is_done_is_gone(api: Api) -> None:
    await told(api, "s1")
    (alert,) = (await found(api))["alerts"]
    path = f"/api/v1/reviews/{alert['review_id']}"
    assert (await api.client.post(f"{path}/open")).is_success
    decided = await api.client.post(f"{path}/decide", json={"verdict": "handled", "note": "함께 이야기했다"})
    assert decided.is_success
    assert await found(api) == {"alerts": [], "requests": [], "children": {}}


async def test_a_teacher_sees_those_of_its_own_students(api: Api) -> None:
    await told(api, "s1")
    assert (await found(api, await api.as_("teacher", "s2")))["alerts"] == []
    assert len((await found(api, await api.as_("teacher", "s1")))["alerts"]) == 1


@pytest.mark.parametrize("role", ["student", "guardian", "author"])
async def test_nobody_else_sees_any(api: Api, role: Any) -> None:
    headers = await api.as_(role, *([] if role == "author" else ["s1"]))
    assert (await api.client.get(PATH, headers=headers)).status_code == 403
