"""Questions about records: of learners, as they are read; of documents, by templates; others in a model's SQL."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from maththera.chat.messages.answer_levels import LEVEL_NAMES, LevelName
from maththera.chat.messages.chat_tools import Asker, ChatTool, ToolFailed
from maththera.chat.papers.glossary import LookupArguments
from maththera.chat.records.record_tool import RecordQuestions
from maththera.chat.sql.query_templates import Templates
from maththera.json_types import JsonObject
from maththera.korean.dates import KOREA
from maththera.llm.model_client import LlmError, Models
from maththera.llm.time_budget import Budget
from maththera.store.personal_data.student_names import mention_pattern
from maththera.store.sql_views import OF_LEARNERS, QueryRefused, QueryResult, SqlViews

PROMPT: Final = "text2sql"
PROMPT_VARIABLES: Final = frozenset({"question", "today"})

_CALLED: Final = r"\s*(?:학생|아이|어린이)?(?:의|이|가|은|는|을|를|에게)?(?=\s|$)"
"""What stands after the id of a learner."""
_SHOWN: Final = {"beginner": 5, "intermediate": 20, "advanced": 50}
_DOCUMENTS: Final = re.compile("논문|문헌|자료|글")
_FEW: Final = 3
"""Rows in an answer."""


class ModelQuery(BaseModel):
    """What a model answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    sql: str | None = Field(max_length=4000)
    reasoning: str = Field(max_length=500)


class SqlArguments(LookupArguments):
    """`before`: an earlier question, which this one asks again of another time or learner. `records`: the question as
    it was read, if it is about learners' records. `first`: what is said before the answer; `behind`: what is said
    after it."""

    before: str = ""
    records: JsonObject | None = None
    first: str = ""
    behind: str = ""


def _now() -> datetime:
    return datetime.now(UTC)


class Text2Sql:
    """`now` is replaced in tests."""

    def __init__(
        self,
        views: SqlViews,
        templates: Templates,
        models: Models | None,
        records: RecordQuestions,
        now: Callable[[], datetime] = _now,
    ) -> None:
        self._views, self._templates, self._models, self._now = views, templates, models, now
        self._records = records
        self._texts = templates.texts

    def tool(self) -> ChatTool:
        return ChatTool("text2sql", "학습 기록과 논문 목록의 통계를 낸다.", SqlArguments, self._call)

    async def ask(self, asker: Asker, sql: str, only: str | None = None) -> QueryResult:
        """The answer to a question in SQL, over the asker's learners. QueryRefused."""
        names = self._views.names()
        harmless = await asyncio.to_thread(_checked, sql, self._views.dialect, names, self._texts.rows)
        scope = await self._views.scope(asker.principal, only or asker.student_id)
        return await self._views.ask(harmless, names, scope, self._texts.rows)

    async def _call(self, asker: Asker, asked: SqlArguments) -> JsonObject:
        records = asked.records or (await self._records.read(asker, asked.question, None))[0]
        asks_model = self._models is not None and self._models.available
        if records is not None and not (records["fault"] == "unheld" and asks_model):
            told = await self._records.answer(asker, records)
            answers = {level: f"{asked.first}{text}{asked.behind}" for level, text in told["answers"].items()}
            return {**told, "answers": answers}
        question, only = await self._without_ids(asker, asked.question)
        before, named = await self._without_ids(asker, asked.before)
        sql, sentence = await self._write(question, before)
        if sql is None:
            return self._unwritten(question)
        try:
            found = await self.ask(asker, sql, only or named)
        except QueryRefused as refused:
            raise ToolFailed(self._texts.refused) from refused
        if all(value in (None, 0) for row in found.rows for value in row):
            return {"answers": {}, "reason": self._texts.unknown}
        return {
            "sql": sql,
            "columns": list(found.columns),
            "rows": [[_json_value(value) for value in row] for row in found.rows],
            "answers": {level: self._answer(level, found, sentence, sql) for level in LEVEL_NAMES},
            "material": self._table(found, _SHOWN["advanced"]),
            "sources": [{"title": "학습 기록"}],
            "as_it_is": bool(OF_LEARNERS.intersection(re.findall(r"\w+", sql.lower()))),  # no model reads their records
        }

    def _unwritten(self, question: str) -> JsonObject:
        """What is asked of documents may be elsewhere; a question about records ends here."""
        if _DOCUMENTS.search(question):
            return {"answers": {}, "reason": self._texts.unknown}
        return {
            "answers": dict.fromkeys(LEVEL_NAMES, " ".join(self._records.words.unheld(question)) or self._texts.unread),
            "material": "",
            "sources": [{"title": "학습 기록"}],
            "as_it_is": True,
        }

    async def _write(self, question: str, before: str) -> tuple[str | None, str]:
        """SQL, and the sentence for its first row ("" for none)."""
        if (filled := await asyncio.to_thread(self._templates.query_for, question)) is not None:
            return filled
        question, today = f"{before} {question}".strip(), self._now().astimezone(KOREA).date()
        if self._models is None or not self._models.available:
            return None, ""
        try:
            variables = {"question": question, "today": f"{today:%Y-%m-%d} ({'월화수목금토일'[today.weekday()]}요일)"}
            reply = await self._models.ask(PROMPT, variables, ModelQuery, Budget(self._texts.seconds))
        except LlmError:
            return None, ""
        return reply.value.sql, ""

    async def _without_ids(self, asker: Asker, question: str) -> tuple[str, str | None]:
        """The question without the ids of learners, and the one that it names: a model must not see ids."""
        scope = await self._views.scope(asker.principal)
        named = [each for each, _ in scope if re.search(mention_pattern(each), question)]
        for each in named:
            question = re.sub(f"{mention_pattern(each)}{_CALLED}", " ", question)
        return question, named[0] if len(named) == 1 else None

    def _answer(self, level: LevelName, found: QueryResult, sentence: str, sql: str) -> str:
        first = {name: self._value(name, value) for name, value in zip(found.columns, found.rows[0], strict=True)}
        told = sentence.format(**first) if sentence else self._texts.untold
        counted = self._texts.counted[level].format(count=len(found.rows), told=told)
        if level == "elementary":
            return counted if sentence else f"{counted}\n{self._table(found, _FEW)}"
        lines = [counted, "", self._table(found, _SHOWN[level])] if len(found.rows) > 1 or not sentence else [counted]
        if level == "advanced":
            lines += ["", self._texts.sql.format(sql=sql)]
        return "\n".join(lines)

    def _table(self, found: QueryResult, rows: int) -> str:
        """As Markdown."""
        head = [self._texts.columns.get(name, name) for name in found.columns]
        body = [[self._value(name, value) for name, value in zip(found.columns, row, strict=True)]
                for row in found.rows[:rows]]  # fmt: skip
        lines = [_table_row(head), _table_row(["---"] * len(head)), *map(_table_row, body)]
        if len(found.rows) > rows:
            lines.append(self._texts.more.format(count=len(found.rows) - rows))
        return "\n".join(lines)

    def _value(self, column: str, value: Any) -> str:
        plain = _json_value(value)
        if plain is None:
            return "–"
        if column == "unit":
            return f"Cur-C{plain}"
        return self._texts.values.get(str(plain), str(plain))


def _checked(sql: str, dialect: str, names: Mapping[str, str], rows: int) -> str:
    from maththera.chat.sql.sql_check import safe_sql

    return safe_sql(sql, dialect, names, rows)


def _json_value(value: Any) -> str | int | float | None:
    """As JSON has it: PostgreSQL answers averages as decimals."""
    if value is None or isinstance(value, str | int):
        return value
    number = float(value)
    return int(number) if number.is_integer() else round(number, 2)


def _table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/').replace(chr(10), ' ')[:120] for cell in cells)} |"
