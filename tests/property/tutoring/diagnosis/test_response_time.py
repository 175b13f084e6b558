"""Whose time is slow or impulsive: of every problem, before and after the child's own answers."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Problem, make_problem
from maththera.arithmetic.problem_bank import Bank
from maththera.tutoring.content.session_rules import ResponseTimeNumbers, Rules
from maththera.tutoring.diagnosis.response_time import (
    LONGEST_RT_MS,
    TimeNorm,
    own_times,
    time_key,
    time_norm,
    unreliable_because,
)
from maththera.tutoring.state import Event

TIMES = st.lists(st.integers(300, 60_000), min_size=5, max_size=40)
PLACES = st.tuples(st.integers(1, 15), st.integers(0, 10_000))
KINDS = st.sampled_from(["tap", "typed", "widget"])


@pytest.fixture(scope="session")
def numbers(rules: Rules) -> ResponseTimeNumbers:
    return rules.numbers.response_time


def at(bank: Bank, place: tuple[int, int]) -> Problem:
    level = bank.level(place[0])
    return level[place[1] % len(level)]


def norm(
    problem: Problem, numbers: ResponseTimeNumbers, times: list[int], *, kind: str = "typed", **more: Any
) -> TimeNorm:
    known = {"policy": "adaptive", "typing_ms": None, "wrong": True, **more}
    return time_norm(problem, kind, {time_key(problem, kind): times}, numbers, **known)


def test_twelve_seconds_on_8_plus_6_are_slow(numbers: ResponseTimeNumbers) -> None:
    assert norm(make_problem(8, "+", 6), numbers, []).slow(12_000)
    assert not norm(make_problem(739, "-", 12), numbers, []).slow(12_000)


@given(place=PLACES, kind=KINDS, times=TIMES | st.just([]), typing=st.none() | st.integers(0, 5000))
def test_three_and_a_half_seconds_are_never_slow(
    rules: Rules, numbers: ResponseTimeNumbers, place: tuple[int, int], kind: str, times: list[int], typing: int | None
) -> None:
    assert not norm(at(rules.bank, place), numbers, times, kind=kind, typing_ms=typing).slow(3500)


@given(place=PLACES, times=TIMES)
def test_the_childs_usual_time_is_neither_slow_nor_impulsive(
    rules: Rules, numbers: ResponseTimeNumbers, place: tuple[int, int], times: list[int]
) -> None:
    own = norm(at(rules.bank, place), numbers, times)
    middle = sorted(times)[len(times) // 2]
    assert own.own == len(times)
    assert not own.slow(middle)
    assert not own.impulsive(middle) or middle < numbers.impulsive_ms


@given(place=PLACES, times=TIMES, factor=st.integers(2, 5))
def test_a_child_who_needs_longer_has_more_time(
    rules: Rules, numbers: ResponseTimeNumbers, place: tuple[int, int], times: list[int], factor: int
) -> None:
    problem = at(rules.bank, place)
    quick, steady = norm(problem, numbers, times), norm(problem, numbers, [factor * time for time in times])
    assert steady.slow_ms >= quick.slow_ms
    assert steady.impulsive_ms >= quick.impulsive_ms


@given(place=PLACES, times=TIMES, rt_ms=st.integers(0, 799))
def test_below_the_least_limit_every_answer_is_impulsive(
    rules: Rules, numbers: ResponseTimeNumbers, place: tuple[int, int], times: list[int], rt_ms: int
) -> None:
    problem = at(rules.bank, place)
    assert norm(problem, numbers, times).impulsive(rt_ms)
    assert norm(problem, numbers, times, wrong=False).impulsive_ms == numbers.impulsive_ms


@given(place=PLACES, times=TIMES, typing=st.integers(0, 5000))
def test_fixed_is_the_original_documents_for_everybody(
    rules: Rules, numbers: ResponseTimeNumbers, place: tuple[int, int], times: list[int], typing: int
) -> None:
    fixed = norm(at(rules.bank, place), numbers, times, policy="fixed", typing_ms=typing)
    assert (fixed.slow_ms, fixed.impulsive_ms) == (5000, 800)


@given(place=PLACES, times=st.lists(st.integers(300, 60_000), max_size=4))
def test_before_five_answers_the_level_decides(
    rules: Rules, numbers: ResponseTimeNumbers, place: tuple[int, int], times: list[int]
) -> None:
    problem = at(rules.bank, place)
    assert norm(problem, numbers, times).slow_ms == numbers.norms_ms[problem.c_level]
    assert norm(problem, numbers, times, typing_ms=2000).slow_ms == numbers.norms_ms[problem.c_level] + 2000
    assert norm(problem, numbers, times, typing_ms=2000, kind="tap").slow_ms == numbers.norms_ms[problem.c_level]


@given(seen=st.lists(st.tuples(PLACES, KINDS, st.integers(300, 60_000)), max_size=80))
def test_the_times_of_the_records_are_grouped_in_order_and_bounded(
    rules: Rules, numbers: ResponseTimeNumbers, seen: list[tuple[tuple[int, int], str, int]]
) -> None:
    answers = [(at(rules.bank, place), kind, rt_ms) for place, kind, rt_ms in seen]
    found = own_times(answers, numbers)
    for key, times in found.items():
        assert times == [rt for problem, kind, rt in answers if time_key(problem, kind) == key][-numbers.window :]
    assert found.keys() == {time_key(problem, kind) for problem, kind, _ in answers}


def test_a_carry_another_sign_and_another_input_are_other_kinds() -> None:
    keys = {
        time_key(make_problem(a, op, b), kind)
        for a, op, b in ((23, "+", 14), (28, "+", 15), (28, "-", 15), (52, "-", 38))
        for kind in ("tap", "typed")
    }
    assert len(keys) == 8
    assert time_key(make_problem(100, "-", 98, form="addend"), "typed") not in keys


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"telemetry": {"hidden_ms": 1}}, "hidden"),
        ({"telemetry": {"focus_losses": 1}}, "hidden"),
        ({"telemetry": {"helped": ["aid"]}}, "helped"),
        ({"telemetry": {"reloaded": True}}, "reloaded"),
        ({"telemetry": {"rt_reliable": False}}, "client"),
        ({"input": "voice"}, "voice"),
        ({"rt_ms": LONGEST_RT_MS}, "asleep"),
        ({"input": "typed", "telemetry": {"hidden_ms": 0, "helped": [], "edits": 3, "rt_reliable": True}}, None),
        ({}, None),
        ({"telemetry": None}, None),
    ],
)
def test_why_a_time_says_nothing(sent: dict[str, Any], reason: str | None) -> None:
    assert unreliable_because(cast("Event", {"rt_ms": 3000, **sent})) == reason


def test_without_a_reliable_time_nothing_is_slow_or_impulsive(numbers: ResponseTimeNumbers) -> None:
    own = norm(make_problem(8, "+", 6), numbers, [])
    assert not own.slow(None)
    assert not own.impulsive(None)
