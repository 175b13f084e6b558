"""Rubrics tried out: what the model answer is worth, what the explanation holds, and what an empty phrase earns.

Apart from the other checks, as it needs the analyser.
"""

import re
from collections.abc import Iterator

from maththera.documents import Document, Loc
from maththera.lessons.claims import wordings
from maththera.lessons.courses import Chapter, Subjective
from maththera.lessons.grading import grade_words, points_said


def rubric_faults(document: Document, chapter: Chapter) -> list[str]:
    """A line `file:line: field: reason` for every rubric that grades its own texts wrongly."""
    return [
        document.fault(loc, reason)
        for index, question in enumerate(chapter.subjective)
        for loc, reason in _faults(("subjective", index), question)
    ]


def _faults(loc: tuple[str | int, ...], question: Subjective) -> Iterator[tuple[Loc, str]]:
    unread = [*_unread(loc, question)]
    yield from unread
    if unread:
        return
    grade = grade_words(question, question.model_answer)
    for name in (*grade.denied, *grade.open):
        yield (*loc, "model_answer"), f"does not say the point {name}"
    for place, point in enumerate(question.points):
        if point.id not in points_said(question, _plain(point.says)):
            yield (*loc, "points", place, "says"), "makes none of its own claims"
    for name in points_said(question, question.explain):
        yield (*loc, "explain"), f"says the point {name} itself"


def _unread(loc: tuple[str | int, ...], question: Subjective) -> Iterator[tuple[Loc, str]]:
    for place, point in enumerate(question.points):
        for field, claims in (("claims", point.claims), ("against", point.against)):
            for index, claim in enumerate(claims):
                if not wordings(claim):
                    yield (*loc, "points", place, field, index), "a part of it is no word that is read"


def _plain(says: str) -> str:
    return re.sub(r"\([^)]*\)", "", says)
