"""Builds the chat: from files first, then the service that is open while a worker runs."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from redis.asyncio import Redis

from maththera.arithmetic.problem_bank import Bank
from maththera.chat.adults.adult_requests import AdultRequests
from maththera.chat.adults.answers_to_adults import AnswersToAdults
from maththera.chat.adults.games import Games
from maththera.chat.adults.message_kinds import MessageKinds
from maththera.chat.adults.not_understood import changes_told
from maththera.chat.adults.untaught_subjects import UntaughtSubjects
from maththera.chat.assistant.assistant_nodes import AssistantNodes, AssistantParts
from maththera.chat.assistant.assistant_tools import AssistantFiles, assistant_tools
from maththera.chat.assistant.tool_fallbacks import Fallbacks
from maththera.chat.assistant.tool_routing import PROMPT as ROUTE_PROMPT
from maththera.chat.assistant.tool_routing import PROMPT_VARIABLES as ROUTE_VARIABLES
from maththera.chat.assistant.tool_routing import ToolRouter
from maththera.chat.coach.adult_questions import AdultQuestions
from maththera.chat.coach.asks import AskReader
from maththera.chat.coach.charts import Charts
from maththera.chat.coach.coach_knowledge import Knowledge, load_knowledge
from maththera.chat.coach.coach_nodes import INTENT_PROMPT, INTENT_VARIABLES, CoachNodes, CoachParts
from maththera.chat.coach.coach_tools import coach_tools
from maththera.chat.coach.drafts import ReplyTexts
from maththera.chat.coach.hidden_answers import OpenQuizAnswers, OpenTasks, no_open_quizzes
from maththera.chat.coach.intent_registry import IntentRegistry, read_registry, registry_file
from maththera.chat.coach.replies import Replies
from maththera.chat.coach.tool_cache import ToolCache
from maththera.chat.coach.tool_planner import ToolPlanner
from maththera.chat.coach.turn_reading import TurnReader
from maththera.chat.config import ChatConfig, load_config
from maththera.chat.graph import Graph, build
from maththera.chat.letters.letter_book import LetterBook
from maththera.chat.letters.letter_texts import LetterWriter
from maththera.chat.messages import conversation_history, model_replies
from maththera.chat.messages.answer_levels import PROMPT_VARIABLES as LEVEL_VARIABLES
from maththera.chat.messages.answer_levels import Levels
from maththera.chat.messages.chat_tools import ChatTool
from maththera.chat.messages.prompt_log import PromptLog
from maththera.chat.messages.run_registry import RunRegistry
from maththera.chat.messages.shared_nodes import SharedNodes
from maththera.chat.plans.plan_book import PlanBook
from maththera.chat.plans.plan_texts import PlanWriter
from maththera.chat.records.problem_kinds import ProblemKinds, load_problem_kinds
from maththera.chat.records.record_tool import RecordQuestions
from maththera.chat.service import ChatService
from maththera.knowledge.model import load_knowledge_model
from maththera.llm.model_client import Models
from maththera.runtime.event_log import EventLog
from maththera.store.conversations import Conversations
from maththera.store.database import Database
from maththera.store.review_queue import Reviews
from maththera.words.danger.message_analysis import MessageAnalyser
from maththera.words.danger.message_safety import MessageSafety
from maththera.words.output_gate.text_gate import Gate, load_gate


@dataclass(frozen=True, slots=True)
class ChatFiles:
    """Everything that the chat reads from `configs/` and `prompts/`."""

    config: ChatConfig
    door: MessageAnalyser
    intents: IntentRegistry
    asks: AskReader
    replies: ReplyTexts
    knowledge: Knowledge
    router: ToolRouter
    fallbacks: Fallbacks
    levels: Levels
    assistant: AssistantFiles
    gate: Gate
    kinds: ProblemKinds
    letters: LetterBook
    plans: PlanBook
    untaught: UntaughtSubjects
    games: Games
    message_kinds: MessageKinds

    @classmethod
    def load(cls, home: Path, door: MessageAnalyser, knowledge: Knowledge, models: Models) -> "ChatFiles":
        """ConfigError names every fault; PromptError a prompt that `models` lacks."""
        found = cls(
            load_config(home),
            door,
            read_registry(registry_file(home)),
            AskReader.load(home),
            ReplyTexts.load(home),
            knowledge,
            ToolRouter.load(home),
            Fallbacks.load(home),
            Levels.load(home),
            AssistantFiles.load(home, models, knowledge.texts, knowledge.bank),
            load_gate(home),
            load_problem_kinds(home),
            LetterBook.load(home),
            PlanBook.load(home),
            UntaughtSubjects.load(home),
            Games.load(home),
            MessageKinds.load(home),
        )
        models.require(INTENT_PROMPT, INTENT_VARIABLES)
        models.require(ROUTE_PROMPT, ROUTE_VARIABLES)
        models.require(conversation_history.PROMPT, conversation_history.PROMPT_VARIABLES)
        for intent in found.intents.intents.values():
            if intent.prompt is not None:
                models.require(intent.prompt, model_replies.COACH_VARIABLES)
        for level in found.levels.all:
            models.require(level.prompt, LEVEL_VARIABLES)
        return found


def build_chat_graph(  # noqa: PLR0913 - what it works on and with
    files: ChatFiles,
    safety: MessageSafety,
    coach: Mapping[str, ChatTool],
    assistant: Mapping[str, ChatTool],
    models: Models,
    open_tasks: OpenTasks,
    records: RecordQuestions,
    prompts: PromptLog | None = None,
) -> Graph:
    """The graph, with the tools of either profile. `prompts`: the log of prompts."""
    asked = models if models.available else None
    known = files.knowledge
    letters, plans = LetterWriter(files.letters, files.kinds), PlanWriter(files.plans, files.kinds)
    requests = AdultRequests(letters, plans, files.untaught, files.games, records)
    told = AnswersToAdults(files.kinds, changes_told(files.letters, files.plans), records, open_tasks)
    coaching = CoachParts(
        files.door,
        files.intents,
        TurnReader(files.asks, files.replies.basics),
        coach,
        ToolPlanner(known, files.asks.asks),
        Charts(known.coach.config),
        Replies(files.replies),
        files.gate,
        open_tasks,
        AdultQuestions(records, files.assistant.advice),
        requests,
    )
    assisting = AssistantParts(
        files.door, files.message_kinds, files.router, files.fallbacks, files.levels, assistant, records,
        files.assistant.advice, files.assistant.glossary, requests, told,
        files.assistant.texts.papers, files.gate, prompts,
    )  # fmt: skip
    return build(
        SharedNodes(files.config, safety, records, asked),
        CoachNodes(files.config, coaching, asked),
        AssistantNodes(files.config, assisting, asked),
    )


def studio_chat_graph(home: Path, safety: MessageSafety, bank: Bank, database: Database) -> Graph:
    """The graph without a model and without a cache, as Studio runs it: about no learner."""
    models = Models.load(home)
    knowledge = load_knowledge(home, bank, load_knowledge_model(home / "configs", bank))
    files = ChatFiles.load(home, safety.door, knowledge, models)
    coach, assistant = coach_tools(database, files.knowledge), assistant_tools(files.assistant, database, None)
    records = files.assistant.record_questions(database)
    return build_chat_graph(files, safety, coach, assistant, models, OpenTasks(database, files.knowledge), records)


@asynccontextmanager
async def open_chat(  # noqa: PLR0913 - what it works on and with
    files: ChatFiles,
    safety: MessageSafety,
    database: Database,
    redis: Redis,
    log: EventLog,
    models: Models,
    prompts: PromptLog | None = None,
    quizzes: OpenQuizAnswers = no_open_quizzes,
) -> AsyncIterator[ChatService]:
    """Turns that are under way when the block ends are ended. `prompts`: the log of prompts;
    `quizzes`: the open questions of lessons."""
    seconds = files.knowledge.coach.config.cache_seconds
    coach = ToolCache(redis, database, seconds).cached_tools(coach_tools(database, files.knowledge))
    assistant = assistant_tools(files.assistant, database, models if models.available else None)
    tasks = OpenTasks(database, files.knowledge, quizzes)
    records = files.assistant.record_questions(database)
    graph = build_chat_graph(files, safety, coach, assistant, models, tasks, records, prompts)
    async with RunRegistry(redis, log) as runs:
        yield ChatService(files.config, graph, safety, Conversations(database), Reviews(database), redis, runs)
