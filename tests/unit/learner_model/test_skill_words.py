"""What is said of a skill: nothing that the child's own answers do not bear."""

from datetime import date

import pytest

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.learner_model.skill_words import first_lacking, next_skills, said_to_adults, said_to_children, told_word
from maththera.learner_model.student_figures import skill_figures
from tests.support.tutoring import rules

MONDAY = date(2026, 3, 2).toordinal()


@pytest.fixture
def nothing() -> Knowledge:
    return Knowledge.start(rules().knowledge, MONDAY)


def tried(knowledge: Knowledge, skill_id: str, *results: bool) -> Knowledge:
    """After these unaided first tries."""
    return knowledge.after(*(Evidence(skill_id, right, MONDAY) for right in results))


def guessed(knowledge: Knowledge, *skill_ids: str) -> Knowledge:
    """As a placement, or the end of a session, concludes what was not asked or is thought to be known."""
    return knowledge.after(*(Evidence(one, True, MONDAY, chance=0.97) for one in skill_ids))


def test_every_word_has_its_sentence_for_adults_and_children(nothing: Knowledge) -> None:
    known = tried(nothing, "C10.borrow", False)
    for day in (MONDAY, MONDAY + 1):
        known = known.after(*[Evidence("C10.plain", True, day, fast=True)] * 3)
    words = {told_word(known, one): one for one in known}
    assert {"untested", "shown", "beginning"} <= set(words)
    assert said_to_adults(known, words["beginning"]) == "배우기 시작했어요. 1번 물어봐서 0번 맞혔어요."
    for one in words.values():
        assert said_to_adults(known, one).endswith("요.")
        assert not any(letter.isdigit() for letter in said_to_children(known, one))


def test_what_was_only_guessed_is_told_as_not_asked(nothing: Knowledge) -> None:
    known = guessed(nothing, "C13.times_6_9", "C7.nine")
    assert known["C13.times_6_9"].word == "expected", "the tutor may go by the guess"
    (times,) = [one for one in skill_figures(known) if one["skill_id"] == "C13.times_6_9"]
    assert (times["word"], times["says"], times["child_says"]) == (
        "untested",
        "아직 안 물어봤어요.",
        "아직 안 물어봤어.",
    )


def test_own_right_answers_let_a_skill_and_what_it_stands_on_directly_be_expected(nothing: Knowledge) -> None:
    known = guessed(nothing, "C13.times_2_5", "C13.times_1", "C8.tens")
    known = tried(guessed(known, "C13.times_3_4"), "C13.times_3_4", True)
    assert known.skills["C13.times_3_4"].requires == ("C13.times_2_5", "C8.carry_ones_1d")
    assert told_word(known, "C13.times_3_4") == "expected"
    assert said_to_adults(known, "C13.times_3_4") == "1번 물어봐서 1번 맞혔어요. 할 수 있을 것으로 봐요."
    assert said_to_adults(known, "C13.times_2_5") == "바로 위 단계를 해내서 할 수 있을 것으로 봐요."
    assert told_word(known, "C13.times_1") == "untested", "two steps below"
    missed = tried(known, "C13.times_3_4", False)
    assert told_word(guessed(missed, "C13.times_2_5"), "C13.times_2_5") == "untested", "missed as often as right"


@pytest.mark.parametrize("results", [(False,), (True, False), (True, False, False)])
def test_what_was_missed_as_often_as_right_is_being_practised(nothing: Knowledge, results: tuple[bool, ...]) -> None:
    known = guessed(tried(nothing, "C3.zero", *results), "C3.zero")
    assert known["C3.zero"].word == "expected"
    assert told_word(known, "C3.zero") == "practising"
    assert said_to_adults(known, "C3.zero") == (
        f"연습하고 있어요. {len(results)}번 물어봐서 {sum(results)}번 맞혔어요."
    )
    assert said_to_children(known, "C3.zero") == "지금 연습하고 있어."


def test_the_next_skills_are_the_first_that_are_not_known_of_what_was_begun(nothing: Knowledge) -> None:
    assert next_skills(nothing) == ["C1.plus1"]
    missed = tried(tried(nothing, "C10.borrow", False), "C9.minus_2_7", False)
    (skill_id,) = next_skills(missed)
    assert missed.skills[skill_id].strand == "-"


def test_what_was_asked_with_help_alone_is_told_so(nothing: Knowledge) -> None:
    known = nothing.after(Evidence("C8.tens", False, MONDAY, aided=True))
    assert told_word(known, "C8.tens") == "untested"
    assert said_to_adults(known, "C8.tens") == "도움을 받아 1번 풀어 봤어요. 혼자서는 아직 안 물어봤어요."


def test_a_strand_lacks_whatever_is_not_said_to_be_able(nothing: Knowledge) -> None:
    known = nothing
    needed = [one.skill_id for one in known.skills.of_strand("+") if one.needed]
    for skill_id in needed[1:]:
        known = tried(known, skill_id, True, True, True)
    known = tried(known, needed[0], True, True, False, True, True, True, False)
    for day in (MONDAY, MONDAY + 1, MONDAY + 2):
        lacking = first_lacking(known.on_day(day), "+")
        able = {"expected", "shown", "kept"}
        said = [one for one in needed if told_word(known.on_day(day), one) not in able]
        assert lacking == (said[0] if said else None)


def test_what_only_follows_from_harder_ones_comes_after_what_is_lacking(nothing: Knowledge) -> None:
    needed = [one.skill_id for one in nothing.skills.of_strand("+") if one.needed]
    known = tried(guessed(nothing, *needed[:4]), needed[6], False, False)
    for skill_id in needed[4:6]:
        known = tried(known, skill_id, True, True, True)
    assert first_lacking(known, "+") == needed[6]
    everything = guessed(nothing, *needed)
    assert first_lacking(everything, "+") == needed[0], "but nothing is called done that was not asked"
