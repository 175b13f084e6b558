"""What the rows of the transition table do to a loop: recovery loop F-08, Bridge Loop F-09, White-out F-10."""

from typing import Any

from maththera.arithmetic.curriculum import down
from maththera.tutoring.facts import Facts
from maththera.tutoring.moves import aid, attempts_of, close, fall, hold, loop_of, park, place
from maththera.tutoring.rules import Rules
from maththera.tutoring.state import LoopState, TutoringState, given


def open_loop(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F-08: the loop around `original_problem`, step 1."""
    attempts, diagnosis = attempts_of(s), s["diagnosis"]
    cause = (diagnosis["cause_tag"] if diagnosis else None) or "UNKNOWN"
    move = given(s["move"])
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
    loop = logged(s)
    s["loop_state"] = {**loop, "step": loop["step"] + 1, "misses": 0, "aided": False}


def missed_step(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The step stays; its misses are counted and the aid is on."""
    loop = logged(s)
    s["loop_state"] = {**loop, "misses": loop["misses"] + 1, "aided": True}
    aid(s, f, rules)


def loop_training(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 21: the loop's own cause showed again at the anchor."""
    s["loop_state"] = {**logged(s), "trained": True, "aided": True}
    aid(s, f, rules)


def finish_loop(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 25: C is restored, W stays lowered."""
    c_e = loop_of(s)["c_e"]
    place(s, rules, c_e, s["w_position"])
    close(s, f, rules)
    s["loop_done_at"] = c_e


def finish_loop_lower(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 25, the second loop in a row at this C: one step down."""
    c_e = loop_of(s)["c_e"]
    place(s, rules, down(c_e), s["w_position"])
    close(s, f, rules)
    s["loop_done_at"] = None


def fail_loop(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F: one step down from the original's C, the original parked, a fall counted."""
    c_e = attempts_of(s)["c_e"]
    park(s, rules)
    fall(s, c_e)
    place(s, rules, down(c_e), s["w_position"])
    close(s, f, rules)


def not_learnt_yet(s: TutoringState, f: Facts, rules: Rules) -> None:
    """The rise came too early: back to where the child was before it."""
    rise = given(s["rise"])
    park(s, rules)
    fall(s, attempts_of(s)["c_e"])
    place(s, rules, int(rise[1]), rise[2])
    s["rise"] = None
    close(s, f, rules)
    _start_afresh(s)


def fall_back(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 11: this cause had its loops; the original is parked and the child practises lower, after a training."""
    park(s, rules)
    fall(s, attempts_of(s)["c_e"])
    close(s, f, rules)


def open_bridge(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F-09: the anchor was right and the original still fails; the gap of the original comes first."""
    s["loop_state"] = {**logged(s), "type": "bridge_loop", "item": "gap", "round": 1, "aided": False, "misses": 0}


def next_bridge_item(s: TutoringState, f: Facts, rules: Rules) -> None:
    """gap → moved problem → original."""
    loop = logged(s)
    s["loop_state"] = {**loop, "item": "moved" if loop["item"] == "gap" else "original", "aided": False}


def aid_bridge_item(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 28, first miss: the same item with aid."""
    s["loop_state"] = {**logged(s), "aided": True}
    aid(s, f, rules)


def next_bridge_round(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 28, second miss or the original missed: from the gap again."""
    loop = logged(s)
    s["loop_state"] = {**loop, "item": "gap", "round": loop["round"] + 1, "aided": False}


def plan_sibling(s: TutoringState, f: Facts, rules: Rules) -> None:
    """After a Bridge the next ordinary problem is built like the original, with other numbers."""
    s["sibling_of"] = s["original_problem"]


# --- White-out --------------------------------------------------------------------------------------------------------


def enter_white_out(s: TutoringState, f: Facts, rules: Rules) -> None:
    """F-10, row 29: far back to safe ground, aids on."""
    hold(s, f, rules)
    attempts, numbers = attempts_of(s), rules.numbers.position
    park(s, rules)
    c = min(numbers.white_out_c, down(attempts["c_e"], 2))
    place(s, rules, c, numbers.white_out_w if c == numbers.white_out_c else 0.0)
    results = logged(s)["step_results"] if s["loop_state"] else []
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
    _start_afresh(s)
    aid(s, f, rules)


def _start_afresh(s: TutoringState) -> None:
    """On safe ground the wrong answers that led there count no more: else the next one would fall again at once."""
    s["counters"] = {**s["counters"], "wrong_run": 0}


def white_out_right(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 30, first: once more."""
    _white_out_answer(s, f, rules, rights=1, misses=0)


def white_out_miss(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 31, first: two more steps down."""
    _white_out_answer(s, f, rules, rights=0, misses=1)
    place(s, rules, down(s["c_position"], 2), 0.0)


def leave_white_out(s: TutoringState, f: Facts, rules: Rules) -> None:
    """Row 30, second right in a row: half-way back, aids off."""
    c_e = loop_of(s)["c_e"]
    place(s, rules, (s["c_position"] + c_e) // 2, 0.0)
    close(s, f, rules)
    s["downscaling"] = {**s["downscaling"], "active": False, "visual_aids": []}


def _white_out_answer(s: TutoringState, f: Facts, rules: Rules, *, rights: int, misses: int) -> None:
    loop = logged(s)
    close(s, f, rules)
    s["loop_state"] = {**loop, "rights": rights, "misses": misses}


def logged(s: TutoringState) -> LoopState:
    """The loop with this answer in its step results."""
    loop, observation, task = loop_of(s), given(s["observation"]), given(s["task"])
    result: dict[str, Any] = {
        "step": loop["step"],
        "problem": task["problem_id"],
        "answer": observation["answer"],
        "correct": observation["correct"],
    }
    return {**loop, "step_results": [*loop["step_results"], result][-12:]}
