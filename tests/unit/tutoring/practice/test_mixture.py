"""What ordinary practice asks next: the border, what is due, and what is secure, in their order."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.tutoring.practice.mixture import Choice, Practised, choices, secure_choices
from tests.support.known_skills import DUE, EXPECTED, MISSED, SHOWN, KnownSkill, all_below, border, ladder

FRESH = Practised(asked={}, sources={}, tries=[], missed=(), last=None, again=(), exampled=(), today=21, turn=0)
KNOWN = all_below(8) | {"C3.sums": DUE, "C8.tens": MISSED}


def first(known: dict[str, KnownSkill] = KNOWN, strand: Any = "+", **practised: Any) -> tuple[str, str]:
    return next(choices(border(known), replace(FRESH, **practised), strand))


LIKELY = KNOWN | {"C8.tens": replace(MISSED, chance=0.7)}


def test_the_border_comes_first_and_then_what_was_asked_least() -> None:
    assert first(LIKELY) == ("border", "C8.tens")
    assert first(LIKELY, sources={"border": 1}) == ("review", "C3.sums")
    assert first(LIKELY, sources={"border": 1, "review": 1})[0] == "secure"
    assert first(LIKELY, sources={"border": 1, "review": 1, "secure": 1}) == ("border", "C8.tens")
    assert first(LIKELY, sources={"border": 3, "review": 1, "secure": 1}) == ("review", "C3.sums")


def test_half_of_what_is_asked_is_being_learnt() -> None:
    sources: dict[str, int] = {}
    for _ in range(12):
        source, _skill_id = first(LIKELY, sources=sources, tries=[1, 1, 1, 0, 1, 1, 1, 0, 1])
        sources = sources | {source: sources.get(source, 0) + 1}
    assert sources == {"border": 6, "review": 3, "secure": 3}


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
    source, skill_id = first(missed=["-", "-"], last="C7.nine", tries=[1] * 12)
    assert source == "secure"
    assert skill_id != "C7.nine"


def test_a_part_without_skills_gives_way_to_the_next() -> None:
    assert first({"C1.plus1": SHOWN}, sources={"border": 1, "secure": 0, "review": 0})[0] == "secure"
    assert first({}, sources={"border": 9})[0] == "border"


def test_the_session_is_about_the_lowest_begun_and_has_its_strands_first_and_another_begun_beside_it() -> None:
    days = {"C9.minus_8_9": 7, "C11.plain": 9, "C6.from_ten": 5}
    known = all_below(10) | {skill_id: replace(MISSED, last_day=day) for skill_id, day in days.items()}
    found = [one.skill_id for one in choices(border(known), FRESH, "x") if one.source == "border"]
    assert found == ["C6.from_ten", "C13.times_1", "C11.plain"]
    fresh = [one.skill_id for one in choices(border(all_below(8)), replace(FRESH, today=0), "+")
             if one.source == "border"]  # fmt: skip
    assert fresh == ["C8.tens"]
    for asked, wanted in ((1, "C13.times_1"), (2, "C11.plain"), (3, "C6.from_ten")):
        others = dict.fromkeys(("C13.times_1", "C11.plain")[: asked - 1], 1)
        assert first(known, "x", asked={"C6.from_ten": 1} | others, tries=[1] * 6) == ("border", wanted)
    all_once = {"C6.from_ten": 2, "C13.times_1": 1, "C11.plain": 1}
    assert first(known, "x", asked=all_once, tries=[1] * 6) == ("border", "C6.from_ten")


def test_a_strand_of_which_nothing_was_asked_for_days_has_a_place_at_the_border() -> None:
    known = all_below(13, replace(SHOWN, last_day=20)) | {"C9.minus_8_9": MISSED}
    found = [one.skill_id for one in choices(border(known), FRESH, "+") if one.source == "border"]
    assert found == ["C9.minus_8_9", "C13.times_1", "C14.one_itself"]


def test_what_will_be_shown_first_is_not_too_much() -> None:
    low = KNOWN | {"C8.tens": replace(MISSED, missed=False)}
    tries = [1, 1, 1, 1, 0]
    assert first(low, tries=tries) == ("review", "C3.sums")
    assert first(low, tries=tries, exampled=["C8.tens"]) == ("border", "C8.tens")
    assert first(tries=tries) == ("border", "C8.tens")


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
    missed=st.lists(st.sampled_from("+-x/N"), max_size=8),
    turn=st.integers(0, 1 << 30),
)
def test_there_is_always_something_to_ask_and_only_what_the_bank_has(
    known: dict[str, KnownSkill], strand: Any, asked: dict[str, int], tries: list[int], missed: list[str], turn: int
) -> None:
    practised = replace(FRESH, asked=asked, tries=tries, missed=missed, turn=turn)
    found = [*choices(border(known), practised, strand)]
    assert {one.skill_id for one in found} <= ladder().problems.keys()
    assert len({one.skill_id for one in found if one.source == "border"}) <= 3
    assert next(secure_choices(border(known), practised)).skill_id in ladder().problems
    assert found == [*choices(border(known), practised, strand)]


@pytest.mark.parametrize("strand", "+-x/")
def test_only_who_knows_all_needed_has_no_border(strand: Any) -> None:
    assert [one for one in choices(border(), FRESH, strand) if one.source == "border"]
    assert not [one for one in choices(border(all_below(99)), FRESH, strand) if one.source == "border"]


def test_reviews_and_what_is_only_supposed_take_turns_the_less_likely_first() -> None:
    known = LIKELY | {"C4.take": EXPECTED, "C7.nine": replace(EXPECTED, chance=0.82)}
    reviews = [one.skill_id for one in choices(border(known), FRESH, "-") if one.source == "review"]
    assert reviews == ["C3.sums", "C7.nine"]
    assert first(known, "-", sources={"border": 3, "review": 1, "secure": 1}) == ("review", "C7.nine")


def test_of_what_is_due_the_least_likely_still_there_comes_first() -> None:
    known = LIKELY | {"C3.sums": replace(DUE, chance=0.9), "C7.nine": replace(DUE, chance=0.7, last_day=9)}
    assert first(known, sources={"border": 1}) == ("review", "C7.nine")


def test_what_works_keeps_away_from_the_operation_that_was_missed() -> None:
    alike = all_below(6)
    strands = border(alike).ladder.skills
    for missed in "+-":
        works = next(secure_choices(border(alike), replace(FRESH, missed=[missed, missed])))
        assert strands[works.skill_id].strand != missed


def test_a_child_of_whom_nothing_is_known_gets_the_lowest_of_what_was_not_missed() -> None:
    assert next(secure_choices(border({}), replace(FRESH, missed=["+", "+"]))).skill_id == "C1.minus1"
    assert next(secure_choices(border({}), replace(FRESH, missed=["-", "-"]))).skill_id == "C1.plus1"
