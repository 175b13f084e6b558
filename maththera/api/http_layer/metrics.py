"""The Prometheus metrics. Several workers keep their metrics in files of PROMETHEUS_MULTIPROC_DIR, which `serve` sets
before they start, and any worker answers for all."""

import math
import os
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from maththera.executions.worker_metrics import Figures, FlowMetrics
from maththera.llm.model_client import Call
from maththera.store.safety_alerts import NewAlert
from maththera.words.alerts.alert_delivery import Outcome

MULTIPROCESS_DIR: Final = "PROMETHEUS_MULTIPROC_DIR"
_HARD_ENDS: Final = frozenset({"attention", "no_response", "white_out"})
SECONDS: Final = (0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)

TimeHistogram: TypeAlias = Literal["turn_seconds", "http_request_seconds"]


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()

        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"maththera_{name}", what, labels, registry=self.registry)

        def histogram(name: str, what: str, *labels: str) -> Histogram:
            return Histogram(f"maththera_{name}", what, labels, buckets=SECONDS, registry=self.registry)

        self._requests = counter("http_requests", "HTTP requests", "method", "route", "status")
        self._request_seconds = histogram("http_request_seconds", "Time to the end of the answer", "route")
        self._refused = counter("refused_requests", "Requests beyond a limit", "kind")
        self._sessions = counter("sessions", "Sessions begun")
        self._turns = counter("turns", "Turns taken", "pattern", "route")
        self._turn_seconds = histogram("turn_seconds", "Time of a turn without HTTP")
        self._replays = counter("idempotent_replays", "Turns asked for again with the same request_id")
        self._domains = counter("cause_domains", "Causes named", "domain", "source")
        self._degraded = counter("degraded_turns", "Turns taken without the session store")
        self._llm_calls = counter("llm_calls", "LLM calls", "prompt", "outcome")
        self._llm_tokens = counter("llm_tokens", "LLM tokens", "prompt", "direction")
        self._llm_usd = counter("llm_cost_usd", "LLM cost by the price list", "prompt")
        self._llm_unpriced = counter("llm_unpriced_calls", "LLM calls whose cost is unknown", "prompt", "model")
        self._llm_unpriced_tokens = counter(
            "llm_unpriced_tokens", "LLM tokens whose cost is unknown", "prompt", "model", "direction"
        )
        self._llm_price_known = Gauge(
            "maththera_llm_price_known",
            "Whether a configured LLM has a price; 0: what it costs is unknown",
            ["model"],
            registry=self.registry,
            multiprocess_mode="mostrecent",
        )
        self._alerts = counter("safety_alerts", "Safety alerts, without mere signals", "category", "tier")
        self._deliveries = counter("alert_deliveries", "Tries to tell of alerts", "channel", "outcome")
        self._unopened = Gauge(
            "maththera_safety_alerts_unopened",
            "Safety alerts that nobody has opened",
            registry=self.registry,
            multiprocess_mode="mostrecent",
        )
        self.flows = FlowMetrics(self.registry)
        self._reviews = counter("review_alerts", "Entries put into the review queue", "reason")

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, status).inc()
        self._request_seconds.labels(route).observe(seconds)

    def refused(self, kind: str) -> None:
        self._refused.labels(kind).inc()

    def session(self) -> None:
        self._sessions.inc()

    def replayed_turn(self) -> None:
        self._replays.inc()

    def turn(self, body: Mapping[str, Any], seconds: float) -> None:
        """Counts a turn by its answer, as adults see it."""
        diagnosis = body["diagnosis"]
        self._turns.labels(body["response_pattern"] or "none", body["adaptation"]["route"]).inc()
        self._turn_seconds.observe(seconds)
        if diagnosis["cause_tag"]:
            self._domains.labels(diagnosis["cause_domain"], diagnosis["source"]).inc()
        if body["degraded"]:
            self._degraded.inc()
        for reason in _reasons_for_review(body):
            self._reviews.labels(reason).inc()

    def llm(self, call: Call) -> None:
        self._llm_calls.labels(call.prompt, call.outcome).inc()
        if call.outcome == "not_asked":
            return
        self._llm_tokens.labels(call.prompt, "input").inc(call.usage.input_tokens)
        self._llm_tokens.labels(call.prompt, "output").inc(call.usage.output_tokens)
        if call.cost_usd is None:
            self._llm_unpriced.labels(call.prompt, call.model).inc()
            for direction, tokens in (("input", call.usage.input_tokens), ("output", call.usage.output_tokens)):
                self._llm_unpriced_tokens.labels(call.prompt, call.model, direction).inc(tokens)
        else:
            self._llm_usd.labels(call.prompt).inc(call.cost_usd)

    def llm_prices(self, known: Mapping[str, bool]) -> None:
        """Each configured model, and whether it has a price."""
        for model, has_price in known.items():
            self._llm_price_known.labels(model).set(has_price)

    def alert(self, alert: NewAlert) -> None:
        self._alerts.labels(alert.category, alert.tier).inc()

    def delivery(self, channel: str, outcome: Outcome) -> None:
        self._deliveries.labels(channel, outcome).inc()

    def unopened_alerts(self, number: int) -> None:
        self._unopened.set(number)

    def times(self, histogram: TimeHistogram) -> Mapping[float, float]:
        """Upper bound in seconds → how many took at most so long, since this service has begun; all labels together."""
        name, found = f"maththera_{histogram}", dict[float, float]()
        for metric in self._collected().collect():
            for sample in metric.samples if metric.name == name else ():
                if sample.name == f"{name}_bucket":
                    bound = float(sample.labels["le"])
                    found[bound] = found.get(bound, 0.0) + sample.value
        return found

    def _collected(self) -> CollectorRegistry:
        """What all workers of this service have counted."""
        if MULTIPROCESS_DIR not in os.environ:
            return self.registry
        found = CollectorRegistry()
        MultiProcessCollector(found)  # type: ignore[no-untyped-call]
        return found

    def page(self, elsewhere: Figures) -> tuple[bytes, str]:
        """-> (the text of /metrics, its content type). `elsewhere`: metrics of other processes, which are added."""
        shown = CollectorRegistry()
        shown.register(_Sum(self._collected(), self.registry, elsewhere))
        return generate_latest(shown), CONTENT_TYPE_LATEST


class _Sum(Collector):
    """The metrics of `here` plus those of `elsewhere`; `described` lists all metrics."""

    def __init__(self, here: CollectorRegistry, described: CollectorRegistry, elsewhere: Figures) -> None:
        self._here, self._described, self._elsewhere = here, described, elsewhere

    def collect(self) -> Iterator[Metric]:
        found = {metric.name: metric for metric in self._here.collect()}
        for metric in self._described.collect():
            found.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
        rest = dict(self._elsewhere)
        for metric in found.values():
            metric.samples = [
                each._replace(value=each.value + rest.pop((each.name, frozenset(each.labels.items())), 0.0))
                for each in metric.samples
            ]
        for (name, labels), value in sorted(rest.items(), key=_place):
            if own := found.get(name.rpartition("_")[0]):
                own.add_sample(name, dict(labels), value)
        yield from found.values()


def _place(figure: tuple[tuple[str, frozenset[tuple[str, str]]], float]) -> tuple[str, list[tuple[str, str]], float]:
    """The sort key of a sample: buckets of a histogram in the order of their bounds."""
    (name, labels), _ = figure
    own = dict(labels)
    bound = float(own.pop("le", "0"))
    return name, sorted(own.items()), bound


def quantile(times: Mapping[float, float], share: float) -> float | None:
    """The quantile of a histogram of times, in seconds: `share` of them took at most so long. Within a bucket times
    are taken as evenly spread. None without times, and where it lies in the bucket without an upper bound."""
    total = times.get(math.inf, 0.0)
    if not total:
        return None
    low, below, wanted = 0.0, 0.0, share * total
    for bound, count in sorted(times.items()):
        if count >= wanted:
            return None if bound == math.inf else low + (bound - low) * (wanted - below) / (count - below)
        low, below = bound, count
    return None


def _reasons_for_review(body: Mapping[str, Any]) -> Iterator[str]:
    """The reasons why a turn is in the review queue."""
    if body["phase"] == "diagnostic_question" and body["correct"] is False:
        yield "unknown_answer"
    if not body["feedback"]["tone_check_passed"]:
        yield "rejected_text"
    if body["summary"] and body["summary"]["ended_because"] in _HARD_ENDS:
        yield "hard_session"
