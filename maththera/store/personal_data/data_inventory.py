"""All tables with personal data of children: the list that export, erasure and retention go through.

A new table needs an entry in PERSONAL_TABLES, parents before the tables that refer to them. A test fails without it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import JSON, Column, ColumnElement, Table, Text, cast, func, or_, select, true

from maththera.store.access.access_tokens import tokens
from maththera.store.access.consents import Consent
from maththera.store.access.sign_ins import sign_ins
from maththera.store.alert_outbox import alert_deliveries
from maththera.store.answer_ratings import Rating
from maththera.store.classes import class_members
from maththera.store.conversations import messages, threads
from maththera.store.database import dumps
from maththera.store.executions import executions
from maththera.store.goals import Goal
from maththera.store.guardian_requests import GuardianRequest
from maththera.store.heatmaps import Heatmap
from maththera.store.lesson_sessions import ChapterStatistics, lesson_quizzes, lesson_sessions
from maththera.store.lessons import lessons
from maththera.store.reports import ReportLinkRow, ReportRow, report_students
from maththera.store.review_queue import reviews
from maththera.store.safety_alerts import alert_openings
from maththera.store.saved_files import SavedFile
from maththera.store.schema import table_of
from maththera.store.students import students
from maththera.store.task_observations import task_observations
from maththera.store.tutoring_sessions import sessions, turns

answer_ratings, consents, heatmaps = table_of(Rating), table_of(Consent), table_of(Heatmap)
saved_files = table_of(SavedFile)
goals, lesson_statistics = table_of(Goal), table_of(ChapterStatistics)
reports, report_links = table_of(ReportRow), table_of(ReportLinkRow)
guardian_requests = table_of(GuardianRequest)

Rows = Callable[[str], ColumnElement[bool]]


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """A table with personal data.

    `rows`: the condition for the rows that are erased with a child. `age`: the column that decides on retention;
    without one, rows stay until the child is erased. `cascades`: rows are deleted with those of an earlier table (ON
    DELETE CASCADE). `redis_id`: the id of the checkpoint, events and lock in Redis; `file`: the id of the report file.
    `shared`: the condition for rows that are also about other children; an export has their `outline` columns only.
    `hidden`: columns that no export has. `others`: the condition for rows of other adults than the bearer of this
    token, which only an admin's export has. `danger`: the condition for rows that no guardian's export has, besides the
    marked ones (`danger_redaction`).
    """

    table: Table
    rows: Rows
    age: Column[datetime] | None = None
    cascades: bool = False
    redis_id: Column[str] | None = None
    file: Column[str] | None = None
    hidden: frozenset[str] = frozenset()
    shared: Callable[[str], ColumnElement[bool]] | None = None
    outline: frozenset[str] = frozenset()
    others: Callable[[str], ColumnElement[bool]] | None = None
    danger: ColumnElement[bool] | None = None

    @property
    def name(self) -> str:
        """As a plain `str`: SQLAlchemy's own class of names cannot be written as JSON."""
        return str(self.table.name)


def rows_of_student(table: Table) -> Rows:
    """Rows of a table with a student id."""
    column: Column[str] = table.c.student_id
    return lambda student_id: column == student_id


def rows_of_parent(parent: PersonalTable, column: Column[Any]) -> Rows:
    """Rows that refer with `column` to the primary key of rows of `parent`."""
    (key,) = parent.table.primary_key
    return lambda student_id: column.in_(select(key).where(parent.rows(student_id)))


def json_contains_id(column: Column[Any], student_id: str) -> ColumnElement[bool]:
    """The condition that a JSON column has this id as a whole string, at any depth."""
    return cast(column, Text).contains(dumps(student_id), autoescape=True)


_SESSIONS: Final = PersonalTable(
    sessions, rows_of_student(sessions), age=sessions.c.created_at, redis_id=sessions.c.session_id
)
_REVIEWS: Final = PersonalTable(
    reviews,
    rows_of_student(reviews),
    age=reviews.c.created_at,
    hidden=frozenset({"decided_by", "words"}),
    danger=reviews.c.kind == "safety",
)


def _asked_by_other_adults(token_id: str) -> ColumnElement[bool]:
    """As in `conversations.Thread.allows`: a thread that an adult began is that adult's."""
    return func.coalesce(threads.c.owner_token, token_id) != token_id


_THREADS_WITH_DANGER: Final = (
    select(messages.c.thread_id)
    .join(threads, threads.c.thread_id == messages.c.thread_id)
    .where(threads.c.owner_token.is_(None), cast(messages.c.detail, Text).contains('"safety":'))
)
"""A child's own threads with a message about danger. They are left out as a whole, as other messages may show it
too."""

_THREADS: Final = PersonalTable(
    threads,
    rows_of_student(threads),
    age=threads.c.updated_at,
    redis_id=threads.c.thread_id,
    hidden=frozenset({"owner_token"}),
    others=_asked_by_other_adults,
    danger=threads.c.thread_id.in_(_THREADS_WITH_DANGER),
)


def _reports_about(column: Column[str]) -> Rows:
    return lambda student_id: column.in_(
        select(report_students.c.report_id).where(report_students.c.student_id == student_id)
    )


def _about_others(student_id: str) -> ColumnElement[bool]:
    return reports.c.report_id.in_(
        select(report_students.c.report_id).where(report_students.c.student_id != student_id)
    )


_REPORTS: Final = PersonalTable(
    reports,
    _reports_about(reports.c.report_id),
    age=reports.c.created_at,
    file=reports.c.report_id,
    shared=_about_others,
    outline=frozenset({"report_id", "kind", "since", "until", "created_at"}),
)

_RUN_TEXTS: Final = tuple(column for column in executions.c if isinstance(column.type, JSON) and column.name != "owner")


def _runs_about(student_id: str) -> ColumnElement[bool]:
    """Runs for the child, and runs for a class with its id in their inputs or results. Steps have the beginnings of
    long values as JSON inside of a string."""
    inside = cast(executions.c.steps, Text).contains(dumps(dumps(student_id))[1:-1], autoescape=True)
    return or_(
        executions.c.student_id == student_id, inside, *(json_contains_id(column, student_id) for column in _RUN_TEXTS)
    )


def _runs_of_a_class(student_id: str) -> ColumnElement[bool]:
    alone = (executions.c.student_id == student_id) & ~cast(executions.c.inputs, Text).contains('"student_ids"')
    return ~alone | executions.c.student_id.is_(None)


PERSONAL_TABLES: Final[tuple[PersonalTable, ...]] = (
    _REVIEWS,
    PersonalTable(
        alert_openings,
        rows_of_parent(_REVIEWS, alert_openings.c.review_id),
        cascades=True,
        hidden=frozenset({"token_id"}),
        danger=true(),
    ),
    PersonalTable(
        alert_deliveries, rows_of_parent(_REVIEWS, alert_deliveries.c.review_id), cascades=True, danger=true()
    ),
    _SESSIONS,
    PersonalTable(turns, rows_of_parent(_SESSIONS, turns.c.session_id), cascades=True),
    PersonalTable(task_observations, rows_of_parent(_SESSIONS, task_observations.c.session_id), cascades=True),
    PersonalTable(goals, rows_of_student(goals)),
    PersonalTable(guardian_requests, rows_of_student(guardian_requests), hidden=frozenset({"asked_by", "done_by"})),
    PersonalTable(heatmaps, rows_of_student(heatmaps), age=heatmaps.c.updated_at),
    _REPORTS,
    PersonalTable(report_students, rows_of_student(report_students), cascades=True),
    PersonalTable(
        report_links,
        rows_of_parent(_REPORTS, report_links.c.report_id),
        cascades=True,
        hidden=frozenset({"link_id"}),  # opens the report
    ),
    PersonalTable(
        executions,
        _runs_about,
        age=executions.c.ended_at,
        redis_id=executions.c.execution_id,
        hidden=frozenset({"owner", "owner_token", "flow_hash", "request_digest"}),
        shared=_runs_of_a_class,
        outline=frozenset({"execution_id", "status", "flow_name", "created_at", "ended_at"}),
    ),
    _THREADS,
    PersonalTable(
        messages,
        rows_of_parent(_THREADS, messages.c.thread_id),
        cascades=True,
        redis_id=messages.c.run_id,
        others=lambda token_id: messages.c.thread_id.in_(
            select(threads.c.thread_id).where(_asked_by_other_adults(token_id))
        ),
        danger=messages.c.thread_id.in_(_THREADS_WITH_DANGER),
    ),
    PersonalTable(
        saved_files, rows_of_student(saved_files), age=saved_files.c.expires_at, hidden=frozenset({"owner_token"})
    ),
    PersonalTable(
        answer_ratings, rows_of_student(answer_ratings), age=answer_ratings.c.created_at, hidden=frozenset({"token_id"})
    ),
    PersonalTable(
        lessons,
        rows_of_student(lessons),
        age=lessons.c.created_at,
        redis_id=lessons.c.lesson_id,
        hidden=frozenset({"state"}),  # has the answer to the open question
    ),
    PersonalTable(lesson_sessions, rows_of_student(lesson_sessions), cascades=True),
    PersonalTable(lesson_quizzes, rows_of_student(lesson_quizzes), cascades=True),
    PersonalTable(lesson_statistics, rows_of_student(lesson_statistics), age=lesson_statistics.c.last_at),
    PersonalTable(sign_ins, rows_of_student(sign_ins), age=sign_ins.c.expires_at, hidden=frozenset({"hash", "tablet"})),
    PersonalTable(class_members, rows_of_student(class_members)),
    PersonalTable(students, rows_of_student(students), hidden=frozenset({"pictures", "card"})),
    PersonalTable(consents, rows_of_student(consents), hidden=frozenset({"recorded_by"})),
)

EXPORTED_TOKENS: Final = PersonalTable(
    tokens,
    lambda student_id: json_contains_id(tokens.c.subject, student_id),
    hidden=frozenset({"hash", "prefs"}),
    shared=lambda _: tokens.c.role != "student",
    outline=frozenset({"role", "created_at", "expires_at", "revoked_at"}),
)
"""For the export only: the child's own tokens, and the dates of adults' tokens. `erasure` treats them by itself, as an
adult's token loses the child and stays."""
