"""Estimates with 95 % confidence intervals, and rank correlation: small enough to need no library."""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

_Z: Final = 1.959964
_RESAMPLES: Final = 400
_TAIL: Final = 0.025


class Estimate(NamedTuple):
    """A value and its 95 % confidence interval. `value` is None if there was nothing to measure."""

    value: float | None
    low: float | None
    high: float | None


NOTHING: Final = Estimate(None, None, None)


def share(hits: int, of: int) -> Estimate:
    """Wilson's score interval (1927): keeps within 0 and 1 and holds for small samples too."""
    if of == 0:
        return NOTHING
    p, square = hits / of, _Z * _Z
    middle = (p + square / (2 * of)) / (1 + square / of)
    half = _Z / (1 + square / of) * math.sqrt(p * (1 - p) / of + square / (4 * of * of))
    return Estimate(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)))


def bootstrap(sample: Sequence[T], measure: Callable[[Sequence[T]], float | None], *, seed: int = 0) -> Estimate:
    """Percentile bootstrap (Efron 1979) over whole sessions; the same seed gives the same interval."""
    value = measure(sample) if sample else None
    if value is None:
        return NOTHING
    chance = Random(seed)  # noqa: S311 - repeatable on purpose
    drawn = (measure(chance.choices(sample, k=len(sample))) for _ in range(_RESAMPLES))
    found = sorted(one for one in drawn if one is not None)
    return Estimate(value, found[int(_TAIL * len(found))], found[int((1 - _TAIL) * (len(found) - 1))])


def ratio(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Sum over sum."""
    below = sum(pair[1] for pair in pairs)
    return sum(pair[0] for pair in pairs) / below if below else None


def macro_f1(pairs: Sequence[tuple[str, str]]) -> float | None:
    """The mean F1 over the true classes of (true, predicted) pairs; other predictions count as misses."""
    true_count: dict[str, int] = {}
    predicted: dict[str, int] = {}
    right: dict[str, int] = {}
    for truth, guess in pairs:
        true_count[truth] = true_count.get(truth, 0) + 1
        predicted[guess] = predicted.get(guess, 0) + 1
        right[truth] = right.get(truth, 0) + (truth == guess)
    if not true_count:
        return None
    scores = (2 * right[name] / (count + predicted.get(name, 0)) for name, count in true_count.items())
    return sum(scores) / len(true_count)


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Spearman's rank correlation with mean ranks for ties; None if one side does not vary."""
    return _pearson(_ranks(xs), _ranks(ys))


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start : end + 1]:
            ranks[place] = (start + end) / 2
        start = end + 1
    return ranks


def _pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    n = len(xs)
    if n < 2:
        return None
    mean_x, mean_y = sum(xs) / n, sum(ys) / n
    cross = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    spread = math.sqrt(sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys))
    return cross / spread if spread else None
