from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from maththera.reports.signed_links import ReportLinks, report_file
from maththera.servers import report_node
from maththera.servers.toolkit.server_base import ServerResources
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.personal_data.erasure import ErasureRecords
from maththera.store.reports import ReportRecords
from tests.unit.servers.conftest import Refused, calling


def _file(world: ServerResources, url: str) -> Path:
    """The file that a link opens."""
    data_dir, parts = world.settings.data_dir, urlsplit(url)
    report_id, query = parts.path.rpartition("/")[2].removesuffix(".pdf"), parse_qs(parts.query)
    ReportLinks.of(data_dir).check(report_id, query["link"][0], query["signature"][0])
    return report_file(data_dir, report_id)


@pytest.mark.parametrize(("kind", "pages"), [("diagnostic", 3), ("guardian", 1)])
async def test_a_report_is_a_pdf_behind_a_signed_link(world: ServerResources, kind: str, pages: int) -> None:
    async with calling(report_node.build(world)) as call:
        made = await call("generate_typst_report", student_id="s1", report_type=kind)
        again = await call("generate_typst_report", student_id="s1", report_type=kind)
        listed = (await call("list_reports", student_id="s1"))["reports"]
        found = await call("get_report", report_id=made["report_id"])
    content = _file(world, made["pdf_url"]).read_bytes()
    assert content.startswith(b"%PDF-1.7")
    assert b"NotoSansKR" in content
    assert made["pages"] == pages
    assert again["report_id"] == made["report_id"], "the same records make the same report"
    assert [one["report_id"] for one in listed] == [made["report_id"]]
    assert found["title"] == made["title"]


async def test_days_bound_a_report(world: ServerResources) -> None:
    async with calling(report_node.build(world)) as call:
        old = await call(
            "generate_typst_report",
            student_id="s1",
            report_type="diagnostic",
            start_date="2020-01-01",
            end_date="2020-01-31T12:00:00",
        )
    assert (old["start_date"], old["end_date"]) == ("2020-01-01", "2020-01-31")
    assert "기록이 없어" in old["message"]


async def test_a_class_is_those_named_or_those_of_the_teacher(world: ServerResources) -> None:
    async with calling(report_node.build(world)) as call:
        named = await call(
            "generate_typst_report", student_id="s1", report_type="class", student_ids=["s1", "s2"], class_name="3-2"
        )
        alone = await call("generate_typst_report", student_id="s1", report_type="class")
        await AccessTokens(world.database).create("teacher", ["s1", "s7"])
        taught = await call("generate_typst_report", student_id="s1", report_type="class")
        of_classmate = await call("list_reports", student_id="s7")
    assert (named["student_ids"], named["title"]) == (["s1", "s2"], "3-2")
    assert alone["student_ids"] == ["s1"]
    assert taught["student_ids"] == ["s1", "s7"]
    assert [one["report_id"] for one in of_classmate["reports"]] == [taught["report_id"]]


async def test_nobody_gets_a_report_that_says_so(empty_world: ServerResources) -> None:
    async with calling(report_node.build(empty_world)) as call:
        none = await call("list_reports", student_id="nobody")
        made = await call("generate_typst_report", student_id="nobody", report_type="diagnostic")
    assert (none["reports"], none["message"]) == ([], "이 학생의 보고서는 아직 없습니다.")
    assert "기록이 없어" in made["message"]
    assert _file(empty_world, made["pdf_url"]).is_file()


async def test_nothing_stays_of_a_child_that_is_erased_meanwhile(
    world: ServerResources, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = ReportRecords.save

    async def erased_just_before(records: ReportRecords, *of: Any, **more: Any) -> None:
        await ErasureRecords(world.database).student("s1")
        await save(records, *of, **more)

    monkeypatch.setattr(ReportRecords, "save", erased_just_before)
    async with calling(report_node.build(world)) as call:
        with pytest.raises(Refused, match="저장하지 못했습니다"):
            await call("generate_typst_report", student_id="s1", report_type="class", student_ids=["s1", "nobody"])
        assert (await call("list_reports", student_id="nobody"))["reports"] == []
    assert not list(world.settings.data_dir.rglob("*.pdf"))


async def test_bad_arguments_are_named(empty_world: ServerResources) -> None:
    async with calling(report_node.build(empty_world)) as call:
        with pytest.raises(Refused, match="report_type"):
            await call("generate_typst_report", student_id="s1", report_type="weekly")
        with pytest.raises(Refused, match="student_ids: report_type"):
            await call("generate_typst_report", student_id="s1", report_type="guardian", student_ids=["s1"])
        with pytest.raises(Refused, match="start_date"):
            await call("generate_typst_report", student_id="s1", report_type="guardian", start_date="2999-01-01")
        with pytest.raises(Refused, match=r"report_id: '\.\./\.\./etc/passwd'"):
            await call("get_report", report_id="../../etc/passwd")
