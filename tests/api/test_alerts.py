"""Safety alerts: who is shown one, what of it, and who has opened it."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from maththera.store.access.authorization import Role
from maththera.store.safety_alerts import NewAlert
from tests.api.conftest import Api
from tests.api.test_contract import Documented

PATH = "/api/v1/reviews"
WORDS = "집에 가기 싫어. 또 맞을까 봐 무서워"
ALERT = NewAlert("lesson", "l1", "m1", "s1", "student", "violence_home", 1, WORDS)


async def raised(api: Api, alert: NewAlert = ALERT) -> dict[str, Any]:
    """The newest alert of the queue, after this one."""
    await api.app.state.services.learners.alerts.add(alert)
    found: dict[str, Any] = (await api.client.get(PATH, params={"kind": "safety"})).json()["reviews"][-1]
    return found


NOTE = "어머니와 이야기했다"

# (role, whom the token stands for) → what listing, reading, opening and deciding an alert of s1 gives
MATRIX: list[tuple[Role, tuple[str, ...], tuple[int, ...]]] = [
    ("admin", (), (200, 200, 200, 200)),
    ("teacher", ("s1",), (200, 200, 200, 200)),
    ("teacher", ("s2",), (200, 404, 404, 404)),
    ("guardian", ("s1",), (403, 403, 403, 403)),
    ("student", ("s1",), (403, 403, 403, 403)),
    ("author", (), (403, 403, 403, 403)),
]


@pytest.mark.parametrize(("role", "students", "expected"), MATRIX)
async def test_roles(api: Api, role: Role, students: tuple[str, ...], expected: tuple[int, ...]) -> None:
    one = f"{PATH}/{(await raised(api))['review_id']}"
    who = await api.as_(role, *students)
    answers = [
        await api.client.get(PATH, headers=who),
        await api.client.get(one, headers=who),
        await api.client.post(f"{one}/open", headers=who),
        await api.client.post(f"{one}/decide", json={"verdict": "handled", "note": NOTE}, headers=who),
    ]
    assert tuple(answer.status_code for answer in answers) == expected
    told = [answer.text for answer in answers if "violence_home" in answer.text]
    assert len(told) == (4 if expected[1] == 200 else 0)
    assert [WORDS in text for text in told] == [False, False, True, False][: len(told)], "the words: on opening alone"


async def test_each_opening_is_seen_by_all_who_see_the_alert(api: Api) -> None:
    review = await raised(api)
    assert (review["alert"]["urgency"], review["alert"]["openings"]) == ("now", [])
    teacher = await api.as_("teacher", "s1")
    for _ in range(2):
        await api.client.post(f"{PATH}/{review['review_id']}/open", headers=teacher)
    openings = (await api.client.get(f"{PATH}/{review['review_id']}")).json()["alert"]["openings"]
    assert [one["role"] for one in openings] == ["teacher", "teacher"]
    assert openings[0]["token_id"] == openings[1]["token_id"]
    assert openings[0]["opened_at"] <= openings[1]["opened_at"]


async def test_what_nobody_has_opened_is_counted_where_adults_look(api: Api) -> None:
    async def counts(role: Role, *students: str) -> tuple[int, list[Any]]:
        who = await api.as_(role, *students)
        queue = (await api.client.get(PATH, params={"limit": 1}, headers=who)).json()
        seen = (await api.client.get("/api/v1/students", headers=who)).json()["students"]
        return queue.get("unopened_alerts"), [one.get("alerts") for one in seen]

    first = await raised(api)
    second = await raised(api, replace(ALERT, message_id="m2"))
    await raised(api, replace(ALERT, message_id="m3", student_id="s2"))
    await raised(api, replace(ALERT, message_id="m4", student_id=None))
    assert await counts("teacher", "s1") == (2, [2])
    assert await counts("admin") == (4, [2, 1])
    assert await counts("guardian", "s1") == (None, [None])
    await api.client.post(f"{PATH}/{first['review_id']}/open", headers=await api.as_("teacher", "s1"))
    assert await counts("teacher", "s1") == (1, [1])
    await api.client.post(f"{PATH}/{second['review_id']}/open")
    decided = {"verdict": "false_alarm", "note": NOTE}
    assert (await api.client.post(f"{PATH}/{second['review_id']}/decide", json=decided)).is_success
    assert await counts("teacher", "s1") == (0, [0])


@pytest.mark.parametrize("note", [None, "", "   "])
async def test_an_alert_is_done_with_a_note(api: Api, note: str | None) -> None:
    path = f"{PATH}/{(await raised(api))['review_id']}"
    await api.client.post(f"{path}/open")
    said = {} if note is None else {"note": note}
    for verdict in ("handled", "false_alarm"):
        refused = await api.client.post(f"{path}/decide", json={"verdict": verdict} | said)
        assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, "body.note")
    assert (await api.client.get(path)).json()["status"] == "open"


async def test_an_alert_is_done_by_who_has_read_it(api: Api) -> None:
    review_id = (await raised(api))["review_id"]
    path, teacher = f"{PATH}/{review_id}", await api.as_("teacher", "s1")
    await api.client.post(f"{path}/open")
    body = {"verdict": "handled", "note": NOTE}
    for address, sent in ((f"{path}/decide", body), (f"{PATH}/decide", body | {"review_ids": [review_id]})):
        refused = await api.client.post(address, json=sent, headers=teacher)
        assert (refused.status_code, refused.json()["code"]) == (409, "alert_unopened")
    await api.client.post(f"{path}/open", headers=teacher)
    assert (await api.client.post(f"{path}/decide", json=body, headers=teacher)).is_success
    again = await api.client.post(f"{path}/decide", json=body)
    assert (again.status_code, again.json()["code"]) == (409, "review_decided")


async def test_a_question_that_was_only_asked_is_nobodys_to_see(api: Api) -> None:
    await raised(api)
    await api.app.state.services.learners.alerts.add(replace(ALERT, message_id="m2", tier=3))
    assert len((await api.client.get(PATH)).json()["reviews"]) == 1


async def test_alerts_are_asked_for_by_urgency(api: Api) -> None:
    for number, tier in enumerate((1, 2, 1)):
        await raised(api, replace(ALERT, message_id=f"m{number}", tier=tier))
    found = (await api.client.get(PATH, params={"kind": "safety", "urgency": "now"})).json()["reviews"]
    assert [one["alert"]["tier"] for one in found] == [1, 1]
    refused = await api.client.get(PATH, params={"urgency": "soon"})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input")


async def test_answers_about_alerts_are_as_documented(api: Api) -> None:
    ask = Documented(api, (await api.client.get("/openapi.json")).json())
    review_id = (await raised(api))["review_id"]
    await ask("GET", PATH)
    opened = await ask("POST", f"{PATH}/{{review_id}}/open", review_id=review_id)
    assert opened["words"] == WORDS
    body = {"verdict": "handled", "note": NOTE}
    decided = await ask("POST", f"{PATH}/{{review_id}}/decide", body, review_id=review_id)
    assert decided["decision"] == body
    await ask("GET", "/api/v1/students")


async def test_only_an_alert_is_opened(api: Api) -> None:
    reviews = api.app.state.services.learners.reviews
    await reviews.add("rejected_text", {"text": "바보야"}, room="coach", place_id="t1", student_id="s1")
    (review,) = (await api.client.get(PATH)).json()["reviews"]
    assert (await api.client.post(f"{PATH}/{review['review_id']}/open")).status_code == 404


async def test_alerts_are_erased_with_their_child(api: Api) -> None:
    review = await raised(api)
    await raised(api, replace(ALERT, message_id="m2", student_id="s2"))
    assert (await api.client.post(f"{PATH}/{review['review_id']}/open")).is_success
    receipt = (await api.client.delete("/api/v1/students/s1")).json()
    assert (receipt["records"]["reviews"], receipt["records"]["alert_openings"]) == (1, 1)
    left = (await api.client.get(PATH)).json()["reviews"]
    assert [one["student_id"] for one in left] == ["s2"]


async def test_the_metrics_count_alerts_and_those_that_nobody_has_opened(api: Api) -> None:
    async def metrics(*wanted: str) -> bool:
        page = (await api.client.get("/metrics")).text.splitlines()
        return all(line in page for line in wanted)

    counted = 'maththera_safety_alerts_total{category="violence_home",tier="1"} 1.0'
    review = await raised(api)
    async with asyncio.timeout(60):
        while not await metrics(counted, "maththera_safety_alerts_unopened 1.0"):
            await asyncio.sleep(0.02)
    await api.client.post(f"{PATH}/{review['review_id']}/open")
    await raised(api, replace(ALERT, message_id="m2", tier=3))
    await raised(api)
    assert await metrics(counted), "neither a signal nor the same message again"


async def test_the_log_tells_of_what_is_urgent_without_a_word_of_it(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    await raised(api)
    await raised(api, replace(ALERT, message_id="m2", tier=2))
    (line,) = [one.getMessage() for one in caplog.records if one.name == "maththera.store.safety_alerts"]
    assert line == "safety alert: violence_home in lesson l1"
