"""What the coach knows from files: loaded once, read by its tools, its planner and its answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.chat.coach.coach_config import CoachFiles, load_coach
from maththera.knowledge.model import KnowledgeModel
from maththera.learner_model.cause_texts import CauseTexts, load_cause_texts
from maththera.learner_model.concept_graph import ConceptGraph, load_concepts
from maththera.learner_model.recorded_knowledge import recorded_knowledge
from maththera.learner_model.unit_scores import UnitScore, unit_scores
from maththera.store.answer_history import Answer
from maththera.words.answer_protection.open_answers import OpenAnswers


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The coach's own words, the concepts, what adults read of causes and trainings, and the problems."""

    coach: CoachFiles
    graph: ConceptGraph
    texts: CauseTexts
    bank: Bank
    model: KnowledgeModel
    open_answers: OpenAnswers

    def unit(self, unit: str) -> str:
        """The Korean name of a unit."""
        return self.graph.concepts[unit].name

    def problem(self, problem_id: str | None) -> Problem | None:
        """The problem of an id; None where there is no such problem, as after a change of the bank."""
        return self.bank.get(problem_id) if problem_id is not None else None

    def scores(self, answers: Sequence[Answer]) -> dict[str, UnitScore]:
        """Unit id → its scores."""
        domains = {tag: cause.domain for tag, cause in self.texts.causes.items()}
        return unit_scores(answers, recorded_knowledge(answers, self.model, self.bank), domains, self.problem)


def load_knowledge(home: Path, bank: Bank, model: KnowledgeModel) -> Knowledge:
    """ConfigError or BankError says what is wrong with the files under `home`."""
    configs = home / "configs"
    return Knowledge(
        coach=load_coach(configs),
        graph=load_concepts(configs / "learner_model" / "concepts.yaml"),
        texts=load_cause_texts(configs),
        bank=bank,
        model=model,
        open_answers=OpenAnswers.load(home),
    )
