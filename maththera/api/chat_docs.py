"""What the documentation says of the chat."""

from typing import Any, Final

from maththera.api import chat_answers as answers
from maththera.api.chat_bodies import ChatBody, CoachBody
from maththera.api.flow_docs import operation, takes
from maththera.api.openapi import answered

_RUN: Final = "8c1f5d0f6f0b4a5e9a3de1a3c2a7b1f4"
_THREAD: Final = "0d9a4f4e2a6c4c0f8e3b7a5d1c2e9f60"
_QUESTION: Final = "내 약점 보여줘"
_EVENTS: Final = (
    '{"type":"intent_detected","intent_type":"A","intent_name":"데이터 조회형","confidence":0.95,"reasoning":"…",'
    '"key_indicators":["약점"]}',
    '{"type":"thinking","message":"질문을 분석하고 필요한 데이터를 판단 중..."}',
    '{"type":"step_start","tool":"get_weak_points","arguments":{}}',
    '{"type":"step_result","tool":"get_weak_points","result":{"Cur-C7":{"weak_metrics":[{"metric":"fluency",'
    '"score":41}]}},"cached":false}',
    '{"type":"chart_data","chart":{"chart_type":"radar","title":"약점","data":{}}}',
    '{"type":"token","token":"받아올림이 "}',
    '{"type":"final"}',
)
_FRAMES: Final = [
    f"id: 1795306417046-{n}\r\ndata: {event}\r\nretry: 2000\r\n\r\n" for n, event in enumerate(_EVENTS, 1)
]
_STREAM: Final[dict[int | str, Any]] = {
    200: {
        "description": "The events of the turn, then `[DONE]`. The ids count within the run.",
        "headers": {
            "X-Run-Id": {"schema": {"type": "string"}, "description": "To come back to the turn, or to end it."},
            "X-Thread-Id": {"schema": {"type": "string"}, "description": "To go on with the conversation."},
        },
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "example": "".join([*_FRAMES, "data: [DONE]\r\n\r\n"]),
            }
        },
    }
}
_VIEW: Final = {
    "thread_id": _THREAD,
    "profile": "coach",
    "student_id": "s1",
    "turns": 1,
    "run_id": None,
    "messages": [
        {
            "number": 1,
            "role": "user",
            "text": _QUESTION,
            "run_id": _RUN,
            "at": "2026-11-22T01:10:00+00:00",
            "detail": None,
        }
    ],
}

CHAT: Final = operation(
    _STREAM,
    "not_found",
    "thread_busy",
    takes=takes(
        ChatBody,
        The_coach={"message": _QUESTION, "student_id": "s1"},
        The_assistant={"message": "자릿값이 뭐야?", "profile": "assistant", "difficulty": "easy"},
        In_place_of_a_turn_under_way={"message": "그만, 다른 거", "thread_id": _THREAD, "on_conflict": "interrupt"},
    ),
)
COACH: Final = operation(_STREAM, "not_found", "thread_busy", takes=takes(CoachBody, A_question={"message": _QUESTION}))
EVENTS: Final = operation(_STREAM, "not_found")
CANCEL: Final = operation(answered(202, answers.Ending, {"run_id": _RUN}, "It ends"), "not_found")
THREAD: Final = operation(answered(200, answers.ChatThread, _VIEW, "What was said"), "not_found")
