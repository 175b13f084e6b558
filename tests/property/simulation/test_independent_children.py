"""Children who share nothing with the tutor: what they read, answer, learn and forget."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.simulation.independent.abilities import MONTH, needed
from maththera.simulation.independent.child import LONGEST_MS, SHORTEST_MS, Child
from maththera.simulation.independent.memory import Memory
from maththera.simulation.independent.population import DEFECT, KINDS, KNOWS_ALL, draw
from maththera.simulation.independent.procedures import PROCEDURES
from maththera.simulation.independent.sums import Sum, read
from tests.support.tutoring import rules

indices = st.integers(0, 5000)
places = st.deferred(lambda: st.integers(1, len(rules().bank)))


def task(prompt: str, **changes: Any) -> Mapping[str, Any]:
    return {"kind": "problem", "prompt": prompt, "choices": [], "visual_mode": "none", **changes}


def prompt_of(place: int) -> str:
    return rules().bank[f"P-{place:05}"].prompt


def test_every_prompt_of_the_bank_is_read_as_it_is_meant() -> None:
    for problem in rules().bank:
        one = read(problem.prompt)
        assert one is not None, problem.prompt
        assert one.answer == problem.answer, problem.prompt
        assert needed(one), problem.prompt
        assert set(needed(one)) <= set(MONTH), problem.prompt


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("28 + 15 = □", Sum(28, "+", 15)),
        ("3+□=7", Sum(7, "-", 3, part=True)),
        ("□+3=7", Sum(7, "-", 3, part=True)),
        ("6×□=42", Sum(42, "/", 6, part=True)),
        ("80은 10이 □개", Sum(80, "/", 10, part=True)),
        ("20+8+10=□", Sum(28, "+", 10)),
        ("점은 몇 개일까?", None),
        ("3−8=□", None),
    ],
)
def test_it_reads_what_a_client_shows(text: str, one: Sum | None) -> None:
    assert read(text) == one


@given(index=indices, place=places)
def test_an_answer_is_what_its_reason_says(index: int, place: int) -> None:
    child, one = draw(3, index), read(prompt_of(place))
    assert one is not None
    reply = child.respond(task(prompt_of(place)))
    assert SHORTEST_MS <= reply.rt_ms <= LONGEST_MS
    if reply.answer is None:
        assert reply.why == "gives up"
        return
    assert reply.answer >= 0
    assert (reply.answer == one.answer) == (reply.why in ("right", "guess"))
    if reply.why == "procedure":
        assert child.procedure is not None
        assert reply.answer == child.procedure.answer(one)


@given(index=indices, place=places, wrong=st.lists(st.integers(1, 30), min_size=3, max_size=3, unique=True))
def test_a_child_who_taps_takes_what_is_offered(index: int, place: int, wrong: list[int]) -> None:
    one = read(prompt_of(place))
    assert one is not None
    choices = sorted([one.answer, *(one.answer + more for more in wrong)])
    reply = draw(3, index, taps=True).respond(task(prompt_of(place), choices=choices))
    assert reply.answer is None or reply.answer in choices


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_right_as_often_as_its_success_says(kind: str) -> None:
    child, problems = draw(5, 8, kind=kind), range(1, 15_054, 10)
    right, expected = 0, 0.0
    for place in problems:
        child.sits_down(0)
        one = read(prompt_of(place))
        assert one is not None
        right += child.respond(task(prompt_of(place))).answer == one.answer
        expected += child.success(one)
    assert right == pytest.approx(expected, abs=60)


@given(index=indices, days=st.lists(st.floats(0, 200), min_size=2, max_size=6))
def test_without_practice_nothing_comes_back(index: int, days: list[float]) -> None:
    child = draw(3, index)
    strengths = []
    for day in sorted(days):
        child.sits_down(day)
        strengths.append([child.can(ability) for ability in MONTH])
    for earlier, later in pairwise(strengths):
        assert all(b <= a + 1e-9 for a, b in zip(earlier, later, strict=True))
    assert all(0 <= value <= 1 for value in strengths[0])


@given(index=indices, place=places, right=st.booleans(), day=st.floats(0, 60))
def test_practice_takes_no_ability_away_and_strengthens_no_procedure(
    index: int, place: int, right: bool, day: float
) -> None:
    child = draw(3, index)
    child.sits_down(day)
    before, hold = {ability: child.can(ability) for ability in MONTH}, child.hold
    child.learn(task(prompt_of(place)), right=right)
    assert all(child.can(ability) >= value - 1e-9 for ability, value in before.items())
    assert 0 <= child.hold <= hold


def test_an_example_teaches_more_than_an_answer_and_only_on_its_footing() -> None:
    def after(kind: str, footing: float) -> float:
        child = draw(1, 1, kind=KNOWS_ALL)
        child.knows["a ten handed on"] = Memory(0.1, 0.1, 10)
        child.knows["past ten"] = Memory(footing, footing, 10)
        child.learn(task("48+45=□", kind=kind, problem={"expression": "48+45"}), right=True)
        return child.can("a ten handed on")

    assert after("worked_example", 0.95) > after("problem", 0.95) > 0.1
    assert after("worked_example", 0.2) == 0.1


def test_a_training_teaches_what_its_items_ask_for() -> None:
    child = draw(1, 1, kind=KNOWS_ALL)
    child.knows["past ten"] = Memory(0.2, 0.2, 10)
    items = [{"steps": [{"prompt": ["6+8은 얼마야?"]}]}, {"steps": [{"prompt": ["7과 5를 더하면?"]}]}]
    child.learn({"kind": "training", "training": {"items": items}}, right=True)
    assert child.can("past ten") > 0.2


def test_success_after_a_night_lasts_longer() -> None:
    def left(days: list[float]) -> float:
        memory = Memory(0.8, 0.1, 10)
        for day in days:
            memory.practised(day, 0.1, right=True)
        return memory.half_life

    assert left([0, 0.1]) == 10
    assert left([0, 3]) > 10


@given(name=st.sampled_from(sorted(PROCEDURES)), place=places)
def test_a_procedure_never_gives_the_right_answer(name: str, place: int) -> None:
    one = read(prompt_of(place))
    assert one is not None
    assert PROCEDURES[name].answer(one) != one.answer


@given(index=indices)
def test_a_single_defect_sits_on_what_was_taught(index: int) -> None:
    child = draw(7, index, kind=DEFECT)
    procedure = child.procedure
    assert procedure is not None
    spoilt = [one for problem in list(rules().bank)[::40] if (one := read(problem.prompt)) and procedure.answer(one)]
    known = [one for one in spoilt if all(child.can(ability) > 0.9 for ability in needed(one))]
    assert all(child.success(one) < 0.5 for one in known)


def test_the_same_seed_makes_the_same_child() -> None:
    def answers(child: Child) -> list[object]:
        return [child.respond(task(prompt_of(place))) for place in range(1, 400, 7)]

    assert answers(draw(11, 42)) == answers(draw(11, 42))
    assert answers(draw(11, 42)) != answers(draw(11, 43))


def test_a_tired_child_slips_more() -> None:
    def wrong(tasks_before: int) -> int:
        child = draw(2, 2, kind="healthy")
        for ability in MONTH:
            child.knows[ability] = Memory(1.0, 1.0, 100)
        missed = 0
        for _ in range(400):
            child.sits_down(0)
            for _ in range(tasks_before):
                child.respond(task("?"))
            missed += child.respond(task("47+38=□")).answer != 85
        return missed

    assert wrong(60) > wrong(0)
