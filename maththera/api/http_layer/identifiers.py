"""Ids that several routes take."""

import re
from typing import Annotated, Final

from fastapi import Path, Query
from pydantic import Field, TypeAdapter

StudentId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        pattern=r"^[A-Za-z0-9가-힣._@-]+$",
        description="Letters (Korean ones composed, so that a name has one spelling), digits, and - _ . @",
    ),
]
StudentPath = Annotated[str, Path(description="As the sessions name the child.")]
SessionId = Annotated[str, Path(description="As `POST /api/v1/sessions` gave it.")]

Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]

student_id: Final = TypeAdapter[str](StudentId)

HEX_ID: Final = re.compile(r"[0-9a-f]{32}")
"""Ids that this service makes. Another text never reaches a store."""
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Ids that a client may choose."""

_DIGITS: Final = 9
ROW_LIMIT: Final = 10**_DIGITS
"""Above the number of any row."""


def row_number(text: str) -> int | None:
    """The number that an address names a row by; None for a text that is no such number."""
    return int(text) if re.fullmatch(rf"[0-9]{{1,{_DIGITS}}}", text) else None
