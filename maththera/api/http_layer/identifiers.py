"""Ids that several routes take."""

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
