"""`configs/lessons/lessons.yaml`."""

import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_args

from pydantic import AfterValidator, Field, TypeAdapter, model_validator

from maththera.config_files import ConfigFile, ConfigModel, Text, refuse
from maththera.lessons.courses.course import QuestionType, UserType
from maththera.lessons.courses.course_checks import CourseRules
from maththera.lessons.courses.tasks import FormName
from maththera.lessons.state import AGENT_NAMES, Agent
from maththera.words.output_gate.speech_levels import Speech, wrong_level_sentences

Share = Annotated[float, Field(gt=0, le=1)]
Percent = Annotated[int, Field(ge=0, le=100)]


class Sessions(ConfigModel):
    """What decides whether a chapter goes on. `right`: how many sessions of a chapter have to be passed, of the `most`
    that it may take; `passed`: the least score of each type of question. `question_types`
    are taken in turn, by the session of the chapter."""

    most: Annotated[int, Field(ge=1, le=99)]
    right: Annotated[int, Field(ge=1, le=99)]
    passed: dict[QuestionType, Percent]
    question_types: dict[UserType, Annotated[tuple[QuestionType, ...], Field(min_length=1)]]
    summaries: Annotated[int, Field(ge=1, le=20)]

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if len(self.passed) < 2 or len(self.question_types) < 2:
            raise ValueError("both types of questions and both types of users are needed")
        return self


class Qna(ConfigModel):
    """Limits of likeness, as shares: `like_enough` of letters and `alike` of words, from which a question is taken for
    a frequent one; `tells`, the share of an open answer's words from which a text gives it away. `asking`: words
    without a subject of their own, as the analyser gives them; `about_answer`: the same after a question was just
    answered."""

    like_enough: Share
    alike: Share
    told: Share
    tells: Share
    asking: frozenset[str]
    about_answer: frozenset[str]
    examples: Annotated[int, Field(ge=1, le=10)]


class DraftLengths(ConfigModel):
    """The most characters of each draft."""

    theory: Annotated[int, Field(ge=1)]
    feedback: Annotated[int, Field(ge=1)]
    qna: Annotated[int, Field(ge=1)]


class ModelRules(ConfigModel):
    """What models are told of speech and learner, how long they may write, and how long all drafts of a turn may take
    together."""

    seconds: Annotated[float, Field(gt=0, le=60)]
    longest: DraftLengths
    speech: dict[Speech, Text]
    learner: dict[UserType, Text]


def _expressions(expressions: tuple[str, ...]) -> tuple[str, ...]:
    for expression in expressions:
        try:
            re.compile(expression)
        except re.error as error:
            raise ValueError(f"“{expression}” is no regular expression: {error}") from None
    return expressions


Expressions = Annotated[tuple[Text, ...], AfterValidator(_expressions)]


class Signs(ConfigModel):
    """Regular expressions that show the sense of a message, whose spaces are left out: it is one of the `whole`, or
    holds one of the `words`."""

    whole: Expressions = ()
    words: Expressions = ()


class MessageSigns(ConfigModel):
    """What messages mean, beside the wishes that every room knows. `asks`: those that are questions even where an
    answer is awaited. `orders`: sentences of an explanation that order how to grade it;
    `mistakes`: where one tells of a mistake, and does not make it."""

    go_on: Signs
    question: Signs
    asks: Signs
    asks_for_key: Signs
    orders: Expressions
    mistakes: Signs


TalkKind = Literal[
    "simpler", "restart", "example", "known", "unwilling", "discouraged", "away", "counting", "duration", "harder",
    "others", "guessed", "over", "retry", "result", "robot", "records", "use",
]  # fmt: skip
"""What a message is beside an answer or a question of the matter."""


class Talk(ConfigModel):
    """Examples of messages, and what is replied; nothing where the lesson does something instead."""

    examples: Annotated[tuple[Text, ...], Field(min_length=1)]
    replies: dict[Speech, tuple[Text, ...]] = Field({})


class CommonQuestion(ConfigModel):
    """A question that learners of arithmetic have in several chapters, from the first to the last."""

    ask: Annotated[tuple[Text, ...], Field(min_length=2)]
    answer: Text
    chapters: tuple[int, int]


class Messages(ConfigModel):
    """`messages.yaml`. `like_enough`: how alike a message must be to an example to be of its kind."""

    like_enough: Share
    kinds: dict[TalkKind, Talk]
    questions: tuple[CommonQuestion, ...]


def load_messages(path: Path) -> Messages:
    """ConfigError with a line for each fault."""
    document = ConfigFile.read(path)
    found = document.parse(TypeAdapter(Messages))
    faults = [
        document.fault(("kinds", name, "replies", speech), f"not in {speech} speech: “{sentence}”")
        for name, talk in found.kinds.items()
        for speech, texts in talk.replies.items()
        for text in texts
        for sentence in wrong_level_sentences(text, speech)
    ]
    faults += [
        document.fault(("questions", place, "answer"), f"not in casual speech: “{sentence}”")
        for place, one in enumerate(found.questions)
        for sentence in wrong_level_sentences(one.answer, "casual")
    ]
    faults += [
        document.fault(("kinds",), f"{name} is missing") for name in get_args(TalkKind) if name not in found.kinds
    ]
    refuse(faults)
    return found


class Words(ConfigModel):
    """What is said around the texts of a course, in one level of speech."""

    welcome: Text
    next_chapter: Text
    again: Text
    objectives: str
    before_theory: Text
    check_right: Annotated[tuple[Text, ...], Field(min_length=1)]
    check_help: Text
    check_told: Text
    check_unread: Text
    help_between: Text
    help_below: Text
    help_not: Text
    left_to_right: Text
    other_lessons: Text
    no_question_yet: Text
    fill: Text
    result: Text
    step: Text
    round_first: Text
    found_before: Text
    example: Text
    after_theory: Text
    question: Text
    choose: Text
    how: dict[FormName, Text]
    write: Text
    skipped: Text
    noted: Text
    untrue: Text
    earned_all: Text
    earned_some: Text
    compare: Text
    partly: Text
    solution: Text
    not_a_choice: Text
    not_among: Text
    right_expression: Text
    question_changed: Text
    hint: Text
    no_more_hints: Text
    right: Text
    right_now: Text
    wrong: Text
    once_more: Text
    right_choice: Text
    full_points: Text
    some_points: Text
    said: Text
    model_answer: Text
    does_not_know: Text
    empty: Text
    copied: Text
    foreign: Text
    orders: Text
    after_feedback: Text
    ready_again: Text
    back_to_question: Text
    keeps_key: Text
    keeps_task: Text
    found_in_text: Text
    cannot_answer: Text
    say_more: Text
    not_understood: Text
    pause: Text
    greeting: Text
    private: Text
    hint_later: Text
    rest: Text
    finished: Text
    was_right: Text
    was_missed: Text
    another: Text
    summary: Text
    summary_missed: Text
    summary_asked: Text
    summary_right: Text
    summary_wrong: Text
    summary_hints: Text


_CHAPTER: Final = frozenset({"chapter", "title"})
SLOTS: Final[Mapping[str, frozenset[str]]] = {
    "welcome": _CHAPTER,
    "next_chapter": _CHAPTER,
    "again": _CHAPTER,
    "not_a_choice": frozenset({"count"}),
    "not_among": frozenset({"count"}),
    "hint": frozenset({"number", "hint"}),
    "right_choice": frozenset({"answer"}),
    "write": frozenset({"begin"}),
    "untrue": frozenset({"claim"}),
    "another": _CHAPTER,
    "check_told": frozenset({"key"}),
    "check_unread": frozenset({"ask"}),
    "help_between": frozenset({"low", "high"}),
    "help_below": frozenset({"high"}),
    "help_not": frozenset({"choice"}),
    "fill": frozenset({"question"}),
    "result": frozenset({"result"}),
    "step": frozenset({"work", "say"}),
    "round_first": frozenset({"whole"}),
    "found_before": frozenset({"found"}),
    "example": frozenset({"example"}),
    "was_missed": frozenset({"question"}),
    "summary": frozenset({"chapter", "session", "turns"}),
    "summary_missed": frozenset({"missed"}),
    "summary_asked": frozenset({"asked"}),
    "summary_right": frozenset({"question"}),
    "summary_wrong": frozenset({"question"}),
    "summary_hints": frozenset({"hints"}),
}
"""What is filled into which words; all others stand as they are."""


class LessonConfig(ConfigModel):
    """All numbers and words of a lesson that are not a course's own."""

    default_course: Text
    courses: CourseRules
    sessions: Sessions
    qna: Qna
    models: ModelRules
    reading: MessageSigns
    agents: dict[Agent, Text]
    words: dict[Speech, Words]


def load_lesson_config(path: Path) -> LessonConfig:
    """ConfigError with a line for each fault."""
    document = ConfigFile.read(path)
    config = document.parse(TypeAdapter(LessonConfig))
    refuse(_config_faults(document, config))
    return config


def _config_faults(document: ConfigFile, config: LessonConfig) -> Iterator[str]:
    for speech, words in config.words.items():
        if unsaid := set(get_args(FormName)) - words.how.keys():
            yield document.fault(("words", speech, "how"), f"{', '.join(sorted(unsaid))} is missing")
        texts = words.model_dump()
        praise = [("check_right", text) for text in texts.pop("check_right")]
        for name, text in [*texts.pop("how").items(), *praise, *texts.items()]:
            loc = ("words", speech, *(("how",) if name in words.how else ()), name)
            slots = {slot for _, slot, _, _ in string.Formatter().parse(text) if slot is not None}
            if strange := slots - SLOTS.get(name, frozenset()):
                yield document.fault(loc, f"{', '.join(sorted(strange))}: not filled in here")
            for sentence in wrong_level_sentences(text, speech):
                yield document.fault(loc, f"not in {speech} speech: “{sentence}”")
    if unnamed := AGENT_NAMES.keys() - config.agents.keys():
        yield document.fault(("agents",), f"{', '.join(sorted(unnamed))} is missing")
    if missing := {"casual", "polite"} - config.words.keys():
        yield document.fault(("words",), f"{', '.join(sorted(missing))} is missing")
