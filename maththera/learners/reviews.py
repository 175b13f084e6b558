"""The review queue: what the rules could not explain or refused, for a person to decide.

A pattern that a person sees in an unknown answer becomes a candidate for a rule, with the answers that show it and
without a word of whose they were.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import CursorResult, Row, Select, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.alerts import IS_ALERT, Urgency
from maththera.learners.database import Database
from maththera.learners.heatmaps import INSERT
from maththera.learners.history import READ_S
from maththera.learners.tables import reviews, utc_now
from maththera.learners.tables_keeping import rule_candidates, rule_examples

Kind = Literal["unknown_answer", "rejected_text", "hard_session", "safety"]
Status = Literal["open", "decided"]
Verdict = Literal["pattern", "slip", "unclear", "text_bad", "text_fine", "seen", "handled", "false_alarm"]

VERDICTS: Final[Mapping[str, tuple[Verdict, ...]]] = {
    "unknown_answer": ("pattern", "slip", "unclear"),
    "rejected_text": ("text_bad", "text_fine"),
    "hard_session": ("seen",),
    "safety": ("handled", "false_alarm"),
}
"""What may be decided of each kind."""


class NoSuchReview(LookupError):
    """There is none of this id."""


class AlreadyDecided(Exception):
    """Somebody else was first."""


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """`session_id`: of tutoring; `room` and `place_id` say where it was in any room. The last three are a safety
    alert's."""

    review_id: int
    kind: Kind
    status: Status
    payload: dict[str, Any]
    session_id: str | None
    room: str
    place_id: str
    student_id: str | None
    created_at: datetime
    decided_at: datetime | None
    decision: dict[str, Any] | None
    category: str | None
    tier: int | None
    urgency: Urgency | None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The pattern that somebody saw: `procedure` is what the child did, in Korean, `operation` one of + - x /."""

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
class Wanted:
    """A page of the queue: `limit` entries after the review `after`; None leaves a condition out."""

    status: Status = "open"
    kind: Kind | None = None
    urgency: Urgency | None = None
    after: int = 0
    limit: int = 50


_OPEN: Final = Wanted()


class Reviews:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, kind: Kind, payload: Mapping[str, Any], *, room: str, place_id: str, student_id: str | None
    ) -> None:
        """An entry of any room, such as words that were held back. Said twice, it is there twice."""
        row = {"kind": kind, "payload": dict(payload), "room": room, "place_id": place_id, "student_id": student_id}
        await self._database.transaction(lambda connection: connection.execute(insert(reviews), row))

    async def queue(self, students: Collection[str] | None, wanted: Wanted = _OPEN) -> list[ReviewRow]:
        """The oldest first; `students` None: of everybody."""
        query = _ROWS.where(reviews.c.status == wanted.status, reviews.c.review_id > wanted.after)
        if students is not None:
            query = query.where(reviews.c.student_id.in_(students))
        if wanted.kind is not None:
            query = query.where(reviews.c.kind == wanted.kind)
        if wanted.urgency is not None:
            query = query.where(reviews.c.urgency == wanted.urgency)
        return [_review(row) for row in await self._rows(query.order_by(reviews.c.review_id).limit(wanted.limit))]

    async def find(self, review_id: int) -> ReviewRow:
        """Raises NoSuchReview."""
        found = await self._rows(_ROWS.where(reviews.c.review_id == review_id))
        if not found:
            raise NoSuchReview(review_id)
        return _review(found[0])

    async def decide(
        self, review_id: int, decision: Mapping[str, Any], *, decided_by: str, suggestion: Suggestion | None = None
    ) -> int | None:
        """-> the id of the rule candidate that the suggestion is an example of. Raises AlreadyDecided."""
        this = (reviews.c.review_id == review_id) & (reviews.c.status == "open")
        values = {"status": "decided", "decided_at": utc_now(), "decided_by": decided_by, "decision": dict(decision)}

        async def work(connection: AsyncConnection) -> int | None:
            if not (await connection.execute(update(reviews).where(this).values(**values))).rowcount:
                raise AlreadyDecided(review_id)
            return await _suggest(connection, suggestion) if suggestion else None

        return await self._database.transaction(work)

    async def candidates(self) -> list[RuleCandidate]:
        """All that have been suggested, those with the most examples first."""
        shown: dict[int, list[tuple[str, int]]] = {}
        for row in await self._rows(select(rule_examples).order_by(rule_examples.c.example_id)):
            shown.setdefault(row.candidate_id, []).append((row.problem_id, row.answer))
        found = [
            RuleCandidate(**row._mapping, examples=shown.get(row.candidate_id, []))
            for row in await self._rows(select(rule_candidates).order_by(rule_candidates.c.candidate_id))
        ]
        return sorted(found, key=lambda one: -len(one.examples))

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        async def read(connection: AsyncConnection) -> Sequence[Row[Any]]:
            found: CursorResult[Any] = await connection.execute(query)
            return found.all()

        return await self._database.run(read, deadline=READ_S)


_ROWS: Final[Select[Any]] = select(*(reviews.c[name] for name in ReviewRow.__dataclass_fields__)).where(
    (reviews.c.kind != "safety") | IS_ALERT
)
"""All but signals, which are nobody's to see; and no alert's words, which are shown by `Alerts.open`."""


def _review(row: Row[Any]) -> ReviewRow:
    return ReviewRow(**row._mapping)


async def _suggest(connection: AsyncConnection, suggestion: Suggestion) -> int:
    same = {
        "operation": suggestion.operation,
        "cause_tag": suggestion.cause_tag,
        "procedure": suggestion.procedure,
    }
    fresh = INSERT[connection.dialect.name](rule_candidates).values(**same).on_conflict_do_nothing()
    await connection.execute(fresh)
    query = select(rule_candidates.c.candidate_id).filter_by(**same)
    candidate_id = int((await connection.execute(query)).scalar_one())
    example = {"candidate_id": candidate_id, "problem_id": suggestion.problem_id, "answer": suggestion.answer}
    await connection.execute(insert(rule_examples), example)
    return candidate_id
