"""What the service answers about students and reviews, for the documentation and for tests."""

from typing import Any, Literal

from maththera.api.answers import Answer, Position
from maththera.learners.access import Role
from maththera.learners.alerts import Urgency
from maththera.learners.consents import Purpose
from maththera.learners.patterns import Kind as PatternKind
from maththera.learners.reviews import Kind, Status, Verdict


class Student(Answer):
    """`alerts`: safety alerts that nobody has opened; for teachers and admins."""

    student_id: str
    sessions: int
    last_session_at: str | None
    alerts: int | None = None


class Students(Answer):
    """`next`: what to send as `after` for the page behind this one; null at the end."""

    students: list[Student]
    next: str | None


class _Counts(Answer):
    answered: int
    right: int
    accuracy: float | None
    median_rt_ms: int | None


class Concept(Answer):
    """`mastery` 0 to 1."""

    concept_id: str
    name: str
    mastery: float
    answers: int


class Example(Answer):
    expression: str
    given: int | None
    right: int


class Pattern(Answer):
    """What shows again and again. `pattern_id`: a cause, a wrong procedure, or a unit that is slow or left open."""

    kind: PatternKind
    pattern_id: str
    name: str
    count: int
    concept_ids: list[str]
    examples: list[Example]
    last_at: str


class Cause(Answer):
    cause_tag: str
    name: str
    times: int


class Chapter(Answer):
    """Of the sessions of a lesson's chapter; scores of 100."""

    course: str
    chapter: int
    sessions: int
    passed: int
    mean_score: int
    best_score: int
    last_score: int
    hints: int
    seconds: int
    last_at: str


class StudentSummary(_Counts):
    """`patterns` and `causes` are not in a student's answer."""

    student_id: str
    sessions: int
    first_session_at: str | None
    last_session_at: str | None
    position: Position | None
    mastered: list[Concept]
    learning: list[Concept]
    patterns: list[Pattern] | None = None
    causes: list[Cause] | None = None
    lessons: list[Chapter]


class StudentHeatmap(Answer):
    """By concept id."""

    student_id: str
    heatmap: dict[str, float]
    names: dict[str, str]
    answers: dict[str, int]


class PlayedSession(_Counts):
    """`causes` are not in a student's answer."""

    session_id: str
    started_at: str
    ended_at: str | None
    causes: list[Cause] | None = None


class PlayedSessions(Answer):
    """`next`: what to send as `before` for the page behind this one; null at the end."""

    sessions: list[PlayedSession]
    next: str | None


class StudentExport(Answer):
    """`tables`: table → rows as they are kept."""

    student_id: str
    exported_at: str
    tables: dict[str, list[dict[str, Any]]]


class Receipt(Answer):
    """`records`: table → rows; `files` on the disk, `keys` in Redis. Not `complete`: the rest goes within minutes."""

    receipt_id: str
    records: dict[str, int]
    files: int
    keys: int
    complete: bool


class Consent(Answer):
    purpose: Purpose
    granted: bool
    given_by: str
    note: str | None
    created_at: str


class Consents(Answer):
    """`current`: the last word on each purpose that somebody has spoken about; `history`: the newest first."""

    student_id: str
    current: dict[Purpose, bool]
    history: list[Consent]


class ReviewedProblem(Answer):
    expression: str
    right: int
    c_level: int


class Opening(Answer):
    token_id: str
    role: Role
    opened_at: str


class Alert(Answer):
    """When adults are told, of what, how certain it is (`tier` 1 is the surest), and who has opened the words."""

    urgency: Urgency
    category: str
    tier: int
    openings: list[Opening]


class Review(Answer):
    """`verdicts`: what may be decided of its kind. `room` and `place_id` say where it was, `session_id` is of tutoring
    alone. `alert`: of the kind safety."""

    review_id: int
    kind: Kind
    status: Status
    session_id: str | None
    room: str
    place_id: str
    student_id: str | None
    created_at: str
    payload: dict[str, Any]
    problem: ReviewedProblem | None
    verdicts: list[Verdict]
    decided_at: str | None
    decision: dict[str, Any] | None
    alert: Alert | None


class OpenedAlert(Review):
    """`words`: what was written."""

    words: str


class Reviews(Answer):
    """`next`: what to send as `after` for the page behind this one; null at the end. `unopened_alerts`: how many safety
    alerts of the caller's students nobody has opened."""

    reviews: list[Review]
    next: int | None
    unopened_alerts: int


class RuleCandidate(Answer):
    candidate_id: int
    operation: Literal["+", "-", "x", "/"]
    cause_tag: str
    procedure: str
    created_at: str
    examples: list[Example]


class RuleCandidates(Answer):
    candidates: list[RuleCandidate]
