"""Explanations in sentences, graded by the claims of a rubric. Points are given only where the meaning is certain: what
nobody can tell is left open and not held against the learner.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from maththera.lessons.answer_words import answer_words, grading_lists
from maththera.lessons.claims import asserts, stand, wordings
from maththera.lessons.clauses import clauses, is_listed
from maththera.lessons.courses import Point, Subjective

_QUOTES: Final = re.compile(r"[\"'“‘「『][^\"'“”‘’「」『』]*[\"'”’」』]")
_SENTENCES: Final = re.compile(r"(?<=[.!?,\n])\s+")
_HANGUL: Final = re.compile(r"[가-힣ㄱ-ㅎ]")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")

Nothing = Literal["", "copied", "foreign", "orders"]


@dataclass(frozen=True, slots=True)
class Grade:
    """`score` 0..100; `met`, `denied` (the contrary is said) and `open` (nobody can tell) are ids of points, in the
    order of the rubric. `nothing`: why an answer without any point is none: the question said again, another language,
    orders to the one who grades."""

    score: int
    met: tuple[str, ...]
    denied: tuple[str, ...]
    open: tuple[str, ...]
    nothing: Nothing = ""


def grade_words(question: Subjective, answer: str) -> Grade:
    """A point is met when one of its claims is made. Whoever says the contrary of one, or forbids what no point
    forbids, leaves in doubt what the rest means.

    What repeats the question, a list of words, and sentences that order how to grade count for nothing.
    """
    own, ordered = _own(question.explain, answer)
    stands = {point.id: _stand(point, own) for point in question.points}
    if is_listed(own) or "contrary" in stands.values() or _forbids(question, own):
        stands = {name: each if each == "contrary" else "nothing" for name, each in stands.items()}
    met, denied, unclear = (
        tuple(name for name, each in stands.items() if each == wanted) for wanted in ("says", "contrary", "nothing")
    )
    return Grade(score_of(question, met), met, denied, unclear, "" if met else _nothing(answer, own, ordered))


def points_said(question: Subjective, text: str) -> tuple[str, ...]:
    """Ids of the points that the text says, whosever it is."""
    return tuple(point.id for point in question.points if _stand(point, text) == "says")


def score_of(question: Subjective, met: Collection[str]) -> int:
    """0..100, by the weights of the points that are `met`."""
    return sum(point.weight for point in question.points if point.id in met)


def counted(question: Subjective, answer: str) -> str:
    """What of an answer counts: not the question said again, nor orders to the one who grades."""
    return _own(question.explain, answer)[0]


def bears_out(question: Subjective, point: Point, quote: str, answer: str, everyday: Collection[str]) -> bool:
    """Whether a part of the answer may be taken for saying the point, whoever says so: it makes one of its claims, or
    shares a word with the point that the question does not give and that is not of `everyday` use. What says the
    contrary of a claim, in the quote or in the whole answer, never does."""
    found = {_stand(point, quote), _stand(point, answer)}
    if "contrary" in found or "says" in found:
        return "contrary" not in found
    told = {word.form for text in (point.says, *point.claims) for word in answer_words(re.sub(r"[\[\]()|]", " ", text))}
    given = {word.form for word in answer_words(question.explain)} | {*everyday}
    return not {word.form for word in answer_words(quote)}.isdisjoint(told - given or told)


def _stand(point: Point, text: str) -> str:
    stands = {stand(claim, text) for claim in point.claims}
    if "contrary" in stands or any(asserts(claim, text) for claim in point.against):
        return "contrary"
    return "says" if "says" in stands else "nothing"


def _forbids(question: Subjective, text: str) -> bool:
    """ "적어 둘 필요가 없어" where no point says that something is not to be done."""
    denied = {
        claim.predicate
        for point in question.points
        for written in point.claims
        for claim in wordings(written)
        if claim.denied
    }
    return any(clause.forbidden and clause.predicate not in denied for clause in clauses(text))


def _own(question: str, answer: str) -> tuple[str, bool]:
    """The answer without the question and without orders; whether there were any of these. Who speaks of an order, in
    quotes, goes without the quote alone."""
    orders = [re.compile(each) for each in grading_lists().orders]

    def order(text: str) -> bool:
        return any(each.search(text) for each in orders)

    said = _without(answer.lower(), question.lower())
    unquoted = _QUOTES.sub(lambda quote: "" if order(quote[0][1:-1]) else quote[0], said)
    sentences = _SENTENCES.split(unquoted)
    kept = [each for each in sentences if not order(each)]
    return " ".join(kept).strip(), unquoted != said or len(kept) < len(sentences)


def _without(answer: str, question: str) -> str:
    for sentence in (question, *_SENTENCES.split(question)):
        answer = re.sub(r"\s*".join(map(re.escape, "".join(sentence.split()).rstrip(".?!"))), " ", answer)
    return answer


def _nothing(answer: str, own: str, ordered: bool) -> Nothing:
    if ordered:
        return "orders"
    if not re.search(r"\w", own):
        return "copied" if re.search(r"\w", answer) else ""
    return "foreign" if _LETTERS.search(own) and not _HANGUL.search(own) else ""
