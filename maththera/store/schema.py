"""What all tables are made of: their metadata, the types of their columns, and the base class of stored records.

Each table stands in the module of its noun. It is a class of `Record` where callers get its rows as they are stored,
and a plain `Table` where they do not. `tables` imports all of them.

JSON is stored as text, never as `jsonb`: a repeated request must get the same bytes, so the order of keys matters.
Times are set by the database in UTC, so that several workers share one clock.
"""

from datetime import UTC, datetime
from typing import Any, Final, Self, cast

from sqlalchemy import JSON, Column, DateTime, MetaData, Row, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, MappedAsDataclass
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

from maththera.json_types import JsonObject

metadata = MetaData()

INSERT_BY_DIALECT: Final[JsonObject] = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}
"""INSERT statements that may end in ON CONFLICT, which both databases write alike."""


class Utc(TypeDecorator[datetime]):
    """An aware UTC time. SQLite has no time zones, so the offset is put back when a time is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value and value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)


class utc_now(FunctionElement[datetime]):  # noqa: N801 - a SQL function
    """The database's clock. SQLite compares times as texts, and its CURRENT_TIMESTAMP stops at whole seconds; here it
    has as many digits as a time that is given."""

    type = Utc()
    inherit_cache = True


@compiles(utc_now, "postgresql")
def _(*_: Any, **__: Any) -> str:
    return "CURRENT_TIMESTAMP"


@compiles(utc_now, "sqlite")
def _(*_: Any, **__: Any) -> str:
    return "(strftime('%Y-%m-%d %H:%M:%f000', 'now'))"


def time_column(name: str = "created_at") -> Column[datetime]:
    """The time at which the database inserts the row."""
    return Column(name, Utc, nullable=False, server_default=utc_now())


class Record(MappedAsDataclass, DeclarativeBase):
    """A table and its rows in one dataclass. Rows are read and written as plain statements, without an ORM session."""

    metadata = metadata
    type_annotation_map = {datetime: Utc, JsonObject: JSON, dict[str, float]: JSON, list[str]: JSON}  # noqa: RUF012

    @classmethod
    def from_row(cls, row: Row[Any]) -> Self:
        """The record in a row of `select(cls)`."""
        return cls(**row._mapping)

    def values(self) -> JsonObject:
        """The columns to insert: all but those that the database fills."""
        return {
            column.name: getattr(self, column.name)
            for column in table_of(type(self)).columns
            if column.server_default is None
        }


def table_of(record: type[Record]) -> Table:
    return cast("Table", record.__table__)
