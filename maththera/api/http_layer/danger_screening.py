"""Screens texts outside of chat and lessons for danger: commands, answers to a flow, arguments of tools, comments."""

import hashlib

from fastapi import Request

from maththera.api.http_layer.auth import deferred_error, services_of
from maththera.store.access.authorization import Principal
from maththera.words.danger.message_safety import Place, SafetyResult, Sender
from maththera.words.output_gate.text_gate import texts_in


async def danger_in(
    request: Request, who: Principal, sent: object, place: Place, student_id: str | None = None
) -> SafetyResult | None:
    """The answer to danger if any text in a JSON value holds it; the route then does nothing else. Otherwise None, or
    the deferred error of the route's dependencies is raised."""
    heard = await _screen(request, who, "\n".join(texts_in(sent)), place, student_id)
    if heard is None and (error := deferred_error(request)):
        raise error
    return heard


async def _screen(
    request: Request, who: Principal, text: str, place: Place, student_id: str | None
) -> SafetyResult | None:
    if not text:
        return None
    message_id = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
    heard = await services_of(request).safety.check_message(text, Sender(who.role, student_id), place, message_id)
    return heard if heard.told else None
