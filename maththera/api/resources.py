"""What one worker needs: first what is read from files, then what is open while it runs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from maththera.api.metrics import Metrics
from maththera.chat.assistant_tools import Desk
from maththera.chat.front_ends import FrontEnds
from maththera.chat.opening import ChatFiles, open_chat
from maththera.chat.prompt_log import PromptLog
from maththera.chat.service import ChatService
from maththera.executions.commands import Commands
from maththera.executions.handing import by_celery
from maththera.executions.keeping import Keeping
from maththera.executions.opening import SERVERS, open_executions
from maththera.executions.service import Executions
from maththera.flows.closing import load_closings
from maththera.flows.commands import CommandRules
from maththera.flows.commands import load_rules as load_command_rules
from maththera.korean import morphemes
from maththera.korean.lists import load_korean_lists
from maththera.learners.alert_outbox import AlertOutbox
from maththera.learners.alerts import Alerts, NewAlert
from maththera.learners.concepts import ConceptGraph, load_concepts
from maththera.learners.consents import Consents
from maththera.learners.database import Database, StoreUnavailable
from maththera.learners.exporting import Export
from maththera.learners.history import History
from maththera.learners.lessons import LessonRecords
from maththera.learners.profiles import Profiles
from maththera.learners.records import Records
from maththera.learners.reviews import Reviews
from maththera.learners.roster import Roster
from maththera.learners.schools import Schools
from maththera.learners.talk import anyone_talks
from maththera.learners.tokens import Tokens
from maththera.lessons.answer_words import load_grading_lists
from maththera.lessons.content import LessonContent
from maththera.lessons.judging import VARIABLES as GRADING_PROMPTS
from maththera.lessons.service import LessonService
from maththera.lessons.writing import VARIABLES as LESSON_PROMPTS
from maththera.lessons.writing import Writer
from maththera.llm.models import Call, Models
from maththera.reports.links import ReportLinks
from maththera.runtime.redis import open_redis
from maththera.servers.config import load_servers
from maththera.servers.word_problems import WordProblems
from maththera.settings import PREFIX, Settings, SettingsError
from maththera.tutoring import assistant
from maththera.tutoring.hearing import Hearing
from maththera.tutoring.idling import Idling
from maththera.tutoring.rules import Rules, load_rules
from maththera.tutoring.service import TutoringService
from maththera.words import opinion
from maththera.words.alert_channels import channels
from maththera.words.alert_delivery import AlertDelivery
from maththera.words.alert_rules import AlertRules
from maththera.words.answers import DangerAnswers
from maththera.words.front_door import FrontDoor
from maththera.words.open_tasks import open_answers
from maththera.words.safety import Safety

Probe: TypeAlias = Callable[[], Awaitable[object]]


def _check(home: Path) -> None:
    """What is read again where it is needed: a broken one is told now, and not in somebody's turn."""
    load_servers(home / SERVERS, {})
    load_closings(home)
    load_grading_lists(home)
    load_korean_lists(home)
    WordProblems.load(home / "configs" / "word_problems.yaml")


@dataclass(frozen=True, slots=True)
class Content:
    """All of `configs/` and `prompts/`."""

    rules: Rules
    models: Models
    door: FrontDoor
    danger_answers: DangerAnswers
    commands: CommandRules
    concepts: ConceptGraph
    chat: ChatFiles
    lessons: LessonContent
    front_ends: FrontEnds
    alert_rules: AlertRules

    @classmethod
    def load(cls, settings: Settings, on_call: Callable[[Call], None] = lambda _: None) -> "Content":
        """Each loader's own error for a broken file. `on_call` is told of every call to a model."""
        models = Models.from_settings(
            settings.llm_base_url,
            settings.llm_api_key.get_secret_value() if settings.llm_api_key else None,
            settings.llm_model,
            settings.llm_small_model,
            home=settings.home,
            on_call=on_call,
        )
        for prompt, variables in {
            **assistant.VARIABLES,
            **LESSON_PROMPTS,
            **GRADING_PROMPTS,
            opinion.PROMPT: opinion.VARIABLES,
        }.items():
            models.require(prompt, variables)
        _check(settings.home)
        concepts = load_concepts(settings.home / "configs" / "concepts.yaml")
        rules = load_rules(settings.home)
        door, answers = FrontDoor.load(settings.home), DangerAnswers.load(settings.home, settings.country)
        chat = ChatFiles.load(settings.home, door, rules.bank, models)
        commands, lessons = load_command_rules(settings.home), LessonContent.load(settings.home)
        front_ends = FrontEnds.load(settings.home, chat.config, door, chat.levels)
        alert_rules = AlertRules.load(settings.home)
        return cls(rules, models, door, answers, commands, concepts, chat, lessons, front_ends, alert_rules)


@dataclass(frozen=True, slots=True)
class Learners:
    """What is known of the children, for whoever may know it."""

    roster: Roster
    profiles: Profiles
    consents: Consents
    reviews: Reviews
    alerts: Alerts
    export: Export
    keeping: Keeping

    @classmethod
    def of(cls, content: Content, records: Records, database: Database, alerts: Alerts, keeping: Keeping) -> "Learners":
        rules = content.rules
        causes = {tag: cause.name for tag, cause in rules.catalogue.causes.items()}
        profiles = Profiles(
            records, History(database), LessonRecords(database), content.concepts, rules.bank.problem, causes
        )
        reviews, export = Reviews(database), Export(database)
        return cls(Roster(database), profiles, Consents(database), reviews, alerts, export, keeping)


@dataclass(frozen=True, slots=True)
class AlertTelling:
    """Safety alerts: where they are stored, and what tells adults of them at once."""

    alerts: Alerts
    delivery: AlertDelivery

    @classmethod
    def of(cls, settings: Settings, rules: AlertRules, database: Database, metrics: Metrics) -> "AlertTelling":
        outbox, out = AlertOutbox(database), channels(settings, rules)
        delivery = AlertDelivery(outbox, Alerts(database), rules, out, metrics.delivery)

        def added(alert: NewAlert) -> None:
            metrics.alert(alert)
            delivery.wake()

        return cls(Alerts(database, added), delivery)


@dataclass(frozen=True, slots=True)
class Resources:
    """`probes`: for each dependency a call that fails, or takes too long, when it is down."""

    service: TutoringService
    hearing: Hearing
    safety: Safety
    tokens: Tokens
    probes: Mapping[str, Probe]
    executions: Executions
    commands: Commands
    reports: ReportLinks
    learners: Learners
    chat: ChatService
    lessons: LessonService
    desk: Desk
    data_dir: Path
    front_ends: FrontEnds


@asynccontextmanager
async def open_resources(
    settings: Settings, content: Content, metrics: Metrics | None = None
) -> AsyncIterator[Resources]:
    """Connects, when first used, and closes again. Tables and Redis are there already (`cli.stores`)."""
    metrics = metrics or Metrics()
    if settings.redis_url is None:
        raise SettingsError(f"{PREFIX}REDIS_URL: needed here; `maththera serve` starts a Redis where there is none")
    async with AsyncExitStack() as stack:
        database = Database(settings.database_url)
        stack.push_async_callback(database.close)
        redis = open_redis(settings.redis_url)
        stack.push_async_callback(redis.aclose)
        models = content.models
        stack.push_async_callback(models.aclose)
        warm = asyncio.create_task(_warm(database, models), name="Korean analyser")
        stack.push_async_callback(asyncio.wait, [warm])
        second = opinion.asking(models, content.danger_answers.second_opinion_seconds) if models.available else None
        telling = AlertTelling.of(settings, content.alert_rules, database, metrics)
        safety = Safety(content.door, content.danger_answers, telling.alerts, second)
        records = Records(database)
        service = TutoringService(content.rules, records, redis, models if models.available else None)
        launch = by_celery(settings.celery, redis) if settings.celery else None
        executions = await stack.enter_async_context(open_executions(settings, database, redis, launch, models))
        keeping = Keeping(database, redis, executions.runner.log, settings.data_dir)
        idling = Idling(service, database, content.rules.numbers.session.idle_hours)
        for name, work in (
            ("upkeep of executions", executions.upkeep(schedules=settings.celery is None)),
            ("upkeep of records", keeping.upkeep(settings.retention_days)),
            ("upkeep of sessions", idling.upkeep()),
            ("safety alerts", telling.delivery.upkeep(metrics.unopened_alerts)),
        ):
            stack.push_async_callback(_cancel, asyncio.create_task(work, name=name))
        log, prompts = executions.runner.log, PromptLog(settings.prompt_log) if settings.prompt_log else None
        lessons = LessonService(
            content.lessons,
            safety,
            LessonRecords(database),
            Reviews(database),
            redis,
            log,
            Writer(models if models.available else None, content.lessons.config.models, content.chat.gate),
            partial(open_answers, database, content.rules.bank),
        )
        stack.push_async_callback(lessons.aclose)
        talk = open_chat(content.chat, safety, database, redis, log, models, prompts, lessons.open_answers)
        chat = await stack.enter_async_context(talk)
        yield Resources(
            service,
            Hearing(service, safety),
            safety,
            Tokens(database),
            {"database": database.ping, "redis": redis.ping},
            executions,
            Commands(executions.runner.files, Schools(database), content.commands, models),
            ReportLinks.of(settings.data_dir),
            Learners.of(content, records, database, telling.alerts, keeping),
            chat,
            lessons,
            Desk.of(content.chat.assistant, content.chat.levels, database, settings.home),
            settings.data_dir,
            content.front_ends,
        )


async def _warm(database: Database, models: Models) -> None:
    """Loads the Korean analyser (0.7 s, 230 MB) where it will be needed, so that nobody's turn waits for it: to check a
    model's words, for chats and for lessons. A service that only tutors goes without."""
    with suppress(StoreUnavailable):  # it will be loaded when the first message needs it
        if models.available or await anyone_talks(database):
            await asyncio.to_thread(morphemes.prewarm)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
