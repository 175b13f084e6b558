"""Lessons: begin, say something, look, list the judged sessions."""

from dataclasses import asdict
from typing import Annotated, Final, Literal, TypeAlias

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from redis.exceptions import RedisError

from maththera.api.http_layer.auth import (
    Caller,
    FreshCaller,
    Services,
    authorize,
    deferred_error,
    log_access,
    message_sender,
    require_consents,
)
from maththera.api.http_layer.identifiers import HEX_ID, Limit
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import Responses, errors
from maththera.api.http_layer.problem_details import ApiProblem, Problems, invalid_field, try_again
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.api.http_layer.sse import NO_STORE, REPLAYED, EventStream, last_event_id
from maththera.api.lesson_events import LessonFrame, event_frames, safety_frames
from maththera.json_types import JsonObject
from maththera.lessons.courses.course import QuestionType, UserType
from maththera.lessons.lesson_requests import LessonMessage, NewLesson
from maththera.lessons.lesson_states import LessonNotFound
from maththera.lessons.service import InvalidLesson, LessonService, WrongStage
from maththera.lessons.state import SPEAKER, GradedBy, Stage, TutorState, initial_state, public_state
from maththera.runtime.leases import LeaseTimeout
from maththera.store.access.authorization import Principal, redact_for_role
from maththera.store.database import StoreUnavailable

router = APIRouter(prefix="/api/v1/lessons", tags=["lessons"], route_class=ApiRoute)

RecordedDecision: TypeAlias = Literal["proceed", "retry", "forced"]
_Learner = Annotated[str, Query(max_length=64, description="The learner.", examples=["123"])]
LessonId = Annotated[str, Path(description="As `POST /api/v1/lessons` gave it.")]

_EXAMPLE_ID: Final = "5b1c7f0c5a0e4bb08a5d6c0a6c2f7d11"
_BEGUN: Final = "2026-11-22T09:13:37+00:00"
_BEGINNING: Final = initial_state(
    lesson_id=_EXAMPLE_ID, user_id=123, user_type="beginner", course="", chapter=1, now=_BEGUN
)
_WELCOME: Final = {
    "agent_name": SPEAKER,
    "message": "안녕! 오늘은 1장 '9까지의 수, 하나 더 하나 덜' 이야기를 같이 해 볼 거야.",
    "timestamp": _BEGUN,
    "message_type": "system",
    "session_stage": "session_start",
}
_STATE: Final = {
    **public_state(_BEGINNING),
    "current_agent": SPEAKER,
    "previous_agent": "session_manager",
    "current_session_conversations": [_WELCOME],
}
_JUDGED: Final = {
    "course": "arithmetic",
    "session_id": "user123_ch1_session001_20261122_091902",
    "lesson_id": _EXAMPLE_ID,
    "chapter": 1,
    "session_count": 1,
    "decision": "proceed",
    "session_start_time": _BEGUN,
    "session_end_time": "2026-11-22T09:19:02+00:00",
    "question_number": 11,
    "question_type": "subjective",
    "is_correct": 100,
    "graded_by": "model",
    "rule_score": 60,
    "hint_count": 0,
    "problem_id": None,
    "given": None,
    "question_content": "문제야. 0은 어떤 수인지, 1과 견주어 말해 줘.\n네 말로 적어 줘. 한두 문장이면 돼.",
    "user_answer": "0은 아무것도 없다는 거고 1 앞에 있어.",
    "feedback": "꼭 필요한 말을 모두 했어!",
}


class Lesson(Answer):
    """`who_reads` tells a learner who can read what it writes, adults that they are logged."""

    model_config = example(
        {"lesson_id": _EXAMPLE_ID, "state": _STATE, "who_reads": "여기서 나눈 이야기는 선생님과 보호자가 볼 수 있어."}
    )

    lesson_id: str
    state: TutorState
    who_reads: str


class JudgedSession(Answer):
    """`decision`: `forced` where the lesson went on although the chapter was not passed. `is_correct`: of multiple
    choice 1 or 0, of sentences 0 to 100, as `rule_score`, which the rules alone give. `graded_by` says whose score
    `is_correct` is. Both are null where they were not kept, `problem_id` and `given` where the question is no
    problem of the ladder."""

    session_id: str
    lesson_id: str
    course: str
    chapter: int
    session_count: int
    decision: RecordedDecision
    session_start_time: Moment
    session_end_time: Moment
    question_number: int
    question_type: QuestionType
    is_correct: int
    graded_by: GradedBy | None
    rule_score: int | None
    hint_count: int
    problem_id: str | None
    given: int | None
    question_content: str
    user_answer: str
    feedback: str


class JudgedSessions(Answer):
    """`next`: what to send as `before` for the page after this one; null at the end."""

    model_config = example({"sessions": [_JUDGED], "next": None})

    sessions: list[JudgedSession]
    next: str | None


class ChapterView(Answer):
    """A chapter of a course; `unit` is the curriculum's, if it has one."""

    chapter: int
    title: str
    unit: str | None
    objectives: list[str]


class CourseView(Answer):
    """A course that lessons can be begun with."""

    course: str
    title: str
    description: str
    kind: Literal["arithmetic", "general"]
    chapters: list[ChapterView]


class CourseList(Answer):
    """Every course; the one that is taken where none is named stands first."""

    model_config = example({
        "courses": [{
            "course": "arithmetic", "title": "수와 연산", "description": "9까지의 수에서 곱셈과 나눗셈까지.",
            "kind": "arithmetic",
            "chapters": [{
                "chapter": 1, "title": "9까지의 수, 하나 더 하나 덜", "unit": "Cur-C1",
                "objectives": ["어떤 수보다 하나 더 많은 수와 하나 더 적은 수를 바로 말할 수 있어."],
            }],
        }],
    })  # fmt: skip

    courses: list[CourseView]


class OpenLessonView(Answer):
    """A lesson that can be gone on with."""

    lesson_id: str
    course: str
    title: str
    chapter: int
    chapter_title: str
    user_type: UserType
    stage: Stage
    session_count: int


class OpenLessonList(Answer):
    """The newest first."""

    model_config = example({
        "lessons": [{
            "lesson_id": _EXAMPLE_ID, "course": "arithmetic", "title": "수와 연산", "chapter": 1,
            "chapter_title": "9까지의 수, 하나 더 하나 덜", "user_type": "beginner", "stage": "theory_completed",
            "session_count": 1,
        }],
    })  # fmt: skip

    lessons: list[OpenLessonView]


class Transcript(Answer):
    """All that was said in a completed session. An item has `agent_name` (`learner` for the learner's), `message`,
    `timestamp`, `message_type` and `session_stage`; of the type `tool` are notes on what an agent did."""

    session_id: str
    chapter: int
    session_count: int
    decision: RecordedDecision
    session_start_time: Moment
    session_end_time: Moment
    conversations: list[JsonObject]


class TranscriptList(Answer):
    """In their order."""

    model_config = example({
        "sessions": [{
            "session_id": _JUDGED["session_id"], "chapter": 1, "session_count": 1, "decision": "retry",
            "session_start_time": _BEGUN, "session_end_time": _JUDGED["session_end_time"], "conversations": [_WELCOME],
        }],
    })  # fmt: skip

    sessions: list[Transcript]


_RESUMED: Final[Responses] = {200: {"model": Lesson, "description": "The last lesson, with `resume`"}}


async def _sender(request: Request, services: Services, lesson_id: LessonId) -> Principal:
    who = await message_sender(request)
    authorize(who, "write", await _owner(services.lessons, lesson_id))
    return who


@router.post(
    "",
    status_code=201,
    summary="Begin a lesson, or go on with the last one",
    response_description="The lesson with its welcome",
    responses=_RESUMED | errors("not_found"),
)
async def create_lesson(
    request: Request, response: Response, who: FreshCaller, services: Services, wanted: JsonBody[NewLesson]
) -> Lesson:
    """`user_id` is the learner, `user_type` decides how things are explained."""
    authorize(who, "write", wanted.student_id)
    await require_consents(request, wanted.student_id, fresh=True)
    await log_access(request, who, "lesson", wanted.student_id)
    if wanted.resume and (found := await services.lessons.unfinished(wanted)) is not None:
        response.status_code = 200
        lesson_id, state = found[0], redact_for_role(who.role, found[1])
    else:
        lesson_id, state = await services.lessons.create(wanted)
    response.headers["Location"] = f"{router.prefix}/{lesson_id}"
    return _lesson(services, who, lesson_id, state)


@router.post(
    "/{lesson_id}/messages",
    summary="Say something, answer the question, ask for a hint",
    status_code=200,
    response_class=EventStream,
    responses=errors("lesson_state")
    | {200: {"model": LessonFrame, "description": "The events of the turn, to `final` or `error`"}},
)
async def send_lesson_message(
    request: Request,
    who: Annotated[Principal, Depends(_sender)],
    services: Services,
    lesson_id: LessonId,
    sent: JsonBody[LessonMessage],
) -> EventStream:
    """Server-sent events, to `final`, which has the state. The same `request_id` again gives the same events and
    changes nothing; with `Last-Event-ID` those after it."""
    inbox, lessons = sent.inbox(), services.lessons
    await require_consents(request, await lessons.owner(lesson_id), speaks=True)
    try:
        if error := deferred_error(request):
            raise error
        await log_access(request, who, "lesson", await lessons.owner(lesson_id))
        turn = await lessons.begin(lesson_id, inbox, who.role)
    except (WrongStage, StoreUnavailable, RedisError, LeaseTimeout, ApiProblem) as why:
        heard = await lessons.heard(lesson_id, inbox, who.role, await lessons.owner(lesson_id))
        if heard.told is None:
            raise
        state = await lessons.state(lesson_id) if isinstance(why, WrongStage | ApiProblem) else None
        return EventStream(safety_frames(heard, who.role, inbox["request_id"], state), NO_STORE)
    headers = {**NO_STORE, **(REPLAYED if turn.replayed else {})}
    return EventStream(event_frames(lessons, turn, last_event_id(request)), headers)


@router.get(
    "",
    summary="What a learner's lessons came to",
    response_description="The newest first",
    responses=errors("not_found"),
)
async def list_judged_sessions(
    request: Request,
    who: Caller,
    services: Services,
    user_id: _Learner,
    before: Annotated[str | None, Query(max_length=200, description="`next` of the page before.")] = None,
    limit: Limit = 20,
) -> JudgedSessions:
    """Each completed session with its question, the answer and its score; `graded_by` says whose the score is, and
    `rule_score` what the rules alone give."""
    authorize(who, "read", user_id)
    await log_access(request, who, "lessons", user_id)
    found = await services.learners.profiles.lessons.judged(user_id, limit, before)
    following = found[-1]["session_id"] if len(found) == limit else None
    return JudgedSessions(sessions=[JudgedSession.model_validate(one) for one in found], next=following)


@router.get("/courses", summary="What can be learned", response_description="The courses with their chapters")
async def list_courses(_: Caller, services: Services) -> CourseList:
    courses = services.lessons.courses.values()
    return CourseList(courses=[
        CourseView(
            course=one.id, title=one.head.title, description=one.head.description, kind=one.head.kind,
            chapters=[
                ChapterView(chapter=each.chapter, title=each.title, unit=each.unit, objectives=[*each.objectives])
                for each in one.chapters.values()
            ],
        )
        for one in sorted(courses, key=lambda one: one.head.kind)
    ])  # fmt: skip


@router.get(
    "/open",
    summary="A learner's lessons that can be gone on with",
    response_description="The newest first",
    responses=errors("not_found"),
)
async def list_open_lessons(
    request: Request,
    who: Caller,
    services: Services,
    user_id: _Learner,
) -> OpenLessonList:
    """Those that have not come to their end; a message to one of them goes on where it stands."""
    authorize(who, "read", user_id)
    await log_access(request, who, "lessons", user_id)
    courses = services.lessons.courses
    return OpenLessonList(lessons=[
        OpenLessonView(
            **asdict(one), title=courses[one.course].head.title,
            chapter_title=courses[one.course].chapters[courses[one.course].nearest_chapter(one.chapter)].title,
        )
        for one in await services.lessons.open_lessons(user_id)
    ])  # fmt: skip


@router.get("/{lesson_id}/sessions", summary="What was said in a lesson", response_description="Its completed sessions")
async def list_transcripts(request: Request, who: Caller, services: Services, lesson_id: LessonId) -> TranscriptList:
    """A guardian is shown no message about danger, and no answer to one."""
    student_id = await _owner(services.lessons, lesson_id)
    authorize(who, "read", student_id)
    await log_access(request, who, "lesson", student_id)
    shown = Transcript.model_fields
    sessions = [asdict(one) for one in await services.lessons.transcripts(lesson_id)]
    told = redact_for_role(who.role, [{name: one[name] for name in shown} for one in sessions])
    return TranscriptList(sessions=[Transcript.model_validate(one) for one in told])


@router.get("/{lesson_id}", summary="Where the lesson stands", response_description="The lesson")
async def read_lesson(request: Request, who: Caller, services: Services, lesson_id: LessonId) -> Lesson:
    student_id = await _owner(services.lessons, lesson_id)
    authorize(who, "read", student_id)
    await log_access(request, who, "lesson", student_id)
    state = redact_for_role(who.role, await services.lessons.state(lesson_id))
    return _lesson(services, who, lesson_id, state)


PROBLEMS: Final[Problems] = {
    LessonNotFound: lambda _: ApiProblem("not_found", "There is no such lesson."),
    WrongStage: lambda error: ApiProblem("lesson_state", f"{error}."),
    InvalidLesson: lambda bad: invalid_field(bad.loc, bad.msg),
    LeaseTimeout: lambda _: try_again("Another turn is under way. Try again."),
}


async def _owner(lessons: LessonService, lesson_id: str) -> str:
    """The learner. LessonNotFound, also for a text that is not an id."""
    if not HEX_ID.fullmatch(lesson_id):
        raise LessonNotFound(lesson_id)
    return await lessons.owner(lesson_id)


def _lesson(services: Services, who: Principal, lesson_id: str, state: TutorState) -> Lesson:
    return Lesson(lesson_id=lesson_id, state=state, who_reads=services.learners.privacy.who_reads.to(who.role))
