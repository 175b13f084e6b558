"""The texts of flows that runs use. A version is identified by the hash of its text."""

from datetime import datetime

from sqlalchemy import Executable, Select, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from maththera.store.schema import INSERT_BY_DIALECT, Record, utc_now


class FlowVersion(Record):
    """`hash`: of `text`, the flow as it was written."""

    __tablename__ = "flow_versions"

    hash: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    version: Mapped[str]
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now(), default=None, compare=False)


def insert_version(dialect: str, flow: FlowVersion) -> Executable:
    """Stores a version unless it is there already."""
    statement: Executable = INSERT_BY_DIALECT[dialect](FlowVersion).values(**flow.values()).on_conflict_do_nothing()
    return statement


def text_of_version(digest: str) -> Select[str]:
    return select(FlowVersion.text).where(FlowVersion.hash == digest)
