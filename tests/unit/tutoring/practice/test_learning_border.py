"""The border of what is known, the strands, and where a session starts."""

from dataclasses import replace

import pytest

from maththera.tutoring.practice.session_practice import LastStart, Place, next_place, tried_first
from maththera.tutoring.practice.skill_problems import LADDERS, level_at_most, next_level, strand_of_level
from tests.support.known_skills import DUE, EXPECTED, MISSED, PASSED, SHOWN, all_below, border, ladder


def test_what_was_begun_goes_on_and_what_lacks_something_leads_to_the_lowest_that_it_lacks() -> None:
    taught = all_below(10) | {"C10.tens": SHOWN, "C10.plain": SHOWN, "C10.borrow_1d": SHOWN, "C10.borrow": SHOWN}
    assert border(taught | {"C10.borrow_x0": MISSED}).begun() == ["C10.borrow_x0"]
    assert border(taught | {"C10.borrow_x0": MISSED, "C10.borrow": MISSED}).begun() == ["C10.borrow"]
    assert border(all_below(10) | {"C10.borrow": MISSED}).begun() == ["C10.tens"]


def test_what_was_missed_sits_when_it_is_known() -> None:
    passed = replace(PASSED, tries=3)
    assert border(all_below(8) | {"C8.tens": PASSED}).begun() == []
    assert border(all_below(8) | {"C8.tens": passed}).begun() == ["C8.tens"]
    for word in ("expected", "shown"):
        assert border(all_below(8) | {"C8.tens": replace(passed, chance=0.9, word=word)}).begun() == []


def test_a_strand_waits_of_which_nothing_was_asked_for_days() -> None:
    taught = all_below(13, replace(SHOWN, last_day=20))
    assert border(taught).waiting("x", 14) == "C13.times_1"
    assert border(taught).waiting("+", 19) is None
    assert border(taught).waiting("+", 20) is None
    assert border(taught).waiting("/", 14) == "C14.one_itself"
    missed = taught | {"C13.times_1": MISSED, "C13.times_0": replace(MISSED, last_day=3)}
    assert border(missed).waiting("/", 14) == "C13.times_1"
    assert border(missed, resting=frozenset({"C13.times_1"})).waiting("/", 14) is None
    assert border(missed).waiting("x", 14) is None


@pytest.mark.parametrize(
    ("c", "strand"), [(1, "+"), (2, "+"), (4, "-"), (5, "+"), (6, "+"), (8, "+"), (9, "-"), (10, "-"), (13, "x"),
                      (14, "/"), (15, "x")]
)  # fmt: skip
def test_a_level_given_without_a_strand_means_adding_where_adding_has_it(c: int, strand: str) -> None:
    assert strand_of_level(c) == strand


def test_a_strand_climbs_its_own_levels() -> None:
    assert [next_level("-", 2), next_level("-", 12), next_level("x", 13), next_level("/", 14)] == [4, 12, 15, 14]
    assert [level_at_most("-", 8), level_at_most("x", 8), level_at_most("+", 10)] == [6, 13, 8]


def test_who_knows_nothing_begins_at_the_bottom_of_adding_and_subtracting() -> None:
    assert border().of_strand("+")[0] == "C1.plus1"
    assert [strand for strand in LADDERS if border().is_open(strand)] == ["+", "-"]


def test_a_skill_that_lacks_another_is_replaced_by_the_lowest_that_it_lacks() -> None:
    known = all_below(10) | {"C4.take": MISSED}
    assert border(known).of_strand("-")[0] == "C4.take"
    assert "C10.tens" not in border(known).of_strand("-")
    assert border(known | {"C4.take": PASSED}).of_strand("-")[0] == "C10.tens"


def test_what_it_lacks_may_belong_to_another_strand() -> None:
    known = all_below(13) | {"C8.tens": MISSED}
    assert border(known).of_strand("x") == ["C8.tens"]
    assert not border(known).is_open("x")


def test_what_a_level_needs_not_is_never_at_the_border() -> None:
    seen = {skill_id for strand in LADDERS for skill_id in border(all_below(99, EXPECTED)).of_strand(strand)}
    assert not seen
    assert all(ladder().skills[one].needed for strand in LADDERS for one in border().of_strand(strand))


def test_what_was_never_asked_below_the_start_counts_as_taught_and_what_was_missed_does_not() -> None:
    assert border(taught_below=10).of_strand("-")[0] == "C10.tens"
    assert border({"C6.from_ten": MISSED}, 10).of_strand("-")[0] == "C6.from_ten"


def test_a_resting_skill_is_not_asked_and_the_rest_of_the_strand_is() -> None:
    known = all_below(10)
    found = border(known, resting=frozenset({"C10.tens"}))
    assert "C10.tens" not in found.of_strand("-")
    assert border(known | {"C10.tens": SHOWN}).of_strand("-")[0] == "C10.plain"


def test_the_lowest_begun_goes_first_whatever_its_strand() -> None:
    known = all_below(10) | {"C8.plain": MISSED, "C10.tens": replace(MISSED, last_day=30)}
    assert border(known).begun() == ["C8.plain", "C10.tens"]


def test_secure_was_right_before_and_is_expected_again() -> None:
    found = border({"C1.plus1": SHOWN, "C2.join": EXPECTED, "C3.zero": PASSED, "C3.sums": DUE})
    assert found.secure() == ["C1.plus1"]
    assert found.due() == ["C3.sums"]


# --- where a session starts -------------------------------------------------------------------------------------------


def test_a_session_starts_at_the_lowest_level_that_is_not_certain() -> None:
    assert next_place(border(all_below(8)), {}) == Place("+", 8, 1.5)
    assert next_place(border(all_below(8) | {"C6.from_ten": PASSED}), {"+": LastStart(8, 5)}) == Place("-", 6, 6.5)


def test_the_strand_that_has_rested_longest_is_next() -> None:
    known = border(all_below(13))
    assert next_place(border(all_below(8)), {"+": LastStart(8, 9), "-": LastStart(9, 4)}).strand == "-"
    assert next_place(border(all_below(8)), {"+": LastStart(8, 3), "-": LastStart(9, 4)}).strand == "+"
    assert next_place(known, {"x": LastStart(13, 4)}).strand == "x"


def test_a_strand_begins_beside_the_others_that_a_teacher_started() -> None:
    assert next_place(border(), {"-": LastStart(10, 4)}) == Place("+", 8, 1.5)
    assert next_place(border({"C6.partners": MISSED}), {"-": LastStart(10, 4)}).c == 6
    assert next_place(border(), {"+": LastStart(1, 4)}) == Place("-", 1, 1.5)


def test_a_start_falls_by_at_most_one_step_of_its_strand() -> None:
    fallen = all_below(10) | {"C1.plus1": MISSED, "C1.minus1": MISSED}
    times = LastStart(13, 9)
    assert next_place(border(fallen), {"+": LastStart(8, 2), "x": times, "-": LastStart(10, 1)}).c == 9
    assert next_place(border(fallen), {"+": LastStart(8, 2), "x": times, "-": LastStart(10, 3)}).c == 7


def test_who_knows_all_goes_on_at_the_top() -> None:
    known = border(all_below(99))
    assert next_place(known, {strand: LastStart(8, day) for day, strand in enumerate(LADDERS)}).c == 11


def test_a_given_start_is_tried_from_the_hardest_skill_down() -> None:
    assert tried_first(ladder(), "-", 10) == ["C10.borrow_x0", "C10.borrow", "C10.borrow_1d", "C10.plain", "C10.tens"]
    assert tried_first(ladder(), "+", 8)[0] == "C8.carry_both"
    assert len(tried_first(ladder(), "+", 8)) == 5
