"""What a report is made from: a child's records until the end of a period, and the catalogues that name them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from pathlib import Path
from typing import Self

from pydantic import BaseModel, TypeAdapter

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.config_files import ConfigFile
from maththera.knowledge.knowledge import Knowledge
from maththera.knowledge.model import KnowledgeModel, load_knowledge_model
from maththera.knowledge.skills import NUMBER_SENSE
from maththera.korean.dates import KOREA
from maththera.learner_model.cause_texts import CauseTexts, load_cause_texts
from maththera.learner_model.error_patterns import Pattern, find_patterns
from maththera.learner_model.recorded_knowledge import Try, knowledge_on_days, school_date, unaided_tries
from maththera.learner_model.student_figures import SkillFigures, skill_figures
from maththera.store.answer_history import LESSON, Answer
from maththera.store.goals import Goal
from maththera.store.lesson_sessions import ChapterSession


class _Titled(BaseModel):
    title: str


@dataclass(frozen=True, slots=True)
class Sources:
    """The catalogues. `chapters`: course and number → title."""

    model: KnowledgeModel
    texts: CauseTexts
    bank: Bank
    chapters: Mapping[tuple[str, int], str]

    @classmethod
    def load(cls, configs: Path, bank: Bank, model: KnowledgeModel | None = None) -> Self:
        """ConfigError names what is wrong."""
        titled = TypeAdapter(_Titled)
        chapters = {
            (path.parent.name, int(path.stem.removeprefix("chapter_"))): ConfigFile.read(path).parse(titled).title
            for path in (configs / "lessons" / "courses").glob("*/chapter_*.yaml")
        }
        return cls(model or load_knowledge_model(configs, bank), load_cause_texts(configs), bank, chapters)

    def problems(self, skill_id: str) -> Iterator[Problem]:
        """The bank's problems of a skill as they are written in a line, the easiest first; none of number sense, which
        has no calculation to explain."""
        level = self.model.skills[skill_id].c_level
        for problem in self.bank.level(level) if level != NUMBER_SENSE else ():
            if problem.layout == "horizontal" and self.model.skill_of(problem) == skill_id:
                yield problem


@dataclass(frozen=True, slots=True)
class Span:
    """The days of a report, both included, Korean time."""

    since: date
    until: date

    @property
    def bounds(self) -> tuple[datetime, datetime]:
        """Its first moment, and the first one after it. In UTC, as records are: to compare such times is quick."""
        days = self.since, self.until + timedelta(days=1)
        first, after = (datetime.combine(day, time(), KOREA).astimezone(UTC) for day in days)
        return first, after


@dataclass(frozen=True)
class ChildRecords:
    """A child's records until the end of a period. `recorded`, `lessons` and `plans` are all that there are, the oldest
    first; what is later than the period is not looked at. `open_problems`: the ids of those that wait for an answer
    now."""

    student_id: str
    span: Span
    sources: Sources
    recorded: Sequence[Answer]
    lessons: Sequence[ChapterSession] = ()
    plans: Sequence[Goal] = ()
    open_problems: Collection[str] = ()

    @cached_property
    def before(self) -> list[Answer]:
        """The answers before the period."""
        first, _ = self.span.bounds
        return [one for one in self.recorded if one.created_at < first]

    @cached_property
    def answers(self) -> list[Answer]:
        first, after = self.span.bounds
        return [one for one in self.recorded if first <= one.created_at < after]

    @cached_property
    def all_answers(self) -> list[Answer]:
        return [*self.before, *self.answers]

    @cached_property
    def chapters(self) -> list[ChapterSession]:
        first, after = self.span.bounds
        return [one for one in self.lessons if first <= one.ended_at < after]

    @cached_property
    def goals(self) -> list[Goal]:
        """Those that were set until the end of the period."""
        return [one for one in self.plans if school_date(one.created_at) <= self.span.until]

    @property
    def knowledge(self) -> Knowledge:
        """At the end of the period."""
        return self._known[1]

    @property
    def knowledge_before(self) -> Knowledge:
        """On the first day of the period, without what was answered in it."""
        return self._known[0].on_day(self.span.since.toordinal())

    @cached_property
    def _known(self) -> list[Knowledge]:
        return self.knowledge_on([self.span.since - timedelta(days=1), self.span.until])

    def knowledge_on(self, days: Sequence[date]) -> list[Knowledge]:
        """At the end of each of these days, which are in order."""
        return knowledge_on_days(self.all_answers, self.sources.model, self.sources.bank, days)

    @cached_property
    def skills(self) -> list[SkillFigures]:
        """Every skill at the end of the period, in teaching order."""
        return skill_figures(self.knowledge)

    @cached_property
    def tries(self) -> list[Try]:
        """All unaided first tries until the end of the period."""
        return unaided_tries(self.all_answers, self.sources.model, self.sources.bank)

    @cached_property
    def period_tries(self) -> list[Try]:
        """Those of the period among them."""
        first, after = self.span.bounds
        return [one for one in self.tries if first <= one.answer.created_at < after]

    @property
    def days(self) -> int:
        """On how many days of the period something was practised or learnt."""
        moments = [one.created_at for one in self.answers] + [one.ended_at for one in self.chapters]
        return len({school_date(moment) for moment in moments})

    @cached_property
    def patterns(self) -> list[Pattern]:
        """What goes wrong again and again in the period."""
        return find_patterns(self.answers, self.sources.bank.problem, self.before)

    @cached_property
    def earlier_causes(self) -> list[Pattern]:
        """The causes that were stated before the period and are not seen in it, the most frequent first."""
        seen = {one.id for one in self.patterns if one.kind == "cause"}
        before = find_patterns(self.before, self.sources.bank.problem)
        return [one for one in before if one.kind == "cause" and one.id not in seen]

    @property
    def practised(self) -> Sequence[Answer]:
        """The answers of the period outside lessons."""
        return [one for one in self.answers if one.kind != LESSON]
