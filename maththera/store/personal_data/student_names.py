"""Student ids in free texts: an id may be a child's name."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from sqlalchemy import select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.access.access_tokens import tokens
from maththera.store.conversations import threads
from maththera.store.database import Store
from maththera.store.lessons import lessons
from maththera.store.tutoring_sessions import sessions

SHORT_NUMBER: Final = re.compile(r"\d{1,3}")
"""Such an id is not searched for: a text on arithmetic is full of numbers."""


class StudentNames(Store):
    async def named_in(self, text: str) -> list[str]:
        """The ids in a text, the longest first."""
        found = await self._ids()
        said = plain_text(text)
        near = [each for each in found if plain_text(each) in said]  # far cheaper than a pattern for every id
        return sorted((each for each in near if mention_regex(each).search(said)), key=lambda each: (-len(each), each))

    async def _ids(self) -> set[str]:
        """All students with records or in a token."""
        with_records = union(*(select(table.c.student_id) for table in (sessions, threads, lessons)))

        async def read(connection: AsyncConnection) -> set[str]:
            found = {*(await connection.execute(with_records)).scalars()}
            subjects = (await connection.execute(select(tokens.c.subject))).scalars()
            return found.union(*subjects) - {None}

        return {each for each in await self._database.run(read) if not SHORT_NUMBER.fullmatch(each)}


def mention_pattern(student_id: str) -> str:
    """A pattern that finds an id in a text: 민수 also in 민수의 and 김민수, but not s1 in s12."""
    alone = r"\w" if len(student_id) == 1 else "A-Za-z0-9_-"
    return rf"(?<![{alone}]){re.escape(student_id)}(?![{alone}])"


def replace_names(text: str, ids: Iterable[str], instead: str) -> str:
    """The text with `instead` in the place of these ids (longer ones first); unchanged if it has none of them."""
    for each in ids:
        text = mention_regex(each).sub(instead, unicodedata.normalize("NFKC", text))
    return text


def mention_regex(student_id: str) -> re.Pattern[str]:
    """`mention_pattern` for a text as `plain_text` makes it."""
    return re.compile(mention_pattern(plain_text(student_id)), re.IGNORECASE)


def plain_text(text: str) -> str:
    """The text without what looks alike and is written in other characters: letters in parts, full-width, capitals."""
    return unicodedata.normalize("NFKC", text).casefold()
