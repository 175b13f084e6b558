"""The teacher's report, as a support plan needs it: what is known, why it errs, what was done, what comes next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from maththera.arithmetic.malrules import CATALOGUE
from maththera.knowledge.knowledge import Knowledge
from maththera.learner_model.error_patterns import Example, Pattern
from maththera.learner_model.goals import GoalFigures, goal_text
from maththera.learner_model.recorded_knowledge import Try, school_date
from maththera.learner_model.skill_words import next_skills, told_word
from maththera.learner_model.student_figures import AnswerCounts, SkillFigures, answer_counts
from maththera.reports.records import ChildRecords
from maththera.reports.wording import cause_name, how_long, percent, quoted
from maththera.store.answer_history import Answer

_CAUSES: Final = 4
_ERRORS: Final = 4
_MONTHS: Final = 6
_GOALS: Final = 2
_GOAL_DAYS: Final = 28
_GOAL_RIGHT: Final = 4
_GOAL_TRIES: Final = 5
_NAMED: Final = 3
_COMPARED: Final = 10
"""Unaided first tries before and after a training, at most."""

_NOT_PARTED: Final = "어느 쪽인지는 문제만으로 가를 수 없어요."

_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "할 수 있는 것": ("shown", "kept"),
    "다시 볼 것": ("slipping",),
    "연습하는 것": ("practising", "beginning"),
}
_GROWTH: Final[Mapping[str, tuple[str, ...]]] = {**_GROUPS, "할 수 있을 것으로 보는 것": ("expected",)}
_STRANDS: Final[Mapping[str, str]] = {"N": "수 감각", "+": "덧셈", "-": "뺄셈", "x": "곱셈", "/": "나눗셈"}


@dataclass(frozen=True, slots=True)
class Person:
    """What the school has given of a child; None is left to be written by hand."""

    name: str | None = None
    grade: str | None = None
    teacher: str | None = None


@dataclass(frozen=True, slots=True)
class SkillGroup:
    title: str
    skills: list[SkillFigures]


@dataclass(frozen=True, slots=True)
class MonthStanding:
    """How many skills stood how at the end of a month, or of the period: in the order of `growth_titles`."""

    label: str
    counts: list[int]


@dataclass(frozen=True, slots=True)
class Finding:
    """A stated cause, or a repeated error of which the cause is not known. `count`: answers that show it."""

    name: str
    explanation: str | None
    count: int
    examples: list[Example]
    trainings: list[str]


@dataclass(frozen=True, slots=True)
class TrainingEffect:
    """A training, and the unaided first tries of what had been missed before it: right ones and tries before the first
    time and since. `skill` is None where no miss came before."""

    title: str
    goal: str
    times: int
    first_day: str
    skill: str | None
    before: tuple[int, int]
    after: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChapterLine:
    title: str
    sessions: int
    passed: int


@dataclass(frozen=True, slots=True)
class SessionBar:
    """The answers of one session, for the chart."""

    day: str
    right: int
    wrong: int
    silent: int


@dataclass(frozen=True, slots=True)
class Item:
    """`given` is None without an answer. `counted`: as an unaided first try."""

    expression: str
    given: int | None
    right: int
    seconds: float | None
    counted: bool


@dataclass(frozen=True, slots=True)
class ItemDay:
    day: str
    items: list[Item]


@dataclass(frozen=True, slots=True)
class TeacherReport:
    """Days are ISO dates. `earlier_causes`: stated before the period, and not seen in it.
    `goals` are those that were set, or `suggested` where none was."""

    student: str
    person: Person
    since: str
    until: str
    counts: AnswerCounts
    days: int
    summary: list[str]
    skills: list[SkillGroup]
    expected: list[SkillGroup]
    untested: list[SkillGroup]
    causes: list[Finding]
    earlier_causes: list[str]
    errors: list[Finding]
    trainings: list[TrainingEffect]
    growth_titles: list[str]
    growth: list[MonthStanding]
    sessions: list[SessionBar]
    chapters: list[ChapterLine]
    goals: list[GoalFigures]
    suggested: list[str]
    items: list[ItemDay]

    @property
    def is_empty(self) -> bool:
        return not (self.items or self.chapters)


def teacher_report(records: ChildRecords, goals: Sequence[GoalFigures], person: Person) -> TeacherReport:
    """`goals`: those of the records, as they stand at the end of the period."""
    causes = [_cause(one, records) for one in records.patterns if one.kind == "cause"][:_CAUSES]
    return TeacherReport(
        student=records.student_id,
        person=person,
        since=records.span.since.isoformat(),
        until=records.span.until.isoformat(),
        counts=answer_counts(records.answers),
        days=records.days,
        summary=[*_summary(records, causes)],
        skills=[
            SkillGroup(title, own)
            for title, words in _GROUPS.items()
            if (own := [one for one in records.skills if one["word"] in words])
        ],
        expected=_by_strand(records, "expected"),
        untested=_by_strand(records, "untested"),
        causes=causes,
        earlier_causes=[cause_name(one, records.sources.texts) for one in records.earlier_causes],
        errors=[
            Finding(CATALOGUE[one.id].title, None, one.count, [*one.examples], [])
            for one in records.patterns
            if one.kind == "error"
        ][:_ERRORS],
        trainings=[*training_effects(records)],
        growth_titles=[*_GROWTH],
        growth=_growth(records),
        sessions=session_bars(records),
        chapters=chapter_lines(records),
        goals=[*goals],
        suggested=[] if goals else [*_suggested(records)],
        items=_items(records),
    )


def session_bars(records: ChildRecords) -> list[SessionBar]:
    """The sessions of the period in which something was tried, the oldest first. What was worked through together is
    neither right, wrong nor silence."""
    by_session: dict[str, list[Answer]] = {}
    for answer in records.practised:
        if answer.attempted:
            by_session.setdefault(answer.session_id, []).append(answer)
    return [
        SessionBar(
            day=school_date(own[0].created_at).isoformat(),
            right=sum(one.correct is True for one in own),
            wrong=sum(one.correct is False for one in own),
            silent=sum(one.correct is None for one in own),
        )
        for own in by_session.values()
    ]


def chapter_lines(records: ChildRecords) -> list[ChapterLine]:
    """The chapters of the period, in the order of their first session."""
    found: dict[tuple[str, int], list[bool]] = {}
    for one in records.chapters:
        found.setdefault((one.course, one.chapter), []).append(one.passed)
    titles = records.sources.chapters
    return [
        ChapterLine(titles.get(key, f"{key[0]} {key[1]}장"), len(passed), sum(passed)) for key, passed in found.items()
    ]


def newly_understood(records: ChildRecords) -> list[str]:
    """The skills that are shown now and were not when the period began, in teaching order."""
    before = records.knowledge_before
    return [
        one["skill_id"]
        for one in records.skills
        if records.knowledge[one["skill_id"]].understood and not before[one["skill_id"]].understood
    ]


def _summary(records: ChildRecords, causes: Sequence[Finding]) -> Iterator[str]:
    counts, names = answer_counts(records.answers), records.sources.model.skills
    if counts["accuracy"] is None and not records.chapters:
        yield "이 기간에는 공부한 기록이 없어요. 공부를 시작하면 이 자리에 할 수 있는 것과 오답의 원인이 나타나요."
        return
    if counts["accuracy"] is not None:
        yield (
            f"{how_long(records.days)} {counts['answered']:,}문제를 풀어 {counts['right']:,}문제"
            f"({percent(counts['accuracy'])})를 맞혔어요."
        )
    if records.chapters:
        yield f"수업은 {len(records.chapters)}번 했어요."
    if new := [names[one].name for one in newly_understood(records)]:
        some = f" 외 {len(new) - _NAMED}가지" if len(new) > _NAMED else ""
        yield f"새로 할 수 있게 된 것: {quoted(new[:_NAMED])}{some}."
    if causes:
        yield f"확인된 오답의 원인: {quoted([one.name for one in causes])}."
    elif counts["right"] < counts["answered"]:
        yield "이 기간에 확인된 오답의 원인은 없어요. 한두 번의 실수는 원인으로 적지 않아요."
    if following := [names[one].name for one in next_skills(records.knowledge)]:
        yield f"다음에 할 것: {quoted(following)}."


def _by_strand(records: ChildRecords, word: str) -> list[SkillGroup]:
    return [
        SkillGroup(title, own)
        for strand, title in _STRANDS.items()
        if (own := [one for one in records.skills if one["word"] == word and one["strand"] == strand])
    ]


def _cause(pattern: Pattern, records: ChildRecords) -> Finding:
    texts = records.sources.texts
    causes = [texts.causes[tag] for tag in pattern.together]
    explanation = " ".join([*(one.explanation for one in causes), *([_NOT_PARTED] if len(causes) > 1 else [])])
    trainings = [texts.trainings[one].title for one in causes[0].trainings]
    return Finding(cause_name(pattern, texts), explanation, pattern.count, [*pattern.examples], trainings)


def training_effects(records: ChildRecords) -> Iterator[TrainingEffect]:
    """In the order in which they were begun in the period."""
    done: dict[str, list[Answer]] = {}
    for answer in records.answers:
        if answer.training_id is not None:
            done.setdefault(answer.training_id, []).append(answer)
    for training_id, own in done.items():
        text, first = records.sources.texts.trainings[training_id], own[0]
        skill = _missed_before(first, records)
        tries = [one for one in records.tries if skill is not None and one.skill_id == skill]
        earlier = [one for one in tries if one.answer.created_at < first.created_at][-_COMPARED:]
        later = [one for one in tries if one.answer.created_at > first.created_at][-_COMPARED:]
        yield TrainingEffect(
            title=text.title,
            goal=text.goal,
            times=len(own),
            first_day=school_date(first.created_at).isoformat(),
            skill=None if skill is None else records.sources.model.skills[skill].name,
            before=_share(earlier),
            after=_share(later),
        )


def _missed_before(training: Answer, records: ChildRecords) -> str | None:
    """The skill of the last problem of the session that was missed before a training."""
    missed = [
        one.problem_id
        for one in records.answers
        if one.session_id == training.session_id and one.turn < training.turn and one.correct is False
    ]
    problem = records.sources.bank.get(missed[-1]) if missed and missed[-1] is not None else None
    skill = records.sources.model.skills.of_problem(problem) if problem is not None else None
    return None if skill is None else skill.skill_id


def _share(tries: Sequence[Try]) -> tuple[int, int]:
    return sum(one.right for one in tries), len(tries)


def _growth(records: ChildRecords) -> list[MonthStanding]:
    """At the ends of the last months since the first answer, and at the end of the period."""
    if not records.all_answers:
        return []
    first, until = school_date(records.all_answers[0].created_at), records.span.until
    ends = [until]
    while len(ends) < _MONTHS and (earlier := ends[0].replace(day=1) - timedelta(days=1)) >= first:
        ends.insert(0, earlier)
    known = records.knowledge_on(ends)
    return [MonthStanding(f"{end.month}월 {end.day}일", _standing(one)) for end, one in zip(ends, known, strict=True)]


def _standing(knowledge: Knowledge) -> list[int]:
    words = [told_word(knowledge, skill_id) for skill_id in knowledge]
    return [sum(word in group for word in words) for group in _GROWTH.values()]


def _suggested(records: ChildRecords) -> Iterator[str]:
    """A goal for each of the next skills, with how it stands now."""
    if not records.all_answers:
        return
    due = records.span.until + timedelta(days=_GOAL_DAYS)
    for skill_id in next_skills(records.knowledge)[:_GOALS]:
        right, tried = _share([one for one in records.tries if one.skill_id == skill_id][-_GOAL_TRIES:])
        now = f"지금은 마지막 {tried}문제 가운데 {right}문제" if tried else "지금은 아직 물어보지 않음"
        name = records.sources.model.skills[skill_id].name
        yield f"{goal_text(name, _GOAL_RIGHT, _GOAL_TRIES, due)} ({now})"


def _items(records: ChildRecords) -> list[ItemDay]:
    unaided = {(one.answer.session_id, one.answer.turn) for one in records.tries}
    days: dict[date, list[Item]] = {}
    for answer in records.answers:
        problem = records.sources.bank.get(answer.problem_id) if answer.problem_id is not None else None
        if answer.attempted and problem is not None:
            item = Item(
                expression=problem.expression,
                given=answer.given,
                right=problem.answer,
                seconds=None if answer.rt_ms is None else round(answer.rt_ms / 1000, 1),
                counted=(answer.session_id, answer.turn) in unaided,
            )
            days.setdefault(school_date(answer.created_at), []).append(item)
    return [ItemDay(day.isoformat(), items) for day, items in days.items()]
