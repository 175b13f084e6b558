"""A child at a glance, for pages and for adults: what its records add up to now."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from maththera.learner_model.concept_graph import ConceptGraph
from maththera.learner_model.error_patterns import Pattern, Resolve, error_title, find_patterns, stated_causes
from maththera.learner_model.mastery import Mastery, trace_mastery
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
    resolve: Resolve
    causes: Mapping[str, str]

    async def summary(self, student_id: str) -> dict[str, Any]:
        """Everything in it is computed from the answers; `mastered` and `learning` deepest prerequisite first."""
        answers = await self.history.answers(student_id)
        sessions = await self.history.sessions(student_id, ALL_SESSIONS)
        learner = await self.records.learner(student_id)
        mastered, learning = self._concepts(trace_mastery(answers, self.graph))
        return {
            "student_id": student_id,
            "sessions": len(sessions),
            "first_session_at": sessions[-1].created_at.isoformat() if sessions else None,
            "last_session_at": sessions[0].created_at.isoformat() if sessions else None,
            **_counts(answers),
            "position": {"c": learner.c, "w": learner.w} if learner else None,
            "mastered": mastered,
            "learning": learning,
            "patterns": [self._pattern(pattern) for pattern in find_patterns(answers, self.resolve)],
            "causes": self._causes(answers),
            "lessons": [_chapter(one) for one in await self.lessons.statistics(student_id)],
        }

    async def heatmap(self, student_id: str) -> dict[str, Any]:
        """As of now, whenever the stored one was made: concept → mastery for the concepts with an answer."""
        answers = await self.history.answers(student_id)
        found = trace_mastery(answers, self.graph)
        return {
            "student_id": student_id,
            "heatmap": {concept_id: round(one.value, 3) for concept_id, one in found.items()},
            "names": {concept_id: self.graph.concepts[concept_id].name for concept_id in found},
            "answers": {concept_id: one.answers for concept_id, one in found.items()},
        }

    async def sessions(self, student_id: str, limit: int, before: str | None) -> list[dict[str, Any]]:
        """The newest first, those behind the session `before`."""
        found = await self.history.sessions(student_id, limit, before)
        if not found:
            return []
        answers = await self.history.answers(student_id, since=found[-1].created_at)
        own: dict[str, list[Answer]] = {one.session_id: [] for one in found}
        for answer in answers:
            if answer.session_id in own:
                own[answer.session_id].append(answer)
        return [self._session(one, own[one.session_id]) for one in found]

    def _session(self, session: PlayedSession, answers: list[Answer]) -> dict[str, Any]:
        return {
            "session_id": session.session_id,
            "started_at": session.created_at.isoformat(),
            "ended_at": session.ended_at.isoformat() if session.ended_at else None,
            **_counts(answers),
            "causes": self._causes(answers),
        }

    def _concepts(self, masteries: Mapping[str, Mastery]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """What is known, and what is being learnt; too few answers say neither."""
        tracing = self.graph.tracing
        found: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
        for concept_id, one in masteries.items():
            if one.answers >= tracing.enough:
                known = {"concept_id": concept_id, "name": self.graph.concepts[concept_id].name,
                         "mastery": round(one.value, 3), "answers": one.answers}  # fmt: skip
                found[one.value < tracing.mastered].append(known)
        return found

    def _pattern(self, pattern: Pattern) -> dict[str, Any]:
        return {
            "kind": pattern.kind,
            "pattern_id": pattern.id,
            "name": self._name(pattern),
            "count": pattern.count,
            "concept_ids": [*pattern.concept_ids],
            "examples": [
                {"expression": one.expression, "given": one.given, "right": one.right} for one in pattern.examples
            ],
            "last_at": pattern.last_at.isoformat(),
        }

    def _name(self, pattern: Pattern) -> str:
        match pattern.kind:
            case "cause":
                return self.causes.get(pattern.id, pattern.id)
            case "error":
                return error_title(pattern.id)
            case _:
                return self.graph.concepts[pattern.id].name

    def _causes(self, answers: list[Answer]) -> list[dict[str, Any]]:
        return [
            {"cause_tag": tag, "name": self.causes.get(tag, tag), "times": times}
            for tag, times in stated_causes(answers).items()
        ]


def _counts(answers: list[Answer]) -> dict[str, Any]:
    judged = [answer for answer in answers if answer.correct is not None]
    right = sum(bool(answer.correct) for answer in judged)
    times = [answer.rt_ms for answer in judged if answer.rt_ms is not None]
    return {
        "answered": len(judged),
        "right": right,
        "accuracy": round(right / len(judged), 3) if judged else None,
        "median_rt_ms": round(median(times)) if times else None,
    }


def _chapter(one: ChapterStatistics) -> dict[str, Any]:
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
