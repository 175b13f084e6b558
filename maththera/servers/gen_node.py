"""`gen-node-mcp`: problems made for one child, by what its records show."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Annotated, Final, Literal, Self

from mcp.server import MCPServer
from pydantic import BaseModel, Field

from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.arithmetic.problem import Problem
from maththera.learner_model.concept_graph import levels_of_concept
from maththera.learner_model.concept_knowledge import concept_knowledge
from maththera.learner_model.error_patterns import stated_causes
from maththera.learner_model.recorded_knowledge import recorded_knowledge
from maththera.servers.toolkit.concept_search import Match
from maththera.servers.toolkit.problem_checks import CheckedProblem, ProblemToCheck, check_problem
from maththera.servers.toolkit.problem_dna import GivenProblem, difficulty, distinct, given_problem, problems_of_type
from maththera.servers.toolkit.server_base import (
    ConceptName,
    NamedConcept,
    ServerResources,
    StudentId,
    make_server,
    serve,
    tool,
)
from maththera.store.answer_history import Answer

Role = Literal["target", "bridge"]
Count = Annotated[int, Field(ge=1, le=30, description="문제 수")]

_RECENT: Final = 20
"""Expressions that the child has just seen are not asked again."""

_BRIDGE_SHARE: Final = 0.4
_POOL: Final = 4
"""A set of n is drawn from the 4n problems nearest to the wanted load, so that it is no list of look-alikes."""


_NEW_CHILD: Final = "아직 풀이 기록이 없는 학생이라 이 개념의 쉬운 문제부터 골랐습니다."
_NO_BRIDGE: Final = "다리 문제는 없습니다: 문제가 둘 이상이고 두 개념이 서로 달라야 넣을 수 있습니다."


class MadeProblem(GivenProblem):
    """`role`: of the target concept, or of the one it leads to. `shows`: the stated cause of this child that a wrong
    answer would show, if any."""

    role: Role
    shows: str | None = None


class PicketProblems(BaseModel):
    """`problem` is the first of `problems`, which go from easier to harder."""

    problem: MadeProblem | None
    problems: list[MadeProblem]
    target: NamedConcept
    bridge: NamedConcept | None = None
    message: str | None = None


class ProblemSet(BaseModel):
    """A mixed set; neighbours exercise different concepts where there are several."""

    problems: list[MadeProblem]
    concepts: list[NamedConcept]
    message: str | None = None


def build(world: ServerResources) -> MCPServer[None]:
    server = make_server("gen-node-mcp", world)

    @tool(
        server,
        "학생의 이해도와 오류에 맞춘 맞춤형 문제를 목표 개념으로 만들고, 다음 개념으로 잇는 다리 문제도 덧붙입니다.",
    )
    async def generate_picket_problem(
        student_id: StudentId,
        target_concept: ConceptName,
        bridge_to_concept: Annotated[str | None, Field(max_length=200, description="이어서 배울 개념")] = None,
        difficulty_adjustment: Annotated[
            float, Field(ge=-1, le=1, description="-1(더 쉽게)~1(더 어렵게), 0은 지금 수준")
        ] = 0.0,
        count: Count = 5,
    ) -> PicketProblems:
        target = world.concept("target_concept", target_concept)
        bridge = world.concept("bridge_to_concept", bridge_to_concept) if bridge_to_concept else None
        maker = await _ProblemMaker.of(world, student_id)
        made = maker.picket(target, bridge, count, difficulty_adjustment)
        return PicketProblems(
            problem=made[0] if made else None,
            problems=made,
            target=NamedConcept.of(target, world.graph),
            bridge=NamedConcept.of(bridge, world.graph) if bridge else None,
            message=maker.message(made, count, bridge),
        )

    @tool(
        server,
        "여러 개념을 섞은 연습 문제 세트(학습지)를 학생에게 맞추어 만듭니다. 약한 개념에서 더 많이 냅니다.",
    )
    async def generate_problem_set(
        student_id: StudentId,
        concepts: Annotated[list[ConceptName], Field(min_length=1, max_length=10, description="개념들")],
        count: Count = 10,
        word_problems: Annotated[bool, Field(description="서술형으로 낼 수 있는 문제는 서술형으로")] = False,
    ) -> ProblemSet:
        matches = {match.concept_id: match for match in (world.concept("concepts", text) for text in concepts)}
        maker = await _ProblemMaker.of(world, student_id)
        made = maker.mixed_set(matches, count)
        return ProblemSet(
            problems=_as_stories(world, made) if word_problems else made,
            concepts=[NamedConcept.of(match, world.graph) for match in matches.values()],
            message=maker.message(made, count),
        )

    @tool(server, "문제 하나가 올바른지 검사합니다: 식, 답, 교육과정 범위, 서술형이면 글에 나온 수까지 확인합니다.")
    async def validate_problem(problem: ProblemToCheck) -> CheckedProblem:
        return check_problem(problem, world.bank, world.word_problems)

    return server


class _ProblemMaker:
    """Makes the problems of one child, by what its records say of it."""

    def __init__(self, world: ServerResources, student_id: str, answers: Sequence[Answer]) -> None:
        self._world, self._student_id, self._answers = world, student_id, answers
        self._causes = [*stated_causes(answers)]
        self._mastery = concept_knowledge(recorded_knowledge(answers, world.model, world.bank), world.graph)
        last = [answer.problem_id for answer in answers if answer.problem_id][-_RECENT:]
        self._recent = frozenset(world.bank.problem(problem_id).key for problem_id in last)

    @classmethod
    async def of(cls, world: ServerResources, student_id: str) -> Self:
        return cls(world, student_id, await world.history.answers(student_id))

    def picket(self, target: Match, bridge: Match | None, count: int, adjustment: float) -> list[MadeProblem]:
        """Of the target, and then, where there is room, of the concept it leads to."""
        apart = bridge is not None and bridge.concept_id != target.concept_id and count > 1
        leading = max(1, int(count * _BRIDGE_SHARE)) if apart else 0
        made = self._make(target.concept_id, count - leading, "target", adjustment)
        if bridge is not None and leading:
            made += self._make(bridge.concept_id, leading, "bridge", adjustment, self._keys(made))
        return made

    def mixed_set(self, concepts: Iterable[str], count: int) -> list[MadeProblem]:
        """Neighbours of different concepts where there are several."""
        each: list[list[MadeProblem]] = []
        for concept_id, number in _shares({i: self._mastery_of(i) for i in concepts}, count).items():
            seen = self._keys(one for made in each for one in made)
            each.append(self._make(concept_id, number, "target", 0.0, seen))
        return _mixed(each)

    def message(self, made: Sequence[MadeProblem], count: int, bridge: Match | None = None) -> str | None:
        """Says that fewer or other problems were made than asked for; None if all were made as asked."""
        lines = [] if self._answers else [_NEW_CHILD]
        if len(made) < count:
            lines.append(f"서로 다른 문제가 모자라 {count}개 가운데 {len(made)}개만 냈습니다.")
        if bridge is not None and not any(one.role == "bridge" for one in made):
            lines.append(_NO_BRIDGE)
        return " ".join(lines) or None

    def _mastery_of(self, concept_id: str) -> float:
        """0 before the first answer: then the easiest problems come first."""
        found = self._mastery.get(concept_id)
        return found.value if found else 0.0

    def _keys(self, made: Iterable[MadeProblem]) -> frozenset[str]:
        return frozenset(self._world.bank.problem(one.problem_id).key for one in made)

    def _make(
        self, concept_id: str, count: int, role: Role, adjustment: float, without: frozenset[str] = frozenset()
    ) -> list[MadeProblem]:
        """So many of a concept, the easiest first. The same records give the same problems."""
        if count < 1:
            return []
        bank = self._world.bank
        found = [one for c in levels_of_concept(concept_id) for one in problems_of_type(bank.level(c), "계산")]
        fresh = distinct(found, self._recent | without)
        if len(fresh) < count:
            fresh = distinct(found, without)
        wanted = 1 + 4 * min(1.0, max(0.0, self._mastery_of(concept_id) + adjustment))
        chance = Random(f"{self._student_id} {concept_id} {role} {len(self._answers)}")  # noqa: S311 - repeatable
        chance.shuffle(fresh)
        near = sorted(fresh, key=lambda problem: abs(difficulty(problem, bank) - wanted))[: count * _POOL]
        telling = sorted(near, key=lambda problem: _shown(problem, self._causes) is None)[:count]
        telling.sort(key=lambda problem: (problem.c_level, problem.w_total))
        return [
            MadeProblem(**dict(given_problem(problem, bank)), role=role, shows=_shown(problem, self._causes))
            for problem in telling
        ]


def _shown(problem: Problem, causes: Sequence[str]) -> str | None:
    """The child's own cause that a wrong answer to this problem would show."""
    possible = {cause.tag for name in wrong_answers(problem) for cause in CATALOGUE[name].causes}
    return next((tag for tag in causes if tag in possible), None)


def _shares(mastery: dict[str, float], count: int) -> dict[str, int]:
    """How many problems each concept gets: by what is left to learn, and at least one as long as they last."""
    left = {concept_id: 1.1 - value for concept_id, value in mastery.items()}
    total = sum(left.values())
    shares = {concept_id: max(1, int(count * share / total)) for concept_id, share in left.items()}
    weakest = sorted(left, key=lambda concept_id: -left[concept_id])
    place = 0
    while sum(shares.values()) < count:
        shares[weakest[place % len(weakest)]] += 1
        place += 1
    while sum(shares.values()) > count:
        strongest = next(concept_id for concept_id in reversed(weakest) if shares[concept_id] > 0)
        shares[strongest] -= 1
    return shares


def _mixed(each: Sequence[Sequence[MadeProblem]]) -> list[MadeProblem]:
    longest = max(map(len, each), default=0)
    return [one[place] for place in range(longest) for one in each if place < len(one)]


def _as_stories(world: ServerResources, made: Sequence[MadeProblem]) -> list[MadeProblem]:
    problems = [world.bank.problem(one.problem_id) for one in made]
    told = {story.problem.problem_id: story for story in world.word_problems.varied(problems)}
    return [
        MadeProblem(
            **dict(given_problem(problem, world.bank, told.get(problem.problem_id))), role=one.role, shows=one.shows
        )
        for problem, one in zip(problems, made, strict=True)
    ]


if __name__ == "__main__":
    serve(build)
