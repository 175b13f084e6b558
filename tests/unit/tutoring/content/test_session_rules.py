"""The numbers of a session: what `configs/tutoring/session_rules.yaml` may say, and how its faults are named."""

from pathlib import Path
from statistics import fmean

import pytest

from maththera.config_files import ConfigError
from maththera.settings import home
from maththera.simulation.independent.child import MEDIAN_MS
from maththera.tutoring.content.session_rules import Numbers, Rules

SHIPPED = Path(home()) / "configs" / "tutoring" / "session_rules.yaml"


def test_the_seeds_numbers_are_the_shipped_ones(rules: Rules) -> None:
    numbers = rules.numbers
    assert (numbers.response_time.slow_ms, numbers.response_time.impulsive_ms) == (5000, 800)  # of rt_policy: fixed
    assert numbers.session.problem_count == 15
    assert (numbers.selection.window, numbers.selection.widened) == (0.5, 1.0)
    assert (numbers.position.white_out_c, numbers.position.white_out_w) == (5, 3.0)


def test_two_fast_right_answers_rise_as_the_simulated_children_taught(rules: Rules) -> None:
    """The seed's is one; docs/simulation.md has the table that changed it."""
    assert rules.numbers.position.promotion_streak == 2


def test_rules_hold_everything_a_session_reads(rules: Rules) -> None:
    assert rules.bank.find(8, "+", 6, "horizontal")
    assert "ATTENTION_L0_IMPULSE" in rules.catalogue.causes
    assert rules.feedback.situations


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("slow_ms: 5000", "slow_ms: 0", "response_time.slow_ms"),
        ("rt_policy: adaptive", "rt_policy: guessed", "response_time.rt_policy"),
        ("impulsive_factor: 0.2", "impulsive_factor: 0", "response_time.impulsive_factor"),
        ("    15: 15000\n", "", "response_time.norms_ms: no norm for C 15"),
        ("own_after: 5", "own_after: 0", "response_time.own_after"),
        ("slow_run: 4", "slow_runs: 4", "position.slow_runs"),
    ],
)
def test_a_wrong_number_is_named_with_its_line(tmp_path: Path, old: str, new: str, fault: str) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "tutoring.yaml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"tutoring\.yaml:\d+: ") as failure:
        Numbers.from_file(file)
    assert fault in str(failure.value)


def test_the_norms_by_level_are_what_the_guide_derives(rules: Rules) -> None:
    """From the published medians; 12 s on 8+6 are slow, 3.5 s on nothing."""
    middle, norms = fmean(MEDIAN_MS.values()), rules.numbers.response_time.norms_ms
    shares = {3 / 4: (1, 2, 3, 4, 5, 6), 1: (7, 9, 13, 14), 4 / 3: (8, 10), 9 / 4: (11, 12, 15)}
    assert norms == {c: round(middle * share, -3) for share, levels in shares.items() for c in levels}
    assert norms[7] < 12_000
    assert min(norms.values()) > rules.numbers.response_time.never_slow_ms == 3_500
