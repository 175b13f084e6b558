"""What a diagnosis consists of: a cause or none, how sure, and why in a teacher's words."""

from typing import Any

from maththera.tutoring.posterior import Belief, believe, updated
from maththera.tutoring.rules import Rules
from maththera.tutoring.state import Diagnosis, TutoringState, given


def no_cause() -> Diagnosis:
    """Nothing is wrong, or nothing known yet."""
    return {
        "cause_tag": None,
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


def one_cause(rules: Rules, tag: str, confidence: Any, source: Any, reasoning: str) -> Diagnosis:
    """One cause with its domain and trainings."""
    cause = rules.catalogue.causes[tag]
    return {
        **no_cause(),
        "cause_tag": tag,
        "cause_domain": cause.domain,
        "confidence": confidence,
        "candidates": [tag],
        "training_ids": list(cause.trainings),
        "source": source,
        "reasoning": reasoning,
    }


def belief_now(state: TutoringState, rules: Rules) -> Belief:
    """What the session's answers, the one at hand included, make of the causes."""
    return believe(updated(state, rules), state, rules)


def confidence_in(state: TutoringState, rules: Rules, tag: str, belief: Belief, *, earned: bool) -> str:
    """High: `earned` by the rules, or explaining two answers (more where all were taps), and past the threshold on all
    the session's answers."""
    numbers = rules.numbers.evidence
    likely = belief.of(tag) >= numbers.state_at and belief.holds(tag, numbers)
    typed = not tapped(state) or state["evidence"].get(tag, [0, 0])[1] > 0
    enough = belief.explained.get(tag, 0) >= (2 if typed else numbers.taps)
    return "high" if likely and (earned or enough) else "medium"


def in_words(belief: Belief, tag: str) -> str:
    """The evidence for a teacher."""
    times = belief.explained.get(tag, 0)
    return f" 이 시간의 답 {times}개와 맞고, 모든 답을 보면 가능성 {belief.of(tag):.0%}." if times else ""


def tapped(state: TutoringState) -> bool:
    """Whether the answer at hand was one of the choices."""
    return given(state["observation"])["tap"]
