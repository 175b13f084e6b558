"""The assistant's seven tools put together: what is read from files, and what works on the records."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.arithmetic.curriculum import UNITS
from maththera.chat.general import General, GeneralTexts
from maththera.chat.glossary import Glossary
from maththera.chat.levels import Levels
from maththera.chat.papers import Library, PaperTexts
from maththera.chat.ratings import AnswerRatings
from maththera.chat.saved_files import Saving, SavingTexts
from maththera.chat.summaries import Summaries, SummaryTexts
from maththera.chat.text2sql import PROMPT, PROMPT_VARIABLES, Text2Sql
from maththera.chat.text2sql_templates import Templates
from maththera.chat.tools import ChatTool
from maththera.chat.web import Search, Web, WebTexts, search_web
from maththera.documents import Document
from maththera.learners.cause_texts import CauseTexts
from maththera.learners.database import Database
from maththera.learners.known import KnownLearners
from maththera.learners.papers import Papers
from maththera.learners.ratings import Ratings
from maththera.learners.saved_files import SavedFiles
from maththera.learners.views import Facts, Views
from maththera.llm.models import Models


class AssistantTexts(BaseModel):
    """`configs/assistant.yaml`, a part for each tool that speaks."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    general: GeneralTexts
    papers: PaperTexts
    web: WebTexts
    summaries: SummaryTexts
    saving: SavingTexts

    @classmethod
    def load(cls, configs: Path) -> "AssistantTexts":
        """ConfigError names every fault."""
        return Document.read(configs / "assistant.yaml").parse(TypeAdapter(cls))


@dataclass(frozen=True, slots=True)
class AssistantFiles:
    """All of `configs/` that the tools go by."""

    texts: AssistantTexts
    glossary: Glossary
    templates: Templates
    facts: Facts
    shipped: Path

    @classmethod
    def load(cls, home: Path, models: Models, causes: CauseTexts) -> "AssistantFiles":
        """ConfigError names every fault; PromptError a prompt that `models` lacks."""
        models.require(PROMPT, PROMPT_VARIABLES)
        configs = home / "configs"
        facts = Facts(
            [(unit.c, unit.title) for unit in UNITS],
            [(tag, tag.partition("_")[0], cause.name) for tag, cause in causes.causes.items()],
        )
        texts = AssistantTexts.load(configs)
        return cls(texts, Glossary.load(home), Templates.load(home), facts, configs / "papers")

    def library(self, database: Database) -> Library:
        return Library(Papers(database), self.texts.papers, self.shipped, self.glossary)


def assistant_tools(
    files: AssistantFiles, database: Database, models: Models | None, search: Search = search_web
) -> Mapping[str, ChatTool]:
    """By name. `models`: who may be asked; `search`: the web."""
    texts = files.texts
    library = files.library(database)
    learners = KnownLearners(database)
    views = Views(database, files.facts, files.templates.texts.alias)
    tools = (
        files.glossary.tool(),
        library.tool(),
        Web(texts.web, learners, search).tool(),
        Text2Sql(views, files.templates, models).tool(),
        Summaries(texts.summaries).tool(),
        Saving(SavedFiles(database), learners, texts.saving).tool(),
        General(texts.general, files.glossary, library.nearest).tool(),
    )
    return {tool.name: tool for tool in tools}


@dataclass(frozen=True, slots=True)
class Desk:
    """What people do beside asking: bring documents, fetch saved files, rate answers."""

    library: Library
    files: SavedFiles
    ratings: AnswerRatings

    @classmethod
    def of(cls, files: AssistantFiles, levels: Levels, database: Database, home: Path) -> "Desk":
        library = files.library(database)
        return cls(library, SavedFiles(database), AnswerRatings.of(Ratings(database), levels, home))
