"""Rubrics tried out: what the model answer is worth, what the explanation holds, and what an empty phrase earns.

Apart from the other checks, as it needs the analyser.
"""

from collections.abc import Iterator

from maththera.documents import Document, Loc
from maththera.lessons.course_checks import answerable_by
from maththera.lessons.courses import Chapter, Subjective
from maththera.lessons.grading import grade_subjective


def rubric_faults(document: Document, chapter: Chapter) -> list[str]:
    """A line `file:line: field: reason` for every rubric that grades its own texts wrongly."""
    return [
        document.fault(loc, reason)
        for index, question in enumerate(chapter.subjective)
        for loc, reason in _faults(("subjective", index), question, chapter)
    ]


def _faults(loc: tuple[str | int, ...], question: Subjective, chapter: Chapter) -> Iterator[tuple[Loc, str]]:
    for point in grade_subjective(question, question.model_answer).missed:
        yield (*loc, "model_answer"), f"does not say the point {point}"
    for user_type in question.user_types:
        for point in grade_subjective(question, answerable_by(question, user_type, chapter)).missed:
            yield (*loc, "paragraphs"), f"the explanation for {user_type} does not say the point {point}"
    for point in grade_subjective(question, question.question).met:
        yield (*loc, "question"), f"says the point {point} itself"
