"""The documents that the assistant searches: list, add and remove."""

import re
from asyncio import FIRST_COMPLETED, create_task, wait
from collections.abc import Sequence
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Request

from maththera.api.http_layer.auth import Services, caller_with
from maththera.api.http_layer.identifiers import HEX_ID
from maththera.api.http_layer.json_body import ApiRoute, bounded_body, declared_size
from maththera.api.http_layer.problem_details import ApiProblem, Problems, invalid_field, try_again
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.chat.papers.paper_parsing import KINDS, LARGEST, PaperRefused, file_kind
from maththera.chat.papers.parser_process import ReaderBusy
from maththera.json_types import JsonObject
from maththera.store import papers as paper_store

router = APIRouter(prefix="/api/v1/papers", tags=["papers"], route_class=ApiRoute)

_UPLOAD_SECONDS: Final = 120.0
_BUSY_SECONDS: Final = 30
_FILE_NAME: Final = rf"({'|'.join(re.escape(ending) for ending in KINDS)})$"  # refused with a sentence of its own
_EXAMPLE_ID: Final = "0c6ff1f2a2d64e1f8c1bb7f3d1a5a9d0"
_EXAMPLE: Final = {
    "paper_id": _EXAMPLE_ID,
    "title": "수 감각을 기르는 활동",
    "authors": ["Maththera"],
    "year": 2026,
    "kind": "markdown",
    "file_name": "number_sense.md",
    "starter": False,
    "created_at": "2026-11-22T01:10:00+00:00",
}
_FILE: Final[JsonObject] = {
    "requestBody": {
        "required": True,
        "description": "The file as it is, at most 30 MB: PDF, Markdown or BibTeX, by the ending of its name.",
        "content": {
            "application/octet-stream": {
                "schema": {"type": "string", "format": "binary"},
                "examples": {"Markdown": {"value": "# 뺄셈의 오류\n\n받아내림에서 자주 보이는 오류를 모았다."}},
            }
        },
    }
}


class Paper(Answer):
    """`starter`: it comes with the program."""

    paper_id: str
    title: str
    authors: list[str]
    year: int | None
    kind: str
    file_name: str
    starter: bool
    created_at: Moment | None


class Papers(Answer):
    model_config = example({"papers": [_EXAMPLE]})

    papers: list[Paper]


class AddedPaper(Answer):
    """`new`: false if it was there already."""

    paper_id: str
    title: str
    new: bool


class AddedPapers(Answer):
    model_config = example({"papers": [{"paper_id": _EXAMPLE_ID, "title": _EXAMPLE["title"], "new": True}]})

    papers: list[AddedPaper]


@router.get(
    "",
    summary="The documents that are searched",
    response_description="By title; those that come with the program are last",
    dependencies=[Depends(caller_with("guardian", "teacher", "author", "admin"))],
)
async def list_papers(services: Services) -> Papers:
    library = services.assistant.library
    await library.add_shipped()
    return Papers(papers=[Paper.model_validate(row) for row in await library.papers.all()])


@router.post(
    "",
    status_code=201,
    summary="Add a document",
    response_description="What is searched from now on",
    openapi_extra=_FILE,
    dependencies=[Depends(caller_with("teacher", "author", "admin"))],
)
async def add_papers(
    request: Request,
    services: Services,
    name: Annotated[
        str,
        Query(
            min_length=1,
            max_length=200,
            description="File name; its ending says what the file is.",
            examples=["number_sense.md"],
            json_schema_extra={"pattern": _FILE_NAME},
        ),
    ],
) -> AddedPapers:
    """A BibTeX file adds each of its entries. What is there already stays as it is."""
    added = []
    for paper, passages in await _parse_upload(request, services, name):
        new = await services.assistant.library.papers.add(paper, passages)
        added.append(AddedPaper(paper_id=paper.paper_id, title=paper.title, new=new))
    return AddedPapers(papers=added)


@router.delete(
    "/{paper_id}",
    status_code=204,
    summary="Remove a document",
    response_description="It is searched no longer",
    dependencies=[Depends(caller_with("author", "admin"))],
)
async def remove_paper(services: Services, paper_id: Annotated[str, Path(description="As the list has it.")]) -> None:
    """What comes with the program is back after the next start."""
    if not HEX_ID.fullmatch(paper_id) or not await services.assistant.library.papers.remove(paper_id):
        raise ApiProblem("not_found", "There is no such document.")


async def _parse_upload(
    request: Request, services: Services, name: str
) -> Sequence[tuple[paper_store.Paper, list[paper_store.Passage]]]:
    """The documents in the body. A process of its own parses the file, and ends when the service does."""
    reader = services.paper_reader
    file_kind(name, declared_size(request, LARGEST))
    await reader.acquire_slot()
    try:
        content = await bounded_body(request, LARGEST, _UPLOAD_SECONDS)
        reading, stopped = create_task(reader.read(name, content)), create_task(services.closing.wait())
        try:
            await wait((reading, stopped), return_when=FIRST_COMPLETED)
            if not reading.done():
                raise try_again("The service stops.")
            return reading.result()
        finally:
            for task in (reading, stopped):
                task.cancel()
            await wait((reading, stopped))
    finally:
        reader.places.release()


PROBLEMS: Final[Problems] = {
    PaperRefused: lambda refused: invalid_field("body", str(refused), str(refused)),
    ReaderBusy: lambda _: ApiProblem(
        "too_many_requests",
        "Other documents are read first.",
        headers={"Retry-After": str(_BUSY_SECONDS), "Connection": "close"},
    ),
}
