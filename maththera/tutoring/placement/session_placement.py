"""The placement within a session: its next problem, and what its answers say of each skill."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from maththera.arithmetic.problem import Problem
from maththera.knowledge.knowledge import Evidence
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.session_moves import set_position
from maththera.tutoring.placement.hypotheses import Answer
from maththera.tutoring.placement.next_problem import next_choice
from maththera.tutoring.practice.taught_skills import beyond_grade
from maththera.tutoring.problems.seeded_draw import seeded_index
from maththera.tutoring.state import PlacementState, TutoringState, given

_DECIMALS: Final = 3
"""Of a chance that is recorded."""
_SUREST: Final = 0.98
"""Twelve answers make nothing surer than this."""


def no_answers() -> PlacementState:
    """Nothing was asked yet."""
    return {"answers": [], "skill_id": "", "easy": 0, "last": False}


def next_placement_problem(draft: TutoringState, rules: Rules) -> Problem:
    """The next problem of a placement; the draft keeps its skill, and the position is that of the problem."""
    before, start = given(draft["placement"]), draft["start"]
    answers, c = placement_answers(before), thought_level(start)
    without = beyond_grade(start, rules.session_knowledge.at(draft), rules)
    choice = next_choice(rules.hypotheses, answers, rules.numbers.placement, c=c, easy=before["easy"], without=without)
    number = draft["counters"]["tasks"]
    skill_id = choice.skill_ids[seeded_index(len(choice.skill_ids), start["seed"], number)]
    draft["placement"] = {**before, "skill_id": skill_id, "easy": before["easy"] + choice.easy, "last": choice.last}
    problem = _problem_of(skill_id, draft, rules, seeded_index(1 << 30, start["seed"], number + 1))
    set_position(draft, rules, problem.c_level, problem.w_total)
    return problem


def _problem_of(skill_id: str, draft: TutoringState, rules: Rules, start: int) -> Problem:
    """A problem of the skill that was not shown yet, where there is one: of the middle of its W, for 200−200 says
    little of subtracting."""
    problems = rules.ladder.problems[skill_id]
    edge = len(problems) // 4
    typical = problems[edge : len(problems) - edge]
    fresh = [problem for problem in typical if problem.key not in draft["history"]] or typical
    return fresh[start % len(fresh)]


def unplaced(state: TutoringState, rules: Rules) -> bool:
    """Whether the child is still to be placed: its placement is not at its end, or the start that it was given proved
    too easy to say where it stands."""
    if (placement := state["placement"]) is not None:
        return "chances" not in placement
    if not state["start"]["given"]:
        return False
    tries = [one.right for one in (Evidence(*entry) for entry in state["known"]["evidence"]) if one.first_try]
    numbers = rules.numbers.placement
    return len(tries) >= numbers.easy_start_tries and tries.count(False) <= numbers.easy_start_misses


def thought_level(start: Mapping[str, Any]) -> int:
    """The C at which the child is thought to be: where an adult said so, else what its grade says; 0 for nowhere."""
    return int(start["thought_c"] or start.get("grade_c") or 0)


def known_skills(answers: Sequence[Answer], rules: Rules, c: int) -> dict[str, float]:
    """The chance of a right first try, slips apart, by skill, after these answers of a child who is thought to be at
    this C, 0 for nowhere."""
    numbers = rules.numbers.placement
    known = rules.hypotheses.known(answers, slip=numbers.slip, guess=numbers.guess, c=c)
    return {
        skill_id: round(min(_SUREST, chance + (1 - chance) * numbers.guess), _DECIMALS)
        for skill_id, chance in known.items()
    }


def placement_answers(placement: PlacementState) -> Sequence[Answer]:
    """The answers of a placement so far."""
    return [Answer(skill_id, right) for skill_id, right in placement["answers"]]
