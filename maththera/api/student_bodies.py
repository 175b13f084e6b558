"""What clients send about students and reviews."""

from typing import Annotated, Final, Self

from pydantic import BaseModel, Field, TypeAdapter, model_validator

from maththera.learners.alerts import Urgency
from maththera.learners.consents import Purpose
from maththera.learners.reviews import Kind, Status, Verdict
from maththera.tutoring.events import Strict

LONGEST_ID: Final = 9
"""Digits of a review's id."""
Words = Annotated[str, Field(min_length=1, max_length=500)]


class ConsentBody(Strict):
    """`POST /api/v1/students/{student_id}/consents`. What is taken back is recorded as well: `granted` false."""

    purpose: Purpose
    granted: bool
    given_by: Annotated[str, Field(min_length=1, max_length=60, description="In which capacity, such as 보호자.")]
    note: Words | None = None


class DecisionBody(Strict):
    """`POST /api/v1/reviews/{review_id}/decide`. With `pattern` come the cause and, in Korean, what the child did."""

    verdict: Verdict
    cause_tag: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{1,79}$")] | None = None
    procedure: Words | None = None
    note: Words | None = None

    @model_validator(mode="after")
    def _pattern_is_told(self) -> Self:
        told = self.cause_tag is not None and self.procedure is not None
        if (self.verdict == "pattern") != told or (self.cause_tag is None) != (self.procedure is None):
            raise ValueError("cause_tag and procedure belong to the verdict 'pattern', and to no other")
        return self


class QueueQuery(BaseModel):
    """What `GET /api/v1/reviews` is asked for."""

    status: Annotated[Status, Field(description="Those that wait, or those that were decided.")] = "open"
    kind: Annotated[Kind | None, Field(description="Default: all kinds.")] = None
    urgency: Annotated[Urgency | None, Field(description="Safety alerts of this urgency alone.")] = None
    after: Annotated[int, Field(ge=0, lt=10**LONGEST_ID, description="`next` of the page before.")] = 0
    limit: Annotated[int, Field(ge=1, le=200, description="How many at most.")] = 50


ALL: Final = (ConsentBody, DecisionBody)

consent: Final = TypeAdapter[ConsentBody](ConsentBody)
decision: Final = TypeAdapter[DecisionBody](DecisionBody)
