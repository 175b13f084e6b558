"""`logic-engine-mcp`: what rests on what, where a child's gaps are, and which way leads to a concept."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from mcp.server import MCPServer
from pydantic import BaseModel, Field

from maththera.knowledge.knowledge import Knowledge
from maththera.learner_model.concept_graph import ConceptGraph
from maththera.learner_model.concept_knowledge import ConceptKnowledge, concept_knowledge, known_concepts
from maththera.servers.toolkit.concept_search import Match
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

GAP: Final = 0.5
"""Below this mastery it is likelier that a concept is not known."""


class Gap(BaseModel):
    """A concept that the child has shown not to know; `mastery` 0 to 1."""

    concept_id: str
    name: str
    mastery: float
    evidence: Evidence


class ConceptGaps(BaseModel):
    """Deepest prerequisite first."""

    gaps: list[Gap]
    message: str | None = None


class Prerequisite(BaseModel):
    """A concept and what it rests on; each concept stands once, where it is nearest. `depth`: steps down, from 1."""

    concept_id: str
    name: str
    description: str
    depth: int
    prerequisites: list["Prerequisite"]


class Prerequisites(BaseModel):
    prerequisite_tree: list[Prerequisite]
    concept: NamedConcept | None = None
    message: str | None = None


class Step(BaseModel):
    """`mastery` and `evidence` are null before the first answer. `status`: gap, learning, new."""

    concept_id: str
    name: str
    status: Literal["gap", "learning", "new"]
    mastery: float | None
    evidence: Evidence | None
    reason: str


class LearningPath(BaseModel):
    """What to learn, in this order, the target last; `known` is what the child may be taken to know already."""

    path: list[Step]
    known: list[str]
    concept: NamedConcept
    message: str | None = None


class ConceptContent(BaseModel):
    """What is learnt in a unit, what it rests on, and what rests on it."""

    concept: NamedConcept
    description: str
    requires: list[str]
    leads_to: list[str]


def build(world: ServerResources) -> MCPServer[None]:
    server = make_server("logic-engine-mcp", world)

    @tool(
        server,
        "학생이 아직 이해하지 못한 개념(개념 갭, 취약 개념)을 풀이 기록에서 찾아 바탕이 되는 것부터 알려 줍니다.",
    )
    async def find_concept_gap(
        student_id: StudentId,
        threshold: Annotated[float, Field(ge=0, le=1, description="이해도가 이보다 낮으면 갭으로 봅니다")] = GAP,
    ) -> ConceptGaps:
        found = concept_knowledge(await world.knowledge(student_id), world.graph)
        return gaps(found, threshold, world.graph) if found else _NO_GAPS

    @tool(server, "어떤 개념이나 단원을 배우기 전에 알아야 하는 선수 개념을 나무 모양으로 알려 줍니다.")
    async def get_prerequisites(
        concept_id: ConceptName,
        depth: Annotated[int, Field(ge=1, le=10, description="몇 단계 아래까지")] = 2,
    ) -> Prerequisites:
        match = world.concept("concept_id", concept_id)
        named = NamedConcept.of(match, world.graph)
        tree = prerequisite_tree(match.concept_id, depth, world.graph)
        message = None if tree else f"'{named.name}'보다 먼저 배워야 할 개념은 없습니다."
        return Prerequisites(prerequisite_tree=tree, concept=named, message=message)

    @tool(
        server,
        "어떤 단원이나 개념에서 무엇을 배우는지(교육과정 내용), 무엇을 바탕으로 하고 무엇으로 이어지는지 알려 줍니다.",
    )
    async def get_concept(concept_id: ConceptName) -> ConceptContent:
        match = world.concept("concept_id", concept_id)
        concepts, found = world.graph.concepts, world.graph.concepts[match.concept_id]
        later = [one.name for one in concepts.values() if match.concept_id in one.requires]
        return ConceptContent(
            concept=NamedConcept.of(match, world.graph),
            description=found.description,
            requires=[concepts[one].name for one in found.requires],
            leads_to=later,
        )

    @tool(server, "학생이 목표 개념에 이르기까지 배워야 할 순서(학습 경로)를 지금의 이해도에 맞추어 알려 줍니다.")
    async def get_learning_path(student_id: StudentId, target_concept: ConceptName) -> LearningPath:
        match = world.concept("target_concept", target_concept)
        return learning_path(match, await world.knowledge(student_id), world.graph)

    return server


_NO_GAPS: Final = ConceptGaps(gaps=[], message=NO_RECORDS)


def gaps(found: Mapping[str, ConceptKnowledge], threshold: float, graph: ConceptGraph) -> ConceptGaps:
    """Of what there are answers enough to judge by."""
    judged = {concept_id: one for concept_id, one in found.items() if one.enough}
    weak = [
        Gap(concept_id=i, name=graph.concepts[i].name, mastery=round(one.value, 3), evidence=Evidence.of(one))
        for i, one in judged.items()
        if one.value < threshold
    ]
    if weak:
        return ConceptGaps(gaps=weak)
    none = f"이해도가 {threshold:g}보다 낮은 개념이 없습니다."
    return ConceptGaps(gaps=[], message=none if judged else "아직 판단할 만큼 답이 모이지 않았습니다.")


def learning_path(match: Match, knowledge: Knowledge, graph: ConceptGraph) -> LearningPath:
    """All that the concept rests on and that is not known yet, prerequisites first, and the concept itself."""
    named = NamedConcept.of(match, graph)
    found, known = concept_knowledge(knowledge, graph), known_concepts(knowledge, graph)
    way = {*graph.ancestors(match.concept_id), match.concept_id}
    path = [step(i, found.get(i), graph) for i in graph.deepest_first(way - known)]
    message = None if found else f"{NO_RECORDS} 그때까지는 모든 선수 개념을 차례로 보여 줍니다."
    if not path:
        message = f"'{named.name}'까지 이미 이해하고 있습니다."
    return LearningPath(path=path, known=graph.deepest_first(way & known), concept=named, message=message)


def prerequisite_tree(concept_id: str, depth: int, graph: ConceptGraph) -> list[Prerequisite]:
    """What a concept rests on, `depth` steps down at most, found level by level."""
    root: list[Prerequisite] = []
    seen = {concept_id}
    level = [(concept_id, root)]
    for steps in range(1, depth + 1):
        below: list[tuple[str, list[Prerequisite]]] = []
        for parent, children in level:
            for required in graph.concepts[parent].requires:
                if required in seen:
                    continue
                seen.add(required)
                concept = graph.concepts[required]
                node = Prerequisite(
                    concept_id=required,
                    name=concept.name,
                    description=concept.description,
                    depth=steps,
                    prerequisites=[],
                )
                children.append(node)
                below.append((required, node.prerequisites))
        level = below
    return root


def step(concept_id: str, mastery: ConceptKnowledge | None, graph: ConceptGraph) -> Step:
    name = graph.concepts[concept_id].name
    if mastery is None:
        return Step(concept_id=concept_id, name=name, status="new", mastery=None, evidence=None,
                    reason="아직 풀어 본 적이 없습니다.")  # fmt: skip
    status: Literal["gap", "learning"] = "gap" if mastery.value < GAP else "learning"
    wrong = mastery.tries - mastery.right
    reason = f"{mastery.tries}번 답해 {mastery.right}번 맞고 {wrong}번 틀렸습니다."
    return Step(concept_id=concept_id, name=name, status=status, mastery=round(mastery.value, 3),
                evidence=Evidence.of(mastery), reason=reason)  # fmt: skip


if __name__ == "__main__":
    serve(build)
