"""`gen-node-mcp`: problems made for one child, by what its records show."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Annotated, Final, Literal

from mcp.server import MCPServer
from pydantic import BaseModel, Field

from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.arithmetic.problem import Problem
from maththera.learner_model.concept_graph import levels_of_concept
from maththera.learner_model.concept_knowledge import ConceptKnowledge, concept_knowledge
from maththera.learner_model.error_patterns import stated_causes
from maththera.learner_model.recorded_knowledge import recorded_knowledge
from maththera.servers.toolkit.concept_search import Match
from maththera.servers.toolkit.problem_checks import CheckedProblem, ProblemToCheck, check_problem
from maththera.servers.toolkit.problem_dna import GivenProblem, difficulty, distinct, given_problem, problems_of_type
from maththera.servers.toolkit.problem_stories import ProblemStories
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
    stories = ProblemStories(world)

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
        return await _picket_problems(world, student_id, target, bridge, count, difficulty_adjustment)

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
        child = await _learner_records(world, student_id)
        made = _set(world, child, matches, count)
        return ProblemSet(
            problems=_as_stories(world, stories, made) if word_problems else made,
            concepts=[NamedConcept.of(match, world.graph) for match in matches.values()],
            message=_message(child, made, count),
        )

    @tool(server, "문제 하나가 올바른지 검사합니다: 식, 답, 교육과정 범위, 서술형이면 글에 나온 수까지 확인합니다.")
    async def validate_problem(problem: ProblemToCheck) -> CheckedProblem:
        return check_problem(problem, world.bank, stories)

    return server


class _LearnerRecords:
    """What the records say of a child, as far as the choice of problems goes."""

    def __init__(
        self,
        student_id: str,
        answers: Sequence[Answer],
        mastery: dict[str, ConceptKnowledge],
        recent: frozenset[str],
    ) -> None:
        self.student_id = student_id
        self.answers = answers
        self.recent = recent
        self.causes = [*stated_causes(answers)]
        self._mastery = mastery

    def mastery_of(self, concept_id: str) -> float:
        """0 before the first answer: then the easiest problems come first."""
        found = self._mastery.get(concept_id)
        return found.value if found else 0.0


async def _learner_records(world: ServerResources, student_id: str) -> _LearnerRecords:
    answers = await world.history.answers(student_id)
    last = [answer.problem_id for answer in answers if answer.problem_id][-_RECENT:]
    recent = frozenset(world.bank.problem(problem_id).key for problem_id in last)
    knowledge = recorded_knowledge(answers, world.model, world.bank)
    return _LearnerRecords(student_id, answers, concept_knowledge(knowledge, world.graph), recent)


def _message(child: _LearnerRecords, made: Sequence[MadeProblem], count: int, *, bridged: bool = True) -> str | None:
    """Says that fewer or other problems were made than asked for; None if all were made as asked."""
    lines = [] if child.answers else [_NEW_CHILD]
    if len(made) < count:
        lines.append(f"서로 다른 문제가 모자라 {count}개 가운데 {len(made)}개만 냈습니다.")
    if not bridged:
        lines.append(_NO_BRIDGE)
    return " ".join(lines) or None


async def _picket_problems(  # noqa: PLR0913 - whom for, between which concepts, and how many of which difficulty
    world: ServerResources, student_id: str, target: Match, bridge: Match | None, count: int, adjustment: float
) -> PicketProblems:
    child = await _learner_records(world, student_id)
    made = _picket(world, child, target, bridge, count, adjustment)
    return PicketProblems(
        problem=made[0] if made else None,
        problems=made,
        target=NamedConcept.of(target, world.graph),
        bridge=NamedConcept.of(bridge, world.graph) if bridge else None,
        message=_message(child, made, count, bridged=bridge is None or any(one.role == "bridge" for one in made)),
    )


def _picket(  # noqa: PLR0913 - whom for, between which concepts, and how many of which difficulty
    world: ServerResources, child: _LearnerRecords, target: Match, bridge: Match | None, count: int, adjustment: float
) -> list[MadeProblem]:
    """Of the target, and then, where there is room, of the concept it leads to."""
    apart = bridge is not None and bridge.concept_id != target.concept_id and count > 1
    leading = max(1, int(count * _BRIDGE_SHARE)) if apart else 0
    made = _make_problems(world, child, target.concept_id, count - leading, "target", adjustment)
    if bridge is not None and leading:
        seen = frozenset(_key(world, one) for one in made)
        made += _make_problems(world, child, bridge.concept_id, leading, "bridge", adjustment, seen)
    return made


def _set(world: ServerResources, child: _LearnerRecords, concepts: Iterable[str], count: int) -> list[MadeProblem]:
    each: list[list[MadeProblem]] = []
    for concept_id, number in _shares({i: child.mastery_of(i) for i in concepts}, count).items():
        seen = frozenset(_key(world, one) for made in each for one in made)
        each.append(_make_problems(world, child, concept_id, number, "target", 0.0, seen))
    return _mixed(each)


def _make_problems(  # noqa: PLR0913 - whom for, of what, how many, and what to leave out
    world: ServerResources,
    child: _LearnerRecords,
    concept_id: str,
    count: int,
    role: Role,
    adjustment: float,
    without: frozenset[str] = frozenset(),
) -> list[MadeProblem]:
    """The problems for a child, easiest first. The same records give the same problems."""
    if count < 1:
        return []
    found = [
        problem for c in levels_of_concept(concept_id) for problem in problems_of_type(world.bank.level(c), "계산")
    ]
    fresh = distinct(found, child.recent | without)
    if len(fresh) < count:
        fresh = distinct(found, without)
    wanted = 1 + 4 * min(1.0, max(0.0, child.mastery_of(concept_id) + adjustment))
    chance = Random(f"{child.student_id} {concept_id} {role} {len(child.answers)}")  # noqa: S311 - repeatable
    chance.shuffle(fresh)
    near = sorted(fresh, key=lambda problem: abs(difficulty(problem, world.bank) - wanted))[: count * _POOL]
    telling = sorted(near, key=lambda problem: _shown(problem, child.causes) is None)[:count]
    telling.sort(key=lambda problem: (problem.c_level, problem.w_total))
    return [
        MadeProblem(**dict(given_problem(problem, world.bank)), role=role, shows=_shown(problem, child.causes))
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


def _as_stories(world: ServerResources, stories: ProblemStories, made: Sequence[MadeProblem]) -> list[MadeProblem]:
    told = {
        story.problem.problem_id: story
        for story in stories.word_problems.varied([world.bank.problem(one.problem_id) for one in made])
    }
    return [
        MadeProblem(
            **dict(given_problem(world.bank.problem(one.problem_id), world.bank, told.get(one.problem_id))),
            role=one.role,
            shows=one.shows,
        )
        for one in made
    ]


def _key(world: ServerResources, made: MadeProblem) -> str:
    return world.bank.problem(made.problem_id).key


if __name__ == "__main__":
    serve(build)
