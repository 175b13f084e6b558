"""A student's answers one by one over HTTP: pages, days, and the table for a spreadsheet."""

import csv
import io
from datetime import datetime, timedelta
from typing import Any

import pytest

from maththera.korean.dates import KOREA
from tests.api.conftest import Api
from tests.support.learning import Pupil, learn

TURNS = "/api/v1/students/s1/turns"
DAYS_AGO = (9, 3, 2)


@pytest.fixture
async def taught(api: Api, sqlite_url: str) -> Api:
    """s1 drops carries and has played on three days."""
    await learn(sqlite_url, Pupil("s1", ("sum_carry_dropped",), c=8), days_ago=DAYS_AGO)
    return api


async def _all(api: Api, **query: Any) -> list[dict[str, Any]]:
    """The turns of all pages."""
    found: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = (await api.client.get(TURNS, params={**query, **cursor})).raise_for_status().json()
        found += page["turns"]
        if page["next"] is None:
            return found
        cursor = {"cursor": page["next"]}


async def test_pages_together_are_every_turn_once_the_newest_first(taught: Api) -> None:
    whole = await _all(taught, limit=1_000)
    assert await _all(taught, limit=7) == whole
    assert [one["at"] for one in whole] == sorted((one["at"] for one in whole), reverse=True)
    summary = (await taught.client.get("/api/v1/students/s1/summary")).json()
    assert sum(one["correct"] is not None for one in whole) == summary["answered"]
    assert sum(one["correct"] is True for one in whole) == summary["right"]


async def test_a_turn_says_what_was_asked_and_answered(taught: Api) -> None:
    wrong = [one for one in await _all(taught) if one["correct"] is False]
    assert wrong
    for one in wrong:
        assert one["expression"]
        assert one["given"] != one["right"]
        assert one["c"] in range(16)


async def test_days_are_those_of_korea(taught: Api) -> None:
    day = datetime.now(KOREA).date() - timedelta(days=3)
    found = await _all(taught, **{"from": day.isoformat(), "to": day.isoformat()})
    days = [datetime.fromisoformat(one["at"]).astimezone(KOREA).date() for one in await _all(taught)]
    assert len(found) == days.count(day) > 0


async def test_the_table_has_the_rows_of_the_pages(taught: Api) -> None:
    answer = await taught.client.get(TURNS, headers={"Accept": "text/csv"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    told = [{key: "" if value is None else str(value) for key, value in one.items()} for one in await _all(taught)]
    assert rows == told


async def test_a_child_does_not_read_it_and_a_stranger_finds_nothing(taught: Api) -> None:
    for role, students, status in (("student", ["s1"], 403), ("teacher", ["s2"], 404), ("guardian", ["s1"], 200)):
        answer = await taught.client.get(TURNS, headers=await taught.as_(role, *students))  # type: ignore[arg-type]
        assert answer.status_code == status, answer.text


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"cursor": "x"}, "cursor"),
        ({"from": "2026-13-01"}, "from"),
        ({"limit": 0}, "limit"),
        ({"from": "2026-11-02", "to": "2026-11-01"}, "query.to"),
    ],
)
async def test_a_bad_query_names_its_field(api: Api, query: dict[str, Any], field: str) -> None:
    await api.begin()
    answer = await api.client.get(TURNS, params=query)
    assert answer.status_code == 422
    assert field in answer.json()["detail"]


async def test_skills_by_week_count_every_unaided_first_try(taught: Api) -> None:
    found = (await taught.client.get("/api/v1/students/s1/heatmap", params={"by": "week", "weeks": 4})).json()
    knowledge = (await taught.client.get("/api/v1/students/s1/knowledge")).json()
    asked = {one["skill_id"]: one for one in knowledge["skills"] if one["tries"]}
    assert [one["skill_id"] for one in found["skills"]] == [*asked]
    assert (len(found["cells"]), {len(row) for row in found["cells"]}) == (len(asked), {len(found["weeks"])})
    for one, row in zip(asked.values(), found["cells"], strict=True):
        assert sum(cell[1] for cell in row if cell) == one["tries"]
        if row[-1]:
            assert row[-1][0] == round(one["chance"], 3)


async def test_a_child_does_not_read_its_weeks(taught: Api) -> None:
    headers = await taught.as_("student", "s1")
    answer = await taught.client.get("/api/v1/students/s1/heatmap", params={"by": "week"}, headers=headers)
    assert answer.status_code == 403
