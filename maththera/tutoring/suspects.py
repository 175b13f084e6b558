"""Which problem of ordinary practice tells most about the child: one that parts the suspected causes, else one on which
most of what has not been seen yet could show."""

from collections.abc import Collection, Iterator, Sequence
from math import exp

from maththera.arithmetic.problem import Problem
from maththera.tutoring.hypotheses import NOT_SHOWN, predictions, tag_of
from maththera.tutoring.posterior import believe, settled
from maththera.tutoring.rules import Rules
from maththera.tutoring.state import TutoringState


def suspects(state: TutoringState, rules: Rules) -> list[str]:
    """The hypotheses that ordinary practice should tell apart, the likeliest first; the settled cause's alone, which is
    to be practised; none where nothing is suspected."""
    numbers, posterior = rules.numbers.evidence, state["posterior"]
    if not any(hits for key, (_, hits, _) in posterior.items() if tag_of(key) not in NOT_SHOWN):
        return []
    belief = believe(posterior, state, rules)
    if (tag := settled(belief, rules)) is not None:
        return [belief.best[tag]] if tag not in NOT_SHOWN else []
    likely = [tag for tag in belief.probability if belief.of(tag) >= numbers.suspect_at and tag not in NOT_SHOWN]
    likely.sort(key=lambda tag: -belief.of(tag))
    return [belief.best[tag] for tag in likely[: numbers.suspects]]


def telling(
    problems: Sequence[Problem], hypotheses: Sequence[str], rules: Rules, *, start: int, without: Collection[str]
) -> Problem | None:
    """Of a few problems, spread from `start` over all of them, the one that best tells the hypotheses apart; None where
    none does. `without`: expressions that may not come."""
    best, most = None, 0
    for problem in _some(problems, rules.numbers.evidence.looked_at, start, without) if hypotheses else ():
        told_apart = tells_apart(problem, hypotheses, rules)
        if told_apart > most:
            best, most = problem, told_apart
    return best


def nearest_telling(
    state: TutoringState, hypotheses: Sequence[str], rules: Rules, *, start: int, without: Collection[str]
) -> Problem | None:
    """Of problems spread over the level, the nearest in W that tells the hypotheses apart."""
    level, w = rules.bank.level(state["c_position"]), state["w_position"]
    some = _some(level, rules.numbers.evidence.looked_at_far, start, without)
    for problem in sorted(some, key=lambda problem: abs(problem.w_total - w)):
        if tells_apart(problem, hypotheses, rules):
            return problem
    return None


def revealing(
    problems: Sequence[Problem], state: TutoringState, rules: Rules, *, start: int, without: Collection[str]
) -> Problem | None:
    """Of a few problems, the one on which most of what no right answer has spoken against could show; a cause that the
    learner's records know counts for more. None where nothing can show."""
    posterior, known, best, most = state["posterior"], state["start"]["frequent_cause"], None, 0.0
    numbers = rules.numbers.evidence
    for problem in _some(problems, numbers.looked_at, start, without):
        could_show = sum(
            exp(min(0.0, posterior.get(key, (0.0,))[0])) * (numbers.known_cause if tag_of(key) == known else 1.0)
            for key in predictions(problem, None, rules.held_out)
        )
        if could_show > most:
            best, most = problem, could_show
    return best


def tells_apart(problem: Problem, hypotheses: Sequence[str], rules: Rules) -> int:
    """How many different answers the hypotheses and a child who knows would give; 0 where the first, the likeliest,
    would be right and so could not show."""
    predicted = predictions(problem, None, rules.held_out)
    if hypotheses[0] not in predicted:
        return 0
    return len({predicted.get(key, problem.answer) for key in hypotheses} | {problem.answer})


def _some(problems: Sequence[Problem], tries: int, start: int, without: Collection[str]) -> Iterator[Problem]:
    """At most so many, spread from `start` over all of them."""
    size = len(problems)
    tries = min(size, tries)
    for step in range(tries):
        problem = problems[(start + step * size // tries) % size]
        if problem.key not in without:
            yield problem
