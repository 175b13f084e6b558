"""The texts of plans: for some minutes, over several days, for a class, as a lesson."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from maththera.chat.coach.learner_facts import KindId
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.plans.plan_book import PlanBook
from maththera.chat.plans.plans import CLASS, USUAL, Plan
from maththera.chat.records.child_record import Child
from maththera.chat.records.problem_kinds import ProblemKinds
from maththera.chat.worksheets.new_sheets import new_sheet
from maththera.chat.worksheets.sheet_problems import Focus
from maththera.korean.particles import with_particle

_EASY: Final[Mapping[str, str]] = {"+": "23+14", "-": "58−23"}
_EASIEST: Final = "3+4"
"""The problem for a child without records."""
_IN_ORDER: Final = "8+6, 23+14, 27+15, 58−23, 52−38"
"""Problems from the easy to the hard."""
_MOST_PROBLEMS: Final = 20
_EXTRA: Final = 2
"""Minutes of an extra activity."""
_POINTS: Final = ("-", "·")


@dataclass(frozen=True, slots=True)
class PlanWriter:
    """Writes plans from their templates and the records of the children."""

    book: PlanBook
    kinds: ProblemKinds

    def text(self, plan: Plan, children: Mapping[str, Child]) -> str:
        """The text of a plan."""
        text = self._lines(plan, children)
        text = [*text, self.book.game] if plan.game and not plan.lesson else text
        return _as_table("\n".join(text)) if plan.table else "\n".join(text)

    def _lines(self, plan: Plan, children: Mapping[str, Child]) -> list[str]:
        own = [children.get(one, Child()) for one in plan.children]
        if plan.lesson:
            return self._of_lesson(plan, plan.lesson, own)
        if plan.days and len(own) > 1:
            return self._of_week(plan, own)
        if plan.days:
            return self._of_days(plan, own[0] if own else Child())
        if len(own) > 1 and plan.minutes >= (USUAL if plan.joined else CLASS):
            return self._of_several(plan, children)
        return self._of_minutes(plan, next((one for one in own if one.weakest), own[0] if own else Child()))

    def _material(self, plan: Plan) -> str:
        return plan.material or self.book.usual

    def _of_minutes(self, plan: Plan, child: Child) -> list[str]:
        book = self.book
        warm, rest = 1 if plan.minutes < 10 else 2, 1 if plan.minutes < 8 else 3
        values = {
            "warm": warm, "main": plan.minutes - warm - rest, "rest": rest, "material": self._material(plan),
            **self._problems(child),
        }  # fmt: skip
        head = (
            fill_template(book.day_head, day=plan.day, minutes=plan.minutes)
            if plan.day
            else fill_template(book.head, whose=_with(child), minutes=plan.minutes)
        )
        lines = book.new if child.name and not child.known else book.right if child.all_right else book.one
        return [head, *(fill_template(line, **values) for line in lines)]

    def _of_days(self, plan: Plan, child: Child) -> list[str]:
        """The text of a plan over days or weeks."""
        problems = self._problems_of_days(plan, child)
        count = len(plan.days)
        lines = [fill_template(self.book.days_head, whose=_with(child), minutes=plan.minutes, count=count)]
        own = self._problems(child)
        lines += [self._of_day(plan, place, problems, own) for place in range(count)]
        for week in range(1, plan.weeks):
            if others := problems[week * count : (week + 1) * count]:
                lines.append(fill_template(self.book.next_week, week=week + 1, list=", ".join(others)))
        return [*lines, fill_template(self.book.days_kept, minutes=plan.minutes)]

    def _problems_of_days(self, plan: Plan, child: Child) -> list[str]:
        focus = child.focus
        count = min(_MOST_PROBLEMS, (plan.weeks + 1) * len(plan.days))
        sheet, _ = new_sheet(f"{'도전 ' if focus.right else ''}문제 {count}개", replace(focus, known=True))
        return [task.problem.expression for task in sheet.sets[0]]

    def _of_day(self, plan: Plan, place: int, problems: Sequence[str], known: Mapping[str, object]) -> str:
        """The line of one day. `known`: problems that the child can solve."""
        book, last = self.book, len(plan.days) - 1
        stage = book.stages[round(place * (len(book.stages) - 1) / max(1, last))]
        on_this = place in (0, last // 2)
        turned, also = plan.turned and on_this, bool(plan.also) and on_this
        warm = 1 if plan.minutes < USUAL else 2
        values = {
            **known, "material": self._material(plan), "problem": problems[place], "day": f"{plan.days[place]}요일",
            "warm": warm, "main": max(2, plan.minutes - warm - _EXTRA * (turned + also)),
        }  # fmt: skip
        if own := plan.own.get(plan.days[place]):
            line = fill_template(book.day_own, own=fill_template(own, **values), **values)
        elif plan.brief:
            line = fill_template(book.day_brief, **values)
        else:
            line = fill_template(book.day_line, stage=fill_template(stage, **values), **values)
        line += fill_template(book.day_turned) if turned else ""
        line += fill_template(book.day_also, also=plan.also) if also else ""
        return line + (self._check(plan, problems, str(known["easy"])) if plan.check and place == last else "")

    def _check(self, plan: Plan, problems: Sequence[str], easy: str) -> str:
        """The check problems: the last ones, with an easy one if there are several."""
        chosen = [*problems[-(plan.check - 1) :], easy] if plan.check > 1 else problems[-1:]
        return fill_template(self.book.day_check, count=plan.check, list=", ".join(chosen))

    def _of_week(self, plan: Plan, children: Sequence[Child]) -> list[str]:
        """A week's plan for several children: a line for each with a weak kind of problem, one for all without, one for
        those without records."""
        book, days = self.book, plan.days
        half = max(1, len(days) // 2)
        values: dict[str, object] = {
            "minutes": plan.minutes, "material": self._material(plan), "first": _days_told(days[:half]),
            "middle": _days_told(days[half:-1] or days[-1:]), "last": f"{days[-1]}요일",
        }  # fmt: skip
        lines = [fill_template(book.week_head, count=len(days), **values)]
        lines += [self._week_of_weak(child, values) for child in children if child.known and child.weakest]
        if right := [child for child in children if child.known and not child.weakest]:
            lines.append(fill_template(book.week_right, called=_called(right), **values, **self._problems(right[0])))
        if unknown := [child for child in children if not child.known]:
            lines.append(fill_template(book.week_new, called=_called(unknown), list=_IN_ORDER, **values))
        if plan.also:
            lines.append(fill_template(book.week_also, also=plan.also))
        for day, own in plan.own.items():
            weak = next((one for one in children if one.weakest), children[0])
            told = fill_template(own, **values, **self._problems(weak))
            lines.append(fill_template(book.week_own, day=f"{day}요일", own=told))
        if plan.check:
            lines.append(fill_template(book.week_check, count=plan.check, **values))
        return [*lines, fill_template(book.week_close, **values)]

    def _week_of_weak(self, child: Child, values: Mapping[str, object]) -> str:
        if (weak := child.weakest) is None:
            return ""
        wrong, kind = weak["answered"] - weak["right"], self.kinds[weak["kind"]].name
        return fill_template(
            self.book.week_weak, called=child.called, kind=kind, wrong=wrong, **values, **self._problems(child)
        )

    def _of_lesson(self, plan: Plan, kind: KindId, children: Sequence[Child]) -> list[str]:
        """A lesson: its opening, joint and individual work, its close, and a line for each child."""
        half, end = 5 + (plan.minutes - 10) // 2, plan.minutes - 5
        material = self._material(plan)
        values = {
            **self._problems(Child(), kind), "kind": self.kinds[kind].name, "minutes": plan.minutes, "half": half,
            "end": end,
        }  # fmt: skip
        book = self.book
        opened = [book.lesson_game if plan.game and "도입" in line else line for line in book.lesson_lines]
        lines = [fill_template(line, material=material, **values) for line in opened]
        own = [self._alone(child, material) for child in children if child.name]
        return [*lines, *own, fill_template(self.book.lesson_close, **values)]

    def _of_several(self, plan: Plan, children: Mapping[str, Child]) -> list[str]:
        """A plan for several children: together at the beginning and the end, individual work in between."""
        book, material = self.book, self._material(plan)
        start, rest = (5, 5) if plan.minutes >= CLASS else (2, 3)
        together = plan.minutes - rest - start
        lines = [
            fill_template(book.class_head, minutes=plan.minutes),
            fill_template(book.opening, end=start, material=material),
            fill_template(book.apart, start=start, end=together),
        ]
        for one in plan.children:
            pieces = fill_template(book.in_pieces, limit=plan.limits[one]) if one in plan.limits else ""
            lines.append(self._alone(children.get(one, Child()), material) + pieces)
        lines.append(fill_template(book.together, start=together, end=plan.minutes - rest))
        return [*lines, fill_template(book.close, rest=rest)]

    def _alone(self, child: Child, material: str) -> str:
        """The individual work of one child."""
        book = self.book
        line = book.child_new if not child.known else book.child_right if child.all_right else book.child_weak
        return fill_template(line, called=child.called, material=material, **self._problems(child))

    def _problems(self, child: Child, wanted: KindId | None = None) -> dict[str, object]:
        """Problems for a child: one that it can solve, and two of its weakest kind, of the kind asked for, or harder
        ones."""
        focus = child.focus
        kind: KindId = wanted or focus.kind
        wish = "도전 문제 2개" if focus.right else "문제 2개"
        sheet, _ = new_sheet(wish, Focus(kind, "", focus.right, known=True))
        problem, other = (task.problem.expression for task in sheet.sets[0])
        easy = _EASY["-" if kind in ("take", "borrow") else "+"] if child.known or wanted else _EASIEST
        return {"easy": easy, "problem": problem, "other": other, "list": _IN_ORDER, "step": self.kinds[kind].step}


def _with(child: Child) -> str:
    return f"{with_particle(child.called, '과와')} " if child.name else ""


def _called(children: Sequence[Child]) -> str:
    return ", ".join(one.called for one in children)


def _days_told(days: Sequence[str]) -> str:
    """월·화요일"""
    return f"{'·'.join(days)}요일"


def _as_table(text: str) -> str:
    """The points of a plan as rows of a table, with the lines before and after them kept."""
    lines = text.split("\n")
    points = [line.lstrip().startswith(_POINTS) for line in lines]
    first = points.index(True) if True in points else 0
    rows = [line.strip(" -·").partition(": ") for line, is_point in zip(lines, points, strict=True) if is_point]
    table = [f"| {when} | {what or '–'} |" for when, _, what in rows]
    rest = [line for line, is_point in zip(lines[first:], points[first:], strict=True) if not is_point]
    return "\n".join([*lines[:first], "| 때 | 할 것 |", "|---|---|", *table, *rest])
