"""What clients send about documents and answers."""

import asyncio
from typing import Annotated, Final, Literal

from fastapi import Request
from pydantic import Field, TypeAdapter

from maththera.api.problems import Problem
from maththera.chat.papers_reading import LARGEST
from maththera.tutoring.events import Strict

_SECONDS: Final = 120.0


class RatingBody(Strict):
    """`POST /api/v1/chat/runs/{run_id}/rating`."""

    score: Annotated[int, Field(ge=1, le=5, strict=True)]
    level: Literal["elementary", "beginner", "intermediate", "advanced"] | None = Field(
        None, description="Which of the two answers. Default: the answer as a whole."
    )
    comment: Annotated[str, Field(max_length=1000)] = ""


ALL: Final = (RatingBody,)

rating: Final = TypeAdapter[RatingBody](RatingBody)


async def read_file(request: Request) -> bytes:
    """The body as it is. Problems: 413 above what a document may have, 408 when it takes too long."""
    content = bytearray()
    try:
        async with asyncio.timeout(_SECONDS):
            async for chunk in request.stream():
                content += chunk
                if len(content) > LARGEST:
                    raise Problem("body_too_large", f"At most {LARGEST} bytes.", headers={"Connection": "close"})
    except TimeoutError:
        reason = f"It was not there after {_SECONDS:.0f} s."
        raise Problem("body_too_slow", reason, headers={"Connection": "close"}) from None
    return bytes(content)
