import pytest

from maththera.simulation.estimates import NOTHING, bootstrap, macro_f1, ratio, share, spearman


def test_wilsons_interval() -> None:
    """Newcombe (1998), Statistics in Medicine 17, his first example: 81 of 263."""
    found = share(81, 263)
    assert found == pytest.approx((0.3080, 0.2553, 0.3662), abs=1e-4)


@pytest.mark.parametrize(("hits", "of", "low", "high"), [(0, 20, 0.0, 0.161), (20, 20, 0.839, 1.0)])
def test_an_interval_holds_where_nothing_or_all_was_hit(hits: int, of: int, low: float, high: float) -> None:
    assert share(hits, of)[1:] == pytest.approx((low, high), abs=1e-3)


def test_nothing_measured_is_no_number() -> None:
    assert share(0, 0) == bootstrap([], ratio) == NOTHING


def test_the_bootstrap_is_repeatable_and_holds_the_value() -> None:
    sample = [(one % 3, 1) for one in range(300)]
    found = bootstrap(sample, ratio)
    assert found == bootstrap(sample, ratio)
    assert found.value == 1.0
    assert found.low is not None
    assert found.high is not None
    assert 0.85 < found.low < 1.0 < found.high < 1.15


def test_macro_f1_counts_each_class_alike() -> None:
    pairs = [("C", "C")] * 8 + [("S", "C")] * 2 + [("S", "S")] * 2
    # C: precision 0.8, recall 1, F1 8/9; S: precision 1, recall 0.5, F1 2/3
    assert macro_f1(pairs) == pytest.approx((8 / 9 + 2 / 3) / 2)
    assert macro_f1([]) is None


def test_spearman_with_ties() -> None:
    assert spearman([1, 2, 3, 4], [10, 20, 30, 25]) == pytest.approx(0.8)
    assert spearman([1, 2, 2, 3], [1, 2, 2, 3]) == pytest.approx(1.0)
    assert spearman([1, 1, 1], [1, 2, 3]) is None
