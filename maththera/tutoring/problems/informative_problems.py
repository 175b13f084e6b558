"""The most informative problems of ordinary practice: one that separates the suspected causes, else one on which most
unseen errors could show."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import repeat
from math import exp
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import NOT_SHOWN, operations_of, predictions, tag_of
from maththera.tutoring.diagnosis.posterior import Posterior, cause_probabilities, recorded_causes, settled_cause
from maththera.tutoring.state import TutoringState

_SEVERAL: Final = 2


def suspected_hypotheses(state: TutoringState, rules: Rules) -> list[str]:
    """The hypotheses that practice should tell apart, the likeliest first. Only the settled cause's if there is one,
    because it is to be practised; empty without a suspicion."""
    numbers, posterior = rules.numbers.evidence, state["posterior"]
    if not any(hits for key, (_, hits, _) in posterior.items() if tag_of(key) not in NOT_SHOWN):
        return []
    belief = cause_probabilities(posterior, state, rules)
    if (tag := settled_cause(belief, rules)) is not None:
        return [belief.best[tag]] if tag not in NOT_SHOWN else []
    likely = [tag for tag in belief.probability if belief.of(tag) >= numbers.suspect_at and tag not in NOT_SHOWN]
    likely.sort(key=lambda tag: -belief.of(tag))
    return [belief.best[tag] for tag in likely[: numbers.suspects]]


def explaining_hypotheses(state: TutoringState) -> frozenset[str]:
    """The procedures that have explained answers of this child and are likelier since."""
    posterior = state["posterior"]
    return frozenset(key for key in posterior if _explains(key, posterior))


def spoilt(state: TutoringState, rules: Rules) -> Callable[[Problem], bool]:
    """Whether a procedure that has explained answers of this child gives a wrong answer to a problem."""
    explaining = explaining_hypotheses(state)
    return lambda problem: not explaining.isdisjoint(predictions(problem, None, rules.held_out, rules.learned))


def spoilt_operations(state: TutoringState) -> set[str]:
    """The operations in which one procedure has explained several answers of this child."""
    several = (key for key in explaining_hypotheses(state) if state["posterior"][key][1] >= _SEVERAL)
    return {op for key in several for op in operations_of(key)}


def _explains(key: str, posterior: Posterior) -> bool:
    weight, hits, _ = posterior[key]
    return bool(hits) and weight > 0 and tag_of(key) not in NOT_SHOWN


def suspected_answers(state: TutoringState, rules: Rules, problem: Problem) -> list[int]:
    """The wrong answers that procedures give which have explained answers of this child, the likeliest first, for a
    child that taps; none where the client does not say so, as what is then typed passes for a tap of a choice."""
    event, posterior = state.get("event"), state["posterior"]
    if event is None or event.get("input") is None:
        return []
    predicted = predictions(problem, None, rules.held_out, rules.learned)
    found = [key for key in predicted.keys() & posterior.keys() if _explains(key, posterior)]
    likely = sorted(found, key=lambda key: (-posterior[key][0], key))
    return [predicted[key] for key in likely if predicted[key] >= 0]


def separating_problem(
    problems: Sequence[Problem], hypotheses: Sequence[str], rules: Rules, *, start: int, without: Collection[str]
) -> Problem | None:
    """The problem that best separates the hypotheses, of a few spread from `start` over all; None if none separates
    them. `without`: expressions to avoid."""
    best, most = None, 0
    for problem in _sampled(problems, rules.numbers.evidence.looked_at, start, without) if hypotheses else ():
        told_apart = distinct_answers(problem, hypotheses, rules)
        if told_apart > most:
            best, most = problem, told_apart
    return best


def nearest_separating_problem(
    state: TutoringState, hypotheses: Sequence[str], rules: Rules, *, start: int, without: Collection[str]
) -> Problem | None:
    """The problem nearest in W that separates the hypotheses, of some spread over the level."""
    level, w = rules.bank.level(state["c_position"]), state["w_position"]
    some = _sampled(level, rules.numbers.evidence.looked_at_far, start, without)
    for problem in sorted(some, key=lambda problem: abs(problem.w_total - w)):
        if distinct_answers(problem, hypotheses, rules):
            return problem
    return None


def unseen_error_problem(
    problems: Sequence[Problem], state: TutoringState, rules: Rules, *, start: int, without: Collection[str]
) -> Problem | None:
    """The problem, of a few, on which most hypotheses could show that no right answer has excluded; a cause known from
    the records counts more. None if nothing can show."""
    known, best, most = recorded_causes(state), None, 0.0
    numbers = rules.numbers.evidence
    doubted = {key: exp(weight) - 1 for key, (weight, _, _) in state["posterior"].items() if weight < 0}
    for problem in _sampled(problems, numbers.looked_at, start, without):
        could = predictions(problem, None, rules.held_out, rules.learned)
        if not known and len(could) <= most:
            continue  # a doubt only lessens it
        could_show = len(could) + sum(map(doubted.get, could, repeat(0.0)))
        if known:
            more = numbers.known_cause - 1
            could_show += sum(more * (1 + doubted.get(key, 0.0)) for key in could if tag_of(key) in known)
        if could_show > most:
            best, most = problem, could_show
    return best


def distinct_answers(problem: Problem, hypotheses: Sequence[str], rules: Rules) -> int:
    """How many different answers the hypotheses and the right answer give; 0 if the first, the likeliest, would be
    right and so could not show."""
    predicted = predictions(problem, None, rules.held_out, rules.learned)
    if hypotheses[0] not in predicted:
        return 0
    return len({predicted.get(key, problem.answer) for key in hypotheses} | {problem.answer})


def _sampled(problems: Sequence[Problem], tries: int, start: int, without: Collection[str]) -> Iterator[Problem]:
    """At most so many, spread from `start` over all of them."""
    size = len(problems)
    tries = min(size, tries)
    for step in range(tries):
        problem = problems[(start + step * size // tries) % size]
        if problem.key not in without:
            yield problem
