"""A teacher who knows what a simulated child can do. It asks what the child is about to learn, shows an example first,
and chooses so that three of four answers are right.

No tutor can know this much: its results are the most that these children can learn in the same time.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from maththera.arithmetic.problem import Problem
from maththera.simulation.independent.child import Child
from maththera.simulation.knowing.examiner import HAS_NOT, Examiner, Truth, sum_of
from maththera.simulation.knowing.weeks import DAYS_BETWEEN, Asked, Session, Weeks

_TASKS: Final = 30
"""Tasks of a session: 15 problems with what comes between them."""
_AT_ONCE: Final = 2
_LOOKED_BACK: Final = 12
_LOOKED_FROM: Final = 6
_TOO_HARD: Final = 0.74
_EXAMPLE_STEPS: Final = 3
_SECURE: Final = 0.9


def weeks(  # noqa: PLR0913 - who comes, how often
    index: int, child: Child, seed: int, examiner: Examiner, *, sessions: int, rest: float
) -> Weeks:
    """The same days as with the tutor, the last of them after the rest."""
    chance = Random(f"oracle {seed}:{index}")  # noqa: S311 - repeatable on purpose
    name = child.procedure.name if child.procedure is not None else None
    found = Weeks(index, child.habits.kind, name, None, examiner.truth(child), child.habits.speed)
    day = 0.0
    for number in range(sessions + 1):
        if number:
            day += rest if number == sessions else chance.choice(DAYS_BETWEEN)
        child.sits_down(day)
        found.sessions.append(_session(child, examiner, chance, day))
    return found


def _session(child: Child, examiner: Examiner, chance: Random, day: float) -> Session:
    session, truth = Session(day, 1, "all"), examiner.truth(child)
    order = examiner.skills.order
    targets = sorted(examiner.within_reach(truth), key=lambda skill_id: order[skill_id])[:_AT_ONCE]
    shown: set[str] = set()
    recent: list[bool] = []
    while len(session.asked) < _TASKS:
        skill_id = _next_skill(targets, truth, recent, chance)
        problem = chance.choice(examiner.problems[skill_id])
        if skill_id in targets and truth[skill_id] < HAS_NOT and skill_id not in shown:
            shown.add(skill_id)
            for _ in range(_EXAMPLE_STEPS):
                session.asked.append(_ask(child, examiner, "worked_example", problem))
            continue
        asked = _ask(child, examiner, "problem", problem)
        session.asked.append(asked)
        recent = [*recent, bool(asked.right)][-_LOOKED_BACK:]
    session.truth, session.hold = examiner.truth(child), child.hold
    return session


def _next_skill(targets: list[str], truth: Truth, recent: list[bool], chance: Random) -> str:
    hard = len(recent) >= _LOOKED_FROM and sum(recent) < _TOO_HARD * len(recent)
    secure = [skill_id for skill_id, value in truth.items() if value >= _SECURE]
    if not targets or hard or recent[-1:] == [False]:
        return chance.choice(secure or [max(truth, key=lambda one: truth[one])])
    return chance.choice(targets)


def _ask(child: Child, examiner: Examiner, kind: str, problem: Problem) -> Asked:
    task: Mapping[str, Any] = {
        "kind": kind,
        "prompt": problem.prompt,
        "problem": {"expression": problem.expression},
        "choices": [],
        "visual_mode": "none",
    }
    chance = child.success(sum_of(problem))
    reply = child.respond(task)
    right = reply.answer == problem.answer
    child.learn(task, right=right)
    skill = examiner.skills.of_problem(problem)
    return Asked(
        kind, problem.prompt, problem.c_level, skill.skill_id if skill else None, problem.op, right, reply.why,
        first=kind == "problem", phase="normal", chance=chance, predicted=chance,
    )  # fmt: skip
