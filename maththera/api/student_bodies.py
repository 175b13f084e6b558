"""What clients send about students and reviews."""

from typing import Annotated, Final, Self

from pydantic import Field, TypeAdapter, model_validator

from maththera.learners.consents import Purpose
from maththera.learners.reviews import Verdict
from maththera.tutoring.events import Strict

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


ALL: Final = (ConsentBody, DecisionBody)

consent: Final = TypeAdapter[ConsentBody](ConsentBody)
decision: Final = TypeAdapter[DecisionBody](DecisionBody)
