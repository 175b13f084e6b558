"""What an answer says about skills.

Only the first showing of a problem, without a picture and without an aid of the client, is a try of its skill; every
other task counts as aided. A stated cause counts against its own skill. Slips of attention, wrong answers that were
spoken, and those too quick to have been thought, say nothing.
"""

from collections.abc import Mapping
from typing import Final

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem
from maththera.knowledge.knowledge import Evidence
from maththera.knowledge.skills import Skills
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.number_sense.items import Item, item
from maththera.tutoring.state import Observation, TutoringState, given, is_helped, is_misheard

_HALF: Final = 0.5
"""What a try counts that a second look mended, a miss that may have other reasons, and one that a cause of another
skill explains."""
_NO_PICTURE: Final = frozenset({"none", "vertical"})
_CARRIES: Final = frozenset({
    "a_column_carries",
    "one_column_carries",
    "two_columns_carry",
    "the_ones_carry",
    "only_the_tens_carry",
    "ones_and_tens_carry",
    "a_column_borrows_across_0",
})  # fmt: skip
_FEATURES: Final[Mapping[str, frozenset[str]]] = {
    "carry": _CARRIES,
    "borrow": _CARRIES,
    "zero": frozenset({
        "operand_is_0",
        "second_is_0",
        "operand_has_a_digit_0",
        "operand_is_a_multiple_of_10",
        "first_is_a_multiple_of_10",
        "second_is_a_multiple_of_10",
        "a_column_borrows_across_0",
    }),
    "length": frozenset({
        "operand_has_one_digit",
        "operand_has_at_most_two_digits",
        "second_has_one_digit",
        "second_has_at_most_two_digits",
    }),
}  # fmt: skip
"""Variable that a malrule's cause needs → the features of the skills that are about it."""


def note_evidence(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Adds the answer to what is known, and to the move what it said and which skills it was asked about or missed."""
    evidence = answer_evidence(draft, facts, rules)
    if not evidence:
        return
    before, known = rules.session_knowledge.at(draft), rules.session_knowledge.after(draft, evidence)
    draft["known"] = known
    after = rules.session_knowledge.at(draft)
    changes = [
        {
            "skill_id": skill_id,
            "chance": [round(before.chance(skill_id), 3), round(after.chance(skill_id), 3)],
            "word": [before[skill_id].word, after[skill_id].word],
        }
        for skill_id in dict.fromkeys(one.skill_id for one in evidence)
    ]
    said = known["evidence"][-len(evidence) :]
    draft["move"] = {**given(draft["move"]), "evidence": said, "changes": changes}


def answer_evidence(state: TutoringState, facts: Facts, rules: Rules) -> list[Evidence]:
    """The evidence of the turn at hand; none where nothing was judged. An example that was worked through and a
    training whose rule was met say only that there was help."""
    observation = state["observation"]
    if facts.phase == "training" and facts.training == "met":
        return _trained(state, rules)
    if observation is None or not (facts.right or facts.miss):
        return []
    if (item_id := given(state["task"]).get("item_id")) is not None:
        return _item_evidence(item(item_id), state, facts, rules)
    if observation["problem_id"] is None:
        return []
    day, problem = rules.session_knowledge.at(state).day, rules.bank.problem(observation["problem_id"])
    skill_id = _skill(state, problem, rules)
    if skill_id is None or facts.attention:
        return []
    if observation["kind"] == "worked_example":
        return [] if facts.example_left else [Evidence(skill_id, facts.right, day, aided=True)]
    second_look = _second_look(state, facts, skill_id, rules)
    if is_misheard(observation):
        return [second_look] if second_look else []
    if not _is_first_try(state, observation):
        return [second_look or Evidence(skill_id, facts.right, day, aided=True)]
    if facts.wrong and facts.second_look_due:
        return []  # judged by the second look
    cause = _skill_of_cause(state, problem, observation, rules) if facts.wrong else None
    own = Evidence(
        skill_id,
        facts.right,
        day,
        fast=facts.fast and not facts.impulsive,
        weight=_HALF if _halved(state, facts) or cause not in (None, skill_id) else 1.0,
        difficulty=rules.knowledge.difficulty(problem),
    )
    return [own] if cause in (None, skill_id) else [own, Evidence(given(cause), False, day, tried=False)]


def _item_evidence(shown: Item, state: TutoringState, facts: Facts, rules: Rules) -> list[Evidence]:
    """Every item of a skill of number sense is a first try; those of no skill say nothing."""
    if shown.skill_id is None or facts.attention or is_misheard(given(state["observation"])):
        return []
    return [
        Evidence(
            shown.skill_id,
            facts.right,
            rules.session_knowledge.at(state).day,
            aided=is_helped(given(state["event"])),
            fast=facts.fast and not facts.impulsive,
            weight=_HALF if _halved(state, facts) else 1.0,
            difficulty=shown.difficulty,
        )
    ]


def _halved(state: TutoringState, facts: Facts) -> bool:
    """A time-out that may have other reasons, an answer too quick to have been thought, and a wrong one whose time is
    not reliable: it may have been a slip of attention that could not be seen."""
    if facts.wrong:
        return given(state["observation"])["norm"].get("unreliable") is not None
    return (facts.timeout and not given(state["event"]).get("said")) or (facts.right and facts.impulsive)


def _trained(state: TutoringState, rules: Rules) -> list[Evidence]:
    """A training whose rule was met: help with the skill that failed; those of attention are about none."""
    skill_id, training_id = state["practice"]["last"], given(state["waiting"])["training_id"]
    if skill_id is None or rules.catalogue.trainings[training_id].concept.startswith("E"):
        return []
    return [Evidence(skill_id, True, rules.session_knowledge.at(state).day, aided=True)]


def _skill(state: TutoringState, problem: Problem, rules: Rules) -> str | None:
    """The skill of the task; that of the original for a part of it that is asked, none outside the ladder."""
    if (in_bank := rules.knowledge.asked.get(problem.problem_id)) is not None:
        return in_bank[0]
    skill = rules.knowledge.skills.of_problem(problem)
    if skill is None and problem.form != "result" and state["original_problem"] is not None:
        skill = rules.knowledge.skills.of_problem(rules.bank.problem(state["original_problem"]))
    return skill.skill_id if skill else None


def _is_first_try(state: TutoringState, observation: Observation) -> bool:
    task, attempts, loop = given(state["task"]), state["attempts"], state["loop_state"]
    if task["visual_mode"] not in _NO_PICTURE or is_helped(given(state["event"])):
        return False
    if observation["kind"] == "anchor":
        return loop is not None and loop["route"] == "B" and loop["misses"] == 0
    asked_before = state["history"].count(state["history"][-1]) > 1
    if state["current_step"] == "breather":
        return not asked_before
    return observation["kind"] == "problem" and attempts is not None and attempts["shown"] == 1 and not asked_before


def _second_look(state: TutoringState, facts: Facts, skill_id: str, rules: Rules) -> Evidence | None:
    """The first try that waited for its second look: half a miss when that is right, or perhaps misheard."""
    attempts, observation = state["attempts"], given(state["observation"])
    if not facts.second_look or attempts is None or attempts.get("silent"):
        return None
    return Evidence(
        skill_id,
        False,
        rules.session_knowledge.at(state).day,
        weight=_HALF if facts.right or is_misheard(observation) else 1.0,
        difficulty=rules.knowledge.difficulty(rules.bank.problem(given(observation["problem_id"]))),
    )


def _skill_of_cause(state: TutoringState, problem: Problem, observation: Observation, rules: Rules) -> str | None:
    """The skill against which a stated cause counts; None where no cause is stated."""
    diagnosis = state["diagnosis"]
    if diagnosis is None or diagnosis["confidence"] != "high":
        return None
    needs = {
        need
        for name in observation["malrules"]
        for cause in CATALOGUE[name].causes
        if cause.tag == diagnosis["cause_tag"]
        for need in cause.needs
    }
    return skill_of_variables(problem, needs, rules.knowledge.skills)


def skill_of_variables(problem: Problem, needs: set[str], skills: Skills) -> str | None:
    """The problem's skill if one of the variables is what makes it, else the highest below it of which this holds, else
    the problem's own. None outside the ladder."""
    own = skills.of_problem(problem)
    if own is None:
        return None
    below = sorted(skills.ancestors(own.skill_id), key=skills.order.__getitem__, reverse=True)
    candidates = [own, *(skill for skill_id in below if (skill := skills[skill_id]).strand == own.strand)]
    wanted: set[str] = set().union(*(_FEATURES.get(need, ()) for need in needs))
    return next((skill for skill in candidates if not wanted.isdisjoint(skill.when)), own).skill_id
