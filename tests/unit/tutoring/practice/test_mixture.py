"""What ordinary practice asks next: the border, what is due, and what is secure, in their order."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.tutoring.practice.mixture import Choice, Practised, choices, secure_choices
from tests.support.known_skills import DUE, MISSED, SHOWN, KnownSkill, all_below, border, ladder

FRESH = Practised(asked={}, sources={}, tries=[], misses=0, last=None, again=(), turn=0)
KNOWN = all_below(8) | {"C3.sums": DUE, "C8.tens": MISSED}


def first(known: dict[str, KnownSkill] = KNOWN, strand: Any = "+", **practised: Any) -> tuple[str, str]:
    return next(choices(border(known), replace(FRESH, **practised), strand))


LIKELY = KNOWN | {"C8.tens": replace(MISSED, chance=0.7)}


def test_the_border_comes_first_and_then_what_was_asked_least() -> None:
    assert first(LIKELY) == ("border", "C8.tens")
    assert first(LIKELY, sources={"border": 1}) == ("review", "C3.sums")
    assert first(LIKELY, sources={"border": 1, "review": 1})[0] == "secure"
    assert first(LIKELY, sources={"border": 2, "review": 1, "secure": 1}) == ("review", "C3.sums")


def test_what_would_be_too_much_comes_last() -> None:
    assert first() == ("review", "C3.sums")
    assert first(tries=[1] * 5) == ("border", "C8.tens")
    assert first(tries=[1, 1, 1, 1, 0, 0])[0] == "secure"
    assert first(tries=[0] * 5)[0] == "secure"


def test_too_many_right_ones_ask_for_the_border() -> None:
    assert first(tries=[1] * 9, sources={"border": 5})[0] == "border"
    assert first(LIKELY, tries=[1, 1, 1, 1, 1, 1, 1, 0, 0], sources={"border": 1})[0] == "review"


def test_what_is_no_longer_likely_is_learnt_again_and_not_reviewed() -> None:
    slipping = replace(DUE, chance=0.5, word="slipping")
    assert Choice("review", "C3.sums") in choices(border(KNOWN), FRESH, "+")
    assert Choice("review", "C3.sums") not in choices(border(KNOWN | {"C3.sums": slipping}), FRESH, "+")
    assert Choice("review", "C8.tens") not in choices(border(KNOWN), replace(FRESH, again=["C8.tens"]), "+")


def test_after_two_misses_something_works_that_is_another_skill() -> None:
    source, skill_id = first(misses=2, last="C7.nine", tries=[1] * 12)
    assert source == "secure"
    assert skill_id != "C7.nine"


def test_a_part_without_skills_gives_way_to_the_next() -> None:
    assert first({"C1.plus1": SHOWN}, sources={"border": 1, "secure": 0, "review": 0})[0] == "secure"
    assert first({}, sources={"border": 9})[0] == "border"


def test_the_session_works_on_two_border_skills_the_begun_ones_first() -> None:
    known = all_below(10) | {"C9.minus_8_9": replace(MISSED, last_day=5), "C8.tens": MISSED}
    found = [one.skill_id for one in choices(border(known), FRESH, "-") if one.source == "border"]
    assert found == ["C8.tens", "C9.minus_8_9"]
    fresh = [one.skill_id for one in choices(border(all_below(8)), FRESH, "+") if one.source == "border"]
    assert fresh == ["C8.tens"]
    assert first(known, "-", asked={"C8.tens": 1}, tries=[1] * 6) == ("border", "C9.minus_8_9")


def test_other_numbers_of_what_was_solved_together_come_before_other_reviews() -> None:
    assert first(again=["C7.nine"], sources={"border": 1}) == ("review", "C7.nine")
    assert first(again=["C7.nine"], asked={"C7.nine": 1}, sources={"border": 1}) == ("review", "C3.sums")


def test_at_the_top_operations_take_turns() -> None:
    asked: dict[str, int] = {}
    operations: list[str] = []
    for turn in range(12):
        source, skill_id = first(all_below(99), "x", asked=asked, turn=turn)
        assert source == "secure"
        asked = asked | {skill_id: asked.get(skill_id, 0) + 1}
        operations.append(ladder().skills[skill_id].strand)
    assert {operations.count(strand) for strand in "+-x/"} == {3}


def test_where_nothing_is_secure_the_likeliest_comes() -> None:
    known = {"C2.join": KnownSkill(chance=0.7, tries=1, right=1), "C1.plus1": KnownSkill(chance=0.75, tries=1, right=1)}
    assert next(secure_choices(border(known), FRESH)).skill_id == "C1.plus1"
    assert next(secure_choices(border(known), replace(FRESH, last="C1.plus1"))).skill_id == "C2.join"


SKILL = st.sampled_from(sorted(ladder().problems))
KNOWLEDGE = st.dictionaries(SKILL, st.sampled_from([SHOWN, DUE, MISSED, KnownSkill(chance=0.9, tries=2, right=2)]))


@given(
    known=KNOWLEDGE,
    strand=st.sampled_from("+-x/"),
    asked=st.dictionaries(SKILL, st.integers(1, 9)),
    tries=st.lists(st.integers(0, 1), max_size=12),
    misses=st.integers(0, 3),
    turn=st.integers(0, 1 << 30),
)
def test_there_is_always_something_to_ask_and_only_what_the_bank_has(
    known: dict[str, KnownSkill], strand: Any, asked: dict[str, int], tries: list[int], misses: int, turn: int
) -> None:
    practised = replace(FRESH, asked=asked, tries=tries, misses=misses, turn=turn)
    found = [*choices(border(known), practised, strand)]
    assert {one.skill_id for one in found} <= ladder().problems.keys()
    assert len({one.skill_id for one in found if one.source == "border"}) <= 2
    assert next(secure_choices(border(known), practised)).skill_id in ladder().problems
    assert found == [*choices(border(known), practised, strand)]


@pytest.mark.parametrize("strand", "+-x/")
def test_only_who_knows_all_needed_has_no_border(strand: Any) -> None:
    assert [one for one in choices(border(), FRESH, strand) if one.source == "border"]
    assert not [one for one in choices(border(all_below(99)), FRESH, strand) if one.source == "border"]
