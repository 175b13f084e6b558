"""Whether a text gives away what a question asks: the right choice by its words, its number or its place."""

import re
from collections.abc import Sequence

from maththera.korean.numbers import counted
from maththera.lessons.courses.course import MultipleChoice, Question
from maththera.lessons.courses.tasks import CIRCLED, LETTERS, Order, Reason, key_texts


def leaks_answer(text: str, question: Question) -> bool:
    """With several gaps, only a text that fills them all gives the answer away."""
    if isinstance(question, MultipleChoice):
        place = next((at for at, choice in enumerate(question.choices) if choice.key), -1)
        return _contains_key(question.key.text, text) or _named(place, text)
    task = question.task
    if isinstance(task, Order):
        return _lists_right_order(task.right, CIRCLED, text) or _lists_right_order(task.right, "123456789", text)
    if isinstance(task, Reason) and _named(task.right[0], text):
        return True
    several = len(task.right) > 1
    return all(_contains_key(each, text) for each in key_texts(task)) or (
        several and _lists_right_order(task.right, LETTERS, text)
    )


def _contains_key(key: str, text: str) -> bool:
    """A number only as a number of its own: 4 is not in 14."""
    return re.search(rf"(?<!\d){re.escape(key)}(?!\d)", text) is not None


def _named(place: int, text: str) -> bool:
    """ "3번이야", "답은 3", "③", "세 번째를 골라": not the 3 of "3번 세면"."""
    number = place + 1
    named = rf"(?<!\d){number}\s*번(?=[이을를은야에,.!)]|째|$)|답[은이:]?\s*\(?{number}(?!\d)|{CIRCLED[place]}"
    ordinal = rf"{'첫' if number == 1 else counted(number, '').strip()}\s*번\s*째"
    chosen = rf"{ordinal}.{{0,8}}?(?:답|고르|골라|선택|맞|옳)|(?:답|맞는|옳은).{{0,8}}?{ordinal}"
    return re.search(f"{named}|{chosen}", text) is not None


def _lists_right_order(places: Sequence[int], names: Sequence[str], text: str) -> bool:
    row = r"[\s,.→\-]*".join(re.escape(names[place]) for place in places)
    other = "가-힣" if names == LETTERS else r"\d"
    return re.search(rf"(?<![{other}]){row}(?![{other}])", text) is not None
