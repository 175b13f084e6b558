"""What a child once missed and can do now, for its own page."""

from collections.abc import Iterable
from typing import Final

from maththera.arithmetic.problem_bank import Bank
from maththera.learner_model.recorded_knowledge import Try

_NOW_RIGHT: Final = 2
"""So many tries of the skill in a row, the last ones, are right: one alone may be luck."""
_MOST: Final = 3


def once_hard(tries: Iterable[Try], bank: Bank) -> list[str]:
    """True equations ("47−19=28"), each of another skill that was missed before, those of the newest answers first. Of
    a skill it is the missed problem where that came again and was right, else what was answered last."""
    by_skill: dict[str, list[Try]] = {}
    for one in tries:
        if bank.get(one.answer.problem_id or "") is not None:
            by_skill.setdefault(one.skill_id, []).append(one)
    mended = [own for own in by_skill.values() if _mended(own)]
    mended.sort(key=lambda own: own[-1].answer.created_at, reverse=True)
    return [_equation(own, bank) for own in mended[:_MOST]]


def _mended(own: list[Try]) -> bool:
    last = own[-_NOW_RIGHT:]
    return len(own) > len(last) and all(one.right for one in last) and not all(one.right for one in own)


def _equation(own: list[Try], bank: Bank) -> str:
    missed = {bank.problem(one.answer.problem_id or "").key for one in own if not one.right}
    problems = [bank.problem(one.answer.problem_id or "") for one in own[-_NOW_RIGHT:]]
    problem = next((one for one in reversed(problems) if one.key in missed), problems[-1])
    return problem.prompt.replace("□", str(problem.answer))
