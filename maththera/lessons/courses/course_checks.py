"""What a schema cannot see in a chapter: whether its pointers lead somewhere, its numbers are right, its distractors
are what they say they are, and its questions can be answered from its explanation.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem, ProblemError, make_problem, parse_expression
from maththera.config_files import ConfigFile, Loc
from maththera.lessons.courses.answer_key_leaks import leaks_answer
from maththera.lessons.courses.course import USER_TYPES, Chapter, CourseHead, MultipleChoice, Question, Subjective
from maththera.lessons.courses.task_checks import task_faults
from maththera.words.output_gate.false_statements import wrong_equations
from maththera.words.output_gate.speech_levels import wrong_level_sentences

_WRONG_ALLOWED: Final = frozenset({"choices", "gaps", "steps", "right_side"})
Count = Annotated[int, Field(ge=1)]
Fault = tuple[Loc, str]


class CourseRules(BaseModel):
    """What a chapter must at least hold: numbers of each kind, and characters of each explanation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    multiple_choice: Count
    subjective: Count
    for_each_user_type: Count
    calculated: Count
    qna: Count
    paragraphs: Count
    characters: Count


def chapter_faults(document: ConfigFile, chapter: Chapter, head: CourseHead, rules: CourseRules) -> list[str]:
    """A line `file:line: field: reason` for every fault of a chapter that fits the schema."""
    found: list[Fault] = [*_amounts(chapter, rules), *_pointers(chapter), *_questions(chapter), *_points(chapter)]
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
        if (written := sum(len(each.text) for each in paragraphs)) < rules.characters:
            yield ("explanation", user_type), f"{written} characters, {rules.characters} are needed"
        for kind in (MultipleChoice.type, Subjective.type):
            left = len(chapter.questions_for(user_type, kind))
            if left < rules.for_each_user_type:
                yield (kind,), f"{left} for {user_type}, {rules.for_each_user_type} are needed"


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
            if key not in ("id", "unit", "malrule", "problem", "form", "claims", "against", "ask", "user_types"):
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
