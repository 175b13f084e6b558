"""Short plans of what to do in so many minutes, with one child or with several, and their changes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from maththera.chat.coach.learner_facts import OPERATION_OF, KindId, kinds_in
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.making.children import Child
from maththera.chat.making.notes import NoteBook
from maththera.chat.making.worksheet_problems import Focus
from maththera.chat.making.worksheets import new_sheet
from maththera.korean.particles import with_particle

_USUAL: Final = 10
_CLASS: Final = 20
"""Minutes from which a plan for several children has parts for each, where none was added."""
_EASY: Final[Mapping[str, str]] = {"+": "23+14", "-": "58−23"}
_FIRST: Final = "8+6, 23+14, 27+15, 58−23, 52−38"
_NUMBER: Final = re.compile(r"(\d{1,3})\s*분")
_MADE: Final = re.compile("짜|만들|써|작성|세워|부탁|줘|주세요|주실|추천|필요|간단")
_BRIEF: Final = 20
_ONES: Final = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5}
_WEEK: Final = "월화수목금토일"
_NAMED_DAYS: Final = re.compile(
    r"(?<![가-힣])[월화수목금토일](?:요일)?(?:[,·\s]*[월화수목금토일](?:요일)?)+(?=만|으?로|에|은|이|\s|$)"
)
_SO_MANY_DAYS: Final = re.compile(
    r"(?<!\d)(\d)\s*일\s*(?:만|로|은|이|동안|치|짜리|정도|밖에|씩|\W*$)|(이틀|사흘|나흘|닷새)\s*(?:만|로|은|동안|치|짜리|정도|밖에|\W*$)"
)
_COUNTED: Final = {"이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5}


@dataclass(frozen=True, slots=True)
class Plan:
    """`children`: of whom it is, by their ids; `limits`: minutes that one can attend; `day`: the day that it is for.
    `days`: of a plan over several days; `check`: problems to check with on the last of them; `turned`: with digits that
    are easily turned; `also`: what else was wanted; `lesson`: the kind of problems that a lesson is about."""

    minutes: int = _USUAL
    children: tuple[str, ...] = ()
    limits: dict[str, int] = field(default_factory=dict)
    material: str = ""
    day: str = ""
    days: tuple[str, ...] = ()
    check: int = 0
    turned: bool = False
    also: str = ""
    lesson: KindId | None = None
    joined: bool = False
    weeks: int = 1
    game: bool = False
    brief: bool = False
    table: bool = False


def plan_wanted(
    book: NoteBook, message: str, children: Sequence[str], spoken: int = 0, weak: KindId = "carry"
) -> Plan | None:
    """The plan that a message asks for; None where it asks for none. `spoken`: minutes that an earlier message named;
    `weak`: what a lesson is about where the message names no kind of problem."""
    texts = book.plans
    if texts.lesson.search(message) and _MADE.search(message) and not texts.several.search(message):
        kinds = [kind for kind in OPERATION_OF if kind in kinds_in(message)]
        said = _NUMBER.search(message)
        minutes = max(_CLASS, min(int(said[1]), 90)) if said else texts.lesson_minutes
        return Plan(minutes, tuple(children), lesson=weak if not kinds or weak in kinds else kinds[-1])
    if found := texts.several.search(message):
        named = _NUMBER.search(message)
        counted = re.search(r"(?<!\d)(\d)\s*일", message)
        days = _days_of(counted[1] if counted else found[1])
        weeks = re.search(r"(?<!\d)([2-4])\s*주|(두|세|네)\s*주|(한\s*달|방학)", message)
        usual = spoken or _USUAL
        return Plan(
            int(named[1]) if named else usual,
            tuple(children),
            days=days,
            check=_checks(book, message),
            weeks=_weeks_of(weeks),
            brief=bool(texts.brief.search(message)),
        )
    if texts.unlike.search(message):
        return None
    day = texts.only_day.search(message)
    if not texts.words.search(message) and not (day and re.search("짜|계획|만들", message)):
        return None
    found = _NUMBER.search(message)
    minutes = int(found[1]) if found else spoken or (5 if day else _USUAL)
    return Plan(max(3, min(minutes, 90)), tuple(children), day=day[1] if day else "")


def plan_changed(  # noqa: C901 - in order
    book: NoteBook, plan: Plan, message: str, named: Sequence[str]
) -> tuple[Plan, str] | None:
    """The plan as a message wants it otherwise, and what is said in place of it, "" for the plan itself; None where it
    wants nothing of the plan. `named`: the children that the message names."""
    texts = book.plans
    more = tuple(one for one in named if one not in plan.children)
    if more and texts.with_other.search(message):
        return replace(plan, children=(*plan.children, *more), joined=True), ""
    if (days := _days_said(message)) and days != plan.days and not plan.lesson:
        minutes = _NUMBER.search(message)
        return replace(plan, days=days, minutes=int(minutes[1]) if minutes else plan.minutes), ""
    if texts.with_game.search(message):
        return replace(plan, game=True), ""
    if texts.table.search(message):
        return replace(plan, table=True), ""
    if plan.days and texts.brief.search(message):
        return replace(plan, brief=True), ""
    if plan.days and (changed := _days_changed(book, plan, message)):
        return changed, ""
    if plan.lesson and (minutes := _NUMBER.search(message)):
        return replace(plan, minutes=max(_CLASS, min(int(minutes[1]), 90))), ""
    if found := texts.limit.search(message):
        limits = {**plan.limits, **{child: int(found[1] or found[2]) for child in named or plan.children}}
        return replace(plan, limits=limits), ""
    if found := texts.material.search(message):
        return replace(plan, material=found[1]), ""
    if texts.closing.search(message):
        return plan, fill_template(texts.closed, rest=5)
    if found := texts.only_day.search(message):
        return replace(plan, day=found[1]), ""
    if not plan.days and (minutes := _NUMBER.search(message)) and len(message) < _BRIEF:
        return replace(plan, minutes=max(3, min(int(minutes[1]), 90))), ""
    return None


def _days_said(message: str) -> tuple[str, ...]:
    """The days that a message wants a plan to have; none where it names none."""
    if found := _NAMED_DAYS.search(message):
        return tuple(day for day in _WEEK if day in found[0])
    if re.search("주말", message) and re.search(r"주말\S{0,2}\s*(?:만|에만)", message):
        return ("토", "일")
    if re.search(r"평일\S{0,2}\s*(?:만|에만)", message):
        return tuple(_WEEK[:5])
    if re.search(r"매일|7\s*일|일곱\s*날", message):
        return tuple(_WEEK)
    found = _SO_MANY_DAYS.search(message)
    return _days_of(found[1] or found[2]) if found else ()


def _days_changed(book: NoteBook, plan: Plan, message: str) -> Plan | None:
    """A plan over days without one of them, with problems to check, with something besides, or once more."""
    texts = book.plans
    left_out = [found[1] for found in texts.left_out.finditer(message)]
    kept = tuple(day for day in plan.days if day not in left_out)
    if kept and kept != plan.days:
        return replace(plan, days=kept)
    if texts.check.search(message):
        return replace(plan, check=_checks(book, message))
    if texts.turned.search(message):
        return replace(plan, turned=True)
    if (minutes := _NUMBER.search(message)) and len(message) < _BRIEF:
        return replace(plan, minutes=max(3, int(minutes[1])))
    if also := texts.also.search(message):
        return replace(plan, also=message[: also.start()].strip(" ,"))
    return plan if texts.tidy.search(message) else None


def _checks(book: NoteBook, message: str) -> int:
    found = book.plans.check.search(message)
    word = found[1] if found else None
    return (int(word) if word and word.isdecimal() else _ONES.get(word or "", 3)) if found else 0


def _weeks_of(found: re.Match[str] | None) -> int:
    return 1 if found is None else int(found[1]) if found[1] else 4 if found[3] else _ONES[found[2]]


def _days_of(said: str) -> tuple[str, ...]:
    """The weekdays of a plan over `said` days, from Monday: "사흘" is 월, 화, 수."""
    count = int(said) if said.isdecimal() else next((many for word, many in _COUNTED.items() if word in said), 5)
    return tuple("월화수목금토일"[: max(2, min(count, 7))])


def planned(book: NoteBook, plan: Plan, children: Mapping[str, Child]) -> str:
    """The text of a plan."""
    text = _planned(book, plan, children)
    text = f"{text}\n{book.plans.game}" if plan.game else text
    return _as_table(text) if plan.table else text


def _as_table(text: str) -> str:
    """The points of a plan as the rows of a table."""
    lines = text.split("\n")
    rows = [line.strip(" -·").partition(": ") for line in lines if line.lstrip().startswith(("-", "·"))]
    first = next((place for place, line in enumerate(lines) if line.lstrip().startswith(("-", "·"))), 0)
    rest = [line for line in lines[first:] if not line.lstrip().startswith(("-", "·"))]
    table = [f"| {when} | {what or '–'} |" for when, _, what in rows]
    return "\n".join([*lines[:first], "| 때 | 할 것 |", "|---|---|", *table, *rest])


def _planned(book: NoteBook, plan: Plan, children: Mapping[str, Child]) -> str:
    texts, material = book.plans, plan.material or book.plans.usual
    own = [children.get(one, Child()) for one in plan.children]
    if plan.lesson:
        return _of_lesson(book, plan, plan.lesson, own, material)
    if plan.days and len(own) > 1:
        return _of_week(book, plan, own, material)
    if plan.days:
        return _of_days(book, plan, own[0] if own else Child(), material)
    if len(own) > 1 and plan.minutes >= (_USUAL if plan.joined else _CLASS):
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
    whose = f"{with_particle(child.called, '과와')} " if child.name else ""
    head = fill_template(texts.day_head, day=plan.day, minutes=plan.minutes) if plan.day else fill_template(
        texts.head, whose=whose, minutes=plan.minutes)  # fmt: skip
    lines = texts.new if child.name and not child.known else texts.right if child.all_right else texts.one
    return "\n".join([head, *(fill_template(line, **slots) for line in lines)])


def _of_days(book: NoteBook, plan: Plan, child: Child, material: str) -> str:
    texts, last = book.plans, len(plan.days) - 1
    focus = child.focus
    wanted = min(20, (plan.weeks + 1) * len(plan.days))
    sheet, _ = new_sheet(f"{'도전 ' if focus.right else ''}문제 {wanted}개", replace(focus, known=True))
    problems = [task.problem.expression for task in sheet.sets[0]]
    tasks = _tasks(book, child)
    whose = f"{with_particle(child.called, '과와')} " if child.name else ""
    lines = [fill_template(texts.days_head, whose=whose, minutes=plan.minutes, count=len(plan.days))]
    for place, day in enumerate(plan.days):
        stage = texts.stages[round(place * (len(texts.stages) - 1) / max(1, last))]
        turned, also = plan.turned and place in (0, last // 2), bool(plan.also) and place in (0, last // 2)
        used = 2 * (turned + also)
        warm = 1 if plan.minutes < _USUAL else 2
        slots = {
            **tasks, "material": material, "problem": problems[place], "day": f"{day}요일", "warm": warm,
            "main": max(2, plan.minutes - warm - used),
        }  # fmt: skip
        line = (
            fill_template(texts.day_brief, **slots)
            if plan.brief
            else fill_template(texts.day_line, stage=fill_template(stage, **slots), **slots)
        )
        line += fill_template(texts.day_turned) if turned else ""
        line += fill_template(texts.day_also, also=plan.also) if also else ""
        if plan.check and place == last:
            chosen = [*problems[-(plan.check - 1) :], str(tasks["easy"])] if plan.check > 1 else problems[-1:]
            line += fill_template(texts.day_check, count=plan.check, list=", ".join(chosen))
        lines.append(line)
    for week in range(1, plan.weeks):
        others = problems[week * len(plan.days) : (week + 1) * len(plan.days)]
        if others:
            lines.append(fill_template(texts.next_week, week=week + 1, list=", ".join(others)))
    return "\n".join([*lines, fill_template(texts.days_kept, minutes=plan.minutes)])


def _of_week(book: NoteBook, plan: Plan, children: Sequence[Child], material: str) -> str:
    """A plan over days for several: a line for each with a weak kind, one for those without, one for those without
    records."""
    texts, days = book.plans, plan.days
    half = max(1, len(days) // 2)
    slots = {
        "minutes": plan.minutes, "material": material, "first": _days_told(days[:half]),
        "middle": _days_told(days[half:-1] or days[-1:]), "last": f"{days[-1]}요일",
    }  # fmt: skip
    lines = [fill_template(texts.week_head, count=len(days), **slots)]
    for child in children:
        if child.known and (weak := child.weakest):
            wrong, kind = weak["answered"] - weak["right"], book.kinds[weak["kind"]].name
            lines.append(fill_template(texts.week_weak, called=child.called, kind=kind, wrong=wrong,
                                       **slots, **_tasks(book, child)))  # fmt: skip
    right = [child for child in children if child.known and not child.weakest]
    unknown = [child for child in children if not child.known]
    if right:
        tasks = _tasks(book, right[0])
        lines.append(fill_template(texts.week_right, called=", ".join(one.called for one in right), **slots, **tasks))
    if unknown:
        lines.append(
            fill_template(texts.week_new, called=", ".join(one.called for one in unknown), list=_FIRST, **slots)
        )
    also = [fill_template(texts.week_also, also=plan.also)] if plan.also else []
    checked = [fill_template(texts.week_check, count=plan.check, **slots)] if plan.check else []
    return "\n".join([*lines, *also, *checked, fill_template(texts.week_close, **slots)])


def _days_told(days: Sequence[str]) -> str:
    """월·화요일"""
    return f"{'·'.join(days)}요일"


def _of_lesson(book: NoteBook, plan: Plan, kind: KindId, children: Sequence[Child], material: str) -> str:
    """A lesson with its opening, what is done together and alone, and its close, with a line for each child."""
    texts, half, end = book.plans, 5 + (plan.minutes - 10) // 2, plan.minutes - 5
    tasks = _tasks(book, Child(), kind)
    slots = {**tasks, "kind": book.kinds[kind].name, "minutes": plan.minutes, "half": half, "end": end}
    lines = [fill_template(line, material=material, **slots) for line in texts.lesson_lines]
    own = [_line_of(book, child, material) for child in children if child.name]
    return "\n".join([*lines, *own, fill_template(texts.lesson_close, **slots)])


def _line_of(book: NoteBook, child: Child, material: str) -> str:
    """What one of several children does by itself."""
    texts = book.plans
    line = texts.child_new if not child.known else texts.child_right if child.all_right else texts.child_weak
    return fill_template(line, called=child.called, material=material, **_tasks(book, child))


def _of_several(book: NoteBook, plan: Plan, children: Mapping[str, Child], material: str) -> str:
    texts = book.plans
    start, rest = (5, 5) if plan.minutes >= _CLASS else (2, 3)
    together = plan.minutes - rest - start
    lines = [
        fill_template(texts.class_head, minutes=plan.minutes),
        fill_template(texts.opening, end=start, material=material),
        fill_template(texts.apart, start=start, end=together),
    ]
    for one in plan.children:
        pieces = fill_template(texts.in_pieces, limit=plan.limits[one]) if one in plan.limits else ""
        lines.append(_line_of(book, children.get(one, Child()), material) + pieces)
    lines.append(fill_template(texts.together, start=together, end=plan.minutes - rest))
    return "\n".join([*lines, fill_template(texts.close, rest=rest)])


def _tasks(book: NoteBook, child: Child, wanted: KindId | None = None) -> dict[str, object]:
    """Problems for a child: one that goes well, two of its weakest kind, or of that which is wanted, or harder ones."""
    focus = child.focus
    kind: KindId = wanted or focus.kind
    wish = "도전 문제 2개" if focus.right else "문제 2개"
    sheet, _ = new_sheet(wish, Focus(kind, "", focus.right, known=True))
    problem, other = (task.problem.expression for task in sheet.sets[0])
    easy = _EASY.get("-" if kind in ("take", "borrow") else "+", _EASY["+"])
    return {"easy": easy if child.known or wanted else "3+4", "problem": problem, "other": other, "list": _FIRST,
            "step": book.kinds[kind].step}  # fmt: skip
