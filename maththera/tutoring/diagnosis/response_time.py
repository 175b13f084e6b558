"""How fast an answer was: slow, impulsive or neither, by the norm of this child. The only place that judges time.

`fixed` is the original document's 5 s and 0.8 s for everybody. `adaptive`: before the child's own answers a norm by
level, plus what typing alone takes this child where the answer was typed; from then on twice the child's own median of
such problems is slow. Wrong and below a share of that median is impulsive: the normative threshold of rapid guessing
(Wise and Ma, 2012), never less than the fixed 0.8 s.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from maththera.arithmetic.curriculum import LOWEST_C
from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import ResponseTimeNumbers
from maththera.tutoring.state import Event

LONGEST_RT_MS: Final = 600_000
"""After ten minutes nobody has been thinking: the tablet slept."""


@dataclass(frozen=True, slots=True)
class TimeNorm:
    """The norm of an answer in milliseconds; `key` names the kind of problem whose times belong together, `own` how
    many of the child's own times it rests on."""

    policy: str
    key: str
    slow_ms: int
    impulsive_ms: int
    own: int

    def slow(self, rt_ms: int | None) -> bool:
        """Without a reliable time nothing is slow."""
        return rt_ms is not None and rt_ms > self.slow_ms

    def impulsive(self, rt_ms: int | None) -> bool:
        """Without a reliable time nothing is impulsive."""
        return rt_ms is not None and rt_ms < self.impulsive_ms


def unreliable_because(event: Event) -> str | None:
    """Why the time of this answer says nothing about the child's thinking, or None where it does."""
    telemetry: Mapping[str, Any] = event.get("telemetry") or {}
    reasons = {
        "voice": event.get("input") == "voice",
        "hidden": bool(telemetry.get("hidden_ms") or telemetry.get("focus_losses")),
        "helped": bool(telemetry.get("helped")),
        "reloaded": bool(telemetry.get("reloaded")),
        "client": telemetry.get("rt_reliable") is False,
        "asleep": event["rt_ms"] >= LONGEST_RT_MS,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def time_key(problem: Problem, input_kind: str) -> str:
    """The problems whose times are compared: those of one C, operation and form, with a carry or without, put in the
    same way."""
    form = "" if problem.form == "result" else f":{problem.form}"
    return f"{problem.c_level}{problem.op}{'carry' if problem.carries else ''}{form}:{input_kind}"


def time_norm(  # noqa: PLR0913 - whose time it is, and of which answer
    problem: Problem,
    input_kind: str,
    own_times: Mapping[str, list[int]],
    numbers: ResponseTimeNumbers,
    *,
    policy: str,
    typing_ms: int | None,
    wrong: bool,
) -> TimeNorm:
    """The norm for one answer. `own_times`: the child's reliable times by `time_key`, `typing_ms`: what typing alone
    takes it."""
    key = time_key(problem, input_kind)
    if policy == "fixed":
        return TimeNorm(policy, key, numbers.slow_ms, numbers.impulsive_ms, 0)
    own = own_times.get(key, [])
    if len(own) < numbers.own_after:
        typing = typing_ms if typing_ms is not None and input_kind == "typed" else 0
        return TimeNorm(policy, key, numbers.norms_ms[problem.c_level] + typing, numbers.impulsive_ms, 0)
    middle = median(own)
    slow = max(numbers.never_slow_ms, round(numbers.slow_factor * middle))
    # A right answer was thought out, however fast it is for this child.
    impulsive = max(numbers.impulsive_ms, round(numbers.impulsive_factor * middle)) if wrong else numbers.impulsive_ms
    return TimeNorm(policy, key, slow, impulsive, len(own))


def item_norm(skill_id: str | None, numbers: ResponseTimeNumbers) -> TimeNorm:
    """The norm for an item of number sense: for all children that of the lowest level."""
    return TimeNorm("item", skill_id or "item", numbers.norms_ms[LOWEST_C], numbers.impulsive_ms, 0)


def with_time(own_times: Mapping[str, list[int]], key: str, rt_ms: int, window: int) -> dict[str, list[int]]:
    """The child's times with one more; of each kind the last `window` are kept."""
    return {**own_times, key: [*own_times.get(key, []), rt_ms][-window:]}


def own_times(answers: Iterable[tuple[Problem, str, int]], numbers: ResponseTimeNumbers) -> dict[str, list[int]]:
    """The child's times by `time_key` from its records: problem, input kind and milliseconds, the oldest first."""
    found: dict[str, list[int]] = {}
    for problem, input_kind, rt_ms in answers:
        found = with_time(found, time_key(problem, input_kind), rt_ms, numbers.window)
    return found
