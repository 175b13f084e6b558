"""What a child knows, worked out from its recorded answers, those from before skills were recorded too."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from maththera.arithmetic.problem_bank import Bank
from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.knowledge.model import KnowledgeModel
from maththera.korean.dates import KOREA
from maththera.store.answer_history import LESSON, Answer

_LESSON_WEIGHT: Final = 0.5
"""A choice among four says less than a number that was typed."""


def school_date(moment: datetime) -> date:
    return moment.astimezone(KOREA).date()


def school_day(moment: datetime) -> int:
    """The day at school, as `date.toordinal` counts."""
    return school_date(moment).toordinal()


def today() -> date:
    return school_date(datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class Try:
    """An unaided first try of a skill."""

    skill_id: str
    day: date
    right: bool
    answer: Answer


def recorded_knowledge(
    answers: Iterable[Answer], model: KnowledgeModel, bank: Bank, now: datetime | None = None
) -> Knowledge:
    """The knowledge after these answers, which stand in the order of time, on the day of `now`."""
    knowledge = Knowledge.start(model, 0).after(*(one for _, one in _recorded_evidence(answers, model, bank)))
    return knowledge.on_day(school_day(now or datetime.now(UTC)))


def knowledge_on_days(
    answers: Iterable[Answer], model: KnowledgeModel, bank: Bank, days: Sequence[date]
) -> list[Knowledge]:
    """The knowledge at the end of each of these days, which are in order; the answers as in `recorded_knowledge`."""
    knowledge = Knowledge.start(model, 0)
    left = deque(one for _, one in _recorded_evidence(answers, model, bank))
    found: list[Knowledge] = []
    for end in (day.toordinal() for day in days):
        own: list[Evidence] = []
        while left and left[0].day <= end:
            own.append(left.popleft())
        knowledge = knowledge.after(*own)
        found.append(knowledge.on_day(end))
    return found


def unaided_tries(answers: Iterable[Answer], model: KnowledgeModel, bank: Bank) -> list[Try]:
    """The tries that `SkillKnowledge` counts, in the order of the answers."""
    return [
        Try(one.skill_id, date.fromordinal(one.day), one.right, answer)
        for answer, one in _recorded_evidence(answers, model, bank)
        if one.tried and not one.aided and one.chance is None
    ]


def _recorded_evidence(
    answers: Iterable[Answer], model: KnowledgeModel, bank: Bank
) -> Iterator[tuple[Answer, Evidence]]:
    shown: set[tuple[str, str]] = set()
    known = {skill.skill_id for skill in model.skills}
    for answer in answers:
        for one in _evidence(answer, model, bank, shown):
            if one.skill_id in known:
                yield answer, one


def _evidence(answer: Answer, model: KnowledgeModel, bank: Bank, shown: set[tuple[str, str]]) -> Iterable[Evidence]:
    if answer.evidence is not None:
        day = school_day(answer.created_at)
        return [Evidence(skill_id, right, day, *rest) for skill_id, right, _, *rest in answer.evidence]
    if answer.problem_id is None or answer.correct is None or (problem := bank.get(answer.problem_id)) is None:
        return []
    skill = model.skills.of_problem(problem)
    if skill is None or (not answer.correct and (answer.cause_tag or "").startswith("ATTENTION")):
        return []
    first = (answer.session_id, problem.key) not in shown
    shown.add((answer.session_id, problem.key))
    return [
        Evidence(
            skill.skill_id,
            answer.correct,
            school_day(answer.created_at),
            aided=not first or answer.kind not in ("problem", LESSON),
            fast=answer.pattern == "correct_fast",
            weight=_LESSON_WEIGHT if answer.kind == LESSON else 1.0,
            difficulty=model.difficulty(problem),
        )
    ]
