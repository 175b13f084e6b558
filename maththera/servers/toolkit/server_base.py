"""The common base of the six servers: stores, error messages, and the way they are run.

A server is configured by the same environment as the service: MATHTHERA_DATABASE_URL, _DATA_DIR and _HOME."""

import functools
import inspect
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Final, ParamSpec, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from maththera.arithmetic.problem_bank import Bank
from maththera.json_types import JsonObject
from maththera.knowledge.knowledge import Knowledge
from maththera.knowledge.model import KnowledgeModel, load_knowledge_model
from maththera.korean.dates import KOREA
from maththera.learner_model.cause_texts import CauseTexts, load_cause_texts
from maththera.learner_model.concept_graph import ConceptGraph, load_concepts
from maththera.learner_model.concept_knowledge import ConceptKnowledge
from maththera.learner_model.recorded_knowledge import recorded_knowledge
from maththera.servers.toolkit.argument_errors import argument_error_text, unsendable_arguments
from maththera.servers.toolkit.concept_search import ConceptSearch, Match
from maththera.servers.toolkit.server_identity import NO_MODELS, TITLES, UNEXPECTED, VERSION, unknown_tool
from maththera.servers.toolkit.word_problems import WordProblems
from maththera.settings import Settings, SettingsError
from maththera.store.answer_history import AnswerHistory
from maththera.store.database import Database, StoreUnavailable
from maththera.store.migrations import migrate

if TYPE_CHECKING:
    from maththera.llm.model_client import Models

P = ParamSpec("P")
R = TypeVar("R", bound=BaseModel)

READS: Final = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
WRITES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
"""Every tool that writes may be called again: the same call leaves the same records."""

StudentId = Annotated[str, Field(min_length=1, max_length=200, description="학생 ID")]
_DATE: Final = 40  # characters
StartDate = Annotated[
    str | None, Field(max_length=_DATE, description="첫날. 2026-03-02 또는 ISO 8601 시각, 시간대가 없으면 한국 시각")
]
EndDate = Annotated[
    str | None,
    Field(max_length=_DATE, description="마지막 날(그날을 포함) 또는 ISO 8601 시각, 시간대가 없으면 한국 시각"),
]
ConceptName = Annotated[
    str, Field(min_length=1, max_length=200, description="개념 ID(Cur-C7, Cog-C4) 또는 개념을 가리키는 우리말")
]


class ServerResources:
    """The data and stores for the tools of one server; each part is loaded when it is first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.configs = settings.home / "configs"

    @cached_property
    def database(self) -> Database:
        return Database(self.settings.database_url)

    @cached_property
    def history(self) -> AnswerHistory:
        return AnswerHistory(self.database)

    @cached_property
    def bank(self) -> Bank:
        return Bank.load(self.configs / "arithmetic" / "problem_bank.csv")

    @cached_property
    def graph(self) -> ConceptGraph:
        return load_concepts(self.configs / "learner_model" / "concepts.yaml")

    @cached_property
    def model(self) -> KnowledgeModel:
        return load_knowledge_model(self.configs, self.bank)

    async def knowledge(self, student_id: str) -> Knowledge:
        """What the child knows today, by its records. Raises StoreUnavailable."""
        return recorded_knowledge(await self.history.answers(student_id), self.model, self.bank)

    @cached_property
    def texts(self) -> CauseTexts:
        return load_cause_texts(self.configs)

    @cached_property
    def search(self) -> ConceptSearch:
        return ConceptSearch(self.graph)

    @cached_property
    def word_problems(self) -> WordProblems:
        return WordProblems.load(self.configs / "servers" / "word_problems.yaml")

    @cached_property
    def models(self) -> "Models":
        """The configured models, if any. They are imported here, as their library takes half a second to load and most
        servers need none."""
        from maththera.llm.model_client import Models

        return Models.from_settings(self.settings)

    async def aclose(self) -> None:
        """Closes what was opened."""
        await self.database.close()
        if "models" in self.__dict__:
            await self.models.aclose()

    def concept(self, argument: str, text: str) -> Match:
        """The concept that the argument names; ToolError with the nearest ones where it names none."""
        if found := self.search.find(text):
            return found
        near = [f"{self.graph.concepts[one.concept_id].name}({one.concept_id})" for one in self.search.nearest(text, 3)]
        hint = f" 가까운 개념: {', '.join(near)}." if near else " 수와 연산(1~3학년)의 개념만 다룹니다."
        raise ToolError(f"{argument}: '{text}'에 해당하는 개념을 찾지 못했습니다.{hint}")


class ToolServer(MCPServer[None]):
    """An MCP server that explains failed calls in Korean, without the library's preface. `takes`: tool → arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.takes: dict[str, tuple[str, ...]] = {}

    async def call_tool(
        self, name: str, arguments: JsonObject, context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        if (known := self.takes.get(name)) is None:
            raise ToolError(unknown_tool(name, self.takes))
        if unknown := [argument for argument in arguments if argument not in known]:
            raise ToolError(f"{', '.join(unknown)}: 이 도구에 없는 인수입니다. 있는 인수: {', '.join(known)}.")
        if unfit := unsendable_arguments(arguments):
            raise ToolError(unfit)
        try:
            with _heeding(context):
                return await super().call_tool(name, arguments, context)
        except UnexpectedToolError as error:
            raise UnexpectedToolError(f"{name}: {UNEXPECTED}") from error
        except ToolError as error:
            match error.__cause__:
                case ValidationError() as cause:
                    raise ToolError(argument_error_text(cause)) from cause
                case ToolError() as cause:
                    raise cause from None
            raise


def _heeding(context: Context[None, Any] | None) -> AbstractContextManager[None]:
    """Around a call: bars models if the caller says so."""
    if context is None or not (context.request_context.meta or {}).get(NO_MODELS):
        return nullcontext()
    from maththera.llm.model_client import without_models

    return without_models()


def make_server(name: str, world: ServerResources) -> ToolServer:
    """A server without tools yet; while it runs, its tables are in place."""

    @asynccontextmanager
    async def running(_: MCPServer[None]) -> AsyncIterator[None]:
        world.settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        await migrate(world.settings.database_url)
        try:
            yield
        finally:
            await world.aclose()

    return ToolServer(name, title=TITLES[name], version=VERSION, lifespan=running, log_level="WARNING")


def tool(
    server: ToolServer, description: str, annotations: ToolAnnotations = READS
) -> Callable[[Callable[P, Awaitable[R]]], Callable[P, Awaitable[R]]]:
    """Registers a function as a tool; `description` is Korean, for people, flows and models."""

    def register(function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        @functools.wraps(function)
        async def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return await function(*args, **kwargs)
            except StoreUnavailable as error:
                raise ToolError(f"학습 기록을 지금 읽거나 쓸 수 없습니다: {error}") from error

        server.takes[function.__name__] = tuple(inspect.signature(function).parameters)
        server.add_tool(guarded, description=description, annotations=annotations, structured_output=True)
        return guarded

    return register


def serve(build: Callable[[ServerResources], MCPServer[None]]) -> None:
    """Runs a server over stdio until its client goes away; a bad environment ends it with one line for each fault.
    Only this account may read the files that it makes."""
    os.umask(0o077)
    try:
        world = ServerResources(Settings.from_environment())
        server = build(world)
    except (SettingsError, ValueError) as error:
        sys.exit(str(error))
    server.run("stdio")


_YEARS: Final = range(1900, 2101)


class Period(BaseModel):
    """[since, until); None is open."""

    since: datetime | None
    until: datetime | None


def period(start_date: str | None, end_date: str | None) -> Period:
    """A period from two tool arguments. A day as the end is meant whole. ToolError names the argument."""
    since, until = _moment("start_date", start_date), _moment("end_date", end_date, after_the_day=True)
    if since and until and since >= until:
        raise ToolError(f"end_date: start_date({start_date})보다 뒤여야 합니다.")
    return Period(since=since, until=until)


def _moment(argument: str, text: str | None, *, after_the_day: bool = False) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ToolError(f"{argument}: '{text}'라는 날짜는 없습니다. 2026-03-02처럼 적어 주세요.") from None
    if moment.year not in _YEARS:
        raise ToolError(f"{argument}: {_YEARS[0]}년부터 {_YEARS[-1]}년까지의 날짜여야 합니다.")
    with suppress(ValueError):
        day = date.fromisoformat(text)
        return datetime.combine(day + timedelta(days=after_the_day), time(), KOREA)
    # A whole second is meant whole as well: what was answered in it has happened before "now".
    whole = timedelta(seconds=after_the_day and moment.microsecond == 0)
    return (moment if moment.tzinfo else moment.replace(tzinfo=KOREA)) + whole


NO_RECORDS: Final = "아직 풀이 기록이 없는 학생입니다. 한 번 학습하면 결과가 나타납니다."


class Evidence(BaseModel):
    """The answers a mastery rests on: unaided first tries, the last of them on the day `last_answered_at`."""

    answers: int
    right: int
    last_answered_at: str

    @classmethod
    def of(cls, known: ConceptKnowledge) -> "Evidence":
        return cls(answers=known.tries, right=known.right, last_answered_at=known.last_day.isoformat())


class NamedConcept(BaseModel):
    """The concept that was meant; `certainty` 0 to 1, 1 where it was named exactly."""

    concept_id: str
    name: str
    description: str
    certainty: float

    @classmethod
    def of(cls, match: Match, graph: ConceptGraph) -> "NamedConcept":
        concept = graph.concepts[match.concept_id]
        return cls(
            concept_id=match.concept_id,
            name=concept.name,
            description=concept.description,
            certainty=match.certainty,
        )
