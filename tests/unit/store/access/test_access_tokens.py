import asyncio
import time
from datetime import UTC, datetime, timedelta, tzinfo

import pytest
from sqlalchemy import Row, select, update

from maththera.store.access import credentials as module
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.access.access_tokens import tokens as table
from maththera.store.access.authorization import Principal, Role
from maththera.store.database import Database


async def test_tokens_are_listed_as_they_were_made(tokens: AccessTokens) -> None:
    made = [str(number) for number in range(20)]
    for label in made:
        await tokens.create("author", label=label)
    assert [row.label for row in await tokens.list()] == made


async def test_a_token_finds_its_bearer(tokens: AccessTokens) -> None:
    student = await tokens.create("student", ["s1"], label="민지의 태블릿")
    teacher = await tokens.create("teacher", ["s2", "s1", "s2"])
    (first, second) = await tokens.list()
    assert (first.role, first.subject, first.label) == ("student", ["s1"], "민지의 태블릿")
    assert second.subject == ["s1", "s2"]
    assert await tokens.find(student) == Principal(first.token_id, "student", frozenset({"s1"}))
    assert await tokens.find(teacher) == Principal(second.token_id, "teacher", frozenset({"s1", "s2"}))


async def test_an_unknown_token_finds_nobody(tokens: AccessTokens) -> None:
    await tokens.create("admin")
    for text in ("", "unknown", "\x00", "\ud800", "가" * 10_000):
        assert await tokens.find(text) is None


async def test_the_token_itself_is_nowhere_in_the_database(database: Database, tokens: AccessTokens) -> None:
    token = await tokens.create("admin")
    found = await database.run(lambda connection: connection.execute(select(table)))
    row: Row = found.one()
    assert token not in repr(row)
    assert all(token not in str(shown) for shown in await tokens.list())


async def test_a_role_stands_for_a_fitting_number_of_students(tokens: AccessTokens) -> None:
    misfits: list[tuple[Role, list[str]]] = [
        ("student", []),
        ("student", ["a", "b"]),
        ("admin", ["a"]),
        ("author", ["a"]),
    ]
    for role, subject in misfits:
        with pytest.raises(ValueError, match=role):
            await tokens.create(role, subject)
    assert await tokens.list() == []


async def test_a_revoked_token_is_refused_at_once_here_and_soon_elsewhere(
    database: Database, tokens: AccessTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = AccessTokens(database)
    token = await tokens.create("guardian", ["s1"])
    principal = await tokens.find(token)
    assert principal is not None
    assert await elsewhere.find(token) == principal
    assert await tokens.revoke(principal.token_id)
    assert not await tokens.revoke(principal.token_id)
    assert not await tokens.revoke("unknown")
    assert await tokens.find(token) is None
    later = time.monotonic() + 5.0
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert await elsewhere.find(token) is None


async def test_who_asks_anew_hears_at_once_of_a_token_that_was_revoked_elsewhere(
    database: Database, tokens: AccessTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_CACHE_S", 3_600.0)  # however slow the machine is
    elsewhere = AccessTokens(database)
    token = await tokens.create("student", ["s1"])
    principal = await elsewhere.find(token)
    assert principal is not None
    assert await tokens.revoke(principal.token_id)
    assert await elsewhere.find(token) == principal
    assert await elsewhere.find(token, fresh=True) is None
    assert await elsewhere.find(token) is None


async def test_a_token_in_use_costs_no_query(
    database: Database, tokens: AccessTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_CACHE_S", 3_600.0)  # however slow the machine is
    token = await tokens.create("student", ["s1"])
    principal = await tokens.find(token)
    await database.run(lambda connection: connection.execute(update(table).values(role="admin")))
    assert await tokens.find(token) == principal


async def test_the_cache_does_not_grow_without_end(tokens: AccessTokens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CACHE_SIZE", 2)
    made = [await tokens.create("student", [str(number)]) for number in range(5)]
    for number, token in enumerate(made):
        found = await tokens.find(token)
        assert found is not None
        assert found.subject == {str(number)}
        assert len(tokens._cache) <= 2


async def test_a_token_expires_even_while_it_is_in_use(tokens: AccessTokens, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime.now(UTC)
    token = await tokens.create("student", ["s1"], expires_at=now + timedelta(hours=1))
    assert await tokens.find(token) is not None

    class Later(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Later":
            return cls.fromtimestamp((now + timedelta(hours=1)).timestamp(), tz)

    monkeypatch.setattr(module, "datetime", Later)
    assert await tokens.find(token) is None
    past = await tokens.create("student", ["s1"], expires_at=now - timedelta(seconds=1))
    assert await AccessTokens(tokens._database).find(past) is None
    with pytest.raises(ValueError, match="time zone"):
        await tokens.create("student", ["s1"], expires_at=datetime(2030, 1, 1))  # noqa: DTZ001


class TestEnsureAdmin:
    async def test_the_first_start_makes_one_and_says_it_once(self, tokens: AccessTokens) -> None:
        made = await tokens.ensure_admin(None)
        assert made is not None
        assert await tokens.ensure_admin(None) is None
        found = await tokens.find(made)
        assert found is not None
        assert found.role == "admin"

    async def test_a_new_one_is_made_when_no_live_one_is_left(self, tokens: AccessTokens) -> None:
        first = await tokens.ensure_admin(None)
        (row,) = await tokens.list()
        await tokens.revoke(row.token_id)
        second = await tokens.ensure_admin(None)
        assert second not in (None, first)

    async def test_the_configured_one_takes_the_place_of_the_one_before(self, tokens: AccessTokens) -> None:
        by_hand = await tokens.create("admin", label="by hand")
        assert await tokens.ensure_admin("first") is None
        assert await tokens.find("first") is not None
        assert await tokens.ensure_admin("second") is None
        assert await tokens.find("first") is None
        assert await tokens.find("second") is not None
        assert await tokens.find(by_hand) is not None
        assert await tokens.ensure_admin("second") is None
        assert len(await tokens.list()) == 2
        assert await tokens.ensure_admin(None) is None, "there is one already"

    async def test_a_configured_token_that_was_revoked_is_live_again(self, tokens: AccessTokens) -> None:
        await tokens.ensure_admin("configured")
        (row,) = await tokens.list()
        await tokens.revoke(row.token_id)
        await tokens.ensure_admin("configured")
        assert await tokens.find("configured") is not None

    async def test_workers_that_start_together_make_one(self, database_url: str, database: Database) -> None:
        others = [Database(database_url) for _ in range(4)]
        try:
            made = await asyncio.gather(*(AccessTokens(other).ensure_admin(None) for other in others))
        finally:
            for other in others:
                await other.close()
        assert sum(token is not None for token in made) == 1
        assert len(await AccessTokens(database).list()) == 1
