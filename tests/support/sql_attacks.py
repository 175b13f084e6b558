"""What a model may be talked into writing in SQL, and records that it might be after."""

from pathlib import Path
from typing import Final

import yaml
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.chat.assistant.assistant_tools import AssistantFiles
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.sql.query_templates import Templates
from maththera.chat.sql.text2sql import Text2Sql
from maththera.learner_model.cause_texts import load_cause_texts
from maththera.llm.model_client import Models
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.migrations import migrate
from maththera.store.sql_views import ReferenceData, SqlViews
from maththera.store.tutoring_sessions import sessions, turns
from tests.support.tutoring import rules

_FILE: Final = Path(__file__).parent.parent / "data" / "sql_attacks.yaml"
ATTACKS: Final[dict[str, list[str]]] = yaml.load(_FILE.read_text(encoding="utf-8"), yaml.CSafeLoader)
SLOW: Final = ATTACKS.pop("slow")
"""Harmless to look at; only the time limit stops them."""
ALL: Final = [(kind, sql) for kind, attacks in ATTACKS.items() for sql in attacks]

TEACHER: Final = Asker(Principal("t1", "teacher", frozenset({"s1"})), None)
TURNS: Final = 400
"""Of s1, the teacher's. s2, somebody else's, has three."""

_FACTS: Final = ReferenceData([(7, "받아올림")], [("ATTENTION_L0_IMPULSE", "ATTENTION", "충동적인 응답")])


def views(database: Database) -> SqlViews:
    return SqlViews(database, _FACTS, "학생 {number}")


def text2sql(database: Database) -> Text2Sql:
    """Without a model: the attacks are what one would have written."""
    home_ = home()
    models = Models.load(home_, None, None, None)
    files = AssistantFiles.load(home_, models, load_cause_texts(home_ / "configs"), rules().bank)
    return Text2Sql(views(database), Templates.load(home_), None, files.record_questions(database))


async def prepare(database_url: str) -> Database:
    """A migrated database where s1 and s2 have answered."""
    await migrate(database_url)
    database = Database(database_url)
    await _play(database, "s1", TURNS)
    await _play(database, "s2", 3)
    return database


async def _play(database: Database, student_id: str, count: int) -> None:
    rows = [
        {"session_id": f"of-{student_id}", "turn": turn, "request_id": f"r{turn}", "kind": "problem", "c_level": 7,
         "w": 4.5, "correct": turn % 3 > 0, "pattern": "correct_fast", "rt_ms": 4000, "event": {}, "response": {},
         "trace": []}
        for turn in range(1, count + 1)
    ]  # fmt: skip

    async def write(connection: AsyncConnection) -> None:
        row = {"session_id": f"of-{student_id}", "student_id": student_id, "start": {}}
        await connection.execute(insert(sessions), row)
        await connection.execute(insert(turns), rows)

    await database.transaction(write)
