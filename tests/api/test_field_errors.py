"""What does not fit a field is told in Korean beside pydantic's words, and without what was written."""

from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from maththera.api.http_layer.field_errors import FIELD_ERRORS, OTHERWISE, field_error_korean
from maththera.api.http_layer.json_body import FromJson
from maththera.api.http_layer.problem_details import ApiProblem


class Kind(Enum):
    one = 1


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str


Text = Annotated[str, Field(min_length=2, max_length=3, pattern="^a")]
Some = Annotated[list[int], Field(min_length=1, max_length=2)]
WRONG: list[tuple[Any, Any]] = [
    (Closed, {}),
    (Closed, {"name": "a", "more": 1}),
    (Closed, 3),
    (str, 3),
    (int, "x"),
    (int, []),
    (int, 1.5),
    (int, "1" * 5000),
    (float, "x"),
    (float, []),
    (Annotated[float, Field(allow_inf_nan=False)], float("inf")),
    (bool, "x"),
    (bool, []),
    (list[int], 3),
    (dict[str, int], 3),
    (date, "x"),
    (date, []),
    (date, "2026-03-02T09:00:00"),
    (date, "2026-13"),
    (datetime, "x"),
    (datetime, []),
    (datetime, "2026-03-0x"),
    (AwareDatetime, "2026-03-02T09:00:00"),
    (Literal["a"], "b"),
    (Kind, 2),
    (Text, "a"),
    (Text, "aaaa"),
    (Text, "bb"),
    (Annotated[int, Field(ge=1)], 0),
    (Annotated[int, Field(gt=1)], 1),
    (Annotated[int, Field(le=1)], 2),
    (Annotated[int, Field(lt=1)], 1),
    (Some, []),
    (Some, [1, 2, 3]),
]


def errors_of(typed: Any, value: Any) -> list[Any]:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(typed).validate_python(value)
    return refused.value.errors(include_url=False)


def test_every_kind_has_its_own_sentence_which_fits_what_pydantic_tells() -> None:
    seen = set()
    for typed, value in WRONG:
        for error in errors_of(typed, value):
            said = field_error_korean(error["type"], error.get("ctx", {}))
            assert said != OTHERWISE, error
            assert "{" not in said
            seen.add(error["type"])
    assert FIELD_ERRORS.keys() - seen <= {"model_attributes_type", "date_parsing", "datetime_parsing"}


def test_a_kind_that_nobody_has_seen_is_told_too() -> None:
    assert field_error_korean("a new one", {}) == OTHERWISE


def test_a_body_names_the_field_and_its_limit_in_both_languages() -> None:
    with pytest.raises(ApiProblem) as refused:
        FromJson().read(TypeAdapter(Closed), b'{"name": 3}')

    (error,) = refused.value.errors
    assert error == {"loc": "body.name", "msg": "Input should be a valid string", "korean": "글로 적어 주세요"}
