"""The fixtures are what other tests trust, so they are tested themselves."""

import asyncio
import os
import socket

import asyncpg
import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.support.network import NetworkForbidden
from tests.support.postgres import PostgresServer
from tests.support.servers import RedisServer


async def test_redis_is_empty(redis: Redis) -> None:
    assert await redis.dbsize() == 0
    await redis.set("left", "over")


async def test_redis_is_empty_again(redis: Redis) -> None:
    assert await redis.dbsize() == 0


async def test_redis_keeps_its_data_over_a_stop(redis_server: RedisServer, redis: Redis) -> None:
    await redis.set("kept", "yes")
    redis_server.stop()
    with pytest.raises(RedisConnectionError):
        await redis.get("kept")
    redis_server.start()
    assert await redis.get("kept") == b"yes"


async def test_a_paused_redis_does_not_answer(redis_server: RedisServer, redis: Redis) -> None:
    redis_server.pause()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await redis.ping()
    redis_server.resume()
    assert await redis.ping()


def test_a_killed_redis_is_back_for_the_next_test(redis_server: RedisServer) -> None:
    redis_server.kill()
    assert not redis_server.running


async def test_redis_is_back(redis: Redis) -> None:
    assert await redis.ping()


async def test_each_test_has_a_database_of_its_own(database_url: str) -> None:
    engine = create_async_engine(database_url)
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE learner (id INTEGER)"))
    await engine.dispose()


async def test_the_last_database_is_gone(database_url: str) -> None:
    engine = create_async_engine(database_url)
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE learner (id INTEGER)"))
    await engine.dispose()


async def test_postgres_recovers_from_a_crash(postgres_server: PostgresServer, postgres_url: str) -> None:
    dsn = postgres_url.replace("+asyncpg", "")
    before = await asyncpg.connect(dsn)
    await before.execute("CREATE TABLE kept AS SELECT 1 AS one")
    postgres_server.kill()
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
        await before.fetch("SELECT 1")
    before.terminate()
    postgres_server.start()
    after = await asyncpg.connect(dsn)
    assert await after.fetchval("SELECT one FROM kept") == 1
    await after.close()


async def test_a_paused_postgres_does_not_answer(postgres_server: PostgresServer, postgres_url: str) -> None:
    connection = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
    postgres_server.pause()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.shield(query := asyncio.ensure_future(connection.fetchval("SELECT 1"))), 0.05)
    postgres_server.resume()
    assert await query == 1
    await connection.close()


def test_a_sync_test_has_a_database_too(postgres_url: str) -> None:
    assert postgres_url.startswith("postgresql+asyncpg://")


@pytest.mark.parametrize("host", ["192.0.2.1", "tutor.invalid", "2001:db8::1"])
def test_the_network_is_out_of_reach(host: str) -> None:
    with pytest.raises(NetworkForbidden):
        socket.create_connection((host, 80), timeout=0.1)
    with pytest.raises(NetworkForbidden), socket.socket() as connection:
        connection.connect((host, 80))


async def test_the_network_is_out_of_reach_of_the_event_loop() -> None:
    with pytest.raises(NetworkForbidden):
        await asyncio.open_connection("192.0.2.1", 80)


def test_this_machine_is_within_reach() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass


def test_the_developers_environment_does_not_leak() -> None:
    assert not [name for name in os.environ if name.startswith(("MATHTHERA_", "OPENAI_", "LANGCHAIN_"))]
