"""How sure a share is that was counted."""

from math import sqrt


def with_interval(hits: int, count: int, digits: int = 1) -> str:
    """A share in percent with its 95 % interval (Wilson)."""
    low, high = wilson(hits, count)
    return f"{100 * hits / max(count, 1):.{digits}f} % ({100 * low:.{digits}f}–{100 * high:.{digits}f})"


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The interval as shares."""
    z, share = 1.96, hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, middle - half), min(1.0, middle + half)
