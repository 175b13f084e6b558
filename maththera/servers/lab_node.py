"""`lab-node-mcp`: what a child's records show: patterns of failure, the heatmap of mastery, recent sessions."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Literal

from mcp.server import MCPServer
from pydantic import BaseModel, Field

from maththera.arithmetic.problem import ProblemError
from maththera.korean.dates import in_korea
from maththera.learner_model.cause_words import CauseWords
from maththera.learner_model.concept_graph import unit_id
from maththera.learner_model.concept_knowledge import concept_knowledge
from maththera.learner_model.error_patterns import Pattern, error_title, find_patterns, stated_causes
from maththera.learner_model.recorded_knowledge import recorded_knowledge
from maththera.learner_model.student_figures import answer_counts
from maththera.servers.toolkit.server_base import (
    NO_RECORDS,
    WRITES,
    EndDate,
    Period,
    ServerResources,
    StartDate,
    StudentId,
    ToolServer,
    make_server,
    period,
    serve,
    tool,
)
from maththera.store.answer_history import Answer, PlayedSession
from maththera.store.heatmaps import Heatmaps
from maththera.store.review_queue import ReviewFilter, ReviewRow, Reviews

_MOST_UNEXPLAINED: Final = 100
_MOST_CAUSES: Final = 3
Operation = Literal["+", "-", "x", "/"]
Day = Annotated[str, Field(max_length=40, description="2026-03-02")]


class FailureExample(BaseModel):
    """`given` is null where there was no answer."""

    expression: str
    given: int | None
    right: int


class SuggestedTraining(BaseModel):
    training_id: str
    title: str


class FailurePattern(BaseModel):
    """`kind`: cause (stated with high confidence), error (the same wrong procedure twice or more, no diagnosis), slow
    (right after a long time), no_response. `pattern_id`: cause tag, malrule name or concept id."""

    kind: Literal["cause", "error", "slow", "no_response"]
    pattern_id: str
    name: str
    description: str
    count: int
    concept_ids: list[str]
    examples: list[FailureExample]
    trainings: list[SuggestedTraining]
    last_seen_at: str


class UnexplainedAnswer(BaseModel):
    """An answer that no rule explains and no person has judged yet: an open entry of the review queue."""

    review_id: int
    expression: str
    given: int | None
    right: int
    concept_id: str
    answered_at: str


class FailurePatterns(BaseModel):
    """`answered`, `wrong`, `slow`: answers of the period. `unexplained`: the oldest first, a hundred at most."""

    failure_patterns: list[FailurePattern]
    unexplained: list[UnexplainedAnswer] = []
    answered: int
    wrong: int
    slow: int
    message: str | None = None


class StudentHeatmap(BaseModel):
    """Concept id → mastery, 0 to 1, for every concept with at least one answer. `previous` is the heatmap before."""

    heatmap_data: dict[str, float]
    names: dict[str, str]
    answers: int
    previous: dict[str, float]
    message: str | None = None


class Figures(BaseModel):
    """What sessions and periods are measured by."""

    answered: int
    right: int
    accuracy: float | None
    median_rt_ms: int | None
    concept_ids: list[str]
    causes: dict[str, str]


class Activity(Figures):
    """One session. `accuracy` 0 to 1 and `median_rt_ms` are null without an answer; `causes`: tag → Korean name."""

    session_id: str
    started_at: str
    ended_at: str | None


class RecentActivity(BaseModel):
    """The newest session first."""

    activities: list[Activity]
    message: str | None = None


class PeriodFigures(Figures):
    """`accuracy` 0 to 1 and `median_rt_ms` are null without an answer; `causes`: tag → Korean name."""

    start_date: str
    end_date: str


class ComparedPeriods(BaseModel):
    """`change`: of the accuracy, from the first to the other period; null where one has no answer."""

    periods: list[PeriodFigures]
    change: float | None
    message: str | None = None


class CauseTrainings(BaseModel):
    """`cause`: the tag."""

    cause: str
    name: str
    explanation: str
    trainings: list[SuggestedTraining]


class RecommendedTrainings(BaseModel):
    causes: list[CauseTrainings]
    message: str | None = None


def build(world: ServerResources) -> MCPServer[None]:
    server = make_server("lab-node-mcp", world)
    heatmaps, reviews = Heatmaps(world.database), Reviews(world.database)

    @tool(
        server,
        "학생이 되풀이해서 틀리는 실패 패턴(오류 유형, 확인된 원인, 느린 단원)을 풀이 기록에서 찾습니다.",
    )
    async def get_failure_pattern(
        student_id: StudentId,
        start_date: StartDate = None,
        end_date: EndDate = None,
        operation: Annotated[Operation | None, Field(description="이 연산만")] = None,
    ) -> FailurePatterns:
        chosen = period(start_date, end_date)
        answers = await world.history.answers(student_id, chosen.since, chosen.until)
        answers = [each for each in answers if _is_of(world, each.problem_id, operation)]
        patterns = [_failure(world, pattern) for pattern in find_patterns(answers, world.bank.problem)]
        queue = await reviews.queue([student_id], ReviewFilter(kind="unknown_answer", limit=_MOST_UNEXPLAINED))
        queue = [each for each in queue if _is_of(world, each.payload["problem_id"], operation)]
        return FailurePatterns(
            failure_patterns=patterns,
            unexplained=[*_unexplained(world, (one for one in queue if _within(chosen, one)))],
            answered=sum(answer.correct is not None for answer in answers),
            wrong=sum(answer.correct is False for answer in answers),
            slow=sum(answer.pattern == "correct_slow" for answer in answers),
            message=None if patterns else await _why_empty(world, student_id, answers),
        )

    @tool(server, "학생의 개념별 이해도 히트맵을 지금까지의 기록으로 다시 계산해 저장하고 돌려줍니다.", WRITES)
    async def update_student_heatmap(student_id: StudentId) -> StudentHeatmap:
        return await _update_heatmap(world, heatmaps, student_id)

    _add_activity_tools(server, world)
    return server


def _add_activity_tools(server: ToolServer, world: ServerResources) -> None:
    """What the child did lately, how two periods compare, and which trainings fit."""
    causes = CauseWords.load(world.configs)

    @tool(server, "학생의 최근 학습 활동(세션마다 푼 문제 수, 정답률, 걸린 시간, 확인된 원인)을 새것부터 보여 줍니다.")
    async def get_recent_activity(
        student_id: StudentId, limit: Annotated[int, Field(ge=1, le=100, description="세션 수")] = 10
    ) -> RecentActivity:
        sessions = await world.history.sessions(student_id, limit)
        if not sessions:
            return RecentActivity(activities=[], message=NO_RECORDS)
        answers = await world.history.answers(student_id, since=min(one.created_at for one in sessions))
        return RecentActivity(activities=[_activity(world, one, answers) for one in sessions])

    @tool(server, "한 학생의 두 기간(예: 지난주와 이번주)을 견주어 정답률, 걸린 시간, 확인된 원인을 보여 줍니다.")
    async def compare_periods(
        student_id: StudentId, start_date: Day, end_date: Day, other_start_date: Day, other_end_date: Day
    ) -> ComparedPeriods:
        spans = (start_date, end_date), (other_start_date, other_end_date)
        periods = [await _period_figures(world, student_id, *span) for span in spans]
        before, after = (one.accuracy for one in periods)
        change = None if before is None or after is None else round(after - before, 3)
        message = "풀이 기록이 없는 기간이 있어 견줄 수 없습니다." if change is None else None
        return ComparedPeriods(periods=periods, change=change, message=message)

    @tool(server, "오류의 원인에 맞는 훈련을 추천합니다. 원인을 말로 적거나, 학생의 기록에서 확인된 원인을 씁니다.")
    async def recommend_trainings(
        student_id: Annotated[str | None, Field(max_length=200, description="학생 ID")] = None,
        cause: Annotated[str | None, Field(max_length=200, description="원인을 가리키는 말이나 태그")] = None,
    ) -> RecommendedTrainings:
        if cause:
            said = causes.find(cause)
            tags = [cause, *(said.tags if said else ())]
        else:
            answers = await world.history.answers(student_id) if student_id else []
            tags = [pattern.id for pattern in find_patterns(answers, world.bank.problem) if pattern.kind == "cause"]
        found = [_trainings(world, tag) for tag in tags if tag in world.texts.causes][:_MOST_CAUSES]
        return RecommendedTrainings(causes=found, message=None if found else "이 원인에 맞는 훈련을 찾지 못했습니다.")


async def _period_figures(world: ServerResources, student_id: str, first: str, last: str) -> PeriodFigures:
    chosen = period(first, last)
    answers = await world.history.answers(student_id, chosen.since, chosen.until)
    return PeriodFigures.model_validate({"start_date": first, "end_date": last, **_counts(world, answers)})


def _trainings(world: ServerResources, tag: str) -> CauseTrainings:
    cause = world.texts.causes[tag]
    trainings = _suggested(world, cause.trainings)
    return CauseTrainings(cause=tag, name=cause.name, explanation=cause.explanation, trainings=trainings)


def _suggested(world: ServerResources, trainings: Iterable[str]) -> list[SuggestedTraining]:
    return [SuggestedTraining(training_id=one, title=world.texts.trainings[one].title) for one in trainings]


async def _update_heatmap(world: ServerResources, heatmaps: Heatmaps, student_id: str) -> StudentHeatmap:
    answers = await world.history.answers(student_id)
    known = concept_knowledge(recorded_knowledge(answers, world.model, world.bank), world.graph)
    heatmap = {concept_id: round(one.value, 3) for concept_id, one in known.items()}
    before = await heatmaps.find(student_id)
    counted = sum(answer.correct is not None for answer in answers)
    if heatmap:
        await heatmaps.save(student_id, heatmap, counted)
    return StudentHeatmap(
        heatmap_data=heatmap,
        names={concept_id: world.graph.concepts[concept_id].name for concept_id in heatmap},
        answers=counted,
        previous=before.heatmap if before else {},
        message=None if heatmap else NO_RECORDS,
    )


def _failure(world: ServerResources, pattern: Pattern) -> FailurePattern:
    name, description, trainings = _texts(world, pattern)
    return FailurePattern(
        kind=pattern.kind,
        pattern_id=pattern.id,
        name=name,
        description=description,
        count=pattern.count,
        concept_ids=[*pattern.concept_ids],
        examples=[FailureExample(expression=e.expression, given=e.given, right=e.right) for e in pattern.examples],
        trainings=_suggested(world, trainings),
        last_seen_at=in_korea(pattern.last_at),
    )


def _is_of(world: ServerResources, problem_id: str | None, operation: Operation | None) -> bool:
    """Whether a problem is of this operation; without one, whatever it is."""
    problem = world.bank.get(problem_id) if operation and problem_id else None
    return operation is None or (problem is not None and problem.op == operation)


def _within(period: Period, review: ReviewRow) -> bool:
    after = period.since is None or period.since <= review.created_at
    return after and (period.until is None or review.created_at < period.until)


def _unexplained(world: ServerResources, queue: Iterable[ReviewRow]) -> Iterator[UnexplainedAnswer]:
    for review in queue:
        try:
            problem = world.bank.problem(review.payload["problem_id"])
        except ProblemError:  # of a bank that was replaced
            continue
        yield UnexplainedAnswer(
            review_id=review.review_id,
            expression=problem.expression,
            given=review.payload["answer"],
            right=problem.answer,
            concept_id=unit_id(problem.c_level),
            answered_at=in_korea(review.created_at),
        )


def _texts(world: ServerResources, pattern: Pattern) -> tuple[str, str, tuple[str, ...]]:
    if pattern.kind == "cause":
        cause = world.texts.causes[pattern.id]
        return cause.name, cause.explanation, cause.trainings
    if pattern.kind == "error":
        return (
            error_title(pattern.id),
            f"같은 방법으로 {pattern.count}번 틀렸습니다. 원인은 아직 모릅니다.",
            (),
        )
    unit = world.graph.concepts[pattern.id].name
    if pattern.kind == "slow":
        return f"{unit}: 느린 정답", f"맞았지만 오래 걸린 답이 {pattern.count}번 있습니다.", ()
    return f"{unit}: 무응답", f"시간 안에 답하지 않은 문제가 {pattern.count}개 있습니다.", ()


async def _why_empty(world: ServerResources, student_id: str, answers: list[Answer]) -> str:
    if answers:
        return "이 기간에는 되풀이되는 실패가 없습니다."
    if await world.history.sessions(student_id, 1):
        return "이 기간에는 풀이 기록이 없습니다."
    return NO_RECORDS


def _activity(world: ServerResources, session: PlayedSession, answers: Iterable[Answer]) -> Activity:
    return Activity(
        session_id=session.session_id,
        started_at=in_korea(session.created_at),
        ended_at=in_korea(session.ended_at) if session.ended_at else None,
        **_counts(world, [answer for answer in answers if answer.session_id == session.session_id]),
    )


def _counts(world: ServerResources, answers: list[Answer]) -> dict[str, object]:
    levels = {one.c_level for one in answers if one.correct is not None and one.c_level is not None}
    return {
        **answer_counts(answers),
        "concept_ids": [*map(unit_id, sorted(levels))],
        "causes": {tag: world.texts.causes[tag].name for tag in stated_causes(answers)},
    }


if __name__ == "__main__":
    serve(build)
