"""Taking out what is kept of a child, and erasing it, from the command line."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maththera.cli import app
from maththera.store.database import Database
from maththera.store.students import StudentRecords
from tests.support.databases import migrated
from tests.support.learning import Pupil, learn


@pytest.fixture(autouse=True)
def _own_stores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, redis_url: str) -> None:
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("MATHTHERA_REDIS_URL", redis_url)


def called(*arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(app, arguments, input=answer)


@pytest.fixture
def child() -> str:
    assert called("tokens", "create", "student", "--student", "a-child").exit_code == 0
    return "a-child"


def test_a_child_is_exported_into_a_file_that_was_not_there(child: str, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    exported = called("students", "export", child, "-o", str(path))
    assert (exported.exit_code, exported.output) == (0, f"{path} is written\n")
    assert json.loads(path.read_text())["student_id"] == child
    assert path.stat().st_mode & 0o077 == 0, "nobody else's"
    again = called("students", "export", child, "-o", str(path))
    assert (again.exit_code, "File exists" in again.output) == (2, True)


def test_erasing_asks_and_tells_what_it_did(child: str) -> None:
    assert called("students", "erase", child, answer="n\n").exit_code == 1
    erased = called("students", "erase", child, answer="y\n")
    assert erased.exit_code == 0
    assert "1 tokens" in erased.output
    assert "receipt" in erased.output


@pytest.mark.slow
def test_the_private_redis_that_ends_with_the_command_has_forgotten_the_child(
    child: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MATHTHERA_REDIS_URL")
    assert called("play", "--student", child, answer="1\n2\n").exit_code == 0
    files = [path for path in (tmp_path / "redis").rglob("appendonly*") if path.is_file()]
    assert any(child.encode() in path.read_bytes() for path in files)
    assert called("students", "erase", child, "--yes").exit_code == 0
    files = [path for path in (tmp_path / "redis").rglob("appendonly*") if path.is_file()]
    assert files
    assert not any(child.encode() in path.read_bytes() for path in files)


def test_nothing_is_erased_that_is_not_old_enough(child: str) -> None:
    expired = called("students", "expire", "--days", "30")
    assert (expired.exit_code, expired.output) == (0, "nothing is that old\n")
    assert "live" in called("tokens", "list").output


@pytest.mark.parametrize("command", [("export", "s7", "-o", "out.json"), ("erase", "s7", "--yes")])
def test_a_slip_of_the_pen_is_no_child_that_was_erased(child: str, command: tuple[str, ...], tmp_path: Path) -> None:
    result = called("students", *(str(tmp_path / part) if part == "out.json" else part for part in command))
    assert (result.exit_code, "nothing is kept of s7" in result.output) == (2, True)
    assert not (tmp_path / "out.json").exists()
    assert "live" in called("tokens", "list").output


@pytest.mark.slow
def test_a_child_is_shown_in_words(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHTHERA_DATABASE_URL", database_url)
    asyncio.run(learn(database_url, Pupil("a-child", malrules=["sum_carry_dropped"]), days_ago=(3, 1)))
    listed = called("students", "list")
    assert (listed.exit_code, "a-child" in listed.output) == (0, True), listed.output
    shown = called("students", "show", "a-child")
    assert shown.exit_code == 0, shown.output
    assert "연습 중: " in shown.output
    assert re.search(r"\d번 중 \d번", shown.output)
    assert "확인된 원인: " in shown.output
    assert "→" in shown.output
    assert "다음에 할 것: " in shown.output
    assert "%" not in shown.output


def test_a_screening_is_shown_in_words(child: str) -> None:
    answers = "\n".join(["3"] * 34 + ["c"] * 8)
    assert called("play", "--student", child, "--mode", "number_sense", answer=answers).exit_code == 0
    shown = called("students", "show", child)
    assert shown.exit_code == 0, shown.output
    assert "수 감각" in shown.output
    assert "점을 세는 문제 16개 가운데 2개를 맞혔어요." in shown.output
    assert "진단이 아니에요" in shown.output


def test_a_grade_that_is_said_once_is_the_childs_from_then_on(child: str, tmp_path: Path) -> None:
    for said in (["--grade", "4"], []):
        played = called("play", "--student", child, "--mode", "placement", *said, answer="그만\n")
        assert played.exit_code == 0, played.output
    path = tmp_path / "out.json"
    assert called("students", "export", child, "-o", str(path)).exit_code == 0
    tables = json.loads(path.read_text())["tables"]
    assert [row["grade"] for row in tables["students"]] == [4]
    assert [(row["start"]["grade"], row["start"]["grade_c"]) for row in tables["sessions"]] == [(4, 11)] * 2


@pytest.fixture
def mina(database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A child with a nickname. -> its id"""
    monkeypatch.setenv("MATHTHERA_DATABASE_URL", database_url)
    asyncio.run(_called(database_url, "child-1", "민아"))
    return "child-1"


async def _called(url: str, student_id: str, nickname: str) -> None:
    await migrated(url)
    database = Database(url)
    await StudentRecords(database).change(student_id, {"nickname": nickname})
    await database.close()


def test_a_child_is_listed_with_its_nickname_and_shown_by_it(mina: str) -> None:
    assert re.search(rf"{mina}.*민아", called("students", "list").output)
    assert called("students", "show", "민아").output == called("students", "show", mina).output
    made = called("tokens", "create", "guardian", "--student", "민아")
    assert made.exit_code == 0, made.output
    assert mina in called("tokens", "list").output


def test_a_nickname_of_two_names_nobody(mina: str, database_url: str) -> None:
    asyncio.run(_called(database_url, "child-2", "민아"))
    for command in (("students", "show"), ("report",), ("tokens", "create", "guardian", "--student")):
        refused = called(*command, "민아")
        assert refused.exit_code == 2
        assert {"child-1", "child-2"} <= {*re.findall(r"child-\d", refused.output)}


@pytest.mark.parametrize("command", ["students show", "report", "tokens create guardian --student"])
def test_an_unknown_child_is_refused_with_how_to_list_them(mina: str, command: str) -> None:
    refused = called(*command.split(), "아무개")
    assert refused.exit_code == 2
    assert "nothing is kept of 아무개" in refused.output
    assert "`maththera students list`" in " ".join(re.sub("│", " ", refused.output).split())
    assert called("students", "show", "아무개").exit_code == 2
