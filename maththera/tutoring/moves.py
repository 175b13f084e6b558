"""What the rows of the transition table do to the session, F-06, F-07: position, problem, routes, trainings, end.

An effect works on a draft, a shallow copy of the state. It replaces nested values and never changes them in place, so
that the graph's own state stays what it was until the node returns. `loops` has the effects of F-08 to F-10.
"""

from collections.abc import Callable
from typing import Final

from maththera.arithmetic.curriculum import HIGHEST_C, down
from maththera.tutoring.facts import Facts
from maththera.tutoring.rules import Rules
from maththera.tutoring.state import Attempts, LoopState, Parked, Phase, TutoringState, given

IMPULSE: Final = "ATTENTION_L0_IMPULSE"

Effect = Callable[[TutoringState, Facts, Rules], None]


# --- the ordinary problem -------------------------------------------------------------------------------------------


def close(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The problem at hand is done, its loop included; whoever drops it counts that after closing."""
    counters = s["counters"]
    s["remaining"] -= 1
    s["counters"] = {**counters, "closed": counters["closed"] + 1, "dropped_run": 0, "timeout_run": 0}
    s["attempts"] = s["original_problem"] = s["scaffold_problem"] = None
    s["loop_state"] = s["probe_state"] = s["waiting"] = None


def promote(s: TutoringState, f: Facts, rules: Rules) -> None:
    """C +1, W +1.0; the rise is remembered until a right answer is given there."""
    before = [s["c_position"], s["w_position"]]
    place(s, rules, s["c_position"] + 1, s["w_position"] + rules.numbers.position.advance_w)
    if s["c_position"] != before[0]:
        s["rise"] = [s["c_position"], *before]
    s["streak"] = 0
    s["counters"] = {**s["counters"], "slow_run": 0}


def place(s: TutoringState, rules: Rules, c: int, w: float) -> None:
    """Every change of position ends here: C within the ladder, W within the bank's band of that C."""
    c = max(1, min(HIGHEST_C, c))
    low, high = rules.bank.band(c)
    s["c_position"], s["w_position"] = c, max(low, min(high, w))


def look_again(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 8: the same problem once more; what explains the first answer is kept as evidence."""
    diagnosis = s["diagnosis"]
    s["attempts"] = {**attempts_of(s), "slip": list(diagnosis["pairs"]) if diagnosis else []}


def refocus(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 5: attention first; the arithmetic of this answer is not judged."""
    attempts = attempts_of(s)
    s["attempts"] = {**attempts, "attention": attempts["attention"] + 1, "slip": None, "pattern": None}
    s["original_problem"] = s["probe_state"] = None


def count_attention_training(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Stop-think-go is a task twice a session; after that the problem simply comes again."""
    counters = s["counters"]
    s["counters"] = {**counters, "trainings_for_attention": counters["trainings_for_attention"] + 1}


def drop(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 6: closed without a verdict, for the second impulsive answer."""
    run = s["counters"]["dropped_run"] + 1
    close(s, f, rules)
    s["counters"] = {**s["counters"], "dropped_run": run}


def wait_longer(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 13: the first time-out on this problem."""
    s["attempts"] = {**attempts_of(s), "timeouts": attempts_of(s)["timeouts"] + 1}


def let_go(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 14: the second time-out closes the problem and eases W."""
    run = s["counters"]["timeout_run"] + 1
    close(s, f, rules)
    s["counters"] = {**s["counters"], "timeout_run": run}
    place(s, rules, s["c_position"], s["w_position"] + rules.numbers.position.no_response_w)


# --- probe, diagnostic question, routes -----------------------------------------------------------------------------


def hold(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The wrong answer waits for a probe or the diagnostic question: its problem and its pattern are kept."""
    observation, task = s["observation"], s["task"]
    if s["original_problem"] is None and task is not None and observation is not None:
        s["original_problem"] = task["problem_id"]
        s["attempts"] = {**attempts_of(s), "pattern": observation["pattern"]}


def ask_question(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F-13: the diagnostic question has a second chance of its own, whatever time-outs the problem had."""
    hold(s, f, rules)
    s["attempts"] = {**attempts_of(s), "timeouts": 0}


def start_probe(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F-11: the pending diagnosis, as the seed keeps it."""
    hold(s, f, rules)
    diagnosis, before = given(s["diagnosis"]), s["probe_state"]
    probe = given(diagnosis["probe"])
    s["probe_state"] = {
        "original_problem": given(s["original_problem"]),
        "probe_problem": probe["problem_id"],
        "removed_variable": probe["removed_variable"],
        "candidates": [list(pair) for pair in diagnosis["pairs"]],
        "asked": [*(before["asked"] if before else []), probe["problem_id"]],
        "pattern": given(attempts_of(s)["pattern"]),
    }


def route_a(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Route A: the strategy is there, the load was too high: same C, lower W."""
    hold(s, f, rules)
    attempts = attempts_of(s)
    place(s, rules, attempts["c_e"], attempts["w_e"] + rules.numbers.position.lower_w)


def route_b(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Route B: the concept is missing: one step down the prerequisites, lower W."""
    hold(s, f, rules)
    attempts = attempts_of(s)
    place(s, rules, down(attempts["c_e"]), attempts["w_e"] + rules.numbers.position.lower_w)


def route_b_severe(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Route B after a severe error: two steps down and W at most 1.0."""
    hold(s, f, rules)
    attempts = attempts_of(s)
    place(s, rules, down(attempts["c_e"], 2), min(attempts["w_e"], rules.numbers.position.severe_w))


def take_evidence(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The cause is acted on: its answers count, and a high confidence may be stated in records and reports."""
    diagnosis, observation, attempts = s["diagnosis"], s["observation"], s["attempts"]
    if diagnosis is None or diagnosis["cause_tag"] is None or diagnosis["cause_domain"] == "UNKNOWN":
        return
    tag = diagnosis["cause_tag"]
    if diagnosis["confidence"] != "low":
        answers = 2 if attempts is not None and _slip_explained(attempts, tag) else 1
        typed = int(observation is not None and not observation["tap"])
        old = s["evidence"].get(tag, [0, 0])
        s["evidence"] = {**s["evidence"], tag: [old[0] + answers, old[1] + typed]}
    if diagnosis["confidence"] == "high" and tag not in s["stated"]:
        s["stated"] = [*s["stated"], tag]
    s["offered"] = [*s["offered"], *(t for t in diagnosis["training_ids"] if t not in s["offered"])]


def note_fluency(s: TutoringState, f: Facts, rules: Rules) -> None:
    """A fluency cause is named once for each strategy, not at every slow answer."""
    tag = f.cause
    if tag is not None and f.domain == "FLUENCY" and tag not in s["fluency_noted"]:
        s["fluency_noted"] = [*s["fluency_noted"], tag]


def _slip_explained(attempts: Attempts, tag: str) -> bool:
    return any(pair[1] == tag for pair in attempts["slip"] or [])


# --- training, end ----------------------------------------------------------------------------------------------------


def training_then(phase: Phase, show: str) -> Effect:
    """A training of the diagnosed cause becomes the task; `phase` and `show` say what waits behind it."""

    def start(s: TutoringState, f: Facts, rules: Rules) -> None:
        _train(s, rules, given(f.cause), phase, show)

    return start


def attention_training_then(phase: Phase, show: str) -> Effect:
    """Stop-think-go, whatever else the answer looked like."""

    def start(s: TutoringState, f: Facts, rules: Rules) -> None:
        cause = f.cause if f.domain == "ATTENTION" and f.cause else IMPULSE
        _train(s, rules, cause, phase, show)

    return start


def own_training_then(phase: Phase, show: str) -> Effect:
    """A training of the cause that opened the loop."""

    def start(s: TutoringState, f: Facts, rules: Rules) -> None:
        _train(s, rules, loop_of(s)["cause_tag"], phase, show)

    return start


def _train(s: TutoringState, rules: Rules, cause: str, phase: Phase, show: str) -> None:
    s["waiting"] = {"phase": phase, "show": show, "training_id": rules.catalogue.causes[cause].trainings[0]}


def resume(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Rows 32, 33: the training is over, done or not; the phase it interrupted goes on."""
    waiting, move = given(s["waiting"]), given(s["move"])
    if not f.timeout:
        s["trained"] = [*s["trained"], waiting["training_id"]]
    s["current_step"] = waiting["phase"]
    s["move"] = {**move, "show": waiting["show"]}
    s["waiting"] = None


def extra_training(s: TutoringState, f: Facts, rules: Rules) -> None:
    """One offered training after the end, when the child wants it."""
    event = given(s["event"])
    s["trained"] = [*s["trained"], event["training_id"]]
    s["offered"] = []


def end_because(reason: str) -> Effect:
    """The session ends; an original that is still open is parked."""

    def end(s: TutoringState, f: Facts, rules: Rules) -> None:
        s["ended_because"] = reason

    return end


def park_open(s: TutoringState, f: Facts, rules: Rules) -> None:
    """A loop, probe or question cut off by the end leaves its original for another day."""
    if s["original_problem"] is not None:
        park(s, rules)


# --- what several effects share ------------------------------------------------------------------------------------


def attempts_of(s: TutoringState) -> Attempts:
    """The account of the ordinary problem at hand."""
    return given(s["attempts"])


def loop_of(s: TutoringState) -> LoopState:
    """The open loop."""
    return given(s["loop_state"])


def aid(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The visual aid of this C is on, until upscaling takes it off."""
    mode = rules.numbers.visual_modes[s["c_position"]]
    s["downscaling"] = {**s["downscaling"], "active": True, "visual_aids": [mode], "fast": 0}


def park(s: TutoringState, rules: Rules) -> None:
    """Once; a parked problem that is missed again is left to the teacher."""
    attempts = attempts_of(s)
    problem_id, limit = attempts["problem_id"], rules.numbers.limits.parked_kept
    if attempts["parked"]:
        s["unlearnt"] = [*s["unlearnt"], problem_id][-limit:]
    elif all(entry["problem_id"] != problem_id for entry in s["parked"]):
        closed = s["counters"]["closed"] + 1  # this problem is closed next, and is none of the others
        entry: Parked = {"problem_id": problem_id, "c": attempts["c_e"], "since": closed}
        s["parked"] = [*s["parked"], entry][-limit:]


def fall(s: TutoringState, c: int) -> None:
    """One more fall from this C in the session."""
    s["falls"] = {**s["falls"], str(c): s["falls"].get(str(c), 0) + 1}
