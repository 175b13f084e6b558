"""Whatever numbers a training draws: its items can be drawn, have one right answer, and every step of them is true."""

import re
from itertools import count, islice
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.arithmetic.problem import Problem
from maththera.settings import home
from maththera.tutoring.content.training_patterns import Item
from maththera.tutoring.content.training_tasks import answers
from maththera.tutoring.content.trainings import LEAST_ITEMS, TrainingPlan, load_trainings
from maththera.tutoring.feedback import tone
from tests.support.tutoring import rules

_CONFIGS: Final = home() / "configs" / "tutoring"
PLANS: Final = load_trainings(_CONFIGS / "trainings.yaml", _CONFIGS / "drawings.yaml")
RULES: Final = rules()
PROBLEMS: Final = [problem for problem in RULES.bank if problem.layout == "horizontal"]
ITEMS: Final = 200
SUM: Final = re.compile(r"(\d+)([+−×÷])(\d+)[은는] (?:몇일까|얼마야)\?")
PARTS: Final = re.compile(r"(\d+)[은는] (\d+)[과와] 몇일까\?")
TO_FILL: Final = re.compile(r"(\d+)[이가] (\d+) 되려면\?")
PARTICLES: Final = re.compile(r"(\d)(은|는|이|가|을|를|과|와)(?= )")
AFTER_CONSONANT: Final = "은이을과"

plans = pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS.keys())


def widget_of(plan: TrainingPlan, item: Item) -> str:
    return item.widget or plan.training([item.id]).widget


def generated(plan: TrainingPlan) -> list[Item]:
    """As many different items as there are, at most 200, of both representations and every level."""
    found: dict[str, Item] = {}
    for seed in islice(count(), ITEMS):
        ids = plan.draw(earlier=seed % 2, seed=seed, level=1 + seed % 15, limit=None)
        found |= {one: plan.item(one) for one in ids}
        if len(found) >= ITEMS:
            break
    return list(found.values())


def drawable(widget: str, ask: str, params: dict[str, Any]) -> bool:
    """Whether the page and the terminal have room for it."""
    match widget:
        case "dot_flash":
            return 1 <= params["dots"] <= (6 if params["pattern"] == "dice" else 10)
        case "compare":
            return max(params["left"], params["right"]) <= (99 if params["shown"] == "numbers" else 10)
        case "number_line" if ask == "jump":
            return params["high"] <= 100 and len(params["jumps"]) <= 9
        case "ten_frame" if ask in ("total", "left"):
            return params["filled"] + params.get("add", 0) <= 20
        case "array" if ask not in ("split", "share"):
            return max(params.get("rows", 2), params["columns"]) <= 10
        case "array" if ask == "share":
            return params["rows"] <= 10 and params["total"] <= 60
        case "coin" if ask == "exchange":
            return params["small"] <= 19 and params["large"] <= 9
        case "base_ten" if ask == "group":
            return bool(params["ones"] <= 69)
    return True


@plans
def test_two_hundred_items_can_be_drawn_and_have_one_right_answer(plan: TrainingPlan) -> None:
    items = generated(plan)
    assert len(items) >= LEAST_ITEMS
    for item in items:
        widget = widget_of(plan, item)
        assert drawable(widget, item.ask, dict(item.params)), item
        assert tuple(step.answer for step in item.steps) == answers(widget, item.ask, item.params), item
        for step in item.steps:
            assert step.choices is None or step.choices.count(step.answer) == 1, item


@plans
def test_every_sentence_is_true_and_its_particles_fit(plan: TrainingPlan) -> None:
    for item in generated(plan):
        for step in item.steps:
            said = " ".join(step.prompt)
            if found := SUM.search(said):
                a, sign, b = int(found[1]), found[2], int(found[3])
                assert step.answer == {"+": a + b, "−": a - b, "×": a * b, "÷": a / (b or 1)}[sign], item
            if found := PARTS.search(said):
                assert step.answer == int(found[1]) - int(found[2]), item
            if found := TO_FILL.search(said):
                assert step.answer == int(found[2]) - int(found[1]), item
            for digit, particle in PARTICLES.findall(f"{said} {item.hint or ''}"):
                assert (digit in "013678") == (particle in AFTER_CONSONANT), (said, item.hint)


@pytest.mark.slow
@plans
def test_all_that_a_child_reads_keeps_the_tone_guide(plan: TrainingPlan) -> None:
    said: set[tuple[tuple[str, ...], str | None, int | None]] = set()
    for item in generated(plan):
        for step in item.steps:
            said.add((step.prompt, item.hint, step.answer if isinstance(step.answer, int) else None))
    for one in plan.representations:
        prompts = one.prompts
        said |= {(lines, None, None) for lines in (prompts.intro, prompts.done, *prompts.right, *prompts.again)}
    broken = [
        (lines, found)
        for lines, hint, answer in said
        if (found := tone.check(lines, hint, answer=answer, revealed=answer is None))
    ]
    assert broken == []


@given(
    plan=st.sampled_from(list(PLANS.values())),
    seed=st.integers(0, 2**31),
    earlier=st.integers(0, 5),
    level=st.integers(0, 15),
    limit=st.none() | st.integers(2, 999),
)
def test_a_draw_can_be_repeated_and_is_never_harder_than_what_failed(
    plan: TrainingPlan, seed: int, earlier: int, level: int, limit: int | None
) -> None:
    ids = plan.draw(earlier=earlier, seed=seed, level=level, limit=limit)
    assert ids == plan.draw(earlier=earlier, seed=seed, level=level, limit=limit)
    assert len(set(ids)) == len(ids)
    items = plan.training(ids).items if ids else ()
    assert [item.id for item in items] == ids
    if limit is not None:
        assert all(item.largest <= limit for item in items)
    else:
        assert len(ids) >= LEAST_ITEMS
        assert plan.training(ids).widget == plan.representations[earlier % len(plan.representations)].widget
    smallest = plan.training(plan.smallest(earlier=earlier, seed=seed, level=level)).items
    assert len(smallest) >= LEAST_ITEMS
    if not ids and limit is not None:
        assert min(item.largest for item in smallest) > limit


SMALLEST: Final = 20
"""Up to here a problem may be smaller than all items of a cause's trainings: 1+1, 14−1."""


@settings(max_examples=15)
@given(problem=st.sampled_from(PROBLEMS), seed=st.integers(0, 2**31), earlier=st.integers(0, 3))
def test_a_cause_has_a_training_for_every_problem_in_which_it_shows(problem: Problem, seed: int, earlier: int) -> None:
    """With items no larger than the problem, and never any that are."""
    limit = max(problem.a, problem.b, problem.answer)
    for name in wrong_answers(problem):
        for cause in CATALOGUE[name].causes:
            plans = [RULES.catalogue.trainings[one] for one in RULES.catalogue.causes[cause.tag].trainings]
            drawn = [plan.draw(earlier=earlier, seed=seed, level=problem.c_level, limit=limit) for plan in plans]
            assert any(drawn) or limit <= SMALLEST, (problem.expression, cause.tag)
            sizes = [plan.item(one).largest for plan, ids in zip(plans, drawn, strict=True) for one in ids]
            assert all(size <= limit for size in sizes), (problem.expression, cause.tag)


@given(plan=st.sampled_from(list(PLANS.values())), seed=st.integers(0, 2**31), limit=st.none() | st.integers(20, 200))
def test_the_second_time_brings_other_items(plan: TrainingPlan, seed: int, limit: int | None) -> None:
    first, second = (plan.draw(earlier=earlier, seed=seed, level=8, limit=limit) for earlier in (0, 1))
    if plan.other is not None:
        assert set(first).isdisjoint(second)
    elif limit is None:
        assert first != second
