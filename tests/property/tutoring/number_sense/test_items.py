"""Every item can be drawn, has one right answer, and shows no more than its picture must."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.korean.numbers import parse_number
from maththera.tutoring.content.training_tasks import answers
from maththera.tutoring.feedback.tone import check
from maththera.tutoring.number_sense.items import COPY, ENUMERATE, SKILLS, Item, ItemError, highest_level, item, item_id

SEEDS = st.integers(0, 1 << 30)
KINDS = st.sampled_from([*SKILLS, ENUMERATE, COPY])
ITEMS = KINDS.flatmap(
    lambda kind: st.builds(item_id, st.just(kind), st.integers(1, highest_level(kind)), SEEDS)
).map(item)  # fmt: skip


def of(kind: str) -> st.SearchStrategy[Item]:
    return st.builds(item_id, st.just(kind), st.integers(1, highest_level(kind)), SEEDS).map(item)


def params(one: Item) -> dict[str, object]:
    return dict(one.widget["params"])


@given(ITEMS)
def test_an_item_is_made_from_its_id_alone_and_its_answer_from_what_is_shown(one: Item) -> None:
    item.cache_clear()
    assert item(one.item_id) == one
    shown = one.widget
    assert len(answers(shown["name"], shown["ask"], shown["params"])) == 1
    assert one.is_right(one.answer)
    assert not one.choices or one.answer in one.choices
    assert json.loads(json.dumps(shown)) == shown


@given(ITEMS)
def test_the_words_keep_the_tone_and_do_not_tell_the_answer(one: Item) -> None:
    assert not check([one.prompt], None, answer=None, revealed=False, mode="quick")
    told = {int(word) for word in "".join(c if c.isdecimal() else " " for c in one.prompt).split()}
    assert one.widget["ask"] == "place" or one.answer not in told


@given(of("N1.subitize"))
def test_one_to_four_dots_are_gone_within_a_second(one: Item) -> None:
    shown = params(one)
    assert 1 <= one.answer <= 4
    assert shown["pattern"] == "scattered"
    assert isinstance(shown["show_ms"], int)
    assert 0 < shown["show_ms"] < 1000


@given(of("N2.structured"))
def test_structured_dots_are_five_to_ten(one: Item) -> None:
    assert 5 <= one.answer <= 10
    assert params(one)["pattern"] in ("fives", "dice", "ten_frame")


@given(of("N3.compare"))
def test_two_sides_differ_and_the_right_one_has_more(one: Item) -> None:
    left, right = params(one)["left"], params(one)["right"]
    assert isinstance(left, int)
    assert isinstance(right, int)
    assert left != right
    assert one.answer == (1 if left > right else 2)


@given(SEEDS, st.integers(1, 3))
def test_dots_are_harder_to_compare_at_each_level(seed: int, level: int) -> None:
    easier, harder = (params(item(item_id("N3.compare", one, seed))) for one in (level, level + 1))

    def ratio(shown: dict[str, object]) -> float:
        sides = [side for name in ("left", "right") if isinstance(side := shown[name], int)]
        return min(sides) / max(sides)

    assert ratio(easier) < ratio(harder)


@given(of("N4.next"))
def test_counting_stays_within_twenty(one: Item) -> None:
    assert 0 <= one.answer <= 20


@given(of("N5.line"), st.integers(0, 1000))
def test_a_place_is_right_within_a_tenth_of_the_line(one: Item, given_place: int) -> None:
    assert 0 < one.answer < one.range
    assert one.is_right(given_place) == (abs(given_place - one.answer) <= one.range / 10)


@given(of("N6.tens_ones"))
def test_tens_and_ones_stay_below_a_hundred(one: Item) -> None:
    shown = params(one)
    if isinstance(words := shown.get("words"), list):
        assert parse_number(words[one.answer - 1]) == shown["number"]
        assert len({*words}) == len(words) > 1
        assert all(10 <= (parse_number(word) or 0) <= 99 for word in words)
    else:
        assert 11 <= one.answer <= 99


@given(SEEDS)
def test_levels_of_a_skill_differ_in_difficulty_around_its_mean(seed: int) -> None:
    for kind in SKILLS:
        hard = [item(item_id(kind, level, seed)).difficulty for level in range(1, highest_level(kind) + 1)]
        assert hard == sorted({*hard})
        assert abs(sum(hard)) < 0.01


@pytest.mark.parametrize("bad", ["N1.subitize", "N1.subitize:4:1", "N1.subitize:0:1", "N9.more:1:1", "N4.next:1:x", ""])
def test_what_is_no_item_is_refused(bad: str) -> None:
    with pytest.raises(ItemError, match="there is no item"):
        item(bad)
