from datetime import UTC, datetime, timedelta

from maththera.store.database import Database
from maththera.store.open_sessions import idle_sessions, open_problems
from maththera.store.tutoring_sessions import SessionRecords, TurnRow


def turn(session_id: str, number: int, *problem_ids: str) -> TurnRow:
    return TurnRow(session_id, number, f"r{number}", {}, [], {}, [], {}, problem_ids)


async def test_a_task_is_open_from_the_creation_of_its_session(records: SessionRecords, database: Database) -> None:
    assert await open_problems(database, "s1") == []
    await records.create_session("a", "s1", {}, ["P-00001"])
    assert await open_problems(database, "s1") == ["P-00001"]
    await records.append_turn(turn("a", 1, "P-00002", "P-00003"))
    assert await open_problems(database, "s1") == ["P-00002", "P-00003"]
    assert await open_problems(database, "s2") == []


async def test_a_new_session_frees_no_task_of_another(records: SessionRecords, database: Database) -> None:
    await records.create_session("a", "s1", {}, ["P-00001"])
    await records.append_turn(turn("a", 1, "P-00002"))
    await records.create_session("b", "s1", {}, ["P-00003"])
    assert set(await open_problems(database, "s1")) == {"P-00002", "P-00003"}


async def test_what_has_ended_is_open_no_more(records: SessionRecords, database: Database) -> None:
    await records.create_session("a", "s1", {}, ["P-00001"])
    await records.append_turn(turn("a", 1))
    assert await open_problems(database, "s1") == []
    await records.append_turn(turn("a", 2, "P-00002"), ended=True)
    assert await open_problems(database, "s1") == []


async def test_a_session_is_idle_by_its_last_answer(records: SessionRecords, database: Database) -> None:
    await records.create_session("a", "s1", {})
    await records.create_session("b", "s1", {})
    await records.append_turn(turn("b", 1))
    await records.append_turn(turn("b", 2))
    await records.create_session("c", "s1", {})
    await records.append_turn(turn("c", 1), ended=True)
    now = datetime.now(UTC)
    assert await idle_sessions(database, now - timedelta(hours=1), 9) == []
    later = now + timedelta(hours=1)
    found = await idle_sessions(database, later, 9)
    assert [(one.session_id, one.turn) for one in found] == [("a", 0), ("b", 2)]
    assert await idle_sessions(database, later, 1) == found[:1]
    assert await idle_sessions(database, later, 9, found[0]) == found[1:]
