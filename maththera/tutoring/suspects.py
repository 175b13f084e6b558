"""Which problem of ordinary practice tells the suspected causes apart."""

from collections.abc import Collection, Sequence

from maththera.arithmetic.problem import Problem
from maththera.tutoring.hypotheses import NOT_SHOWN, predictions, tag_of
from maththera.tutoring.posterior import believe, settled
from maththera.tutoring.rules import Rules
from maththera.tutoring.state import TutoringState


def suspects(state: TutoringState, rules: Rules) -> list[str]:
    """The hypotheses that ordinary practice should tell apart, the likeliest first; none where nothing is suspected or
    one cause is settled."""
    numbers, posterior = rules.numbers.evidence, state["posterior"]
    if not any(hits for key, (_, hits, _) in posterior.items() if tag_of(key) not in NOT_SHOWN):
        return []
    belief = believe(posterior, state, rules)
    likely = [tag for tag in belief.probability if belief.of(tag) >= numbers.suspect_at and tag not in NOT_SHOWN]
    likely.sort(key=lambda tag: -belief.of(tag))
    if not likely or settled(belief, rules) is not None:
        return []
    return [belief.best[tag] for tag in likely[: numbers.suspects]]


def telling(
    problems: Sequence[Problem], hypotheses: Sequence[str], rules: Rules, *, start: int, without: Collection[str]
) -> Problem | None:
    """Of a few problems, spread from `start` over all of them, the one that best tells the hypotheses apart; None where
    none does. `without`: expressions that may not come."""
    if not hypotheses:
        return None
    size, best, most = len(problems), None, 0
    tries = min(size, rules.numbers.evidence.looked_at)
    for step in range(tries):
        problem = problems[(start + step * size // tries) % size]
        told_apart = tells_apart(problem, hypotheses, rules) if problem.key not in without else 0
        if told_apart > most:
            best, most = problem, told_apart
    return best


def tells_apart(problem: Problem, hypotheses: Sequence[str], rules: Rules) -> int:
    """How many different answers the hypotheses and a child who knows would give; 0 where the first, the likeliest,
    would be right and so could not show."""
    predicted = predictions(problem, None, rules.held_out)
    if hypotheses[0] not in predicted:
        return 0
    return len({predicted.get(key, problem.answer) for key in hypotheses} | {problem.answer})
