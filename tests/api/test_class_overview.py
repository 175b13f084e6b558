"""The overview of a class over HTTP: the figures of the other pages, for the teacher of the class alone."""

from datetime import datetime
from typing import Any

import pytest

from maththera.arithmetic.curriculum import UNITS
from maththera.korean.dates import KOREA
from maththera.store.review_queue import Reviews
from tests.api.conftest import Api
from tests.support.learning import Pupil, learn
from tests.support.tutoring import rules


@pytest.fixture
async def overview(api: Api, sqlite_url: str) -> str:
    """The path of the overview of a class in which s1 drops carries and s2 has not begun."""
    await learn(sqlite_url, Pupil("s1", ("sum_carry_dropped",), c=8), days_ago=(9, 3, 2))
    made = (await api.client.post("/api/v1/classes", json={"name": "2학년 3반"})).json()
    for student_id, nickname in (("s1", "하늘"), ("s2", "도윤")):
        body = {"student_id": student_id, "nickname": nickname}
        assert (await api.client.post(f"/api/v1/classes/{made['class_id']}/members", json=body)).status_code == 201
    return f"/api/v1/classes/{made['class_id']}/overview"


async def _students(api: Api, overview: str, **query: Any) -> dict[str, dict[str, Any]]:
    answer = (await api.client.get(overview, params=query)).raise_for_status().json()
    return {one["student_id"]: one for one in answer["students"]}


async def test_it_says_whom_to_sit_with_and_why(api: Api, overview: str) -> None:
    found = await _students(api, overview)
    assert [one["nickname"] for one in found.values()] == ["도윤", "하늘"]
    assert found["s2"]["needs"] == [{"code": "not_started", "says": "아직 시작하지 않았어요."}]
    assert "same_cause" in [one["code"] for one in found["s1"]["needs"]]
    assert (found["s1"]["nickname"], found["s1"]["days"]) == ("하늘", 3)
    assert found["s1"]["next"]


async def test_it_says_who_may_not_begin_for_want_of_a_consent(api: Api, overview: str) -> None:
    for student_id, born in (("s1", datetime.now(KOREA).year - 9), ("s2", datetime.now(KOREA).year - 20)):
        assert (await api.client.patch(f"/api/v1/students/{student_id}", json={"birth_year": born})).is_success
    assert {one: found["learning"] for one, found in (await _students(api, overview)).items()} == {
        "s1": False,
        "s2": True,
    }
    given = {"purpose": "learning", "granted": True, "given_by": "보호자"}
    assert (await api.client.post("/api/v1/students/s1/consents", json=given)).status_code == 201
    assert (await _students(api, overview))["s1"]["learning"]


async def test_it_says_how_a_child_signs_in(api: Api, overview: str) -> None:
    found = await _students(api, overview)
    members = (await api.client.get(overview.removesuffix("/overview"))).json()["members"]
    assert [(one["grade"], one["picture_lock"]) for one in found.values()] == [
        (one["grade"], one["picture_lock"]) for one in members
    ]


async def test_its_figures_are_those_of_the_child(api: Api, overview: str) -> None:
    one = (await _students(api, overview, days=90))["s1"]
    summary = (await api.client.get("/api/v1/students/s1/summary")).json()
    assert (one["answered"], one["right"]) == (summary["answered"], summary["right"])
    knowledge = (await api.client.get("/api/v1/students/s1/knowledge")).json()
    assert [each["skill_id"] for each in one["next"]] == knowledge["next"]
    assert sum(one["standing"]) == len(knowledge["skills"])
    assert [each["says"] for each in one["needs"] if each["code"] == "same_cause"] == [
        f"‘{cause['name']}’이 보인 답이 {cause['times']}개예요." for cause in summary["causes"]
    ]


async def test_it_says_where_a_child_is_in_each_operation(api: Api, overview: str) -> None:
    one = (await _students(api, overview))["s1"]
    units = {unit.c: unit.title for unit in UNITS}
    skills = {
        each["skill_id"]: each for each in (await api.client.get("/api/v1/students/s1/knowledge")).json()["skills"]
    }
    assert [each["strand"] for each in one["position"]] == ["+", "-"]
    for strand, place in ((each["strand"], each["title"]) for each in one["position"]):
        open_ones = [each for each in skills.values() if each["strand"] == strand and each["needed"]]
        known = rules().knowledge.numbers.words.expected
        lacking = next(
            one
            for one in open_ones
            if one["word"] not in ("expected", "shown", "kept") and (one["tries"] or one["chance"] < known)
        )
        assert place == units[lacking["c_level"]]
    assert one["causes"] == ["올린 수를 잊음"]
    assert one["moved"] == one["standing"][0]


async def test_the_period_ends_today(api: Api, overview: str) -> None:
    answer = (await api.client.get(overview, params={"days": 1})).json()
    assert answer["since"] == answer["until"] == datetime.now(KOREA).date().isoformat()
    assert (await _students(api, overview, days=5))["s1"]["days"] == 2


async def test_open_entries_of_the_review_queue_are_counted(api: Api, overview: str) -> None:
    reviews: Reviews = api.app.state.services.learners.reviews
    before = (await _students(api, overview))["s2"]
    await reviews.add("rejected_text", {"text": "…"}, room="lesson", place_id="l1", student_id="s2")
    after = (await _students(api, overview))["s2"]
    assert (after["open_reviews"], after["open_alerts"]) == (before["open_reviews"] + 1, before["open_alerts"])


async def test_another_teacher_finds_no_such_class(api: Api, overview: str) -> None:
    for role, students, status in (("teacher", ["s9"], 404), ("guardian", ["s1"], 403), ("teacher", ["s1", "s2"], 200)):
        answer = await api.client.get(overview, headers=await api.as_(role, *students))  # type: ignore[arg-type]
        assert answer.status_code == status, answer.text


async def test_a_class_without_children_has_an_overview(api: Api) -> None:
    made = (await api.client.post("/api/v1/classes", json={"name": "빈 반"})).json()
    answer = (await api.client.get(f"/api/v1/classes/{made['class_id']}/overview")).raise_for_status().json()
    assert (answer["students"], answer["groups"]) == ([], [])
    assert answer["summary"] == ["이 기간에는 아무도 공부하지 않았어요."]


async def test_a_sheet_has_true_steps_and_no_problem_that_waits_for_an_answer(api: Api, overview: str) -> None:
    path = overview.replace("/overview", "/sheet")
    first = (await api.client.get(path, params={"skill_id": "C8.carry_ones", "problems": 20})).json()
    assert first["problems"]
    for one in first["problems"]:
        left, right = one["expression"].split("+")
        assert one["answer"] == int(left) + int(right)
        assert one["steps"][-1]["expression"].endswith(f"={one['answer']}")
    await api.begin("s1", c_position=8, w_position=None, first_problem=first["problems"][0]["expression"])
    again = (await api.client.get(path, params={"skill_id": "C8.carry_ones", "problems": 20})).json()
    assert first["problems"][0]["expression"] not in [one["expression"] for one in again["problems"]]
    assert (await api.client.get(path, params={"skill_id": "none"})).status_code == 404
    other = await api.as_("teacher", "s2")
    assert (await api.client.get(path, params={"skill_id": "C8.carry_ones"}, headers=other)).status_code == 404


async def test_it_says_who_plays_now(api: Api, overview: str) -> None:
    async def playing() -> dict[str, str]:
        asked: dict[str, str] = (await api.client.get(f"{overview}/playing")).raise_for_status().json()["sessions"]
        found = await _students(api, overview)
        assert {name: one["open_session"] for name, one in found.items()} == {
            "s1": asked.get("s1"),
            "s2": asked.get("s2"),
        }
        return asked

    assert await playing() == {}
    first = await api.begin("s2")
    second = await api.begin("s2")
    assert await playing() == {"s2": second["session_id"]}
    for one in (second, first):
        body = {"type": "stop", "request_id": "r"}
        assert (await api.client.post(f"/api/v1/sessions/{one['session_id']}/events", json=body)).is_success
    assert await playing() == {}
