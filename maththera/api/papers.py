"""Beside the assistant's chat: the documents it searches, the files it saved, and what people thought of answers."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, Path, Query, Request, Response

from maththera.api import paper_docs as docs
from maththera.api.auth import caller, resources
from maththera.api.bodies import read
from maththera.api.executions import answer
from maththera.api.hearing import danger_in
from maththera.api.paper_bodies import rating, read_file
from maththera.api.problems import Problem
from maththera.chat.papers_reading import PaperRefused, read_papers
from maththera.chat.ratings import NoSuchAnswer
from maththera.learners.access import Principal, Role, within_reach
from maththera.learners.papers import PaperRow
from maththera.words.safety import Place

router = APIRouter(prefix="/api/v1", tags=["papers"])

PaperId = Annotated[str, Path(description="As the list has it.")]
_ID: Final = re.compile(r"[0-9a-f]{32}")
_RUN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ADULTS: Final[frozenset[Role]] = frozenset({"guardian", "teacher", "author", "admin"})
_LIBRARIANS: Final[frozenset[Role]] = frozenset({"teacher", "author", "admin"})
_EDITORS: Final[frozenset[Role]] = frozenset({"author", "admin"})
_PARSE_S: Final = 60.0
_MOST_SHOWN: Final = 500


@router.get("/papers", summary="The documents that are searched", **docs.PAPERS)
async def papers(request: Request) -> Response:
    await _one_of(request, _ADULTS)
    library = resources(request).desk.library
    await library.stock()
    return answer({"papers": [_shown(row) for row in await library.papers.all()]})


@router.post("/papers", status_code=201, summary="Add a document", **docs.ADD)
async def add_papers(
    request: Request,
    name: Annotated[str, Query(min_length=1, max_length=200, description="File name; its ending tells what it is.")],
) -> Response:
    """A BibTeX file adds each of its entries. What is there already stays as it is."""
    await _one_of(request, _LIBRARIANS)
    content = await read_file(request)
    try:
        async with asyncio.timeout(_PARSE_S):
            found = await asyncio.to_thread(read_papers, name, content)
    except TimeoutError:
        raise Problem("invalid_input", f"{name}: takes too long to read") from None
    library = resources(request).desk.library
    added = [
        {"paper_id": each.paper.paper_id, "title": each.paper.title, "new": await library.add(each)} for each in found
    ]
    return answer({"papers": added}, 201)


@router.delete("/papers/{paper_id}", summary="Remove a document", **docs.REMOVE)
async def remove_paper(request: Request, paper_id: PaperId) -> Response:
    """What is shipped comes back with the next start."""
    await _one_of(request, _EDITORS)
    if not _ID.fullmatch(paper_id) or not await resources(request).desk.library.papers.remove(paper_id):
        raise Problem("not_found", "There is no such document.")
    return Response(status_code=204)


@router.get("/files/{file_id}", summary="Download a saved answer", **docs.FILE)
async def saved_file(
    request: Request, file_id: Annotated[str, Path(description="As the answer's link has it.")]
) -> Response:
    """Only for whoever had it saved, and for some time."""
    who = await caller(request)
    found = await resources(request).desk.files.find(who, file_id) if _ID.fullmatch(file_id) else None
    if found is None:
        raise Problem("not_found", "There is no such file.")
    headers = {
        "Cache-Control": "private, no-store",
        "Content-Disposition": f"attachment; filename=\"answer.md\"; filename*=UTF-8''{quote(found.name)}",
    }
    return Response(found.text, media_type="text/markdown", headers=headers)


@router.post("/chat/runs/{run_id}/rating", summary="Say what an answer was worth", **docs.RATE)
async def rate(
    request: Request, run_id: Annotated[str, Path(description="Of the header `X-Run-Id` of the answer.")]
) -> Response:
    """A later rating of the same answer takes the place of the earlier. Kept with the question and the prompts."""
    who = await caller(request, fresh=True)
    sent = await read(request, rating)
    if not _RUN.fullmatch(run_id):
        raise NoSuchAnswer(run_id)
    kept = await resources(request).desk.ratings.rate(who, run_id, sent.level or "", sent.score, sent.comment)
    rated = {"run_id": run_id, "level": kept.level or None, "score": kept.score}
    heard = await danger_in(
        request, who, sent.comment, Place("coach" if who.role == "student" else "assistant", run_id), kept.student_id
    )
    return answer({**rated, "safety": heard.shown(who.role)} if heard else rated)


@router.get("/ratings", summary="What people thought of answers", **docs.RATINGS)
async def ratings(
    request: Request, days: Annotated[int, Query(ge=1, le=3650, description="How far back.")] = 30
) -> Response:
    """For whoever mends prompts; who rated is not told. Answers about a learner are for admins alone."""
    who = await _one_of(request, _EDITORS)
    since = datetime.now(UTC) - timedelta(days=days)
    found = await resources(request).desk.ratings.kept.since(since, _MOST_SHOWN, within_reach(who))
    shown = [
        {
            "run_id": each.run_id,
            "level": each.level or None,
            "score": each.score,
            "comment": each.comment,
            "question": each.question,
            "answer": each.answer,
            "prompts": each.prompts,
        }
        for each in found
    ]
    return answer({"ratings": shown})


def install_errors(app: FastAPI) -> None:
    @app.exception_handler(PaperRefused)
    async def _refused(_: Request, refused: PaperRefused) -> Response:
        return Problem("invalid_input", str(refused), errors=[{"loc": "body", "msg": str(refused)}]).response()

    @app.exception_handler(NoSuchAnswer)
    async def _no_answer(_: Request, __: NoSuchAnswer) -> Response:
        return Problem("not_found", "There is no such answer.").response()


async def _one_of(request: Request, roles: frozenset[Role]) -> Principal:
    who = await caller(request)
    if who.role not in roles:
        raise Problem("forbidden", f"Not with the role {who.role}.")
    return who


def _shown(row: PaperRow) -> dict[str, Any]:
    return {
        "paper_id": row.paper_id,
        "title": row.title,
        "authors": row.authors,
        "year": row.year,
        "kind": row.kind,
        "file_name": row.file_name,
        "starter": row.starter,
        "created_at": row.created_at.isoformat() if row.created_at else None,
    }
