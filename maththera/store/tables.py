"""Registers every table with `metadata`, which migrations and the text search go through."""

from maththera.store import (
    alert_outbox,
    answer_ratings,
    classes,
    conversations,
    executions,
    flow_schedules,
    flow_versions,
    goals,
    heatmaps,
    lesson_sessions,
    lessons,
    papers,
    reports,
    review_queue,
    safety_alerts,
    saved_files,
    schools,
    students,
    tutoring_sessions,
)
from maththera.store.access import access_log, access_tokens, consents, sign_ins
from maththera.store.personal_data import erasure
from maththera.store.schema import metadata

__all__ = [
    "access_log",
    "access_tokens",
    "alert_outbox",
    "answer_ratings",
    "classes",
    "consents",
    "conversations",
    "erasure",
    "executions",
    "flow_schedules",
    "flow_versions",
    "goals",
    "heatmaps",
    "lesson_sessions",
    "lessons",
    "metadata",
    "papers",
    "reports",
    "review_queue",
    "safety_alerts",
    "saved_files",
    "schools",
    "sign_ins",
    "students",
    "tutoring_sessions",
]
