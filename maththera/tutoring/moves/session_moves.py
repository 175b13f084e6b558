"""The effects of the transition table's rows on the session (F-06, F-07): position, problem, routes,
examples, trainings, end.

An effect works on a draft, a shallow copy of the state. It replaces nested values and never changes them in place, so
that the graph's own state stays what it was until the node returns. `loop_moves` has the effects of F-08 to F-10.
"""

from collections.abc import Callable, Sequence
from typing import Final

from maththera.arithmetic.curriculum import HIGHEST_C, down
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import IMPULSE
from maththera.tutoring.moves.answer_counts import state_cause
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.practice.session_practice import border_of, by_skills, strand_at_work, task_key
from maththera.tutoring.practice.skill_problems import level_at_most, next_level
from maththera.tutoring.problems.training_items import fitting_training
from maththera.tutoring.problems.worked_examples import first_open, next_sibling, plan_example, steps_of
from maththera.tutoring.state import (
    Again,
    Attempts,
    Example,
    LoopState,
    Phase,
    TutoringState,
    given,
    is_helped,
    is_misheard,
)

Effect = Callable[[TutoringState, Facts, Rules], None]

_ALONE: Final = frozenset({"alone", "sibling"})
"""Tasks that follow an example without its picture."""


# --- the ordinary problem -------------------------------------------------------------------------------------------


def close_problem(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Closes the current problem and its loop, and resets the runs of drops and time-outs. Count a drop after
    closing."""
    counters = draft["counters"]
    draft["remaining"] -= 1
    draft["counters"] = {**counters, "closed": counters["closed"] + 1, "dropped_run": 0, "timeout_run": 0}
    draft["attempts"] = draft["original_problem"] = draft["scaffold_problem"] = None
    draft["loop_state"] = draft["probe_state"] = draft["waiting"] = None


def promote(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """C +1, W +1.0. Where skills lead, C is the strand's, and rises when all that it needs is passed; else the position
    is that of the first skill of the strand's border."""
    w = draft["w_position"] + rules.numbers.position.advance_w
    if by_skills(draft):
        _promote_in_strand(draft, rules, w)
    else:
        set_position(draft, rules, draft["c_position"] + 1, w)
    draft["streak"] = 0
    draft["counters"] = {**draft["counters"], "slow_run": 0}


def _promote_in_strand(draft: TutoringState, rules: Rules, w: float) -> None:
    strand, border, c = strand_at_work(draft), border_of(draft, rules), attempts_of(draft)["c_e"]
    if border.passed_level(strand, c):
        set_position(draft, rules, next_level(strand, c), w)
    elif skills := border.of_strand(strand):
        _stand_at(draft, rules, skills[0], w)


def _stand_at(draft: TutoringState, rules: Rules, skill_id: str, w: float) -> None:
    """The position of a skill: its C, and the W of its problem nearest to `w`."""
    nearest = min(rules.ladder.problems[skill_id], key=lambda problem: abs(problem.w_total - w)).w_total
    if abs(nearest - w) > rules.numbers.selection.widened and (move := draft["move"]) is not None:
        draft["move"] = {**move, "widened": True}
    set_position(draft, rules, rules.ladder.skills[skill_id].c_level, nearest)


def raise_w(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 1, where skills lead: W +1.0, if the problem moves the position at all."""
    if by_skills(draft) and draft["practice"]["place"] is None:
        set_position(draft, rules, draft["c_position"], draft["w_position"] + rules.numbers.position.advance_w)


def settle_position(draft: TutoringState, rules: Rules, c: int, w: float) -> None:
    """The position when a loop closes at `c`. Where skills lead: the strand's C not above it, but no higher than the
    border of what is known; unmoved after a problem that moves nothing."""
    if not by_skills(draft):
        set_position(draft, rules, c, w)
        return
    if (place := draft["practice"]["place"]) is not None:
        set_position(draft, rules, int(place[0]), place[1])
        return
    strand = strand_at_work(draft)
    c = level_at_most(strand, c)
    skills = border_of(draft, rules).of_strand(strand)
    if skills and rules.ladder.skills[skills[0]].c_level < c:
        _stand_at(draft, rules, skills[0], w)
    else:
        set_position(draft, rules, c, w)


def set_position(draft: TutoringState, rules: Rules, c: int, w: float) -> None:
    """Sets the position, with C clamped into the ladder and W into the bank's band of that C."""
    c = max(1, min(HIGHEST_C, c))
    low, high = rules.bank.band(c)
    draft["c_position"], draft["w_position"] = c, max(low, min(high, w))


def step_down(rules: Rules, c: int, w: float, steps: int = 1) -> int:
    """The C so many steps down the prerequisites, and further where all that the bank has there is heavier than `w`:
    47−20 has W 4, but 15−8 has 7.5."""
    c = down(c, steps)
    while rules.bank.band(c)[0] > w and down(c) != c:
        c = down(c)
    return c


def repeat_problem(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 8: the same problem once more; what explains the first answer is kept as evidence."""
    diagnosis = draft["diagnosis"]
    draft["attempts"] = {
        **attempts_of(draft),
        "slip": list(diagnosis["pairs"]) if diagnosis else [],
        "silent": is_helped(given(draft["event"])) or is_misheard(given(draft["observation"])),
    }


def refocus(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 5: attention first; the arithmetic of this answer is not judged."""
    attempts = attempts_of(draft)
    draft["attempts"] = {**attempts, "attention": attempts["attention"] + 1, "slip": None, "pattern": None}
    draft["original_problem"] = draft["probe_state"] = None


def count_attention_training(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Stop-think-go is a task twice a session; after that the problem simply comes again."""
    counters = draft["counters"]
    draft["counters"] = {**counters, "trainings_for_attention": counters["trainings_for_attention"] + 1}


def drop_after_impulse(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 6: closed without a verdict, for the second impulsive answer."""
    run = draft["counters"]["dropped_run"] + 1
    close_problem(draft, facts, rules)
    draft["counters"] = {**draft["counters"], "dropped_run": run}


def count_first_timeout(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 13: the first time-out on this problem."""
    draft["attempts"] = {**attempts_of(draft), "timeouts": attempts_of(draft)["timeouts"] + 1}


def close_after_timeouts(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 14: the second time-out closes the problem and eases W. Who says that it doesn't know was there."""
    run = 0 if facts.said else draft["counters"]["timeout_run"] + 1
    close_problem(draft, facts, rules)
    draft["counters"] = {**draft["counters"], "timeout_run": run}
    if draft["practice"]["place"] is None:
        set_position(draft, rules, draft["c_position"], draft["w_position"] + rules.numbers.position.no_response_w)


def plan_other_numbers(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The next ordinary problem is built like this one, with other numbers."""
    draft["sibling_of"] = attempts_of(draft)["problem_id"]


# --- probe, diagnostic question, routes -----------------------------------------------------------------------------


def suspend_problem(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Keeps the problem and the pattern of a wrong answer while a probe, question or loop stands between."""
    observation, task = draft["observation"], draft["task"]
    if draft["original_problem"] is None and task is not None and observation is not None:
        draft["original_problem"] = task["problem_id"]
        draft["attempts"] = {**attempts_of(draft), "pattern": observation["pattern"]}


def ask_question(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """F-13: the diagnostic question has a second chance of its own, whatever time-outs the problem had."""
    suspend_problem(draft, facts, rules)
    draft["attempts"] = {**attempts_of(draft), "timeouts": 0}


def start_probe(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """F-11: the probe to come, and the candidates that it is to tell apart."""
    suspend_problem(draft, facts, rules)
    diagnosis, before = given(draft["diagnosis"]), draft["probe_state"]
    probe = given(diagnosis["probe"])
    draft["probe_state"] = {
        "original_problem": given(draft["original_problem"]),
        "probe_problem": probe["problem_id"],
        "removed_variable": probe["removed_variable"],
        "candidates": [list(pair) for pair in diagnosis["pairs"]],
        "asked": [*(before["asked"] if before else []), probe["problem_id"]],
        "pattern": given(attempts_of(draft)["pattern"]),
    }


def route_a(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Route A: the strategy is there, the load was too high: same C, lower W."""
    suspend_problem(draft, facts, rules)
    attempts = attempts_of(draft)
    set_position(draft, rules, attempts["c_e"], attempts["w_e"] + rules.numbers.position.lower_w)


def route_b(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Route B: the concept is missing: one step down the prerequisites, lower W."""
    suspend_problem(draft, facts, rules)
    attempts = attempts_of(draft)
    c = step_down(rules, attempts["c_e"], attempts["w_e"])
    set_position(draft, rules, c, attempts["w_e"] + rules.numbers.position.lower_w)


def route_b_severe(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Route B after a severe error: two steps down and W at most 1.0."""
    suspend_problem(draft, facts, rules)
    attempts = attempts_of(draft)
    c = step_down(rules, attempts["c_e"], attempts["w_e"], 2)
    set_position(draft, rules, c, min(attempts["w_e"], rules.numbers.position.severe_w))


def accept_cause(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The cause is acted on: its answers count, and a high confidence may be stated in records and reports."""
    diagnosis, attempts = draft["diagnosis"], draft["attempts"]
    if diagnosis is None or diagnosis["cause_tag"] is None or diagnosis["cause_domain"] == "UNKNOWN":
        return
    tag = diagnosis["cause_tag"]
    if diagnosis["confidence"] != "low":
        answers = 2 if attempts is not None and _slip_explained(attempts, tag) else 1
        draft["evidence"] = {**draft["evidence"], tag: draft["evidence"].get(tag, 0) + answers}
    state_cause(draft)
    if diagnosis["confidence"] == "high" and tag in draft["taught"]:
        draft["taught"] = {**draft["taught"], tag: True}
    draft["offered"] = [*draft["offered"], *(t for t in diagnosis["training_ids"] if t not in draft["offered"])]


def note_fluency(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """A fluency cause is named once for each strategy, not at every slow answer."""
    tag = facts.cause
    if tag is not None and facts.domain == "FLUENCY" and tag not in draft["fluency_noted"]:
        draft["fluency_noted"] = [*draft["fluency_noted"], tag]


def _slip_explained(attempts: Attempts, tag: str) -> bool:
    return any(pair[1] == tag for pair in attempts["slip"] or [])


# --- worked example ---------------------------------------------------------------------------------------------------


def show_how(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The child has said twice that it doesn't know this skill: the problem is let go, its loop too without a fall; an
    example and then other numbers come."""
    problem_id = attempts_of(draft)["problem_id"]
    solve_together(draft, rules)
    if draft["loop_state"] is not None:
        settle_position(draft, rules, draft["loop_state"]["c_e"], draft["w_position"])
    close_problem(draft, facts, rules)
    draft["sibling_of"] = problem_id
    if draft["remaining"] > 0:
        plan_example(draft, rules, problem_id, phase="normal", show="sibling")


def open_next_step(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The step is closed; the next one of the same problem opens."""
    example = given(draft["example"])
    draft["example"] = {**example, "step": example["step"] + 1}


def open_next_sibling(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The problem is worked through; the next sibling leaves its last steps to the child."""
    example = given(draft["example"])
    sibling = given(next_sibling(draft, rules, example))
    after: Example = {**example, "shown": [*example["shown"], sibling.problem_id]}
    draft["example"] = {**after, "step": first_open(after, steps_of(after, rules))}


def end_example(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """What waited after it comes; a problem that the child now does alone, without the picture."""
    example, move = given(draft["example"]), given(draft["move"])
    draft["current_step"], draft["example"] = given(example["phase"]), None
    words = "training_start" if example["show"] == "training" else move["situation"]
    draft["move"] = {**move, "show": example["show"], "situation": words}
    if example["show"] in _ALONE:
        draft["downscaling"] = {**draft["downscaling"], "active": False, "visual_aids": []}


# --- training, end ----------------------------------------------------------------------------------------------------


def training_then(phase: Phase, show: str) -> Effect:
    """A training of the diagnosed cause becomes the task; `phase` and `show` say what waits after it."""

    def start(draft: TutoringState, facts: Facts, rules: Rules) -> None:
        _set_training(draft, rules, given(facts.cause), phase, show)

    return start


def attention_training_then(phase: Phase, show: str) -> Effect:
    """The training of an attention cause, stop-think-go by default, becomes the task."""

    def start(draft: TutoringState, facts: Facts, rules: Rules) -> None:
        cause = facts.cause if facts.domain == "ATTENTION" and facts.cause else IMPULSE
        _set_training(draft, rules, cause, phase, show)

    return start


def own_training_then(phase: Phase, show: str) -> Effect:
    """A training of the cause that opened the loop, and then an example for what was missed."""

    def start(draft: TutoringState, facts: Facts, rules: Rules) -> None:
        _set_training(draft, rules, loop_of(draft)["cause_tag"], phase, show)
        draft["waiting"] = {**given(draft["waiting"]), "example_of": draft["scaffold_problem"]}

    return start


def _set_training(draft: TutoringState, rules: Rules, cause: str, phase: Phase, show: str) -> None:
    training_id = fitting_training(draft, rules, trainings_of(draft, rules, cause))
    draft["waiting"] = {"phase": phase, "show": show, "training_id": training_id}


def trainings_of(state: TutoringState, rules: Rules, cause: str) -> Sequence[str]:
    """The trainings of a cause, the next one first. Where it was stated in an earlier session too, its first has not
    helped and comes last."""
    first, *others = rules.catalogue.causes[cause].trainings
    return (*others, first) if cause in state["start"]["stated"] else (first, *others)


def train_again(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 32n: below the training's rule it comes once more, with other items."""
    draft["waiting"] = {**given(draft["waiting"]), "again": True}


def resume_after_training(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Rows 32, 32l, 33: the training is over; the phase it interrupted goes on. It counts as done unless nothing in it
    was right."""
    waiting, move = given(draft["waiting"]), given(draft["move"])
    if facts.training not in (None, "nothing"):
        _note_training(draft, rules, waiting["training_id"])
    draft["current_step"] = waiting["phase"]
    draft["move"] = {**move, "show": waiting["show"]}
    draft["waiting"] = None
    if (model_id := waiting.get("example_of")) is not None:
        plan_example(draft, rules, model_id, phase=waiting["phase"], show=waiting["show"])


def resume_after_breather(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row b: what was put off goes on."""
    draft["current_step"] = given(draft["waiting"])["phase"]


def extra_training(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """One offered training after the end, when the child wants it."""
    if facts.training != "nothing":
        _note_training(draft, rules, given(draft["event"])["training_id"])
    draft["offered"] = []


def _note_training(draft: TutoringState, rules: Rules, training_id: str) -> None:
    """A training was done; of the causes that were stated before, those that it is for are taught."""
    draft["trained"] = [*draft["trained"], training_id]
    taught = [tag for tag in draft["stated"] if training_id in rules.catalogue.causes[tag].trainings]
    draft["taught"] = {**dict.fromkeys(taught, False), **draft["taught"]}


def end_because(reason: str) -> Effect:
    """The session ends for this reason."""

    def end(draft: TutoringState, facts: Facts, rules: Rules) -> None:
        draft["ended_because"] = reason

    return end


def keep_open_problem(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The end cuts off a loop, probe or question: other numbers of its original come on another day."""
    if draft["original_problem"] is not None:
        solve_together(draft, rules)


# --- what several effects share ------------------------------------------------------------------------------------


def attempts_of(draft: TutoringState) -> Attempts:
    """The attempts at the current ordinary problem."""
    return given(draft["attempts"])


def loop_of(draft: TutoringState) -> LoopState:
    """The open loop."""
    return given(draft["loop_state"])


def show_visual_aid(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The aids are on, until upscaling takes them off: each task then has the picture that fits it."""
    draft["downscaling"] = {**draft["downscaling"], "active": True, "fast": 0}


def solve_together(draft: TutoringState, rules: Rules) -> None:
    """The current problem is not asked again in this session; other numbers of its skill are due from the next day.
    One that stood for such a problem is reported to the teacher as not learnt instead."""
    attempts, limit = attempts_of(draft), rules.numbers.limits.again_kept
    problem_id, practice = attempts["problem_id"], draft["practice"]
    key = task_key("problem", rules.bank.problem(problem_id))
    draft["practice"] = {**practice, "shown": {**practice["shown"], key: rules.numbers.limits.same_task}}
    if attempts["again"]:
        draft["unlearnt"] = [*draft["unlearnt"], problem_id][-limit:]
    elif all(entry["problem_id"] != problem_id for entry in draft["again"]):
        entry: Again = {"problem_id": problem_id, "day": rules.session_knowledge.at(draft).day}
        draft["again"] = [*draft["again"], entry][-limit:]


def count_fall(draft: TutoringState, c: int) -> None:
    """One more fall from this C in the session."""
    draft["falls"] = {**draft["falls"], str(c): draft["falls"].get(str(c), 0) + 1}
