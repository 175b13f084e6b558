"""What the rows of the transition table do to the session: small effects on a draft, F-06 to F-10 and F-15.

A draft is a shallow copy of the state. Effects replace nested values and never change them in place, so that the
graph's own state stays what it was until the node returns.
"""

from collections.abc import Callable
from typing import Any, Final

from maththera.arithmetic.curriculum import HIGHEST_C, down
from maththera.tutoring.facts import Facts
from maththera.tutoring.rules import Rules
from maththera.tutoring.state import Attempts, Counters, LoopState, Parked, Phase, TutoringState

IMPULSE: Final = "ATTENTION_L0_IMPULSE"

Effect = Callable[[TutoringState, Facts, Rules], None]

_HIGHEST_LEVEL: Final = 2


def count(s: TutoringState, f: Facts, rules: Rules) -> None:
    """What every answer counts for, whatever its row: runs, streak, response times, upscaling."""
    observation = s["observation"]
    if observation is None or not (f.right or f.wrong or f.timeout):
        return
    c = s["counters"]
    ordinary = f.phase == "normal"
    wrong_run = 0 if f.right else c["wrong_run"] + (f.wrong and not f.impulsive)
    s["counters"] = {
        **c,
        "answered": c["answered"] + (f.right or f.wrong),
        "right": c["right"] + f.right,
        "wrong_run": wrong_run,
        "right_run": (c["right_run"] + 1 if f.right else 0) if ordinary else c["right_run"],
        "slow_run": _slow_run(c, f) if ordinary else c["slow_run"],
    }
    if observation["rt_ms"] is not None:
        s["response_times"] = [*s["response_times"], observation["rt_ms"]][-rules.numbers.session.problem_count_max :]
        _keep_norm(s, rules)
    if ordinary:
        _count_ordinary(s, f, rules)


def _slow_run(c: Counters, f: Facts) -> int:
    if f.right and f.impulsive:
        return c["slow_run"]
    return c["slow_run"] + 1 if f.slow else 0


def _keep_norm(s: TutoringState, rules: Rules) -> None:
    """The child's own running response times for this C and input kind, where the norms are adaptive."""
    observation = s["observation"]
    if s["start"]["policy"]["rt_policy"] != "adaptive" or observation is None or observation["problem_id"] is None:
        return
    rt_ms, key = observation["rt_ms"], observation["norm"]["key"]
    assert rt_ms is not None
    kept = [*s["rt_norms"].get(key, []), rt_ms][-rules.numbers.response_time.window :]
    s["rt_norms"] = {**s["rt_norms"], key: kept}


def _count_ordinary(s: TutoringState, f: Facts, rules: Rules) -> None:
    if f.right:
        s["loop_done_at"] = None
        if s["rise"] is not None and s["rise"][0] == s["c_position"]:
            s["rise"] = None
    if not (f.right and f.impulsive):
        s["streak"] = s["streak"] + 1 if f.fast and not f.second_look else 0
    scaling = s["downscaling"]
    fast = scaling["fast"] + 1 if f.fast and not f.impulsive else 0
    level, active = (scaling["level"], scaling["active"]) if f.right else (0, scaling["active"])
    strategy = scaling["strategy"] if f.right else None
    if fast >= rules.numbers.selection.upscale_after:
        fast = 0
        strategy = "remove_visual" if active else ("abstraction", "number_extension")[min(level, 1)]
        active, level = False, level if active else min(_HIGHEST_LEVEL, level + 1)
    aids = scaling["visual_aids"] if active else []
    s["downscaling"] = {"active": active, "strategy": strategy, "visual_aids": aids, "level": level, "fast": fast}


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
    s["attempts"] = {**_attempts(s), "slip": list(diagnosis["pairs"]) if diagnosis else []}


def refocus(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 5: attention first; the arithmetic of this answer is not judged."""
    attempts = _attempts(s)
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
    s["attempts"] = {**_attempts(s), "timeouts": _attempts(s)["timeouts"] + 1}


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
        s["attempts"] = {**_attempts(s), "pattern": observation["pattern"]}


def start_probe(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F-11: the pending diagnosis, as the seed keeps it."""
    hold(s, f, rules)
    diagnosis, attempts, before = s["diagnosis"], _attempts(s), s["probe_state"]
    assert diagnosis is not None
    assert diagnosis["probe"] is not None
    assert s["original_problem"] is not None
    assert attempts["pattern"] is not None
    removed = diagnosis["probe"]["removed_variable"]
    s["probe_state"] = {
        "original_problem": s["original_problem"],
        "probe_problem": diagnosis["probe"]["problem_id"],
        "removed_variable": removed,
        "candidates": [list(pair) for pair in diagnosis["pairs"]],
        "asked": [*(before["asked"] if before else []), diagnosis["probe"]["problem_id"]],
        "pattern": attempts["pattern"],
    }


def again_with_aid(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 19: the diagnostic question a second time."""
    s["attempts"] = {**_attempts(s), "timeouts": 1}


def route_a(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Route A: the strategy is there, the load was too high: same C, lower W."""
    hold(s, f, rules)
    attempts = _attempts(s)
    place(s, rules, attempts["c_e"], attempts["w_e"] + rules.numbers.position.lower_w)


def route_b(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Route B: the concept is missing: one step down the prerequisites, lower W."""
    hold(s, f, rules)
    attempts = _attempts(s)
    place(s, rules, down(attempts["c_e"]), attempts["w_e"] + rules.numbers.position.lower_w)


def route_b_severe(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Route B after a severe error: two steps down and W at most 1.0."""
    hold(s, f, rules)
    attempts = _attempts(s)
    place(s, rules, down(attempts["c_e"], 2), min(attempts["w_e"], rules.numbers.position.severe_w))


def take_evidence(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The cause is acted on: its answers count, and a high confidence may be stated in records and reports."""
    diagnosis, observation, attempts = s["diagnosis"], s["observation"], s["attempts"]
    if diagnosis is None or diagnosis["cause_tag"] is None or diagnosis["cause_domain"] == "UNKNOWN":
        return
    tag = diagnosis["cause_tag"]
    if f.right or diagnosis["confidence"] != "low":
        answers = 2 if attempts is not None and _slip_explained(attempts, tag) else 1
        typed = int(observation is not None and not observation["tap"])
        old = s["evidence"].get(tag, [0, 0])
        s["evidence"] = {**s["evidence"], tag: [old[0] + answers, old[1] + typed]}
    if diagnosis["confidence"] == "high" and tag not in s["stated"]:
        s["stated"] = [*s["stated"], tag]
    s["offered"] = [*s["offered"], *(t for t in diagnosis["training_ids"] if t not in s["offered"])]


def note_fluency(s: TutoringState, f: Facts, rules: Rules) -> None:
    """A fluency cause is named once for each strategy, not at every slow answer."""
    diagnosis = s["diagnosis"]
    tag = diagnosis["cause_tag"] if diagnosis else None
    if tag is not None and diagnosis is not None and diagnosis["cause_domain"] == "FLUENCY":
        s["fluency_noted"] = [*s["fluency_noted"], tag]


def _slip_explained(attempts: Attempts, tag: str) -> bool:
    return any(pair[1] == tag for pair in attempts["slip"] or [])


# --- recovery loop, Bridge Loop ---------------------------------------------------------------------------------------


def open_loop(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F-08: the loop around `original_problem`, step 1."""
    attempts, diagnosis = _attempts(s), s["diagnosis"]
    cause = (diagnosis["cause_tag"] if diagnosis else None) or "UNKNOWN"
    move = s["move"]
    assert move is not None
    s["loop_state"] = {
        "type": "three_step_recovery",
        "step": 1,
        "step_results": [],
        "route": "A" if move["route"] == "A" else "B",
        "cause_tag": cause,
        "c_e": attempts["c_e"],
        "w_e": attempts["w_e"],
        "trained": False,
        "misses": 0,
        "aided": False,
    }
    s["loops"] = {**s["loops"], cause: s["loops"].get(cause, 0) + 1}
    s["probe_state"] = None


def next_step(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The step was right: on to the next one."""
    loop = _log(s)
    s["loop_state"] = {**loop, "step": loop["step"] + 1, "misses": 0, "aided": False}


def aid(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The visual aid of this C is on, until upscaling takes it off."""
    _aid(s, rules)


def missed_step(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The step stays; its misses are counted and the aid is on."""
    loop = _log(s)
    s["loop_state"] = {**loop, "misses": loop["misses"] + 1, "aided": True}
    _aid(s, rules)


def loop_training(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 21: the loop's own cause showed again at the anchor."""
    s["loop_state"] = {**_log(s), "trained": True, "aided": True}
    _aid(s, rules)


def finish_loop(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 25: C is restored, W stays lowered."""
    c_e = _loop(s)["c_e"]
    place(s, rules, c_e, s["w_position"])
    close(s, f, rules)
    s["loop_done_at"] = c_e


def finish_loop_lower(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 25, the second loop in a row at this C: one step down."""
    c_e = _loop(s)["c_e"]
    place(s, rules, down(c_e), s["w_position"])
    close(s, f, rules)
    s["loop_done_at"] = None


def fail_loop(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F: one step down from the original's C, the original parked, a fall counted."""
    c_e = _attempts(s)["c_e"]
    _park(s, rules)
    _fall(s, c_e)
    place(s, rules, down(c_e), s["w_position"])
    close(s, f, rules)


def not_learnt_yet(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The rise came too early: back to where the child was before it."""
    rise = s["rise"]
    assert rise is not None
    _park(s, rules)
    _fall(s, _attempts(s)["c_e"])
    place(s, rules, int(rise[1]), rise[2])
    s["rise"] = None
    close(s, f, rules)


def fall_back(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 11: this cause had its loops; the original is parked and the child practises lower, after a training."""
    _park(s, rules)
    _fall(s, _attempts(s)["c_e"])
    close(s, f, rules)


def open_bridge(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F-09: the anchor was right and the original still fails; the gap of the original comes first."""
    s["loop_state"] = {**_log(s), "type": "bridge_loop", "item": "gap", "round": 1, "aided": False, "misses": 0}


def next_bridge_item(s: TutoringState, f: Facts, rules: Rules) -> None:
    """gap → moved problem → original."""
    loop = _log(s)
    s["loop_state"] = {**loop, "item": "moved" if loop["item"] == "gap" else "original", "aided": False}


def aid_bridge_item(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 28, first miss: the same item with aid."""
    s["loop_state"] = {**_log(s), "aided": True}
    _aid(s, rules)


def next_bridge_round(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 28, second miss or the original missed: from the gap again."""
    loop = _log(s)
    s["loop_state"] = {**loop, "item": "gap", "round": loop["round"] + 1, "aided": False}


def plan_sibling(s: TutoringState, f: Facts, rules: Rules) -> None:
    """After a Bridge the next ordinary problem is built like the original, with other numbers."""
    s["sibling_of"] = s["original_problem"]


# --- White-out --------------------------------------------------------------------------------------------------------


def enter_white_out(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F-10, row 29: far back to safe ground, aids on."""
    hold(s, f, rules)
    attempts, numbers = _attempts(s), rules.numbers.position
    _park(s, rules)
    c = min(numbers.white_out_c, down(attempts["c_e"], 2))
    place(s, rules, c, numbers.white_out_w if c == numbers.white_out_c else 0.0)
    results = _log(s)["step_results"] if s["loop_state"] else []
    close(s, f, rules)
    s["loop_state"] = {
        "type": "whiteout",
        "step": 0,
        "step_results": results,
        "c_e": attempts["c_e"],
        "w_e": attempts["w_e"],
        "rights": 0,
        "misses": 0,
    }
    s["streak"] = 0
    _aid(s, rules)


def white_out_right(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 30, first: once more."""
    _white_out_answer(s, f, rules, rights=1, misses=0)


def white_out_miss(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 31, first: two more steps down."""
    _white_out_answer(s, f, rules, rights=0, misses=1)
    place(s, rules, down(s["c_position"], 2), 0.0)


def leave_white_out(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 30, second right in a row: half-way back, aids off."""
    c_e = _loop(s)["c_e"]
    place(s, rules, (s["c_position"] + c_e) // 2, 0.0)
    close(s, f, rules)
    s["downscaling"] = {**s["downscaling"], "active": False, "visual_aids": []}


def _white_out_answer(s: TutoringState, f: Facts, rules: Rules, *, rights: int, misses: int) -> None:
    loop = _log(s)
    close(s, f, rules)
    s["loop_state"] = {**loop, "rights": rights, "misses": misses}


# --- training, end ----------------------------------------------------------------------------------------------------


def training_then(phase: Phase, show: str) -> Effect:
    """A training of the diagnosed cause becomes the task; `phase` and `show` say what waits behind it."""

    def start(s: TutoringState, f: Facts, rules: Rules) -> None:
        assert f.cause is not None
        _train(s, rules, f.cause, phase, show)

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
        _train(s, rules, _loop(s)["cause_tag"], phase, show)

    return start


def _train(s: TutoringState, rules: Rules, cause: str, phase: Phase, show: str) -> None:
    s["waiting"] = {"phase": phase, "show": show, "training_id": rules.catalogue.causes[cause].trainings[0]}


def resume(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Rows 32, 33: the training is over, done or not; the phase it interrupted goes on."""
    waiting, event, move = s["waiting"], s["event"], s["move"]
    assert waiting is not None
    assert event is not None
    assert move is not None
    if not f.timeout:
        s["trained"] = [*s["trained"], waiting["training_id"]]
    s["current_step"] = waiting["phase"]
    s["move"] = {**move, "show": waiting["show"]}
    s["waiting"] = None


def extra_training(s: TutoringState, f: Facts, rules: Rules) -> None:
    """One offered training after the end, when the child wants it."""
    event = s["event"]
    assert event is not None
    s["trained"] = [*s["trained"], event["training_id"]]
    s["offered"] = []


def end_because(reason: str) -> Effect:
    """The session ends; an original that is still open is parked."""

    def end(s: TutoringState, f: Facts, rules: Rules) -> None:
        s["ended_because"] = reason

    return end


def park_open(s: TutoringState, f: Facts, rules: Rules) -> None:
    """A loop, probe or question cut off by the end leaves its original for another day."""
    if (
        s["original_problem"] is not None
        and s["attempts"] is not None
        and (s["loop_state"] or {}).get("type") != "whiteout"
    ):
        _park(s, rules)


# --- helpers ----------------------------------------------------------------------------------------------------------


def _attempts(s: TutoringState) -> Attempts:
    attempts = s["attempts"]
    assert attempts is not None
    return attempts


def _loop(s: TutoringState) -> LoopState:
    loop = s["loop_state"]
    assert loop is not None
    return loop


def _log(s: TutoringState) -> LoopState:
    """The loop with this answer in its step results."""
    loop, observation, task = _loop(s), s["observation"], s["task"]
    assert observation is not None
    assert task is not None
    result: dict[str, Any] = {
        "step": loop["step"],
        "problem": task["problem_id"],
        "answer": observation["answer"],
        "correct": observation["correct"],
    }
    return {**loop, "step_results": [*loop["step_results"], result][-12:]}


def _aid(s: TutoringState, rules: Rules) -> None:
    mode = rules.numbers.visual_modes[s["c_position"]]
    s["downscaling"] = {**s["downscaling"], "active": True, "visual_aids": [mode], "fast": 0}


def _park(s: TutoringState, rules: Rules) -> None:
    """Once; a parked problem that is missed again is left to the teacher."""
    attempts = _attempts(s)
    problem_id, limit = attempts["problem_id"], rules.numbers.limits.parked_kept
    if attempts["parked"]:
        s["unlearnt"] = [*s["unlearnt"], problem_id][-limit:]
    elif all(entry["problem_id"] != problem_id for entry in s["parked"]):
        entry: Parked = {"problem_id": problem_id, "c": attempts["c_e"], "since": s["counters"]["closed"]}
        s["parked"] = [*s["parked"], entry][-limit:]


def _fall(s: TutoringState, c: int) -> None:
    s["falls"] = {**s["falls"], str(c): s["falls"].get(str(c), 0) + 1}
