"""What models were told, on the operator's wish."""

import os
import time
from pathlib import Path

import orjson
import pytest
from redis.asyncio import Redis

from maththera.chat.composition import open_chat
from maththera.chat.messages.prompt_log import KEPT_DAYS, PromptLog
from maththera.chat.service import NewTurn
from maththera.runtime.event_log import EventLog
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from tests.support import chatting
from tests.support.speaking_llm import Says, SpeakingLlm
from tests.support.words import safety

TEACHER = Principal("token-t", "teacher", frozenset({"s1"}))


async def turn(empty: Database, redis: Redis, prompts: PromptLog | None, says: Says) -> str:
    """The run of one turn."""
    with SpeakingLlm([says]) as llm:
        models = chatting.models(llm.base_url)
        async with (
            EventLog(redis) as log,
            open_chat(
                chatting.files(turn=30.0, silence=20.0), safety(empty), empty, redis, log, models, prompts
            ) as service,
        ):
            run_id = await service.start(TEACHER, NewTurn("받아올림이 뭐야?", profile="assistant"))
            async for _ in service.events(run_id):
                pass
        await models.aclose()
    return run_id


async def test_a_run_leaves_a_line_for_each_level(empty: Database, redis: Redis, tmp_path: Path) -> None:
    folder = tmp_path / "prompts"
    run_id = await turn(empty, redis, PromptLog(folder), Says(["모델이 ", "한 말"]))
    lines = [orjson.loads(line) for line in (folder / f"{run_id}.jsonl").read_bytes().splitlines()]
    assert {line["level"] for line in lines} == {"elementary", "beginner"}
    for line in lines:
        assert line["prompt"] == f"level_{line['level']}"
        assert line["system_characters"] == len(line["system_prompt"])
        assert "받아올림이 뭐야?" in line["final_prompt"]
        assert line["answer_characters"] == len("모델이 한 말")
        assert line["outcome"] == "ok"
        assert line["input_tokens"] > 0
        assert "cost_usd" in line


async def test_a_model_that_fails_is_kept_too(empty: Database, redis: Redis, tmp_path: Path) -> None:
    run_id = await turn(empty, redis, PromptLog(tmp_path), Says(["모델이"], ending="cut"))
    lines = [orjson.loads(line) for line in (tmp_path / f"{run_id}.jsonl").read_bytes().splitlines()]
    assert {line["outcome"] for line in lines} == {"failed"}


async def test_nothing_is_kept_without_the_wish(empty: Database, redis: Redis, tmp_path: Path) -> None:
    await turn(empty, redis, None, Says(["x"]))
    assert not list(tmp_path.rglob("*.jsonl"))


async def test_old_files_go(empty: Database, redis: Redis, tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    old.write_text("{}", encoding="utf-8")
    past = time.time() - (KEPT_DAYS + 1) * 24 * 3600
    os.utime(old, (past, past))
    await turn(empty, redis, PromptLog(tmp_path), Says(["x"]))
    assert not old.exists()


async def test_a_folder_that_cannot_be_written_is_no_turns_business(
    empty: Database, redis: Redis, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    await turn(empty, redis, PromptLog(tmp_path / "file"), Says(["x"]))
    assert "prompt log" in caplog.text
