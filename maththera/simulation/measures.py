"""From session records to the figures of the table, each with its confidence interval."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from maththera.simulation.estimates import NOTHING, Estimate, bootstrap, macro_f1, ratio, share
from maththera.simulation.simulated_session import SessionRecord
from maththera.tutoring.content.cause_catalogue import Cause

KEYS: Final = (
    "top1_accuracy",
    "top2_accuracy",
    "cse_macro_f1",
    "domain_macro_f1",
    "unknown_precision",
    "wrong_route_rate",
    "probes_per_diagnosis",
    "healthy_false_cause_rate",
    "llm_share",
    "steps_ratio_oracle",
    "steps_ratio_random",
    "turns_per_second",
)
"""The names of the figures, in the order in which `--json` writes them."""

WANTED: Final[Mapping[str, str]] = {
    "top1_accuracy": "≥ 0.85",
    "cse_macro_f1": "≥ 0.85",
    "wrong_route_rate": "≤ 0.05",
    "probes_per_diagnosis": "≤ 1.5",
    "healthy_false_cause_rate": "≤ 0.02",
    "llm_share": "≤ 0.02",
    "unknown_precision": "≥ 0.80",
    "steps_ratio_oracle": "≤ 1.3",
    "steps_ratio_random": "≤ 0.6",
}
"""What the tutor should reach at a slip rate of 0.1."""

NONE: Final = "–"
"""No cause was concluded."""

Measured = dict[str, Estimate]
_MANY_FAILURES: Final = 4


@dataclass(frozen=True, slots=True)
class Classes:
    """Cause tag → its class: the domain, or C, S or E of the cognitive model."""

    causes: Mapping[str, Cause]

    def domain(self, tag: str) -> str:
        return self.causes[tag].domain

    def cse(self, tag: str) -> str:
        return self.causes[tag].axis[0]


def measure(records: Sequence[SessionRecord], causes: Mapping[str, Cause]) -> Measured:
    """The figures of sessions with every malrule known to the tutor."""
    classes = Classes(causes)
    ill = [record for record in records if record.accepts]
    one_cause = [record for record in ill if record.kind == "malrule"]
    shown = [record for record in one_cause if record.shown]
    return {
        "top1_accuracy": share(sum(_first_right(record) for record in one_cause), len(one_cause)),
        "top2_accuracy": share(sum(_second_right(record) for record in one_cause), len(one_cause)),
        "top1_where_shown": share(sum(map(_first_right, shown)), len(shown)),
        "top1_all_defects": share(sum(_first_right(record) for record in ill), len(ill)),
        "top2_all_defects": share(sum(_second_right(record) for record in ill), len(ill)),
        "cse_macro_f1": bootstrap([_pair(record, classes.cse) for record in ill], macro_f1),
        "domain_macro_f1": bootstrap([_pair(record, classes.domain) for record in ill], macro_f1),
        "wrong_route_rate": _per([(record.routed_wrongly, record.routed) for record in ill]),
        "probes_per_diagnosis": _per([(record.probes, record.probed) for record in ill]),
        "probes_deciding": _per([(record.probes_deciding, record.probes) for record in ill]),
        **measure_healthy(records),
        "llm_share": _per([(record.asks, record.turns) for record in records]),
        "turns_until_diagnosed": _turns_until_diagnosed(one_cause),
        "tasks_in_loops": _per([(record.loop_tasks, record.tasks) for record in records]),
        "first_try_right": _per([(record.first_tries_right, record.first_tries) for record in records]),
        "white_outs_per_100_problems": _per([(100 * record.white_outs, record.problems) for record in records]),
        "longest_failure_run": bootstrap([record.longest_failure for record in records], mean),
        "four_failures_in_a_row": share(sum(r.longest_failure >= _MANY_FAILURES for r in records), len(records)),
        "problems_per_session": bootstrap([record.problems for record in records], mean),
        "turns_per_session": bootstrap([record.turns for record in records], mean),
    }


def measure_healthy(records: Sequence[SessionRecord]) -> Measured:
    """The figures of children without a defect: the causes that the tutor named wrongly."""
    healthy = [record for record in records if not record.accepts]
    return {"healthy_false_cause_rate": share(sum(map(_names_cause, healthy)), len(healthy))}


def measure_unknown(records: Sequence[SessionRecord]) -> Measured:
    """The figures of sessions with some malrules held out of the tutor's catalogue; every other child follows one of
    them."""
    said = [record for record in records if record.conclusion == ("UNKNOWN",)]
    outside = [record for record in records if record.held_out]
    inside = [record for record in records if not record.held_out]
    false_cause = sum(_false_cause(record) for record in outside)
    return {
        "unknown_precision": share(sum(record.held_out for record in said), len(said)),
        "unknown_recall": share(sum(record.held_out for record in said), len(outside)),
        "held_out_false_cause_rate": share(false_cause, len(outside)),
        "top1_beside_held_out": share(sum(_first_right(record) for record in inside), len(inside)),
    }


def by_kind(records: Sequence[SessionRecord]) -> dict[str, list[SessionRecord]]:
    """The records of each kind of child, the largest group first."""
    found: dict[str, list[SessionRecord]] = {}
    for record in records:
        found.setdefault(record.kind, []).append(record)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def top1(records: Sequence[SessionRecord]) -> Estimate:
    """The share of children whose first concluded cause is theirs; of healthy ones, the share without any."""
    hits = sum(_first_right(record) if record.accepts else not record.conclusion for record in records)
    return share(hits, len(records))


def confusion(records: Sequence[SessionRecord], causes: Mapping[str, Cause]) -> Counter[tuple[str, str]]:
    """(true domain, concluded domain) → sessions."""
    classes = Classes(causes)
    return Counter(_pair(record, classes.domain) if record.accepts else _healthy(record, classes) for record in records)


def _healthy(record: SessionRecord, classes: Classes) -> tuple[str, str]:
    return "HEALTHY", classes.domain(record.conclusion[0]) if record.conclusion else NONE


def _pair(record: SessionRecord, classify: Callable[[str], str]) -> tuple[str, str]:
    truth = next((tag for tag in record.conclusion if tag in record.accepts), record.accepts[0])
    return classify(truth), classify(record.conclusion[0]) if record.conclusion else NONE


def _first_right(record: SessionRecord) -> bool:
    return bool(record.conclusion) and record.conclusion[0] in record.accepts


def _names_cause(record: SessionRecord) -> bool:
    """Whether a cause was stated at any time, or concluded at the end."""
    return bool(record.stated) or record.conclusion not in ((), ("UNKNOWN",))


def _false_cause(record: SessionRecord) -> bool:
    """Whether a cause was stated that is not the child's."""
    return bool(record.conclusion) and record.conclusion != ("UNKNOWN",) and not _first_right(record)


def _second_right(record: SessionRecord) -> bool:
    return any(tag in record.accepts for tag in record.suspects[:2])


def _per(pairs: Sequence[tuple[int, int]]) -> Estimate:
    return bootstrap(pairs, ratio)


def mean(values: Sequence[int]) -> float:
    """The arithmetic mean of at least one number."""
    return sum(values) / len(values)


def _turns_until_diagnosed(records: Sequence[SessionRecord]) -> Estimate:
    turns = [record.stated_at for record in records if record.stated_at is not None]
    return bootstrap(turns, median) if turns else NOTHING
