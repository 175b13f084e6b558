"""What the service answers about documents and ratings, for the documentation and for tests."""

from typing import Any

from maththera.api.answers import Answer, SafetyView


class Paper(Answer):
    """`starter`: it comes with the program."""

    paper_id: str
    title: str
    authors: list[str]
    year: int | None
    kind: str
    file_name: str
    starter: bool
    created_at: str | None


class Papers(Answer):
    papers: list[Paper]


class AddedPaper(Answer):
    """Not `new`: it was there already."""

    paper_id: str
    title: str
    new: bool


class AddedPapers(Answer):
    papers: list[AddedPaper]


class Rated(Answer):
    """`level`: null for the answer as a whole."""

    run_id: str
    level: str | None
    score: int
    safety: SafetyView | None = None


class Rating(Rated):
    """`prompts`: what the model was told for each level, by name and digest."""

    comment: str
    question: str
    answer: str
    prompts: dict[str, Any]


class Ratings(Answer):
    ratings: list[Rating]
