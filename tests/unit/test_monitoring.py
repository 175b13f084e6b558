"""The Grafana dashboard and the alert rules: they are well formed, and ask for metrics and labels that there are.

The expressions are read by a few rules of their own, which know names, labels, brackets and the functions that are
used, and no more of the language; `tests/api/test_prometheus.py` gives them to Prometheus itself.
"""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

import pytest
import yaml
from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.metrics import MetricWrapperBase

from maththera.api.http_layer.metrics import Metrics
from maththera.settings import home

FOLDER: Final = home() / "configs" / "monitoring"
FUNCTIONS: Final = frozenset({"sum", "max", "rate", "increase", "histogram_quantile", "topk", "by"})
OF_PROMETHEUS: Final = {"up": frozenset({"job"})}
_DURATION: Final = re.compile(r"\[(\d+[smhd])\]")
_SELECTOR: Final = re.compile(r"([a-z_:]+)(?:\{([^}]*)\})?")
_MATCHER: Final = re.compile(r'([a-z_]+)(=|!=|=~|!~)"([^"]*)"')
_GROUPING: Final = re.compile(r"\bby \(([a-z_, ]*)\)")


def _known(registry: CollectorRegistry) -> dict[str, frozenset[str]]:
    """Sample of a metric → its labels."""
    found: dict[str, frozenset[str]] = dict(OF_PROMETHEUS)
    for collector in {*registry._names_to_collectors.values()}:
        assert isinstance(collector, MetricWrapperBase)
        labels = frozenset(collector._labelnames)
        (metric,) = collector.describe()
        ends = ("_bucket", "_sum", "_count") if isinstance(collector, Histogram) else ("",)
        ends = ("_total",) if metric.type == "counter" else ends
        found |= {metric.name + end: labels | ({"le"} if end == "_bucket" else frozenset()) for end in ends}
    return found


KNOWN: Final = _known(Metrics().registry)


def mistakes(expression: str) -> list[str]:
    """What is wrong with an expression of PromQL, as far as it can be told from names and brackets."""
    found = []
    for opening, closing in ("()", "{}", "[]"):
        if expression.count(opening) != expression.count(closing):
            found.append(f"{opening} and {closing} are not of the same number")
    bare = _GROUPING.sub("", _DURATION.sub("", expression))
    if "[" in bare:
        found.append("not a duration")
    groups = {one.strip() for names in _GROUPING.findall(expression) for one in names.split(",")}
    labels: set[str] = set()
    for name, matchers in _SELECTOR.findall(bare):
        if name in FUNCTIONS:
            continue
        if name not in KNOWN:
            found.append(f"there is no metric {name}")
            continue
        labels |= KNOWN[name]
        asked = {label for label, _, _ in _MATCHER.findall(matchers)}
        found += [f"{name} has no label {one}" for one in sorted(asked - KNOWN[name])]
        if name.endswith(("_total", "_bucket")) and not re.search(rf"(rate|increase)\({name}[^)]*\[", expression):
            found.append(f"{name} only grows: ask for its rate")
    return found + [f"nothing is there to group by {one}" for one in sorted(groups - labels)]


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((FOLDER / "alert_rules.yaml").read_text("utf-8"))["groups"]
    assert group["name"] == "maththera"
    return list(group["rules"])


def panels() -> list[dict[str, Any]]:
    return list(json.loads((FOLDER / "grafana_dashboard.json").read_text("utf-8"))["panels"])


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in rules())
    yield from (target["expr"] for panel in panels() for target in panel["targets"])


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_each_expression_asks_for_what_there_is(expression: str) -> None:
    assert mistakes(expression) == []


@pytest.mark.parametrize(
    ("expression", "mistake"),
    [
        ("sum(rate(maththera_turn_total[5m]))", "there is no metric maththera_turn_total"),
        ('rate(maththera_turns_total{cause="x"}[5m])', "maththera_turns_total has no label cause"),
        ("sum by (flow) (rate(maththera_turns_total[5m]))", "nothing is there to group by flow"),
        ("sum(maththera_turns_total)", "maththera_turns_total only grows: ask for its rate"),
        ("sum(rate(maththera_turns_total[5m])", "( and ) are not of the same number"),
        ("rate(maththera_turns_total[5 minutes])", "not a duration"),
    ],
)
def test_a_mistake_is_found(expression: str, mistake: str) -> None:
    assert mistake in mistakes(expression)


def test_each_rule_says_what_to_do() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len({*names}) == len(names) > 0
    for rule in rules():
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "do"}
        assert re.fullmatch(r"\d+[smhd]", rule.get("for", "1m"))
        used = re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"])
        assert {*used} <= {one.strip() for names in _GROUPING.findall(rule["expr"]) for one in names.split(",")}


def test_panels_have_room_of_their_own() -> None:
    boxes = [panel["gridPos"] for panel in panels()]
    assert all(box["x"] + box["w"] <= 24 for box in boxes)
    for one, other in combinations(boxes, 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        assert beside or one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"], (one, other)
    assert len({panel["id"] for panel in panels()}) == len(boxes)
