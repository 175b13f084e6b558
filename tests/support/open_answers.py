"""What a stranger wrote on open tasks: everyday questions with answers, and whether those tell what is open."""

import re
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import yaml

from maththera.settings import home
from maththera.words.answer_protection.open_answers import OpenAnswer, OpenAnswers

Set: TypeAlias = Literal[
    "open_answers_everyday", "open_answers_own", "open_answers_everyday_fresh", "open_answers_everyday_unread"
]
"""The words were mended with the first three in sight, and with half of the last, of a third writer."""
UNREAD: Final = slice(1, None, 2)
"""The lines of the last set that nobody read."""

DATA = Path(__file__).parent.parent / "data"


class Everyday(NamedTuple):
    """`leak`: whether the answer tells what is open, in the writer's judgment."""

    open: str
    question: str
    answer_text: str
    leak: bool


@cache
def words() -> OpenAnswers:
    return OpenAnswers.load(home())


@cache
def everyday(name: Set) -> list[Everyday]:
    return [Everyday(**one) for one in yaml.load((DATA / f"{name}.yaml").read_text(), yaml.CSafeLoader)]


def open_answer(task: str) -> OpenAnswer:
    """Of a task as it is written: 28+15, 500+70+3, 3×(2+5), 33+□=40, □-4=9."""
    left, _, right = task.partition("=")
    python = left.translate(str.maketrans("×x÷−", "**/-"))
    parts = tuple(map(int, re.findall(r"\d+", task)))
    if not right:
        return OpenAnswer(round(_value(python)), parts)
    gap = next(number for number in range(1000) if _value(python.replace("□", str(number))) == int(right))
    return OpenAnswer(gap, parts)


def _value(python: str) -> float:
    return float(eval(python)) if re.fullmatch(r"[\d+*/()-]+", python) else float("nan")  # noqa: S307 - a sum


def told_wrongly(name: Set) -> tuple[list[Everyday], list[Everyday]]:
    """What tells an answer and would go out, and what tells none and is held. A question that wants the answer gets a
    hint in place of whatever else would be said."""
    missed, held = list[Everyday](), list[Everyday]()
    for one in everyday(name):
        hidden = open_answer(one.open)
        told = words().tells(one.answer_text, hidden, one.question)
        if one.leak and not told and words().wanted(one.question, [hidden]) is None:
            missed.append(one)
        if told and not one.leak:
            held.append(one)
    return missed, held
