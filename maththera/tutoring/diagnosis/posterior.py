"""The Bayesian posterior of a session's causes, kept beside the rules.

Each hypothesis is a pair of a malrule and one of its causes, that the child answers at random before thinking, or that
it errs by no known procedure (UNKNOWN). The state keeps, for each, the logarithm of how much likelier it makes the
answers so far than "the child has no defect: it slips, or has not learnt this yet", and how many answers it explained:
`posterior`, bounded. The prior is the share of children with a defect, split over all that could have shown at this C;
a cause that the learner's records know counts for more.
"""

import math
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import EvidenceNumbers, Rules
from maththera.tutoring.diagnosis.hypotheses import (
    IMPULSE,
    NOT_SHOWN,
    OPERATIONS,
    UNKNOWN,
    operations_of,
    tag_of,
)
from maththera.tutoring.diagnosis.likelihoods import AnsweredTask, log_likelihoods
from maththera.tutoring.practice.session_practice import task_key
from maththera.tutoring.state import Observation, TutoringState, given, is_aided

Posterior = dict[str, list[float]]
"""Hypothesis → [log of its likelihood ratio, answers it explained, typed answers that were wrong in another way]. A
hypothesis is "malrule|cause", IMPULSE or, for an operation, "+|UNKNOWN"."""


_SUSPECTED: Final = 8
"""Hypotheses that one session hands to the next, for and against."""

# --- evidence ---------------------------------------------------------------------------------------------------------


def updated_posterior(state: TutoringState, rules: Rules) -> Posterior:
    """The posterior after the current answer; unchanged if nothing was answered."""
    observation, posterior = state["observation"], state["posterior"]
    if observation is None or observation["answer"] is None or asked_problem(observation) is None:
        return posterior
    weights = log_likelihoods(_answered_task(state, rules, observation), observation, rules)
    if not weights:
        return posterior
    found = dict(posterior)
    for key, (weight, explained, otherwise) in weights.items():
        before = found.get(key, (0.0, 0, 0))
        found[key] = [round(before[0] + weight, 2), before[1] + explained, before[2] + otherwise]
    return _bounded(found, rules.numbers.evidence.kept)


def asked_problem(observation: Observation) -> str | None:
    """The id of the problem that was answered: of a step in an example its own."""
    step = observation.get("step")
    return step.get("problem_id") if step is not None else observation["problem_id"]


def may_ask_model(state: TutoringState, rules: Rules) -> bool:
    """Whether a model may be asked: about the first answers of an operation that no procedure gives, and again once
    attention is back. Later ones are left to the diagnostic question."""
    diagnosis = state.get("diagnosis")
    if diagnosis is not None and diagnosis["pairs"]:
        return False
    op = rules.bank.problem(given(given(state["task"])["problem_id"])).op
    refocused = state["attempts"] is not None and state["attempts"]["attention"] > 0
    return refocused or state["posterior"].get(f"{op}|{UNKNOWN}", (0.0, 0))[1] < rules.numbers.evidence.asks


def removed_variable(state: TutoringState) -> str | None:
    """The variable that the current probe has taken out; None outside probes."""
    task, waiting = state["task"], state["probe_state"]
    return waiting["removed_variable"] if waiting and task is not None and task["kind"] == "probe" else None


def _answered_task(state: TutoringState, rules: Rules, observation: Observation) -> AnsweredTask:
    task = state["task"]
    problem = rules.bank.problem(asked_problem(observation) or "")
    aided = task is not None and observation["kind"] != "probe" and is_aided(task)
    return AnsweredTask(
        problem,
        task["choices"] if task else (),
        removed_variable(state),
        aided,
        _answered_before(state, problem, rules),
        _unlearnt(state, problem, rules),
    )


def _answered_before(state: TutoringState, problem: Problem, rules: Rules) -> Collection[int]:
    """The session's wrong answers to a problem, and to the original of its loop."""
    original = state["original_problem"]
    asked = [problem] if original is None else [problem, rules.bank.problem(original)]
    return {answer for one in asked for answer in state["mistakes"].get(task_key("problem", one), ())}


def _unlearnt(state: TutoringState, problem: Problem, rules: Rules) -> float:
    """The probability that the child has not learnt what a problem asks for. Up to a first problem that an adult chose,
    what was never asked counts as learnt."""
    start = state["start"]
    known = rules.session_knowledge.at(state)[rules.knowledge.skill_of(problem)]
    if start["first_problem"] is not None and not known.tries and problem.c_level <= start["c_position"]:
        return 0.0
    return 1 - known.chance


def _bounded(posterior: Posterior, limit: int) -> Posterior:
    """Cuts the posterior to its limit. Explaining hypotheses are kept first, then the most surely excluded ones."""
    if len(posterior) <= limit:
        return posterior
    order = sorted(posterior.items(), key=lambda item: (-item[1][1], item[1][0]))
    return dict(order[:limit])


def suspected_later(posterior: Posterior) -> Posterior:
    """What the next session begins with: the malrules that explained answers and are likelier since, and those that are
    less likely as the child was wrong in another way. What spoke for one must not outlive what spoke against it."""
    against = [(key, one) for key, one in posterior.items() if one[0] < 0 and one[2] and tag_of(key) not in NOT_SHOWN]
    spoken_for = [
        (key, one) for key, one in posterior.items() if one[0] > 0 and one[1] and tag_of(key) not in NOT_SHOWN
    ]
    against.sort(key=_weight)
    spoken_for.sort(key=_weight)
    return dict([*spoken_for[: -_SUSPECTED - 1 : -1], *against[:_SUSPECTED]])


def _weight(item: tuple[str, list[float]]) -> float:
    return item[1][0]


# --- what follows -----------------------------------------------------------------------------------------------------


class Belief(NamedTuple):
    """Cause tag → probability, of the causes that explained an answer. The rest up to 1 is that the child knows and
    slips. UNKNOWN: errs by no known procedure. `explained`: answers by cause; `best`: a cause's likeliest hypothesis;
    `posterior`: the numbers behind it all."""

    probability: dict[str, float]
    explained: dict[str, int]
    best: dict[str, str]
    posterior: Posterior

    def of(self, tag: str) -> float:
        """The probability of one cause; 0 for a cause without evidence."""
        return self.probability.get(tag, 0.0)

    def holds(self, tag: str, numbers: EvidenceNumbers) -> bool:
        """A predictive check: whether enough of the wrong answers are those that the cause's likeliest hypothesis
        predicted. Causes that no malrule leads to predict nothing and hold."""
        _, hits, otherwise = self.posterior.get(self.best.get(tag, ""), (0.0, 0, 0))
        return hits >= numbers.holds * (hits + otherwise)


def cause_probabilities(posterior: Posterior, state: TutoringState, rules: Rules) -> Belief:
    """The probabilities of the causes after the evidence in `posterior`.

    Causes compete within an operation: a child may add by one malrule, divide by another and not know how to multiply.
    """
    numbers, known = rules.numbers.evidence, recorded_causes(state)
    pairs = max(numbers.hypotheses, len(posterior) - (IMPULSE in posterior))
    odds = {
        key: _prior(key, numbers, pairs, known) * math.exp(min(weight, _CERTAIN))
        for key, (weight, hits, _) in posterior.items()
        if hits or weight > 0 or key in _WITHOUT_PROCEDURE
    }
    whole = dict.fromkeys(OPERATIONS, 1.0)
    for key, one in odds.items():
        for op in operations_of(key):
            whole[op] += one
    probability: dict[str, float] = {}
    explained: dict[str, int] = {}
    best: dict[str, str] = {}
    for key, one in sorted(odds.items(), key=lambda item: -item[1]):
        if not posterior[key][1] and tag_of(key) not in NOT_SHOWN:
            continue
        tag, share = tag_of(key), one / max(whole[op] for op in operations_of(key))
        best.setdefault(tag, key)
        probability[tag] = max(probability[tag], share) if tag == UNKNOWN and tag in probability else (
            probability.get(tag, 0.0) + share)  # fmt: skip
        explained[tag] = max(explained.get(tag, 0), int(posterior[key][1]))
    return Belief(probability, explained, best, posterior)


_WITHOUT_PROCEDURE: Final = frozenset({IMPULSE, *(f"{op}|{UNKNOWN}" for op in OPERATIONS)})

_CERTAIN: Final = 50.0
"""A logarithm beyond which more evidence changes nothing; keeps exp within its range."""


def recorded_causes(state: TutoringState) -> Collection[str]:
    """The cause that the child's records have most often, with those that nothing told apart from it."""
    frequent = state["start"]["frequent_cause"]
    return () if frequent is None else state["start"]["together"].get(frequent, (frequent,))


def _prior(key: str, numbers: EvidenceNumbers, pairs: int, known: Collection[str]) -> float:
    tag = tag_of(key)
    if tag == UNKNOWN:
        return numbers.prior_unknown
    if tag == IMPULSE:
        return numbers.prior_attention
    return numbers.prior_defect / pairs * (numbers.known_cause if tag in known else 1.0)


def plausible_pairs(
    pairs: Sequence[Sequence[str]], posterior: Posterior, state: TutoringState, rules: Rules
) -> list[list[str]]:
    """The (malrule, cause) pairs that stay plausible after the session's answers and the records: none much less likely
    than the best."""
    known, more = recorded_causes(state), math.log(rules.numbers.evidence.known_cause)
    weights = [posterior.get(f"{name}|{tag}", (0.0, 0))[0] + more * (tag in known) for name, tag in pairs]
    least = max(weights, default=0.0) - math.log(rules.numbers.evidence.rival)
    return [[*pair] for pair, weight in zip(pairs, weights, strict=True) if weight >= least]


def settled_cause(belief: Belief, rules: Rules) -> str | None:
    """The cause that at least two answers have put past the threshold, or None."""
    numbers = rules.numbers.evidence
    for tag, probability in belief.probability.items():
        likely = probability >= numbers.state_at and belief.holds(tag, numbers)
        if likely and belief.explained[tag] > 1 and tag != UNKNOWN:
            return tag
    return None


def concluded_causes(state: TutoringState, rules: Rules) -> list[str]:
    """The session's conclusion, the likeliest cause first: the stated causes that still hold, else one that two answers
    speak for. UNKNOWN alone if errors stayed unexplained; empty if no error was seen."""
    belief = cause_probabilities(state["posterior"], state, rules)
    numbers = rules.numbers.evidence
    if stated := [tag for tag in state["stated"] if belief.holds(tag, numbers)]:
        return sorted(stated, key=lambda tag: -belief.of(tag))
    if (tag := _likeliest(belief, numbers)) is not None:
        return [tag]
    likely = [tag for tag, one in belief.probability.items() if one >= numbers.unknown_at]
    return [UNKNOWN] if likely == [UNKNOWN] else []


def _likeliest(belief: Belief, numbers: EvidenceNumbers) -> str | None:
    """The likeliest cause that two answers speak for: likely in itself, or the first of several that could not be told
    apart and are likely together."""
    for tag in sorted(belief.probability, key=belief.of, reverse=True):
        if tag == UNKNOWN or belief.explained[tag] < 2 or not belief.holds(tag, numbers):
            continue
        if belief.of(tag) >= numbers.conclude_at:
            return tag
        if tag != IMPULSE and belief.of(tag) > belief.of(UNKNOWN) and _with_rivals(belief, tag) >= numbers.state_at:
            return tag
    return None


def _with_rivals(belief: Belief, tag: str) -> float:
    """The probability that the child has this cause or another of its operation."""
    own = set(operations_of(belief.best[tag]))
    others = (one for one in belief.probability if one not in NOT_SHOWN)
    return sum(belief.of(one) for one in others if own & set(operations_of(belief.best[one])))
