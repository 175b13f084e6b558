"""The DNA of a problem: its concepts, its difficulty within its concept, and its format.

Difficulty runs from 1 to 5: 1 is the lowest W of a concept's problems, 5 the highest (W: the load on working memory,
see docs/tutoring)."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from pydantic import BaseModel

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.learner_model.concept_graph import concepts_of_level
from maththera.servers.toolkit.word_problems import WordProblem

ProblemType = Literal["계산", "가로셈", "세로셈", "빈칸", "서술형"]
"""계산: 가로셈 or 세로셈, whichever."""

EASIEST: Final = 1.0
HARDEST: Final = 5.0


class Dna(BaseModel):
    """`concepts`: the unit, then the cognitive concept it rests on. `w_total`: 0 to 9.5. `strategy`: `STR_…`.
    `structure`: the situation of a word problem (첨가, 제거, 등분제 …)."""

    concepts: list[str]
    difficulty: float
    problem_type: ProblemType
    operation: str
    strategy: str
    w_total: float
    l_level: int
    carries: int
    structure: str | None = None


class GivenProblem(BaseModel):
    """A problem ready to be put to a child. `question` is what the child reads, `answer` what is right."""

    problem_id: str
    question: str
    answer: int
    expression: str
    dna: Dna


def difficulty(problem: Problem, bank: Bank) -> float:
    """1 to 5, within the problem's unit."""
    low, high = bank.band(problem.c_level)
    if high == low:
        return EASIEST
    share = min(1.0, max(0.0, (problem.w_total - low) / (high - low)))
    return round(EASIEST + (HARDEST - EASIEST) * share, 1)


def given_problem(problem: Problem, bank: Bank, told: WordProblem | None = None) -> GivenProblem:
    """The problem as a learner sees it: as a story where there is one."""
    dna = Dna(
        concepts=[*concepts_of_level(problem.c_level)],
        difficulty=difficulty(problem, bank),
        problem_type=_type(problem, told),
        operation=problem.op,
        strategy=problem.strategy_tag,
        w_total=problem.w_total,
        l_level=problem.l_level,
        carries=len(problem.carries),
        structure=told.structure if told else None,
    )
    return GivenProblem(
        problem_id=told.problem_id if told else problem.problem_id,
        question=told.question if told else problem.prompt,
        answer=problem.answer,
        expression=problem.expression,
        dna=dna,
    )


def distinct(problems: Iterable[Problem], without: frozenset[str] = frozenset()) -> list[Problem]:
    """Each expression once, whatever its layout or order, and none of those left out."""
    found: dict[str, Problem] = {}
    for problem in problems:
        if problem.key not in without:
            found.setdefault(problem.key, problem)
    return [*found.values()]


def is_alike(problem: Problem, shown: Problem) -> bool:
    """Whether a problem has the operation, the digits and the carries of another one, and is not itself that one."""
    return problem.key != shown.key and _size(problem) == _size(shown)


def _size(problem: Problem) -> tuple[str, tuple[int, ...], int, tuple[int, ...]]:
    """The operation, the digits of the operands and of the answer, and the columns that carry or borrow. In sums and
    products the order of the operands is nothing, and in products how often a carry comes."""
    operands = (len(str(problem.a)), len(str(problem.b)))
    if problem.op in "+x":
        operands = (max(operands), min(operands))
    carries = problem.carries[:1] and (0,) if problem.op == "x" else problem.carries
    return problem.op, operands, len(str(problem.answer)) if problem.op in "x/" else 0, carries


def problems_of_type(problems: Sequence[Problem], wanted: ProblemType | None) -> list[Problem]:
    """The problems that are available in this format; a word problem comes from a horizontal one."""
    if wanted is None or wanted == "계산":
        return [problem for problem in problems if wanted is None or problem.form == "result"]
    if wanted == "빈칸":
        return [problem for problem in problems if problem.form != "result"]
    layout = "vertical" if wanted == "세로셈" else "horizontal"
    return [problem for problem in problems if problem.form == "result" and problem.layout == layout]


def _type(problem: Problem, told: WordProblem | None) -> ProblemType:
    if told is not None:
        return "서술형"
    if problem.form != "result":
        return "빈칸"
    return "세로셈" if problem.layout == "vertical" else "가로셈"
