"""What the documentation says of documents, saved files and ratings."""

from typing import Any, Final

from fastapi.responses import PlainTextResponse

from maththera.api import paper_answers as answers
from maththera.api.flow_docs import operation, takes
from maththera.api.openapi import answered, errors
from maththera.api.paper_bodies import RatingBody

_PAPER: Final = {
    "paper_id": "0c6ff1f2a2d64e1f8c1bb7f3d1a5a9d0",
    "title": "수 감각을 기르는 활동",
    "authors": ["Maththera"],
    "year": 2026,
    "kind": "markdown",
    "file_name": "number_sense.md",
    "starter": False,
    "created_at": "2026-11-22T01:10:00+00:00",
}
_ADDED: Final = {"papers": [{"paper_id": _PAPER["paper_id"], "title": _PAPER["title"], "new": True}]}
_RATED: Final = {"run_id": "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11", "level": "elementary", "score": 5}
_RATING: Final = _RATED | {
    "comment": "비유가 좋아요",
    "question": "받아올림이 뭐야?",
    "answer": "열이 되면 옆집으로 하나 보내요. 🏠",
    "prompts": {"elementary": {"prompt": "level_elementary", "digest": "a8c0dfcd6f03"}},
}
_FILE_BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "The file as it is, at most 30 MB: PDF, Markdown or BibTeX, told by the name.",
        "content": {
            "application/octet-stream": {
                "schema": {"type": "string", "format": "binary"},
                "examples": {"Markdown": {"value": "# 뺄셈의 오류\n\n받아내림에서 자주 보이는 오류를 모았다."}},
            }
        },
    }
}

PAPERS: Final = operation(answered(200, answers.Papers, {"papers": [_PAPER]}, "By title, what is shipped comes last"))
ADD: Final[dict[str, Any]] = {
    "responses": answered(201, answers.AddedPapers, _ADDED, "What is searched from now on")
    | errors("forbidden", "body_too_slow", "body_too_large", "invalid_input"),
    "openapi_extra": _FILE_BODY,
}
REMOVE: Final[dict[str, Any]] = {
    "responses": {204: {"description": "It is searched no longer"}} | errors("forbidden", "not_found"),
    "status_code": 204,
}
FILE: Final[dict[str, Any]] = {
    "responses": {
        200: {
            "description": "The file",
            "content": {"text/markdown": {"schema": {"type": "string"}, "example": "# 받아올림이 뭐야?\n\n…"}},
        }
    }
    | errors("not_found"),
    "response_class": PlainTextResponse,
}
RATE: Final = operation(
    answered(200, answers.Rated, _RATED, "Kept"),
    "not_found",
    takes=takes(RatingBody, One_level={"score": 5, "level": "elementary", "comment": "비유가 좋아요"}),
)
RATINGS: Final = operation(answered(200, answers.Ratings, {"ratings": [_RATING]}, "The newest first"))
