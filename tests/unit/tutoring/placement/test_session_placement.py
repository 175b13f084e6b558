"""A placement as a child meets it: session, words, records."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given as property_of
from hypothesis import settings
from hypothesis import strategies as st

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.store.learner_state import LearnerRow
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.session.session_start import NewSession, recorded_start
from maththera.tutoring.state import given
from maththera.tutoring.turns import envelopes
from tests.support.sessions import FAST, IMPULSIVE, Session, answer_wrong, begin


def placed(rules: Rules, seed: int, share: float) -> Session:
    """A whole placement of a child who answers this share right, the rest wrongly, hastily or not at all."""
    session, random = begin(rules, mode="placement", seed=seed), Random(seed)  # noqa: S311 - a child, not a secret
    while not session.ended:
        if random.random() < share:
            session.right()
        elif random.random() < 0.2:
            session.timeout()
        else:
            session.answer(answer_wrong(session), random.choice((FAST, IMPULSIVE)))
    return session


@settings(max_examples=25)
@property_of(seed=st.integers(0, 1 << 31), share=st.sampled_from([0.0, 0.4, 0.7, 1.0]))
def test_it_only_asks(rules: Rules, seed: int, share: float) -> None:
    session = placed(rules, seed, share)
    assert 10 <= len(session.turns) <= 12
    assert {*session.rows} <= {"0", "0m", "0e"}
    assert session.rows[-1] == "0e"
    asked = [turn.facts["problem_id"] for turn in session.turns]
    keys = [rules.bank.problem(str(one)).key for one in asked]
    assert len({*keys}) == len(keys), "none comes twice"
    for turn in session.turns[:-1]:
        task = turn.response["task"]
        assert (turn.response["phase"], task["kind"], task["choices"]) == ("placement", "problem", [])
        assert task["visual_mode"] == "none"


@property_of(share=st.sampled_from([0.0, 0.6, 1.0]), seed=st.integers(0, 1000))
@settings(max_examples=10)
def test_the_same_seed_and_answers_place_alike(rules: Rules, seed: int, share: float) -> None:
    one, other = placed(rules, seed, share), placed(rules, seed, share)
    assert one.state == other.state


def test_at_the_end_the_child_stands_at_the_lowest_level_that_it_does_not_know(rules: Rules) -> None:
    everything, nothing = placed(rules, 7, 1.0), placed(rules, 7, 0.0)
    assert everything.response["summary"]["placed"] == {}
    assert everything.position[0] == 11  # the top of the strand that is at work first
    levels = nothing.response["summary"]["placed"]
    assert levels == {"+": 1, "-": 1, "x": 13, "/": 14}
    assert nothing.position == (1, 0.0)
    assert nothing.response["summary"]["ended_because"] == "placed"


def test_an_answer_with_an_aid_or_perhaps_misheard_places_nobody(rules: Rules) -> None:
    silent = begin(rules, mode="placement")
    while not silent.ended:
        if len(silent.turns) % 2:
            silent.answer(silent.right_answer, telemetry={"helped": ["aid"]})
        else:
            silent.answer(silent.right_answer + 1, input="voice")
    assert len(silent.turns) <= 12
    assert given(silent.state["placement"])["answers"][0][1] is None
    chances = [given(one.state["placement"])["chances"]["C10.borrow"] for one in (silent, placed(rules, 7, 0.0))]
    assert chances[0] > chances[1] + 0.2


def test_first_problems_vary(rules: Rules) -> None:
    first = {begin(rules, mode="placement", seed=seed).problem.key for seed in range(20)}
    assert len(first) > 5


def test_what_a_teacher_thinks_is_where_it_begins(rules: Rules) -> None:
    low = [begin(rules, mode="placement", seed=seed, thought_c=2).problem.c_level for seed in range(10)]
    high = [begin(rules, mode="placement", seed=seed, thought_c=13).problem.c_level for seed in range(10)]
    assert max(low) < min(high)


def test_a_grade_says_where_it_begins_unless_an_adult_does(rules: Rules) -> None:
    def levels(**start: Any) -> list[int]:
        return [begin(rules, mode="placement", seed=seed, **start).problem.c_level for seed in range(10)]

    assert max(levels(grade=1)) < min(levels(grade=4))
    assert levels(grade=4, thought_c=2) == levels(thought_c=2)
    assert levels(grade=9) == levels(), "no level for it"


def test_the_grade_of_the_profile_reaches_the_placement(rules: Rules) -> None:
    knowledge = Knowledge.start(rules.knowledge, 739_000)
    starts = [recorded_start(NewSession("s1", grade=grade), None, knowledge, rules) for grade in (1, 4, None)]
    assert [one["thought_c"] for one in starts] == [None] * 3, "no adult has said it"
    assert [one["grade_c"] for one in starts] == [3, 11, None]


def test_the_child_is_told_what_it_is_for_once(rules: Rules) -> None:
    session = begin(rules, mode="placement")
    assert "우리 서로 알아보자" in envelopes.view("s", session.state, rules)["words"]
    assert "words" not in envelopes.view("s", session.right().state, rules)
    assert "words" not in envelopes.view("s", begin(rules).state, rules)


def test_the_last_turn_records_what_was_found_and_a_stopped_placement_that_it_was_not(rules: Rules) -> None:
    session = placed(rules, 7, 0.7)
    assert [turn.learner.unplaced for turn in session.turns] == [True] * (len(session.turns) - 1) + [False]
    known = Knowledge.start(rules.knowledge, 0)
    for turn in session.turns:
        for entry in turn.learner.evidence or ():
            known = known.after(Evidence(*entry))
    chances = given(session.state["placement"])["chances"]
    assert chances.keys() == {*rules.hypotheses.skill_ids}
    for skill_id, chance in chances.items():
        assert known.chance(skill_id) == pytest.approx(chance, abs=1e-6)
        assert (known[skill_id].word == "expected") == (chance >= 0.8)
    assert begin(rules, mode="placement").right().stop().turns[-1].learner.unplaced


@pytest.mark.parametrize(("misses", "again"), [(0, True), (2, True), (3, False)])
def test_a_given_start_that_was_too_easy_is_followed_by_a_placement(rules: Rules, misses: int, again: bool) -> None:
    session, left = begin(rules, c_position=8, first_problem=None), misses
    while not session.ended:
        if session.task["kind"] == "training":
            session.train()
        elif left and session.state["counters"]["closed"] % 4 == 2 and session.task["kind"] == "problem":
            session.answer(answer_wrong(session))
            left -= 1
        else:
            session.right()
    assert session.turns[-1].learner.unplaced is again
    assert not session.turns[3].learner.unplaced, "four answers say little"


def test_one_miss_is_enough_to_doubt_what_a_placement_expected(rules: Rules) -> None:
    known = Knowledge.start(rules.knowledge, 0).after(Evidence("C8.plain", right=True, day=0, chance=0.89))
    assert known["C8.plain"].word == "expected"
    assert known.after(Evidence("C8.plain", right=False, day=1))["C8.plain"].word != "expected"


LEARNER = LearnerRow(7, 4.5, student_id="s1")
UNPLACED = LearnerRow(7, 4.5, student_id="s1", unplaced=True)


@pytest.mark.parametrize(
    ("wanted", "learner", "mode"),
    [
        ({}, None, "placement"),
        ({}, LEARNER, "practice"),
        ({}, UNPLACED, "placement"),
        ({"c_position": 7}, None, "practice"),
        ({"first_problem": "8+6"}, None, "practice"),
        ({"c_position": 7}, UNPLACED, "practice"),
        ({"mode": "practice"}, None, "practice"),
        ({"mode": "placement", "c_position": 7}, LEARNER, "placement"),
    ],
)
def test_who_is_placed(rules: Rules, wanted: dict[str, object], learner: LearnerRow | None, mode: str) -> None:
    nothing = Knowledge.start(rules.knowledge, 0)
    start = recorded_start(NewSession("s1", **wanted), learner, nothing, rules)  # type: ignore[arg-type]
    assert start["mode"] == mode
    assert start["thought_c"] == wanted.get("c_position")


# --- what was never asked -------------------------------------------------------------------------------------------


def words_after(session: Session, rules: Rules) -> dict[str, str]:
    """What is said of each skill that was never asked, when the session has ended."""
    known = rules.session_knowledge.at(session.state)
    return {skill_id: known[skill_id].word for skill_id in rules.hypotheses.skill_ids if not known[skill_id].tries}


def test_what_lies_below_a_given_start_is_expected_when_the_session_ends(rules: Rules) -> None:
    session = begin(rules, c_position=8, thought_c=8, given=True, problem_count=6)
    while not session.ended:
        session.right()
    words = words_after(session, rules)
    assert {words[one] for one in ("C1.plus1", "C2.join", "C3.doubles", "C5.ten_and")} == {"expected"}
    assert words["C12.across_zero"] == "untested"
    recorded = [Evidence(*entry) for entry in session.turns[-1].learner.evidence or ()]
    assert {one.skill_id for one in recorded if one.chance is not None} <= words.keys()
    assert all(one.chance is None for turn in session.turns[:-1] for one in map(_evidence, turn.learner.evidence or ()))


def _evidence(entry: list[Any]) -> Evidence:
    return Evidence(*entry)


def test_who_misses_all_is_not_expected_to_know_what_stands_above(rules: Rules) -> None:
    session = begin(rules, c_position=8, thought_c=8, given=True, problem_count=6)
    while not session.ended:
        session.train() if session.task["kind"] == "training" else session.answer(answer_wrong(session))
    assert words_after(session, rules)["C11.carry_more"] == "untested"


def test_without_a_first_try_nothing_is_concluded(rules: Rules) -> None:
    session = begin(rules, c_position=8, thought_c=8, given=True).stop()
    assert {*words_after(session, rules).values()} == {"untested"}


def test_where_an_adult_last_said_that_the_child_is_holds_until_another_says_so(rules: Rules) -> None:
    learner, nothing = replace(LEARNER, thought_c=8), Knowledge.start(rules.knowledge, 0)
    assert recorded_start(NewSession("s1"), learner, nothing, rules)["thought_c"] == 8
    assert recorded_start(NewSession("s1", c_position=5), learner, nothing, rules)["thought_c"] == 5
    assert begin(rules, "8+6", thought_c=8).right().turns[-1].learner.thought_c == 8


def test_a_skill_with_one_problem_can_be_asked(rules: Rules) -> None:
    few = {skill_id: problems[:1] for skill_id, problems in rules.ladder.problems.items()}
    session = begin(replace(rules, ladder=replace(rules.ladder, problems=few)), mode="placement")
    assert session.task["kind"] == "problem"
