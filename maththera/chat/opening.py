"""The chat put together: first what is read from files, then what is open while a worker runs."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from redis.asyncio import Redis

from maththera.arithmetic.bank import Bank
from maththera.chat import history, talking
from maththera.chat.assistant import Assistant, Assisting
from maththera.chat.charts import Charts
from maththera.chat.coach import INTENT_PROMPT, INTENT_VARIABLES, Coach, Coaching
from maththera.chat.coach_answers import Answers
from maththera.chat.coach_knowledge import Knowledge, load_knowledge
from maththera.chat.coach_tools import coach_tools
from maththera.chat.config import ChatConfig, load_config
from maththera.chat.fallback import Fallbacks
from maththera.chat.graph import Graph, build
from maththera.chat.guard import Guard
from maththera.chat.intent import Intents
from maththera.chat.levels import PROMPT_VARIABLES as LEVEL_VARIABLES
from maththera.chat.levels import Levels
from maththera.chat.nodes import Nodes
from maththera.chat.planning import Planner
from maththera.chat.routing import PROMPT as ROUTE_PROMPT
from maththera.chat.routing import PROMPT_VARIABLES as ROUTE_VARIABLES
from maththera.chat.routing import Router
from maththera.chat.runs import Runs
from maththera.chat.service import ChatService
from maththera.chat.tool_cache import ToolCache
from maththera.chat.tools import ChatTool
from maththera.learners.conversations import Conversations
from maththera.learners.database import Database
from maththera.llm.models import Models
from maththera.runtime.events import EventLog


@dataclass(frozen=True, slots=True)
class ChatFiles:
    """All of `configs/` and `prompts/` that the chat goes by."""

    config: ChatConfig
    guard: Guard
    intents: Intents
    knowledge: Knowledge
    router: Router
    fallbacks: Fallbacks
    levels: Levels

    @classmethod
    def load(cls, home: Path, bank: Bank, models: Models) -> "ChatFiles":
        """ConfigError names every fault; PromptError a prompt that `models` lacks."""
        found = cls(
            load_config(home),
            Guard.load(home),
            Intents.load(home),
            load_knowledge(home, bank),
            Router.load(home),
            Fallbacks.load(home),
            Levels.load(home),
        )
        models.require(INTENT_PROMPT, INTENT_VARIABLES)
        models.require(ROUTE_PROMPT, ROUTE_VARIABLES)
        models.require(history.PROMPT, history.PROMPT_VARIABLES)
        for intent, tools in found.knowledge.coach.config.intent_tools.items():
            if tools:
                models.require(talking.coach_prompt(intent), talking.COACH_VARIABLES)
        for level in found.levels.all:
            models.require(level.prompt, LEVEL_VARIABLES)
        return found


def draw(files: ChatFiles, coaching: Coaching, assisting: Assisting, models: Models | None) -> Graph:
    """The graph. `models`: who may be asked."""
    asked = models if models is not None and models.available else None
    return build(
        Nodes(files.config, files.guard, asked),
        Coach(files.config, coaching, asked),
        Assistant(files.config, assisting, asked),
    )


def coaching(files: ChatFiles, tools: Mapping[str, ChatTool]) -> Coaching:
    """The coach with these tools."""
    coach = files.knowledge.coach
    return Coaching(
        files.guard,
        files.intents,
        coach.config.intent_tools,
        tools,
        Planner(files.knowledge),
        Charts(coach.config),
        Answers(files.knowledge),
    )


@asynccontextmanager
async def open_chat(  # noqa: PLR0913 - what it goes by, what it may call, and where it keeps things
    files: ChatFiles,
    assistants: Mapping[str, ChatTool],
    database: Database,
    redis: Redis,
    log: EventLog,
    models: Models,
) -> AsyncIterator[ChatService]:
    """`assistants`: the assistant's tools. Turns that are under way when the block ends are ended."""
    seconds = files.knowledge.coach.config.cache_seconds
    tools = ToolCache(redis, database, seconds).around(coach_tools(database, files.knowledge))
    assisting = Assisting(files.router, files.fallbacks, files.levels, assistants)
    graph = draw(files, coaching(files, tools), assisting, models)
    async with Runs(redis, log) as runs:
        yield ChatService(files.config, graph, Conversations(database), redis, runs)
