"""Questions about the records: templates, what a model writes, and how answers are told."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
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
from maththera.llm.model_client import Models
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.sql_views import SqlViews
from tests.support import chatting
from tests.support.databases import migrated
from tests.support.speaking_llm import SpeakingLlm

TEMPLATES = Templates.load(home())
TODAY = date(2026, 11, 22)  # a Sunday
TEACHER = Asker(Principal("t", "teacher", frozenset({"s1", "s2"})), None)


def tool(database: Database, models: Models | None = None) -> Text2Sql:
    files = AssistantFiles.load(home(), chatting.models(), load_cause_texts(home() / "configs"))
    views = SqlViews(database, files.facts, TEMPLATES.texts.alias)
    return Text2Sql(views, TEMPLATES, models, lambda: datetime.now(UTC))


async def ask(database: Database, question: str, asker: Asker = TEACHER) -> dict[str, Any]:
    result: dict[str, Any] = await tool(database).tool().call(asker, SqlArguments(question=question))
    return result


@pytest.mark.parametrize(
    ("question", "before", "parts"),
    [
        ("그럼 이번 달은?", "지난달 단원별 정답률 알려줘", ["'2026-11-01' AND '2026-11-22'", "GROUP BY a.unit"]),
        ("C9는?", "지난달 C7 정답률 알려줘", ["'2026-10-01' AND '2026-10-31'", "a.unit IN (9)"]),
        ("는?", "이번 주에 몇 문제 풀었어?", ["'2026-11-16' AND '2026-11-22'"]),  # of another learner
    ],
)
def test_a_question_is_asked_again_of_something_else(question: str, before: str, parts: list[str]) -> None:
    filled = TEMPLATES.query_for(question, TODAY, before)
    assert filled is not None
    assert [part for part in parts if part not in filled[0]] == []


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("정답률이 얼마야?", ["AVG(a.correct)", "1 = 1"]),
        ("오늘 몇 문제 맞혔어?", ["'2026-11-22' AND '2026-11-22'", "SUM(a.correct)"]),
        ("어제 몇 번 틀렸어?", ["'2026-11-21' AND '2026-11-21'"]),
        ("이번 주에 몇 문제 풀었어?", ["'2026-11-16' AND '2026-11-22'"]),
        ("지난주 오답률은?", ["'2026-11-09' AND '2026-11-15'", "100.0 - 100.0"]),
        ("이번 달 정답률", ["'2026-11-01' AND '2026-11-22'"]),
        ("지난달 단원별 정답률 알려줘", ["'2026-10-01' AND '2026-10-31'", "GROUP BY a.unit"]),
        ("최근 7일 동안 몇 번 틀렸어?", ["'2026-11-16' AND '2026-11-22'"]),
        ("지난 한 달 동안 몇 문제 풀었어?", ["'2026-10-24' AND '2026-11-22'"]),
        ("최근 일주일 동안 몇 번 틀렸어", ["'2026-11-16' AND '2026-11-22'"]),
        ("학생별 정답률 비교해줘", ["GROUP BY a.learner"]),
        ("이번 주에 틀린 문제가 가장 많은 단원은?", ["'2026-11-16' AND '2026-11-22'", "ORDER BY wrong DESC"]),
        ("우리 반에서 받아올림을 어려워하는 학생은?", ["a.unit = 7", "GROUP BY a.learner"]),
        ("정답률이 가장 낮은 단원은?", ["ORDER BY percent,"]),
        ("우리 아이 요즘 어때?", ["COUNT(DISTINCT a.day)"]),
        ("성적 알려줘", ["COUNT(DISTINCT a.day)"]),
        ("우리 아이가 어제 공부했어?", ["'2026-11-21' AND '2026-11-21'", "FROM practice"]),
        ("논문 목록 보여줘", ["a.title"]),
        ("2월 정답률", ["'2026-02-01' AND '2026-02-28'"]),
        ("12월 정답률", ["'2025-12-01' AND '2025-12-31'"]),
        ("2024년 2월 정답률", ["'2024-02-01' AND '2024-02-29'"]),
        ("2025년 정답률", ["'2025-01-01' AND '2025-12-31'"]),
        ("작년 정답률", ["'2025-01-01' AND '2025-12-31'"]),
        ("C7 정답률", ["a.unit IN (7)"]),
        ("C7이랑 C8 정답률", ["a.unit IN (7, 8)"]),
        ("5단원에서 몇 번 틀렸어", ["a.unit IN (5)"]),
        ("가장 많이 틀린 단원이 뭐야", ["ORDER BY wrong DESC"]),
        ("학생별 정답률", ["GROUP BY a.learner"]),
        ("오류 원인별 횟수", ["JOIN causes"]),
        ("지난달 오류 원인별 빈도", ["JOIN causes", "'2026-10-01' AND '2026-10-31'"]),
        ("우리 반에서 정답률 낮은 단원 순으로", ["ORDER BY percent,"]),
        ("학생별 평균 반응 시간", ["AVG(a.seconds)", "GROUP BY a.learner"]),
        ("이번 주에 문제를 가장 많이 푼 학생은?", ["GROUP BY a.learner ORDER BY answers DESC"]),
        ("오늘 몇 명이 공부했나요?", ["COUNT(DISTINCT a.learner)", "'2026-11-22' AND '2026-11-22'"]),
        ("우리 반 학생들이 자주 하는 실수는?", ["JOIN causes"]),
        ("평균 반응 시간", ["AVG(a.seconds)"]),
        ("연습을 몇 번 했어?", ["FROM practice"]),
        ("학습 일수 알려줘", ["COUNT(DISTINCT a.day)"]),
        ("2030년 논문 몇 개?", ["FROM documents", "BETWEEN 2030 AND 2030"]),
        ("연도별 논문 개수", ["GROUP BY a.year"]),
    ],
)
def test_templates(question: str, parts: list[str]) -> None:
    filled = TEMPLATES.query_for(question, TODAY)
    assert filled is not None
    for part in parts:
        assert part in filled[0]


@pytest.mark.parametrize(
    "question",
    [
        "오후에 푼 문제의 정답률",
        "받아올림 문제 정답률",
        "여학생의 정답률",
        "C99 정답률",
        "C7 연습 몇 번 했어?",
        "날씨 통계",
        "이번 주에 연습 안 한 학생은 몇 명이야?",
        "풀지 못한 문제는 몇 개야?",
        "다른 반 학생 정답률",
        "C7 말고 C8 정답률",
        "정답률'; DROP TABLE turns; --",
        "",
    ],
)
def test_a_question_that_says_more_than_a_template_has_none(question: str) -> None:
    assert TEMPLATES.query_for(question, TODAY) is None


async def test_every_template_runs_on_both_databases(database: Database) -> None:
    names = yaml.safe_load((home() / "configs" / "chat" / "text2sql.yaml").read_text(encoding="utf-8"))["templates"]
    for template in names:
        where = "a.year > 0" if "FROM documents" in template["sql"] else "a.day > '2020'"
        await tool(database).ask(TEACHER, template["sql"].format(where=where))


async def test_an_answer_is_told_at_four_levels(played: Database) -> None:
    result = await ask(played, "단원별 정답률 알려줘")
    assert result["columns"] == ["unit", "unit_name", "answers", "percent"]
    assert "| 단원 | 단원 이름 |" in result["answers"]["intermediate"]
    assert "Cur-C8" in result["answers"]["intermediate"]
    assert "SELECT" in result["answers"]["advanced"]
    assert result["answers"]["elementary"].startswith("🔢")
    assert "|" not in result["answers"]["elementary"]
    assert all("s1" not in result["answers"][level] for level in LEVEL_NAMES)


async def test_a_question_without_a_sentence_of_its_own_is_told_as_a_table(played: Database) -> None:
    result = await ask(played, "학생별 정답률 비교해줘")
    assert "| 학생 1 |" in result["answers"]["elementary"]
    assert TEMPLATES.texts.untold in result["answers"]["beginner"]


@pytest.mark.parametrize("question", ["s1 학생의 단원별 정답률을 알려줘", "s1의 단원별 정답률", "단원별 정답률 s1"])
async def test_however_a_learner_is_named(played: Database, question: str) -> None:
    whole = (await ask(played, "단원별 정답률"))["rows"]
    assert (await ask(played, question))["rows"] != whole


async def test_the_learner_that_a_question_names_is_the_one_counted(played: Database) -> None:
    both = (await ask(played, "몇 문제 풀었어?"))["rows"][0][0]
    first = (await ask(played, "s1 학생이 몇 문제 풀었어?"))["rows"][0][0]
    second = (await ask(played, "s2는 몇 문제 풀었어?"))["rows"][0][0]
    assert first + second == both
    assert 0 < second < first
    about = Asker(TEACHER.principal, "s2")
    assert (await ask(played, "몇 문제 풀었어?", about))["rows"][0][0] == second


async def test_naming_somebody_elses_learner_shows_nothing_of_them(played: Database) -> None:
    stranger = Asker(Principal("g", "guardian", frozenset({"s2"})), None)
    own = (await ask(played, "몇 문제 풀었어?", stranger))["rows"]
    assert (await ask(played, "s1 학생이 몇 문제 풀었어?", stranger))["answers"] == {} or own


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("2019년 정답률", "2019년 기록이 없어요."),
        ("2019년 3월 단원별 정답률 알려줘", "2019년 3월 기록이 없어요."),
        ("작년 단원별 정답률 알려줘", "작년 기록이 없어요."),
        ("C1 정답률", "기록이 없어요."),
    ],
)
async def test_no_rows_are_an_answer(played: Database, question: str, said: str) -> None:
    result = await ask(played, question)
    assert result["answers"]["beginner"].startswith(said)
    assert result["as_it_is"]
    assert result["rows"] == []


@pytest.mark.parametrize("question", ["2030년 논문 몇 개?", "오늘 날씨 어때?"])
async def test_nothing_found_is_an_empty_result(played: Database, question: str) -> None:
    assert (await ask(played, question))["answers"] == {}


async def test_a_model_writes_what_no_template_has(played: Database) -> None:
    sql = "SELECT COUNT(*) AS answers FROM answers a JOIN units u ON u.unit = a.unit WHERE u.unit_name LIKE '%덧셈%'"
    with SpeakingLlm([], plain={"sql": sql, "reasoning": "덧셈 단원의 대답을 센다."}) as llm:
        models = chatting.models(llm.base_url)
        asked = SqlArguments(question="s1 학생이 덧셈 단원에서 답한 것은 모두 몇 개야?")
        result = await tool(played, models).tool().call(TEACHER, asked)
        await models.aclose()
    assert result["sql"] == sql
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
        call = tool(played, models).tool().call(TEACHER, SqlArguments(question="오후에 푼 문제의 정답률"))
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
        result = await tool(played, models).tool().call(TEACHER, SqlArguments(question="오후에 푼 문제의 정답률"))
        await models.aclose()
    assert result["answers"] == {}


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
    file = yaml.safe_load((home() / "configs" / "chat" / "text2sql.yaml").read_text(encoding="utf-8"))
    file["templates"][1] |= change
    (tmp_path / "configs" / "chat").mkdir(parents=True)
    (tmp_path / "configs" / "chat" / "text2sql.yaml").write_text(
        yaml.safe_dump(file, allow_unicode=True), encoding="utf-8"
    )
    with pytest.raises(ConfigError, match=reason):
        Templates.load(tmp_path)
