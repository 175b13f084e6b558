"""How a session begins, and who may be meant; what happens in it is in `tutoring.events`."""

from typing import Annotated, Final

from pydantic import Field, TypeAdapter

from maththera.arithmetic.problem import EXPRESSION
from maththera.tutoring.events import Strict

LARGEST_SEED: Final = 2**53 - 1  # what every JSON reader keeps exactly

StudentId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        pattern=r"^[A-Za-z0-9가-힣._@-]+$",
        description="Letters (Korean ones composed, so that a name has one spelling), digits, and - _ . @",
    ),
]
FirstProblem = Annotated[
    # The pattern is for readers: what does not fit it is refused with a sentence.
    str, Field(min_length=1, max_length=32, json_schema_extra={"pattern": f"^{EXPRESSION.pattern}$"})
]


class NewSessionBody(Strict):
    """`POST /api/v1/sessions`."""

    student_id: StudentId
    c_position: Annotated[int, Field(ge=1, le=15)] | None = Field(
        None, description="Where to start on the ladder. Default: where the learner stands."
    )
    w_position: Annotated[float, Field(ge=0, le=9.5, allow_inf_nan=False)] | None = Field(
        None, description="Working-memory load to start with; clamped to what the bank has at that C."
    )
    problem_count: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Default and maximum: those of `configs/tutoring.yaml`."
    )
    first_problem: FirstProblem | None = Field(
        None, description='Such as "98+90"; any problem of the ladder. Teachers and admins only.'
    )
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = Field(
        None, description="The same seed and the same answers give the same session."
    )


student_id: Final = TypeAdapter[str](StudentId)
new_session: Final = TypeAdapter[NewSessionBody](NewSessionBody)
