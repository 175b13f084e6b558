"""What the figures make of screenings: near the child's own senses, and which of them is weak."""

from dataclasses import replace

import pytest

from maththera.simulation.independent.number_sense import Senses
from maththera.simulation.knowing.examiner import Examiner
from maththera.simulation.knowing.screenings import SENSES, Screened, Sense, measure_screenings, screened
from maththera.simulation.knowing.weeks import Tutor
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.number_sense.screening_profile import NumberSenseProfile

OWN = Senses(at_once=3, glance_ms=100, count_ms=700, blur=0.25, line=0.12, counts=0.8, reads=0.6)


def profile(*, range_: int | None = 3, ms: int = 700, right: int = 7, error: float = 10.0) -> NumberSenseProfile:
    """`right`: of eight comparisons, of which those at 5:6 go wrong first."""
    easy, hard = min(right, 6), max(0, right - 6)
    return {
        "enumeration": {
            "of": 16, "right": 16, "times": 16, "subitizing_range": range_, "ms_per_dot": 100,
            "counting_ms_per_dot": ms if range_ is not None else None,
        },
        "at_a_glance": {"of": 4, "right": 4},
        "comparison": [
            {"shown": "dots", "ratio": "1:2", "of": 6, "right": easy, "median_ms": 1200},
            {"shown": "dots", "ratio": "5:6", "of": 2, "right": hard, "median_ms": 1500},
        ],
        "line": [{"high": 10, "of": 3, "error_percent": error}, {"high": 100, "of": 5, "error_percent": error}],
    }  # fmt: skip


USUAL = [profile(range_=2, ms=600, right=6, error=8.0), profile(range_=4, ms=800, right=8, error=12.0)]


def children(weak: Sense, found_weak: NumberSenseProfile) -> list[Screened]:
    return [Screened(number, OWN, found, weak, found_weak) for number, found in enumerate(USUAL)]


@pytest.mark.parametrize(
    ("weak", "found"),
    [
        ("glance", profile(range_=1)),
        ("counting", profile(ms=1400)),
        ("comparing", profile(right=4)),
        ("line", profile(error=24.0)),
    ],
)
def test_the_weak_sense_is_the_one_farthest_from_what_is_usual(weak: Sense, found: NumberSenseProfile) -> None:
    assert measure_screenings(children(weak, found))["weak_sense"].value == 1
    other = next(sense for sense in SENSES if sense != weak)
    assert measure_screenings(children(other, found))["weak_sense"].value == 0


def test_a_range_of_which_nothing_is_said_is_left_out() -> None:
    found = measure_screenings([Screened(0, OWN, profile(range_=None), "line", profile())])
    assert found["glance_near"].value is None
    apart = [Screened(0, replace(OWN, at_once=at_once), profile(range_=2), "line", profile()) for at_once in (1, 4)]
    assert measure_screenings(apart)["glance_near"].value == 0.5


def test_the_ratio_effect_is_what_near_numbers_cost() -> None:
    assert measure_screenings(children("line", profile()))["ratio_effect"].value == pytest.approx(0.5)


def test_a_profile_that_follows_the_senses_has_a_correlation_of_one() -> None:
    group = [
        Screened(
            number,
            replace(OWN, count_ms=100.0 * number, blur=0.1 * number, line=0.01 * number),
            profile(ms=100 * number, right=8 - number, error=float(number)),
            "line",
            profile(),
        )
        for number in range(1, 6)
    ]
    found = measure_screenings(group)
    assert [found[f"{name}_rho"].value for name in ("counting", "comparing", "line")] == pytest.approx([1, 1, 1])


def test_a_child_is_screened_with_one_sense_made_worse(rules: Rules) -> None:
    tutor = Tutor(rules, Examiner(rules.bank, rules.knowledge.skills))
    found = [screened(tutor, 3, index) for index in range(4)]
    assert [one.weak for one in found] == list(SENSES)
    assert found == [screened(tutor, 3, index) for index in range(4)]
    assert all(one.found["enumeration"]["of"] == 16 for one in found)
    assert all(one.found != one.found_weak for one in found)
