"""Schools and their own documents (plans, assessment plans), as text, one row a document.

Documents come from a folder: `school.yaml` beside Markdown or text files. A sample school ships with the program.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from sqlalchemy import CursorResult, Delete, Row, Select, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.documents import ConfigError, Document
from maththera.learners.database import Database
from maththera.learners.heatmaps import INSERT
from maththera.learners.tables import school_documents, schools

_SUFFIXES: Final = frozenset({".md", ".txt"})
_WRITE_S: Final = 60.0

Text = Annotated[str, Field(min_length=1, max_length=200)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DocumentEntry(_Part):
    """A file beside `school.yaml`."""

    file: Text
    title: Text
    year: Annotated[int, Field(ge=2000, le=2100)]


class SchoolFile(_Part):
    """`school.yaml`. `sample`: an invented school that shows how it is done."""

    school_code: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
    name: Text
    region: Text
    kind: Text
    sample: bool = False
    documents: tuple[DocumentEntry, ...]


@dataclass(frozen=True, slots=True)
class School:
    """A school; `kind` is 초등학교 and the like."""

    school_code: str
    name: str
    region: str
    kind: str
    sample: bool


@dataclass(frozen=True, slots=True)
class SchoolDocument:
    """A document of a school for one school year."""

    document_id: str
    school_code: str
    year: int
    title: str
    text: str


def read_school(folder: Path) -> tuple[School, list[SchoolDocument]]:
    """A school from its folder; ConfigError, one line for each fault, for a bad `school.yaml` or a document that is
    missing, empty or no text."""
    file = Document.read(folder / "school.yaml")
    entry = file.parse(TypeAdapter(SchoolFile))
    found, faults = [], []
    for place, each in enumerate(entry.documents):
        try:
            found.append(_document(folder, entry.school_code, each))
        except ValueError as error:
            faults.append(file.fault(("documents", place, "file"), str(error)))
    if faults:
        raise ConfigError("\n".join(faults))
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


class Schools:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, folder: Path) -> tuple[School, list[SchoolDocument]]:
        """The school and its documents; those of the same title and year are replaced. All or nothing. ConfigError
        names what is wrong in the folder."""
        school, documents = read_school(folder)
        insert = INSERT[self._database.dialect]

        async def write(connection: AsyncConnection) -> None:
            await connection.execute(_put(insert(schools), "school_code", _row(school)))
            for document in documents:
                await connection.execute(_put(insert(school_documents), "document_id", _row(document)))

        await self._database.transaction(write, deadline=_WRITE_S)
        return school, documents

    async def remove(self, school_code: str) -> bool:
        """Takes out the school with its documents; False where there is none."""
        statement = delete(schools).where(schools.c.school_code == school_code)
        return await self._database.write(lambda connection: _removed(connection, statement))

    async def find(self, school_code: str) -> School | None:
        """The school, or None."""
        found = await self._rows(select(*_columns(School, schools)).where(schools.c.school_code == school_code))
        return School(**found[0]._mapping) if found else None

    async def all(self) -> list[School]:
        """All schools that were added, by name."""
        return [
            School(**row._mapping)
            for row in await self._rows(select(*_columns(School, schools)).order_by(schools.c.name))
        ]

    async def documents(self, school_code: str) -> list[SchoolDocument]:
        """The school's documents, the newest year first."""
        columns = _columns(SchoolDocument, school_documents)
        query = (
            select(*columns)
            .where(school_documents.c.school_code == school_code)
            .order_by(school_documents.c.year.desc(), school_documents.c.title)
        )
        return [SchoolDocument(**row._mapping) for row in await self._rows(query)]

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        async def read(connection: AsyncConnection) -> Sequence[Row[Any]]:
            found: CursorResult[Any] = await connection.execute(query)
            return found.all()

        return await self._database.run(read)


async def _removed(connection: AsyncConnection, statement: Delete) -> bool:
    return (await connection.execute(statement)).rowcount > 0


def _columns(model: type, table: Any) -> list[Any]:
    return [table.c[name] for name in model.__annotations__]


def _row(model: School | SchoolDocument) -> dict[str, Any]:
    return {name: getattr(model, name) for name in type(model).__annotations__}


def _put(statement: Any, key: str, row: dict[str, Any]) -> Any:
    return statement.values(**row).on_conflict_do_update(index_elements=[key], set_=row)
