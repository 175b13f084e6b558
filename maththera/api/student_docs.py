"""What the documentation says of students and of the review queue."""

from typing import Any, Final

from maththera.api.flow_docs import json_answer, operation, takes
from maththera.api.student_bodies import ConsentBody, DecisionBody

_SESSION: Final = "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11"
_TAG: Final = "SPATIAL_L4_PLACE_VALUE"
_COUNTS: Final = {"answered": 40, "right": 31, "accuracy": 0.775, "median_rt_ms": 4200}
_CAUSES: Final = [{"cause_tag": _TAG, "name": "자릿값 혼동", "times": 2}]
_SUMMARY: Final[dict[str, Any]] = {
    "student_id": "s1",
    "sessions": 4,
    "first_session_at": "2026-11-02T01:10:00+00:00",
    "last_session_at": "2026-11-21T01:12:00+00:00",
    **_COUNTS,
    "position": {"c": 7, "w": 4.5},
    "mastered": [
        {"concept_id": "Cur-C6", "name": "(한 자리)+(한 자리), 받아올림 없음", "mastery": 0.97, "answers": 12}
    ],
    "learning": [
        {"concept_id": "Cur-C7", "name": "받아올림이 있는 (한 자리)+(한 자리)", "mastery": 0.41, "answers": 18}
    ],
    "patterns": [
        {
            "kind": "error",
            "pattern_id": "sum_carry_dropped",
            "name": "받아올림을 빠뜨림",
            "count": 3,
            "concept_ids": ["Cur-C7"],
            "examples": [{"expression": "28+15", "given": 33, "right": 43}],
            "last_at": "2026-11-21T01:14:00+00:00",
        }
    ],
    "causes": _CAUSES,
    "lessons": [
        {
            "course": "arithmetic",
            "chapter": 7,
            "sessions": 2,
            "passed": 1,
            "mean_score": 50,
            "best_score": 100,
            "last_score": 100,
            "hints": 1,
            "seconds": 640,
            "last_at": "2026-11-21T02:03:00+00:00",
        }
    ],
}
_PLAYED: Final = {
    "session_id": _SESSION,
    "started_at": "2026-11-21T01:12:00+00:00",
    "ended_at": "2026-11-21T01:20:00+00:00",
    **_COUNTS,
    "causes": _CAUSES,
}
_HEATMAP: Final = {
    "student_id": "s1",
    "heatmap": {"Cur-C7": 0.41},
    "names": {"Cur-C7": "받아올림이 있는 (한 자리)+(한 자리)"},
    "answers": {"Cur-C7": 18},
}
_EXPORT: Final = {
    "student_id": "s1",
    "exported_at": "2026-11-22T03:00:00+00:00",
    "tables": {"sessions": [{"session_id": _SESSION, "student_id": "s1"}], "turns": [], "consents": []},
}
_RECEIPT: Final = {
    "receipt_id": "b4cd53940fde46709cb9c46252110ad7",
    "records": {"sessions": 4, "turns": 44, "reviews": 1, "heatmaps": 1, "reports": 2, "executions": 3, "tokens": 2},
    "files": 2,
    "keys": 9,
    "complete": True,
}
_CONSENT: Final = {"purpose": "records", "granted": True, "given_by": "보호자", "note": "2026-03-02 동의서"}
_CONSENTS: Final = {
    "student_id": "s1",
    "current": {"records": True},
    "history": [{**_CONSENT, "created_at": "2026-03-02T01:00:00+00:00"}],
}
_REVIEW: Final[dict[str, Any]] = {
    "review_id": 17,
    "kind": "unknown_answer",
    "status": "open",
    "session_id": _SESSION,
    "student_id": "s1",
    "created_at": "2026-11-21T01:14:00+00:00",
    "payload": {"problem_id": "P-00847", "answer": 77, "rt_ms": 5200, "candidates": [], "model": None},
    "problem": {"expression": "28+15", "right": 43, "c_level": 8},
    "verdicts": ["pattern", "slip", "unclear"],
    "decided_at": None,
    "decision": None,
}
_DECISION: Final = {"verdict": "pattern", "cause_tag": _TAG, "procedure": "십의 자리 수를 일의 자리에도 더했다"}
_CANDIDATE: Final = {
    "candidate_id": 3,
    "operation": "+",
    "cause_tag": _TAG,
    "procedure": "십의 자리 수를 일의 자리에도 더했다",
    "created_at": "2026-11-21T02:00:00+00:00",
    "examples": [{"expression": "28+15", "given": 77, "right": 43}],
}

STUDENTS: Final = operation(
    json_answer(
        200,
        "A page, in the order of their ids",
        {
            "students": [{"student_id": "s1", "sessions": 4, "last_session_at": "2026-11-21T01:12:00+00:00"}],
            "next": None,
        },
    ),
    "invalid_input",
)
SUMMARY: Final = operation(json_answer(200, "The student", _SUMMARY), "not_found")
HEATMAP: Final = operation(json_answer(200, "Concept → mastery, 0 to 1", _HEATMAP), "not_found")
SESSIONS: Final = operation(
    json_answer(200, "The newest first", {"sessions": [_PLAYED], "next": None}), "not_found", "invalid_input"
)
EXPORT: Final = operation(json_answer(200, "Table → rows", _EXPORT), "not_found")
ERASE: Final = operation(json_answer(200, "The receipt, without a name", _RECEIPT), "not_found")
CONSENTS: Final = operation(json_answer(200, "What counts now, and every word", _CONSENTS), "not_found")
CONSENT: Final = operation(
    json_answer(201, "Recorded", _CONSENTS), "not_found", takes=takes(ConsentBody, Given=_CONSENT)
)
REVIEWS: Final = operation(json_answer(200, "The oldest first", {"reviews": [_REVIEW], "next": None}), "invalid_input")
REVIEW: Final = operation(json_answer(200, "The review", _REVIEW), "not_found")
DECIDE: Final = operation(
    json_answer(200, "Decided", _REVIEW | {"status": "decided", "decision": _DECISION | {"candidate_id": 3}}),
    "not_found",
    "review_decided",
    takes=takes(DecisionBody, A_pattern=_DECISION, A_slip={"verdict": "slip", "note": "급하게 눌렀다고 한다"}),
)
CANDIDATES: Final = operation(json_answer(200, "Those with the most examples first", {"candidates": [_CANDIDATE]}))
