"""A child at a glance, for pages and for adults: what its records add up to now."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from maththera.arithmetic.problem_bank import Bank
from maththera.json_types import JsonObject
from maththera.knowledge.knowledge import Knowledge
from maththera.knowledge.model import KnowledgeModel
from maththera.learner_model.concept_graph import ConceptGraph
from maththera.learner_model.concept_knowledge import ConceptKnowledge, Standing, concept_knowledge
from maththera.learner_model.error_patterns import Pattern, error_title, find_patterns
from maththera.learner_model.once_hard import once_hard
from maththera.learner_model.recorded_knowledge import knowledge_on_days, recorded_knowledge, today, unaided_tries
from maththera.learner_model.skill_words import next_skills
from maththera.learner_model.student_figures import answer_counts, skill_figures
from maththera.store.answer_history import Answer, AnswerHistory, PlayedSession
from maththera.store.lesson_sessions import ChapterStatistics
from maththera.store.lessons import LessonRecords
from maththera.store.tutoring_sessions import SessionRecords

ALL_SESSIONS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Profiles:
    """`causes`: tag → Korean name. Every method raises StoreUnavailable when the database cannot be used."""

    records: SessionRecords
    history: AnswerHistory
    lessons: LessonRecords
    graph: ConceptGraph
    model: KnowledgeModel
    bank: Bank
    causes: Mapping[str, str]

    async def overview(self, student_id: str, answers: list[Answer], weeks: int, limit: int) -> JsonObject:
        """`summary`, `knowledge`, `skill_weeks` and the last sessions, from all answers of the child."""
        sessions = await self.history.sessions(student_id, ALL_SESSIONS)
        mondays = _mondays(weeks)
        known = self._known_by_week(answers, mondays)
        return {
            "summary": await self._summary(student_id, answers, sessions, known[-1]),
            "knowledge": self._known(student_id, answers, known[-1]),
            "weeks": self._weeks(student_id, answers, mondays, known),
            "sessions": self._sessions(sessions[:limit], answers),
        }

    async def summary(self, student_id: str) -> JsonObject:
        """Everything in it is computed from the answers; concepts deepest prerequisite first."""
        answers = await self.history.answers(student_id)
        sessions = await self.history.sessions(student_id, ALL_SESSIONS)
        return await self._summary(student_id, answers, sessions, self._knowledge(answers))

    async def _summary(
        self, student_id: str, answers: list[Answer], sessions: Sequence[PlayedSession], knowledge: Knowledge
    ) -> JsonObject:
        learner = await self.records.learner(student_id)
        concepts, patterns = concept_knowledge(knowledge, self.graph), find_patterns(answers, self.bank.problem)
        return {
            "student_id": student_id,
            "sessions": len(sessions),
            "first_session_at": sessions[-1].created_at.isoformat() if sessions else None,
            "last_session_at": sessions[0].created_at.isoformat() if sessions else None,
            **answer_counts(answers),
            "position": {"c": learner.c, "w": learner.w} if learner else None,
            "understood": self._concepts(concepts, "understood"),
            "expected": self._concepts(concepts, "expected"),
            "learning": self._concepts(concepts, "learning"),
            "patterns": [self.pattern(pattern) for pattern in patterns],
            "causes": self._causes(patterns),
            "lessons": [_chapter(one) for one in await self.lessons.statistics(student_id)],
        }

    async def heatmap(self, student_id: str) -> JsonObject:
        """As of now, whenever the stored one was made: concept → mastery for the concepts with an answer."""
        answers = await self.history.answers(student_id)
        found = concept_knowledge(self._knowledge(answers), self.graph)
        return {
            "student_id": student_id,
            "heatmap": {concept_id: round(one.value, 3) for concept_id, one in found.items()},
            "names": {concept_id: self.graph.concepts[concept_id].name for concept_id in found},
            "answers": {concept_id: one.tries for concept_id, one in found.items()},
        }

    async def skill_weeks(self, student_id: str, weeks: int) -> JsonObject:
        """The last weeks, this one the last: for each skill that was asked in them, and each week, the chance of a
        right answer at its end (this week: today) and the unaided first tries in it; None for a week without any."""
        answers, mondays = await self.history.answers(student_id), _mondays(weeks)
        return self._weeks(student_id, answers, mondays, self._known_by_week(answers, mondays))

    def _known_by_week(self, answers: list[Answer], mondays: Sequence[date]) -> list[Knowledge]:
        """At the end of each of these weeks; of the last one, which is this week, as of today."""
        ends = [monday + timedelta(days=6) for monday in mondays[:-1]]
        return knowledge_on_days(answers, self.model, self.bank, [*ends, today()])

    def _weeks(
        self, student_id: str, answers: list[Answer], mondays: Sequence[date], known: Sequence[Knowledge]
    ) -> JsonObject:
        tried: Counter[tuple[str, date]] = Counter()
        for one in unaided_tries(answers, self.model, self.bank):
            tried[one.skill_id, one.day - timedelta(days=one.day.weekday())] += 1
        skills = [one for one in self.model.skills if any(tried[one.skill_id, monday] for monday in mondays)]
        return {
            "student_id": student_id,
            "skills": [{"skill_id": one.skill_id, "name": one.name, "strand": one.strand} for one in skills],
            "weeks": [monday.isoformat() for monday in mondays],
            "cells": [
                [
                    [round(knowledge[one.skill_id].chance, 3), tries]
                    if (tries := tried[one.skill_id, monday])
                    else None
                    for monday, knowledge in zip(mondays, known, strict=True)
                ]
                for one in skills
            ],
        }

    async def knowledge(self, student_id: str) -> JsonObject:
        """Every skill, in teaching order, as it is known today; `next` the skills to go on with."""
        answers = await self.history.answers(student_id)
        return self._known(student_id, answers, self._knowledge(answers))

    def _known(self, student_id: str, answers: list[Answer], knowledge: Knowledge) -> JsonObject:
        return {
            "student_id": student_id,
            "day": date.fromordinal(knowledge.day).isoformat(),
            "skills": skill_figures(knowledge),
            "next": next_skills(knowledge),
            "once_hard": once_hard(unaided_tries(answers, self.model, self.bank), self.bank),
        }

    def _knowledge(self, answers: list[Answer]) -> Knowledge:
        return recorded_knowledge(answers, self.model, self.bank)

    async def sessions(self, student_id: str, limit: int, before: str | None) -> list[JsonObject]:
        """The newest first, those after the session `before`."""
        found = await self.history.sessions(student_id, limit, before)
        if not found:
            return []
        return self._sessions(found, await self.history.answers(student_id, since=found[-1].created_at))

    def _sessions(self, found: Sequence[PlayedSession], answers: list[Answer]) -> list[JsonObject]:
        own: dict[str, list[Answer]] = {one.session_id: [] for one in found}
        for answer in answers:
            if answer.session_id in own:
                own[answer.session_id].append(answer)
        return [self._session(one, own[one.session_id]) for one in found]

    def _session(self, session: PlayedSession, answers: list[Answer]) -> JsonObject:
        return {
            "session_id": session.session_id,
            "started_at": session.created_at.isoformat(),
            "ended_at": session.ended_at.isoformat() if session.ended_at else None,
            **answer_counts(answers),
            "causes": self._causes(find_patterns(answers, self.bank.problem)),
        }

    def _concepts(self, concepts: Mapping[str, ConceptKnowledge], standing: Standing) -> list[JsonObject]:
        return [
            {
                "concept_id": concept_id,
                "name": self.graph.concepts[concept_id].name,
                "tries": one.tries,
                "right": one.right,
                "open_skills": [self.model.skills[skill_id].name for skill_id in one.open_skills],
            }
            for concept_id, one in concepts.items()
            if one.standing == standing
        ]

    def pattern(self, pattern: Pattern) -> JsonObject:
        """As pages show it."""
        return {
            "kind": pattern.kind,
            "pattern_id": pattern.id,
            "name": self._name(pattern),
            "count": pattern.count,
            "concept_ids": [*pattern.concept_ids],
            "examples": [
                {"expression": one.expression, "given": one.given, "right": one.right, "how": one.how}
                for one in pattern.examples
            ],
            "last_at": pattern.last_at.isoformat(),
        }

    def _name(self, pattern: Pattern) -> str:
        match pattern.kind:
            case "cause":
                return " 또는 ".join(self.causes.get(tag, tag) for tag in pattern.together)
            case "error":
                return error_title(pattern.id)
            case _:
                return self.graph.concepts[pattern.id].name

    def _causes(self, patterns: Sequence[Pattern]) -> list[JsonObject]:
        return [
            {"cause_tag": one.id, "cause_tags": [*one.together], "name": self._name(one), "times": one.count}
            for one in patterns
            if one.kind == "cause"
        ]


def _mondays(weeks: int) -> list[date]:
    """Of the last weeks, this one the last."""
    now = today()
    return [now - timedelta(days=now.weekday() + 7 * back) for back in reversed(range(weeks))]


def _chapter(one: ChapterStatistics) -> JsonObject:
    """Scores of 100."""
    return {
        "course": one.course,
        "chapter": one.chapter,
        "sessions": one.learning_count,
        "passed": one.passed_count,
        "mean_score": round(one.mean_score),
        "best_score": one.best_score,
        "last_score": one.last_score,
        "hints": one.hint_count,
        "seconds": one.seconds,
        "last_at": one.last_at.isoformat(),
    }
