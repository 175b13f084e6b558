"""The effects of the transition table's rows on a loop: recovery loop F-08, Bridge Loop F-09, White-out F-10."""

from typing import Any

from maththera.arithmetic.curriculum import down
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.session_moves import (
    attempts_of,
    close_problem,
    count_fall,
    loop_of,
    set_position,
    settle_position,
    show_visual_aid,
    solve_together,
    step_down,
    suspend_problem,
)
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.number_sense.session_items import enter_below_c1
from maththera.tutoring.problems.worked_examples import plan_together
from maththera.tutoring.state import LoopState, TutoringState, given


def open_loop(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """F-08: the loop around `original_problem`, step 1."""
    attempts, diagnosis = attempts_of(draft), draft["diagnosis"]
    cause = (diagnosis["cause_tag"] if diagnosis else None) or "UNKNOWN"
    move = given(draft["move"])
    draft["loop_state"] = {
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
    draft["loops"] = {**draft["loops"], cause: draft["loops"].get(cause, 0) + 1}
    note_looped_skill(draft)
    draft["probe_state"] = None


def note_looped_skill(draft: TutoringState) -> None:
    """A second miss on this skill in the session opens no second loop."""
    practice = draft["practice"]
    if practice["last"] not in practice["looped"]:
        draft["practice"] = {**practice, "looped": [*practice["looped"], given(practice["last"])]}


def next_step(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The step was right: the next one begins."""
    loop = loop_with_result(draft)
    draft["loop_state"] = {**loop, "step": loop["step"] + 1, "misses": 0, "aided": False}


def missed_step(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The step stays; its misses are counted and the aid is on."""
    loop = loop_with_result(draft)
    draft["loop_state"] = {**loop, "misses": loop["misses"] + 1, "aided": True}
    show_visual_aid(draft, facts, rules)


def loop_training(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 21: the loop's own cause showed again at the anchor."""
    draft["loop_state"] = {**loop_with_result(draft), "trained": True, "aided": True}
    show_visual_aid(draft, facts, rules)


def finish_loop(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 25: C is restored, W stays lowered."""
    c_e = loop_of(draft)["c_e"]
    settle_position(draft, rules, c_e, draft["w_position"])
    close_problem(draft, facts, rules)
    draft["loop_done_at"] = c_e


def finish_loop_lower(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 25, the second loop in a row at this C: one step down."""
    loop = loop_of(draft)
    settle_position(draft, rules, step_down(rules, loop["c_e"], loop["w_e"]), draft["w_position"])
    close_problem(draft, facts, rules)
    draft["loop_done_at"] = None


def fail_loop(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """F: the problem is solved together and comes back with other numbers on another day; one step down from its C, a
    fall counted."""
    attempts = attempts_of(draft)
    c_e = attempts["c_e"]
    solve_together(draft, rules)
    plan_together(draft, rules, attempts["problem_id"])
    count_fall(draft, c_e)
    settle_position(draft, rules, step_down(rules, c_e, attempts["w_e"]), draft["w_position"])
    close_problem(draft, facts, rules)
    enter_below_c1(draft, c_e)
    _start_afresh(draft)


def fail_breather(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row bm: the loop fails, and the wrong answers before it still count, as nothing has worked since."""
    run = draft["counters"]["wrong_run"]
    fail_loop(draft, facts, rules)
    draft["counters"] = {**draft["counters"], "wrong_run": run}


def fall_back(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 11: this cause had its loops; the original is solved together and the child practises lower, after a
    training."""
    solve_together(draft, rules)
    plan_together(draft, rules, attempts_of(draft)["problem_id"])
    count_fall(draft, attempts_of(draft)["c_e"])
    settle_position(draft, rules, draft["c_position"], draft["w_position"])
    close_problem(draft, facts, rules)


def open_bridge(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """F-09: the anchor was right and the original still fails; the gap of the original comes first."""
    draft["loop_state"] = {
        **loop_with_result(draft),
        "type": "bridge_loop",
        "item": "gap",
        "round": 1,
        "aided": False,
        "misses": 0,
    }


def next_bridge_item(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """gap → moved problem → original."""
    loop = loop_with_result(draft)
    draft["loop_state"] = {**loop, "item": "moved" if loop["item"] == "gap" else "original", "aided": False}


def aid_bridge_item(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 28, first miss: the same item with aid."""
    draft["loop_state"] = {**loop_with_result(draft), "aided": True}
    show_visual_aid(draft, facts, rules)


def next_bridge_round(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 28, second miss or the original missed: from the gap again."""
    loop = loop_with_result(draft)
    draft["loop_state"] = {**loop, "item": "gap", "round": loop["round"] + 1, "aided": False}


# --- White-out --------------------------------------------------------------------------------------------------------


def enter_white_out(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """F-10, row 29: far back to safe ground, aids on."""
    suspend_problem(draft, facts, rules)
    note_looped_skill(draft)
    attempts, numbers = attempts_of(draft), rules.numbers.position
    solve_together(draft, rules)
    c = min(numbers.white_out_c, down(attempts["c_e"], 2))
    set_position(draft, rules, c, numbers.white_out_w if c == numbers.white_out_c else 0.0)
    results = loop_with_result(draft)["step_results"] if draft["loop_state"] else []
    close_problem(draft, facts, rules)
    draft["loop_state"] = {
        "type": "whiteout",
        "step": 0,
        "step_results": results,
        "c_e": attempts["c_e"],
        "w_e": attempts["w_e"],
        "original": attempts["problem_id"],
        "rights": 0,
        "misses": 0,
    }
    draft["streak"] = 0
    draft["counters"] = {**draft["counters"], "white_outs": draft["counters"].get("white_outs", 0) + 1}
    _start_afresh(draft)
    show_visual_aid(draft, facts, rules)


def _start_afresh(draft: TutoringState) -> None:
    """Wrong answers from before something secure no longer count: else the next miss would cause another fall."""
    draft["counters"] = {**draft["counters"], "wrong_run": 0}


def white_out_right(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 30, first: once more."""
    _white_out_answer(draft, facts, rules, rights=1, misses=0)


def white_out_miss(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 31, first: two more steps down; from C1 to number sense."""
    before = draft["c_position"]
    _white_out_answer(draft, facts, rules, rights=0, misses=1)
    set_position(draft, rules, down(before, 2), 0.0)
    enter_below_c1(draft, before)


def leave_white_out(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Row 30, second right in a row: half-way back, aids off; what led here is solved together."""
    c_e = loop_of(draft)["c_e"]
    plan_together(draft, rules, loop_of(draft)["original"])
    settle_position(draft, rules, (draft["c_position"] + c_e) // 2, 0.0)
    close_problem(draft, facts, rules)
    draft["downscaling"] = {**draft["downscaling"], "active": False, "visual_aids": []}


def _white_out_answer(draft: TutoringState, facts: Facts, rules: Rules, *, rights: int, misses: int) -> None:
    loop = loop_with_result(draft)
    close_problem(draft, facts, rules)
    draft["loop_state"] = {**loop, "rights": rights, "misses": misses}


def loop_with_result(draft: TutoringState) -> LoopState:
    """The loop with this answer in its step results."""
    loop, observation, task = loop_of(draft), given(draft["observation"]), given(draft["task"])
    result: dict[str, Any] = {
        "step": loop["step"],
        "problem": task["problem_id"],
        "answer": observation["answer"],
        "correct": observation["correct"],
    }
    return {**loop, "step_results": [*loop["step_results"], result][-12:]}
