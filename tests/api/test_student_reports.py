"""Reports over HTTP: who may have which, and that their numbers are those of the other pages."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import httpx
import pytest

from maththera.korean.dates import KOREA
from maththera.reports import report_maker
from maththera.reports.class_report import ClassReport
from maththera.reports.teacher_report import TeacherReport
from maththera.store.access.authorization import Role
from tests.api.conftest import Api
from tests.support.learning import Pupil, learn

REPORTS = "/api/v1/students/s1/reports"
SUMMARY, KNOWLEDGE = "/api/v1/students/s1/summary", "/api/v1/students/s1/knowledge"


@pytest.fixture
async def taught(api: Api, sqlite_url: str) -> Api:
    """s1 drops carries; s2 has just begun."""
    await learn(sqlite_url, Pupil("s1", ("sum_carry_dropped",), c=8), days_ago=(9, 3, 2))
    await learn(sqlite_url, Pupil("s2", c=7), days_ago=(1,))
    return api


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The contents of the reports that are made, beside their PDF."""
    found: list[Any] = []

    def kept(make: Callable[..., Any]) -> Callable[..., Any]:
        def made(*of: Any) -> Any:
            found.append(make(*of))
            return found[-1]

        return made

    for name in ("teacher_report", "guardian_letter", "class_report"):
        monkeypatch.setattr(report_maker, name, kept(getattr(report_maker, name)))
    return found


async def _made(api: Api, headers: Any = None, **body: Any) -> httpx.Response:
    return await api.client.post(REPORTS, json=body, headers=headers)


async def test_a_report_is_made_listed_and_opened(taught: Api) -> None:
    answer = await _made(taught, kind="teacher", name="김지우", grade="3학년 2반")
    assert answer.status_code == 201, answer.text
    report = answer.json()
    today = datetime.now(KOREA).date()
    assert (report["until"], report["since"]) == (today.isoformat(), (today - timedelta(days=29)).isoformat())
    opened = await taught.client.get(report["url"], headers={"Authorization": ""})
    assert opened.content.startswith(b"%PDF")
    again = (await _made(taught, kind="teacher", name="김지우", grade="3학년 2반")).json()
    assert again["report_id"] == report["report_id"], "the same records"
    (listed,) = (await taught.client.get(REPORTS)).json()["reports"]
    assert (listed["report_id"], listed["pages"]) == (report["report_id"], report["pages"])


async def test_each_link_to_a_report_can_be_ended_alone(taught: Api) -> None:
    report = (await _made(taught, kind="guardian")).json()
    again = (await _made(taught, kind="guardian")).json()
    assert again["links"] == report["links"], "a young link is given again"
    address = f"{REPORTS}/{report['report_id']}/links"
    other = (await taught.client.post(address)).json()
    kept, ended = report["links"][0], other
    assert (await taught.client.get(kept["url"], headers={"Authorization": ""})).is_success
    assert (await taught.client.delete(f"{address}/{ended['link_id']}")).status_code == 204
    refused = await taught.client.get(ended["url"], headers={"Authorization": ""})
    assert (refused.status_code, "ended" in refused.json()["detail"]) == (404, True)
    browser = await taught.client.get(ended["url"], headers={"Authorization": "", "Accept": "text/html,*/*"})
    assert (browser.status_code, browser.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "새 링크를 부탁해 주세요" in browser.text
    assert (await taught.client.get(kept["url"], headers={"Authorization": ""})).is_success
    (listed,) = (await taught.client.get(REPORTS)).json()["reports"]
    (shown,) = listed["links"]
    assert (shown["link_id"], listed["url"]) == (kept["link_id"], kept["url"])
    assert shown["opened_at"] is not None
    assert (await taught.client.delete(f"{address}/{ended['link_id']}")).status_code == 404
    assert (await taught.client.delete(f"{address}/{kept['link_id']}")).status_code == 204
    (bare,) = (await taught.client.get(REPORTS)).json()["reports"]
    assert (bare["url"], bare["expires_at"], bare["links"]) == (None, None, [])
    assert (await _made(taught, kind="guardian")).json()["url"] not in (None, kept["url"], ended["url"])


@pytest.mark.parametrize(
    ("role", "students", "letter", "plan"),
    [
        ("admin", (), 201, 201),
        ("teacher", ("s1",), 201, 201),
        ("teacher", ("s2",), 404, 404),
        ("guardian", ("s1",), 201, 404),
        ("guardian", ("s2",), 404, 404),
        ("student", ("s1",), 403, 403),
    ],
)
async def test_who_gives_and_ends_links(
    taught: Api, role: Role, students: Sequence[str], letter: int, plan: int
) -> None:
    headers = await taught.as_(role, *students)
    for kind, expected in (("guardian", letter), ("teacher", plan)):
        report = (await _made(taught, kind=kind)).json()
        address = f"{REPORTS}/{report['report_id']}/links"
        assert (await taught.client.post(address, headers=headers)).status_code == expected
        ended = await taught.client.delete(f"{address}/{report['links'][0]['link_id']}", headers=headers)
        assert ended.status_code == (204 if expected == 201 else expected)
        through_another = address.replace("/s1/", "/s2/")
        assert (await taught.client.post(through_another)).status_code == 404, "it is not about that child"


async def test_the_numbers_of_a_report_are_those_of_the_pages(taught: Api, made: list[Any]) -> None:
    await taught.client.post(f"{REPORTS[:-8]}/goals", json={"skill_id": "C8.carry_ones", "due": "2099-12-01"})
    assert (await _made(taught, kind="teacher", **{"from": "2020-01-01"})).status_code == 201
    report: TeacherReport = made[0]
    summary, knowledge, goals = [
        (await taught.client.get(path)).json() for path in (SUMMARY, KNOWLEDGE, f"{REPORTS[:-8]}/goals")
    ]
    assert report.counts == {name: summary[name] for name in ("answered", "right", "accuracy", "median_rt_ms")}
    by_id = {one["skill_id"]: one for one in knowledge["skills"]}
    shown = [skill for group in report.skills for skill in group.skills]
    assert shown
    for skill in shown:
        page = by_id[skill["skill_id"]]
        assert {name: skill[name] for name in page} == page  # type: ignore[literal-required]
    for word, groups in (("expected", report.expected), ("untested", report.untested)):
        names = {skill["name"] for group in groups for skill in group.skills}
        assert names == {one["name"] for one in by_id.values() if one["word"] == word}
    assert report.growth[-1].counts[0] == sum(one["word"] in ("shown", "kept") for one in by_id.values())
    causes = {one["name"]: one for one in summary["patterns"] if one["kind"] == "cause"}
    assert {one.name: one.count for one in report.causes} == {name: one["count"] for name, one in causes.items()}
    assert {one["name"]: one["times"] for one in summary["causes"]} == {n: one["count"] for n, one in causes.items()}
    assert causes
    for cause in report.causes:
        given = [(one.expression, one.given, one.how) for one in cause.examples]
        assert given == [(one["expression"], one["given"], one["how"]) for one in causes[cause.name]["examples"]]
    assert report.goals == goals["goals"]


async def test_what_is_on_record_of_a_child_is_printed(taught: Api, made: list[Any]) -> None:
    await taught.client.patch("/api/v1/students/s1", json={"nickname": "하늘", "grade": 3})
    await _made(taught, kind="guardian")
    await _made(taught, kind="guardian", name="김하늘", teacher="이선생")
    assert [(one.person.name, one.person.grade, one.person.teacher) for one in made] == [
        ("하늘", "3학년", None),
        ("김하늘", "3학년", "이선생"),
    ]


async def test_a_class_is_that_of_the_teacher(taught: Api, made: list[Any]) -> None:
    teacher = await taught.as_("teacher", "s1", "s2", "s3")
    answer = await _made(taught, teacher, kind="class", class_name="3학년 2반")
    assert (answer.json()["title"], answer.json()["student_ids"]) == ("3학년 2반", ["s1", "s2", "s3"])
    report: ClassReport = made[0]
    first = (await taught.client.get(KNOWLEDGE)).json()["skills"]
    standing = dict(zip(report.standing_titles, report.students[0].standing, strict=True))
    assert standing["안 물어봄"] == sum(one["word"] == "untested" for one in first)
    some = await _made(taught, teacher, kind="class", student_ids=["s2"])
    assert some.json()["student_ids"] == ["s1", "s2"]
    others = await _made(taught, teacher, kind="class", student_ids=["s2", "s9"])
    assert others.status_code == 404
    of_s2 = await taught.client.get("/api/v1/students/s2/reports", headers=await taught.as_("teacher", "s2"))
    assert of_s2.json() == {"reports": []}, "with children of another teacher in them"


@pytest.mark.parametrize(
    ("role", "students", "expected"),
    [
        ("admin", (), (200, 201, 201)),
        ("teacher", ("s1",), (200, 201, 201)),
        ("teacher", ("s2",), (404, 404, 404)),
        ("guardian", ("s1",), (200, 201, 403)),
        ("student", ("s1",), (403, 403, 403)),
    ],
)
async def test_roles(taught: Api, role: Role, students: Sequence[str], expected: tuple[int, int, int]) -> None:
    headers = await taught.as_(role, *students)
    listed = await taught.client.get(REPORTS, headers=headers)
    letter, plan = [await _made(taught, headers, kind=kind) for kind in ("guardian", "teacher")]
    assert (listed.status_code, letter.status_code, plan.status_code) == expected
    if role == "guardian":
        await _made(taught, kind="teacher")
        kinds = [one["kind"] for one in (await taught.client.get(REPORTS, headers=headers)).json()["reports"]]
        assert kinds == ["guardian"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kind": "weekly"}, "body.kind"),
        ({"kind": "teacher", "from": "2026-03-02", "to": "2026-03-01"}, "body.from"),
        ({"kind": "teacher", "from": "yesterday"}, "body.from"),
        ({"kind": "guardian", "class_name": "3-2"}, "body"),
        ({"kind": "guardian", "name": ""}, "body.name"),
    ],
)
async def test_what_is_wrong_is_named(taught: Api, body: dict[str, object], field: str) -> None:
    refused = await _made(taught, **body)
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, field)


async def test_a_past_period_is_not_changed_by_what_came_later(taught: Api, made: list[Any], sqlite_url: str) -> None:
    until = (datetime.now(KOREA).date() - timedelta(days=2)).isoformat()
    await _made(taught, kind="teacher", to=until)
    await learn(sqlite_url, Pupil("s1", c=8, seed=5), days_ago=(0,))
    await _made(taught, kind="teacher", to=until)
    before, after = made
    assert before == after
    assert date.fromisoformat(before.until) < datetime.now(KOREA).date()
