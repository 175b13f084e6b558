"""`q-dna-mcp`: the problems there are, by what they exercise, and how far a child has come with each concept."""

from random import Random
from typing import Annotated, Final, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, ConfigDict, Field

from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.arithmetic.problem import Problem, ProblemError, make_problem, parse_expression
from maththera.arithmetic.problem_bank import Bank
from maththera.learner_model.concept_graph import levels_of_concept
from maththera.learner_model.concept_knowledge import ConceptKnowledge, Standing, concept_knowledge
from maththera.servers.toolkit.problem_dna import (
    EASIEST,
    HARDEST,
    Dna,
    GivenProblem,
    ProblemType,
    difficulty,
    distinct,
    given_problem,
    is_alike,
    problems_of_type,
)
from maththera.servers.toolkit.server_base import (
    NO_RECORDS,
    ConceptName,
    Evidence,
    NamedConcept,
    ServerResources,
    StudentId,
    make_server,
    serve,
    tool,
)
from maththera.servers.toolkit.word_problems import WordProblem

Status = Literal["mastered", "expected", "learning", "unsure"]
_STATUSES: Final[dict[Standing, Status]] = {
    "understood": "mastered",
    "expected": "expected",
    "learning": "learning",
    "unsure": "unsure",
}
Table = Annotated[int, Field(ge=2, le=9)]
Limit = Annotated[int, Field(ge=1, le=50, description="몇 개까지")]


_NONE: Final = "이 조건에 맞는 문제가 없습니다."
_NONE_ALIKE: Final = "{like}처럼 연산과 수의 크기, 받아올림·받아내림이 같은 문제는 없습니다."
_ALIKE: Final = 0.6
"""Differences in difficulty below this are none, so that a list is no row of look-alikes."""


class TargetDna(BaseModel):
    """What problems are wanted."""

    model_config = ConfigDict(extra="forbid")

    concepts: Annotated[list[ConceptName], Field(min_length=1, max_length=10, description="개념들")]
    difficulty: Annotated[float, Field(ge=EASIEST, le=HARDEST, description="1(쉬움)~5(어려움)")] = 3
    problem_type: Annotated[ProblemType | None, Field(description="없으면 모든 유형")] = None
    carries: Annotated[bool | None, Field(description="받아올림·받아내림이 있는 것만, 또는 없는 것만")] = None
    tables: Annotated[list[Table], Field(max_length=8, description="곱셈구구의 단들(7)")] = Field(default_factory=list)
    like: Annotated[
        str | None, Field(max_length=50, description="이 식(28+15)과 연산, 수의 크기, 받아올림·받아내림이 같은 것만")
    ] = None

    def fits(self, problem: Problem) -> bool:
        """Whether a problem keeps the conditions beside concept, difficulty, type and likeness."""
        of_table = problem.op in "x/" and {problem.a, problem.b}.intersection(self.tables)
        return (self.carries is None or bool(problem.carries) is self.carries) and bool(not self.tables or of_table)

    @property
    def shown(self) -> Problem | None:
        """The problem that others are to be like; ProblemError for a text that is none."""
        return make_problem(*parse_expression(self.like)) if self.like else None

    def level(self, bank: Bank) -> float:
        """The difficulty that is told, else that of the problem that others are to be like."""
        shown = None if "difficulty" in self.model_fields_set else self.shown
        return difficulty(shown, bank) if shown else self.difficulty


class SimilarProblem(GivenProblem):
    """`similarity`: 1 where the difficulty is just as wanted, 0 at the other end of the scale."""

    similarity: float


class SimilarProblems(BaseModel):
    results: list[SimilarProblem]
    concepts: list[NamedConcept]
    message: str | None = None


class Mistake(BaseModel):
    """A wrong answer that a known wrong procedure gives, and the causes that can stand behind it."""

    answer: int
    malrule: str
    title: str
    cause_tags: list[str]


class ProblemDna(BaseModel):
    """`mistakes`: the wrong answers to expect, each with its commonest procedure first."""

    problem_id: str
    question: str
    answer: int
    expression: str
    dna: Dna
    w_scores: dict[str, float]
    mistakes: list[Mistake]


class ConceptMastery(BaseModel):
    """`mastery`: the chance of a right answer, 0 to 1. `status`: mastered when all its skills were shown, expected when
    some of them only stand below what was shown, learning, or unsure while there are too few answers. `open_skills`:
    what it also needs and was never asked."""

    concept_id: str
    name: str
    mastery: float
    status: Status
    open_skills: list[str] = Field(default_factory=list)
    evidence: Evidence


class EstimatedMastery(BaseModel):
    """Of every concept with at least one answer, prerequisites first."""

    concepts: list[ConceptMastery]
    message: str | None = None


def build(world: ServerResources) -> MCPServer[None]:
    server = make_server("q-dna-mcp", world)

    @tool(server, "개념, 난이도(1~5), 유형(계산·가로셈·세로셈·빈칸·서술형)이 비슷한 연습 문제를 찾습니다.")
    async def find_similar_dna_problems(target_dna: TargetDna, limit: Limit = 10) -> SimilarProblems:
        _check_like(target_dna)
        matches = [world.concept("target_dna.concepts", text) for text in target_dna.concepts]
        named = [NamedConcept.of(match, world.graph) for match in matches]
        each = [_ranked(world, match.concept_id, target_dna) for match in matches]
        chosen = interleaved(each)[:limit]
        told = world.word_problems.varied(chosen) if target_dna.problem_type == "서술형" else [None] * len(chosen)
        results = [_similar(world, problem, story, target_dna) for problem, story in zip(chosen, told, strict=True)]
        return SimilarProblems(results=results, concepts=named, message=_few(len(results), limit, target_dna))

    @tool(server, "문제 하나의 DNA: 개념, 난이도, 인지 부하(W), 전략, 예상되는 오답과 그 원인을 알려 줍니다.")
    async def get_problem_dna(
        problem_id: Annotated[str, Field(min_length=1, max_length=200, description="문제 ID(P-00847, X:98+90:h, W:…)")],
    ) -> ProblemDna:
        problem, told = _find(world, problem_id)
        put = given_problem(problem, world.bank, told)
        return ProblemDna(
            **dict(put),
            w_scores={f"W{number}": score for number, score in enumerate(problem.w_scores, start=1)},
            mistakes=mistakes(problem),
        )

    @tool(server, "학생이 개념마다 얼마나 이해했는지(이해도, 숙달도)를 풀이 기록으로 추정합니다.")
    async def estimate_mastery(student_id: StudentId) -> EstimatedMastery:
        found = concept_knowledge(await world.knowledge(student_id), world.graph)
        concepts = [_mastered(world, concept_id, one) for concept_id, one in found.items()]
        return EstimatedMastery(concepts=concepts, message=None if concepts else NO_RECORDS)

    return server


def _check_like(wanted: TargetDna) -> None:
    try:
        _ = wanted.shown
    except ProblemError as error:
        raise ToolError(f"target_dna.like: '{wanted.like}'에서 식을 읽지 못했습니다. 28+15처럼 적어 주세요.") from error


def _find(world: ServerResources, problem_id: str) -> tuple[Problem, WordProblem | None]:
    """The problem of a bank id, an X: id or the W: id of a story; ToolError where there is none."""
    try:
        told = world.word_problems.find(problem_id, world.bank)
        return (told.problem, told) if told else (world.bank.problem(problem_id), None)
    except ProblemError:
        raise ToolError(f"problem_id: '{problem_id}'라는 문제는 없습니다.") from None


def _few(found: int, limit: int, wanted: TargetDna) -> str | None:
    if not found and wanted.like:
        return _NONE_ALIKE.format(like=wanted.like)
    if not found:
        return f"이 개념에는 '{wanted.problem_type}' 유형의 문제가 없습니다." if wanted.problem_type else _NONE
    return f"이런 문제는 {found}개뿐입니다." if found < limit else None


def _mastered(world: ServerResources, concept_id: str, mastery: ConceptKnowledge) -> ConceptMastery:
    return ConceptMastery(
        concept_id=concept_id,
        name=world.graph.concepts[concept_id].name,
        mastery=round(mastery.value, 3),
        status=_STATUSES[mastery.standing],
        open_skills=[world.model.skills[skill_id].name for skill_id in mastery.open_skills],
        evidence=Evidence.of(mastery),
    )


def _ranked(world: ServerResources, concept_id: str, wanted: TargetDna) -> list[Problem]:
    """The concept's problems of the wanted type, the nearest difficulty first, equals in a drawn but fixed order."""
    found = [
        problem
        for c in levels_of_concept(concept_id)
        for problem in problems_of_type(world.bank.level(c), wanted.problem_type)
    ]
    if wanted.problem_type == "서술형":
        found = [problem for problem in found if world.word_problems.fitting(problem)]
    found = distinct(filter(wanted.fits, found))
    if shown := wanted.shown:
        found = [
            one for one in found if is_alike(one, shown) and (one.form == shown.form or wanted.problem_type == "빈칸")
        ]
    Random(concept_id).shuffle(found)  # noqa: S311 - the same list each time
    level = wanted.level(world.bank)
    return sorted(found, key=lambda problem: abs(difficulty(problem, world.bank) - level) // _ALIKE)


def _similar(world: ServerResources, problem: Problem, told: WordProblem | None, wanted: TargetDna) -> SimilarProblem:
    put = given_problem(problem, world.bank, told)
    gap = abs(put.dna.difficulty - wanted.level(world.bank)) / (HARDEST - EASIEST)
    return SimilarProblem(**dict(put), similarity=round(1 - gap, 2))


def interleaved(lists: list[list[Problem]]) -> list[Problem]:
    """The first of each, then the second of each, and so on; each expression once."""
    longest = max(map(len, lists), default=0)
    return distinct(one[place] for place in range(longest) for one in lists if place < len(one))


def mistakes(problem: Problem) -> list[Mistake]:
    """One entry for each wrong answer, by its commonest procedure."""
    found: dict[int, Mistake] = {}
    for name, answer in wrong_answers(problem).items():
        rule = CATALOGUE[name]
        tags = [cause.tag for cause in rule.causes]
        found.setdefault(answer, Mistake(answer=answer, malrule=name, title=rule.title, cause_tags=tags))
    return [*found.values()]


if __name__ == "__main__":
    serve(build)
