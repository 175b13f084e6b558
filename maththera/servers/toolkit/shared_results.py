"""Parts of answers that several tools give."""

from typing import Final

from pydantic import BaseModel

from maththera.learner_model.concept_graph import ConceptGraph
from maththera.learner_model.concept_knowledge import ConceptKnowledge
from maththera.servers.toolkit.concept_search import Match

NO_RECORDS: Final = "아직 풀이 기록이 없는 학생입니다. 한 번 학습하면 결과가 나타납니다."


class Evidence(BaseModel):
    """The answers a mastery rests on: unaided first tries, the last of them on the day `last_answered_at`."""

    answers: int
    right: int
    last_answered_at: str

    @classmethod
    def of(cls, known: ConceptKnowledge) -> "Evidence":
        return cls(answers=known.tries, right=known.right, last_answered_at=known.last_day.isoformat())


class NamedConcept(BaseModel):
    """The concept that was meant; `certainty` 0 to 1, 1 where it was named exactly."""

    concept_id: str
    name: str
    description: str
    certainty: float

    @classmethod
    def of(cls, match: Match, graph: ConceptGraph) -> "NamedConcept":
        concept = graph.concepts[match.concept_id]
        return cls(
            concept_id=match.concept_id,
            name=concept.name,
            description=concept.description,
            certainty=match.certainty,
        )
