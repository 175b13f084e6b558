"""What a stranger wrote on open tasks: everyday questions with answers, and whether those tell what is open."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from maththera.settings import home
from maththera.words.open_answers import OpenAnswer, OpenAnswers

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
def everyday(*, fresh: bool) -> list[Everyday]:
    """The words were mended with the older set in sight; the fresh one, of another writer, only measures."""
    name = "open_answers_everyday_fresh.yaml" if fresh else "open_answers_everyday.yaml"
    return [Everyday(**one) for one in yaml.safe_load((DATA / name).read_text())]


def open_answer(task: str) -> OpenAnswer:
    """Of a task as it is written: 28+15, 500+70+3, 33+□=40, □-4=9."""
    left, _, right = task.partition("=")
    python = left.translate(str.maketrans("×x÷−", "**/-"))
    parts = tuple(map(int, re.findall(r"\d+", task)))
    if not right:
        return OpenAnswer(round(_value(python)), parts)
    gap = next(number for number in range(1000) if _value(python.replace("□", str(number))) == int(right))
    return OpenAnswer(gap, parts)


def _value(python: str) -> float:
    return float(eval(python)) if re.fullmatch(r"[\d+*/-]+", python) else float("nan")  # noqa: S307 - a sum


def told_wrongly(*, fresh: bool) -> tuple[list[Everyday], list[Everyday]]:
    """What tells an answer and would go out, and what tells none and is held. A question that wants the answer gets a
    hint in place of whatever else would be said."""
    missed, held = list[Everyday](), list[Everyday]()
    for one in everyday(fresh=fresh):
        hidden = open_answer(one.open)
        told = words().tells(one.answer_text, hidden, one.question)
        if one.leak and not told and words().wanted(one.question, [hidden]) is None:
            missed.append(one)
        if told and not one.leak:
            held.append(one)
    return missed, held
