"""The transition table over all facts that can come together: no hole, and what no row may ever do."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from maththera.tutoring.moves.transition_facts import ROUTES, Facts
from maththera.tutoring.transitions import Row, match

ANSWERED = ("normal", "probe", "diagnostic_question", "scaffolded_recovery_1", "scaffolded_recovery_2",
            "scaffolded_recovery_3", "bridge_loop", "breather", "white_out", "placement", "worked_example")  # fmt: skip
KNOWN = (*ROUTES, "ATTENTION")
FLAGS = [name for name, kind in Facts.__annotations__.items() if kind is bool]
OUTCOMES = ("right and fast", "right and slow", "wrong", "timeout")


@st.composite
def answers(draw: st.DrawFn) -> Facts:
    """What an answer, or none, may lead to: the flags are free, the outcome and the diagnosis fit each other."""
    phase, outcome = draw(st.sampled_from(ANSWERED)), draw(st.sampled_from(OUTCOMES))
    flags: dict[str, Any] = {name: draw(st.booleans()) for name in FLAGS}
    flags["said"] = flags["said"] and outcome == "timeout"
    domain = draw(st.sampled_from(_domains(phase, outcome, judged=flags["refocused"] or flags["said"])))
    loop = phase in ("scaffolded_recovery_1", "scaffolded_recovery_2", "scaffolded_recovery_3", "bridge_loop")
    return Facts(
        **flags
        | {
            "phase": phase,
            "event": "timeout" if outcome == "timeout" else "answer_submitted",
            "right": outcome.startswith("right"),
            "wrong": outcome == "wrong",
            "fast": outcome == "right and fast",
            "slow": outcome == "right and slow",
            "impulsive": flags["impulsive"] and outcome not in {"timeout", "right and slow"},
            "domain": domain,
            "cause": domain and f"{domain}_L1_X",
            "undecided": domain is None and outcome != "timeout" and phase in ("normal", "probe"),
            "route": ROUTES.get(domain or ""),
            "misses": draw(st.integers(0, 3)),
            "training": None,
            "example_left": draw(st.sampled_from(["steps", "siblings", None])),
            "rights": draw(st.integers(0, 1)),
            "loop_route": draw(st.sampled_from("AB")) if loop else None,
            "item": draw(st.sampled_from(["gap", "moved", "original"])) if phase == "bridge_loop" else None,
        }
    )


def _domains(phase: str, outcome: str, *, judged: bool) -> tuple[str | None, ...]:
    """What the diagnosis may be; None in `normal` and `probe` waits for a probe. `judged`: even a probe without an
    answer."""
    if phase == "normal":
        return (*KNOWN, "UNKNOWN", None) if outcome == "wrong" else (None,)
    if phase == "probe":
        return (*KNOWN, None) if outcome != "timeout" else KNOWN if judged else (None,)
    return ("UNKNOWN",) if phase == "diagnostic_question" else (*KNOWN, None)


many = settings(max_examples=300)


@many
@given(facts=answers())
def test_there_is_a_row_for_everything(facts: Facts) -> None:
    assert facts.phase in match(facts).phases


@many
@given(facts=answers())
def test_only_ordinary_right_answers_move_up(facts: Facts) -> None:
    if match(facts).route == "advance":
        assert facts.phase == "normal"
        assert facts.right
        assert not facts.impulsive or facts.slow


@many
@given(facts=answers())
def test_attention_comes_before_arithmetic(facts: Facts) -> None:
    if facts.phase == "normal" and facts.attention and not facts.refocused and not facts.white_out_due:
        assert match(facts).route == "refocus"


@many
@given(facts=answers())
def test_too_much_always_leads_to_safe_ground(facts: Facts) -> None:
    if facts.white_out_due and facts.phase not in ("white_out", "placement", "worked_example"):
        assert match(facts).number in {"15", "15n"}


@many
@given(facts=answers())
def test_whoever_is_right_is_never_led_down_but_from_a_probe_or_question(facts: Facts) -> None:
    row: Row = match(facts)
    if facts.right and not facts.white_out_due and facts.phase not in ("probe", "diagnostic_question"):
        assert row.show != "training"
        assert row.route not in {"A", "B", "white_out"} or facts.phase == "white_out"
        assert row.phase != "ended" or facts.last_placement


@given(phase=st.sampled_from((*ANSWERED, "training")), facts=answers())
def test_a_child_may_always_stop(phase: str, facts: Facts) -> None:
    stopped = facts._replace(phase=phase, event="stop")
    assert match(stopped).number == "34"
