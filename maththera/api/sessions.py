"""A child's session: begin, answer, look back."""

import time
from collections.abc import Mapping
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, Path, Request, Response

from maththera.api import openapi, projection, sse
from maththera.api.auth import admit, authorize, away, caller, resources
from maththera.api.bodies import read
from maththera.api.problems import Problem
from maththera.api.schemas import new_session
from maththera.tutoring import events
from maththera.tutoring.service import StaleTask
from maththera.tutoring.starting import NewSession

router = APIRouter(prefix="/api/v1/sessions", tags=["tutoring"])

SessionId = Annotated[str, Path(description="As `POST /api/v1/sessions` gave it.")]
_NO_STORE: Final = {"Cache-Control": "no-store"}
_REPLAYED: Final = {"Idempotent-Replay": "true"}
_MAY_SET_FIRST_PROBLEM: Final = frozenset({"teacher", "admin"})


@router.post("", status_code=201, summary="Begin a session", **openapi.CREATE)
async def create_session(request: Request) -> Response:
    who = await caller(request, fresh=True)
    wanted = await read(request, new_session)
    authorize(who, "write", wanted.student_id)
    if wanted.first_problem is not None and who.role not in _MAY_SET_FIRST_PROBLEM:
        error = {"loc": "body.first_problem", "msg": "only a teacher or an admin may set it"}
        raise Problem("forbidden", "The first problem is the teacher's choice.", errors=[error])
    view = await resources(request).service.create(NewSession(**wanted.model_dump()))
    request.app.state.metrics.session()
    return _answer(projection.for_role(who.role, view), 201, {"Location": f"{router.prefix}/{view['session_id']}"})


@router.post("/{session_id}/events", summary="Answer the task, or say what else happened", **openapi.EVENT)
async def take_event(request: Request, session_id: SessionId) -> Response:
    """One turn. The same `request_id` again gives the same answer and changes nothing. Two events at once on one
    session are taken one after the other. `Accept: text/event-stream` gets the turn as its envelopes. Words that tell
    of danger are no turn: they are answered in `safety`, and the task waits."""
    who = await admit(request, session_id, "write", speaks=True)
    sent = await read(request, events.adapter, events.TYPES)
    started = time.perf_counter()
    try:
        outcome = await resources(request).hearing.handle(session_id, sent, who.role, away(request))
    except StaleTask as stale:
        raise Problem("stale_task", "`task` is the one to answer now.", task=stale.current_task) from None
    metrics = request.app.state.metrics
    if outcome.replayed:
        metrics.replayed_turn()
    elif "safety" not in outcome.body:
        metrics.turn(outcome.body, time.perf_counter() - started)
    body = projection.for_role(who.role, outcome.body)
    headers = _REPLAYED if outcome.replayed else {}
    if "text/event-stream" in request.headers.get("accept", ""):
        return sse.stream(body, headers)
    return _answer(body, headers=headers)


@router.get("/{session_id}", summary="Where the session stands", **openapi.VIEW)
async def session_view(request: Request, session_id: SessionId) -> Response:
    who = await admit(request, session_id)
    view = await resources(request).service.view(session_id)
    return _answer(projection.for_role(who.role, view))


@router.get("/{session_id}/trace", summary="Every turn's envelopes", **openapi.TRACE)
async def session_trace(request: Request, session_id: SessionId) -> Response:
    who = await admit(request, session_id, adults_only=True)
    return _answer(projection.for_role(who.role, await resources(request).service.trace(session_id)))


@router.post("/{session_id}/replay", summary="Recompute the session from its recorded events", **openapi.REPLAY)
async def replay_session(request: Request, session_id: SessionId) -> Response:
    who = await admit(request, session_id, adults_only=True)
    return _answer(projection.for_role(who.role, await resources(request).service.replay(session_id)))


def _answer(body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, {**_NO_STORE, **(headers or {})}, "application/json")
