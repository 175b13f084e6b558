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
    del overview["trainings"]
    assert overview == {
        "student": await found(learnt, ""),
        "summary": await found(learnt, "/summary"),
        "knowledge": await found(learnt, "/knowledge"),
        "weeks": await found(learnt, "/heatmap", by="week", weeks=5),
        "sessions": (await found(learnt, "/sessions", limit=2))["sessions"],
    }


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
