"""Puts one worker together: `Content` is read from files, `open_resources` opens what works while it runs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from redis.asyncio import Redis

from maththera.api.http_layer import readiness
from maththera.api.http_layer.metrics import Metrics
from maththera.api.http_layer.rate_limits import Traffic
from maththera.api.http_layer.readiness import Probe
from maththera.api.services import Resources, StudentServices
from maththera.app.celery_launch import celery_launcher
from maththera.app.data_erasure import DataErasure
from maththera.app.execution_resources import SERVERS, open_executions
from maththera.chat.assistant.assistant_tools import AssistantStores
from maththera.chat.composition import ChatFiles, open_chat
from maththera.chat.front_ends import FrontEnds
from maththera.chat.messages.prompt_log import PromptLog
from maththera.chat.papers.parser_process import PaperReader
from maththera.executions.command_resolution import CommandResolver
from maththera.executions.service import Executions
from maththera.flows.commands.command_rules import CommandRules, load_command_rules
from maththera.flows.runs.closing_sentence import load_closings
from maththera.korean import morphemes
from maththera.korean.word_lists import load_korean_lists
from maththera.learner_model.concept_graph import ConceptGraph, load_concepts
from maththera.learner_model.goals import Goals
from maththera.learner_model.profiles import Profiles
from maththera.lessons.agents.model_drafts import VARIABLES as LESSON_PROMPTS
from maththera.lessons.agents.model_drafts import DraftWriter
from maththera.lessons.content import LessonContent
from maththera.lessons.quiz.rubric_judge import VARIABLES as GRADING_PROMPTS
from maththera.lessons.service import LessonService
from maththera.llm.model_client import Call, Models
from maththera.reports.records import Sources
from maththera.reports.report_maker import ReportMaker
from maththera.reports.signed_links import ReportLinks
from maththera.runtime.event_log import EventLog
from maththera.runtime.redis_client import open_redis
from maththera.runtime.service_limits import Limits
from maththera.servers.config import load_servers
from maththera.servers.toolkit.word_problems import WordProblems
from maththera.settings import PREFIX, Settings, SettingsError
from maththera.store.access.access_log import AccessLog
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.access.consents import Consents, ConsentStandings
from maththera.store.access.privacy_rules import PrivacyRules
from maththera.store.access.sign_ins import SignIns
from maththera.store.alert_outbox import AlertOutbox
from maththera.store.answer_history import AnswerHistory
from maththera.store.classes import Classes
from maththera.store.conversations import has_conversations
from maththera.store.database import Database, StoreUnavailable
from maththera.store.goals import GoalRecords
from maththera.store.lessons import LessonRecords
from maththera.store.personal_data.data_export import DataExport
from maththera.store.personal_data.student_roster import StudentRoster
from maththera.store.reports import ReportRecords
from maththera.store.review_queue import Reviews
from maththera.store.safety_alerts import Alerts, NewAlert
from maththera.store.schools import Schools
from maththera.store.students import StudentRecords
from maththera.store.tutoring_sessions import SessionRecords
from maththera.tutoring.content.session_rules import Rules, load_rules
from maththera.tutoring.session.event_screening import EventScreening
from maththera.tutoring.session.idle_sessions import IdleSessions
from maththera.tutoring.session.service import TutoringService
from maththera.tutoring.turns import model_requests
from maththera.words.alerts.alert_channels import channels
from maththera.words.alerts.alert_delivery import AlertDelivery
from maththera.words.alerts.alert_rules import AlertRules
from maththera.words.answer_protection.open_session_answers import open_answers
from maththera.words.danger import model_opinion
from maththera.words.danger.danger_answers import DangerAnswers
from maththera.words.danger.message_analysis import MessageAnalyser
from maththera.words.danger.message_safety import MessageSafety
from maththera.words.danger.model_opinion import OpinionAsker


def _check_lazy_configs(home: Path) -> None:
    """Reads the files that are read again when they are needed: a broken one fails the start, not a turn."""
    load_servers(home / SERVERS, {})
    load_closings(home)
    load_korean_lists(home)
    WordProblems.load(home / "configs" / "servers" / "word_problems.yaml")


@dataclass(frozen=True, slots=True)
class Content:
    """All of `configs/` and `prompts/`."""

    rules: Rules
    models: Models
    door: MessageAnalyser
    danger_answers: DangerAnswers
    commands: CommandRules
    concepts: ConceptGraph
    chat: ChatFiles
    lessons: LessonContent
    front_ends: FrontEnds
    alert_rules: AlertRules
    limits: Limits
    privacy: PrivacyRules

    @classmethod
    def load(cls, settings: Settings, on_call: Callable[[Call], None] = lambda _: None) -> "Content":
        """Each loader's own error for a broken file. `on_call` gets every call to a model."""
        models = Models.from_settings(settings, on_call)
        for prompt, variables in {
            **model_requests.VARIABLES,
            **LESSON_PROMPTS,
            **GRADING_PROMPTS,
            model_opinion.PROMPT: model_opinion.VARIABLES,
        }.items():
            models.require(prompt, variables)
        _check_lazy_configs(settings.home)
        concepts = load_concepts(settings.home / "configs" / "learner_model" / "concepts.yaml")
        rules = load_rules(settings.home)
        door, answers = MessageAnalyser.load(settings.home), DangerAnswers.load(settings.home, settings.country)
        chat = ChatFiles.load(settings.home, door, rules.bank, models)
        commands, lessons = load_command_rules(settings.home), LessonContent.load(settings.home)
        front_ends = FrontEnds.load(settings.home, chat.config, door, chat.levels)
        alert_rules, limits = AlertRules.load(settings.home), Limits.load(settings.home)
        privacy = PrivacyRules.load(settings.home)
        return cls(
            rules, models, door, answers, commands, concepts, chat, lessons, front_ends, alert_rules, limits, privacy
        )


@asynccontextmanager
async def open_resources(
    settings: Settings, content: Content, metrics: Metrics | None = None, closing: asyncio.Event | None = None
) -> AsyncIterator[Resources]:
    """Opens what the service works with, and closes it again. Connections are made when first used; the tables and
    Redis exist already (`cli.stores`). SettingsError without a Redis."""
    metrics = metrics or Metrics()
    async with AsyncExitStack() as stack:
        database, redis = await stack.enter_async_context(_stores(settings))
        models = content.models
        stack.push_async_callback(models.aclose)
        available = models if models.available else None
        warm = asyncio.create_task(_preload_analyser(database, models), name="Korean analyser")
        stack.push_async_callback(asyncio.wait, [warm])
        rules = content.alert_rules
        delivery = AlertDelivery(
            AlertOutbox(database), Alerts(database), rules, channels(settings, rules), metrics.delivery
        )
        alerts = _alerts(database, metrics, delivery)
        safety = MessageSafety(content.door, content.danger_answers, alerts, _second_opinion(content))
        tutoring = TutoringService(content.rules, SessionRecords(database), AnswerHistory(database), redis, available)
        launch = celery_launcher(settings.celery, redis) if settings.celery else None
        executions = await stack.enter_async_context(
            open_executions(settings, database, redis, launch, models, metrics.flows)
        )
        event_log = executions.runner.log
        erasure = DataErasure(database, redis, event_log, settings.data_dir)
        lessons = _lesson_service(content, safety, database, redis, event_log)
        stack.push_async_callback(lessons.aclose)
        prompt_log = PromptLog(settings.prompt_log) if settings.prompt_log else None
        chat = await stack.enter_async_context(
            open_chat(content.chat, safety, database, redis, event_log, models, prompt_log, lessons.open_answers)
        )
        idle_sessions = IdleSessions(tutoring, database, content.rules.numbers.session.idle_hours)
        for name, work in (
            ("upkeep of executions", executions.upkeep(schedules=settings.celery is None)),
            ("upkeep of records", erasure.upkeep(content.privacy.retention_limit_days(settings.retention_days))),
            ("upkeep of sessions", idle_sessions.upkeep()),
            ("safety alerts", delivery.upkeep(metrics.unopened_alerts)),
        ):
            stack.push_async_callback(_cancel, asyncio.create_task(work, name=name))
        yield Resources(
            tutoring=tutoring,
            event_screening=EventScreening(tutoring, safety),
            safety=safety,
            tokens=AccessTokens(database),
            sign_ins=SignIns(database),
            classes=Classes(database),
            probes=_probes(settings, database, redis, executions),
            executions=executions,
            commands=CommandResolver(executions.runner.files, Schools(database), content.commands, models),
            reports=ReportLinks.of(settings.data_dir),
            report_maker=ReportMaker(
                database,
                settings,
                partial(Sources.load, settings.home / "configs", content.rules.bank, content.rules.knowledge),
            ),
            learners=_student_services(settings, content, database, alerts, erasure),
            chat=chat,
            lessons=lessons,
            assistant=AssistantStores.of(content.chat.assistant, content.chat.levels, database, settings.home),
            data_dir=settings.data_dir,
            front_ends=content.front_ends,
            metrics_token=settings.metrics_token,
            paper_reader=PaperReader(content.limits.uploads),
            traffic=Traffic.of(content.limits, redis, metrics.refused),
            metrics=metrics,
            closing=closing or asyncio.Event(),
        )


@asynccontextmanager
async def _stores(settings: Settings) -> AsyncIterator[tuple[Database, Redis]]:
    if settings.redis_url is None:
        raise SettingsError(f"{PREFIX}REDIS_URL: needed here; `maththera serve` starts a Redis where there is none")
    database, redis = Database(settings.database_url), open_redis(settings.redis_url)
    try:
        yield database, redis
    finally:
        await redis.aclose()
        await database.close()


def _alerts(database: Database, metrics: Metrics, delivery: AlertDelivery) -> Alerts:
    """The safety alerts; a new one is counted, and delivered at once."""

    def added(alert: NewAlert) -> None:
        metrics.alert(alert)
        delivery.wake()

    return Alerts(database, added)


def _second_opinion(content: Content) -> OpinionAsker | None:
    """A model's opinion on words that may tell of danger; None without a model."""
    if not content.models.available:
        return None
    return model_opinion.opinion_asker(content.models, content.danger_answers.second_opinion_seconds)


def _lesson_service(
    content: Content, safety: MessageSafety, database: Database, redis: Redis, event_log: EventLog
) -> LessonService:
    models = content.models if content.models.available else None
    return LessonService(
        content.lessons,
        safety,
        LessonRecords(database),
        Reviews(database),
        redis,
        event_log,
        DraftWriter(models, content.lessons.config.models, content.chat.gate),
        partial(open_answers, database, content.rules.bank),
    )


def _student_services(
    settings: Settings, content: Content, database: Database, alerts: Alerts, erasure: DataErasure
) -> StudentServices:
    rules = content.rules
    causes = {tag: cause.name for tag, cause in rules.catalogue.causes.items()}
    history, lessons = AnswerHistory(database), LessonRecords(database)
    return StudentServices(
        roster=StudentRoster(database),
        records=StudentRecords(database),
        profiles=Profiles(
            SessionRecords(database), history, lessons, content.concepts, rules.knowledge, rules.bank, causes
        ),
        goals=Goals(GoalRecords(database), history, rules.knowledge, rules.bank),
        consents=Consents(database),
        reviews=Reviews(database),
        alerts=alerts,
        export=DataExport(database),
        erasure=erasure,
        consent_standings=ConsentStandings.of(database, settings.home, settings.country, settings.unknown_age),
        access_log=AccessLog(database),
        reports=ReportRecords(database),
        privacy=content.privacy,
    )


def _probes(settings: Settings, database: Database, redis: Redis, executions: Executions) -> dict[str, Probe]:
    probes: dict[str, Probe] = {
        "database": database.ping,
        "writes": readiness.write_probe(database),
        "redis": redis.ping,
        "servers": readiness.servers_probe(executions),
    }
    return probes | ({"model": readiness.model_probe(settings.llm_base_url)} if settings.llm_base_url else {})


async def _preload_analyser(database: Database, models: Models) -> None:
    """Loads the Korean analyser (0.7 s, 230 MB) ahead of the first turn that needs it: to check a model's words, for
    chats and for lessons. A service that only tutors does without it."""
    with suppress(StoreUnavailable):  # it will be loaded when the first message needs it
        if models.available or await has_conversations(database):
            await asyncio.to_thread(morphemes.prewarm)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
