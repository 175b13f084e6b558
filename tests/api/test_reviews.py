"""The review queue: whose reviews are seen and decided by whom, and what becomes of a pattern."""

import asyncio
from typing import Any

import pytest

from maththera.store.access.authorization import Role
from tests.api.conftest import Api
from tests.api.test_sessions import answer_to, events

PATTERN = {"verdict": "pattern", "cause_tag": "SPATIAL_L4_PLACE_VALUE", "procedure": "두 수를 이어 적었다"}


async def unknown_answers(api: Api, student: str = "s1", answer: int = 77) -> list[dict[str, Any]]:
    """The reviews after a session that no rule explains."""
    view = await api.begin(student, first_problem="28+15", c_position=8)
    seen = view
    for number in range(6):
        if seen.get("task") is None:
            break
        body = answer_to(seen, request_id=f"r-{number}", answer=answer + number, rt_ms=3_000)
        seen = (await api.client.post(events(view), json=body)).json()
    await api.client.post(events(view), json={"type": "stop", "request_id": "stop"})
    found = (await api.client.get("/api/v1/reviews", params={"kind": "unknown_answer"})).json()["reviews"]
    assert found
    return [one for one in found if one["student_id"] == student]


async def decide(api: Api, review: dict[str, Any], body: Any, headers: dict[str, str] | None = None) -> Any:
    return await api.client.post(f"/api/v1/reviews/{review['review_id']}/decide", json=body, headers=headers)


async def test_a_review_shows_what_is_to_be_judged(api: Api) -> None:
    first = (await unknown_answers(api))[0]
    assert first["problem"].keys() == {"expression", "right", "c_level"}
    assert first["payload"]["answer"] != first["problem"]["right"]
    turns = (await api.client.get(f"/api/v1/sessions/{first['session_id']}/trace")).json()["turns"]
    assert turns[first["turn"] - 1]["event"]["answer"] == first["payload"]["answer"]
    assert (first["status"], first["verdicts"], first["decision"]) == ("open", ["pattern", "slip", "unclear"], None)
    assert (await api.client.get(f"/api/v1/reviews/{first['review_id']}")).json() == first


async def test_a_teacher_is_told_of_the_third_white_out_of_a_week_once(api: Api) -> None:
    async def told(headers: dict[str, str] | None = None) -> list[dict[str, Any]]:
        answer = await api.client.get("/api/v1/reviews", params={"kind": "white_outs"}, headers=headers)
        found: list[dict[str, Any]] = answer.json()["reviews"]
        return found

    for session in range(4):
        view = await api.begin("s1", first_problem="98+90")
        body = answer_to(view, request_id="first", answer=178, rt_ms=3_000)
        for number in range(9):
            seen = (await api.client.post(events(view), json=body)).json()
            if seen["phase"] == "white_out":
                break
            wrong = 9_000 if seen["task"]["kind"] != "diagnostic_question" else 2
            body = answer_to(seen, request_id=f"r-{number}", answer=wrong, rt_ms=3_000)
        else:
            pytest.fail("no White-out")
        await api.client.post(events(view), json={"type": "stop", "request_id": "stop"})
        assert len(await told()) == (session >= 2)
    (entry,) = await told(await api.as_("teacher", "s1"))
    assert (entry["student_id"], entry["verdicts"], entry["payload"]["times"]) == ("s1", ["seen"], 3)
    assert entry["payload"]["says"]
    assert await told(await api.as_("teacher", "s2")) == []
    assert (await decide(api, entry, {"verdict": "seen"})).json()["status"] == "decided"


async def test_a_decided_pattern_becomes_a_candidate_that_names_nobody(api: Api) -> None:
    own, other = (await unknown_answers(api, "s1"))[0], (await unknown_answers(api, "s2", 80))[0]
    decided = await decide(api, own, PATTERN)
    assert (decided.status_code, decided.json()["status"]) == (200, "decided")
    assert decided.json()["decision"] == PATTERN
    assert (await decide(api, other, PATTERN)).status_code == 200
    answer = await api.client.get("/api/v1/reviews/candidates", headers=await api.as_("author"))
    (candidate,) = [one for one in answer.json()["candidates"] if one["operation"] == "+"]
    assert (candidate["cause_tag"], candidate["procedure"]) == (PATTERN["cause_tag"], PATTERN["procedure"])
    shown = [(one["expression"], one["given"], one["right"]) for one in candidate["examples"]]
    for review in (own, other):
        problem = review["problem"]
        assert (problem["expression"], review["payload"]["answer"], problem["right"]) in shown
    assert own["session_id"] not in answer.text
    await api.client.delete("/api/v1/students/s1")
    again = (await api.client.get("/api/v1/reviews/candidates")).json()["candidates"]
    assert candidate in again


async def test_of_several_decisions_one_counts(api: Api) -> None:
    review = (await unknown_answers(api))[0]
    answers = await asyncio.gather(*(decide(api, review, PATTERN) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert {answer.json()["code"] for answer in answers if answer.is_error} == {"review_decided"}
    (candidate,) = (await api.client.get("/api/v1/reviews/candidates")).json()["candidates"]
    assert len(candidate["examples"]) == 1
    left = (await api.client.get("/api/v1/reviews")).json()["reviews"]
    assert review["review_id"] not in [one["review_id"] for one in left]
    done = (await api.client.get("/api/v1/reviews?status=decided")).json()["reviews"]
    assert [one["review_id"] for one in done] == [review["review_id"]]


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({}, "body.verdict"),
        ({"verdict": "maybe"}, "body.verdict"),
        ({"verdict": "seen"}, "body.verdict"),
        ({"verdict": "text_fine"}, "body.verdict"),
        ({"verdict": "pattern"}, "body"),
        ({"verdict": "slip", "cause_tag": "SPATIAL_L4_PLACE_VALUE", "procedure": "x"}, "body"),
        ({**PATTERN, "cause_tag": "NO_SUCH"}, "body.cause_tag"),
        ({**PATTERN, "cause_tag": "'; DROP"}, "body.cause_tag"),
        ({**PATTERN, "procedure": ""}, "body.procedure"),
        ({**PATTERN, "procedure": "x" * 501}, "body.procedure"),
        ({**PATTERN, "more": 1}, "body.more"),
    ],
)
async def test_a_decision_that_makes_no_sense(api: Api, body: Any, loc: str) -> None:
    review = (await unknown_answers(api))[0]
    answer = await decide(api, review, body)
    assert (answer.status_code, answer.json()["errors"][0]["loc"]) == (422, loc)
    assert (await api.client.get(f"/api/v1/reviews/{review['review_id']}")).json()["status"] == "open"


# (role, whom the token stands for) → what listing, reading and deciding a review of s1 gives
MATRIX: list[tuple[Role, tuple[str, ...], tuple[int, int, int]]] = [
    ("admin", (), (200, 200, 200)),
    ("teacher", ("s1",), (200, 200, 200)),
    ("teacher", ("s2",), (200, 404, 404)),
    ("guardian", ("s1",), (403, 403, 403)),
    ("student", ("s1",), (403, 403, 403)),
    ("author", (), (403, 403, 403)),
]


@pytest.mark.parametrize(("role", "students", "expected"), MATRIX)
async def test_roles(api: Api, role: Role, students: tuple[str, ...], expected: tuple[int, ...]) -> None:
    review = (await unknown_answers(api))[0]
    headers, path = await api.as_(role, *students), "/api/v1/reviews"
    answers = [
        await api.client.get(path, headers=headers),
        await api.client.get(f"{path}/{review['review_id']}", headers=headers),
        await decide(api, review, {"verdict": "slip"}, headers),
    ]
    assert tuple(answer.status_code for answer in answers) == expected
    if answers[0].is_success:
        seen = [one["review_id"] for one in answers[0].json()["reviews"]]
        assert (review["review_id"] in seen) == (expected[1] == 200)


async def test_the_queue_has_pages(api: Api) -> None:
    await unknown_answers(api, "s1")
    await unknown_answers(api, "s2")
    everything = (await api.client.get("/api/v1/reviews")).json()["reviews"]
    seen: list[int] = []
    after = 0
    while after is not None:
        page = (await api.client.get("/api/v1/reviews", params={"limit": 1, "after": after})).json()
        seen, after = seen + page["reviews"], page["next"]
    assert seen == everything


@pytest.mark.parametrize("name", ["0", "x", "1e3", "٣", "9" * 30, "-1"])
async def test_a_review_that_there_is_not(api: Api, name: str) -> None:
    assert (await api.client.get(f"/api/v1/reviews/{name}")).status_code == 404


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=x", "after=-1", "after=99999999999999999999", "status=x", "kind=x"]
)
async def test_a_question_that_makes_no_sense(api: Api, query: str) -> None:
    answer = await api.client.get(f"/api/v1/reviews?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
