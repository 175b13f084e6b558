"""The defect of a simulated child: where it shows, and which answer it gives there."""

from dataclasses import dataclass
from random import Random
from typing import Final

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem
from maththera.simulation.parameters import Kind, Parameters
from maththera.tutoring.diagnosis.hypotheses import can_show, malrule_results

NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Defect:
    """One child's defect. `accepts` are the cause tags that name it rightly, the truest first.

    `pairs` are the (malrule, cause) it shows by. `cog_c`: all that needs this concept fails. `w_limit`: the W above
    which steps get lost. A child of kind `attention` or `slow_counting` errs by its way of working, not by a procedure.
    """

    kind: Kind
    accepts: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    cog_c: int | None = None
    w_limit: float = NEVER


HEALTHY: Final = Defect("healthy", ())


def wrong_answer(
    defect: Defect, problem: Problem, removed: str | None, parameters: Parameters, chance: Random
) -> int | None:
    """The answer by the defect; None if it does not show. `removed`: the variable that a probe took out."""
    if defect.kind in ("malrule", "mixture"):
        found = [answer for pair in defect.pairs if (answer := _followed(pair, problem, removed, chance)) is not None]
        return chance.choice(found) if found else None
    if defect.kind == "concept":
        if defect.cog_c is None or problem.cog_c < defect.cog_c:
            return None
        return _one_of(defect, problem, chance)
    if problem.w_total > defect.w_limit and chance.random() < parameters.working_memory.fails:
        return _one_of(defect, problem, chance)
    return None


def _followed(pair: tuple[str, str], problem: Problem, removed: str | None, chance: Random) -> int | None:
    rule = CATALOGUE[pair[0]]
    needs = {cause.tag: cause.needs for cause in rule.causes}
    if not can_show(needs[pair[1]], problem, removed):
        return None
    result = malrule_results(problem).get(rule.name)
    if result is None and removed is not None and rule.apply(problem) == problem.answer:
        # The probe removed what another cause of this malrule needs: this child still errs, in no particular way.
        others = any(removed in other for tag, other in needs.items() if tag != pair[1])
        return unsystematic_answer(problem, chance) if others else None
    return result


def _one_of(defect: Defect, problem: Problem, chance: Random) -> int:
    """The answer by one of the defect's malrules, drawn anew at each problem; if none fits, an unsystematic one."""
    found = malrule_results(problem)
    fitting = [found[name] for name, _ in defect.pairs if name in found]
    return chance.choice(fitting) if fitting else unsystematic_answer(problem, chance)


def slip_answer(problem: Problem, chance: Random) -> int:
    """The answer of a slip: a count off by one, a wrong ten, a fact next door, two digits swapped or a key beside the
    right one. Half of the slips fit no malrule, like half of the errors in teachers' collections."""
    answer, way = problem.answer, chance.random()
    if way < 0.3:
        found = answer + chance.choice((-1, 1))
    elif way < 0.45:
        found = answer + chance.choice((-10, 10))
    elif way < 0.6:
        found = answer + chance.choice((-1, 1)) * chance.choice((problem.a, problem.b))
    elif way < 0.7:
        found = int(str(answer)[::-1])
    else:
        found = answer + chance.choice((-4, -3, -2, 2, 3, 4))
    return found if found >= 0 and found != answer else answer + chance.choice((1, 2, 3))


def unsystematic_answer(problem: Problem, chance: Random) -> int:
    """A wrong answer by no procedure, between 0 and twice the right answer."""
    found = chance.randrange(2 * problem.answer + 6)
    return found if found != problem.answer else found + 1
