"""However a learner replies, an explanation comes to its end, and helps once before it tells."""

from hypothesis import given
from hypothesis import strategies as st

from maththera.lessons.courses.course import Check
from maththera.lessons.explanation_turns import (
    NOT_BEGUN,
    Outcome,
    Reply,
    Turn,
    next_position,
    open_turn,
    session_paragraphs,
)
from tests.support.lessons import chapter

TURNS = [Turn(name, "말", None, Check(ask="?", key=1), "다른 말", None) for name in "abc"]
REPLIES: st.SearchStrategy[list[Reply]] = st.lists(
    st.sampled_from(["right", "wrong", "help", "go_on", "restart"]), max_size=30
)


@given(REPLIES)
def test_an_explanation_goes_on_by_one_turn_or_begins_again(replies: list[Reply]) -> None:
    now, _ = next_position(NOT_BEGUN, TURNS, "go_on")
    for reply in replies:
        then, said = next_position(now, TURNS, reply)
        if reply == "restart":
            assert (then["turn"], then["helps"]) == (0, 0)
        else:
            assert now["turn"] <= then["turn"] <= now["turn"] + 1
        assert then["helps"] in (0, 1, 2)
        over = (reply == "wrong" and now["helps"] > 0) or (reply == "help" and now["helps"] == 2)
        assert (said == "told") == (over and now["turn"] < len(TURNS))
        if said == "told" and reply == "help" and not now.get("tried"):
            assert then["missed"] == now["missed"], "a wish for help is no try"
        assert (open_turn(then, TURNS) is None) == (then["turn"] >= len(TURNS))
        now = then


@given(st.lists(st.sampled_from(["right", "wrong", "help", "go_on"]), min_size=2 * len(TURNS), max_size=20))
def test_two_replies_a_turn_are_enough(replies: list[Reply]) -> None:
    now, _ = next_position(NOT_BEGUN, TURNS, "go_on")
    for reply in replies:
        now, _ = next_position(now, TURNS, reply)
    assert open_turn(now, TURNS) is None


@given(st.lists(st.booleans(), min_size=2, max_size=2), st.sampled_from(["beginner", "advanced"]))
def test_three_sessions_tell_the_whole_chapter(results: list[bool], user_type: str) -> None:
    outcomes: list[Outcome] = []
    told: set[str] = set()
    for result in [*results, True]:
        paragraphs, _ = session_paragraphs(chapter(), user_type, outcomes, 3)  # type: ignore[arg-type]
        told |= {one.id for one in paragraphs}
        outcomes.append(Outcome(question=1, right=result))
    assert told >= {one.id for one in chapter().explanation.of(user_type)}  # type: ignore[arg-type]
