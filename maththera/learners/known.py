"""Whom the records know, and where a text speaks of one of them: an id may be a child's name."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.tables import sessions, tokens
from maththera.learners.tables_chat import threads
from maththera.learners.tables_lessons import lessons

_HOLDERS: Final = (sessions, threads, lessons)
_A_NUMBER: Final = re.compile(r"\d{1,3}")
"""An id that a text on arithmetic cannot be told to speak of."""


class KnownLearners:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def named_in(self, text: str) -> list[str]:
        """The ids that stand in a text, the longest first."""
        found = await self._ids()
        said = _plain(text)
        near = [each for each in found if _plain(each) in said]  # far cheaper than a pattern for each
        return sorted((each for each in near if _spoken_of(each).search(said)), key=lambda each: (-len(each), each))

    async def _ids(self) -> set[str]:
        """Of everybody who has records, or for whom somebody has a token."""
        with_records = union(*(select(table.c.student_id) for table in _HOLDERS))

        async def read(connection: AsyncConnection) -> set[str]:
            found = {*(await connection.execute(with_records)).scalars()}
            subjects = (await connection.execute(select(tokens.c.subject))).scalars()
            return found.union(*subjects) - {None}

        return {each for each in await self._database.run(read) if not _A_NUMBER.fullmatch(each)}


async def still_known(connection: AsyncConnection, student_ids: Collection[str]) -> bool:
    """Whether all of these have sessions or lessons, which nobody erases before the transaction ends: what was made of
    the records of a child must not be kept when the child has been erased meanwhile."""
    found: set[str] = set()
    for table in (sessions, lessons):
        query = select(table.c.student_id).where(table.c.student_id.in_(student_ids))
        found.update(await connection.scalars(query.with_for_update(read=True, key_share=True)))
    return found.issuperset(student_ids)


def mention(student_id: str) -> str:
    """A pattern for an id in a text: 민수 also in 민수의 and 김민수, s1 not in s12."""
    alone = r"\w" if len(student_id) == 1 else "A-Za-z0-9_-"
    return rf"(?<![{alone}]){re.escape(student_id)}(?![{alone}])"


def without(text: str, ids: Iterable[str], instead: str) -> str:
    """A text that speaks of none of these, longer ids first; it is unchanged where it speaks of none."""
    for each in ids:
        text = _spoken_of(each).sub(instead, unicodedata.normalize("NFKC", text))
    return text


def _spoken_of(student_id: str) -> re.Pattern[str]:
    return re.compile(mention(_plain(student_id)), re.IGNORECASE)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
