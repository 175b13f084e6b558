"""The values for letter templates, as far as the child's records provide them."""

import re
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final

from maththera.chat.coach.learner_facts import OPERATION_OF, Facts, KindCounts, days_within, strong_kinds
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.letters.letter_book import FIGURES, LetterBook
from maththera.chat.records.child_record import Child, reversed_answers
from maththera.chat.records.problem_kinds import ProblemKinds
from maththera.korean.particles import with_particle

HARD: Final = frozenset(
    {"kind", "hard", "hard_casual", "record", "times", "wrong", "example", "kind_answered", "kind_right"}
)
"""Names of the values that say what is hard for a child."""
_REVERSED: Final = re.compile("자리를 바꾸어|자리를 바꿔")
"""A line for a child who often writes the digits of an answer in reverse."""
_TASKS: Final = {
    "add": "받아올림이 없는 (두 자리)+(두 자리)", "carry": "받아올림이 있는 (두 자리)+(두 자리)",
    "take": "받아내림이 없는 (두 자리)−(두 자리)", "borrow": "받아내림이 있는 (두 자리)−(두 자리)",
    "times": "곱셈구구", "share": "곱셈구구 범위의 나눗셈",
}  # fmt: skip
"""Kind of problem → how a goal names it."""
_SAID: Final = {"+": "더하기", "-": "빼기", "x": "구구단", "/": "나누기"}
_REPORTED: Final = {"많아요": "많대.", "빼요": "뺀대.", "어려워해요": "어려워한대."}
"""Sentence ending → its form in a message within the family."""
_LATELY: Final = 10
"""The last so many days, in which days of practice are counted."""
Values = dict[str, object]


def filled_line(line: str, values: Mapping[str, object], *, bare: bool) -> str:
    """A line with its values filled in; "" if one is unknown, or if it contains figures that are not wanted."""
    names = names_in(line)
    if line.startswith("~") != bare and (line.startswith("~") or names & FIGURES):
        return ""
    if _REVERSED.search(line) and not values.get("reversed"):
        return ""
    return fill_template(line.removeprefix("~"), **values) if names <= values.keys() else ""


def names_in(line: str) -> set[str]:
    """The names of the values in a template."""
    return {name.partition(":")[0] for _, name, _, _ in Formatter().parse(line) if name}


def days_lately(facts: Facts) -> int:
    """Days of practice among the last ten."""
    return len(days_within(facts, _LATELY))


def values_of(book: LetterBook, kinds: ProblemKinds, child: Child) -> Values:
    """The values known about a child. Figures exist once it has answered something, `kind` and the like if some kind of
    problem is hard for it."""
    values: Values = {"name": child.name, "called": child.called} if child.name else {}
    weak = child.weakest
    values["kind_task"] = _TASKS[weak["kind"] if weak else "carry"]
    if child.facts is None or not child.known:
        return values
    values |= _figures(child.facts) | _strengths(kinds, child.facts, weak)
    return values | _hard(book, kinds, child.facts, weak) if weak else values


def _figures(facts: Facts) -> Values:
    answered, right = facts["answered"], facts["right"]
    return {
        "answered": answered, "right": right, "days": days_lately(facts), "percent": round(100 * right / answered),
        "reversed": reversed_answers(facts) > 0,
        "counted": f"{answered}문제를 모두" if answered == right else f"{answered}문제 가운데 {right}문제를",
    }  # fmt: skip


def _strengths(kinds: ProblemKinds, facts: Facts, weak: KindCounts | None) -> Values:
    values: Values = {}
    strong = strong_kinds(facts)
    good = [one for one in strong if not weak or one["kind"] != weak["kind"]]
    if good:
        names = [kinds[one["kind"]].name for one in good[:2]]
        values["good"] = f"{with_particle(names[0], '과와')} {names[1]}" if len(names) > 1 else names[0]
        values["good_said"] = _said_to_child(strong, weak)
    if perfect := next((one for one in strong if one["right"] == one["answered"]), None):
        values |= {"perfect": kinds[perfect["kind"]].name, "perfect_answered": perfect["answered"]}
    return values


def _said_to_child(strong: Sequence[KindCounts], weak: KindCounts | None) -> str:
    """What goes well, worded for the child: 더하기, 쉬운 빼기."""
    trouble = OPERATION_OF[weak["kind"]] if weak else ""
    best = next(one for one in strong if one is not weak and (not weak or one["kind"] != weak["kind"]))
    operation = OPERATION_OF[best["kind"]]
    return f"쉬운 {_SAID[operation]}" if operation == trouble else _SAID[operation]


def _hard(book: LetterBook, kinds: ProblemKinds, facts: Facts, weak: KindCounts) -> Values:
    kind, commonest = kinds[weak["kind"]], next(iter(weak["causes"]), None)
    cause = book.causes.get(commonest["name"] if commonest else "", book.other_cause)
    hard = fill_template(cause.hard, kind=kind.name)
    values: Values = {
        "kind": kind.name, "step": kind.step, "say": kind.say, "hard": hard, "hard_casual": _to_family(hard),
        "record": fill_template(cause.record, kind=kind.name),
        "times": commonest["count"] if commonest else weak["answered"] - weak["right"],
        "wrong": facts["answered"] - facts["right"],
        "kind_answered": weak["answered"], "kind_right": weak["right"],
    }  # fmt: skip
    if example := next(iter(weak["examples"]), None):
        problem = exercise_of(example["expression"])
        right = f" (바른 답 {problem.answer})" if problem else ""
        values["example"] = f"{example['expression']}→{example['given']}{right}"
    return values


def _to_family(hard: str) -> str:
    """A sentence as a message within the family puts it: 많아요 → 많대."""
    return next((hard.removesuffix(end) + other for end, other in _REPORTED.items() if hard.endswith(end)), f"{hard}.")
