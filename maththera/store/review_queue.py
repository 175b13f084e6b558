"""The review queue, for a person to decide: unknown answers, rejected texts, safety alerts, and how children get on
(hard sessions, skills that rest, causes that stay after their training, White-outs that come often).

A pattern that a person sees in an unknown answer becomes a candidate for a rule, with the answers that show it and
without the children who gave them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import (
    JSON,
    Column,
    ForeignKey,
    Index,
    Integer,
    Row,
    Select,
    String,
    Table,
    Text,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.json_types import JsonObject
from maththera.store.database import Store
from maththera.store.schema import INSERT_BY_DIALECT, Utc, metadata, time_column, utc_now

Kind = Literal[
    "unknown_answer", "rejected_text", "hard_session", "resting_skill", "persistent_cause", "white_outs", "safety"
]
Status = Literal["open", "decided"]
Verdict = Literal["pattern", "slip", "unclear", "text_bad", "text_fine", "seen", "handled", "false_alarm"]
Urgency = Literal["now", "day", "week"]
"""When adults are told of a safety alert: at once, with the digest of the day or with that of the week."""

VERDICTS: Final[Mapping[str, tuple[Verdict, ...]]] = {
    "unknown_answer": ("pattern", "slip", "unclear"),
    "rejected_text": ("text_bad", "text_fine"),
    "hard_session": ("seen",),
    "resting_skill": ("seen",),
    "persistent_cause": ("seen",),
    "white_outs": ("seen",),
    "safety": ("handled", "false_alarm"),
}
"""Kind → the possible decisions."""

reviews: Final = Table(
    "reviews",
    metadata,
    Column("review_id", Integer, primary_key=True),
    # Of tutoring. `room` and `place_id` are set in every room: a lesson, thread or execution.
    Column("session_id", String, ForeignKey("sessions.session_id", ondelete="CASCADE"), index=True),
    Column("room", String),
    Column("place_id", String),
    Column("student_id", String),
    Column("kind", String, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("status", String, nullable=False, server_default="open"),
    time_column(),
    Column("decided_at", Utc),
    Column("decided_by", String),
    Column("decision", JSON(none_as_null=True)),
    # Of safety alerts. Without an urgency it is a signal, which only its own place reads.
    Column("message_id", String),
    Column("category", String),
    Column("tier", Integer),
    Column("urgency", String),
    Column("words", Text),  # of the child: read by `Alerts.open` alone
    Index("reviews_by_status", "status", "review_id"),
    Index("reviews_of_student", "student_id"),
    Index("reviews_of_place", "room", "place_id", "message_id", unique=True),
)

rule_candidates: Final = Table(
    "rule_candidates",
    metadata,
    Column("candidate_id", Integer, primary_key=True),
    Column("operation", String, nullable=False),
    Column("cause_tag", String, nullable=False),
    Column("procedure", Text, nullable=False),
    time_column(),
    Index("rule_candidates_same", "operation", "cause_tag", "procedure", unique=True),
)

rule_examples: Final = Table(
    "rule_examples",
    metadata,
    # Without session and child, as an example outlives their records.
    Column("example_id", Integer, primary_key=True),
    Column(
        "candidate_id",
        Integer,
        ForeignKey("rule_candidates.candidate_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("problem_id", String, nullable=False),
    Column("answer", Integer, nullable=False),
)

IS_ALERT: Final = (reviews.c.kind == "safety") & reviews.c.urgency.is_not(None)
"""The condition that a review is a safety alert, and not only a signal."""

_SHOWN: Final = (reviews.c.kind != "safety") | IS_ALERT
"""All reviews but signals, which people do not see."""


class NoSuchReview(LookupError):
    """There is no review with this id."""


class AlreadyDecided(Exception):
    """Another person has decided it already."""


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """`session_id`: of tutoring; `room` and `place_id`: where it was, in every room. The last three belong to safety
    alerts."""

    review_id: int
    kind: Kind
    status: Status
    payload: JsonObject
    session_id: str | None
    room: str
    place_id: str
    student_id: str | None
    created_at: datetime
    decided_at: datetime | None
    decision: JsonObject | None
    category: str | None
    tier: int | None
    urgency: Urgency | None


@dataclass(frozen=True, slots=True)
class RuleSuggestion:
    """A pattern that a person saw. `procedure`: what the child did, in Korean; `operation`: one of + - x /."""

    operation: str
    cause_tag: str
    procedure: str
    problem_id: str
    answer: int


@dataclass(frozen=True, slots=True)
class RuleCandidate:
    """`examples`: (problem id, answer) pairs that show it."""

    candidate_id: int
    operation: str
    cause_tag: str
    procedure: str
    created_at: datetime
    examples: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """A page of the queue: `limit` reviews after the review `after`; None leaves a condition out."""

    status: Status = "open"
    kind: Kind | None = None
    urgency: Urgency | None = None
    after: int = 0
    limit: int = 50


_OPEN: Final = ReviewFilter()


_COUNTED_APART: Final[tuple[Kind, ...]] = ("safety", "hard_session", "unknown_answer")


@dataclass(frozen=True, slots=True)
class OpenCounts:
    """A child's open entries: safety alerts, and all others; of these the sessions that were too hard, and what else is
    no answer without a reason."""

    alerts: int = 0
    reviews: int = 0
    hard_sessions: int = 0
    others: int = 0


class Reviews(Store):
    async def add(
        self, kind: Kind, payload: Mapping[str, Any], *, room: str, place_id: str, student_id: str | None
    ) -> None:
        """Adds a review of any room, such as a text that was rejected. Not idempotent."""
        row = {"kind": kind, "payload": dict(payload), "room": room, "place_id": place_id, "student_id": student_id}
        await self._database.transaction(lambda connection: connection.execute(insert(reviews), row))

    async def queue(self, students: Collection[str] | None, wanted: ReviewFilter = _OPEN) -> list[ReviewRow]:
        """The oldest first; `students`: None for all."""
        query = _ROWS.where(reviews.c.status == wanted.status, reviews.c.review_id > wanted.after)
        if students is not None:
            query = query.where(reviews.c.student_id.in_(students))
        if wanted.kind is not None:
            query = query.where(reviews.c.kind == wanted.kind)
        if wanted.urgency is not None:
            query = query.where(reviews.c.urgency == wanted.urgency)
        return [
            _review(row) for row in await self._database.report(query.order_by(reviews.c.review_id).limit(wanted.limit))
        ]

    async def open_counts(self, students: Collection[str]) -> dict[str, OpenCounts]:
        """Student id → how many entries nobody has decided; children without any are left out."""
        query = (
            select(
                reviews.c.student_id,
                func.count().filter(IS_ALERT).label("alerts"),
                func.count().filter(~IS_ALERT).label("reviews"),
                func.count().filter(reviews.c.kind == "hard_session").label("hard_sessions"),
                func.count().filter(reviews.c.kind.not_in(_COUNTED_APART)).label("others"),
            )
            .where(_SHOWN, reviews.c.status == "open", reviews.c.student_id.in_(students))
            .group_by(reviews.c.student_id)
        )
        return {
            row.student_id: OpenCounts(row.alerts, row.reviews, row.hard_sessions, row.others)
            for row in await self._database.report(query)
        }

    async def find(self, review_id: int) -> ReviewRow:
        """Raises NoSuchReview."""
        found = await self._database.report(_ROWS.where(reviews.c.review_id == review_id))
        if not found:
            raise NoSuchReview(review_id)
        return _review(found[0])

    async def decide(
        self, review_id: int, decision: Mapping[str, Any], *, decided_by: str, suggestion: RuleSuggestion | None = None
    ) -> int | None:
        """Records a decision; returns the id of the rule candidate that the suggestion belongs to. Raises
        AlreadyDecided."""
        this = (reviews.c.review_id == review_id) & (reviews.c.status == "open")
        values = {"status": "decided", "decided_at": utc_now(), "decided_by": decided_by, "decision": dict(decision)}

        async def work(connection: AsyncConnection) -> int | None:
            if not (await connection.execute(update(reviews).where(this).values(**values))).rowcount:
                raise AlreadyDecided(review_id)
            return await _save_suggestion(connection, suggestion) if suggestion else None

        return await self._database.transaction(work)

    async def candidates(self) -> list[RuleCandidate]:
        """All rule candidates, those with the most examples first."""
        shown: dict[int, list[tuple[str, int]]] = {}
        for row in await self._database.report(select(rule_examples).order_by(rule_examples.c.example_id)):
            shown.setdefault(row.candidate_id, []).append((row.problem_id, row.answer))
        found = [
            RuleCandidate(**row._mapping, examples=shown.get(row.candidate_id, []))
            for row in await self._database.report(select(rule_candidates).order_by(rule_candidates.c.candidate_id))
        ]
        return sorted(found, key=lambda one: -len(one.examples))


_ROWS: Final[Select[Any]] = select(*(reviews.c[name] for name in ReviewRow.__dataclass_fields__)).where(_SHOWN)
"""Without the words of alerts, which `Alerts.open` shows."""


def _review(row: Row[Any]) -> ReviewRow:
    return ReviewRow(**row._mapping)


async def _save_suggestion(connection: AsyncConnection, suggestion: RuleSuggestion) -> int:
    same = {
        "operation": suggestion.operation,
        "cause_tag": suggestion.cause_tag,
        "procedure": suggestion.procedure,
    }
    fresh = INSERT_BY_DIALECT[connection.dialect.name](rule_candidates).values(**same).on_conflict_do_nothing()
    await connection.execute(fresh)
    query = select(rule_candidates.c.candidate_id).filter_by(**same)
    candidate_id = int((await connection.execute(query)).scalar_one())
    example = {"candidate_id": candidate_id, "problem_id": suggestion.problem_id, "answer": suggestion.answer}
    await connection.execute(insert(rule_examples), example)
    return candidate_id
