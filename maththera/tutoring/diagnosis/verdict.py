"""The parts of a diagnosis: a cause or none, the confidence, and the reasoning in a teacher's words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from maththera.arithmetic.malrules import CATALOGUE
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.content.training_results import Outcome, outcome
from maththera.tutoring.diagnosis.posterior import Belief, cause_probabilities, updated_posterior
from maththera.tutoring.number_sense.items import item
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
    """How the child came to the answer, by the procedures that give it: "52−38=[26]: 2−8 대신 8−2=6."."""
    observation = given(state["observation"])
    problem = rules.bank.problem(given(observation["problem_id"]))
    shown = problem.prompt.replace("□", f"[{observation['answer']}]") if "□" in problem.prompt else problem.prompt
    workings = " / ".join(dict.fromkeys(CATALOGUE[name].worked(problem) for name, _ in pairs))
    return f"{shown}: {workings}."


def undiagnosed_text(state: TutoringState, rules: Rules) -> str:
    """What happened where no arithmetic was answered: a training, an item of number sense, the end."""
    event, observation = given(state["event"]), given(state["observation"])
    if event["type"] == "training_done":
        plan = rules.catalogue.trainings[event["training_id"]]
        return f"연습 ‘{plan.title}’: {_TRAINED[outcome(plan, event.get('results', {}))]}"
    if (ended := _ENDED.get(event["type"])) is not None:
        return ended
    if event["type"] == "timeout":
        return UNSURE if event.get("said") else NO_ANSWER
    if observation["correct"] or observation["item_id"] is None:
        return right_answer_text(observation)
    return f"틀렸어요. 바른 답: {item(observation['item_id']).answer}."


UNSURE: Final = "모르겠다고 했어요."
NO_ANSWER: Final = "정해진 시간 동안 답이 없었어요."
_ENDED: Final[Mapping[str, str]] = {"stop": "아이가 여기서 그만두었어요.", "idle": "오래 답이 없어 끝났어요."}
_TRAINED: Final[Mapping[Outcome, str]] = {
    "met": "정해진 만큼 맞혔어요.",
    "below": "정해진 만큼은 맞히지 못했어요.",
    "nothing": "맞힌 것이 없어요.",
    "unknown": "몇 개를 맞혔는지는 몰라요.",
}


def right_answer_text(observation: Observation) -> str:
    """That an answer was right, and how long it took."""
    rt_ms = observation["rt_ms"]
    return "맞혔어요." if rt_ms is None else f"{rt_ms / 1000:.1f}초 만에 맞혔어요."
