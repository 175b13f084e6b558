"""The placement within a session: its next problem, what its answers say of each skill, and where the child starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from maththera.arithmetic.problem import Problem
from maththera.knowledge.knowledge import Evidence
from maththera.knowledge.skills import STRANDS, Skills, Strand
from maththera.tutoring.content.session_rules import PlacementNumbers, Rules
from maththera.tutoring.moves.session_moves import set_position
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.placement.hypotheses import Answer, information
from maththera.tutoring.practice.resting_skills import beyond_grade
from maththera.tutoring.practice.session_practice import place_of
from maththera.tutoring.problems.seeded_draw import seeded_index
from maththera.tutoring.state import PlacementState, TutoringState, given, is_helped, is_misheard

_DECIMALS: Final = 3
"""Of a chance that is recorded."""
_SUREST: Final = 0.98
"""Twelve answers make nothing surer than this."""
_AS_GOOD: Final = 0.9
"""A problem that tells at least this share of the most that one can tell may be asked in its place."""
_MISSES: Final = 2
"""After so many misses in a row comes an easy problem."""
_EVEN: Final = 0.5
_DIFFERS: Final = 0.05
_COUNTED: Final = 2
"""Right tries of a skill, and wrong ones, that say something of others: more of them say how it is learnt."""


def no_answers() -> PlacementState:
    """Nothing was asked yet."""
    return {"answers": [], "skill_id": "", "easy": 0, "last": False}


def next_placement_problem(draft: TutoringState, rules: Rules) -> Problem:
    """The next problem of a placement; the draft keeps its skill, and the position is that of the problem."""
    before, start = given(draft["placement"]), draft["start"]
    numbers, answers = rules.numbers.placement, placement_answers(before)
    chances = rules.hypotheses.known(answers, slip=numbers.slip, guess=numbers.guess, c=thought_level(start))
    asked = rules.hypotheses.needed - beyond_grade(start, rules.session_knowledge.at(draft), rules)
    known = {skill_id: chance for skill_id, chance in chances.items() if skill_id in asked}
    choice = next_choice(known, answers, numbers, easy=before["easy"])
    number = draft["counters"]["tasks"]
    skill_id = choice.skill_ids[seeded_index(len(choice.skill_ids), start["seed"], number)]
    draft["placement"] = {**before, "skill_id": skill_id, "easy": before["easy"] + choice.easy, "last": choice.last}
    problem = _problem_of(skill_id, draft, rules, seeded_index(1 << 30, start["seed"], number + 1))
    set_position(draft, rules, problem.c_level, problem.w_total)
    return problem


@dataclass(frozen=True, slots=True)
class Choice:
    """The skills that the next problem may be of, equally good, the best first. `last`: the placement ends with it."""

    skill_ids: Sequence[str]
    easy: bool
    last: bool


def next_choice(
    known: Mapping[str, float], answers: Sequence[Answer], numbers: PlacementNumbers, *, easy: int = 0
) -> Choice:
    """The next problem's skill: of those that may be asked, by the chance that the child has each after its answers;
    now and then an easy one. `easy`: the easy problems so far."""
    tells = {one: information(chance, numbers.slip, numbers.guess) for one, chance in known.items()}
    number, most = len(answers) + 1, max(tells.values())
    last = number >= numbers.problems_max or (number >= numbers.problems_min and most <= numbers.tells)
    missed = len(answers) >= _MISSES and all(answer.right is False for answer in answers[-_MISSES:])
    if last or (missed and easy < numbers.easy_most - 1):  # the last one is easy too
        return Choice(_easy(known, tells, numbers), easy=True, last=last)
    return Choice(_best(tells), easy=False, last=False)


def _easy(known: Mapping[str, float], tells: Mapping[str, float], numbers: PlacementNumbers) -> list[str]:
    """Of the skills that the child almost surely has, those that tell most; the likeliest where it has none."""
    right = {one: chance * (1 - numbers.slip) + (1 - chance) * numbers.guess for one, chance in known.items()}
    sure = {one: tells[one] for one, chance in right.items() if chance >= numbers.easy_at}
    return _best(sure) if sure else [max(right, key=lambda one: right[one])]


def _best(tells: Mapping[str, float]) -> list[str]:
    best = sorted(tells, key=lambda one: -tells[one])
    return [one for one in best if tells[one] >= _AS_GOOD * tells[best[0]]]


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


def placed_levels(chances: Mapping[str, float], skills: Skills, expected: float) -> dict[Strand, int]:
    """For each strand the lowest C with a needed skill below `expected`; without the strands that have none. `chances`:
    that a first try is right, by skill."""
    found: dict[Strand, int] = {}
    for skill in skills:
        if skill.strand in STRANDS and skill.needed and chances[skill.skill_id] < expected:
            found[skill.strand] = min(found.get(skill.strand, skill.c_level), skill.c_level)
    return found


# --- the effects of its rows ------------------------------------------------------------------------------------------


def note_answer(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Keeps the answer; a time-out is a miss. What was right with an aid, or was perhaps misheard, says nothing."""
    before, observation = given(draft["placement"]), given(draft["observation"])
    silent = is_misheard(observation) or (facts.right and is_helped(given(draft["event"])))
    answer = [before["skill_id"], None if silent else facts.right]
    draft["placement"] = {**before, "answers": [*before["answers"], answer]}


def place(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The end: each skill has the chance that all answers together give it, and the child stands where practice starts
    when this is known."""
    placement = given(draft["placement"])
    chances = known_skills(placement_answers(placement), rules, thought_level(draft["start"]))
    draft["placement"] = {**placement, "chances": chances}
    _conclude(draft, rules, chances)
    draft["strand"], c, w = place_of(draft["start"], rules.session_knowledge.at(draft), rules)
    set_position(draft, rules, c, w)


def conclude_what_was_not_asked(draft: TutoringState, rules: Rules) -> None:
    """The end of a session: each skill that was never asked has the chance that the tries of the others give it, if
    that differs from what was thought."""
    known = rules.session_knowledge.at(draft)
    answers: list[Answer] = []
    for skill_id in rules.hypotheses.skill_ids:
        one = known[skill_id]
        answers += [Answer(skill_id, right=True)] * min(_COUNTED, one.right)
        answers += [Answer(skill_id, right=False)] * min(_COUNTED, one.tries - one.right)
    if not answers:
        return
    chances = known_skills(answers, rules, thought_level(draft["start"]))
    changed = {
        skill_id: chance
        for skill_id, chance in chances.items()
        if not known[skill_id].tries and abs(chance - known.chance(skill_id)) >= _DIFFERS
    }
    _conclude(draft, rules, changed)


def _conclude(draft: TutoringState, rules: Rules, chances: Mapping[str, float]) -> None:
    known, move = rules.session_knowledge.at(draft), given(draft["move"])
    beyond = beyond_grade(draft["start"], known, rules)
    concluded = [
        Evidence(skill_id, chance >= _EVEN, known.day, chance=chance)
        for skill_id, chance in chances.items()
        if skill_id not in beyond
    ]
    draft["known"] = rules.session_knowledge.after(draft, concluded)
    draft["move"] = {**move, "evidence": [*move["evidence"], *(one.entry for one in concluded)]}
