"""Whether a turn shows a chart, and which: `{chart_type, title, data}`.

`data` of bar, line, radar and progress is `{labels, series: [{name, values}], max}`, one value for each label; of a
table `{columns, rows}`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import Any, Final

from maththera.chat.coach.coach_config import CoachConfig
from maththera.chat.coach.learner_facts import operations_in
from maththera.chat.coach.text_templates import day_of
from maththera.chat.state import ToolResult
from maththera.json_types import JsonObject
from maththera.learner_model.unit_scores import points

_SERIES: Final = 3
"""Units that a radar lays over each other: with more, none can be made out."""
_MAX: Final = 100
_IN_TITLES: Final = {"+": "덧셈", "-": "뺄셈", "x": "곱셈", "/": "나눗셈"}
"""Operation → its word in the titles of units."""
CHART: Final = re.compile(r"차트|그래프|도표")
"""What a message calls a chart."""


class Charts:
    """The words and titles of `configs/chat/coach/coach.yaml`."""

    def __init__(self, config: CoachConfig) -> None:
        self._config = config.charts
        self._metrics = [*config.metrics.values()]
        self._drawn: dict[tuple[str, str], Callable[[Mapping[str, JsonObject]], JsonObject | None]] = {
            ("bar", "unit"): self._units,
            ("bar", "problem"): self._problems,
            ("radar", "metric"): self._radar,
            ("line", "time"): self._line,
            ("line", "seconds"): self._seconds,
            ("progress", "unit"): self._progress,
            ("table", "unit"): self._table,
            ("table", "metric"): self._weak_table,
        }

    def wanted(self, message: str, usual: bool) -> bool:
        """Whether the message asks for a chart. `usual`: where it says nothing of one, the intent shows one."""
        if self._config.wanted.search(message):
            return True
        return usual and not self._config.unwanted.search(message)

    def chart(self, message: str, results: Sequence[ToolResult], *, usual: bool) -> JsonObject | None:
        """None if no chart is wanted. Results without what the message asks to see are drawn as they are; of the units,
        those of the operations that it names; where there are no values yet, the frame is drawn for who asks to see."""
        if not self.wanted(message, usual):
            return None
        found = _of_operations(_merged(results), operations_in(message))
        asked = next((topic.drawn for topic in self._config.topics if topic.pattern.search(message)), ("bar", "unit"))
        for kind in dict.fromkeys([asked, *self._config.instead]):
            if (data := self._drawn[kind](found)) is not None:
                return self._titled(kind, data)
        nothing_yet = bool(found) and self._config.wanted.search(message)
        return self._titled(asked, self._frame(asked)) if nothing_yet else None

    def _titled(self, kind: tuple[str, str], data: JsonObject) -> JsonObject:
        return {"chart_type": kind[0], "title": self._config.titles[f"{kind[0]} {kind[1]}"], "data": data}

    def _frame(self, kind: tuple[str, str]) -> JsonObject:
        """A chart with nothing in it yet."""
        if kind[0] == "table":
            return {"columns": [self._config.columns["unit"]], "rows": []}
        return {"labels": self._metrics if kind[0] == "radar" else [], "series": [], "max": _MAX}

    def _units(self, found: Mapping[str, JsonObject]) -> JsonObject | None:
        return self._per_unit(found, "mean")

    def _progress(self, found: Mapping[str, JsonObject]) -> JsonObject | None:
        return self._per_unit(found, "completion")

    def _per_unit(self, found: Mapping[str, JsonObject], what: str) -> JsonObject | None:
        units = found.get("get_user_scores", {}).get("units", {}).values()
        return self._data([one["name"] for one in units], {self._config.columns[what]: [one[what] for one in units]})

    def _problems(self, found: Mapping[str, JsonObject]) -> JsonObject | None:
        problems = found.get("get_user_scores", {}).get("problems", [])
        return self._data(
            [p["expression"] for p in problems], {self._config.columns["mean"]: [p["mean"] for p in problems]}
        )

    def _line(self, found: Mapping[str, JsonObject]) -> JsonObject | None:
        """One point for each day, the oldest first."""
        trend = found.get("get_user_scores", {}).get("trend", [])
        played = found.get("get_recent_activity", {}).get("activities", [])[::-1]
        days: dict[str, list[JsonObject]] = {}
        for session in trend or played:
            if session["answered"]:
                days.setdefault(day_of(session["at"]), []).append(session)
        means = [points(sum(s["right"] for s in day), sum(s["answered"] for s in day)) for day in days.values()]
        return self._data([*days], {self._config.columns["mean"]: means})

    def _seconds(self, found: Mapping[str, JsonObject]) -> JsonObject | None:
        """How long an answer took on each day, the oldest first."""
        days: dict[str, list[int]] = {}
        for one in found.get("get_user_scores", {}).get("facts", {}).get("tries", []):
            if one["seconds"] is not None:
                days.setdefault(day_of(one["day"]), []).append(one["seconds"])
        means = [round(mean(times)) for times in days.values()]
        drawn = self._data([*days], {self._config.columns["seconds"]: means})
        return None if drawn is None else {**drawn, "max": max(means)}

    def _radar(self, found: Mapping[str, JsonObject]) -> JsonObject | None:
        """The weakest units over each other; all units together where none is weak."""
        units = [one for one in _weak_points(found).values() if one["metrics"]]
        shown = [one for one in units if one["weak_metrics"]][:_SERIES] or _together(units, self._config.columns["all"])
        labels = [metric for metric in self._metrics if shown and all(metric in one["metrics"] for one in shown)]
        return self._data(labels, {one["name"]: [one["metrics"][label] for label in labels] for one in shown})

    def _table(self, found: Mapping[str, JsonObject]) -> JsonObject | None:
        units = found.get("get_user_scores", {}).get("units", {}).values()
        shown = ("mean", "best", "answered", "completion")
        rows = [[one["name"], *(self._cell(one[what]) for what in shown)] for one in units]
        return self._rows(("unit", *shown), rows)

    def _weak_table(self, found: Mapping[str, JsonObject]) -> JsonObject | None:
        rows = [
            [unit["name"], one["metric"], one["score"]]
            for unit in _weak_points(found).values()
            for one in unit["weak_metrics"]
        ]
        return self._rows(("unit", "metric", "score"), rows)

    def _cell(self, value: int | None) -> int | str:
        return self._config.columns["none"] if value is None else value

    def _rows(self, columns: Sequence[str], rows: list[list[Any]]) -> JsonObject | None:
        return {"columns": [self._config.columns[one] for one in columns], "rows": rows} if rows else None

    @staticmethod
    def _data(labels: list[str], series: Mapping[str, list[int]]) -> JsonObject | None:
        if not labels:
            return None
        return {"labels": labels, "series": [{"name": n, "values": v} for n, v in series.items()], "max": _MAX}


def _merged(results: Sequence[ToolResult]) -> dict[str, JsonObject]:
    """Tool → what it gave; of several calls, all that they gave, a later one over an earlier."""
    merged: dict[str, JsonObject] = {}
    for result in results:
        if result["error"] is None:
            merged.setdefault(result["tool"], {}).update(result["result"])
    return merged


def _of_operations(found: dict[str, JsonObject], named: Sequence[str]) -> dict[str, JsonObject]:
    """The results with the units of the named operations alone, if there are any."""
    scored = found.get("get_user_scores", {})
    words = [_IN_TITLES[op] for op in named]
    own = {name: one for name, one in scored.get("units", {}).items() if any(word in one["name"] for word in words)}
    return {**found, "get_user_scores": {**scored, "units": own}} if own else found


def _weak_points(found: Mapping[str, JsonObject]) -> dict[str, JsonObject]:
    return {unit: one for unit, one in found.get("get_weak_points", {}).items() if isinstance(one, dict)}


def _together(units: Sequence[JsonObject], name: str) -> list[JsonObject]:
    """All units as one, each weighted by its answers."""
    weights: dict[str, int] = {}
    sums: dict[str, int] = {}
    for unit in units:
        for metric, score in unit["metrics"].items():
            weights[metric] = weights.get(metric, 0) + unit["answered"]
            sums[metric] = sums.get(metric, 0) + score * unit["answered"]
    return (
        [{"name": name, "metrics": {one: round(total / weights[one]) for one, total in sums.items()}}] if sums else []
    )
