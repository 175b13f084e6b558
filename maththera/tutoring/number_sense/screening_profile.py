"""The screening of number sense: a fixed mix of items, and what the answers add up to. It is no medical finding.

Range of subitizing: the bend of two joined lines through the median times (the bilinear fit of Leibovich-Raveh, Lewis,
Kadhim & Ansari, 2018, A new method for calculating individual subitizing ranges, Journal of Numerical Cognition 4,
429-447).
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Final, Literal, NamedTuple

from typing_extensions import TypedDict  # the API shows it, which needs it before Python 3.12

from maththera.tutoring.number_sense.items import ENUMERATE, Item, item, item_id
from maththera.tutoring.problems.seeded_draw import seeded_index

_BLOCKS: Final[Sequence[Sequence[tuple[str, int]]]] = (
    [(ENUMERATE, dots) for dots in range(1, 9)] * 2,
    [("N1.subitize", 2)] * 4,
    [("N3.compare", level) for level in range(1, 5)] * 2,
    [("N3.compare", 5)] * 4 + [("N3.compare", 6)] * 2,
    [("N5.line", 1)] * 3 + [("N5.line", 3)] * 5,
)
"""Kind and level of the items: about four minutes. Each block comes in an order of its own."""
SCREENING_ITEMS: Final = sum(map(len, _BLOCKS))
_LONGEST_MS: Final = 10_000
"""A longer answer was not one of looking and counting alone; chosen."""
_FEWEST_NUMBERS: Final = 6
"""Different numbers of dots with a time, below which no line is drawn through them; chosen."""
_BENDS: Final = [one / 2 for one in range(4, 13)]
_LEAST_BEND_MS: Final = 100.0
"""By so much more a dot must cost beyond the bend than before it, for the bend to be one; chosen."""
CLOSER: Final = ">5:6"
_RATIOS: Final = ((0.5, "1:2"), (0.67, "2:3"), (0.75, "3:4"), (0.84, "5:6"), (1.0, CLOSER))
"""The less to the more, at most; pairs are told by the first that holds."""


class Enumeration(TypedDict):
    """Dots that stay. `subitizing_range`: so many are seen at once; `ms_per_dot` up to there, `counting_ms_per_dot`
    beyond. None: the times do not show it."""

    of: int
    right: int
    times: int
    subitizing_range: int | None
    ms_per_dot: int | None
    counting_ms_per_dot: int | None


class SubitizingScore(TypedDict):
    """One to four dots that are gone at once."""

    of: int
    right: int


class Compared(TypedDict):
    """Pairs of about one ratio of the less to the more (`>5:6`: closer still). `median_ms`: of right answers, None
    without a reliable one."""

    shown: Literal["dots", "numbers"]
    ratio: str
    of: int
    right: int
    median_ms: int | None


class NumberLineScore(TypedDict):
    """Numbers placed from 0 to `high`; `error_percent`: the mean distance from the right place, in per cent of it."""

    high: int
    of: int
    error_percent: float | None


class NumberSenseProfile(TypedDict):
    """What a screening found."""

    enumeration: Enumeration
    at_a_glance: SubitizingScore
    comparison: list[Compared]
    line: list[NumberLineScore]


class Answered(NamedTuple):
    """An item, its answer (None: none was given), and its time in ms (None: not reliable)."""

    item: Item
    given: int | None
    rt_ms: int | None

    @property
    def right(self) -> bool:
        return self.given is not None and self.item.is_right(self.given)

    @property
    def looked_ms(self) -> int | None:
        """The time of a right answer that may be counted."""
        timed = self.right and self.rt_ms is not None and self.rt_ms <= _LONGEST_MS
        return self.rt_ms if timed else None


def screening_items(seed: int) -> list[str]:
    """The ids of a screening's items; the same seed makes the same."""
    found: list[str] = []
    for block in _BLOCKS:
        left = [*block]
        while left:
            kind, level = left.pop(seeded_index(len(left), seed, len(found)))
            found.append(item_id(kind, level, seeded_index(1 << 30, seed, len(found) + 1)))
    return found


def profile(answers: Iterable[tuple[str, int | None, int | None]]) -> NumberSenseProfile:
    """What the answers add up to: item id, answer, reliable time."""
    found = [Answered(item(one), given, rt_ms) for one, given, rt_ms in answers]
    return {
        "enumeration": _enumeration([one for one in found if one.item.item_id.startswith(ENUMERATE)]),
        "at_a_glance": _seen([one for one in found if one.item.skill_id == "N1.subitize"]),
        "comparison": _compared([one for one in found if one.item.skill_id == "N3.compare"]),
        "line": _placed([one for one in found if one.item.skill_id == "N5.line"]),
    }


def _enumeration(answers: Sequence[Answered]) -> Enumeration:
    times: dict[int, list[int]] = {}
    for one in answers:
        if (ms := one.looked_ms) is not None:
            times.setdefault(one.item.answer, []).append(ms)
    bend = _bend({dots: median(each) for dots, each in times.items()})
    return {
        "of": len(answers),
        "right": sum(one.right for one in answers),
        "times": sum(map(len, times.values())),
        "subitizing_range": int(bend.at) if bend else None,
        "ms_per_dot": round(bend.before) if bend else None,
        "counting_ms_per_dot": round(bend.after) if bend else None,
    }


class _Bend(NamedTuple):
    """Two joined lines: where they meet, and their slopes."""

    at: float
    before: float
    after: float


def _bend(times: Mapping[int, float]) -> _Bend | None:
    """The bend that fits best; None where there are too few times, or none to be seen."""
    if len(times) < _FEWEST_NUMBERS:
        return None
    fits = [(_fit(times, at), at) for at in _BENDS if sum(one > at for one in times) > 1]
    (error, slope, more), at = min(fits)
    return _Bend(at, slope, slope + more) if more >= _LEAST_BEND_MS and error < float("inf") else None


def _fit(times: Mapping[int, float], at: float) -> tuple[float, float, float]:
    """The squared error of time = a + b·dots + c·(dots beyond the bend), with b and c: least squares."""
    rows = [(float(dots), max(0.0, dots - at), ms) for dots, ms in times.items()]
    mean_x, mean_z, mean_y = (fmean(row[column] for row in rows) for column in range(3))
    centred = [(x - mean_x, z - mean_z, y - mean_y) for x, z, y in rows]
    xx, xz, zz = (sum(row[i] * row[j] for row in centred) for i, j in ((0, 0), (0, 1), (1, 1)))
    xy, zy = (sum(row[i] * row[2] for row in centred) for i in (0, 1))
    determinant = xx * zz - xz * xz
    if determinant <= 0:
        return float("inf"), 0.0, 0.0
    slope, more = (xy * zz - zy * xz) / determinant, (zy * xx - xy * xz) / determinant
    return sum((y - slope * x - more * z) ** 2 for x, z, y in centred), slope, more


def _seen(answers: Sequence[Answered]) -> SubitizingScore:
    return {"of": len(answers), "right": sum(one.right for one in answers)}


def _compared(answers: Sequence[Answered]) -> list[Compared]:
    groups: dict[tuple[Literal["dots", "numbers"], str], list[Answered]] = {}
    for one in answers:
        params = one.item.widget["params"]
        less, more = sorted(side for name in ("left", "right") if isinstance(side := params[name], int))
        ratio = next(name for highest, name in _RATIOS if less / more <= highest)
        groups.setdefault(("dots" if params["shown"] == "dots" else "numbers", ratio), []).append(one)
    order = [name for _, name in _RATIOS]
    found: list[Compared] = []
    for (shown, ratio), each in sorted(groups.items(), key=lambda one: (one[0][0], order.index(one[0][1]))):
        times = [ms for one in each if (ms := one.looked_ms) is not None]
        found.append({
            "shown": shown,
            "ratio": ratio,
            "of": len(each),
            "right": sum(one.right for one in each),
            "median_ms": round(median(times)) if times else None,
        })  # fmt: skip
    return found


def _placed(answers: Sequence[Answered]) -> list[NumberLineScore]:
    lines: dict[int, list[Answered]] = {}
    for one in answers:
        lines.setdefault(one.item.range, []).append(one)
    found: list[NumberLineScore] = []
    for high, each in sorted(lines.items()):
        off = [100 * one.item.off(one.given) / high for one in each if one.given is not None and 0 <= one.given <= high]
        found.append({"high": high, "of": len(each), "error_percent": round(fmean(off), 1) if off else None})
    return found
