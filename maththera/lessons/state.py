"""The state of a lesson: the fields that the design fixes, what the graph keeps besides, and who writes what."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from maththera.json_types import JsonObject
from maththera.lessons.courses.course import QuestionType, UserType
from maththera.lessons.explanation_turns import NOT_BEGUN, ExplanationPosition, Outcome

Agent = Literal[
    "session_manager",
    "learning_supervisor",
    "theory_educator",
    "quiz_generator",
    "evaluation_feedback_agent",
    "qna_resolver",
]
Stage = Literal["session_start", "theory_completed", "quiz_and_feedback_completed"]
UiMode = Literal["chat", "quiz"]
Decision = Literal["proceed", "retry"]
GradedBy = Literal["model", "rules"]
MessageType = Literal["user", "system", "tool"]

AGENT_NAMES: Final[Mapping[Agent, str]] = {
    "session_manager": "세션 관리 및 완료 판단 전담",
    "learning_supervisor": "사용자 대면 + 라우팅 + 응답 생성",
    "theory_educator": "개념 설명 대본 생성",
    "quiz_generator": "문제 출제 대본 생성",
    "evaluation_feedback_agent": "평가 및 피드백 대본 생성",
    "qna_resolver": "실시간 질문 답변 대본 생성",
}


SPEAKER: Final[Agent] = "learning_supervisor"
"""The one agent whose words reach the learner."""

LEARNER: Final = "learner"
"""Whose items those of the type `user` are."""


class Conversation(TypedDict):
    """One item of what was said; `timestamp` is ISO-8601 in UTC."""

    agent_name: str
    message: str
    timestamp: str
    message_type: MessageType
    session_stage: Stage
    safety: NotRequired[JsonObject]
    """Of a message that tells of danger and of its answer; a guardian is shown neither. `asks`: whether the answer asks
    if it is all right; of the answer also `numbers`, and `choices` where it asks."""
    shown: NotRequired[JsonObject]
    """What is shown beside the words: a `picture`, a `check`, a `quiz`, as the events of the same names."""


class TutorState(TypedDict):
    """What a lesson shows of itself. Times are ISO-8601 in UTC; a text or a choice that is not there yet is ""."""

    user_id: int | str
    user_type: UserType
    current_chapter: int
    current_agent: Agent
    session_progress_stage: Stage
    ui_mode: UiMode
    current_question_type: QuestionType | Literal[""]
    current_question_number: int
    """0 while there is no question."""
    current_question_content: str
    current_question_answer: str
    is_answer_correct: int
    """Multiple choice 1 or 0, subjective 0..100."""
    evaluation_feedback: str
    hint_usage_count: int
    theory_draft: str
    quiz_draft: str
    feedback_draft: str
    qna_draft: str
    previous_agent: Agent | Literal[""]
    session_decision_result: Decision | Literal[""]
    current_session_count: int
    """From 1."""
    session_start_time: str
    current_session_conversations: list[Conversation]
    recent_sessions_summary: list[dict[str, str]]


class Inbox(TypedDict):
    """What the learner did. `kind` answer: to the open question."""

    request_id: str
    kind: Literal["message", "answer", "hint"]
    text: str


class Aside(TypedDict):
    """The answer to a message that has nothing to do with the lesson, which then waits where it was. `safety`: how the
    answer to danger is shown; None for a message that holds what a learner should keep to itself."""

    text: str
    safety: JsonObject | None
    asks: bool


class Evaluation(TypedDict):
    """How an answer was judged: points met and missed of a rubric where a model judged it, or the choice that was
    made (from 0). `rule_score`: what the rules alone give, whoever graded."""

    score: int
    graded_by: GradedBy
    rule_score: int
    met: list[str]
    missed: list[str]
    choice: int | None
    remark: str


class Attempt(TypedDict):
    """What was answered to the open question so far: the first try, which counts, and a second one. `explains`: the
    task is over, and an explanation is waited for."""

    first: Evaluation
    answers: list[str]
    explains: bool


class Note(TypedDict):
    """What an agent did."""

    agent: Agent
    text: str


class Completing(TypedDict):
    """A session about to be recorded: its id and end are fixed before anything is written."""

    session_id: str
    session_end_time: str


class LessonState(TutorState):
    """Beside what is shown: what the nodes tell each other. `session_number` counts the sessions of the lesson from 1,
    `asked` are the questions of this chapter that were put already, `spoken` is what was said since it was recorded.
    `question_open`: a question was put and waits for its answer. `requests`: the last ones that were taken, the newest
    last; `turns`: how many there were. `telling`: where the explanation stands; `outcomes`: question and success of the
    chapter's sessions before this one; `notes`: what the agents did, to be kept with the conversation; `picture`: of
    what is said next."""

    lesson_id: str
    course: str
    session_number: int
    asked: list[int]
    question_open: bool
    inbox: Inbox | None
    aside: Aside | None
    spoken: list[Conversation]
    evaluation: Evaluation | None
    attempt: Attempt | None
    telling: ExplanationPosition
    outcomes: list[Outcome]
    notes: list[Note]
    picture: JsonObject | None
    completing: Completing | None
    finished: bool
    requests: dict[str, str]  # id → digest of the last ones
    turns: int


Update = JsonObject

DRAFTS: Final = ("theory_draft", "quiz_draft", "feedback_draft", "qna_draft")
WRITES: Final[Mapping[Agent, frozenset[str]]] = {
    "session_manager": frozenset({"session_decision_result", "current_session_count", "session_progress_stage"}),
    "learning_supervisor": frozenset({"current_agent", "previous_agent", "session_progress_stage", "ui_mode", *DRAFTS}),
    "theory_educator": frozenset({"theory_draft"}),
    "quiz_generator": frozenset({"current_question_number", "current_question_type", "hint_usage_count", "quiz_draft"}),
    "evaluation_feedback_agent": frozenset(
        {"current_question_type", "current_question_answer", "is_answer_correct", "feedback_draft"}
    ),
    "qna_resolver": frozenset({"qna_draft"}),
}
"""Of `TutorState`, what each agent may write: table 5.1 of the design. The rest is written by the nodes that are no
agents: the record of what was said, and the completion of a session."""


def public_state(state: Mapping[str, Any]) -> TutorState:
    """Only the fields of `TutorState`."""
    return {name: state[name] for name in TutorState.__annotations__}  # type: ignore[return-value]


def initial_state(  # noqa: PLR0913 - what a lesson begins with, keyword-only
    *, lesson_id: str, user_id: int | str, user_type: UserType, course: str, chapter: int, now: str
) -> LessonState:
    """A lesson in which nothing has happened yet."""
    return {
        "user_id": user_id,
        "user_type": user_type,
        "current_chapter": chapter,
        "current_agent": "session_manager",
        "session_progress_stage": "session_start",
        "ui_mode": "chat",
        "current_question_type": "",
        "current_question_number": 0,
        "current_question_content": "",
        "current_question_answer": "",
        "is_answer_correct": 0,
        "evaluation_feedback": "",
        "hint_usage_count": 0,
        "theory_draft": "",
        "quiz_draft": "",
        "feedback_draft": "",
        "qna_draft": "",
        "previous_agent": "",
        "session_decision_result": "",
        "current_session_count": 1,
        "session_start_time": now,
        "current_session_conversations": [],
        "recent_sessions_summary": [],
        "lesson_id": lesson_id,
        "course": course,
        "session_number": 1,
        "asked": [],
        "question_open": False,
        "inbox": None,
        "aside": None,
        "spoken": [],
        "evaluation": None,
        "attempt": None,
        "telling": NOT_BEGUN,
        "outcomes": [],
        "notes": [],
        "picture": None,
        "completing": None,
        "finished": False,
        "requests": {},
        "turns": 0,
    }


def attempt(state: LessonState) -> Attempt | None:
    """None also for a lesson that was saved before there were second tries."""
    return state.get("attempt")


def explanation_position(state: LessonState) -> ExplanationPosition:
    """Not begun also for a lesson that was saved when an explanation was told at once."""
    return state.get("telling", NOT_BEGUN)


def outcomes(state: LessonState) -> list[Outcome]:
    """Of the chapter's sessions before this one."""
    return state.get("outcomes", [])


def turns(state: Mapping[str, Any]) -> int:
    """The turns so far; 0 for a lesson that was saved before they were counted."""
    return int(state.get("turns", 0))


def waits_for_learner(state: Mapping[str, Any]) -> bool:
    """Whether something has been said in the lesson and nothing is under way: it waits for the learner."""
    return bool(state.get("current_session_conversations")) and not state.get("spoken") and not state.get("completing")


def last_message(state: LessonState) -> str:
    """What the learner wrote last."""
    return state["inbox"]["text"] if state["inbox"] else ""
