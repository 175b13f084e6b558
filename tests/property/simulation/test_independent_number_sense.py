"""What simulated children make of the items of number sense, and what a screening finds of them."""

from random import Random
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.simulation.independent.number_sense import Senses, perceive, senses
from maththera.simulation.independent.population import draw
from maththera.tutoring.number_sense.items import COPY, SKILLS, highest_level, item, item_id
from maththera.tutoring.number_sense.screening_profile import profile, screening_items

KEEN = Senses(at_once=4, glance_ms=50, count_ms=300, blur=0.001, line=0.001, counts=1.0, reads=1.0)
SEEDS = st.integers(0, 1 << 30)


def chance_of(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - a drawn child, not a secret


@given(kind=st.sampled_from([*SKILLS, COPY]), seed=SEEDS, level=st.integers(1, 6))
def test_a_keen_child_reads_every_item_as_it_is_meant(kind: str, seed: int, level: int) -> None:
    one = item(item_id(kind, min(level, highest_level(kind)), seed))
    answer, ms, why = perceive(one.widget, KEEN, chance_of(seed))
    assert why == "slip" or one.is_right(answer)
    assert ms > 0


@given(index=st.integers(0, 3000), kind=st.sampled_from(SKILLS), seed=SEEDS)
def test_every_child_answers_every_item_and_learns_of_it(index: int, kind: str, seed: int) -> None:
    child, one = draw(3, index), item(item_id(kind, 1, seed))
    task = {"kind": "widget", "prompt": one.prompt, "choices": list(one.choices), "widget": one.widget}
    before = (child.senses.counts, child.senses.reads, -child.senses.line)
    reply = child.respond(task)
    child.learn(task, right=True)
    after = (child.senses.counts, child.senses.reads, -child.senses.line)
    assert reply.answer is not None
    assert reply.rt_ms > 0
    assert all(now >= then for then, now in zip(before, after, strict=True))


@pytest.mark.parametrize(("at_once", "count_ms"), [(3, 700), (4, 400)])
def test_a_screening_finds_the_senses_of_a_child(at_once: int, count_ms: float) -> None:
    """Single ones scatter; the middle of sixty is the child's own."""
    own = Senses(at_once, 80, count_ms, 0.2, 0.1, 0.9, 0.9)
    found = []
    for seed in range(60):
        chance = chance_of(seed)
        answers = []
        for item_id_ in screening_items(seed):
            answer, ms, _ = perceive(item(item_id_).widget, own, chance)
            answers.append((item_id_, answer, round(ms * chance.lognormvariate(0, 0.1))))
        found.append(profile(answers))
    ranges = [one["enumeration"]["subitizing_range"] or 0 for one in found]
    slopes = [one["enumeration"]["counting_ms_per_dot"] or 0 for one in found]
    assert abs(median(ranges) - at_once) <= 1
    assert abs(median(slopes) - count_ms) < 0.2 * count_ms
    errors = [line["error_percent"] or 0 for one in found for line in one["line"] if line["high"] == 100]
    assert 6 < median(errors) < 10  # a normal error of a tenth of the line is 8 % off in the mean
    dots = {one["ratio"]: 0 for one in found[0]["comparison"] if one["shown"] == "dots"}
    for each in (one for screening in found for one in screening["comparison"] if one["shown"] == "dots"):
        dots[each["ratio"]] += each["right"]
    assert dots["1:2"] > dots["2:3"] > dots["5:6"]


@given(months=st.floats(0, 60), seed=SEEDS)
def test_older_children_are_no_worse_in_the_mean(months: float, seed: int) -> None:
    young, old = (senses(month, 1.0, chance_of(seed)) for month in (months, months + 12))
    assert old.count_ms <= young.count_ms
    assert old.line <= young.line
    assert old.counts >= young.counts
