"""What is wrong with a simulated child: where it shows, and which answer it gives there."""

from dataclasses import dataclass
from random import Random
from typing import Final

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem
from maththera.simulation.parameters import Kind, Parameters
from maththera.tutoring.hypotheses import results, shows

NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Defect:
    """One child's defect. `accepts` are the cause tags that name it rightly, the truest first.

    `pairs` are the (malrule, cause) it shows by. `cog_c`: all that needs this concept fails. `w_limit`: the W above
    which steps get lost. A child of kind `attention` or `slow_counting` errs by how it works, not by a procedure.
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
    """What the defect makes of the problem; None where it does not show. `removed`: the variable a probe took out."""
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
    if not shows(needs[pair[1]], problem, removed):
        return None
    result = results(problem).get(rule.name)
    if result is None and removed is not None and rule.apply(problem) == problem.answer:
        # The probe took out what another cause of this malrule needs: this child still errs, in a way of its own.
        others = any(removed in other for tag, other in needs.items() if tag != pair[1])
        return unsystematic(problem, chance) if others else None
    return result


def _one_of(defect: Defect, problem: Problem, chance: Random) -> int:
    """One of the malrules the defect can show by, drawn anew at each problem; none fits: no particular way."""
    found = results(problem)
    fitting = [found[name] for name, _ in defect.pairs if name in found]
    return chance.choice(fitting) if fitting else unsystematic(problem, chance)


def slipped(problem: Problem, chance: Random) -> int:
    """The answer of a child who knows and errs all the same: a count off by one, a wrong ten, a fact next door, two
    digits swapped or a key beside the right one. Half of them fit no malrule, as teachers' collections of errors do."""
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


def unsystematic(problem: Problem, chance: Random) -> int:
    """A wrong answer by no procedure: somewhere between nothing and twice the right one."""
    found = chance.randrange(2 * problem.answer + 6)
    return found if found != problem.answer else found + 1
