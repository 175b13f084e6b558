"""One worked case, 8+6 answered by counting, as the documentation shows it: what is sent and what comes back."""

from typing import Any, Final

_SESSION: Final = "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11"

_FIRST_TASK: Final[dict[str, Any]] = {
    "task_id": "t-1",
    "kind": "problem",
    "prompt": "8+6=□",
    "answer_format": "integer",
    "problem": {
        "problem_id": "P-00847",
        "expression": "8+6",
        "layout": "vertical",
        "c_level": 7,
        "w_total": 4.5,
    },
    "choices": [12, 13, 14, 15],
    "visual_mode": "none",
}
_NEXT_TASK: Final[dict[str, Any]] = _FIRST_TASK | {
    "task_id": "t-2",
    "prompt": "9+7=□",
    "problem": _FIRST_TASK["problem"] | {"problem_id": "P-00861", "expression": "9+7"},
    "choices": [15, 16, 17, 26],
}

NEW_SESSIONS: Final[dict[str, object]] = {
    "A learner goes on": {"student_id": "s1"},
    "A teacher chooses the beginning": {
        "student_id": "s1",
        "c_position": 8,
        "w_position": 7.0,
        "problem_count": 15,
        "first_problem": "98+90",
        "seed": 7,
    },
}

VIEW: Final = {
    "session_id": _SESSION,
    "student_id": "s1",
    "phase": "normal",
    "turn": 0,
    "remaining": 15,
    "position": {"c": 7, "w": 4.5},
    "task": _FIRST_TASK,
}

EVENTS: Final[dict[str, object]] = {
    "An answer": {
        "type": "answer_submitted",
        "request_id": "r-1",
        "task_id": "t-1",
        "answer": 14,
        "rt_ms": 12000,
        "behavior_tags": ["OBS_OVERRELIANCE_COUNTING"],
        "telemetry": {"first_input_ms": 11200, "edits": 1, "focus_losses": 0},
    },
    "No answer in time": {"type": "timeout", "request_id": "r-2", "task_id": "t-2"},
    "A training is done": {
        "type": "training_done",
        "request_id": "r-3",
        "training_id": "T12",
        "results": {"items": 6, "right": 5},
    },
    "Enough for today": {"type": "stop", "request_id": "r-4"},
}

TURN: Final = {
    "request_id": "r-1",
    "turn": 1,
    "correct": True,
    "response_pattern": "correct_slow",
    "diagnosis": {
        "cause_tag": "MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK",
        "cause_domain": "STRATEGY",
        "confidence": "high",
        "candidates": ["MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK"],
        "training_ids": ["T12", "T17"],
        "probe_needed": False,
        "source": "rule",
        "reasoning": "10 만들기 대신 세어서 답했다.",
    },
    "adaptation": {
        "route": "fluency_drill",
        "c_adjustment": 0,
        "w_adjustment": 0,
        "downscaling_strategy": None,
        "widened": False,
    },
    "feedback": {
        "feedback_text": ["정답이야!"],
        "hint_text": None,
        "visual_mode": "none",
        "tone_check_passed": True,
    },
    "phase": "normal",
    "position": {"c": 7, "w": 4.5},
    "training": ["T12", "T17"],
    "degraded": False,
    "task": _NEXT_TASK,
    "summary": None,
}

STREAM: Final = (
    'id: 1-0\r\ndata: {"type":"diagnostic_result","request_id":"r-1","payload":{}}\r\nretry: 2000\r\n\r\n'
    'id: 1-4\r\ndata: {"type":"final","request_id":"r-1","payload":{}}\r\nretry: 2000\r\n\r\n'
)

TRACE: Final = {
    "session_id": _SESSION,
    "turns": [
        {
            "turn": 1,
            "envelopes": [{"type": "diagnostic_result", "request_id": "r-1", "payload": TURN["diagnosis"]}],
        }
    ],
}

REPLAY: Final = {"session_id": _SESSION, "identical": True, "turns": [{"turn": 1, "identical": True}]}

ERRORS: Final[dict[str, dict[str, Any]]] = {
    "invalid_input": {
        "detail": "body.rt_ms: Input should be greater than or equal to 0",
        "errors": [{"loc": "body.rt_ms", "msg": "Input should be greater than or equal to 0"}],
    },
    "malformed_json": {"detail": "Invalid JSON: EOF while parsing a value at line 1 column 0"},
    "stale_task": {"detail": "`task` is the one to answer now.", "task": _NEXT_TASK},
}

HEALTH: Final = {"status": "ok"}
READINESS: Final = {
    "status": "degraded",
    "dependencies": {"database": {"state": "up", "ms": 0.41}, "redis": {"state": "down", "ms": 1000.2}},
}
METRICS: Final = 'maththera_turns_total{pattern="correct_slow",route="fluency_drill"} 1.0\n'
