"""What the documentation says of students and of the review queue."""

from typing import Any, Final

from maththera.api import student_answers as answers
from maththera.api.flow_docs import operation, takes
from maththera.api.openapi import answered
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
_TOKEN: Final = {
    "role": "guardian",
    "created_at": "2026-03-02T01:00:00+00:00",
    "expires_at": None,
    "revoked_at": None,
}
_EXPORT: Final = {
    "student_id": "s1",
    "exported_at": "2026-11-22T03:00:00+00:00",
    "tables": {
        "sessions": [{"session_id": _SESSION, "student_id": "s1"}],
        "turns": [],
        "consents": [],
        "tokens": [_TOKEN],
    },
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
    "room": "tutoring",
    "place_id": _SESSION,
    "student_id": "s1",
    "created_at": "2026-11-21T01:14:00+00:00",
    "payload": {"problem_id": "P-00847", "answer": 77, "rt_ms": 5200, "candidates": [], "model": None},
    "problem": {"expression": "28+15", "right": 43, "c_level": 8},
    "verdicts": ["pattern", "slip", "unclear"],
    "decided_at": None,
    "decision": None,
    "alert": None,
}
_OPENING: Final = {"token_id": "0f9d2c51", "role": "teacher", "opened_at": "2026-11-21T01:31:00+00:00"}
_ALERT: Final = _REVIEW | {
    "review_id": 18,
    "kind": "safety",
    "session_id": None,
    "room": "lesson",
    "place_id": "9b1c6f0de0a94a7d8a55b6f0a4c2e713",
    "created_at": "2026-11-21T01:20:00+00:00",
    "payload": {"role": "student"},
    "problem": None,
    "verdicts": ["handled", "false_alarm"],
    "alert": {"urgency": "now", "category": "violence_home", "tier": 1, "openings": [_OPENING]},
}
_DECISION: Final = {"verdict": "pattern", "cause_tag": _TAG, "procedure": "십의 자리 수를 일의 자리에도 더했다"}
_DECIDED: Final = {"status": "decided", "decided_at": "2026-11-21T02:00:00+00:00", "decision": _DECISION}
_CANDIDATE: Final = {
    "candidate_id": 3,
    "operation": "+",
    "cause_tag": _TAG,
    "procedure": "십의 자리 수를 일의 자리에도 더했다",
    "created_at": "2026-11-21T02:00:00+00:00",
    "examples": [{"expression": "28+15", "given": 77, "right": 43}],
}

STUDENTS: Final = operation(
    answered(
        200,
        answers.Students,
        {
            "students": [
                {"student_id": "s1", "sessions": 4, "last_session_at": "2026-11-21T01:12:00+00:00", "alerts": 1}
            ],
            "next": None,
        },
        "A page, in the order of their ids",
    ),
    "invalid_input",
)
SUMMARY: Final = operation(answered(200, answers.StudentSummary, _SUMMARY, "The student"), "not_found")
HEATMAP: Final = operation(answered(200, answers.StudentHeatmap, _HEATMAP, "Concept → mastery, 0 to 1"), "not_found")
SESSIONS: Final = operation(
    answered(200, answers.PlayedSessions, {"sessions": [_PLAYED], "next": None}, "The newest first"),
    "not_found",
    "invalid_input",
)
EXPORT: Final = operation(answered(200, answers.StudentExport, _EXPORT, "Table → rows"), "not_found")
ERASE: Final = operation(answered(200, answers.Receipt, _RECEIPT, "The receipt, without a name"), "not_found")
CONSENTS: Final = operation(answered(200, answers.Consents, _CONSENTS, "What counts now, and every word"), "not_found")
CONSENT: Final = operation(
    answered(201, answers.Consents, _CONSENTS, "Recorded"), "not_found", takes=takes(ConsentBody, Given=_CONSENT)
)
REVIEWS: Final = operation(
    answered(
        200, answers.Reviews, {"reviews": [_REVIEW, _ALERT], "next": None, "unopened_alerts": 0}, "The oldest first"
    ),
    "invalid_input",
)
OPEN: Final = operation(
    answered(200, answers.OpenedAlert, _ALERT | {"words": "집에 가기 싫어. 또 맞을까 봐 무서워"}, "The alert"),
    "not_found",
)
REVIEW: Final = operation(answered(200, answers.Review, _REVIEW, "The review"), "not_found")
DECIDE: Final = operation(
    answered(200, answers.Review, _REVIEW | _DECIDED, "Decided"),
    "not_found",
    "review_decided",
    takes=takes(
        DecisionBody,
        A_pattern=_DECISION,
        A_slip={"verdict": "slip", "note": "급하게 눌렀다고 한다"},
        An_alert={"verdict": "handled"},
    ),
)
CANDIDATES: Final = operation(
    answered(200, answers.RuleCandidates, {"candidates": [_CANDIDATE]}, "Those with the most examples first")
)
