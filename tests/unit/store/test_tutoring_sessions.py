import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import delete, func, select

from maththera.store.conversations import Conversations, ConversationTurn, Thread
from maththera.store.database import Database
from maththera.store.learner_state import LearnerUpdate
from maththera.store.llm_usage import UNNAMED, llm_usage
from maththera.store.review_queue import reviews
from maththera.store.tutoring_sessions import (
    NewReview,
    SessionRecords,
    TurnFacts,
    TurnRow,
    TurnTaken,
    UnknownSession,
    sessions,
    turns,
)
from tests.support.review_queue import review_queue

FACTS = TurnFacts(
    problem_id="P-00847",
    kind="problem",
    phase="normal",
    c_level=7,
    w=4.5,
    correct=True,
    pattern="correct_slow",
    rt_ms=12_000,
    input_kind="typed",
    cause_tag="MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK",
    confidence="high",
)
CALL = {"kind": "diagnosis", "input_tokens": 3100, "output_tokens": 120, "outcome": "ok"}


def a_turn(turn: int = 1, session_id: str = "s", **changes: Any) -> TurnRow:
    made = TurnRow(
        session_id=session_id,
        turn=turn,
        request_id=f"r-{turn}",
        event={"type": "answer_submitted", "answer": 14, "rt_ms": 12_000},
        llm=[],
        response={"z": 1, "a": ["정답이야!", 4.5, None, True], "m": {"b": 2, "a": 1}},
        trace=[{"type": "diagnostic_result", "payload": {"reasoning": "이어 세기로 풀었다."}}],
        facts=FACTS,
    )
    return replace(made, **changes)


@pytest.fixture
async def session(records: SessionRecords) -> str:
    await records.create_session("s", "student", {"seed": 7, "c": 7})
    return "s"


async def test_a_session_comes_back_as_it_was_started(records: SessionRecords, session: str) -> None:
    found = await records.session(session)
    assert found is not None
    assert (found.session_id, found.student_id, found.start) == ("s", "student", {"seed": 7, "c": 7})
    assert found.ended_at is None
    assert found.created_at.tzinfo is UTC
    assert abs(datetime.now(UTC) - found.created_at) < timedelta(minutes=1)
    assert await records.session("nobody") is None


async def test_the_same_session_may_be_created_twice_but_not_another_of_its_id(
    records: SessionRecords, session: str
) -> None:
    await records.create_session(session, "student", {"seed": 7, "c": 7})
    with pytest.raises(Exception, match=r"(?i)unique"):
        await records.create_session(session, "somebody else", {"seed": 7, "c": 7})


async def test_turns_come_back_whole_and_in_order(records: SessionRecords, session: str) -> None:
    written = [a_turn(2, llm=[CALL]), a_turn(1, facts=TurnFacts(kind="training"))]
    for row in written:
        await records.append_turn(row)
    assert await records.turns(session) == written[::-1]
    assert await records.turns("nobody") == []
    assert await records.turn_by_request(session, "r-2") == written[0]
    assert await records.turn_by_request(session, "r-3") is None
    assert await records.last_turn_number(session) == 2
    assert await records.last_turn_number("nobody") == 0


async def test_a_response_keeps_the_order_of_its_keys(records: SessionRecords, session: str) -> None:
    await records.append_turn(a_turn())
    (row,) = await records.turns(session)
    assert list(row.response) == ["z", "a", "m"]
    assert list(row.response["m"]) == ["b", "a"]


async def test_whatever_a_client_may_answer_is_kept(records: SessionRecords, session: str) -> None:
    answers = [10**30, -(2**63) - 1, "\x00", "\ud800", "백팔십팔", "🙂", 0.1 + 0.2, "", None]
    written = [a_turn(turn, event={"answer": answer}) for turn, answer in enumerate(answers, start=1)]
    for row in written:
        await records.append_turn(row)
    assert await records.turns(session) == written


async def test_what_would_come_back_as_something_else_is_refused(records: SessionRecords, session: str) -> None:
    for value in ({1}, datetime.now(UTC), Decimal(1), a_turn(), object()):
        with pytest.raises(TypeError):
            await records.append_turn(a_turn(event={"answer": value}))
    assert await records.turns(session) == []


async def test_a_misspelt_fact_is_refused(records: SessionRecords, session: str) -> None:
    with pytest.raises(ValueError, match="no such facts: rt;"):
        await records.append_turn(a_turn(facts={"rt": 5}))


async def test_a_turn_or_request_is_recorded_once(database: Database, records: SessionRecords, session: str) -> None:
    await records.append_turn(a_turn())
    for second in (a_turn(1, request_id="other"), a_turn(2, request_id="r-1"), a_turn(1)):
        for ended in (False, True):
            with pytest.raises(TurnTaken):
                await records.append_turn(second, reviews=[NewReview("unknown_answer", {})] * ended, ended=ended)
    assert await records.turns(session) == [a_turn()]
    assert await review_queue(database) == []
    found = await records.session(session)
    assert found is not None
    assert found.ended_at is None


async def test_of_two_workers_exactly_one_records_a_turn(
    records: SessionRecords, session: str, database_url: str
) -> None:
    other = Database(database_url)
    try:
        for turn in range(1, 21):
            mine, theirs = a_turn(turn, request_id=f"a-{turn}"), a_turn(turn, request_id=f"b-{turn}")
            outcomes = await asyncio.gather(
                records.append_turn(mine), SessionRecords(other).append_turn(theirs), return_exceptions=True
            )
            assert {type(outcome) for outcome in outcomes} == {type(None), TurnTaken}
            assert (await records.turns(session))[-1] in (mine, theirs)
        assert await records.last_turn_number(session) == 20
    finally:
        await other.close()


async def test_a_turn_needs_its_session(records: SessionRecords) -> None:
    with pytest.raises(UnknownSession):
        await records.append_turn(a_turn())
    with pytest.raises(UnknownSession):
        await records.append_turn(a_turn(), ended=True)


async def test_reviews_and_the_end_go_with_the_turn(database: Database, records: SessionRecords, session: str) -> None:
    found = [NewReview("unknown_answer", {"answer": 57}), NewReview("rejected_text", {"text": "틀렸어"})]
    await records.append_turn(a_turn(), reviews=found, ended=True)
    assert await review_queue(database) == found
    ended = await records.session(session)
    assert ended is not None
    assert ended.ended_at is not None
    assert ended.created_at <= ended.ended_at <= datetime.now(UTC) + timedelta(minutes=1)


async def test_erasing_a_session_leaves_nothing_of_it(
    database: Database, records: SessionRecords, session: str
) -> None:
    await records.append_turn(a_turn(), reviews=[NewReview("unknown_answer", {})])
    await database.run(lambda connection: connection.execute(delete(sessions)))
    for table in (turns, reviews):
        query = select(func.count()).select_from(table)
        assert (await database.rows(query))[0][0] == 0


async def test_llm_usage_is_summed_by_prompt(database: Database, records: SessionRecords, session: str) -> None:
    assert (await llm_usage(database)).prompts == {}
    rejected = {"kind": "feedback", "input_tokens": 10, "output_tokens": 1, "outcome": "tone"}
    for turn, calls in enumerate([[], [CALL], [CALL, rejected, rejected], []], start=1):
        await records.append_turn(a_turn(turn, llm=calls))
    usage = await llm_usage(database)
    assert usage.turns == 4
    diagnosis, feedback = usage.prompts["diagnosis"], usage.prompts["feedback"]
    assert (diagnosis.turns, diagnosis.calls, diagnosis.input_tokens, diagnosis.output_tokens) == (2, 2, 6200, 240)
    assert (feedback.turns, feedback.calls, feedback.input_tokens, feedback.output_tokens) == (1, 2, 20, 2)


async def test_llm_usage_counts_chats(database: Database, records: SessionRecords, session: str) -> None:
    await records.append_turn(a_turn(1, llm=[CALL]))
    chats = Conversations(database)
    thread = Thread("t1", "assistant", None, "token-t")
    told = {"llm": [{"kind": "route", "input_tokens": 300, "output_tokens": 20}]}
    await chats.append(thread, 1, ConversationTurn("run1", "난산증이 뭐야?", "답", told))
    await chats.append(thread, 2, ConversationTurn("run2", "고마워", "네", {"errors": []}))
    usage = await llm_usage(database)
    assert usage.turns == 3
    assert (usage.prompts["route"].calls, usage.prompts["route"].input_tokens) == (1, 300)
    assert usage.prompts["diagnosis"].calls == 1


async def test_llm_usage_is_summed_by_model(database: Database, records: SessionRecords, session: str) -> None:
    big = {"kind": "diagnosis", "model": "fake-big", "input_tokens": 200, "output_tokens": 10}
    await records.append_turn(a_turn(1, llm=[big, {**big, "kind": "feedback"}]))
    thread = Thread("t1", "assistant", None, "token-t")
    unnamed = {"kind": "route", "input_tokens": 30, "output_tokens": 2}
    told = {"llm": [{**unnamed, "model": "fake-small"}, unnamed]}
    await Conversations(database).append(thread, 1, ConversationTurn("run1", "난산증이 뭐야?", "답", told))
    models = (await llm_usage(database)).models
    assert {name: (one.turns, one.calls, one.input_tokens) for name, one in models.items()} == {
        "fake-big": (1, 2, 400), "fake-small": (1, 1, 30), UNNAMED: (1, 1, 30),
    }  # fmt: skip


@pytest.mark.usefixtures("session")
class TestLearner:
    async def test_nobody_is_known_before_the_first_turn(self, records: SessionRecords) -> None:
        assert await records.learner("student") is None
        await records.append_turn(a_turn())
        assert await records.learner("student") is None, "no turn has said yet where the child stands"

    async def test_the_last_turn_says_where_the_child_stands(self, records: SessionRecords) -> None:
        again = [{"problem_id": "X:52-38:h", "day": 3}]
        await records.append_turn(a_turn(1), learner=LearnerUpdate(9, 8.0))
        await records.append_turn(a_turn(2), learner=LearnerUpdate(7, 4.5, again, {"+": [7, 3]}))
        await records.append_turn(a_turn(3))
        await records.create_session("of another child", "another", {})
        await records.append_turn(a_turn(1, "of another child"), learner=LearnerUpdate(1, 0.0))
        found = await records.learner("student")
        assert found is not None
        assert (found.c, found.w, found.again, found.starts) == (7, 4.5, again, {"+": [7, 3]})

    async def test_a_later_session_counts_even_without_an_end(self, records: SessionRecords) -> None:
        await records.append_turn(a_turn(9), learner=LearnerUpdate(9, 8.0), ended=True)
        await asyncio.sleep(0.002)  # the clock of SQLite counts milliseconds
        await records.create_session("a later one", "student", {})
        unstarted = await records.learner("student")
        await records.append_turn(a_turn(1, "a later one"), learner=LearnerUpdate(5, 3.0))
        found = await records.learner("student")
        assert unstarted is not None
        assert found is not None
        assert (unstarted.c, found.c) == (9, 5)

    async def test_causes_count_only_when_stated(self, records: SessionRecords) -> None:
        stated = [("A", "high"), ("B", "medium"), ("C", "high"), ("C", "high"), (None, None), ("A", "low")]
        for turn, (cause, confidence) in enumerate(stated, start=1):
            facts = TurnFacts(cause_tag=cause, confidence=confidence)
            await records.append_turn(a_turn(turn, facts=facts), learner=LearnerUpdate(7, 4.5))
        found = await records.learner("student")
        assert found is not None
        assert found.causes == {"C": 2, "A": 1}
        assert found.most_frequent_cause == "C"

    async def test_response_times_with_problem_and_input(self, records: SessionRecords) -> None:
        seen = [
            ("P-1", "typed", 5000),
            ("P-1", "tap", 900),
            ("P-2", "typed", 4000),
            ("P-1", None, 1),
            ("P-1", "tap", None),
        ]
        for turn, (problem, kind, rt) in enumerate(seen, start=1):
            facts = TurnFacts(problem_id=problem, input_kind=kind, rt_ms=rt)
            await records.append_turn(a_turn(turn, facts=facts), learner=LearnerUpdate(7, 4.5))
        found = await records.learner("student")
        assert found is not None
        assert found.times == seen[:3]
        assert found.most_frequent_cause is None


async def test_screenings_are_those_done_to_their_end_the_newest_first(records: SessionRecords) -> None:
    asked = TurnFacts(kind="widget", phase="screening")
    found: dict[str, list[dict[str, Any] | None]] = {
        "a": [None, {"number_sense": {"n": 1}}],
        "b": [None, {}],
        "c": [{"number_sense": {}}],
    }
    for name, summaries in found.items():
        await records.create_session(name, "student", {})
        for turn, summary in enumerate(summaries, start=1):
            row = a_turn(turn, name, facts=asked, response={"summary": summary})
            await records.append_turn(row, ended=summary is not None)
    await records.append_turn(a_turn(2, "c", facts=TurnFacts(kind=None, phase="ended"), response={"summary": {}}))
    assert [(one, profile) for one, _, profile in await records.screenings("student")] == [("c", {}), ("a", {"n": 1})]
    assert await records.screenings("another") == []
