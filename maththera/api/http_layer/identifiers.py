"""Ids that several routes take."""

import re
from typing import Annotated, Final

from fastapi import Path
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

student_id: Final = TypeAdapter[str](StudentId)

HEX_ID: Final = re.compile(r"[0-9a-f]{32}")
"""Ids that this service makes. Another text never reaches a store."""
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Ids that a client may choose."""
