"""What is agreed to for a child acts in the terminal."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maththera.cli import app
from maththera.cli.database_access import with_database
from maththera.settings import home
from maththera.store.access.consents import Consents, PrivacyRules, Purpose
from maththera.store.database import Database
from maththera.store.students import StudentRecords
from tests.support.fake_llm import FakeLlm

pytestmark = pytest.mark.slow

COMMANDS = ("play", "lesson", "chat")
RULES = PrivacyRules.load(home())


@pytest.fixture(autouse=True)
def _service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, redis_url: str) -> None:
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path / "var"))
    monkeypatch.setenv("MATHTHERA_REDIS_URL", redis_url)


def recorded(birth_year: int, said: Mapping[Purpose, bool]) -> None:
    async def add(database: Database) -> None:
        await StudentRecords(database).change("s1", {"birth_year": birth_year})
        for purpose, granted in said.items():
            await Consents(database).record(
                "s1", purpose=purpose, granted=granted, given_by="보호자", note=None, recorded_by="t"
            )

    with_database(add)


def called(command: str, typed: str = "그만\n") -> Result:
    return CliRunner().invoke(app, [command, "--student", "s1"], input=typed, env={"COLUMNS": "200"})


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_begins_for_a_young_child_without_its_guardian(command: str) -> None:
    recorded(datetime.now(UTC).year - 8, {})
    refused = called(command)
    assert (refused.exit_code, RULES.consent_needed in refused.stderr) == (2, True)
    recorded(datetime.now(UTC).year - 8, {"learning": True})
    assert called(command).exit_code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_a_child_is_told_who_reads_what_it_writes(command: str) -> None:
    assert RULES.who_reads.child in called(command).stdout


@pytest.mark.parametrize(("agreed", "asked"), [(True, True), (False, False)])
def test_no_model_hears_of_a_child_for_whom_that_is_not_agreed(
    monkeypatch: pytest.MonkeyPatch, *, agreed: bool, asked: bool
) -> None:
    recorded(datetime.now(UTC).year - 8, {"learning": True, "model": agreed})
    with FakeLlm() as llm:
        monkeypatch.setenv("MATHTHERA_LLM_BASE_URL", llm.base_url)
        monkeypatch.setenv("MATHTHERA_LLM_MODEL", "m")
        assert called("lesson", "시작\n수직선이 뭐야?\n그만\n").exit_code == 0
        assert bool(llm.requests) == asked
