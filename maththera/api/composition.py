"""Puts one worker together: opens what works while it runs, with the content that was read from files."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial

from redis.asyncio import Redis

from maththera.api.http_layer import readiness
from maththera.api.http_layer.metrics import Metrics
from maththera.api.http_layer.rate_limits import Traffic
from maththera.api.http_layer.readiness import Probe
from maththera.api.services import OpenServices, StudentServices
from maththera.app.celery_launch import celery_launcher
from maththera.app.content import Content
from maththera.app.data_erasure import DataErasure
from maththera.app.execution_resources import open_executions, open_stores
from maththera.chat.assistant.assistant_tools import AssistantStores
from maththera.chat.composition import open_chat
from maththera.chat.messages.prompt_log import PromptLog
from maththera.chat.papers.parser_process import PaperReader
from maththera.chat.service import ChatService
from maththera.executions.command_resolution import CommandResolver
from maththera.executions.service import Executions
from maththera.korean import morphemes
from maththera.learner_model.goals import Goals
from maththera.learner_model.profiles import Profiles
from maththera.lessons.agents.model_drafts import DraftWriter
from maththera.lessons.service import LessonService
from maththera.llm.model_client import Models
from maththera.reports.records import Sources
from maththera.reports.report_maker import ReportMaker
from maththera.reports.signed_links import ReportLinks
from maththera.runtime.event_log import EventLog
from maththera.settings import Settings
from maththera.store.access.access_log import AccessLog
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.access.consents import Consents, ConsentStandings
from maththera.store.access.sign_ins import SignIns
from maththera.store.alert_outbox import AlertOutbox
from maththera.store.answer_history import AnswerHistory
from maththera.store.classes import Classes
from maththera.store.conversations import has_conversations
from maththera.store.database import Database, StoreUnavailable
from maththera.store.goals import GoalRecords
from maththera.store.guardian_requests import GuardianRequests
from maththera.store.learned_procedures import ProcedureRecords
from maththera.store.lessons import LessonRecords
from maththera.store.operation_figures import OperationFigures
from maththera.store.personal_data.data_export import DataExport
from maththera.store.personal_data.student_roster import StudentRoster
from maththera.store.reports import ReportRecords
from maththera.store.review_queue import Reviews
from maththera.store.safety_alerts import Alerts, NewAlert
from maththera.store.schools import Schools
from maththera.store.students import StudentRecords
from maththera.store.turn_records import TurnRecords
from maththera.store.tutoring_sessions import SessionRecords
from maththera.tutoring.learned.procedure_library import ProcedureLibrary
from maththera.tutoring.learned.recorded_trial import RecordedTrials
from maththera.tutoring.session.event_screening import EventScreening
from maththera.tutoring.session.idle_sessions import IdleSessions
from maththera.tutoring.session.service import TutoringService
from maththera.words.alerts.alert_delivery import AlertDelivery, channels
from maththera.words.alerts.alert_rules import AlertRules
from maththera.words.answer_protection.open_answers import open_answers
from maththera.words.danger import message_safety
from maththera.words.danger.message_safety import MessageSafety, OpinionAsker


@dataclass(frozen=True, slots=True)
class _Rooms:
    """What children and adults use, and what a child's erasure goes through."""

    tutoring: TutoringService
    safety: MessageSafety
    executions: Executions
    lessons: LessonService
    chat: ChatService
    erasure: DataErasure


@asynccontextmanager
async def open_services(
    settings: Settings, content: Content, metrics: Metrics | None = None, closing: asyncio.Event | None = None
) -> AsyncIterator[OpenServices]:
    """Opens what the service works with, and closes it again. Connections are made when first used; the tables and
    Redis exist already (`cli.store_setup`). All is open, and the Korean analyser loaded where it is wanted, when the
    block begins. SettingsError without a Redis."""
    metrics = metrics or Metrics()
    async with AsyncExitStack() as stack:
        database, redis = await stack.enter_async_context(open_stores(settings))
        models = content.models
        metrics.llm_prices(models.prices_known)
        stack.push_async_callback(models.aclose)
        warm = asyncio.create_task(_preload_analyser(database, models), name="Korean analyser")
        stack.push_async_callback(asyncio.wait, [warm])
        delivery = _alert_delivery(settings, content.alert_rules, database, metrics)
        alerts = _alerts(database, metrics, delivery)
        rooms = await stack.enter_async_context(_open_rooms(settings, content, database, redis, alerts, metrics))
        tokens = AccessTokens(database)
        work = _upkeep(settings, content, database, rooms, tokens) | {
            "safety alerts": delivery.upkeep(metrics.unopened_alerts)
        }
        await stack.enter_async_context(_background_tasks(work))
        await warm  # so that a worker that is ready does not stand still
        yield OpenServices(
            tutoring=rooms.tutoring,
            event_screening=EventScreening(rooms.tutoring, rooms.safety),
            safety=rooms.safety,
            tokens=tokens,
            sign_ins=SignIns(database),
            classes=Classes(database),
            probes=_probes(settings, database, redis, rooms.executions, models),
            executions=rooms.executions,
            commands=CommandResolver(
                rooms.executions.runner.files, Schools(database), StudentRecords(database), content.commands, models
            ),
            reports=ReportLinks.of(settings.data_dir),
            report_maker=_report_maker(settings, content, database),
            learners=_student_services(settings, content, database, alerts, rooms.erasure),
            chat=rooms.chat,
            lessons=rooms.lessons,
            assistant=AssistantStores.of(content.chat.assistant, content.chat.levels, database, settings.home),
            data_dir=settings.data_dir,
            front_ends=content.front_ends,
            metrics_token=settings.metrics_token,
            studio_url=settings.studio_url,
            paper_reader=PaperReader(content.limits.uploads),
            traffic=Traffic.of(content.limits, redis, metrics.refused),
            metrics=metrics,
            figures=OperationFigures(database),
            closing=closing or asyncio.Event(),
        )


@asynccontextmanager
async def _open_rooms(
    settings: Settings, content: Content, database: Database, redis: Redis, alerts: Alerts, metrics: Metrics
) -> AsyncIterator[_Rooms]:
    models = content.models
    safety = MessageSafety(content.door, content.danger_answers, alerts, _second_opinion(content))
    tutoring = TutoringService(
        content.rules,
        SessionRecords(database),
        AnswerHistory(database),
        redis,
        models if models.available else None,
        ProcedureLibrary(ProcedureRecords(database)),
    )
    launch = celery_launcher(settings.celery, redis) if settings.celery else None
    prompt_log = PromptLog(settings.prompt_log) if settings.prompt_log else None
    async with open_executions(settings, database, redis, launch, models, metrics.flows) as executions:
        event_log = executions.runner.log
        lessons = _lesson_service(content, safety, database, redis, event_log)
        try:
            async with open_chat(
                content.chat, safety, database, redis, event_log, models, prompt_log, lessons.open_answers
            ) as chat:
                erasure = DataErasure(database, redis, event_log, settings.data_dir)
                yield _Rooms(tutoring, safety, executions, lessons, chat, erasure)
        finally:
            await lessons.aclose()


def _upkeep(
    settings: Settings, content: Content, database: Database, rooms: _Rooms, tokens: AccessTokens
) -> dict[str, Coroutine[None, None, None]]:
    """What runs beside the requests, by name."""
    idle_sessions = IdleSessions(rooms.tutoring, database, content.rules.numbers.session.idle_hours)
    return {
        "uses of tokens": tokens.upkeep(),
        "upkeep of executions": rooms.executions.upkeep(schedules=settings.celery is None),
        "upkeep of records": rooms.erasure.upkeep(content.privacy.retention_limit_days(settings.retention_days)),
        "upkeep of sessions": idle_sessions.upkeep(),
    }


@asynccontextmanager
async def _background_tasks(work: Mapping[str, Coroutine[None, None, None]]) -> AsyncIterator[None]:
    """Runs work (name → what is done) beside the block, and cancels it when the block ends."""
    tasks = [asyncio.create_task(each, name=name) for name, each in work.items()]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def _alert_delivery(settings: Settings, rules: AlertRules, database: Database, metrics: Metrics) -> AlertDelivery:
    return AlertDelivery(AlertOutbox(database), Alerts(database), rules, channels(settings, rules), metrics.delivery)


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
    return message_safety.opinion_asker(content.models, content.danger_answers.second_opinion_seconds)


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


def _report_maker(settings: Settings, content: Content, database: Database) -> ReportMaker:
    sources = partial(Sources.load, settings.home / "configs", content.rules.bank, content.rules.knowledge)
    return ReportMaker(database, settings, sources)


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
        turns=TurnRecords(database),
        goals=Goals(GoalRecords(database), history, rules.knowledge, rules.bank),
        requests=GuardianRequests(database),
        consents=Consents(database),
        reviews=Reviews(database),
        alerts=alerts,
        export=DataExport(database),
        erasure=erasure,
        consent_standings=ConsentStandings.of(database, settings.home, settings.country, settings.unknown_age),
        access_log=AccessLog(database),
        reports=ReportRecords(database),
        privacy=content.privacy,
        procedures=ProcedureRecords(database),
        procedure_trials=RecordedTrials(rules, content.trials, ProcedureRecords(database), SessionRecords(database)),
    )


def _probes(
    settings: Settings, database: Database, redis: Redis, executions: Executions, models: Models
) -> dict[str, Probe]:
    probes: dict[str, Probe] = {
        "database": database.ping,
        "writes": readiness.write_probe(database),
        "redis": redis.ping,
        "servers": readiness.servers_probe(executions),
    }
    return probes | ({"model": readiness.model_probe(settings.llm_base_url, models)} if settings.llm_base_url else {})


async def _preload_analyser(database: Database, models: Models) -> None:
    """Loads the Korean analyser (0.7 s, 230 MB) ahead of the first turn that needs it: to check a model's words, for
    chats and for lessons. A service that only tutors does without it."""
    with suppress(StoreUnavailable):  # it will be loaded when the first message needs it
        if models.available or await has_conversations(database):
            await asyncio.to_thread(morphemes.prewarm)
