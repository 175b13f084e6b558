"""Short plans of what to do in so many minutes, with one child or with several, and their changes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from maththera.chat.coach.learner_facts import KindId
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.making.notes import Child, NoteBook
from maththera.chat.making.worksheets import Focus, new_sheet

_USUAL: Final = 10
_CLASS: Final = 20
"""Minutes from which a plan for several children has parts for each."""
_EASY: Final[Mapping[str, str]] = {"+": "23+14", "-": "58−23"}
_FIRST: Final = "8+6, 23+14, 27+15, 58−23, 52−38"
_NUMBER: Final = re.compile(r"(\d{1,3})\s*분")


@dataclass(frozen=True, slots=True)
class Plan:
    """`children`: of whom it is, by their ids; `limits`: minutes that one can attend; `day`: the day that it is for."""

    minutes: int = _USUAL
    children: tuple[str, ...] = ()
    limits: dict[str, int] = field(default_factory=dict)
    material: str = ""
    day: str = ""


def plan_wanted(book: NoteBook, message: str, children: Sequence[str], spoken: int = 0) -> Plan | None:
    """The plan that a message wants; None for none. `spoken`: minutes that were spoken of before."""
    texts = book.plans
    if texts.unlike.search(message):
        return None
    day = texts.only_day.search(message)
    if not texts.words.search(message) and not (day and re.search("짜|계획|만들", message)):
        return None
    found = _NUMBER.search(message)
    minutes = int(found[1]) if found else spoken or (5 if day else _USUAL)
    return Plan(max(3, min(minutes, 90)), tuple(children), day=day[1] if day else "")


def plan_changed(book: NoteBook, plan: Plan, message: str, named: Sequence[str]) -> tuple[Plan, str] | None:
    """The plan as a message wants it otherwise, and what is said in place of it, "" for the plan itself; None where it
    wants nothing of the plan. `named`: the children that the message names."""
    texts = book.plans
    if found := texts.limit.search(message):
        limits = {**plan.limits, **{child: int(found[1] or found[2]) for child in named or plan.children}}
        return replace(plan, limits=limits), ""
    if found := texts.material.search(message):
        return replace(plan, material=found[1]), ""
    if texts.closing.search(message):
        return plan, fill_template(texts.closed, rest=5)
    if found := texts.only_day.search(message):
        return replace(plan, day=found[1]), ""
    return None


def planned(book: NoteBook, plan: Plan, children: Mapping[str, Child]) -> str:
    """The text of a plan."""
    texts, material = book.plans, plan.material or book.plans.usual
    own = [children.get(one, Child()) for one in plan.children]
    if len(own) > 1 and plan.minutes >= _CLASS:
        return _of_several(book, plan, children, material)
    child = next((one for one in own if one.weakest), own[0] if own else Child())
    warm = 1 if plan.minutes < 10 else 2
    rest = 1 if plan.minutes < 8 else 3
    slots = {
        "warm": warm,
        "main": plan.minutes - warm - rest,
        "rest": rest,
        "material": material,
        **_tasks(book, child),
    }
    whose = f"{child.called}와 " if child.name else ""
    head = fill_template(texts.day_head, day=plan.day, minutes=plan.minutes) if plan.day else fill_template(
        texts.head, whose=whose, minutes=plan.minutes)  # fmt: skip
    lines = texts.new if child.name and not child.known else texts.right if child.all_right else texts.one
    return "\n".join([head, *(fill_template(line, **slots) for line in lines)])


def _of_several(book: NoteBook, plan: Plan, children: Mapping[str, Child], material: str) -> str:
    texts, rest = book.plans, 5
    together = plan.minutes - rest - 5
    lines = [
        fill_template(texts.class_head, minutes=plan.minutes),
        fill_template(texts.opening, end=5, material=material),
        fill_template(texts.apart, start=5, end=together),
    ]
    for one in plan.children:
        child = children.get(one, Child())
        key = texts.child_new if not child.known else texts.child_right if child.all_right else texts.child_weak
        pieces = fill_template(texts.in_pieces, limit=plan.limits[one]) if one in plan.limits else ""
        lines.append(fill_template(key, called=child.called, material=material, **_tasks(book, child)) + pieces)
    lines.append(fill_template(texts.together, start=together, end=plan.minutes - rest))
    return "\n".join([*lines, fill_template(texts.close, rest=rest)])


def _tasks(book: NoteBook, child: Child) -> dict[str, object]:
    """Problems for a child: one that goes well, two of its weakest kind or harder ones."""
    focus = child.focus
    kind: KindId = focus.kind
    wish = "도전 문제 2개" if focus.right else "문제 2개"
    sheet, _ = new_sheet(wish, Focus(kind, "", focus.right, known=True))
    problem, other = (task.problem.expression for task in sheet.sets[0])
    easy = _EASY.get("-" if kind in ("take", "borrow") else "+", _EASY["+"])
    return {"easy": easy if child.known else "3+4", "problem": problem, "other": other, "list": _FIRST,
            "step": book.kinds[kind].step}  # fmt: skip
