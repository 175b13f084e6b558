"""Registers every table with `metadata`, which migrations and the text search go through."""

from maththera.store import (  # noqa: F401 - importing a module registers its tables
    alert_outbox,
    answer_ratings,
    classes,
    conversations,
    executions,
    flow_schedules,
    flow_versions,
    goals,
    guardian_requests,
    heatmaps,
    learned_procedures,
    lesson_sessions,
    lessons,
    papers,
    reports,
    review_queue,
    safety_alerts,
    saved_files,
    schools,
    students,
    task_observations,
    tutoring_sessions,
)
from maththera.store.access import access_log, access_tokens, consents, sign_ins  # noqa: F401
from maththera.store.personal_data import erasure  # noqa: F401
from maththera.store.schema import metadata

__all__ = ["metadata"]
