"""What the documentation says of lessons."""

from typing import Any, Final

from maththera.api import lesson_answers as answers
from maththera.api.openapi import BAD_BODY, answered, body, errors, reference
from maththera.lessons.events import NewLesson, Said
from maththera.lessons.state import SPEAKER, first_state, shown

_ID: Final = "5b1c7f0c5a0e4bb08a5d6c0a6c2f7d11"
_BEGUN: Final = "2026-11-22T09:13:37+00:00"
_STATE: Final[dict[str, Any]] = {
    **shown(first_state(lesson_id=_ID, user_id=123, user_type="beginner", course="", chapter=1, now=_BEGUN)),
    "current_agent": SPEAKER,
    "previous_agent": "session_manager",
    "current_session_conversations": [
        {
            "agent_name": SPEAKER,
            "message": "안녕! 오늘은 1장 '9까지의 수, 하나 더 하나 덜' 이야기를 같이 해 볼 거야.",
            "timestamp": _BEGUN,
            "message_type": "system",
            "session_stage": "session_start",
        }
    ],
}
_LESSON: Final = {"lesson_id": _ID, "state": _STATE}
_STREAM: Final = (
    'id: 1795306417046-1\r\ndata: {"type":"agent","agent":"theory_educator","title":"개념 설명","request_id":"r-1"}'
    '\r\nretry: 2000\r\n\r\nid: 1795306417046-2\r\ndata: {"type":"token","text":"수를 ","request_id":"r-1"}'
    '\r\nretry: 2000\r\n\r\nid: 1795306417046-99\r\ndata: {"type":"final","state":{},"request_id":"r-1"}'
    "\r\nretry: 2000\r\n\r\n"
)


CREATE: Final[dict[str, Any]] = {
    "responses": answered(201, answers.Lesson, _LESSON, "The lesson with its welcome")
    | errors("forbidden", "not_found", *BAD_BODY),
    "openapi_extra": body(
        reference(NewLesson),
        {
            "A beginner": {"user_id": 123, "user_type": "beginner"},
            "A later chapter": {"user_id": "s1", "user_type": "advanced", "course": "arithmetic", "chapter": 7},
        },
    ),
}
MESSAGE: Final[dict[str, Any]] = {
    "responses": {
        200: {
            "description": "agent, stage, ui_mode, safety, token, quiz, evaluation, final",
            "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _STREAM}},
        }
    }
    | errors("forbidden", "not_found", "lesson_state", *BAD_BODY),
    "openapi_extra": body(
        reference(Said),
        {
            "Go on": {"message": "다음", "request_id": "r-1"},
            "A question": {"message": "수직선이 뭐야?"},
            "A choice": {"answer": 2},
            "A sentence": {"answer": "하나 더 많은 수는 바로 다음에 세는 수야."},
            "A hint": {"hint": True},
        },
    ),
}
_JUDGED: Final = {
    "course": "arithmetic",
    "session_id": "user123_ch1_session001_20261122_091902",
    "lesson_id": _ID,
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
JUDGED: Final[dict[str, Any]] = {
    "responses": answered(200, answers.JudgedSessions, {"sessions": [_JUDGED], "next": None}, "The newest first")
    | errors("not_found", "invalid_input")
}
VIEW: Final[dict[str, Any]] = {
    "responses": answered(200, answers.Lesson, _LESSON, "The lesson") | errors("forbidden", "not_found")
}
