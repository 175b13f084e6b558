"""What a screening shows, and what its answers add up to."""

import pytest

from maththera.tutoring.number_sense.items import ENUMERATE, item
from maththera.tutoring.number_sense.screening_profile import (
    SCREENING_ITEMS,
    NumberSenseProfile,
    profile,
    screening_items,
)


def measured(range_: int = 3, quick: int = 100, slow: int = 600) -> NumberSenseProfile:
    """Of a child that sees so many dots at once, and counts the rest one by one; everything else is right in 2 s."""

    def ms(item_id: str) -> int:
        dots = item(item_id).answer
        looked = 900 + quick * min(dots, range_) + slow * max(0, dots - range_)
        return looked if item_id.startswith(ENUMERATE) else 2000

    return profile((one, item(one).answer, ms(one)) for one in screening_items(7))


def test_the_mix_is_the_same_for_all_and_its_order_the_seeds() -> None:
    def kinds(seed: int) -> list[str]:
        return [one.rpartition(":")[0] for one in screening_items(seed)]

    assert sorted(kinds(1)) == sorted(kinds(2))
    assert kinds(1) != kinds(2)
    assert screening_items(3) == screening_items(3)
    assert len(screening_items(3)) == SCREENING_ITEMS


@pytest.mark.parametrize(("range_", "quick", "slow"), [(3, 100, 600), (4, 60, 350), (2, 150, 900)])
def test_range_and_slopes_are_those_of_the_child(range_: int, quick: int, slow: int) -> None:
    found = measured(range_, quick, slow)["enumeration"]
    assert (found["subitizing_range"], found["ms_per_dot"], found["counting_ms_per_dot"]) == (range_, quick, slow)
    assert found["right"] == found["of"] == found["times"] == 16


def test_without_a_bend_no_range_is_told() -> None:
    found = measured(3, 300, 350)["enumeration"]
    assert (found["subitizing_range"], found["ms_per_dot"]) == (None, None)


@pytest.mark.parametrize("ms", [None, 60_000])
def test_slow_and_unreliable_times_judge_nothing(ms: int | None) -> None:
    found = profile((one, item(one).answer, ms) for one in screening_items(7))
    assert found["enumeration"]["times"] == 0
    assert found["enumeration"]["right"] == 16
    assert found["enumeration"]["subitizing_range"] is None
    assert all(one["median_ms"] is None for one in found["comparison"])


def test_comparisons_are_told_by_ratio_from_the_easiest() -> None:
    dots = [one for one in measured()["comparison"] if one["shown"] == "dots"]
    assert [one["ratio"] for one in dots] == ["1:2", "2:3", "3:4", "5:6"]
    assert all((one["of"], one["right"], one["median_ms"]) == (2, 2, 2000) for one in dots)


def test_the_error_on_a_line_is_in_per_cent_of_it() -> None:
    found = profile((one, item(one).answer + 1, 2000) for one in screening_items(7))
    assert {one["high"]: one["error_percent"] for one in found["line"]} == {10: 10.0, 100: 1.0}


def test_no_answer_is_no_error_on_a_line() -> None:
    found = profile((one, None, None) for one in screening_items(7))
    assert all(one["error_percent"] is None for one in found["line"])
    assert found["at_a_glance"] == {"of": 4, "right": 0}
