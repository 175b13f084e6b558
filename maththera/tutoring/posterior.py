"""What the answers of a session say about its causes: a Bayesian posterior beside the rules.

Each hypothesis is a pair of a malrule and one of its causes, that the child answers at random before thinking, or that
it errs by no known procedure (UNKNOWN). The state keeps, for each, the logarithm of how much likelier it makes the
answers so far than "the child knows this and slips", and how many answers it explained: `posterior`, bounded. The prior
is the share of children with a defect, split over all that could have shown at this C; a cause that the learner's
records know counts for more.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from maththera.arithmetic.problem import Problem
from maththera.tutoring.hypotheses import (
    ANY_WRONG,
    IMPULSE,
    NOT_SHOWN,
    OPERATIONS,
    UNKNOWN,
    operations_of,
    predictions,
    tag_of,
)
from maththera.tutoring.rules import EvidenceNumbers, Rules
from maththera.tutoring.state import Observation, TutoringState, given

Posterior = dict[str, list[float]]
"""Hypothesis → [log of its likelihood ratio, answers it explained, typed answers that were wrong in another way]. A
hypothesis is "malrule|cause", IMPULSE or, for an operation, "+|UNKNOWN"."""


class Shown(NamedTuple):
    """A task that was answered. `removed`: the variable its probe took out, None outside probes; `repeated`: the
    wrong answer that this same problem got before."""

    problem: Problem
    choices: Sequence[int]
    removed: str | None
    aided: bool
    repeated: int | None = None


# --- evidence ---------------------------------------------------------------------------------------------------------


def updated(state: TutoringState, rules: Rules) -> Posterior:
    """The posterior with the answer at hand; the same one where nothing was answered."""
    observation, posterior = state["observation"], state["posterior"]
    if observation is None or observation["answer"] is None or observation["problem_id"] is None:
        return posterior
    weights = weigh(_shown(state, rules, observation), observation, rules)
    if not weights:
        return posterior
    found = dict(posterior)
    for key, (weight, explained, otherwise) in weights.items():
        before = found.get(key, (0.0, 0, 0))
        found[key] = [round(before[0] + weight, 2), before[1] + explained, before[2] + otherwise]
    return _bounded(found, rules.numbers.evidence.kept)


def weigh(shown: Shown, observation: Observation, rules: Rules) -> dict[str, tuple[float, int, int]]:
    """Hypothesis → what the answer at hand adds to its numbers."""
    numbers, answer = rules.numbers.evidence, observation["answer"]
    if answer is None:
        return {}
    if observation["impulsive"]:
        return {IMPULSE: (math.log(numbers.impulsive / numbers.impulsive_by_chance), 1, 0)}
    weights = {IMPULSE: (math.log((1 - numbers.impulsive) / (1 - numbers.impulsive_by_chance)), 0, 0)}
    problem, right = shown.problem, answer == shown.problem.answer
    if right and shown.aided:
        return weights
    tap = observation["tap"]
    slip = numbers.slip * spread(problem, answer, shown.choices if tap else ())
    follows, guess = (numbers.follows_tap, numbers.guess_tap) if tap else (numbers.follows, numbers.guess)
    elsewhere = 1 - follows - guess
    for key, predicted in predictions(problem, shown.removed, rules.held_out).items():
        if right:
            weights[key] = (math.log(guess / (1 - numbers.slip)), 0, 0)
        elif predicted == answer:
            weights[key] = (math.log(follows / slip), 1, 0)
        elif predicted == ANY_WRONG:
            weights[key] = (math.log(follows / numbers.slip), 0, 0)
        elif not tap or predicted in shown.choices:
            weights[key] = (math.log(elsewhere / numbers.slip), 0, int(not tap))
        else:  # the child's own answer was not to be had: it taps any other
            weights[key] = (math.log(follows / numbers.slip), 0, 0)
    fails, unknown = numbers.unknown_fails, f"{problem.op}|{UNKNOWN}"
    if right:
        weights[unknown] = (math.log((1 - fails) / (1 - numbers.slip)), 0, 0)
    else:
        # Whoever errs at all gives the same answer to the same problem again: that is no sign of a procedure.
        scatter = 1.0 if answer == shown.repeated else _scatter(problem, answer, shown.choices if tap else ())
        weights[unknown] = (math.log(fails * scatter / slip), int(not observation["malrules"]), 0)
    return weights


def spread(problem: Problem, answer: int, choices: Sequence[int]) -> float:
    """How a slip spreads over the wrong answers: next to the right one mostly, seldom far off, evenly over taps."""
    if choices:
        return 1 / max(1, len(choices) - 1)
    distance = abs(answer - problem.answer)
    if len(str(answer)) > len(str(problem.answer)) + (distance <= 10):
        return _ABSURD * min(1.0, _FAR_WIDTH / _width(problem))
    if distance == 1:
        return _NEXT
    near = distance <= 4 or distance in (10, problem.a, problem.b) or str(answer) == str(problem.answer)[::-1]
    return _NEAR if near else _FAR * min(1.0, _FAR_WIDTH / _width(problem))


def _scatter(problem: Problem, answer: int, choices: Sequence[int]) -> float:
    """How the answers of a child without a procedure spread: evenly up to about twice the right one."""
    if choices:
        return 1 / max(1, len(choices) - 1)
    width = _width(problem)
    return 1 / width if answer < width else _ABSURD / 10


def _width(problem: Problem) -> int:
    """Up to where wrong answers lie: one far off shares its chance with the more of them the larger the numbers are."""
    return 2 * problem.answer + 6


_NEXT: Final = 0.15
_NEAR: Final = 0.05
_FAR: Final = 0.01
_ABSURD: Final = 0.002
_FAR_WIDTH: Final = 30
"""Answers among which those far off have the chances above."""


def may_ask(state: TutoringState, rules: Rules) -> bool:
    """A model is asked about the first unexplained answers of an operation, and again once attention is back; what else
    comes the diagnostic question decides alone."""
    op = rules.bank.problem(given(given(state["task"])["problem_id"])).op
    refocused = state["attempts"] is not None and state["attempts"]["attention"] > 0
    return refocused or state["posterior"].get(f"{op}|{UNKNOWN}", (0.0, 0))[1] < rules.numbers.evidence.asks


def removed_variable(state: TutoringState) -> str | None:
    """What the probe at hand has taken out; None outside probes."""
    task, waiting = state["task"], state["probe_state"]
    return waiting["removed_variable"] if waiting and task is not None and task["kind"] == "probe" else None


def _shown(state: TutoringState, rules: Rules, observation: Observation) -> Shown:
    task = state["task"]
    problem = rules.bank.problem(observation["problem_id"] or "")
    aided = task is not None and task["visual_mode"] != "none" and observation["kind"] != "probe"
    attempts = state["attempts"]
    again = attempts.get("wrong") if attempts is not None and attempts["problem_id"] == problem.problem_id else None
    return Shown(problem, task["choices"] if task else (), removed_variable(state), aided, again)


def _bounded(posterior: Posterior, limit: int) -> Posterior:
    """What explains something stays first, then what is most surely excluded."""
    if len(posterior) <= limit:
        return posterior
    order = sorted(posterior.items(), key=lambda item: (-item[1][1], item[1][0]))
    return dict(order[:limit])


# --- what follows -----------------------------------------------------------------------------------------------------


class Belief(NamedTuple):
    """Cause tag → probability, of those that explained an answer; the rest of 1 is that the child knows and slips.
    UNKNOWN: errs by no known procedure. `explained`: answers by cause; `best`: its likeliest hypothesis;
    `posterior`: what all of it rests on."""

    probability: dict[str, float]
    explained: dict[str, int]
    best: dict[str, str]
    posterior: Posterior

    def of(self, tag: str) -> float:
        """The probability of one cause; 0 where nothing speaks for it."""
        return self.probability.get(tag, 0.0)

    def holds(self, tag: str, numbers: EvidenceNumbers) -> bool:
        """Whether the wrong answers that its likeliest hypothesis predicted came often enough among those that did
        (a predictive check). Causes that no malrule leads to predict nothing and hold."""
        _, hits, otherwise = self.posterior.get(self.best.get(tag, ""), (0.0, 0, 0))
        return hits >= numbers.holds * (hits + otherwise)


def believe(posterior: Posterior, state: TutoringState, rules: Rules) -> Belief:
    """The probabilities of the causes after the evidence in `posterior`.

    Causes compete within an operation: a child may add by one malrule, divide by another and not know how to multiply.
    """
    numbers, known = rules.numbers.evidence, state["start"]["frequent_cause"]
    pairs = max(numbers.hypotheses, sum("|" in key for key in posterior))
    odds = {
        key: _prior(key, numbers, pairs, known) * math.exp(min(weight, _CERTAIN))
        for key, (weight, hits, _) in posterior.items()
        if hits or weight > 0 or key == IMPULSE or tag_of(key) == UNKNOWN
    }
    whole = {op: 1 + sum(one for key, one in odds.items() if op in operations_of(key)) for op in OPERATIONS}
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


_CERTAIN: Final = 50.0
"""A logarithm beyond which more evidence changes nothing; keeps exp within its range."""


def _prior(key: str, numbers: EvidenceNumbers, pairs: int, known: str | None) -> float:
    tag = tag_of(key)
    if tag == UNKNOWN:
        return numbers.prior_unknown
    if tag == IMPULSE:
        return numbers.prior_attention
    return numbers.prior_defect / pairs * (numbers.known_cause if tag == known else 1.0)


def plausible(
    pairs: Sequence[Sequence[str]], posterior: Posterior, state: TutoringState, rules: Rules
) -> list[list[str]]:
    """The (malrule, cause) pairs that the session's answers and the learner's records leave: none much less likely than
    the best."""
    known, more = state["start"]["frequent_cause"], math.log(rules.numbers.evidence.known_cause)
    weights = [posterior.get(f"{name}|{tag}", (0.0, 0))[0] + more * (tag == known) for name, tag in pairs]
    least = max(weights, default=0.0) - math.log(rules.numbers.evidence.rival)
    return [[*pair] for pair, weight in zip(pairs, weights, strict=True) if weight >= least]


def settled(belief: Belief, rules: Rules) -> str | None:
    """The cause that two answers or more have put past the threshold."""
    numbers = rules.numbers.evidence
    for tag, probability in belief.probability.items():
        likely = probability >= numbers.state_at and belief.holds(tag, numbers)
        if likely and belief.explained[tag] > 1 and tag != UNKNOWN:
            return tag
    return None


def conclusion(state: TutoringState, rules: Rules) -> list[str]:
    """What the session has shown, the likeliest first: the stated causes that still hold, else the one that two answers
    speak for though not enough to act on; UNKNOWN alone where errors stayed unexplained; nothing where nothing was
    shown."""
    belief = believe(state["posterior"], state, rules)
    numbers = rules.numbers.evidence
    if stated := [tag for tag in state["stated"] if belief.holds(tag, numbers)]:
        return sorted(stated, key=lambda tag: -belief.of(tag))
    for tag, one in belief.probability.items():
        if one >= numbers.conclude_at and tag != UNKNOWN and belief.explained[tag] > 1 and belief.holds(tag, numbers):
            return [tag]
    likely = [tag for tag, one in belief.probability.items() if one >= rules.numbers.evidence.unknown_at]
    return [UNKNOWN] if likely == [UNKNOWN] else []
