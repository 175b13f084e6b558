"""Schools and their documents (teaching and assessment plans), as text, one row a document.

Documents come from a folder with a `school.yaml` beside Markdown or text files. A sample school ships with the program.
"""

from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, TypeAdapter
from sqlalchemy import ForeignKey, Index, Text, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from maththera.config_files import ConfigFile, ConfigModel, refuse
from maththera.store.database import Store
from maththera.store.schema import INSERT_BY_DIALECT, Record, utc_now

_SUFFIXES: Final = frozenset({".md", ".txt"})
_WRITE_S: Final = 60.0

ShortText = Annotated[str, Field(min_length=1, max_length=200)]


class DocumentEntry(ConfigModel):
    """A file beside `school.yaml`."""

    file: ShortText
    title: ShortText
    year: Annotated[int, Field(ge=2000, le=2100)]


class SchoolFile(ConfigModel):
    """`school.yaml`. `sample`: an invented school, as an example."""

    school_code: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
    name: ShortText
    region: ShortText
    kind: ShortText
    sample: bool = False
    documents: tuple[DocumentEntry, ...]


class School(Record):
    """A school; `kind` is 초등학교 and the like."""

    __tablename__ = "schools"

    school_code: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    region: Mapped[str]
    kind: Mapped[str]
    sample: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now(), default=None, compare=False)


class SchoolDocument(Record):
    """A document of a school for one school year."""

    __tablename__ = "school_documents"
    __table_args__ = (Index("documents_of_school", "school_code", "year"),)

    document_id: Mapped[str] = mapped_column(primary_key=True)
    school_code: Mapped[str] = mapped_column(ForeignKey(School.school_code, ondelete="CASCADE"))
    year: Mapped[int]
    title: Mapped[str]
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now(), default=None, compare=False)


def read_school(folder: Path) -> tuple[School, list[SchoolDocument]]:
    """A school from its folder; ConfigError, one line for each fault, for a bad `school.yaml` or a document that is
    missing, empty or no text."""
    file = ConfigFile.read(folder / "school.yaml")
    entry = file.parse(TypeAdapter(SchoolFile))
    found, faults = [], []
    for place, each in enumerate(entry.documents):
        try:
            found.append(_document(folder, entry.school_code, each))
        except ValueError as error:
            faults.append(file.fault(("documents", place, "file"), str(error)))
    refuse(faults)
    return School(entry.school_code, entry.name, entry.region, entry.kind, entry.sample), found


def _document(folder: Path, school_code: str, entry: DocumentEntry) -> SchoolDocument:
    path = (folder / entry.file).resolve()
    if path.parent != folder.resolve() or path.suffix not in _SUFFIXES:
        raise ValueError(f"{entry.file} must be a .md or .txt file in the same folder")
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ValueError(f"{entry.file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{entry.file} is not UTF-8") from error
    if not text:
        raise ValueError(f"{entry.file} is empty")
    key = sha256(f"{school_code}\0{entry.year}\0{entry.title}".encode()).hexdigest()[:16]
    return SchoolDocument(key, school_code, entry.year, entry.title, text)


class Schools(Store):
    async def add(self, folder: Path) -> tuple[School, list[SchoolDocument]]:
        """Stores a school and its documents, all or nothing; those of the same title and year are replaced. ConfigError
        names what is wrong in the folder."""
        school, documents = read_school(folder)
        insert = INSERT_BY_DIALECT[self._database.dialect]

        async def write(connection: AsyncConnection) -> None:
            for key, record in (("school_code", school), *(("document_id", document) for document in documents)):
                row = record.values()
                statement = insert(type(record)).values(**row)
                await connection.execute(statement.on_conflict_do_update(index_elements=[key], set_=row))

        await self._database.transaction(write, deadline=_WRITE_S)
        return school, documents

    async def remove(self, school_code: str) -> bool:
        """Removes a school with its documents; False if it is unknown."""
        removed = await self._database.execute(delete(School).where(School.school_code == school_code))
        return removed.rowcount > 0

    async def find(self, school_code: str) -> School | None:
        found = await self._database.rows(select(School).where(School.school_code == school_code))
        return School.from_row(found[0]) if found else None

    async def all(self) -> list[School]:
        """All schools, by name."""
        return [School.from_row(row) for row in await self._database.rows(select(School).order_by(School.name))]

    async def documents(self, school_code: str) -> list[SchoolDocument]:
        """The school's documents, the newest year first."""
        query = (
            select(SchoolDocument)
            .where(SchoolDocument.school_code == school_code)
            .order_by(SchoolDocument.year.desc(), SchoolDocument.title)
        )
        return [SchoolDocument.from_row(row) for row in await self._database.rows(query)]
