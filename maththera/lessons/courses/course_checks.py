"""What a schema cannot see in a chapter: whether its pointers lead somewhere, its numbers are right, its distractors
are what they say they are, and its questions can be answered from its explanation.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import singledispatch
from typing import Annotated, Final

from pydantic import Field

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem, ProblemError, make_problem, parse_expression
from maththera.config_files import ConfigFile, ConfigModel, Loc
from maththera.lessons.courses.answer_key_leaks import leaks_answer
from maththera.lessons.courses.course import USER_TYPES, Chapter, CourseHead, MultipleChoice, Question, Subjective
from maththera.lessons.courses.tasks import (
    Cloze,
    Match,
    Number,
    Option,
    Order,
    Reason,
    Task,
    Writing,
    gaps_of,
    solution,
)
from maththera.lessons.explanation_turns import turns_of
from maththera.words.output_gate.false_statements import wrong_equations
from maththera.words.output_gate.speech_levels import wrong_level_sentences

_NOT_SAID: Final = frozenset({"id", "unit", "malrule", "problem", "form", "ask", "user_types", "model", "words"})
"""Fields whose texts the lesson does not say in its own speech."""
_WRONG_ALLOWED: Final = frozenset({"choices", "gaps", "steps", "right_side"})
Count = Annotated[int, Field(ge=1)]
Fault = tuple[Loc, str]


class CourseRules(ConfigModel):
    """What a chapter must at least hold: numbers of each kind. At most: the `lines` that are told at once, and the
    characters of a `line`."""

    multiple_choice: Count
    subjective: Count
    for_each_user_type: Count
    calculated: Count
    qna: Count
    paragraphs: Count
    lines: Count
    line: Count


def chapter_faults(document: ConfigFile, chapter: Chapter, head: CourseHead, rules: CourseRules) -> list[str]:
    """A line `file:line: field: reason` for every fault of a chapter that fits the schema."""
    found: list[Fault] = [*_amounts(chapter, rules), *_paragraphs(chapter, rules), *_pointers(chapter)]
    found += [*_questions(chapter), *_points(chapter)]
    found += _tasks(chapter, arithmetic=head.kind == "arithmetic")
    if head.kind == "arithmetic":
        found += _arithmetic(chapter, rules)
    found += _wording(document.data, head, ())
    return [document.fault(loc, reason) for loc, reason in found]


def _amounts(chapter: Chapter, rules: CourseRules) -> Iterator[Fault]:
    for field in ("multiple_choice", "subjective", "qna"):
        least, there = getattr(rules, field), len(getattr(chapter, field))
        if there < least:
            yield (field,), f"{there} are not enough, {least} are needed"
    for user_type in USER_TYPES:
        paragraphs = chapter.explanation.of(user_type)
        if len(paragraphs) < rules.paragraphs:
            yield ("explanation", user_type), f"{len(paragraphs)} paragraphs, {rules.paragraphs} are needed"
        for kind in (MultipleChoice.type, Subjective.type):
            left = len(chapter.questions_for(user_type, kind))
            if left < rules.for_each_user_type:
                yield (kind,), f"{left} for {user_type}, {rules.for_each_user_type} are needed"


def _paragraphs(chapter: Chapter, rules: CourseRules) -> Iterator[Fault]:
    """What is told at once is short, drawn, and checked."""
    for user_type in USER_TYPES:
        for index, each in enumerate(chapter.explanation.of(user_type)):
            loc: tuple[str | int, ...] = ("explanation", user_type, index)
            try:
                turns = [*turns_of(each), *turns_of(each, again=True)]
            except ProblemError as error:
                yield (*loc, "work"), f"{error}"
                continue
            for text in {text for turn in turns for text in (turn.text, turn.again)}:
                lines = text.splitlines()
                if len(lines) > rules.lines or any(len(line) > rules.line for line in lines):
                    yield (*loc, "text"), f"more than {rules.lines} lines of {rules.line} characters: “{text[:20]}…”"
            if any(turn.check is None for turn in turns):
                yield loc, "needs a check, or a calculation to work on"
            if each.work is None and not each.again:
                yield (*loc, "again"), "is missing: the same in another way"
            if each.work is not None and each.again:
                yield (*loc, "again"), "is said nowhere: each step of the calculation has words of its own"
            if each.check is not None and each.check.choices and each.check.key not in each.check.choices:
                yield (*loc, "check", "key"), f"{each.check.key} is none of the choices"


def _pointers(chapter: Chapter) -> Iterator[Fault]:
    ids = Counter(each.id for user_type in USER_TYPES for each in chapter.explanation.of(user_type))
    for twice in (name for name, times in ids.items() if times > 1):
        yield ("explanation",), f"the id {twice} is given to more than one paragraph"
    for loc, question in _located(chapter):
        yield from _unknown(chapter, loc, question.paragraphs)
        for user_type in question.user_types:
            own = {each.id for each in chapter.explanation.of(user_type)}
            if own.isdisjoint(question.paragraphs):
                yield (*loc, "paragraphs"), f"none is of the explanation that {user_type} learners are given"
    for index, frequent in enumerate(chapter.qna):
        yield from _unknown(chapter, ("qna", index), frequent.paragraphs)


def _unknown(chapter: Chapter, loc: Loc, names: Sequence[str]) -> Iterator[Fault]:
    for name in names:
        if name not in chapter.paragraphs:
            yield (*loc, "paragraphs"), f"there is no paragraph {name}"


def _located(chapter: Chapter) -> Iterator[tuple[tuple[str | int, ...], Question]]:
    for index, choice in enumerate(chapter.multiple_choice):
        yield ("multiple_choice", index), choice
    for index, subjective in enumerate(chapter.subjective):
        yield ("subjective", index), subjective


def _questions(chapter: Chapter) -> Iterator[Fault]:
    numbers = Counter(each.number for each in chapter.questions)
    places: Counter[int] = Counter()
    for loc, question in _located(chapter):
        if numbers[question.number] > 1:
            yield (*loc, "number"), f"{question.number} is another question's number too"
    for index, question in enumerate(chapter.multiple_choice):
        loc = ("multiple_choice", index)
        keys = [place for place, choice in enumerate(question.choices) if choice.key]
        if len(keys) != 1:
            yield (*loc, "choices"), f"{len(keys)} keys, exactly one choice has `key: true`"
            continue
        places[keys[0]] += 1
        if len({choice.text for choice in question.choices}) != len(question.choices):
            yield (*loc, "choices"), "two choices are the same"
        for number, hint in enumerate(question.hints):
            if leaks_answer(hint, question):
                yield (*loc, "hints", number), "gives the key away"
    for place, times in places.items():
        if times * 2 > len(chapter.multiple_choice):
            yield ("multiple_choice",), f"choice {place + 1} is the key {times} times: spread the keys"


def _points(chapter: Chapter) -> Iterator[Fault]:
    for index, question in enumerate(chapter.subjective):
        loc = ("subjective", index, "points")
        if (total := sum(point.weight for point in question.points)) != 100:
            yield loc, f"the weights add up to {total}, not to 100"
        if len({point.id for point in question.points}) != len(question.points):
            yield loc, "two points have the same id"


def _tasks(chapter: Chapter, *, arithmetic: bool) -> Iterator[Fault]:
    for index, question in enumerate(chapter.subjective):
        loc: tuple[str | int, ...] = ("subjective", index)
        for where, reason in task_faults(question.task, arithmetic=arithmetic):
            yield (*loc, "task", *where), reason
        for number, hint in enumerate(question.hints):
            if leaks_answer(hint, question):
                yield (*loc, "hints", number), "gives the key away"


def _arithmetic(chapter: Chapter, rules: CourseRules) -> Iterator[Fault]:
    if chapter.unit != f"Cur-C{chapter.chapter}":
        yield ("unit",), f"chapter {chapter.chapter} of an arithmetic course teaches Cur-C{chapter.chapter}"
    calculated = 0
    for index, question in enumerate(chapter.multiple_choice):
        if question.problem is not None:
            calculated += 1
            yield from _calculated(("multiple_choice", index), question, chapter.chapter)
    if calculated < rules.calculated:
        yield ("multiple_choice",), f"{calculated} have a problem, {rules.calculated} are needed"


def _calculated(loc: tuple[str | int, ...], question: MultipleChoice, chapter: int) -> Iterator[Fault]:
    try:
        a, op, b = parse_expression(question.problem or "")
        problem = make_problem(a, op, b, form=question.form)
    except ProblemError as error:
        yield (*loc, "problem"), str(error)
        return
    if problem.c_level > chapter:
        yield (*loc, "problem"), f"belongs to Cur-C{problem.c_level}, which comes later"
    for index, choice in enumerate(question.choices):
        if choice.number is None:
            yield (*loc, "choices", index, "text"), "a choice of a calculated question holds one number"
        elif reason := _wrong_number(problem, choice.number, key=choice.key, malrule=choice.malrule):
            yield (*loc, "choices", index), reason


def _wrong_number(problem: Problem, number: int, *, key: bool, malrule: str | None) -> str | None:
    if key:
        return None if number == problem.answer else f"{problem.prompt} is {problem.answer}, not {number}"
    if malrule is None:
        return "a wrong number needs the malrule that gives it"
    if malrule not in CATALOGUE:
        return f"there is no malrule {malrule}"
    result = CATALOGUE[malrule].apply(problem)
    if result == problem.answer:
        return f"{malrule} gives the right answer here"
    return None if result == number else f"{malrule} gives {result} here, not {number}"


def _wording(data: object, head: CourseHead, loc: tuple[str | int, ...]) -> Iterator[Fault]:
    """Every text of the file, whatever field it stands in. What choices and claims hold need not be right."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in (
                "id",
                "unit",
                "malrule",
                "problem",
                "form",
                "claims",
                "against",
                "ask",
                "user_types",
                "model",
                "words",
            ):
                yield from _wording(value, head, (*loc, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _wording(value, head, (*loc, index))
    elif isinstance(data, str):
        for sentence in wrong_level_sentences(data, head.speech):
            yield loc, f"not in {head.speech} speech: “{sentence}”"
        if head.kind == "arithmetic" and not _WRONG_ALLOWED.intersection(loc):
            for equation in wrong_equations(data):
                yield loc, f"{equation} is wrong"


# --- tasks ------------------------------------------------------------------------------------------------------------


def task_faults(task: Task, *, arithmetic: bool) -> list[Fault]:
    """Places within the task with their reasons. `arithmetic`: equations in what is right are worked out again."""
    found = list(_faults(task))
    if arithmetic and not found:
        found += [((), f"{equation} is wrong where it is filled in") for equation in wrong_equations(solution(task))]
    return found


@singledispatch
def _faults(task: Task) -> Iterator[Fault]:
    raise TypeError(task)


@_faults.register
def _(task: Number) -> Iterator[Fault]:
    if task.key in task.wrong:
        yield ("wrong",), f"{task.key} is the key"


@_faults.register
def _(task: Reason) -> Iterator[Fault]:
    yield from _options(task.choices, ("choices",))


@_faults.register
def _(task: Cloze) -> Iterator[Fault]:
    if gaps_of(task.text) != list(range(1, len(task.gaps) + 1)):
        yield ("text",), f"has the gaps {gaps_of(task.text)}, {len(task.gaps)} are filled"
    for index, gap in enumerate(task.gaps):
        yield from _options(gap, ("gaps", index))


@_faults.register
def _(task: Order) -> Iterator[Fault]:
    if sorted(task.order) != list(range(1, len(task.steps) + 1)):
        yield ("order",), f"has to name each of the {len(task.steps)} steps once"
    elif list(task.order) == sorted(task.order):
        yield ("order",), "is the order in which the steps are shown"
    yield from _alike(task.steps, ("steps",))


@_faults.register
def _(task: Match) -> Iterator[Fault]:
    for index, pair in enumerate(task.pairs):
        if pair.fits > len(task.right_side):
            yield ("pairs", index, "fits"), f"the right side has {len(task.right_side)}"
    yield from _alike([pair.left for pair in task.pairs], ("pairs",))
    yield from _alike(task.right_side, ("right_side",))


@_faults.register
def _(task: Writing) -> Iterator[Fault]:
    for index, demand in enumerate(task.demands):
        try:
            if not any(re.search(word, task.model) for word in demand.words):
                yield ("demands", index), "the model does not have it"
        except re.error as error:
            yield ("demands", index, "words"), f"{error}"


def _options(options: Sequence[Option], loc: tuple[str | int, ...]) -> Iterator[Fault]:
    keys = sum(option.key for option in options)
    if keys != 1:
        yield loc, f"{keys} keys, exactly one has `key: true`"
    for index, option in enumerate(options):
        if not option.key and not option.why:
            yield (*loc, index), "a wrong option needs a `why`"
    yield from _alike([option.text for option in options], loc)


def _alike(texts: Sequence[str], loc: Loc) -> Iterator[Fault]:
    if len(set(texts)) != len(texts):
        yield loc, "two are the same"
