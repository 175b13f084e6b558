"""Rubrics tried out: what the model answer is worth, what the explanation holds, and what an empty phrase earns.

Apart from the other checks, as it needs the analyser.
"""

import re
from collections.abc import Iterator
from itertools import chain

from maththera.documents import Document, Loc
from maththera.lessons.answer_words import answer_words
from maththera.lessons.course_checks import answerable_by
from maththera.lessons.courses import Chapter, Subjective
from maththera.lessons.grading import grade_subjective, points_said


def rubric_faults(document: Document, chapter: Chapter) -> list[str]:
    """A line `file:line: field: reason` for every rubric that grades its own texts wrongly."""
    return [
        document.fault(loc, reason)
        for index, question in enumerate(chapter.subjective)
        for loc, reason in _faults(("subjective", index), question, chapter)
    ]


def _faults(loc: tuple[str | int, ...], question: Subjective, chapter: Chapter) -> Iterator[tuple[Loc, str]]:
    for name in grade_subjective(question, question.model_answer).missed:
        yield (*loc, "model_answer"), f"does not say the point {name}"
    for user_type in question.user_types:
        told = _told(question, answerable_by(question, user_type, chapter))
        for point in question.points:
            if point.id not in told:
                yield (*loc, "paragraphs"), f"the explanation for {user_type} does not say the point {point.id}"
    for name in points_said(question, question.question):
        yield (*loc, "question"), f"says the point {name} itself"
    for place, point in enumerate(question.points):
        for expression in chain(point.against, *point.ideas):
            if not answer_words(expression):
                yield (*loc, "points", place), f"no word of {expression!r} is read"


def _told(question: Subjective, text: str) -> set[str]:
    """The points that an explanation says; it may give answers to other questions beside this one's."""
    return {point for part in (text, *re.split(r"(?<=[.!?])\s+", text)) for point in points_said(question, part)}
