"""The HTML report: one file, plots as inline SVG, nothing loaded from anywhere."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Final

from maththera.simulation.estimates import NOTHING, Estimate, bootstrap
from maththera.simulation.experiment import Findings
from maththera.simulation.measures import NONE, WANTED, Measured, by_kind, confusion, mean, top1
from maththera.simulation.policies import LIMIT
from maththera.simulation.simulated_session import SessionRecord
from maththera.simulation.terminal_tables import interval, number, words
from maththera.tutoring.content.cause_catalogue import Cause

_SHARES: Final = (
    "top1_accuracy", "top2_accuracy", "cse_macro_f1", "domain_macro_f1", "unknown_precision", "wrong_route_rate",
    "healthy_false_cause_rate", "llm_share", "probes_deciding", "tasks_in_loops", "first_try_right",
)  # fmt: skip
_COUNTED: Final[Mapping[str, tuple[str, Callable[[SessionRecord], int | None]]]] = {
    "Turns until a cause was stated": ("turns_until_diagnosed", lambda record: record.stated_at),
    "Probes in a session": ("probes_per_diagnosis", lambda record: record.probes),
    "Longest run of failures in a session": ("longest_failure_run", lambda record: record.longest_failure),
    "White-outs in a session": ("white_outs_per_100_problems", lambda record: record.white_outs),
    "Problems in a session": ("problems_per_session", lambda record: record.problems),
    "Turns in a session": ("turns_per_session", lambda record: record.turns),
}
"""Heading → its figure, and what is counted of each session."""
_BAR: Final = 20
_LEFT: Final = 230
_WIDTH: Final = 420
_HEIGHT: Final = 120
_MOST_BARS: Final = 24
_COLUMN: Final = 34
_CELL: Final = 44
_STYLE: Final = """body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:left}
figure{margin:1rem 0;overflow-x:auto}svg{display:block}text{font:12px system-ui,sans-serif}"""


def html(found: Findings, causes: Mapping[str, Cause], title: str) -> str:
    """The whole page."""
    parts = [
        f"<h1>{escape(title)}</h1>",
        "<p>The line through each bar is its 95 % confidence interval.</p>",
        "<h2>Shares</h2>",
        _bars({words(key): found.figures[key] for key in _SHARES if key in found.figures}, 1.0),
        "<h2>Concluded rightly, by kind of child</h2>",
        _bars({words(kind): top1(group) for kind, group in by_kind(found.records).items()}, 1.0),
        "<h2>True domain (rows) and concluded domain (columns)</h2>",
        _matrix(confusion(found.records, causes)),
        f"<p>{NONE}: nothing was concluded.</p>",
        "<h2>Steps to mastery, by policy</h2>",
        _bars({name: bootstrap(steps, mean) for name, steps in found.steps.items()}, LIMIT),
        *(_counted(found, heading) for heading in _COUNTED),
        "<h2>All figures</h2>",
        _table(found.figures),
    ]
    head = (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style>"
    )
    return head + "".join(parts) + "</html>\n"


def _counted(found: Findings, heading: str) -> str:
    key, count = _COUNTED[heading]
    values = [value for record in found.records if (value := count(record)) is not None]
    one = found.figures.get(key, NOTHING)
    caption = f"{words(key)}: {number(one.value)}" + (f" ({wide})" if (wide := interval(one)) else "")
    return f"<h2>{heading}</h2><p>{caption}</p>{_histogram(values, heading)}"


def _bars(values: Mapping[str, Estimate], most: float) -> str:
    """A bar for each value up to `most`; what is at most 1 is a share."""
    rows = []
    for place, (name, one) in enumerate(values.items()):
        y = place * _BAR * 1.4
        rows.append(f"<text x='{_LEFT - 8}' y='{y + 14:.0f}' text-anchor='end'>{escape(name)}</text>")
        if one.value is None or one.low is None or one.high is None:
            continue
        wide, low, high = (_WIDTH * min(1.0, value / most) for value in (one.value, one.low, one.high))
        rows.append(f"<rect x='{_LEFT}' y='{y:.0f}' width='{wide:.1f}' height='{_BAR}' fill='#4c78a8'/>")
        middle = f"y1='{y + _BAR / 2:.0f}' y2='{y + _BAR / 2:.0f}'"
        rows.append(f"<line x1='{_LEFT + low:.1f}' x2='{_LEFT + high:.1f}' {middle} stroke='#e45756'/>")
        shown = f"{one.value:.1%}" if most == 1 else number(one.value)
        rows.append(f"<text x='{_LEFT + _WIDTH + 8}' y='{y + 14:.0f}'>{shown}</text>")
    return _svg(_LEFT + _WIDTH + 70, len(values) * _BAR * 1.4, rows, ", ".join(values))


def _matrix(counts: Counter[tuple[str, str]]) -> str:
    truths = sorted({truth for truth, _ in counts})
    guesses = sorted({guess for _, guess in counts})
    rows = [
        f"<text x='{_LEFT + (column + 0.5) * _CELL * 2:.0f}' y='14' text-anchor='middle'>{escape(guess)}</text>"
        for column, guess in enumerate(guesses)
    ]
    for row, truth in enumerate(truths):
        whole = sum(counts[truth, guess] for guess in guesses)
        y = 24 + row * _CELL * 0.7
        rows.append(f"<text x='{_LEFT - 8}' y='{y + 19:.0f}' text-anchor='end'>{escape(truth)} ({whole})</text>")
        for column, guess in enumerate(guesses):
            x, share = _LEFT + column * _CELL * 2, counts[truth, guess] / whole
            rows.append(
                f"<rect x='{x}' y='{y:.0f}' width='{_CELL * 2 - 2}' height='{_CELL * 0.7 - 2:.0f}' fill='#4c78a8' "
                f"fill-opacity='{share:.2f}' stroke='#ddd'/><text x='{x + _CELL}' y='{y + 19:.0f}' "
                f"text-anchor='middle'>{share:.0%}</text>"
            )
    width, height = _LEFT + len(guesses) * _CELL * 2, 24 + len(truths) * _CELL * 0.7
    return _svg(width, height, rows, "true and concluded domains")


def _histogram(values: Sequence[int], what: str) -> str:
    """A histogram of sessions by value; many values share a bar."""
    if not values:
        return "<p>–</p>"
    width = 1 + (max(values) - min(values)) // _MOST_BARS
    first = min(values) // width * width
    counts = Counter((value - first) // width for value in values)
    most, rows = max(counts.values()), []
    for place in range(max(counts) + 1):
        height, x = counts[place] / most * _HEIGHT, place * _COLUMN
        low, high = first + place * width, first + place * width + width - 1
        label = f"{low}" if width == 1 else f"{low}–{high}"
        top = 20 + _HEIGHT - height
        rows.append(f"<rect x='{x + 2}' y='{top:.0f}' width='{_COLUMN - 4}' height='{height:.0f}' fill='#4c78a8'/>")
        rows.append(f"<text x='{x + _COLUMN / 2:.0f}' y='{top - 4:.0f}' text-anchor='middle'>{counts[place]}</text>")
        rows.append(f"<text x='{x + _COLUMN / 2:.0f}' y='{_HEIGHT + 36}' text-anchor='middle'>{label}</text>")
    return _svg(len(rows) / 3 * _COLUMN, _HEIGHT + 42, rows, f"{what}: how many sessions")


def _table(found: Measured) -> str:
    rows = (
        f"<tr><td>{escape(words(key))}<td>{number(one.value)}<td>{interval(one)}<td>{WANTED.get(key, '')}</tr>"
        for key, one in found.items()
    )
    return f"<table><tr><th>figure<th>value<th>95 %<th>wanted</tr>{''.join(rows)}</table>"


def _svg(width: float, height: float, parts: Sequence[str], what: str) -> str:
    label = escape(what, quote=True)
    return (
        f"<figure><svg width='{width:.0f}' height='{height:.0f}' role='img' aria-label='{label}'>"
        f"{''.join(parts)}</svg></figure>"
    )
