"""Learned procedures in the store: versions that follow one another, whoever changes them at the same time."""

import asyncio

import pytest

from maththera.store.database import Database
from maththera.store.learned_procedures import (
    Adult,
    NoSuchProcedure,
    OwnProcedure,
    ProcedureRecords,
    ProcedureTaken,
    UnnamedAdult,
    Version,
    WrongStatus,
)
from maththera.store.tutoring_sessions import SessionRecords

ONE, OTHER = Adult("one", "김 선생님"), Adult("other", "박 선생님")


async def proposed(records: ProcedureRecords, *names: str) -> list[int]:
    """The ids of procedures that were tried."""
    ids = [await records.propose(name, {"title": name}, None, ONE) for name in names]
    for procedure_id in ids:
        await records.keep_trial(procedure_id, {"bank": {}})
    return ids


async def test_changes_at_the_same_time_each_make_a_version(database: Database) -> None:
    records = ProcedureRecords(database)
    assert await records.version() == Version(0, [])
    ids = await proposed(records, "a", "b", "c", "d")
    versions = await asyncio.gather(*(records.approve(one, OTHER) for one in ids))
    assert sorted(one.version for one in versions) == [1, 2, 3, 4]
    assert await records.version() == Version(4, ["a", "b", "c", "d"])
    assert max(versions).names == ["a", "b", "c", "d"]
    await records.switch_off(ids[1], ONE)
    assert await records.version() == Version(5, ["a", "c", "d"])
    assert await records.definitions(["b", "x"]) == {"b": {"title": "b"}}


async def test_of_two_who_approve_one_does(database: Database) -> None:
    records = ProcedureRecords(database)
    (only,) = await proposed(records, "a")
    found = await asyncio.gather(*(records.approve(only, Adult(who, who)) for who in "xyz"), return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == ["Version", "WrongStatus", "WrongStatus"]
    assert await records.version() == Version(1, ["a"])
    row = await records.find(only)
    assert row.status == "approved"
    assert row.approved_by in {"x", "y", "z"}


async def test_what_is_refused(database: Database) -> None:
    records = ProcedureRecords(database)
    untried = await records.propose("a", {}, None, ONE)
    with pytest.raises(ProcedureTaken):
        await records.propose("a", {}, None, OTHER)
    with pytest.raises(NoSuchProcedure):
        await records.propose("b", {}, 7, ONE)
    with pytest.raises(OwnProcedure):
        await records.approve(untried, ONE)
    with pytest.raises(WrongStatus):
        await records.approve(untried, OTHER)
    with pytest.raises(WrongStatus):
        await records.switch_off(untried, OTHER)
    with pytest.raises(NoSuchProcedure):
        await records.approve(99, OTHER)
    assert await records.version() == Version(0, [])


@pytest.mark.parametrize("label", ["김 선생님", " 김  선생님 ", "김 선생님\n"])
async def test_one_person_with_two_tokens_is_no_second_adult(database: Database, label: str) -> None:
    records = ProcedureRecords(database)
    (only,) = await proposed(records, "a")
    with pytest.raises(OwnProcedure):
        await records.approve(only, Adult("a second token", label))


@pytest.mark.parametrize("label", ["", "  ", None])
async def test_a_token_that_does_not_say_whose_it_is_counts_as_nobodys(database: Database, label: str | None) -> None:
    records = ProcedureRecords(database)
    with pytest.raises(UnnamedAdult):
        await records.propose("a", {}, None, Adult("one", label))
    (only,) = await proposed(records, "b")
    with pytest.raises(UnnamedAdult):
        await records.approve(only, Adult("other", label))


async def test_versions_tell_who_made_them_and_what_began_under_them(database: Database) -> None:
    records, played = ProcedureRecords(database), SessionRecords(database)
    starts = {
        "a": {},
        "b": {"learned": {"version": 1, "names": ["a"]}},
        "c": {"learned": {"version": 1, "names": ["a"]}},
    }
    (only,) = await proposed(records, "a")
    await records.approve(only, OTHER)
    for name, start in starts.items():
        await played.create_session(name, "s1" if name != "c" else "s2", start)
    newest, oldest = await records.versions()
    assert (newest.version, newest.names, newest.changed_name, newest.sessions, newest.children) == (
        1, ["a"], "박 선생님", 2, 2,
    )  # fmt: skip
    assert (oldest.version, oldest.changed_by, oldest.sessions, oldest.children) == (0, None, 1, 1)
    assert {one.session_id for one in await records.sessions_of(1, None, 9)} == {"b", "c"}
    assert [one.session_id for one in await records.sessions_of(1, {"s1"}, 9)] == ["b"]
    assert await records.sessions_of(1, frozenset(), 9) == []
    assert len(await records.sessions_of(1, None, 1)) == 1
