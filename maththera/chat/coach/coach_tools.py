"""The coach's tools, on the learner records and the curriculum.

Whoever asks must be allowed to read the records of the student whom the turn is about. A turn about nobody, and a
student without records, give an empty result that says so (`message`), never an error.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from maththera.arithmetic.curriculum import LOWEST_C
from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import Expression
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.chat.coach.learner_facts import KindId, kind_of, learner_facts
from maththera.chat.coach.learner_reports import activity, scores, weak_points
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.coach.problem_explanations import (
    explanation_without_answer,
    expression_explanation,
    expression_of,
    outside_curriculum,
    problem_explanation,
    reveals_answer_of,
)
from maththera.chat.coach.problem_recommendation import Recommendation, exercise, recommend
from maththera.chat.messages.chat_tools import Asker, ChatTool, ToolFailed
from maththera.json_types import JsonObject
from maththera.korean.dates import KOREA
from maththera.learner_model.concept_graph import UNIT, unit_id
from maththera.store.access.authorization import is_allowed
from maththera.store.answer_history import Answer, AnswerHistory, earliest_start, recent_answers
from maththera.store.database import Database, StoreUnavailable
from maththera.store.open_sessions import open_problems
from maththera.store.tutoring_sessions import SessionRecords

UnitId = Annotated[str, Field(pattern=r"^Cur-C([1-9]|1[0-5])$", description="단원 ID: Cur-C1부터 Cur-C15까지")]
_Method = Callable[[Asker, Any], Awaitable[JsonObject]]
NOBODY: Final = "어느 학생의 기록인지 아직 정해지지 않았습니다."
NO_RECORDS: Final = "아직 풀이 기록이 없습니다."
NO_PROBLEM: Final = "설명할 문제가 없습니다."
_EXPLANATION: Final = (
    "문제의 풀이 단계와, 학생이 낸 답이 어떤 계산에서 나오는지를 설명합니다. "
    "문제를 주지 않으면 학습자가 마지막으로 맞히지 못한 문제를 봅니다."
)


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NoArguments(_Arguments):
    """None are needed."""


class UnitArguments(_Arguments):
    unit_id: UnitId


class OptionalUnitArguments(_Arguments):
    unit_id: UnitId | None = None


class NextProblemArguments(OptionalUnitArguments):
    """A problem of a unit, or of a kind: as hard as `than`, or `step` steps harder."""

    kind: KindId | None = Field(None, description="문제의 종류: carry는 받아올림, borrow는 받아내림이 있는 것")
    than: Annotated[str | None, Field(max_length=40, description="견줄 문제. 예: 47+36")] = None
    step: Annotated[int | None, Field(ge=-2, le=2, description="−1은 더 쉽게, 1은 더 어렵게")] = None


class RecentActivityArguments(_Arguments):
    limit: Annotated[int, Field(ge=1, le=30, description="최근 몇 번의 학습까지")] = 5


class ExplanationArguments(_Arguments):
    """Without a problem: the last one that the learner got wrong."""

    problem_id: Annotated[str | None, Field(max_length=64, description="문제 ID(P-00847, X:52-38:v)")] = None
    expression: Annotated[str | None, Field(max_length=300, description="식. 예: 8+6, 52−38, 12−5+3, (2+3)×4")] = None
    answer: Annotated[int | None, Field(ge=-999_999_999, le=999_999_999, description="학생이 낸 답")] = None

    @model_validator(mode="after")
    def _one_problem(self) -> "ExplanationArguments":
        if self.problem_id is not None and self.expression is not None:
            raise ValueError("problem_id와 expression 가운데 하나만 줘")
        return self


def coach_tools(database: Database, known: Knowledge) -> dict[str, ChatTool]:
    """The tools by name."""
    tools = CoachTools(database, known)
    described: tuple[tuple[str, str, type[BaseModel], _Method], ...] = (
        (
            "get_user_scores",
            "학습자의 단원별 평균, 최고 점수, 푼 문제 수, 완료율과 최근의 흐름을 가져옵니다.",
            NoArguments,
            tools.scores,
        ),
        (
            "get_weak_points",
            "학습자의 단원별 약점(70점 미만 지표)을 가져옵니다. 단원을 주면 그 단원의 예와 훈련까지 자세히 봅니다.",
            OptionalUnitArguments,
            tools.weak_points,
        ),
        (
            "get_recent_activity",
            "학습자가 최근에 한 학습(언제, 몇 문제, 몇 점, 어느 단원)을 새것부터 가져옵니다.",
            RecentActivityArguments,
            tools.recent_activity,
        ),
        (
            "recommend_next_problem",
            "학습자의 위치와 약점에 맞추어 다음에 풀 문제를 추천합니다. 단원이나 종류를 주면 거기에서 고릅니다.",
            NextProblemArguments,
            tools.next_problem,
        ),
        (
            "get_unit_curriculum",
            "단원의 학습 목표, 개념 설명, 연습 방법, 먼저 알아야 할 단원을 가져옵니다.",
            UnitArguments,
            tools.curriculum,
        ),
        ("get_problem_explanation", _EXPLANATION, ExplanationArguments, tools.explanation),
    )
    return {
        name: ChatTool(name, says, arguments, _with_store_errors(method)) for name, says, arguments, method in described
    }


class CoachTools:
    """What the tools do; each answers with plain JSON types."""

    def __init__(self, database: Database, known: Knowledge) -> None:
        self._database = database
        self._history = AnswerHistory(database)
        self._records = SessionRecords(database)
        self._known = known

    async def scores(self, asker: Asker, _: NoArguments) -> JsonObject:
        """Per unit: mean, best, answered, right, completion; see `UnitScore`. `facts`: what answers are made of."""
        answers = await self._answers(asker)
        today = datetime.now(KOREA).date()
        found = {
            **scores(answers, self._known),
            "facts": learner_facts(answers, self._known.problem, await self._open_tasks(asker), today),
        }
        return self._with_empty_message(asker, found, answers)

    async def weak_points(self, asker: Asker, arguments: OptionalUnitArguments) -> JsonObject:
        """`{unit: {weak_metrics: [{metric, score}]}}`, for the units with answers."""
        answers = await self._answers(asker)
        found = weak_points(answers, self._known, arguments.unit_id, await self._open_tasks(asker))
        return self._with_empty_message(asker, found, answers)

    async def recent_activity(self, asker: Asker, arguments: RecentActivityArguments) -> JsonObject:
        """`activities`: the newest session first."""
        student_id = learner_of(asker)
        if student_id is None:
            return self._with_empty_message(asker, {"activities": []}, [])
        sessions = await self._history.sessions(student_id, arguments.limit)
        answers = await self._history.answers(student_id, since=earliest_start(sessions)) if sessions else []
        found = activity(sessions, answers, self._known)
        return self._with_empty_message(asker, {"activities": found}, answers)

    async def next_problem(self, asker: Asker, arguments: NextProblemArguments) -> JsonObject:
        """One problem and why it; never its answer. Without records, one to begin with."""
        student_id = learner_of(asker)
        learner = await self._records.learner(student_id) if student_id is not None else None
        answers = await self._answers(asker)
        if arguments.kind or arguments.than or arguments.step or (learner is None and answers):
            avoid = [one.key for one in await self._open_tasks(asker)]
            than = exercise_of(arguments.than)
            one = exercise(self._known, answers, arguments.kind, than, arguments.step or 0, avoid)
            found = self._recommended(Recommendation(one, "asked"))
        else:
            c = int(arguments.unit_id.removeprefix(UNIT)) if arguments.unit_id else None
            found = self._recommended(recommend(self._known, learner, answers, c))
        found["position"] = {"c": learner.c, "w": learner.w} if learner else {"c": LOWEST_C, "w": None}
        return self._with_empty_message(asker, found, answers)

    async def curriculum(self, asker: Asker, arguments: UnitArguments) -> JsonObject:
        """Goals, concepts and tips for a child, an example, and what comes before."""
        name = arguments.unit_id
        own, concept = self._known.coach.units[name], self._known.graph.concepts[name]
        return {
            "unit_id": name,
            "unit": concept.name,
            "description": concept.description,
            "goals": [*own.goals],
            "concepts": [{"name": one.name, "also": [*one.also], "explanation": one.says} for one in own.concepts],
            "tips": [*own.tips],
            "example": self._example(int(name.removeprefix(UNIT)), await self._open_tasks(asker)),
            "before": [self._known.unit(one) for one in concept.requires if one.startswith(UNIT)],
        }

    async def explanation(self, asker: Asker, arguments: ExplanationArguments) -> JsonObject:
        """The steps of the solution; `given` says where an answer comes from. The answer of a task that the learner
        is at is left out, whatever it is asked as."""
        learner_of(asker)
        if arguments.expression is not None:
            return await self._of_expression(asker, expression_of(arguments.expression), arguments.answer)
        given = arguments.answer
        if arguments.problem_id is not None:
            return await self._of_problem(asker, self._known.problem(arguments.problem_id), given)
        last = self._last_missed(await self._answers(asker))
        if last is None:
            return await self._of_problem(asker, None, given)
        given = last.given if given is None else given
        return await self._of_problem(asker, self._known.problem(last.problem_id), given, own=True)

    async def _of_expression(self, asker: Asker, expression: Expression, given: int | None) -> JsonObject:
        if expression.beyond is not None:
            return outside_curriculum(expression, self._known)
        problem = problem_of(expression)
        if problem is not None:
            return await self._of_problem(asker, problem, given)
        found = expression_explanation(expression, given, self._known) | {"last_missed": False, "open_task": False}
        found_open = next((one for one in await self._open_tasks(asker) if reveals_answer_of(expression, one)), None)
        return explanation_without_answer(found, found_open, self._known) if found_open is not None else found

    async def _of_problem(
        self, asker: Asker, problem: Problem | None, given: int | None, *, own: bool = False
    ) -> JsonObject:
        if problem is None:
            return {"steps": [], "message": NO_PROBLEM}
        found = problem_explanation(problem, given, self._known) | {"last_missed": own, "open_task": False}
        shown = await self._open_tasks(asker)
        if own:
            found_open = next((one for one in shown if one.key == problem.key), None)
        else:  # 121+19 as well, where 120+20 is open
            found_open = next((one for one in shown if one.answer == problem.answer), None)
        return explanation_without_answer(found, found_open, self._known) if found_open is not None else found

    def _example(self, c: int, shown: Sequence[Problem]) -> JsonObject:
        """A usual problem of a unit, solved: none that the learner is at."""
        keys = {one.key for one in shown}
        problems = [one for one in self._known.bank.level(c) if one.key not in keys]
        spoken = [one for one in problems if one.layout == "horizontal"] or problems
        solved = problem_explanation(spoken[len(spoken) // 2], None, self._known)
        return {"prompt": solved["prompt"], "steps": solved["steps"]}

    def _recommended(self, one: Recommendation) -> JsonObject:
        problem, texts = one.problem, self._known.texts
        trainings = texts.causes[one.cause].trainings if one.cause else ()
        return {
            "problem_id": problem.problem_id,
            "expression": problem.expression,
            "prompt": problem.prompt,
            "layout": problem.layout,
            "w": problem.w_total,
            "kind": kind_of(problem),
            "unit_id": unit_id(problem.c_level),
            "unit": self._known.unit(unit_id(problem.c_level)),
            "reason": one.reason,
            "training": {"training_id": trainings[0], "title": texts.trainings[trainings[0]].title}
            if trainings
            else None,
        }

    @staticmethod
    def _last_missed(answers: list[Answer]) -> Answer | None:
        return next((one for one in reversed(answers) if one.correct is False and one.problem_id is not None), None)

    async def _open_tasks(self, asker: Asker) -> list[Problem]:
        """The open tasks of a student who asks, whose answers must not be told."""
        if asker.student_id is None or asker.principal.role != "student":
            return []
        found = map(self._known.problem, await open_problems(self._database, asker.student_id))
        return [one for one in found if one is not None]

    async def _answers(self, asker: Asker) -> list[Answer]:
        student_id = learner_of(asker)
        return [] if student_id is None else await recent_answers(self._history, student_id)

    def _with_empty_message(self, asker: Asker, found: Mapping[str, Any], records: Iterable[Answer]) -> JsonObject:
        """The result, with a sentence on why it is empty where nothing was answered."""
        if any(answer.correct is not None for answer in records):
            return dict(found)
        return {**found, "message": NOBODY if asker.student_id is None else NO_RECORDS}


def learner_of(asker: Asker) -> str | None:
    """The student whom the turn is about, if any; ToolFailed if the caller may not read that student's records."""
    if asker.student_id is not None and not is_allowed(asker.principal, "read", asker.student_id):
        raise ToolFailed("이 학생의 기록은 볼 수 없어.")
    return asker.student_id


def _with_store_errors(method: _Method) -> _Method:
    """The method with StoreUnavailable turned into ToolFailed."""

    async def call(asker: Asker, arguments: Any) -> JsonObject:
        try:
            return await method(asker, arguments)
        except StoreUnavailable as error:
            raise ToolFailed("지금은 학습 기록을 읽을 수 없어.") from error

    return call
