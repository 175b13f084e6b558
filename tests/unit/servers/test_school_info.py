from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from maththera.config_files import ConfigError
from maththera.llm.model_client import without_models
from maththera.servers import school_info
from maththera.servers.client.server_manager import ServerManager
from maththera.servers.config import load_servers
from maththera.servers.toolkit.server_base import ServerResources
from maththera.settings import Settings
from maththera.store.schools import Schools
from tests.support.databases import migrated
from tests.support.fake_llm import FakeLlm
from tests.unit.servers.conftest import Json, Refused, calling

SAMPLE = "SAMPLE-0001"


def _write_school(folder: Path, text: str = "# 계획\n\n수영 수업은 6월에 한다.") -> Path:
    (folder / "plan.md").write_text(text, encoding="utf-8")
    entry = "school_code: B10\nname: 한빛초\nregion: 세종\nkind: 초등학교\ndocuments:\n"
    (folder / "school.yaml").write_text(f"{entry}  - {{file: plan.md, title: 계획, year: 2026}}\n", encoding="utf-8")
    return folder


async def test_an_answer_quotes_the_document(empty_world: ServerResources) -> None:
    async with calling(school_info.build(empty_world)) as call:
        found = await call("query_school_info", **QUESTION)
    assert (found["sample"], found["written_by"]) == (True, "passages")
    source = found["sources"][0]
    assert (source["heading"], source["year"]) == ("2학년 평가 계획", 2025)
    assert source["quote"] in found["answer"]
    documents = empty_world.configs / "servers" / "schools" / "sample"
    assert source["quote"] in (documents / "2025_evaluation.md").read_text(encoding="utf-8")


QUESTION: Final = {"question": "2학년 두 자리 수의 덧셈 단원의 평가 계획은?", "school_code": SAMPLE, "year": 2025}


@pytest.mark.parametrize(
    ("year", "told"), [(2025, "놀이 활동을 하며 관찰한다"), (2026, "10월 셋째 주에 관찰과 구술로 평가한다")]
)
async def test_a_unit_by_the_name_that_its_flow_asks_for_is_found(
    empty_world: ServerResources, year: int, told: str
) -> None:
    """As 학교_정보_기반_수업_준비 asks for grade 2 and 곱셈, which the plan calls 곱셈구구."""
    asked = {"question": "2학년 곱셈 단원의 평가 계획은?", "school_code": SAMPLE, "year": year}
    async with calling(school_info.build(empty_world)) as call:
        found = await call("query_school_info", **asked)
    assert told in found["answer"]
    assert found["sources"][0]["heading"] == "2학년 평가 계획"


async def test_a_model_answers_from_the_passages(tmp_path: Path, sqlite_url: str) -> None:
    text = '{"answer": "2학년 덧셈 단원은 수행평가로 평가합니다.", "used": [1]}'
    async with asked(tmp_path, sqlite_url, text) as (found, sent):
        assert (
            found["answer"] == "2학년 덧셈 단원은 수행평가로 평가합니다. (2025학년도 수학과 평가 계획, 2학년 평가 계획)"
        )
        assert (found["written_by"], len(found["sources"])) == ("model", 1)
        assert found["sources"][0]["quote"] in sent


async def test_no_model_is_asked_where_the_caller_says_so(tmp_path: Path, sqlite_url: str) -> None:
    with FakeLlm(text='{"answer": "수행평가로 평가합니다.", "used": [1]}') as llm:
        settings = Settings(data_dir=tmp_path, database_url=sqlite_url, llm_base_url=llm.base_url, llm_model="any")
        servers = load_servers(settings.home / "configs" / "servers" / "servers.yaml", settings.for_servers())
        async with ServerManager(servers) as tools:
            with without_models():
                barred = await tools.call("school-info-mcp", "query_school_info", QUESTION)
            assert (barred["written_by"], llm.requests) == ("passages", [])
            free = await tools.call("school-info-mcp", "query_school_info", QUESTION)
            assert (free["written_by"], len(llm.requests)) == ("model", 1)


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "", "used": []}',
        '{"answer": "덧셈 단원은 9999점 만점입니다.", "used": [1]}',
        '{"answer": "수행평가입니다.", "used": [7]}',
        '{"answer": "by project", "used": [1]}',
        '{"answer": "그런 것도 모르는 한심한 부모님은 2학년 평가를 묻지 마세요.", "used": [1]}',
        '{"answer": "<script>alert(1)</script> 수행평가로 평가합니다.", "used": [1]}',
        "잘 모르겠습니다.",
    ],
)
async def test_what_the_passages_do_not_say_is_not_the_answer(tmp_path: Path, sqlite_url: str, text: str) -> None:
    async with asked(tmp_path, sqlite_url, text) as (found, _):
        assert found["written_by"] == "passages"
        assert found["sources"][0]["quote"] in found["answer"]


@asynccontextmanager
async def asked(tmp_path: Path, url: str, text: str) -> AsyncIterator[tuple[Json, str]]:
    """What is answered to QUESTION where a model says `text`, and what the model was sent."""
    with FakeLlm(text=text) as llm:
        world = ServerResources(
            Settings(data_dir=tmp_path, database_url=url, llm_base_url=llm.base_url, llm_model="any")
        )
        try:
            async with calling(school_info.build(world)) as call:
                found = await call("query_school_info", **QUESTION)
            yield found, llm.requests[0]["messages"][1]["content"]
        finally:
            await world.aclose()


@pytest.mark.parametrize(
    ("question", "year", "message"),
    [
        ("급식 메뉴는?", 2025, "찾지 못했습니다"),
        ("5학년 분수 단원의 평가 계획은?", 2025, "찾지 못했습니다"),
        ("평가 계획은?", 2024, "있는 학년도: 2025, 2026"),
    ],
)
async def test_no_answer_is_explained(empty_world: ServerResources, question: str, year: int, message: str) -> None:
    async with calling(school_info.build(empty_world)) as call:
        found = await call("query_school_info", question=question, school_code=SAMPLE, year=year)
    assert (found["answer"], found["sources"]) == ("", [])
    assert message in found["message"]


async def test_a_school_that_was_added(tmp_path: Path, database_url: str) -> None:
    world = ServerResources(Settings(data_dir=tmp_path, database_url=database_url))
    await migrated(database_url)
    added = Schools(world.database)
    await added.add(_write_school(tmp_path))
    await added.add(_write_school(tmp_path, "# 계획\n\n수영 수업은 7월에 한다."))
    async with calling(school_info.build(world)) as call:
        found = await call("query_school_info", question="수영 수업은 언제?", school_code="B10", year=2026)
        listed = await call("search_schools", region="세종")
        every = await call("search_schools")
        about = await call("get_school_metadata", school_code="B10")
    assert "7월" in found["answer"], "a document of the same title and year takes the place of the old one"
    assert [one["school_code"] for one in listed["schools"]] == ["B10"]
    assert {one["school_code"] for one in every["schools"]} == {"B10", SAMPLE}
    assert (about["years"], about["sample"], len(about["documents"])) == ([2026], False, 1)


@pytest.mark.parametrize(
    ("text", "entry", "reason"),
    [
        ("", None, "empty"),
        ("수업", "file: ../secret.md, title: 계획, year: 2026", "same folder"),
        ("수업", "file: plan.pdf, title: 계획, year: 2026", "same folder"),
        ("수업", "file: none.md, title: 계획, year: 2026", "No such file"),
        ("수업", "file: plan.md, title: 계획, year: 26", r"school\.yaml:\d+: documents\[0\]\.year"),
    ],
)
async def test_a_bad_folder_adds_nothing(
    tmp_path: Path, sqlite_url: str, text: str, entry: str | None, reason: str, empty_world: ServerResources
) -> None:
    await migrated(sqlite_url)
    folder = _write_school(tmp_path, text)
    if entry:
        path = folder / "school.yaml"
        head = path.read_text(encoding="utf-8").partition("  - ")[0]
        path.write_text(f"{head}  - {{{entry}}}\n", encoding="utf-8")
    added = Schools(empty_world.database)
    with pytest.raises(ConfigError, match=reason):
        await added.add(folder)
    assert await added.all() == []


async def test_an_unknown_school_is_named(empty_world: ServerResources) -> None:
    async with calling(school_info.build(empty_world)) as call:
        with pytest.raises(Refused, match="school_code: 'B99'"):
            await call("get_school_metadata", school_code="B99")
        none = await call("search_schools", name="없는 학교")
    assert none == {"schools": [], "message": "조건에 맞는 학교가 없습니다."}
