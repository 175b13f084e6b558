"""The parts of a diagnosis: a cause or none, the confidence, and the reasoning in a teacher's words."""

from collections.abc import Sequence
from typing import Any

from maththera.arithmetic.malrules import CATALOGUE
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.posterior import Belief, cause_probabilities, updated_posterior
from maththera.tutoring.state import Diagnosis, Observation, TutoringState, given


def no_cause() -> Diagnosis:
    """A diagnosis without a cause: nothing is wrong, or nothing is known yet."""
    return {
        "cause_tag": None,
        "cause_tags": [],
        "cause_domain": None,
        "confidence": None,
        "candidates": [],
        "training_ids": [],
        "probe_needed": False,
        "source": "rule",
        "reasoning": "",
        "pairs": [],
        "probe": None,
    }


def cause_diagnosis(rules: Rules, tag: str, confidence: Any, source: Any, reasoning: str) -> Diagnosis:
    """One cause with its domain and trainings."""
    cause = rules.catalogue.causes[tag]
    return {
        **no_cause(),
        "cause_tag": tag,
        "cause_tags": [tag],
        "cause_domain": cause.domain,
        "confidence": confidence,
        "candidates": [tag],
        "training_ids": list(cause.trainings),
        "source": source,
        "reasoning": reasoning,
    }


def current_belief(state: TutoringState, rules: Rules) -> Belief:
    """The probabilities of the causes after the session's answers, the current one included."""
    return cause_probabilities(updated_posterior(state, rules), state, rules)


def confidence_in(rules: Rules, tag: str, belief: Belief, *, probed: bool = False) -> str:
    """The confidence in a cause. High: `probed`, the one that a probe left, or explaining answers to two problems, and
    past the threshold on all the session's answers."""
    numbers = rules.numbers.evidence
    likely = belief.of(tag) >= numbers.state_at and belief.holds(tag, numbers)
    return "high" if likely and (probed or belief.explained.get(tag, 0) > 1) else "medium"


def evidence_text(belief: Belief, tag: str) -> str:
    """The evidence in words for a teacher."""
    times = belief.explained.get(tag, 0)
    return f" 이 시간의 답 {times}개와 맞고, 모든 답을 보면 가능성 {belief.of(tag):.0%}." if times else ""


def is_doubted(belief: Belief, tag: str, rules: Rules) -> bool:
    """Whether a cause is too unlikely, on the number that a teacher reads, to be named or acted on. A cause that no
    answer has explained yet has no number."""
    return bool(belief.explained.get(tag)) and belief.of(tag) < rules.numbers.evidence.name_at


def procedure_text(state: TutoringState, rules: Rules, pairs: Sequence[Sequence[str]]) -> str:
    """How the child came to the answer, by the procedures that give it: "52−38=26: 작은 수를 뺀다."."""
    observation = given(state["observation"])
    problem = rules.bank.problem(given(observation["problem_id"]))
    shown = problem.prompt.replace("□", f"[{observation['answer']}]") if "□" in problem.prompt else problem.prompt
    titles = " / ".join(dict.fromkeys(CATALOGUE[name].title for name, _ in pairs))
    return f"{shown}: {titles}."


def right_answer_text(observation: Observation) -> str:
    """That an answer was right, and how long it took."""
    rt_ms = observation["rt_ms"]
    return "맞혔다." if rt_ms is None else f"{rt_ms / 1000:.1f}초 만에 맞혔다."
