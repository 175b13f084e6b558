"""The HTML report: one file, plots as inline SVG, nothing loaded from anywhere."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from maththera.simulation.experiment import Findings
from maththera.simulation.measures import Measured, by_kind, confusion, top1
from maththera.simulation.statistics import Estimate
from maththera.simulation.tables import interval, number, words
from maththera.tutoring.catalogue import Cause

_SHARES: Final = (
    "top1_accuracy", "top2_accuracy", "cse_macro_f1", "domain_macro_f1", "unknown_precision", "wrong_route_rate",
    "healthy_false_cause_rate", "llm_share", "probes_deciding", "tasks_in_loops", "first_try_right",
)  # fmt: skip
_BAR: Final = 20
_LEFT: Final = 230
_WIDTH: Final = 420
_CELL: Final = 44
_STYLE: Final = """body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:left}
svg{display:block;margin:1rem 0}text{font:12px system-ui,sans-serif}"""


def html(found: Findings, causes: Mapping[str, Cause], title: str) -> str:
    """The whole page."""
    parts = [
        f"<h1>{escape(title)}</h1>",
        "<p>The line through each bar is its 95 % confidence interval.</p>",
        "<h2>Shares</h2>",
        _bars({words(key): found.figures[key] for key in _SHARES if key in found.figures}),
        "<h2>Concluded rightly, by kind of child</h2>",
        _bars({words(kind): top1(group) for kind, group in by_kind(found.records).items()}),
        "<h2>True domain (rows) and concluded domain (columns)</h2>",
        _matrix(confusion(found.records, causes)),
        "<h2>Turns until a cause was stated</h2>",
        _histogram([record.stated_at for record in found.records if record.stated_at is not None]),
        "<h2>Longest run of failures in a session</h2>",
        _histogram([record.longest_failure for record in found.records]),
        "<h2>Steps to mastery</h2>",
        *(f"<h3>{name}</h3>{_histogram([one // 20 * 20 for one in steps])}" for name, steps in found.steps.items()),
        "<h2>All figures</h2>",
        _table(found.figures),
    ]
    head = f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title><style>{_STYLE}</style>"
    return head + "".join(parts) + "</html>\n"


def _bars(shares: Mapping[str, Estimate]) -> str:
    rows = []
    for place, (name, one) in enumerate(shares.items()):
        y = place * _BAR * 1.4
        rows.append(f"<text x='{_LEFT - 8}' y='{y + 14:.0f}' text-anchor='end'>{escape(name)}</text>")
        if one.value is None or one.low is None or one.high is None:
            continue
        rows.append(f"<rect x='{_LEFT}' y='{y:.0f}' width='{one.value * _WIDTH:.1f}' height='{_BAR}' fill='#4c78a8'/>")
        low, high, middle = _LEFT + one.low * _WIDTH, _LEFT + one.high * _WIDTH, y + _BAR / 2
        rows.append(f"<line x1='{low:.1f}' x2='{high:.1f}' y1='{middle}' y2='{middle}' stroke='#e45756'/>")
        rows.append(f"<text x='{_LEFT + _WIDTH + 8}' y='{y + 14:.0f}'>{one.value:.1%}</text>")
    return _svg(_LEFT + _WIDTH + 70, len(shares) * _BAR * 1.4, rows)


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
    return _svg(_LEFT + len(guesses) * _CELL * 2, 24 + len(truths) * _CELL * 0.7, rows)


def _histogram(values: Sequence[int]) -> str:
    counts = Counter(values)
    most, rows = max(counts.values(), default=1), []
    for place, value in enumerate(sorted(counts)):
        height = counts[value] / most * 120
        x = place * _BAR * 1.6
        rows.append(f"<rect x='{x:.0f}' y='{130 - height:.0f}' width='{_BAR}' height='{height:.0f}' fill='#4c78a8'/>")
        rows.append(f"<text x='{x + _BAR / 2:.0f}' y='146' text-anchor='middle'>{value}</text>")
    return _svg(max(1, len(counts)) * _BAR * 1.6, 150, rows)


def _table(found: Measured) -> str:
    rows = (
        f"<tr><td>{escape(words(key))}<td>{number(one.value)}<td>{interval(one)}</tr>" for key, one in found.items()
    )
    return f"<table><tr><th>figure<th>value<th>95 %</tr>{''.join(rows)}</table>"


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    return f"<svg width='{width:.0f}' height='{height:.0f}' role='img'>{''.join(parts)}</svg>"
