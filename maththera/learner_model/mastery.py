"""How surely a child knows a concept: Bayesian knowledge tracing over the answers of all sessions.

Corbett, A. T. & Anderson, J. R. (1995). Knowledge tracing: Modeling the acquisition of procedural knowledge. User
Modeling and User-Adapted Interaction 4, 253–278.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from maththera.learner_model.concept_graph import ConceptGraph, Tracing, concepts_of_level
from maththera.store.answer_history import Answer

_NO_EVIDENCE: Final = "ATTENTION"
"""Wrong answers with a cause of this domain were not thought out: they say nothing about arithmetic."""


@dataclass(frozen=True, slots=True)
class Mastery:
    """`value`: the chance, 0 to 1, that the concept is known after the last of `answers`, of which `right` were."""

    value: float
    answers: int
    right: int
    last_at: datetime


def trace_mastery(answers: Iterable[Answer], graph: ConceptGraph) -> dict[str, Mastery]:
    """Concept id → mastery, for the concepts with at least one answer. `answers` stand in the order of time."""
    found: dict[str, Mastery] = {}
    for answer in answers:
        if answer.c_level is None or answer.correct is None or _shows_no_knowledge(answer):
            continue
        guess = graph.tracing.guess_tap if answer.input_kind == "tap" else graph.tracing.guess
        for concept_id in concepts_of_level(answer.c_level):
            before = found.get(concept_id)
            known = before.value if before else graph.tracing.initial
            found[concept_id] = Mastery(
                value=bayes_update(known, graph.tracing, guess=guess, right=answer.correct),
                answers=(before.answers if before else 0) + 1,
                right=(before.right if before else 0) + answer.correct,
                last_at=answer.created_at,
            )
    return {concept_id: found[concept_id] for concept_id in graph.deepest_first(set(found))}


def bayes_update(known: float, tracing: Tracing, *, guess: float, right: bool) -> float:
    """The chance of knowing after one more answer: Bayes' rule, then the chance to have learnt by it."""
    if right:
        seen, otherwise = known * (1 - tracing.slip), (1 - known) * guess
    else:
        seen, otherwise = known * tracing.slip, (1 - known) * (1 - guess)
    posterior = seen / (seen + otherwise)
    return min(tracing.most, posterior + (1 - posterior) * tracing.learn)


def known_concepts(masteries: Mapping[str, Mastery], graph: ConceptGraph) -> set[str]:
    """What a child may be taken to know: mastered by enough answers, or below something that is and never shown to
    be shaky."""
    tracing = graph.tracing
    sure = {i for i, one in masteries.items() if one.answers >= tracing.enough and one.value >= tracing.mastered}
    implied = {ancestor for concept_id in sure for ancestor in graph.ancestors(concept_id)}
    return sure | {concept_id for concept_id in implied if concept_id not in masteries}


def _shows_no_knowledge(answer: Answer) -> bool:
    return not answer.correct and (answer.cause_tag or "").startswith(_NO_EVIDENCE)
