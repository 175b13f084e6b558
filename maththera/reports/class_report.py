"""The report on a class: who needs what today, who can work on the same, and how each child stands."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, Literal

from maththera.arithmetic.curriculum import LOWEST_C, UNITS
from maththera.knowledge.explanations import explained
from maththera.knowledge.knowledge import Knowledge
from maththera.knowledge.skills import Strand
from maththera.korean.dates import spoken_day
from maththera.korean.particles import with_particle
from maththera.learner_model.error_patterns import Pattern
from maththera.learner_model.goals import GoalFigures
from maththera.learner_model.recorded_knowledge import school_date
from maththera.learner_model.skill_words import first_lacking, next_skills, strands_begun
from maththera.learner_model.student_figures import AnswerCounts, answer_counts
from maththera.reports.records import ChildRecords, Sources, Span
from maththera.reports.wording import cause_name, quoted
from maththera.store.review_queue import OpenCounts

_AWAY_DAYS: Final = 7
_SOON_DAYS: Final = 7
_HARD_TRIES: Final = 4
"""With so many unaided first tries in the period, at most half of them right, a skill is hard for a child; or, where
it is no skill alone, what it is asked."""
_GROUP: Final = 2
_TODAY: Final = 5
"""With so many children an adult can sit on one day."""
_CAN: Final = ("shown", "kept")
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "할 수 있음": _CAN,
    "할 수 있을 것": ("expected",),
    "연습 중": ("practising", "beginning"),
    "다시 볼 것": ("slipping",),
    "안 물어봄": ("untested",),
}


NeedCode = Literal[
    "not_started",
    "hard_session",
    "same_cause",
    "slipping_skill",
    "hard_skill",
    "many_misses",
    "no_response",
    "goal_due",
    "review_open",
    "away",
]


_URGENCY: Final[Sequence[NeedCode]] = (
    "hard_session",
    "same_cause",
    "hard_skill",
    "many_misses",
    "slipping_skill",
    "no_response",
    "goal_due",
    "review_open",
    "not_started",
    "away",
)
"""The most urgent first."""


@dataclass(frozen=True, slots=True)
class Need:
    """A reason why an adult should sit with a child."""

    code: NeedCode
    says: str


@dataclass(frozen=True, slots=True)
class NextSkill:
    """`so_far`: how often it was asked, and how often right."""

    name: str
    so_far: str


@dataclass(frozen=True, slots=True)
class Classmate:
    """`standing`: how many skills stand how, in the order of `standing_titles`. `units`: strand → the title of the unit
    that is under way in it, None where all of it is known. `moved`: how many skills more can be done than before the
    period. `causes`: the names of those stated in the period. `needs`: why an adult should sit with the child, the
    weightiest first. `following`: the skills that come next, by id."""

    student: str
    counts: AnswerCounts
    days: int
    lessons: int
    last_day: str | None
    standing: list[int]
    units: dict[Strand, str | None]
    moved: int
    causes: list[str]
    needs: list[Need]
    following: dict[str, NextSkill]


@dataclass(frozen=True, slots=True)
class Member:
    student: str
    why: str


@dataclass(frozen=True, slots=True)
class SkillGroup:
    """Children who go on with the same skill, and how it is explained."""

    skill_id: str
    skill: str
    members: list[Member]
    example: str
    steps: list[str]


@dataclass(frozen=True, slots=True)
class ClassReport:
    """`accuracy`: 0 to 1, None without an answer. `today`: the children to sit with today, the most urgent first, as
    `students` calls them."""

    since: str
    until: str
    answered: int
    right: int
    accuracy: float | None
    summary: list[str]
    today: list[str]
    standing_titles: list[str]
    students: list[Classmate]
    groups: list[SkillGroup]

    @property
    def is_empty(self) -> bool:
        return not any(one.days for one in self.students)


def class_report(
    span: Span, sources: Sources, classmates: Sequence[Classmate], names: Mapping[str, str]
) -> ClassReport:
    """`names`: what a child is called, by its id, where that is known; two of one name have their ids too."""
    called = Counter(names.values())
    shown = {one: name if called[name] == 1 else f"{name} {one}" for one, name in names.items()}
    students = [replace(one, student=shown.get(one.student, one.student)) for one in classmates]
    answered, right = (sum(one.counts[key] for one in students) for key in ("answered", "right"))
    return ClassReport(
        since=span.since.isoformat(),
        until=span.until.isoformat(),
        answered=answered,
        right=right,
        accuracy=round(right / answered, 3) if answered else None,
        summary=[*_summary(students)],
        today=[one.student for one in _needy(students)[:_TODAY]],
        standing_titles=[*_WORDS],
        students=students,
        groups=_groups(students, sources),
    )


def classmate(records: ChildRecords, goals: Sequence[GoalFigures], waiting: OpenCounts) -> Classmate:
    """A child as the report on its class has it, called by its id. `goals`: as they stand at the end of the period;
    `waiting`: its open entries of the review queue."""
    words = [one["word"] for one in records.skills]
    patterns = records.patterns
    moments = [one.created_at for one in records.all_answers] + [one.ended_at for one in records.chapters]
    last = school_date(max(moments)) if moments else None
    skills = records.sources.model.skills
    following = next_skills(records.knowledge) if moments else ()
    return Classmate(
        student=records.student_id,
        counts=answer_counts(records.answers),
        days=records.days,
        lessons=len(records.chapters),
        last_day=last.isoformat() if last else None,
        standing=[sum(word in group for word in words) for group in _WORDS.values()],
        units=_units(records),
        moved=_shown(records.knowledge) - _shown(records.knowledge_before),
        causes=[cause_name(one, records.sources.texts) for one in patterns if one.kind == "cause"],
        needs=[*_needs(records, patterns, goals, waiting, last)],
        following={one: NextSkill(skills[one].name, _how_it_went(records.knowledge, one)) for one in following},
    )


def _units(records: ChildRecords) -> dict[Strand, str | None]:
    knowledge, skills = records.knowledge, records.sources.model.skills
    lacking = {strand: first_lacking(knowledge, strand) for strand in strands_begun(knowledge)}
    return {
        strand: skill_id and UNITS[skills[skill_id].c_level - LOWEST_C].title for strand, skill_id in lacking.items()
    }


def _shown(knowledge: Knowledge) -> int:
    return sum(knowledge[one.skill_id].word in _CAN for one in knowledge.skills)


def _needs(
    records: ChildRecords,
    patterns: Sequence[Pattern],
    goals: Sequence[GoalFigures],
    waiting: OpenCounts,
    last: date | None,
) -> Iterator[Need]:
    until = records.span.until
    if last is None:
        yield Need("not_started", "아직 시작하지 않았어요.")
    if waiting.hard_sessions:
        yield Need("hard_session", "너무 어려워서 끝난 활동이 있어요.")
    for pattern in patterns:
        if pattern.kind == "cause":
            cause = quoted([cause_name(pattern, records.sources.texts)])
            yield Need("same_cause", f"{with_particle(cause, '이가')} 보인 답이 {pattern.count}개예요.")
    yield from _skill_needs(records)
    if silent := sum(pattern.count for pattern in patterns if pattern.kind == "no_response"):
        yield Need("no_response", f"대답 없이 지나간 문제가 {silent}개예요.")
    for goal in goals:
        due = date.fromisoformat(goal["due"])
        if goal["status"] == "open" and due - until <= timedelta(days=_SOON_DAYS):
            yield Need("goal_due", f"{quoted([goal['name']])} 목표의 날이 {spoken_day(due)}이에요.")
    if waiting.others:
        yield Need("review_open", f"살펴볼 것이 {waiting.others}가지 있어요.")
    if last is not None and (away := (until - last).days) >= _AWAY_DAYS:
        yield Need("away", f"{away}일 동안 공부하지 않았어요.")


def _skill_needs(records: ChildRecords) -> Iterator[Need]:
    hard = False
    counted: dict[str, list[bool]] = {}
    for attempt in records.period_tries:
        counted.setdefault(attempt.skill_id, []).append(attempt.right)
    for one in records.skills:
        own = counted.get(one["skill_id"], [])
        right, tried = sum(own), len(own)
        if one["word"] == "slipping":
            yield Need("slipping_skill", f"{quoted([one['name']])}: 전에는 했는데 다시 볼 때예요.")
        elif tried >= _HARD_TRIES and 2 * right <= tried:
            hard = True
            how = f"{tried}번 가운데 {right}번 맞혔어요" if right else f"{tried}번 물어봤고 아직 못 맞혔어요"
            yield Need("hard_skill", f"{quoted([one['name']])}: {how}.")
    every = [attempt.right for attempt in records.period_tries]
    right, tried = sum(every), len(every)
    if not hard and tried >= _HARD_TRIES and 2 * right <= tried:
        how = f"{right}문제만 맞혔어요" if right else "맞힌 것이 없어요"
        yield Need("many_misses", f"{tried}문제 가운데 {how}.")


def _groups(students: Sequence[Classmate], sources: Sources) -> list[SkillGroup]:
    """The largest first; a group has at least two."""
    members: dict[str, list[Member]] = {}
    for one in students:
        for skill_id, skill in one.following.items():
            members.setdefault(skill_id, []).append(Member(one.student, skill.so_far))
    order = sources.model.skills.order
    found = [(skill_id, own) for skill_id, own in members.items() if len(own) >= _GROUP]
    found.sort(key=lambda one: (-len(one[1]), order[one[0]]))
    return [_group(skill_id, own, sources) for skill_id, own in found]


def _group(skill_id: str, members: list[Member], sources: Sources) -> SkillGroup:
    name, problems = sources.model.skills[skill_id].name, [*sources.problems(skill_id)]
    if not problems:
        return SkillGroup(skill_id, name, members, "", [])
    solved = ((one, explained(one)) for one in problems)
    problem, steps = next((one for one in solved if len(one[1]) > 1), (problems[0], explained(problems[0])))
    return SkillGroup(skill_id, name, members, problem.expression, [step.expression for step in steps])


def _how_it_went(knowledge: Knowledge, skill_id: str) -> str:
    known = knowledge[skill_id]
    return f"{known.tries}번 가운데 {known.right}번" if known.tries else "처음"


def _summary(students: Sequence[Classmate]) -> Iterator[str]:
    """The sentences that a teacher should see first."""
    active = sum(one.days > 0 for one in students)
    if not active:
        yield "이 기간에는 아무도 공부하지 않았어요."
        return
    yield f"{len(students)}명 가운데 {active}명이 공부했어요." if active < len(students) else "모두 공부했어요."
    if needy := len(_needy(students)):
        later = f" 그 밖에 {needy - _TODAY}명은 다음에 봐도 돼요." if needy > _TODAY else ""
        yield f"오늘 함께 볼 아이는 {min(needy, _TODAY)}명이에요.{later}"


def _needy(students: Sequence[Classmate]) -> list[Classmate]:
    """Those with a need: first who has the most urgent one, of equal ones who has more."""
    return sorted(
        (one for one in students if one.needs),
        key=lambda one: (min(_URGENCY.index(need.code) for need in one.needs), -len(one.needs)),
    )
