"""Makes the reports from the records, keeps their files, and gives the links that open them."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast
from uuid import uuid4

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies import Step
from maththera.knowledge.explanations import explained
from maththera.korean.dates import KOREA, spoken_day
from maththera.learner_model.goals import Goals
from maththera.learner_model.recorded_knowledge import school_date, today
from maththera.reports.class_report import ClassReport, class_report
from maththera.reports.classmates import Classmates
from maththera.reports.guardian_letter import GuardianLetter, guardian_letter
from maththera.reports.pdf_rendering import Kind, Renderer
from maththera.reports.records import ChildRecords, Sources, Span
from maththera.reports.signed_links import LIFETIME, ReportLinks, report_file
from maththera.reports.teacher_report import Person, TeacherReport, TrainingEffect, teacher_report, training_effects
from maththera.settings import Settings
from maththera.store.answer_history import Answer, AnswerHistory
from maththera.store.database import Database
from maththera.store.goals import GoalRecords
from maththera.store.lessons import LessonRecords
from maththera.store.open_sessions import open_problems
from maththera.store.reports import ReportLinkRow, ReportRecords, ReportRow
from maththera.store.review_queue import OpenCounts, Reviews
from maththera.store.students import StudentProfile, StudentRecords

Contents = TeacherReport | GuardianLetter | ClassReport

TITLES: Final[Mapping[Kind, str]] = {"teacher": "학습 진단 보고서", "guardian": "가정 통신", "class": "학급 보고서"}
CLASS_MOST: Final = 60
"""So many children fit into a report on a class."""

PERIOD_DAYS: Final = 30
"""What adults read of a child or a class, on a page as on paper, is of so many days, today the last, unless they ask
for others."""


class ReportLost(Exception):
    """The report was not kept: a child in it has been erased meanwhile."""


@dataclass(frozen=True, slots=True)
class ReportLink:
    """`url` opens the report without a token until `expires_at`, unless it is ended before; `opened_at`: when it last
    did."""

    link_id: str
    url: str
    made_at: datetime
    expires_at: datetime
    opened_at: datetime | None


@dataclass(frozen=True, slots=True)
class MadeReport:
    """`links`: those that open it now, the newest first; `url` and `expires_at` are the newest one's. `is_empty`: there
    was nothing to report; None where that is not looked at."""

    report_id: str
    kind: Kind
    title: str
    student_ids: list[str]
    since: str
    until: str
    pages: int
    created_at: datetime
    links: list[ReportLink]
    is_empty: bool | None = None

    @property
    def url(self) -> str | None:
        return self.links[0].url if self.links else None

    @property
    def expires_at(self) -> datetime | None:
        return self.links[0].expires_at if self.links else None


class ReportMaker:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database, settings: Settings, sources: Callable[[], Sources]) -> None:
        """`sources` are loaded with the first report."""
        self._database, self._settings, self._load_sources = database, settings, sources
        self._history, self._records = AnswerHistory(database), ReportRecords(database)
        self._classmates = Classmates(database, lambda: self._sources)
        self._renderer = Renderer()

    async def make(
        self, kind: Kind, students: Sequence[str], span: Span, *, title: str | None = None, person: Person | None = None
    ) -> MadeReport:
        """Renders the report unless the same one is there already: the same children, days and records. It has a link.
        One child, but for a class. `title`: of a class. ReportLost."""
        profiles = await StudentRecords(self._database).profiles(students)
        if kind == "class":
            students = by_nickname(students, profiles)
            called = (await StudentRecords(self._database).names(students)).names
            names = {one: name for one, name in called.items() if name != one}
            waiting = await Reviews(self._database).open_counts(students)
            report = await self.class_report(students, span, waiting, names)
            told = [one for one, shown in zip(students, report.students, strict=True) if shown.last_day]
            contents: Contents = report
        else:
            child = await self._child(students[0], span)
            told = [*students] if child.all_answers else []
            known = _completed(person or Person(), profiles[students[0]])
            contents = guardian_letter(child, known) if kind == "guardian" else self._teacher_report(child, known)
        issued = {"issued": spoken_day(span.until), "title": title or TITLES[kind]}
        data = json.dumps(asdict(contents) | issued, ensure_ascii=False, sort_keys=True)
        report_id = hashlib.sha256(json.dumps([kind, [*students], data]).encode()).hexdigest()[:24]
        file = report_file(self._settings.data_dir, report_id)
        if (row := await self._records.find(report_id)) is None or not file.exists():
            pdf = await asyncio.to_thread(self._renderer.pdf, kind, data, datetime.combine(span.until, time(), KOREA))
            await asyncio.to_thread(_write, file, pdf.content)
            await self._records.save(
                report_id,
                kind=kind,
                title=title or TITLES[kind],
                student_ids=students,
                since=span.since.isoformat(),
                until=span.until.isoformat(),
                pages=pdf.pages,
                told=told,
            )
            row = await self._records.find(report_id)
        if row is None:
            file.unlink(missing_ok=True)
            raise ReportLost(report_id)
        made = await self._with_a_link(row)
        if made is None:
            raise ReportLost(report_id)
        return replace(made, is_empty=contents.is_empty)

    async def class_report(
        self,
        students: Sequence[str],
        span: Span,
        waiting: Mapping[str, OpenCounts],
        names: Mapping[str, str] = MappingProxyType({}),
    ) -> ClassReport:
        """What a report on these children says. `waiting`: their open entries of the review queue; `names`: what a
        child is called, where it is not by its id."""
        classmates = await self._classmates.of(students, span, waiting)
        return await asyncio.to_thread(class_report, span, self._sources, classmates, names)

    async def letter(self, student_id: str, span: Span) -> GuardianLetter:
        """What the letter to a guardian says, for a page."""
        profiles = await StudentRecords(self._database).profiles([student_id])
        child = await self._child(student_id, span)
        return await asyncio.to_thread(guardian_letter, child, _completed(Person(), profiles[student_id]))

    def recent(self, student_id: str, answers: Sequence[Answer]) -> ChildRecords:
        """A child's records in the period of a report for which none is given, from all its answers."""
        return ChildRecords(student_id, span_of_days(PERIOD_DAYS), self._sources, answers)

    async def trainings(self, student_id: str, answers: Sequence[Answer]) -> list[TrainingEffect]:
        """Those of all answers of a child, the oldest first, and what changed after them."""
        if not answers:
            return []
        span = Span(school_date(answers[0].created_at), school_date(answers[-1].created_at))
        child = ChildRecords(student_id, span, self._sources, answers)
        return await asyncio.to_thread(lambda: [*training_effects(child)])

    async def sheet(self, students: Sequence[str], skill_id: str, number: int) -> list[tuple[Problem, Sequence[Step]]]:
        """So many problems of a skill with their steps, spread from the easiest to the hardest. None of them waits for
        the answer of one of these children."""
        waiting = {one for student in students for one in await open_problems(self._database, student)}
        bank = self._sources.bank
        taken = {problem.key for one in waiting if (problem := bank.get(one)) is not None}
        found = [one for one in self._sources.problems(skill_id) if one.key not in taken]
        most = min(number, len(found))
        spread = [found[index * len(found) // most] for index in range(most)]
        return [(one, explained(one)) for one in spread]

    async def of_student(self, student_id: str, limit: int) -> list[MadeReport]:
        """The reports on this child, the newest first."""
        rows = await self._records.of_student(student_id, limit)
        links = await self._records.links([row.report_id for row in rows])
        return [self._made(row, [one for one in links if one.report_id == row.report_id]) for row in rows]

    async def find(self, report_id: str) -> MadeReport | None:
        """A report with a link."""
        row = await self._records.find(report_id)
        return await self._with_a_link(row) if row else None

    async def new_link(self, report_id: str) -> ReportLink | None:
        """None if there is no such report."""
        row = await self._records.add_link(report_id, LIFETIME)
        return self._link(row) if row else None

    async def end_link(self, report_id: str, link_id: str) -> bool:
        """True if there was such a link. From then on it opens nothing; others do."""
        return await self._records.end_link(report_id, link_id)

    async def _child(self, student_id: str, span: Span) -> ChildRecords:
        _, after = span.bounds
        return ChildRecords(
            student_id,
            span,
            self._sources,
            await self._history.answers(student_id, until=after),
            (await LessonRecords(self._database).chapter_sessions([student_id]))[student_id],
            await GoalRecords(self._database).of_student(student_id),
            await open_problems(self._database, student_id),
        )

    def _teacher_report(self, child: ChildRecords, person: Person) -> TeacherReport:
        goals = Goals(GoalRecords(self._database), self._history, self._sources.model, self._sources.bank)
        return teacher_report(child, goals.figures(child.goals, child.all_answers, child.span.until), person)

    @cached_property
    def _sources(self) -> Sources:
        return self._load_sources()

    async def _with_a_link(self, row: ReportRow) -> MadeReport | None:
        """With a new link first, unless one lives for half of its time yet; None if the report has been erased."""
        links = await self._records.links([row.report_id])
        if not links or links[0].expires_at < datetime.now(UTC) + LIFETIME / 2:
            link = await self._records.add_link(row.report_id, LIFETIME)
            if link is None:
                return None
            links.insert(0, link)
        return self._made(row, links)

    def _made(self, row: ReportRow, links: Iterable[ReportLinkRow]) -> MadeReport:
        return MadeReport(
            report_id=row.report_id,
            kind=cast("Kind", row.kind),
            title=row.title,
            student_ids=row.student_ids,
            since=row.since,
            until=row.until,
            pages=row.pages,
            created_at=row.created_at,
            links=[self._link(one) for one in links],
        )

    def _link(self, row: ReportLinkRow) -> ReportLink:
        path = ReportLinks.of(self._settings.data_dir).sign(row.report_id, row.link_id)
        url = f"{self._settings.public_url}{path}"
        return ReportLink(row.link_id, url, row.made_at, row.expires_at, row.opened_at)


def by_nickname(students: Iterable[str], profiles: Mapping[str, StudentProfile]) -> list[str]:
    """In the order of what the children are called, on pages as on paper."""
    return sorted(students, key=lambda one: (profiles[one].nickname or one, one))


def _completed(person: Person, profile: StudentProfile) -> Person:
    """With what is on record, where nothing else is said."""
    grade = None if profile.grade is None else f"{profile.grade}학년"
    return Person(person.name or profile.nickname, person.grade or grade, person.teacher)


def span_until_today(since: date | None, until: date | None) -> Span:
    """The last day is today, and they are thirty days, unless given. ValueError where the first is after the last."""
    last = until or today()
    first = since or last - timedelta(days=PERIOD_DAYS - 1)
    if first > last:
        raise ValueError(f"{first} is after {last}")
    return Span(first, last)


def span_of_days(days: int) -> Span:
    """So many days, today the last."""
    last = today()
    return Span(last - timedelta(days=days - 1), last)


def _write(path: Path, content: bytes) -> None:
    """All of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{uuid4().hex}")
    fresh.write_bytes(content)
    fresh.replace(path)
