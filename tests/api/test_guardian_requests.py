"""What guardians ask the school for, what they read of their child, and who may see it."""

from datetime import datetime
from typing import Any, Final

from maththera.korean.dates import KOREA
from tests.api.conftest import Api

REQUESTS: Final = "/api/v1/requests"
OF_CHILD: Final = "/api/v1/students/s1/requests"
WANTED: Final = {"kind": "correction", "about": "name"}


async def _asked(api: Api, headers: dict[str, str]) -> dict[str, Any]:
    answer = await api.client.post(OF_CHILD, json=WANTED, headers=headers)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_a_request_is_open_until_a_teacher_says_that_it_is_done(api: Api) -> None:
    await api.begin("s1")
    guardian, teacher = await api.as_("guardian", "s1"), await api.as_("teacher", "s1")
    asked = await _asked(api, guardian)
    assert await _asked(api, guardian) == asked, "the same request while it is open"
    assert (await api.client.get(REQUESTS, headers=teacher)).json()["requests"] == [asked]
    done = f"{REQUESTS}/{asked['request_id']}/done"
    assert (await api.client.post(done, headers=guardian)).status_code == 403
    told = (await api.client.post(done, headers=teacher)).json()
    assert told["done_at"]
    assert (await api.client.post(done, headers=teacher)).json() == told
    assert (await api.client.get(REQUESTS, headers=guardian)).json()["requests"] == []
    assert (await api.client.get(f"{REQUESTS}?done=true", headers=guardian)).json()["requests"] == [told]
    assert (await _asked(api, guardian))["request_id"] != asked["request_id"]


async def test_others_see_nothing_of_it(api: Api) -> None:
    await api.begin("s1")
    asked = await _asked(api, await api.as_("guardian", "s1"))
    other = await api.as_("teacher", "s2")
    assert (await api.client.get(REQUESTS, headers=other)).json()["requests"] == []
    assert (await api.client.post(f"{REQUESTS}/{asked['request_id']}/done", headers=other)).status_code == 404
    assert (await api.client.post(OF_CHILD, json=WANTED, headers=other)).status_code == 404
    child = await api.as_("student", "s1")
    assert (await api.client.get(REQUESTS, headers=child)).status_code == 403
    assert (await api.client.post(OF_CHILD, json=WANTED, headers=child)).status_code == 403


async def test_a_request_goes_with_the_child_and_an_export_does_not_say_whose_it_was(api: Api) -> None:
    await api.begin("s1")
    asked = await _asked(api, await api.as_("guardian", "s1"))
    (row,) = (await api.client.get("/api/v1/students/s1/export")).json()["tables"]["guardian_requests"]
    assert row["request_id"] == asked["request_id"]
    assert not row.keys() & {"asked_by", "done_by"}
    receipt = (await api.client.delete("/api/v1/students/s1")).json()
    assert receipt["records"]["guardian_requests"] == 1
    assert (await api.client.get(f"{REQUESTS}?done=true")).json()["requests"] == []


async def test_the_letter_says_what_the_report_says(api: Api) -> None:
    view = await api.begin("s1", first_problem="28+15")
    answer = {"type": "answer_submitted", "request_id": "r", "task_id": view["task"]["task_id"], "answer": 33}
    event = f"/api/v1/sessions/{view['session_id']}/events"
    assert (await api.client.post(event, json=answer | {"rt_ms": 6_000})).is_success
    letter = (await api.client.get("/api/v1/students/s1/letter")).json()
    assert "1문제를 풀었어요" in letter["greeting"]
    assert letter["following"]
    activity = letter["activity"]
    assert activity["steps"][-1]["expression"].count("=") == 1
    assert "28+15" not in activity["expression"], "a problem that the child has had is not told"
    assert not {"33", "틀"} & set(letter["greeting"].split())
    child = await api.as_("student", "s1")
    assert (await api.client.get("/api/v1/students/s1/letter", headers=child)).status_code == 403


async def test_readers_are_told_by_role_and_day_without_looks_into_the_review_queue(api: Api) -> None:
    child, teacher = await api.as_("student", "s1"), await api.as_("teacher", "s1")
    await api.client.post("/api/v1/chat", json={"message": "나는 죽고 싶어", "thread_id": "t"}, headers=child)
    (alert,) = (await api.client.get("/api/v1/reviews?kind=safety", headers=teacher)).json()["reviews"]
    await api.client.post(f"/api/v1/reviews/{alert['review_id']}/open", headers=teacher)
    guardian = await api.as_("guardian", "s1")
    readers = "/api/v1/students/s1/readers"
    roles = [one["role"] for one in (await api.client.get(readers, headers=guardian)).json()["readers"]]
    assert roles == ["guardian"], "of danger the school tells guardians"
    await api.client.get("/api/v1/students/s1/summary", headers=teacher)
    found = (await api.client.get(readers, headers=guardian)).json()["readers"]
    today = datetime.now(KOREA).date().isoformat()
    assert {(one["role"], one["days"], one["last_day"]) for one in found} == {
        ("guardian", 1, today), ("teacher", 1, today),
    }  # fmt: skip
