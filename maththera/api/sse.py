"""A turn as a stream of its envelopes.

The turn is finished, recorded and checked in before the first frame goes out, so an error keeps its own status, and
a client that loses the stream asks again with the same `request_id`.
"""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import orjson
from sse_starlette import EventSourceResponse, ServerSentEvent

RETRY_MS: Final = 2000
# Frame type → the member of the turn that it carries. A member the role may not see has no frame.
_PARTS: Final = {
    "safety": "safety",
    "diagnostic_result": "diagnosis",
    "adaptation_result": "adaptation",
    "feedback_result": "feedback",
}


def stream(body: Mapping[str, Any], headers: Mapping[str, str]) -> EventSourceResponse:
    """The frames of a turn: `id` is `<turn>-<n>`, `data` an envelope {type, request_id, payload}."""
    return EventSourceResponse(_frames(body), headers={**headers, "Cache-Control": "no-store"})


async def _frames(body: Mapping[str, Any]) -> AsyncIterator[ServerSentEvent]:
    parts = [(kind, body[member]) for kind, member in _PARTS.items() if member in body]
    parts += [("task", body["task"])] if "task" in body else []
    parts.append(("final", body))
    for number, (kind, payload) in enumerate(parts):
        envelope = {"type": kind, "request_id": body["request_id"], "payload": payload}
        yield ServerSentEvent(orjson.dumps(envelope).decode(), id=f"{body.get('turn', 0)}-{number}", retry=RETRY_MS)
