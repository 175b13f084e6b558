"""The transition table of the session: every row, in the order in which it is tried. The first that holds decides.

`number` names the row, with a letter where one rule has several outcomes. `path` maps the nodes of the turn to their
effects; `show` is the next task (`TASK_BUILDERS`); `phase` None: an effect sets the phase.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from maththera.tutoring.moves import loop_moves as loops
from maththera.tutoring.moves import session_moves as m
from maththera.tutoring.moves.session_moves import Effect
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.number_sense import session_items as sense
from maththera.tutoring.placement import session_placement as placement
from maththera.tutoring.state import Phase

Condition = Callable[[Facts], bool]
Path = Mapping[str, tuple[Effect, ...]]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: in one of `phases`, if `when` holds, go along `path`, enter `phase`, show the task `show`, give the
    feedback of `situation`."""

    number: str
    phases: tuple[str, ...]
    when: Condition
    path: Path
    phase: Phase | None
    show: str | None
    route: str
    situation: str
    downscaling: str | None = None

    @property
    def looks_again(self) -> bool:
        """The same problem comes once more, before a cause is acted on."""
        return self.situation == "slip"

    @property
    def starts_probe(self) -> bool:
        """Several causes explain the answer: a probe is to tell them apart."""
        return self.route == "probe"

    @property
    def cause_unknown(self) -> bool:
        """No rule explains the answer: a model may be asked, then the diagnostic question decides."""
        return self.situation == "diagnostic_question" and "normal" in self.phases

    @property
    def opens_loop(self) -> bool:
        """A known cause sends the child through a recovery loop, by route A or B."""
        return loops.open_loop in self.path.get("recovery_loop", ())

    @property
    def enters_white_out(self) -> bool:
        """The child is led far back to safe ground."""
        return loops.enter_white_out in self.path.get("white_out", ())

    @property
    def severe(self) -> bool:
        """A severe error: route B goes two steps down."""
        return m.route_b_severe in self.path.get("route_b", ())


NODES: Final = (
    "route_a",
    "route_b",
    "recovery_loop",
    "bridge_loop",
    "white_out",
    "refocus",
    "diagnostic_question",
    "training",
)
"""Nodes a path may name, in the order they are visited; an empty path leads straight to the selection."""

_NORMAL: Final = ("normal",)
_PROBE: Final = ("probe",)
_DECIDED: Final = ("normal", "probe")
_QUESTION: Final = ("diagnostic_question",)
_STEP_1: Final = ("scaffolded_recovery_1",)
_STEP_2: Final = ("scaffolded_recovery_2",)
_STEP_3: Final = ("scaffolded_recovery_3",)
_BRIDGE: Final = ("bridge_loop",)
_BREATHER: Final = ("breather",)
_WHITE_OUT: Final = ("white_out",)
_TRAINING: Final = ("training",)
_EXAMPLE: Final = ("worked_example",)
_PLACEMENT: Final = ("placement",)
_WARM_UP: Final = ("warm_up",)
_SCREENING: Final = ("screening",)
_BELOW_C1: Final = ("number_sense",)
_LOOPING: Final = (*_NORMAL, *_PROBE, *_QUESTION, *_STEP_1, *_STEP_2, *_STEP_3, *_BRIDGE, *_BREATHER)
_UNSURE: Final = (*_NORMAL, *_STEP_1, *_STEP_2, *_STEP_3, *_BRIDGE)
_ANY: Final = (
    *_LOOPING, *_WHITE_OUT, *_EXAMPLE, *_TRAINING, *_PLACEMENT, *_WARM_UP, *_SCREENING, *_BELOW_C1
)  # fmt: skip


def _a_loop(*first: Effect) -> Path:
    return {"route_a": (*first, m.route_a), "recovery_loop": (loops.open_loop,)}


def _b_loop(*first: Effect) -> Path:
    return {"route_b": (*first, m.route_b), "recovery_loop": (loops.open_loop,)}


def _severe_loop(*first: Effect) -> Path:
    return {"route_b": (*first, m.route_b_severe), "recovery_loop": (loops.open_loop,)}


TABLE: Final[tuple[Row, ...]] = (
    # the child stops
    Row("34", _ANY, lambda f: f.event == "stop", {"adapt": (m.keep_open_problem, m.end_because("stop"))}, "ended",
        None, route="none", situation="closing"),
    # nobody has answered for long
    Row("34i", _ANY, lambda f: f.event == "idle", {"adapt": (m.keep_open_problem, m.end_because("idle"))}, "ended",
        None, route="none", situation="closing_idle"),
    # training
    Row("32n", _TRAINING, lambda f: f.training in ("below", "nothing") and not f.trained_again,
        {"training": (m.train_again,)}, "training", "training", route="none", situation="training_again"),
    Row("32l", _TRAINING, lambda f: f.training == "nothing",
        {"training": (m.resume_after_training,)}, None, None, route="none", situation="training_left"),
    Row("32", _TRAINING, lambda f: f.event == "training_done", {"training": (m.resume_after_training,)}, None, None,
        route="none", situation="training_done"),
    Row("33", _TRAINING, lambda f: f.timeout, {"training": (m.resume_after_training,)}, None, None,
        route="none", situation="training_left"),
    Row("32e", ("ended",), lambda f: f.event == "training_done", {"training": (m.extra_training,)}, "ended", None,
        route="none", situation="closing"),
    # worked example: each answer closes a step, and none is a miss
    Row("36", _EXAMPLE, lambda f: f.example_left == "steps" and f.right, {"adapt": (m.open_next_step,)},
        "worked_example", None, route="worked_example", situation="example_right"),
    Row("36s", _EXAMPLE, lambda f: f.example_left == "steps", {"adapt": (m.open_next_step,)},
        "worked_example", None, route="worked_example", situation="example_shown"),
    Row("37", _EXAMPLE, lambda f: f.example_left == "siblings" and f.right, {"adapt": (m.open_next_sibling,)},
        "worked_example", None, route="worked_example", situation="example_next"),
    Row("37s", _EXAMPLE, lambda f: f.example_left == "siblings", {"adapt": (m.open_next_sibling,)},
        "worked_example", None, route="worked_example", situation="example_next_shown"),
    Row("38", _EXAMPLE, lambda f: f.right, {"adapt": (m.end_example,)}, None, None,
        route="worked_example", situation="example_done"),
    Row("38s", _EXAMPLE, lambda f: f.miss, {"adapt": (m.end_example,)}, None, None,
        route="worked_example", situation="example_done_shown"),
    # placement: what does the child know?
    Row("0e", _PLACEMENT, lambda f: f.last_placement,
        {"adapt": (placement.note_answer, m.close_problem, placement.place,
                   m.end_because("placed"))},
        "ended", None, route="none", situation="closing"),
    Row("0", _PLACEMENT, lambda f: f.right, {"adapt": (placement.note_answer, m.close_problem)},
        "placement", "placement", route="none", situation="correct"),
    Row("0m", _PLACEMENT, lambda f: f.miss, {"adapt": (placement.note_answer, m.close_problem)},
        "placement", "placement", route="none", situation="move_on"),
    # number sense: before the session, as a screening, below C1
    Row("w", _WARM_UP, lambda f: f.right, {"adapt": (sense.keep_item,)}, None, "widget", route="none",
        situation="correct"),
    Row("wm", _WARM_UP, lambda f: f.miss, {"adapt": (sense.keep_item,)}, None, "widget", route="none",
        situation="move_on"),
    Row("se", _SCREENING, lambda f: f.last_item,
        {"adapt": (sense.keep_item, m.close_problem, m.end_because("screened"))}, "ended", None,
        route="none", situation="closing"),
    Row("s", _SCREENING, lambda f: f.right, {"adapt": (sense.keep_item, m.close_problem)}, "screening", "widget",
        route="none", situation="correct"),
    Row("sm", _SCREENING, lambda f: f.miss, {"adapt": (sense.keep_item, m.close_problem)}, "screening", "widget",
        route="none", situation="move_on"),
    Row("n", _BELOW_C1, lambda f: f.right, {"adapt": (sense.count_item, m.close_problem)}, "number_sense", "widget",
        route="none", situation="correct"),
    Row("ne", _BELOW_C1, lambda f: f.miss and f.last_item_miss,
        {"adapt": (sense.count_item, m.close_problem, m.end_because("number_sense"))}, "ended", None,
        route="none", situation="closing_tired"),
    Row("nm", _BELOW_C1, lambda f: f.miss, {"adapt": (sense.count_item, m.close_problem)}, "number_sense", "widget",
        route="none", situation="move_on"),
    # too much, whatever the task
    Row("15n", _LOOPING, lambda f: f.white_out_due and f.not_learnt_yet,
        {"adapt": (m.suspend_problem, loops.fail_loop)}, "normal", "secure", route="none",
        situation="not_learnt_yet"),
    Row("15", _LOOPING, lambda f: f.white_out_due, {"white_out": (loops.enter_white_out,)}, "white_out", "select",
        route="white_out", situation="white_out", downscaling="visual_aid"),
    # ordinary problem, right
    Row("8r", _NORMAL, lambda f: f.right and f.second_look, {"adapt": (m.close_problem,)}, "normal", "select",
        route="none", situation="correct"),
    Row("4", _NORMAL, lambda f: f.right and f.impulsive, {"adapt": (m.close_problem,)}, "normal", "select",
        route="none", situation="correct"),
    Row("2", _NORMAL, lambda f: f.right and f.fast and f.promotes, {"adapt": (m.promote, m.close_problem)}, "normal",
        "select", route="advance", situation="correct"),
    Row("1", _NORMAL, lambda f: f.right and f.fast, {"adapt": (m.raise_w, m.close_problem)}, "normal", "select",
        route="none", situation="correct"),
    Row("3p", _NORMAL, lambda f: f.right and f.slow_run_full,
        {"adapt": (m.accept_cause, m.note_fluency, m.promote, m.close_problem)}, "normal", "select",
        route="advance", situation="correct_slow"),
    Row("3", _NORMAL, lambda f: f.right, {"adapt": (m.accept_cause, m.note_fluency, m.close_problem)}, "normal",
        "drill", route="fluency_drill", situation="correct_slow"),
    # ordinary problem, attention
    Row("6e", _NORMAL, lambda f: f.attention and f.impulsive and _looked_at_again(f) and f.last_drop,
        {"refocus": (m.drop_after_impulse, m.end_because("attention"))}, "ended", None,
        route="refocus", situation="closing_tired"),
    Row("6", _NORMAL, lambda f: f.attention and f.impulsive and _looked_at_again(f),
        {"refocus": (m.drop_after_impulse,)}, "normal", "select", route="refocus", situation="refocus"),
    Row("7", _NORMAL, lambda f: f.attention and _looked_at_again(f), _a_loop(m.accept_cause), "scaffolded_recovery_1",
        "anchor", route="A", situation="anchor"),
    Row("5", _NORMAL, lambda f: f.attention and f.trainings_left,
        {"refocus": (m.refocus, m.count_attention_training, m.attention_training_then("normal", "same"))}, "training",
        "training", route="refocus", situation="refocus"),
    Row("5n", _NORMAL, lambda f: f.attention, {"refocus": (m.refocus,)}, "normal", "same",
        route="refocus", situation="refocus"),
    # ordinary problem, wrong
    Row("8", _NORMAL, lambda f: f.wrong and f.second_look_due, {"adapt": (m.repeat_problem,)}, "normal", "same",
        route="none", situation="slip"),
    Row("11n", _NORMAL, lambda f: f.wrong and f.skill_looped,
        {"adapt": (m.accept_cause, loops.fail_loop)}, "normal", "secure",
        route="recovery", situation="move_on"),
    Row("9", _NORMAL, lambda f: f.wrong and f.undecided, {"adapt": (m.start_probe,)}, "probe", "probe",
        route="probe", situation="probe"),
    Row("11e", _NORMAL, lambda f: f.wrong and f.domain == "UNKNOWN" and f.skill_exampled and f.not_learnt_yet,
        {"adapt": (loops.fail_loop,)}, "normal", "secure", route="recovery", situation="move_on"),
    Row("10", _NORMAL, lambda f: f.wrong and f.domain == "UNKNOWN", {"diagnostic_question": (m.ask_question,)},
        "diagnostic_question", "gap", route="none", situation="diagnostic_question"),
    # probe
    Row("16", _PROBE, lambda f: not f.timeout and f.undecided, {"adapt": (m.start_probe,)}, "probe", "probe",
        route="probe", situation="probe"),
    Row("17f", _PROBE, lambda f: _distracted(f) and not f.refocused and f.shown_out,
        {"recovery_loop": (loops.fail_loop,)}, "normal", "secure", route="recovery", situation="move_on"),
    Row("17", _PROBE, lambda f: _distracted(f) and not f.refocused and f.trainings_left,
        {"refocus": (m.refocus, m.count_attention_training, m.attention_training_then("normal", "same"))},
        "training", "training", route="refocus", situation="refocus"),
    Row("17n", _PROBE, lambda f: _distracted(f) and not f.refocused, {"refocus": (m.refocus,)}, "normal",
        "same", route="refocus", situation="refocus"),
    Row("10p", _PROBE, lambda f: f.domain == "UNKNOWN", {"diagnostic_question": (m.ask_question,)},
        "diagnostic_question", "gap", route="none", situation="diagnostic_question"),
    # one cause is known
    Row("11s", _DECIDED, lambda f: _decided(f) and f.loops_used_up and f.severe,
        {"route_b": (m.accept_cause, m.route_b_severe),
         "training": (loops.fall_back, m.training_then("normal", "secure"))},
        "training", "training", route="B", situation="training_start"),
    Row("11", _DECIDED, lambda f: _decided(f) and f.loops_used_up,
        {"route_b": (m.accept_cause, m.route_b),
         "training": (loops.fall_back, m.training_then("normal", "secure"))},
        "training", "training", route="B", situation="training_start"),
    Row("12s", _DECIDED, lambda f: _decided(f) and f.severe, _severe_loop(m.accept_cause),
        "scaffolded_recovery_1", "anchor", route="B", situation="anchor"),
    Row("12a", _DECIDED, lambda f: _decided(f) and f.route == "A", _a_loop(m.accept_cause),
        "scaffolded_recovery_1", "anchor", route="A", situation="anchor"),
    Row("12b", _DECIDED, lambda f: _decided(f) and f.route == "B", _b_loop(m.accept_cause),
        "scaffolded_recovery_1", "anchor", route="B", situation="anchor"),
    Row("12t", _PROBE, lambda f: f.domain == "ATTENTION", _a_loop(m.accept_cause),
        "scaffolded_recovery_1", "anchor", route="A", situation="anchor"),
    # the child says again that it doesn't know
    Row("14s", _UNSURE, lambda f: f.said and f.needs_example, {"adapt": (m.show_how,)}, "normal", "sibling",
        route="none", situation="move_on"),
    # no response to an ordinary problem
    Row("14e", _NORMAL, lambda f: f.timeout and not f.said and f.timed_out_before and f.last_timeout,
        {"adapt": (m.close_after_timeouts, m.end_because("no_response"))}, "ended", None,
        route="none", situation="closing_tired"),
    Row("14", _NORMAL, lambda f: f.timeout and f.timed_out_before,
        {"adapt": (m.plan_other_numbers, m.close_after_timeouts)}, "normal", "simplified",
        route="none", situation="move_on", downscaling="number_simplification"),
    Row("13f", _NORMAL, lambda f: f.timeout and f.shown_out, {"adapt": (loops.fail_loop,)}, "normal",
        "secure", route="recovery", situation="move_on"),
    Row("13", _NORMAL, lambda f: f.timeout, {"adapt": (m.count_first_timeout, m.show_visual_aid)}, "normal", "same",
        route="none", situation="no_response", downscaling="visual_aid"),
    # diagnostic question
    Row("18a", _QUESTION, lambda f: f.right, _a_loop(), "scaffolded_recovery_1", "anchor",
        route="A", situation="anchor_after_right"),
    Row("19", _QUESTION, lambda f: f.timeout and not f.timed_out_before,
        {"diagnostic_question": (m.count_first_timeout, m.show_visual_aid)}, "diagnostic_question", "gap",
        route="none", situation="no_response", downscaling="visual_aid"),
    Row("18s", _QUESTION, lambda f: f.miss and f.severe, _severe_loop(), "scaffolded_recovery_1", "anchor",
        route="B", situation="anchor"),
    Row("18b", _QUESTION, lambda f: f.miss, _b_loop(), "scaffolded_recovery_1", "anchor",
        route="B", situation="anchor"),
    # recovery loop, step 1: anchor
    Row("20a", _STEP_1, lambda f: f.right and f.loop_route == "A", {"recovery_loop": (loops.next_step,)},
        "scaffolded_recovery_2", "gap", route="recovery", situation="fine_adjustment"),
    Row("20b", _STEP_1, lambda f: f.right, {"recovery_loop": (loops.next_step,)},
        "scaffolded_recovery_2", "sub_step", route="recovery", situation="fine_adjustment"),
    Row("21", _STEP_1, lambda f: f.own_cause and not f.trained,
        {"recovery_loop": (loops.loop_training, m.own_training_then("scaffolded_recovery_1", "again"))}, "training",
        "training", route="recovery", situation="training_start", downscaling="visual_aid"),
    Row("22t", _STEP_1, lambda f: f.timeout and not f.aided, {"recovery_loop": (loops.missed_step,)},
        "scaffolded_recovery_1", "again", route="recovery", situation="no_response", downscaling="visual_aid"),
    Row("22n", _STEP_1, lambda f: f.miss and f.not_learnt_yet, {"recovery_loop": (loops.fail_loop,)},
        "normal", "secure", route="none", situation="not_learnt_yet"),
    Row("22", _STEP_1, lambda f: f.miss, {"white_out": (loops.enter_white_out,)}, "white_out", "select",
        route="white_out", situation="white_out", downscaling="visual_aid"),
    # recovery loop, step 2: fine adjustment
    Row("23", _STEP_2, lambda f: f.right, {"recovery_loop": (loops.next_step,)}, "scaffolded_recovery_3", "return",
        route="recovery", situation="return"),
    Row("24", _STEP_2, lambda f: f.miss and f.misses == 0, {"recovery_loop": (loops.missed_step,)},
        "scaffolded_recovery_2", "again", route="recovery", situation="wrong", downscaling="visual_aid"),
    Row("24b", _STEP_2, lambda f: f.miss and not f.last_miss, {"recovery_loop": (loops.missed_step,)},
        "scaffolded_recovery_2", "again", route="recovery", situation="wrong", downscaling="step_separation"),
    Row("24f", _STEP_2, lambda f: f.miss, {"recovery_loop": (loops.fail_loop,)}, "normal", "secure",
        route="recovery", situation="move_on"),
    # recovery loop, step 3: return
    Row("25d", _STEP_3, lambda f: f.right and f.loop_again, {"recovery_loop": (loops.finish_loop_lower,)}, "normal",
        "select", route="recovery", situation="correct"),
    Row("25", _STEP_3, lambda f: f.right, {"recovery_loop": (loops.finish_loop,)}, "normal", "select",
        route="recovery", situation="correct"),
    Row("26a", _STEP_3, lambda f: f.miss and f.loop_route == "A", {"bridge_loop": (loops.open_bridge,)}, "bridge_loop",
        "bridge_gap", route="bridge_loop", situation="bridge"),
    Row("26b", _STEP_3, lambda f: f.miss, {"recovery_loop": (loops.fail_loop,)}, "normal", "secure",
        route="recovery", situation="move_on"),
    # Bridge Loop
    Row("27g", _BRIDGE, lambda f: f.right and f.item == "gap", {"bridge_loop": (loops.next_bridge_item,)},
        "bridge_loop", "moved", route="bridge_loop", situation="fine_adjustment"),
    Row("27m", _BRIDGE, lambda f: f.right and f.item == "moved", {"bridge_loop": (loops.next_bridge_item,)},
        "bridge_loop", "bridge_original", route="bridge_loop", situation="return"),
    Row("27d", _BRIDGE, lambda f: f.right and f.loop_again,
        {"bridge_loop": (m.plan_other_numbers, loops.finish_loop_lower)}, "normal", "sibling",
        route="bridge_loop", situation="correct"),
    Row("27", _BRIDGE, lambda f: f.right, {"bridge_loop": (m.plan_other_numbers, loops.finish_loop)}, "normal",
        "sibling", route="bridge_loop", situation="correct"),
    Row("28g", _BRIDGE, lambda f: f.miss and f.shown_out, {"bridge_loop": (loops.fail_loop,)}, "normal", "secure",
        route="bridge_loop", situation="move_on"),
    Row("28", _BRIDGE, lambda f: f.miss and f.item != "original" and not f.aided,
        {"bridge_loop": (loops.aid_bridge_item,)}, "bridge_loop", "again",
        route="bridge_loop", situation="wrong", downscaling="visual_aid"),
    Row("28n", _BRIDGE, lambda f: f.miss and not f.last_round, {"bridge_loop": (loops.next_bridge_round,)},
        "bridge_loop", "bridge_gap", route="bridge_loop", situation="wrong", downscaling="step_separation"),
    Row("28f", _BRIDGE, lambda f: f.miss, {"bridge_loop": (loops.fail_loop,)}, "normal", "secure",
        route="bridge_loop", situation="move_on"),
    # breather: something that works, before what may be missed again
    Row("b", _BREATHER, lambda f: f.right, {"adapt": (m.resume_after_breather,)}, None, "put_off", route="recovery",
        situation="breather_done"),
    Row("bm", _BREATHER, lambda f: f.miss, {"recovery_loop": (loops.fail_breather,)}, "normal", "secure",
        route="recovery", situation="move_on"),
    # White-out
    Row("30n", _WHITE_OUT, lambda f: f.right and f.rights > 0, {"white_out": (loops.leave_white_out,)}, "normal",
        "select", route="white_out", situation="correct"),
    Row("30", _WHITE_OUT, lambda f: f.right, {"white_out": (loops.white_out_right,)}, "white_out", "select",
        route="white_out", situation="correct"),
    Row("31e", _WHITE_OUT, lambda f: f.miss and f.misses > 0,
        {"white_out": (m.close_problem, m.end_because("white_out"))}, "ended", None,
        route="white_out", situation="closing_tired"),
    Row("31", _WHITE_OUT, lambda f: f.miss, {"white_out": (loops.white_out_miss,)}, "white_out", "select",
        route="white_out", situation="white_out", downscaling="visual_aid"),
)  # fmt: skip


def _decided(f: Facts) -> bool:
    """A wrong answer, or a probe's answer, with one known cause on route A or B."""
    return f.route is not None and (f.wrong or f.phase == "probe")


def _looked_at_again(f: Facts) -> bool:
    """The problem was shown again for attention's sake, or as often as one may be."""
    return f.refocused or f.shown_out


def _distracted(f: Facts) -> bool:
    """A probe without an answer, or one that left an attention cause. Who says that it doesn't know was there."""
    return (f.timeout and not f.said) or f.domain == "ATTENTION"


def match(facts: Facts) -> Row:
    """The first row that holds. LookupError: the table has a hole; a test walks all combinations."""
    for row in _BY_PHASE[facts.phase]:
        if row.when(facts):
            return row
    raise LookupError(f"no row of the transition table holds for {facts}")


_BY_PHASE: Final = {phase: tuple(r for r in TABLE if phase in r.phases) for phase in (*_ANY, "ended")}
ROWS: Final = {row.number: row for row in TABLE}
