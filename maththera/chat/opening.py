"""The chat put together: first what is read from files, then what is open while a worker runs."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from redis.asyncio import Redis

from maththera.arithmetic.bank import Bank
from maththera.chat import history, talking
from maththera.chat.assistant import Assistant, Assisting
from maththera.chat.assistant_tools import AssistantFiles, assistant_tools
from maththera.chat.charts import Charts
from maththera.chat.coach import INTENT_PROMPT, INTENT_VARIABLES, Coach, Coaching
from maththera.chat.coach_answers import Answers
from maththera.chat.coach_knowledge import Knowledge, load_knowledge
from maththera.chat.coach_tools import coach_tools
from maththera.chat.config import ChatConfig, load_config
from maththera.chat.fallback import Fallbacks
from maththera.chat.graph import Graph, build
from maththera.chat.intent import Intents
from maththera.chat.levels import PROMPT_VARIABLES as LEVEL_VARIABLES
from maththera.chat.levels import Levels
from maththera.chat.nodes import Nodes
from maththera.chat.open_tasks import OpenTasks, Quizzes, no_quizzes
from maththera.chat.planning import Planner
from maththera.chat.prompt_log import PromptLog
from maththera.chat.reading import Reader
from maththera.chat.routing import PROMPT as ROUTE_PROMPT
from maththera.chat.routing import PROMPT_VARIABLES as ROUTE_VARIABLES
from maththera.chat.routing import Router
from maththera.chat.runs import Runs
from maththera.chat.service import ChatService
from maththera.chat.tool_cache import ToolCache
from maththera.chat.tools import ChatTool
from maththera.learners.conversations import Conversations
from maththera.learners.database import Database
from maththera.learners.reviews import Reviews
from maththera.llm.models import Models
from maththera.runtime.events import EventLog
from maththera.words.front_door import FrontDoor
from maththera.words.gate import Gate, load_gate
from maththera.words.safety import Safety


@dataclass(frozen=True, slots=True)
class ChatFiles:
    """All of `configs/` and `prompts/` that the chat goes by."""

    config: ChatConfig
    door: FrontDoor
    intents: Intents
    knowledge: Knowledge
    router: Router
    fallbacks: Fallbacks
    levels: Levels
    assistant: AssistantFiles
    gate: Gate

    @classmethod
    def load(cls, home: Path, door: FrontDoor, bank: Bank, models: Models) -> "ChatFiles":
        """ConfigError names every fault; PromptError a prompt that `models` lacks."""
        knowledge = load_knowledge(home, bank)
        found = cls(
            load_config(home),
            door,
            Intents.load(home, door.guard),
            knowledge,
            Router.load(home),
            Fallbacks.load(home),
            Levels.load(home),
            AssistantFiles.load(home, models, knowledge.texts),
            load_gate(home),
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


def draw(  # noqa: PLR0913 - what it works on and with
    files: ChatFiles,
    safety: Safety,
    coach: Mapping[str, ChatTool],
    assistant: Mapping[str, ChatTool],
    models: Models,
    open_tasks: OpenTasks,
    prompts: PromptLog | None = None,
) -> Graph:
    """The graph, with the tools of either profile. `models`: who may be asked; `prompts`: where it is kept what."""
    asked = models if models.available else None
    known = files.knowledge
    coaching = Coaching(
        files.door,
        files.intents,
        known.coach.config.intent_tools,
        coach,
        Reader(known),
        Planner(known),
        Charts(known.coach.config),
        Answers(known),
        files.gate,
        open_tasks,
    )
    assisting = Assisting(files.door, files.router, files.fallbacks, files.levels, assistant, files.gate, prompts)
    return build(
        Nodes(files.config, safety, asked),
        Coach(files.config, coaching, asked),
        Assistant(files.config, assisting, asked),
    )


def drawn(home: Path, safety: Safety, bank: Bank, database: Database) -> Graph:
    """The graph without a model and without a cache, as Studio runs it: about no learner."""
    models = Models.from_settings(None, None, None, None, home=home)
    files = ChatFiles.load(home, safety.door, bank, models)
    coach, assistant = coach_tools(database, files.knowledge), assistant_tools(files.assistant, database, None)
    return draw(files, safety, coach, assistant, models, OpenTasks(database, files.knowledge))


@asynccontextmanager
async def open_chat(  # noqa: PLR0913 - what it works on and with
    files: ChatFiles,
    safety: Safety,
    database: Database,
    redis: Redis,
    log: EventLog,
    models: Models,
    prompts: PromptLog | None = None,
    quizzes: Quizzes = no_quizzes,
) -> AsyncIterator[ChatService]:
    """Turns that are under way when the block ends are ended. `prompts`: where it is kept what models are told;
    `quizzes`: the open questions of lessons."""
    seconds = files.knowledge.coach.config.cache_seconds
    coach = ToolCache(redis, database, seconds).around(coach_tools(database, files.knowledge))
    assistant = assistant_tools(files.assistant, database, models if models.available else None)
    tasks = OpenTasks(database, files.knowledge, quizzes)
    graph = draw(files, safety, coach, assistant, models, tasks, prompts)
    async with Runs(redis, log) as runs:
        yield ChatService(files.config, graph, safety, Conversations(database), Reviews(database), redis, runs)
