"""The choice that looks random and is always the same."""

from collections import Counter

from maththera.tutoring.problems.seeded_draw import seeded_index


def test_the_same_numbers_always_give_the_same_index() -> None:
    # Check values: other machines and other releases must draw the same, or recorded sessions no longer replay.
    assert [seeded_index(1000, 7, turn) for turn in range(5)] == [221, 257, 587, 32, 403]
    assert seeded_index(10) == 0


def test_every_number_counts_and_so_does_their_order() -> None:
    assert len({seeded_index(1 << 30, *numbers) for numbers in ((1, 2), (2, 1), (1, 3), (1, 2, 0), (0, 1, 2))}) == 5


def test_indices_are_spread_evenly() -> None:
    counted = Counter(seeded_index(10, 7, turn) for turn in range(10_000))
    assert set(counted) == set(range(10))
    assert all(900 < count < 1100 for count in counted.values())
