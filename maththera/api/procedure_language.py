"""What is needed to describe a procedure: the words of the formulas, the causes, and what a way of working answers."""

from typing import Annotated, Final

from fastapi import APIRouter
from pydantic import Field

from maththera.api.http_layer.auth import Services
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.problem_details import invalid_member
from maththera.api.http_layer.response_models import Answer, example
from maththera.api.procedures import EXAMPLE_PROCEDURE, Adult
from maththera.arithmetic.problem import ProblemError
from maththera.procedures.formulas import FUNCTIONS
from maththera.procedures.procedure import OF_ANSWER, OF_COLUMN, OF_PROBLEM, WayOfWorking
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/procedures", tags=["reviews"], route_class=ApiRoute)

_WAY: Final = {key: EXAMPLE_PROCEDURE[key] for key in ("operation", "form", "when", "columns", "answer")}


class NamedCause(Answer):
    cause_tag: str
    name: str


class ProcedureLanguage(Answer):
    """Names in all formulas, in those of a column, and in that of the answer; functions; and the causes that a
    procedure can have. `most_false_causes`: the largest share of the sessions of children who are well in which its
    cause may be stated."""

    model_config = example(
        {
            "of_problem": ["a", "b"],
            "of_column": ["a", "b", "bottom", "top"],
            "of_answer": ["a", "b", "written"],
            "functions": ["abs", "min"],
            "causes": [{"cause_tag": EXAMPLE_PROCEDURE["cause_tag"], "name": "10을 빌려 오는 뜻을 몰라요"}],
            "most_false_causes": 0.01,
        }
    )

    of_problem: list[str]
    of_column: list[str]
    of_answer: list[str]
    functions: list[str]
    causes: list[NamedCause]
    most_false_causes: float


class Numbers(Strict):
    """Of a problem."""

    a: Annotated[int, Field(ge=0, le=999_999)]
    b: Annotated[int, Field(ge=0, le=999_999)]


class TriedWay(Strict):
    """`POST /api/v1/procedures/preview`. `problems`: what the way is tried on."""

    model_config = example({"way": _WAY, "problems": [{"a": 52, "b": 38}, {"a": 63, "b": 21}]})

    way: WayOfWorking
    problems: Annotated[list[Numbers], Field(min_length=1, max_length=20)]


class WayAnswer(Answer):
    """`given`: the answer of a child who works this way; null where it has nothing to work on."""

    expression: str
    given: int | None
    right: int


class WayAnswers(Answer):
    """In the order in which they were asked."""

    model_config = example(
        {
            "answers": [
                {"expression": "52−38", "given": 29, "right": 14},
                {"expression": "63−21", "given": None, "right": 42},
            ]
        }
    )

    answers: list[WayAnswer]


@router.get("/language", summary="What a procedure is described with", response_description="Names and causes")
async def view_language(_: Adult, services: Services) -> ProcedureLanguage:
    """The same for all adults."""
    learners = services.learners
    return ProcedureLanguage(
        of_problem=sorted(OF_PROBLEM),
        of_column=sorted(OF_COLUMN),
        of_answer=sorted(OF_ANSWER),
        functions=sorted([*FUNCTIONS, "max", "min"]),
        causes=[NamedCause(cause_tag=tag, name=name) for tag, name in learners.profiles.causes.items()],
        most_false_causes=learners.procedure_trials.rules.most_false_causes,
    )


@router.post("/preview", summary="Try a way of working on some problems", response_description="Its answers")
async def preview_procedure(_: Adult, sent: JsonBody[TriedWay]) -> WayAnswers:
    """While it is being described. Nothing is kept."""
    answers = []
    for place, one in enumerate(sent.problems):
        try:
            problem, given = sent.way.work(one.a, one.b)
        except ProblemError as error:
            raise invalid_member(f"problems.{place}", str(error)) from error
        answers.append(WayAnswer(expression=problem.expression, given=given, right=problem.answer))
    return WayAnswers(answers=answers)
