"""The assistant's seven tools put together: what is read from files, and what works on the records."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.arithmetic.curriculum import UNITS
from maththera.arithmetic.problem_bank import Bank
from maththera.chat.assistant.advice_answers import AnswerBook
from maththera.chat.assistant.answer_ratings import AnswerRatings
from maththera.chat.assistant.general_answers import GeneralTexts, GeneralTool
from maththera.chat.assistant.saved_files import SaveFileTool, SavingTexts
from maththera.chat.assistant.summaries import SummaryTexts, SummaryTool
from maththera.chat.assistant.web_search import Search, WebSearchTool, WebTexts, search_web
from maththera.chat.messages.answer_levels import Levels
from maththera.chat.messages.chat_tools import ChatTool
from maththera.chat.papers.glossary import Glossary
from maththera.chat.papers.paper_library import Library, PaperTexts
from maththera.chat.records.record_tool import RecordQuestions
from maththera.chat.records.record_words import RecordWords
from maththera.chat.sql.query_templates import Templates
from maththera.chat.sql.text2sql import PROMPT, PROMPT_VARIABLES, Text2Sql
from maththera.config_files import ConfigFile
from maththera.learner_model.cause_texts import CauseTexts
from maththera.llm.model_client import Models
from maththera.store.answer_history import AnswerHistory
from maththera.store.answer_ratings import Ratings
from maththera.store.database import Database
from maththera.store.papers import Papers
from maththera.store.personal_data.student_names import StudentNames
from maththera.store.saved_files import SavedFiles
from maththera.store.sql_views import ReferenceData, SqlViews
from maththera.store.students import StudentRecords


class AssistantTexts(BaseModel):
    """`configs/chat/assistant/assistant.yaml`, a part for each tool that speaks."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    general: GeneralTexts
    papers: PaperTexts
    web: WebTexts
    summaries: SummaryTexts
    saving: SavingTexts

    @classmethod
    def load(cls, configs: Path) -> "AssistantTexts":
        """ConfigError names every fault."""
        return ConfigFile.read(configs / "chat" / "assistant" / "assistant.yaml").parse(TypeAdapter(cls))


@dataclass(frozen=True, slots=True)
class AssistantFiles:
    """All of `configs/` that the tools go by."""

    texts: AssistantTexts
    glossary: Glossary
    templates: Templates
    records: RecordWords
    bank: Bank
    causes: CauseTexts
    facts: ReferenceData
    shipped: Path
    advice: AnswerBook

    @classmethod
    def load(cls, home: Path, models: Models, causes: CauseTexts, bank: Bank) -> "AssistantFiles":
        """ConfigError names every fault; PromptError a prompt that `models` lacks."""
        models.require(PROMPT, PROMPT_VARIABLES)
        configs = home / "configs"
        facts = ReferenceData(
            [(unit.c, unit.title) for unit in UNITS],
            [(tag, tag.partition("_")[0], cause.name) for tag, cause in causes.causes.items()],
        )
        texts = AssistantTexts.load(configs)
        shipped = configs / "chat" / "papers"
        return cls(
            texts, Glossary.load(home), Templates.load(home), RecordWords.load(home), bank, causes, facts, shipped,
            AnswerBook.load(home),
        )  # fmt: skip

    def library(self, database: Database) -> Library:
        return Library(Papers(database), self.texts.papers, self.shipped, self.glossary)

    def record_questions(self, database: Database) -> RecordQuestions:
        views = SqlViews(database, self.facts, self.templates.texts.alias)
        students = StudentRecords(database)
        return RecordQuestions(self.records, self.causes, self.bank.get, AnswerHistory(database), students, views)


def assistant_tools(
    files: AssistantFiles, database: Database, models: Models | None, search: Search = search_web
) -> Mapping[str, ChatTool]:
    """By name. `models`: who may be asked; `search`: the web."""
    texts = files.texts
    library = files.library(database)
    learners = StudentNames(database)
    views = SqlViews(database, files.facts, files.templates.texts.alias)
    records = files.record_questions(database)
    tools = (
        files.glossary.tool(),
        library.tool(),
        WebSearchTool(texts.web, learners, search).tool(),
        Text2Sql(views, files.templates, models, records).tool(),
        SummaryTool(texts.summaries, library).tool(),
        SaveFileTool(SavedFiles(database), learners, texts.saving).tool(),
        GeneralTool(texts.general, files.glossary, library.nearest, files.advice, records.any).tool(),
    )
    return {tool.name: tool for tool in tools}


@dataclass(frozen=True, slots=True)
class AssistantStores:
    """What people do beside asking: bring documents, fetch saved files, rate answers."""

    library: Library
    files: SavedFiles
    ratings: AnswerRatings

    @classmethod
    def of(cls, files: AssistantFiles, levels: Levels, database: Database, home: Path) -> "AssistantStores":
        library = files.library(database)
        return cls(library, SavedFiles(database), AnswerRatings.of(Ratings(database), levels, home))
