"""The tables of the learner records. One answered turn is one row of `turns`; everything else can be derived from it.

JSON is stored as text, never as `jsonb`: a repeated request must get the same bytes, so the order of keys matters.
Times are set by the database in UTC, so that several workers share one clock.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

metadata = MetaData()


class Utc(TypeDecorator[datetime]):
    """An aware UTC time. SQLite has no time zones, so there the offset is put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value and value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)


class utc_now(FunctionElement[datetime]):  # noqa: N801 - a SQL function
    """The database's clock; SQLite's own CURRENT_TIMESTAMP stops at whole seconds. Times are compared as texts there,
    so it has as many digits as a time that is given."""

    type = Utc()
    inherit_cache = True


@compiles(utc_now, "postgresql")
def _(*_: Any, **__: Any) -> str:
    return "CURRENT_TIMESTAMP"


@compiles(utc_now, "sqlite")
def _(*_: Any, **__: Any) -> str:
    return "(strftime('%Y-%m-%d %H:%M:%f000', 'now'))"


def _created() -> Column[datetime]:
    return Column("created_at", Utc, nullable=False, server_default=utc_now())


def _of_session(**options: Any) -> Column[str]:
    return Column("session_id", String, ForeignKey("sessions.session_id", ondelete="CASCADE"), **options)


sessions = Table(
    "sessions",
    metadata,
    Column("session_id", String, primary_key=True),
    Column("student_id", String, nullable=False),
    Column("start", JSON, nullable=False),
    _created(),
    Column("ended_at", Utc),
    Column("open_problems", JSON(none_as_null=True)),
    Index("sessions_of_student", "student_id", "created_at"),
)

turns = Table(
    "turns",
    metadata,
    _of_session(primary_key=True),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("request_id", String, nullable=False),
    _created(),
    Column("problem_id", String),
    Column("kind", String),
    Column("phase", String),
    Column("c_level", Integer),
    Column("w", Float),
    Column("correct", Boolean),
    Column("pattern", String),
    Column("rt_ms", Integer),
    Column("input_kind", String),
    Column("cause_tag", String),
    Column("confidence", String),
    # The long ones come last: SQLite keeps what does not fit a page elsewhere, and reports read the others alone.
    Column("learner", JSON(none_as_null=True)),
    Column("event", JSON, nullable=False),
    Column("llm", JSON(none_as_null=True)),
    Column("response", JSON, nullable=False),
    Column("trace", JSON, nullable=False),
    Column("open_problems", JSON(none_as_null=True)),
    UniqueConstraint("session_id", "request_id", name="turns_request"),
)

reviews = Table(
    "reviews",
    metadata,
    Column("review_id", Integer, primary_key=True),
    # A session of tutoring, or the place in another room: the lesson, thread or execution.
    _of_session(index=True),
    Column("room", String),
    Column("place_id", String),
    Column("student_id", String),
    Column("kind", String, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("status", String, nullable=False, server_default="open"),
    _created(),
    Column("decided_at", Utc),
    Column("decided_by", String),
    Column("decision", JSON(none_as_null=True)),
    # Of a safety alert alone. Without an urgency nobody is told: it is a signal for its place.
    Column("message_id", String),
    Column("category", String),
    Column("tier", Integer),
    Column("urgency", String),
    Column("words", Text),  # what the child wrote: shown by `Alerts.open` alone
    Index("reviews_by_status", "status", "review_id"),
    Index("reviews_of_student", "student_id"),
    Index("reviews_of_place", "room", "place_id", "message_id", unique=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("token_id", String, primary_key=True),
    Column("hash", String, nullable=False, unique=True),
    Column("role", String, nullable=False),
    Column("subject", JSON, nullable=False),
    Column("label", String, nullable=False),
    _created(),
    Column("expires_at", Utc),
    Column("revoked_at", Utc),
)

heatmaps = Table(
    "heatmaps",
    metadata,
    Column("student_id", String, primary_key=True),
    Column("heatmap", JSON, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("updated_at", Utc, nullable=False, server_default=utc_now()),
)

reports = Table(
    "reports",
    metadata,
    Column("report_id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("title", String, nullable=False),
    Column("student_ids", JSON, nullable=False),
    Column("since", String, nullable=False),
    Column("until", String, nullable=False),
    Column("pages", Integer, nullable=False),
    _created(),
)

report_students = Table(
    "report_students",
    metadata,
    Column("report_id", String, ForeignKey("reports.report_id", ondelete="CASCADE"), primary_key=True),
    Column("student_id", String, primary_key=True),
    Index("reports_of_student", "student_id"),
)

schools = Table(
    "schools",
    metadata,
    Column("school_code", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("region", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("sample", Boolean, nullable=False),
    _created(),
)

school_documents = Table(
    "school_documents",
    metadata,
    Column("document_id", String, primary_key=True),
    Column("school_code", String, ForeignKey("schools.school_code", ondelete="CASCADE"), nullable=False),
    Column("year", Integer, nullable=False),
    Column("title", String, nullable=False),
    _created(),
    Column("text", Text, nullable=False),
    Index("documents_of_school", "school_code", "year"),
)

flow_versions = Table(
    "flow_versions",
    metadata,
    Column("hash", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("version", String, nullable=False),
    _created(),
    Column("text", Text, nullable=False),
)

executions = Table(
    "executions",
    metadata,
    Column("execution_id", String, primary_key=True),
    Column("status", String, nullable=False),
    Column("flow_hash", String, ForeignKey("flow_versions.hash"), nullable=False),
    Column("flow_name", String, nullable=False),
    Column("owner_token", String, nullable=False),
    Column("owner", JSON, nullable=False),
    Column("student_id", String),
    Column("starts", Integer, nullable=False, server_default="0"),
    _created(),
    Column("ended_at", Utc),
    Column("command", Text),
    Column("inputs", JSON, nullable=False),
    Column("waiting", JSON(none_as_null=True)),
    Column("answer", JSON(none_as_null=True)),
    Column("result", JSON(none_as_null=True)),
    Column("closing", Text),
    Column("error", JSON(none_as_null=True)),
    Column("completed_steps", JSON(none_as_null=True)),
    Column("error_log", JSON(none_as_null=True)),
    Index("executions_by_status", "status"),
    Index("executions_of_owner", "owner_token", "created_at"),
    Index("executions_of_student", "student_id"),
)
