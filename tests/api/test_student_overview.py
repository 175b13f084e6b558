"""A learner's page in one answer: each part is what its own address gives."""

from typing import Any

import pytest

from tests.api.conftest import Api
from tests.support.learning import Pupil, learn

STUDENT = "/api/v1/students/s1"


@pytest.fixture
async def learnt(api: Api, sqlite_url: str) -> Api:
    """s1 drops carries, on days of several weeks."""
    await learn(sqlite_url, Pupil("s1", ("sum_carry_dropped",), c=8), days_ago=(20, 9, 3, 0))
    return api


async def found(api: Api, path: str, **query: Any) -> Any:
    return (await api.client.get(f"{STUDENT}{path}", params=query)).raise_for_status().json()


async def test_each_part_is_what_its_own_address_gives(learnt: Api) -> None:
    overview = await found(learnt, "/overview", weeks=5, sessions=2)
    assert overview["summary"]["answered"] > 0
    parts = {
        "student": await found(learnt, ""),
        "summary": await found(learnt, "/summary"),
        "knowledge": await found(learnt, "/knowledge"),
        "weeks": await found(learnt, "/heatmap", by="week", weeks=5),
        "sessions": (await found(learnt, "/sessions", limit=2))["sessions"],
    }
    assert {name: overview[name] for name in parts} == parts


async def test_pages_and_reports_are_of_the_same_days(api: Api, sqlite_url: str) -> None:
    """A cause that was stated before them is no cause of today, on a page as on paper, and is not forgotten."""
    await learn(sqlite_url, Pupil("s1", ("sum_carry_dropped",), c=8), days_ago=(60, 50, 45))
    await learn(sqlite_url, Pupil("s1", c=7, seed=2), days_ago=(2,))
    (stated,) = (await found(api, "/summary"))["causes"]
    recent = (await found(api, "/overview"))["recent"]
    assert [one["pattern_id"] for one in recent["patterns"] if one["kind"] == "cause"] == []
    assert [one["pattern_id"] for one in recent["earlier"]] == [stated["cause_tag"]]
    report = (await api.client.post(f"{STUDENT}/reports", json={"kind": "teacher"})).json()
    made = (await api.client.post("/api/v1/classes", json={"name": "반"})).json()["class_id"]
    assert (
        await api.client.post(f"/api/v1/classes/{made}/members", json={"student_id": "s1", "nickname": "별"})
    ).is_success
    on_class = (await api.client.get(f"/api/v1/classes/{made}/overview")).json()
    letter = await found(api, "/letter")
    days = [(one["since"], one["until"]) for one in (recent, report, on_class, letter)]
    assert len({*days}) == 1
    (child,) = on_class["students"]
    assert child["causes"] == []


async def test_a_cause_that_was_stated_before_is_seen_in_later_answers(api: Api, sqlite_url: str) -> None:
    await learn(sqlite_url, Pupil("s1", ("sum_carry_dropped",), c=8), days_ago=(60, 50, 45, 1))
    (stated,) = (await found(api, "/summary"))["causes"]
    recent = (await found(api, "/overview"))["recent"]
    (cause,) = [one for one in recent["patterns"] if one["kind"] == "cause"]
    assert (cause["pattern_id"], recent["earlier"]) == (stated["cause_tag"], [])
    assert not any(one["pattern_id"] == "sum_carry_dropped" for one in recent["patterns"])
    assert 0 < cause["count"] < stated["times"]


async def test_a_training_is_told_with_what_changed_after_it(learnt: Api) -> None:
    told = (await found(learnt, "/overview"))["trainings"]
    done = [one for one in (await found(learnt, "/turns", limit=500))["turns"] if one["kind"] == "training"]
    assert sum(one["times"] for one in told) == len(done) > 0
    assert [one["first_day"] for one in told] == sorted(one["first_day"] for one in told)
    assert [one["title"] for one in told if one["skill"] is not None]
    assert all(0 <= one[when]["right"] <= one[when]["tries"] <= 10 for one in told for when in ("before", "after"))


async def test_it_is_for_adults_of_the_child(learnt: Api) -> None:
    for role, student, status in (("student", "s1", 403), ("teacher", "s2", 404), ("guardian", "s1", 200)):
        headers = await learnt.as_(role, student)  # type: ignore[arg-type]
        assert (await learnt.client.get(f"{STUDENT}/overview", headers=headers)).status_code == status
