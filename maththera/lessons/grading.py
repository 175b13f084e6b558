"""Answers in sentences, graded by the points of a rubric over Korean morphemes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from maththera.korean.morphemes import morphemes
from maththera.lessons.courses import Point, Subjective

_CONTENT: Final = frozenset({"NNG", "NNP", "NNB", "NR", "VV", "VA", "VX", "VCN", "XR", "MAG", "MM", "SL", "SN", "XPN"})
_GAP: Final = 3
"""Words that may stand between two words of an expression."""


@dataclass(frozen=True, slots=True)
class Grade:
    """`score` 0..100; `met` and `missed` are ids of points, in the order of the rubric. `feedback`: what to say of an
    answer that is none, "" for all others."""

    score: int
    met: tuple[str, ...]
    missed: tuple[str, ...]
    feedback: str = ""


def grade_subjective(question: Subjective, answer: str) -> Grade:
    """A point is met when each of its groups of ideas is found and nothing is said against it."""
    words = _words(answer)
    met = tuple(point.id for point in question.points if _met(point, words))
    score = sum(point.weight for point in question.points if point.id in met)
    return Grade(score, met, tuple(point.id for point in question.points if point.id not in met))


def _met(point: Point, words: Sequence[str]) -> bool:
    if any(_said(expression, words) for expression in point.against):
        return False
    return all(any(_said(expression, words) for expression in group) for group in point.ideas)


def _said(expression: str, words: Sequence[str]) -> bool:
    """Whether the words of the expression stand in the answer in their order and near each other."""
    wanted = _words(expression)
    return bool(wanted) and any(_from(wanted, words[start:]) for start in range(len(words)))


def _from(wanted: Sequence[str], words: Sequence[str]) -> bool:
    if words[0] != wanted[0]:
        return False
    place = 0
    for word in wanted[1:]:
        near = words[place + 1 : place + 2 + _GAP]
        if word not in near:
            return False
        place += 1 + near.index(word)
    return True


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(each.form for each in morphemes(text.lower()) if each.tag in _CONTENT)
