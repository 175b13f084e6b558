"""Checks whether a problem from outside may be given to a child."""

import re
from collections.abc import Iterator
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from maththera.arithmetic.curriculum import curriculum_level
from maththera.arithmetic.problem import SIGNS, Problem, ProblemError, make_problem, parse_expression
from maththera.arithmetic.problem_bank import Bank
from maththera.korean.particles import with_particle
from maththera.servers.toolkit.problem_dna import Dna, given_problem
from maththera.servers.toolkit.word_problems import WordProblems

_NUMBER: Final = re.compile(r"\d+")
_ASKS: Final = re.compile(r"[?？]\s*$|□")


class ProblemToCheck(BaseModel):
    """A problem by its id, by its expression, or both; `question` is the text of a word problem. Fields that the other
    tools add (dna, role …) are allowed and not looked at."""

    model_config = ConfigDict(extra="ignore")

    problem_id: Annotated[str | None, Field(max_length=200, description="문제 ID")] = None
    expression: Annotated[str | None, Field(max_length=40, description="식. 28+15, 52−38, 7×8, 56÷8")] = None
    question: Annotated[str | None, Field(max_length=1000, description="서술형 문제의 글")] = None
    answer: Annotated[int | None, Field(description="답")] = None


class Fault(BaseModel):
    """`field`: what is wrong; `message`: why, in Korean."""

    field: str
    message: str


class CheckedProblem(BaseModel):
    """`errors` make a problem unfit; `warnings` do not. `answer` is the right one wherever it can be worked out."""

    valid: bool
    errors: list[Fault]
    warnings: list[Fault]
    answer: int | None = None
    dna: Dna | None = None


def check_problem(wanted: ProblemToCheck, bank: Bank, stories: WordProblems) -> CheckedProblem:
    """Everything that is wrong with it, at once."""
    problem, fault = _problem(wanted, bank, stories)
    if problem is None:
        return CheckedProblem(valid=False, errors=[fault] if fault else [], warnings=[])
    errors = [*_other_problem(wanted, problem, bank, stories), *_errors(wanted, problem)]
    warnings = [*_warnings(wanted, problem, bank)]
    return CheckedProblem(
        valid=not errors, errors=errors, warnings=warnings, answer=problem.answer, dna=given_problem(problem, bank).dna
    )


def _problem(wanted: ProblemToCheck, bank: Bank, stories: WordProblems) -> tuple[Problem | None, Fault | None]:
    if wanted.expression is not None:
        try:
            return make_problem(*parse_expression(wanted.expression)), None
        except ProblemError:
            if wanted.problem_id is None:
                why = "자연수 두 개와 +, −, ×, ÷ 하나로 된 식이고 답이 자연수여야 합니다."
                return None, Fault(field="expression", message=f"'{wanted.expression}': {why}")
    if wanted.problem_id is None:
        return None, Fault(field="expression", message="식(expression)이나 문제 ID(problem_id)가 있어야 합니다.")
    try:
        told = stories.find(wanted.problem_id, bank)
        return (told.problem if told else bank.problem(wanted.problem_id)), None
    except ProblemError:
        return None, Fault(field="problem_id", message=f"'{wanted.problem_id}'라는 문제는 없습니다.")


def _other_problem(wanted: ProblemToCheck, problem: Problem, bank: Bank, stories: WordProblems) -> Iterator[Fault]:
    """The id of another problem beside an expression; an unknown one may be the writer's own."""
    if wanted.problem_id is None or wanted.expression is None:
        return
    named, _ = _problem(wanted.model_copy(update={"expression": None}), bank, stories)
    if named is not None and (named.a, named.op, named.b) != (problem.a, problem.op, problem.b):
        yield Fault(field="problem_id", message=f"{wanted.problem_id}의 식은 {named.expression}입니다.")


def _errors(wanted: ProblemToCheck, problem: Problem) -> Iterator[Fault]:
    if wanted.answer is not None and wanted.answer != problem.answer:
        yield Fault(field="answer", message=f"{with_particle(wanted.answer, '이가')} 아니라 {problem.answer}입니다.")
    if curriculum_level(problem.a, problem.op, problem.b) is None:
        yield Fault(
            field="expression",
            message=f"{with_particle(problem.expression, '은는')} 교육과정 단계(C1~C15)를 벗어납니다.",
        )
    if wanted.question is not None and wanted.question != problem.prompt:
        yield from _wording_errors(wanted.question, problem)


def _wording_errors(question: str, problem: Problem) -> Iterator[Fault]:
    said = [int(number) for number in _NUMBER.findall(question)]
    for number in dict.fromkeys((problem.a, problem.b)):
        if said.count(number) < (problem.a, problem.b).count(number):
            yield Fault(field="question", message=f"글에 {with_particle(number, '이가')} 나오지 않습니다.")
    if problem.answer in said and problem.answer not in (problem.a, problem.b):
        yield Fault(field="question", message=f"글에 답 {with_particle(problem.answer, '이가')} 그대로 나옵니다.")
    if not _ASKS.search(question):
        yield Fault(field="question", message="묻는 문장으로 끝나지 않습니다.")


def _warnings(wanted: ProblemToCheck, problem: Problem, bank: Bank) -> Iterator[Fault]:
    in_bank = any(bank.find(problem.a, problem.op, problem.b, layout) for layout in ("horizontal", "vertical"))
    if not in_bank:
        yield Fault(field="expression", message="문제 은행에는 없는 문제입니다.")
    if wanted.question and any(sign in wanted.question for sign in SIGNS.values()) and "□" not in wanted.question:
        yield Fault(field="question", message="서술형인데 글에 연산 기호가 있습니다.")
