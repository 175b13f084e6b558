"""The endpoint floor: one route with a Redis GET, a SET and an INSERT, its bodies of a turn's size."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from pydantic import BaseModel
from sqlalchemy import Column, Integer, MetaData, Table, Text, insert

from maththera.runtime.redis_client import open_redis
from maththera.store.database import Database

CHECKPOINT: Final = b"x" * 4_500
RECORD: Final = "x" * 4_500
ANSWER: Final = {"feedback_text": ["정답이야!"] * 3, "choices": [1, 2, 3, 4], "text": "x" * 700}

_metadata: Final = MetaData()
_rows: Final = Table(
    "bare", _metadata, Column("id", Integer, primary_key=True), Column("request_id", Text), Column("record", Text)
)


class Answer(BaseModel):
    request_id: str
    answer: int


async def make_table(database_url: str) -> None:
    """Once, before the workers start."""
    database = Database(database_url)
    async with database.engine.begin() as connection:
        await connection.run_sync(_metadata.create_all)
    await database.close()


def app() -> FastAPI:
    """What uvicorn runs."""
    database = Database(os.environ["MATHTHERA_DATABASE_URL"])
    redis = open_redis(os.environ["MATHTHERA_REDIS_URL"])

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await redis.aclose()
        await database.close()

    bare = FastAPI(lifespan=lifespan)

    @bare.post("/bare")
    async def answer(sent: Answer) -> dict[str, Any]:
        await redis.get("bare")
        await redis.set("bare", CHECKPOINT)
        row = {"request_id": sent.request_id, "record": RECORD}
        await database.write(lambda connection: connection.execute(insert(_rows), row))
        return ANSWER

    return bare
