"""A course as data: `configs/lessons/courses/<id>/course.yaml` and a file for each chapter, `chapter_01.yaml` ….

Everything is read and checked at once; a course with a fault is refused whole.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Final, Literal, get_args

from pydantic import BeforeValidator, Field, TypeAdapter

from maththera.arithmetic.problem import Form
from maththera.arithmetic.strategies import Picture
from maththera.config_files import ConfigModel, Text
from maththera.lessons.courses.tasks import Task

UserType = Literal["beginner", "advanced"]
QuestionType = Literal["multiple_choice", "subjective"]
USER_TYPES: Final[tuple[UserType, ...]] = get_args(UserType)

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
UserTypes = Annotated[tuple[UserType, ...], Field(min_length=1)]
_NUMBER: Final = re.compile(r"\d+")
CHAPTER_FILE: Final = re.compile(r"chapter_(\d\d)\.yaml")


class Check(ConfigModel):
    """What is asked after a piece of an explanation: a number, or one of `choices`. `also`: other numbers that are as
    right (50 for five tens). `drawn`: the piece's picture is of what is asked, not of the example before it."""

    ask: Text
    key: int | str
    choices: tuple[Text, ...] = ()
    also: tuple[int, ...] = ()
    drawn: bool = False


def _picture(written: object) -> object:
    """From how a course writes it: "number_line join 5 1"."""
    if not isinstance(written, str):
        return written
    mode, model, *shown = written.split()
    return {"mode": mode, "model": model, "shown": shown}


class Paragraph(ConfigModel):
    """A piece of an explanation, told at once: a few short lines, what is drawn to them, and a check. `again`: the same
    in another way, for who has not understood. `work`: a calculation ("15-8") that is done together after the lines,
    one step of its strategy after the other; it brings pictures, checks and other ways of its own. `id`: what questions
    point to."""

    id: Name
    text: Text
    picture: Annotated[Picture, BeforeValidator(_picture)] | None = None
    check: Check | None = None
    again: str = ""
    work: str | None = None


class Choice(ConfigModel):
    """`why`: what choosing it tells, said to the learner. `malrule`: the wrong procedure that gives this number."""

    text: Text
    key: bool = False
    malrule: str | None = None
    why: Text

    @property
    def number(self) -> int | None:
        """The one number that a choice of a calculated question holds."""
        found = _NUMBER.findall(self.text)
        return int(found[0]) if len(found) == 1 else None


class _Question(ConfigModel):
    """`number` names it within its chapter. `paragraphs`: where the explanation answers it. `explanation` is said with
    every evaluation, `deeper` to advanced learners besides."""

    number: Annotated[int, Field(ge=1, le=999)]
    user_types: UserTypes = USER_TYPES
    paragraphs: Annotated[tuple[Name, ...], Field(min_length=1)]
    question: Text
    explanation: Text
    deeper: str = ""
    hints: Annotated[tuple[Text, ...], Field(min_length=2, max_length=2)]


class MultipleChoice(_Question):
    """`problem` is what is calculated, if anything ("8+6"), asked in this `form`; the key is then its answer."""

    problem: str | None = None
    form: Form = "result"
    choices: Annotated[tuple[Choice, ...], Field(min_length=4, max_length=4)]

    type: ClassVar[QuestionType] = "multiple_choice"

    @property
    def key(self) -> Choice:
        return next(choice for choice in self.choices if choice.key)


class RubricPoint(ConfigModel):
    """One thing a full explanation says, worth `weight` of 100. Only a language model can tell whether it is said."""

    id: Name
    says: Text
    weight: Annotated[int, Field(ge=1, le=100)]


class Subjective(_Question):
    """A question in two steps: a `task` that rules judge exactly, then `explain`, answered in a sentence or two.
    `begin`: how they may begin; `points`: a rubric for models, whose weights add up to 100."""

    task: Task
    explain: Text
    begin: Text
    model_answer: Text
    points: Annotated[tuple[RubricPoint, ...], Field(min_length=1)]

    type: ClassVar[QuestionType] = "subjective"


Question = MultipleChoice | Subjective


class FrequentQuestion(ConfigModel):
    """A question learners often have, in several wordings, and its answer."""

    ask: Annotated[tuple[Text, ...], Field(min_length=2)]
    answer: Text
    paragraphs: tuple[Name, ...] = ()


class Explanation(ConfigModel):
    """The same matter explained for beginners and for advanced learners; ids of paragraphs are unique over both."""

    beginner: Annotated[tuple[Paragraph, ...], Field(min_length=1)]
    advanced: Annotated[tuple[Paragraph, ...], Field(min_length=1)]

    def of(self, user_type: UserType) -> tuple[Paragraph, ...]:
        return self.beginner if user_type == "beginner" else self.advanced


class Chapter(ConfigModel):
    """One chapter of a course: what a learning session explains and asks. `name`: what the learner hears it called,
    where the `title` has the terms of a curriculum."""

    chapter: Annotated[int, Field(ge=1, le=99)]
    title: Text
    name: Text | None = None
    unit: Annotated[str, Field(pattern=r"^Cur-C([1-9]|1[0-5])$")] | None = None
    objectives: Annotated[tuple[Text, ...], Field(min_length=2)]
    explanation: Explanation
    multiple_choice: tuple[MultipleChoice, ...]
    subjective: tuple[Subjective, ...]
    qna: tuple[FrequentQuestion, ...]

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        return (*self.multiple_choice, *self.subjective)

    @cached_property
    def paragraphs(self) -> Mapping[str, Paragraph]:
        """By id, of both user types."""
        return {each.id: each for each in (*self.explanation.beginner, *self.explanation.advanced)}

    def question(self, number: int) -> Question:
        """KeyError when no question has this number."""
        for each in self.questions:
            if each.number == number:
                return each
        raise KeyError(number)

    def questions_for(self, user_type: UserType, question_type: QuestionType) -> tuple[Question, ...]:
        """In the order of the file."""
        return tuple(each for each in self.questions if each.type == question_type and user_type in each.user_types)


class CourseHead(ConfigModel):
    """`course.yaml`. `kind` arithmetic: chapter n teaches Cur-Cn, and what is calculated is calculated again by the
    checker. `speech`: casual (반말) or polite (존댓말), in all texts of the course and in what is said around them."""

    id: Name
    title: Text
    description: Text
    kind: Literal["arithmetic", "general"]
    speech: Literal["casual", "polite"]


@dataclass(frozen=True, slots=True)
class Course:
    """A whole course; `chapters` by number, in their order."""

    head: CourseHead
    chapters: Mapping[int, Chapter]

    @property
    def id(self) -> str:
        return self.head.id

    def next_chapter(self, chapter: int) -> int | None:
        """The number of the chapter that follows; None after the last."""
        return next((number for number in self.chapters if number > chapter), None)

    def nearest_chapter(self, chapter: int) -> int:
        """This chapter, or the nearest one if the course no longer has it; of two equally near, the later."""
        return min(self.chapters, key=lambda number: (abs(number - chapter), -number))


HEAD: Final = TypeAdapter(CourseHead)
CHAPTER: Final = TypeAdapter(Chapter)
