"""The guard: a small run of the whole experiment, held to its figures by their confidence intervals."""

import pytest

from maththera.settings import home
from maththera.simulation.experiment import Findings, headline
from maththera.simulation.session_runs import Setup

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # a minute and a half on a machine that does nothing else


@pytest.fixture(scope="module")
def found() -> Findings:
    return headline(home(), Setup(learners=240, seed=11), workers=1, progress=lambda *_: None)


@pytest.mark.parametrize(
    ("key", "at_least"),
    [
        ("top1_accuracy", 0.85),
        ("top2_accuracy", 0.93),
        ("cse_macro_f1", 0.85),
        ("domain_macro_f1", 0.85),
        ("unknown_precision", 0.80),
    ],
)
def test_what_must_not_fall(found: Findings, key: str, at_least: float) -> None:
    high = found.figures[key].high
    assert high is not None
    assert high >= at_least


@pytest.mark.parametrize(
    ("key", "at_most"),
    [
        ("wrong_route_rate", 0.05),
        ("probes_per_diagnosis", 1.5),
        ("healthy_false_cause_rate", 0.02),
        ("llm_share", 0.02),
        ("steps_ratio_oracle", 1.9),
        ("steps_ratio_random", 0.45),
        ("white_outs_per_100_problems", 4.0),
    ],
)
def test_what_must_not_rise(found: Findings, key: str, at_most: float) -> None:
    low = found.figures[key].low
    assert low is not None
    assert low <= at_most
