"""What adults write beside the chat: commands, answers to a flow, arguments of tools, comments."""

import hashlib
from collections.abc import Iterator
from typing import Any

from fastapi import Request

from maththera.api.auth import resources
from maththera.learners.access import Principal
from maththera.words.safety import Heard, Place, Sender


async def danger_in(
    request: Request, who: Principal, sent: object, place: Place, student_id: str | None = None
) -> Heard | None:
    """The answer where any text of a JSON value tells of danger, which is then all that happens; else None."""
    text = "\n".join(_texts(sent))
    if not text:
        return None
    message_id = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
    heard = await resources(request).safety.hear(text, Sender(who.role, student_id), place, message_id)
    return heard if heard.told else None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
