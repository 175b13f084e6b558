"""The goals of a child over HTTP: set by teachers, reached by answers, read by adults, gone with the child."""

from datetime import datetime, timedelta

import httpx
import pytest

from maththera.korean.dates import KOREA
from maththera.store.access.authorization import Role
from tests.api.conftest import Api

GOALS = "/api/v1/students/s1/goals"
DUE = (datetime.now(KOREA).date() + timedelta(days=30)).isoformat()
WANTED = {"skill_id": "C7.nine", "right": 2, "out_of": 2, "due": DUE}


async def _set(api: Api, **more: object) -> httpx.Response:
    return await api.client.post(GOALS, json=WANTED | more)


async def test_a_goal_has_a_sentence_and_a_baseline(api: Api) -> None:
    await api.begin("s1")
    answer = await _set(api)
    assert answer.status_code == 201
    goal = answer.json()
    assert "도움 없이 처음 풀어" in goal["text"]
    assert goal["baseline"] == {
        "on": datetime.now(KOREA).date().isoformat(), "word": "untested", "right": 0, "tries": 0,
    }  # fmt: skip
    assert (goal["status"], goal["last_tries"], goal["reached_on"]) == ("open", 0, None)
    assert (await api.client.get(GOALS)).json() == {"student_id": "s1", "goals": [goal]}


async def test_a_goal_can_be_changed_and_taken_back(api: Api) -> None:
    await api.begin("s1")
    goal_id = (await _set(api)).json()["goal_id"]
    changed = await api.client.patch(f"{GOALS}/{goal_id}", json={"right": 8, "out_of": 10})
    assert (changed.status_code, changed.json()["right"], changed.json()["due"]) == (200, 8, DUE)
    assert "10문제 가운데 8문제" in changed.json()["text"]
    assert (await api.client.delete(f"{GOALS}/{goal_id}")).status_code == 204
    assert (await api.client.delete(f"{GOALS}/{goal_id}")).status_code == 404
    assert (await api.client.patch(f"{GOALS}/{goal_id}", json={"right": 1})).status_code == 404
    assert (await api.client.get(GOALS)).json()["goals"] == []


async def test_the_same_goal_is_not_set_twice(api: Api) -> None:
    await api.begin("s1")
    assert (await _set(api)).status_code == 201
    again = await _set(api, right=1)
    assert (again.status_code, again.json()["code"]) == (409, "goal_taken")
    assert len((await api.client.get(GOALS)).json()["goals"]) == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"skill_id": "C99.magic"}, "skill_id"),
        ({"right": 3}, "right"),
        ({"right": 0}, "right"),
        ({"out_of": 21}, "out_of"),
        ({"due": "2020-01-01"}, "due"),
        ({"due": "someday"}, "due"),
    ],
)
async def test_what_is_wrong_is_named(api: Api, wrong: dict[str, object], field: str) -> None:
    await api.begin("s1")
    refused = await _set(api, **wrong)
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, f"body.{field}")
    if field == "skill_id":
        assert "C10.borrow" in refused.json()["detail"], "with the list"


# (role, whom the token stands for) → what reading and setting s1's goals gives
@pytest.mark.parametrize(
    ("role", "students", "expected"),
    [
        ("teacher", ("s1", "s2"), (200, 201)),
        ("teacher", ("s2",), (404, 404)),
        ("guardian", ("s1",), (200, 403)),
        ("student", ("s1",), (403, 403)),
        ("author", (), (404, 404)),
    ],
)
async def test_roles(api: Api, role: Role, students: tuple[str, ...], expected: tuple[int, int]) -> None:
    await api.begin("s1")
    headers = await api.as_(role, *students)
    read = await api.client.get(GOALS, headers=headers)
    set_ = await api.client.post(GOALS, json=WANTED, headers=headers)
    assert (read.status_code, set_.status_code) == expected


async def test_goals_are_exported_and_erased_with_the_child(api: Api) -> None:
    await api.begin("s1")
    await _set(api)
    exported = (await api.client.get("/api/v1/students/s1/export")).json()
    assert [one["skill_id"] for one in exported["tables"]["goals"]] == ["C7.nine"]
    receipt = (await api.client.delete("/api/v1/students/s1")).json()
    assert receipt["records"]["goals"] == 1
