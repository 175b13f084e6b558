"""What every answer counts for, whatever its row: runs, streak, response times, upscaling."""

from typing import Final

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.posterior import asked_problem, updated_posterior
from maththera.tutoring.diagnosis.response_time import with_time
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.practice.mixture import WINDOW
from maththera.tutoring.practice.session_practice import task_key
from maththera.tutoring.state import Counters, Observation, TutoringState, given, is_helped, is_misheard

_MISTAKES: Final = 20
"""Problems whose wrong answers a session remembers, the last ones."""
_RUN: Final = 8
"""Misses in a row that a session remembers."""
_HIGHEST_LEVEL: Final = 2
"""Upscaling: 1 abstraction, 2 number extension."""


def count_answer(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """What every answer counts for, whatever its row: runs, streak, response times, upscaling; an item of number sense
    only for the misses in a row, the steps of an example only for what is suspected."""
    observation = draft["observation"]
    if observation is not None and facts.phase == "worked_example":
        _note_step(draft, observation, rules)
        return
    if observation is None or not (facts.right or facts.wrong or facts.timeout):
        return
    if observation["kind"] == "widget":
        _note_practice(draft, facts, rules)
        return
    c = draft["counters"]
    ordinary = facts.phase == "normal"
    wrong_run = 0 if facts.right else c["wrong_run"] + (facts.wrong and not facts.impulsive)
    draft["counters"] = {
        **c,
        "answered": c["answered"] + (facts.right or facts.wrong),
        "right": c["right"] + facts.right,
        "solved": c.get("solved", 0) + (facts.right and facts.phase != "breather" and _is_original(facts, observation)),
        "wrong_run": wrong_run,
        "right_run": (c["right_run"] + 1 if facts.right else 0) if ordinary else c["right_run"],
        "slow_run": _slow_run(c, facts) if ordinary else c["slow_run"],
    }
    _note_practice(draft, facts, rules)
    draft["posterior"] = updated_posterior(draft, rules)
    _keep_mistake(draft, rules)
    state_cause(draft)
    if observation["rt_ms"] is not None:
        draft["response_times"] = [*draft["response_times"], observation["rt_ms"]][
            -rules.numbers.session.problem_count_max :
        ]
        _keep_norm(draft, rules)
    if ordinary:
        _count_ordinary(draft, facts, rules)


def _note_step(draft: TutoringState, observation: Observation, rules: Rules) -> None:
    """A wrong number in a step of an example is no miss, but shows the procedure that gives it."""
    if observation["correct"] is False:
        draft["posterior"] = updated_posterior(draft, rules)
        _keep_mistake(draft, rules)


def _note_practice(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """What the answer says to the mixture of practice."""
    practice, attempts = draft["practice"], draft["attempts"]
    first = facts.phase == "breather" or (facts.phase == "normal" and attempts is not None and attempts["shown"] == 1)
    first = first and not is_helped(given(draft["event"])) and not is_misheard(given(draft["observation"]))
    missed_given = first and facts.miss
    unsure, skill_id = practice["unsure"], practice["last"]
    if facts.phase == "breather" and (problem_id := given(draft["task"])["problem_id"]) is not None:
        skill_id = rules.ladder.skill_of(rules.bank.problem(problem_id))  # of another skill than what it stands before
    if facts.said and skill_id is not None:
        unsure = {**unsure, skill_id: unsure.get(skill_id, 0) + 1}
    draft["practice"] = {
        **practice,
        "unsure": unsure,
        "missed": [] if facts.right else [*practice["missed"], _operation(draft, rules)][-_RUN:],
        "tries": [*practice["tries"], int(facts.right)][-WINDOW:] if first else practice["tries"],
        "given": [] if missed_given else practice["given"],
    }


def _operation(draft: TutoringState, rules: Rules) -> str:
    """The operation of the task; number sense for an item."""
    problem_id = given(draft["task"])["problem_id"]
    return rules.bank.problem(problem_id).op if problem_id is not None else "N"


def _is_original(facts: Facts, observation: Observation) -> bool:
    """Whether the task was one of the session's own problems: as it was first put, or come back to in a loop."""
    return observation["kind"] in ("problem", "return") or (
        observation["kind"] == "bridge" and facts.item == "original"
    )


def _keep_mistake(draft: TutoringState, rules: Rules) -> None:
    """Keeps a wrong answer with the earlier ones to its problem, for when that is shown again."""
    observation = given(draft["observation"])
    problem_id = asked_problem(observation)
    if observation["correct"] is False and problem_id is not None:
        key = task_key("problem", rules.bank.problem(problem_id))
        others = [one for one in draft["mistakes"].items() if one[0] != key]
        answers = dict.fromkeys([*draft["mistakes"].get(key, ()), given(observation["answer"])])
        draft["mistakes"] = dict([*others, (key, [*answers])][-_MISTAKES:])


def state_cause(draft: TutoringState) -> None:
    """Adds a cause of high confidence, with those that nothing tells apart from it, to the stated ones, which records
    and reports may name."""
    diagnosis = draft["diagnosis"]
    if diagnosis is None or diagnosis["confidence"] != "high":
        return
    tag, tags = given(diagnosis["cause_tag"]), diagnosis["cause_tags"]
    if tag not in draft["stated"]:
        draft["stated"] = [*draft["stated"], tag]
    others = {one: own for one, own in draft["together"].items() if one != tag}
    draft["together"] = {**others, tag: tags} if len(tags) > 1 else others


def _slow_run(c: Counters, facts: Facts) -> int:
    if facts.right and facts.impulsive:
        return c["slow_run"]
    return c["slow_run"] + 1 if facts.slow else 0


def _keep_norm(draft: TutoringState, rules: Rules) -> None:
    """Adds the response time to the child's own, where the norms are adaptive."""
    observation = given(draft["observation"])
    if draft["start"]["policy"]["rt_policy"] != "adaptive":
        return
    rt_ms, key = given(observation["rt_ms"]), observation["norm"]["key"]
    draft["rt_norms"] = with_time(draft["rt_norms"], key, rt_ms, rules.numbers.response_time.window)


def _count_ordinary(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    if facts.right:
        draft["loop_done_at"] = None
    if not (facts.right and facts.impulsive):
        draft["streak"] = draft["streak"] + 1 if facts.fast and not facts.second_look else 0
    scaling = draft["downscaling"]
    fast = scaling["fast"] + 1 if facts.fast and not facts.impulsive else 0
    level, active = (scaling["level"], scaling["active"]) if facts.right else (0, scaling["active"])
    strategy = scaling["strategy"] if facts.right else None
    if fast >= rules.numbers.selection.upscale_after:
        fast = 0
        strategy = "remove_visual" if active else ("abstraction", "number_extension")[min(level, 1)]
        active, level = False, level if active else min(_HIGHEST_LEVEL, level + 1)
    aids = scaling["visual_aids"] if active else []
    draft["downscaling"] = {"active": active, "strategy": strategy, "visual_aids": aids, "level": level, "fast": fast}
