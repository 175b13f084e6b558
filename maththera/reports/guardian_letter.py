"""The letter to a guardian: what the child can do, what comes next, and five minutes together at home. It has no code,
no share and no word about what went wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies import Picture, Step
from maththera.knowledge.explanations import explained
from maththera.learner_model.skill_words import next_skills
from maththera.learner_model.student_figures import answer_counts
from maththera.reports.records import ChildRecords
from maththera.reports.teacher_report import ChapterLine, Person, chapter_lines, newly_understood
from maththera.reports.wording import THINGS_AT_HOME, how_long

_SHOWN: Final = 5
_STEPS: Final = range(2, 5)
_ROW: Final = 6
_PIECES: Final = 1000

Solved = tuple[Problem, Sequence[Step]]
"""A problem and its steps."""


@dataclass(frozen=True, slots=True)
class ActivityStep:
    """What to say, and what lies on the table then."""

    say: str
    expression: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class HomeActivity:
    """A problem of the skill that comes next, step by step; three of them where each is done in one step."""

    skill: str
    expression: str
    things: str
    steps: list[ActivityStep]


@dataclass(frozen=True, slots=True)
class AbleSkill:
    """A skill that was shown. `new`: in this period."""

    name: str
    new: bool


@dataclass(frozen=True, slots=True)
class GuardianLetter:
    """Skills by the names that the child knows, the highest first of what it can do, else the easiest. `more`,
    `expected_more`: how many there are besides those named."""

    student: str
    person: Person
    since: str
    until: str
    greeting: str
    able: list[AbleSkill]
    more: int
    expected: list[str]
    expected_more: int
    learning: list[str]
    following: list[str]
    chapters: list[ChapterLine]
    activity: HomeActivity | None

    @property
    def is_empty(self) -> bool:
        return not (self.able or self.learning or self.chapters)


def guardian_letter(records: ChildRecords, person: Person) -> GuardianLetter:
    names = records.sources.model.skills
    new, following = newly_understood(records), next_skills(records.knowledge)
    shown = [one["skill_id"] for one in reversed(records.skills) if records.knowledge[one["skill_id"]].understood]
    able = [AbleSkill(names[one].child, one in new) for one in sorted(shown, key=lambda one: one not in new)]
    expected = [one["skill_id"] for one in records.skills if one["word"] == "expected"]
    learning = [
        one["skill_id"]
        for one in records.skills
        if one["word"] in ("practising", "beginning", "slipping") and one["skill_id"] not in following
    ]
    begun = bool(records.all_answers)
    return GuardianLetter(
        student=records.student_id,
        person=person,
        since=records.span.since.isoformat(),
        until=records.span.until.isoformat(),
        greeting=_greeting(records),
        able=able[:_SHOWN],
        more=max(0, len(able) - _SHOWN),
        expected=[names[one].child for one in expected[:_SHOWN]],
        expected_more=max(0, len(expected) - _SHOWN),
        learning=[names[one].child for one in learning[:_SHOWN]],
        following=[names[one].child for one in following] if begun else [],
        chapters=chapter_lines(records),
        activity=_activity(records, [*following, *learning, *expected]) if begun else None,
    )


def _greeting(records: ChildRecords) -> str:
    answered = answer_counts(records.answers)["answered"]
    if not answered and not records.chapters:
        return "이 기간에는 함께 공부한 기록이 없어요. 하루 10분씩, 아이가 편한 시간에 시작해 보세요."
    done = [f"{answered:,}문제를 풀었어요"] if answered else []
    done += [f"수업을 {len(records.chapters)}번 했어요"] if records.chapters else []
    return f"아이가 이 기간에 {how_long(records.days)} {' '.join(f'{one}.' for one in done)}"


def _activity(records: ChildRecords, skills: Sequence[str]) -> HomeActivity | None:
    """With a problem of the first of these skills that has one to be laid on a table, of more than one step if there
    is such a one, else with some, from the easiest to the hardest: one step is no five minutes."""
    for skill_id in skills:
        solved = [(one, explained(one)) for one in _fresh_problems(records, skill_id)]
        fit = [one for one in solved if all(_can_be_laid(step.picture) for step in one[1])]
        chosen = [one for one in fit if len(one[1]) in _STEPS][:1] or _spread(fit)
        if chosen:
            steps = [step for _, own in chosen for step in own]
            return HomeActivity(
                skill=records.sources.model.skills[skill_id].child,
                expression=", ".join(problem.expression for problem, _ in chosen),
                things=THINGS_AT_HOME[steps[0].mode],
                steps=[ActivityStep(step.say, step.expression, step.picture) for step in steps],
            )
    return None


def _spread(solved: Sequence[Solved]) -> list[Solved]:
    """The easiest of one step, the hardest, and one between; where all have many steps, the easiest."""
    short = [one for one in solved if len(one[1]) == 1]
    return [short[place] for place in sorted({0, len(short) // 2, len(short) - 1})] if short else [*solved[:1]]


def _fresh_problems(records: ChildRecords, skill_id: str) -> Iterator[Problem]:
    """Problems that the child was not asked and is not being asked: what waits for its answer in a session is not told
    here."""
    bank = records.sources.bank
    asked = [bank.get(one) for one in (*records.open_problems, *(one.problem_id or "" for one in records.all_answers))]
    known = {problem.key for problem in asked if problem is not None}
    return (problem for problem in records.sources.problems(skill_id) if problem.key not in known)


def _can_be_laid(picture: Picture) -> bool:
    rows = picture.mode == "array" and picture.model == "groups"
    return picture.fits and max(picture.shown) <= (_ROW if rows else _PIECES)
