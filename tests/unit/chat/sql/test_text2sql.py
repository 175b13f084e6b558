"""Questions about the records: templates, what a model writes, and how answers are told."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from maththera.chat.assistant.assistant_tools import AssistantFiles
from maththera.chat.messages.answer_levels import LEVEL_NAMES
from maththera.chat.messages.chat_tools import Asker, ToolFailed
from maththera.chat.sql.query_templates import Templates
from maththera.chat.sql.text2sql import SqlArguments, Text2Sql
from maththera.config_files import ConfigError
from maththera.learner_model.cause_texts import load_cause_texts
from maththera.learner_model.error_patterns import find_patterns
from maththera.llm.model_client import Models
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.answer_history import AnswerHistory
from maththera.store.database import Database
from maththera.store.sql_views import SqlViews
from tests.support import chatting
from tests.support.databases import migrated
from tests.support.learning import Pupil, learn
from tests.support.speaking_llm import SpeakingLlm
from tests.support.tutoring import rules

TEMPLATES = Templates.load(home())
TEACHER = Asker(Principal("t", "teacher", frozenset({"s1", "s2"})), None)


@cache
def files() -> AssistantFiles:
    return AssistantFiles.load(home(), chatting.models(), load_cause_texts(home() / "configs"), rules().bank)


def tool(database: Database, models: Models | None = None) -> Text2Sql:
    views = SqlViews(database, files().facts, TEMPLATES.texts.alias)
    return Text2Sql(views, TEMPLATES, models, files().record_questions(database), lambda: datetime.now(UTC))


def answered(result: dict[str, Any]) -> int:
    """How many problems an answer tells of."""
    found = re.search(r"(\d+)문제를 풀", result["answers"]["beginner"])
    assert found is not None
    return int(found[1])


async def ask(database: Database, question: str, asker: Asker = TEACHER) -> dict[str, Any]:
    result: dict[str, Any] = await tool(database).tool().call(asker, SqlArguments(question=question))
    return result


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("논문 목록 보여줘", ["a.title"]),
        ("2030년 논문 몇 개?", ["FROM documents", "a.year = 2030"]),
        ("연도별 논문 개수", ["GROUP BY a.year"]),
    ],
)
def test_templates(question: str, parts: list[str]) -> None:
    filled = TEMPLATES.query_for(question)
    assert filled is not None
    for part in parts:
        assert part in filled[0]


@pytest.mark.parametrize("question", ["수 감각 논문 몇 개", "날씨 통계", "논문'; DROP TABLE turns; --", ""])
def test_a_question_that_says_more_than_a_template_has_none(question: str) -> None:
    assert TEMPLATES.query_for(question) is None


async def test_every_template_runs_on_both_databases(database: Database) -> None:
    names = yaml.safe_load((home() / "configs" / "chat" / "sql" / "text2sql.yaml").read_text(encoding="utf-8"))[
        "templates"
    ]
    for template in names:
        await tool(database).ask(TEACHER, template["sql"].format(where="a.year > 0"))


async def test_an_answer_is_told_at_four_levels(played: Database) -> None:
    result = await ask(played, "단원별 정답률 알려줘")
    assert set(result["answers"]) == set(LEVEL_NAMES)
    assert result["as_it_is"], "no model words figures anew"
    listed = await ask(played, "학생별 정답률 표로 보여줘")
    assert "| 학생 | 푼 문제 |" in listed["answers"]["beginner"]


@pytest.mark.parametrize("question", ["s1 학생의 단원별 정답률을 알려줘", "s1의 단원별 정답률", "단원별 정답률 s1"])
async def test_however_a_learner_is_named(played: Database, question: str) -> None:
    told = (await ask(played, question))["answers"]["beginner"]
    assert told.startswith("s1\n")


async def test_the_learner_that_a_question_names_is_the_one_counted(played: Database) -> None:
    both = answered(await ask(played, "몇 문제 풀었어?"))
    first = answered(await ask(played, "s1 학생이 몇 문제 풀었어?"))
    second = answered(await ask(played, "s2는 몇 문제 풀었어?"))
    assert first + second == both
    assert 0 < second < first
    about = Asker(TEACHER.principal, "s2")
    assert answered(await ask(played, "몇 문제 풀었어?", about)) == second


async def test_the_answers_are_those_of_the_records(played: Database) -> None:
    history = AnswerHistory(played)
    recorded = [each for each in await history.answers("s1") if each.correct is not None]
    told = (await ask(played, "s1 정답률"))["answers"]["beginner"]
    assert f"{len(recorded)}문제" in told
    assert f"맞음 {sum(bool(each.correct) for each in recorded)}," in told


async def test_a_cause_is_counted_as_on_pages_and_in_reports(played: Database) -> None:
    patterns = find_patterns(await AnswerHistory(played).answers("s1"), rules().bank.problem)
    most = next(one for one in patterns if one.kind == "cause")
    name = load_cause_texts(home() / "configs").causes[most.id].name
    assert f"자주 나온 원인: {name} {most.count}번" in (await ask(played, "s1 어때?"))["answers"]["beginner"]
    guardian = Asker(Principal("g", "guardian", frozenset({"s1"})), "s1")
    assert (
        f"확인된 원인: {name} {most.count}번"
        in (await ask(played, "우리 아이 어때요?", guardian))["answers"]["beginner"]
    )
    assert f"확인된 원인: {name} {most.count}번" in (await ask(played, "왜 틀렸어요?", guardian))["answers"]["beginner"]


async def test_a_guardian_is_told_no_cause_of_a_slip(sqlite_url: str) -> None:
    await learn(sqlite_url, Pupil("s1", slip=0.3, c=3), days_ago=(1,))
    database = Database(sqlite_url)
    guardian = Asker(Principal("g", "guardian", frozenset({"s1"})), "s1")
    wrong = [each for each in await AnswerHistory(database).answers("s1") if each.correct is False]
    assert wrong
    assert "자주 나온 원인: " in (await ask(database, "s1 어때?"))["answers"]["beginner"]
    assert "원인" not in (await ask(database, "우리 아이 어때요?", guardian))["answers"]["beginner"]
    told = (await ask(database, "왜 틀렸어요?", guardian))["answers"]["beginner"].splitlines()
    assert told[1] == f"틀린 답은 {len(wrong)}개예요. 확인된 원인은 없어요. 한두 번의 실수는 원인으로 적지 않아요."
    assert told[2:]
    assert all(re.fullmatch(r"- .+→\d+ \(바른 답 \d+\), \d번", line) for line in told[2:]), told
    await database.close()


async def test_naming_somebody_elses_learner_shows_nothing_of_them(played: Database) -> None:
    stranger = Asker(Principal("g", "guardian", frozenset({"s2"})), None)
    own = answered(await ask(played, "몇 문제 풀었어?", stranger))
    assert answered(await ask(played, "s1 학생이 몇 문제 풀었어?", stranger)) == own


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("2019년 3월 정답률", "2019년 3월 기록이 없어요."),
        ("2019년 3월 단원별 정답률 알려줘", "2019년 3월 기록이 없어요."),
        ("작년 단원별 정답률 알려줘", "작년 기록이 없어요."),
    ],
)
async def test_no_rows_are_an_answer(played: Database, question: str, said: str) -> None:
    result = await ask(played, question)
    assert result["answers"]["beginner"].startswith(said)
    assert result["as_it_is"]


async def test_nothing_found_of_documents_is_an_empty_result(played: Database) -> None:
    assert (await ask(played, "2030년 논문 몇 개?"))["answers"] == {}


async def test_a_question_about_records_that_is_not_understood_ends_here(played: Database) -> None:
    assert "알아듣지 못했어요" in (await ask(played, "통계"))["answers"]["beginner"]


async def test_a_model_writes_what_no_template_has(played: Database) -> None:
    sql = "SELECT COUNT(*) AS answers FROM answers a JOIN units u ON u.unit = a.unit WHERE u.unit_name LIKE '%덧셈%'"
    with SpeakingLlm([], plain={"sql": sql, "reasoning": "덧셈 단원의 대답을 센다."}) as llm:
        models = chatting.models(llm.base_url)
        asked = SqlArguments(question="s1의 도움말 종류를 세어 줘")
        result = await tool(played, models).tool().call(TEACHER, asked)
        await models.aclose()
    assert result["sql"] == sql
    assert result["as_it_is"]
    assert result["answers"]["beginner"]
    assert "s1" not in str(llm.requests), "whom it is about is nobody else's business"


@pytest.mark.parametrize(
    "plain",
    [
        {"sql": "DELETE FROM turns", "reasoning": "지우라고 했다."},
        {"sql": "SELECT * FROM turns", "reasoning": ""},
        {"sql": "SELECT nothing FROM answers", "reasoning": ""},
        {"sql": "SELECT learner, COUNT(*) FROM answers", "reasoning": "GROUP BY가 없다."},
    ],
)
async def test_a_model_that_writes_what_may_not_be_asked_is_a_failure(played: Database, plain: dict[str, str]) -> None:
    with SpeakingLlm([], plain=plain) as llm:
        models = chatting.models(llm.base_url)
        call = tool(played, models).tool().call(TEACHER, SqlArguments(question="대답 모양 통계"))
        if plain["sql"].startswith("SELECT learner"):
            await call  # SQLite takes it; PostgreSQL refuses
        else:
            with pytest.raises(ToolFailed):
                await call
        await models.aclose()


@pytest.mark.parametrize("plain", [{"sql": None, "reasoning": "없는 것이다."}, {"sql": 3}, "rubbish", {}])
async def test_a_model_without_an_answer_leaves_it_empty(played: Database, plain: Any) -> None:
    with SpeakingLlm([], plain=plain) as llm:
        models = chatting.models(llm.base_url)
        result = await tool(played, models).tool().call(TEACHER, SqlArguments(question="대답 모양 통계"))
        await models.aclose()
    assert "알아듣지 못했어요" in result["answers"]["beginner"]


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:

    await migrated(database_url)
    database = Database(database_url)
    yield database
    await database.close()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"sql": "SELECT {oops} FROM answers a WHERE {where}"}, "oops"),
        ({"needs": []}, "needs"),
    ],
)
def test_faults_of_the_file_are_named(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    file = yaml.safe_load((home() / "configs" / "chat" / "sql" / "text2sql.yaml").read_text(encoding="utf-8"))
    file["templates"][1] |= change
    (tmp_path / "configs" / "chat" / "sql").mkdir(parents=True)
    (tmp_path / "configs" / "chat" / "sql" / "text2sql.yaml").write_text(
        yaml.safe_dump(file, allow_unicode=True), encoding="utf-8"
    )
    with pytest.raises(ConfigError, match=reason):
        Templates.load(tmp_path)
