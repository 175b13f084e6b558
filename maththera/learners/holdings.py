"""Every table with something of a child in it: the one list that export, erasing and retention go by.

A new table joins by a line in HOLDINGS, parents before what hangs on them; a test fails while it does not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import JSON, Column, ColumnElement, Table, Text, cast, func, or_, select, true

from maththera.learners.database import dumps
from maththera.learners.tables import (
    executions,
    heatmaps,
    report_students,
    reports,
    reviews,
    sessions,
    tokens,
    turns,
)
from maththera.learners.tables_alerts import alert_deliveries, alert_openings
from maththera.learners.tables_chat import messages, threads
from maththera.learners.tables_keeping import consents
from maththera.learners.tables_lessons import lesson_quizzes, lesson_sessions, lesson_statistics, lessons
from maththera.learners.tables_papers import answer_ratings, saved_files

Rows = Callable[[str], ColumnElement[bool]]


@dataclass(frozen=True, slots=True)
class Holding:
    """What one table holds of children.

    `rows`: the condition for what is erased with a child. `age`: the column that retention goes by; without one, rows
    stay until they are erased. `cascades`: rows go with those of a table before (ON DELETE CASCADE). `thread`: names
    the checkpoint, the events and the lock that Redis keeps; `file`: the report file. `shared`: the condition for rows
    that also tell of other children: an export shows `outline` of them. `hidden`: columns in no export. `others`: the
    condition for rows that are an adult's alone, and not of the bearer of this token: in an admin's export only.
    `danger`: the condition for rows that are in no guardian's export, beside those that are marked (`guarded`).
    """

    table: Table
    rows: Rows
    age: Column[datetime] | None = None
    cascades: bool = False
    thread: Column[str] | None = None
    file: Column[str] | None = None
    hidden: frozenset[str] = frozenset()
    shared: Callable[[str], ColumnElement[bool]] | None = None
    outline: frozenset[str] = frozenset()
    others: Callable[[str], ColumnElement[bool]] | None = None
    danger: ColumnElement[bool] | None = None

    @property
    def name(self) -> str:
        """The table's; SQLAlchemy's own is a kind of text that no JSON writer takes."""
        return str(self.table.name)


def own(table: Table) -> Rows:
    """Rows of a table that names the child itself."""
    column: Column[str] = table.c.student_id
    return lambda student_id: column == student_id


def within(parent: Holding, column: Column[Any]) -> Rows:
    """Rows that hang on rows of `parent`, whose primary key `column` refers to."""
    (key,) = parent.table.primary_key
    return lambda student_id: column.in_(select(key).where(parent.rows(student_id)))


def names(column: Column[Any], student_id: str) -> ColumnElement[bool]:
    """Whether a JSON column holds this id as a whole text, however deep."""
    return cast(column, Text).contains(dumps(student_id), autoescape=True)


_SESSIONS: Final = Holding(sessions, own(sessions), age=sessions.c.created_at, thread=sessions.c.session_id)
_REVIEWS: Final = Holding(
    reviews,
    own(reviews),
    age=reviews.c.created_at,
    hidden=frozenset({"decided_by", "words"}),
    danger=reviews.c.kind == "safety",
)


def _other_adults(token_id: str) -> ColumnElement[bool]:
    """As `conversations.Thread.open_to`: what an adult asks about a child is that adult's."""
    return func.coalesce(threads.c.owner_token, token_id) != token_id


_TOLD_OF_DANGER: Final = (
    select(messages.c.thread_id)
    .join(threads, threads.c.thread_id == messages.c.thread_id)
    .where(threads.c.owner_token.is_(None), cast(messages.c.detail, Text).contains('"safety":'))
)
"""A child's own conversations in which it told of danger: what was said around it would tell as much."""

_THREADS: Final = Holding(
    threads,
    own(threads),
    age=threads.c.updated_at,
    thread=threads.c.thread_id,
    hidden=frozenset({"owner_token"}),
    others=_other_adults,
    danger=threads.c.thread_id.in_(_TOLD_OF_DANGER),
)


def _reports_about(column: Column[str]) -> Rows:
    return lambda student_id: column.in_(
        select(report_students.c.report_id).where(report_students.c.student_id == student_id)
    )


def _about_others(student_id: str) -> ColumnElement[bool]:
    return reports.c.report_id.in_(
        select(report_students.c.report_id).where(report_students.c.student_id != student_id)
    )


_RUN_TEXTS: Final = tuple(column for column in executions.c if isinstance(column.type, JSON) and column.name != "owner")


def _runs_about(student_id: str) -> ColumnElement[bool]:
    """Those for the child, and those of a class that name it in what they were given or came to."""
    return or_(executions.c.student_id == student_id, *(names(column, student_id) for column in _RUN_TEXTS))


def _runs_of_a_class(student_id: str) -> ColumnElement[bool]:
    alone = (executions.c.student_id == student_id) & ~cast(executions.c.inputs, Text).contains('"student_ids"')
    return ~alone | executions.c.student_id.is_(None)


HOLDINGS: Final[tuple[Holding, ...]] = (
    _REVIEWS,
    Holding(
        alert_openings,
        within(_REVIEWS, alert_openings.c.review_id),
        cascades=True,
        hidden=frozenset({"token_id"}),
        danger=true(),
    ),
    Holding(alert_deliveries, within(_REVIEWS, alert_deliveries.c.review_id), cascades=True, danger=true()),
    _SESSIONS,
    Holding(turns, within(_SESSIONS, turns.c.session_id), cascades=True),
    Holding(heatmaps, own(heatmaps), age=heatmaps.c.updated_at),
    Holding(
        reports,
        _reports_about(reports.c.report_id),
        age=reports.c.created_at,
        file=reports.c.report_id,
        shared=_about_others,
        outline=frozenset({"report_id", "kind", "since", "until", "created_at"}),
    ),
    Holding(report_students, own(report_students), cascades=True),
    Holding(
        executions,
        _runs_about,
        age=executions.c.ended_at,
        thread=executions.c.execution_id,
        hidden=frozenset({"owner", "owner_token", "flow_hash"}),
        shared=_runs_of_a_class,
        outline=frozenset({"execution_id", "status", "flow_name", "created_at", "ended_at"}),
    ),
    _THREADS,
    Holding(
        messages,
        within(_THREADS, messages.c.thread_id),
        cascades=True,
        thread=messages.c.run_id,
        others=lambda token_id: messages.c.thread_id.in_(select(threads.c.thread_id).where(_other_adults(token_id))),
        danger=messages.c.thread_id.in_(_TOLD_OF_DANGER),
    ),
    Holding(saved_files, own(saved_files), age=saved_files.c.expires_at, hidden=frozenset({"owner_token"})),
    Holding(answer_ratings, own(answer_ratings), age=answer_ratings.c.created_at, hidden=frozenset({"token_id"})),
    Holding(lessons, own(lessons), age=lessons.c.created_at, thread=lessons.c.lesson_id),
    Holding(lesson_sessions, own(lesson_sessions), cascades=True),
    Holding(lesson_quizzes, own(lesson_quizzes), cascades=True),
    Holding(lesson_statistics, own(lesson_statistics), age=lesson_statistics.c.last_at),
    Holding(consents, own(consents), hidden=frozenset({"recorded_by"})),
)

TOKENS: Final = Holding(
    tokens,
    lambda student_id: names(tokens.c.subject, student_id),
    hidden=frozenset({"hash"}),
    shared=lambda _: tokens.c.role != "student",
    outline=frozenset({"role", "created_at", "expires_at", "revoked_at"}),
)
"""Only to be exported: the child's own, and of an adult's that there is one and since when. What erasing does with them
is another thing for each, so they are not among those that it removes."""
