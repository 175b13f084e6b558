import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from maththera.chat.assistant import tool_pipeline
from maththera.chat.assistant.tool_fallbacks import TOOLS, Fallbacks, Outcome, ToolRule
from maththera.chat.messages.chat_tools import Asker, ChatTool, ToolFailed, ToolRefused
from maththera.chat.state import PipelineProgress, ToolName
from maththera.config_files import ConfigError
from maththera.settings import home
from maththera.store.access.authorization import Principal

SHIPPED = Fallbacks.load(home())
ASKER = Asker(Principal("t", "teacher"), None)
EMPTY = Outcome("text2sql", why="empty")


class Arguments(BaseModel):
    question: str


def tool(name: str, answer: Any) -> ChatTool:
    async def call(_: Asker, asked: Arguments) -> dict[str, Any]:
        if isinstance(answer, Exception):
            raise answer
        if answer == "hangs":
            await asyncio.Event().wait()
        return answer if isinstance(answer, dict) else {"answers": {"beginner": f"{name}: {asked.question}"}}

    return ChatTool(name, name, Arguments, call)


def test_the_chains_of_the_requirements() -> None:
    assert SHIPPED.alternatives("glossary") == ("general",)
    assert SHIPPED.alternatives("search_paper") == ("web_search", "general")
    assert SHIPPED.alternatives("web_search") == ("general",)
    assert SHIPPED.alternatives("text2sql") == ("search_paper", "web_search", "general")
    for tool in ("summarize", "save_file", "general"):
        assert SHIPPED.alternatives(tool) == ()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (ToolFailed("없어요."), "error"),
        (ToolRefused("아니요."), "refused"),
        (OSError("no"), "error"),
        (KeyError("no"), "error"),
        ("hangs", "timeout"),
        ({}, "empty"),
        ({"answers": {}}, "empty"),
    ],
)
async def test_what_counts_as_a_failure(answer: Any, why: str) -> None:
    seconds = 0.05 if why == "timeout" else 60
    without_others = Fallbacks({name: ToolRule(seconds=seconds, then=()) for name in TOOLS}, SHIPPED.messages)
    outcome = await without_others.attempt({"glossary": tool("glossary", answer)}, "glossary", ASKER, {"question": "x"})
    assert (outcome.result, outcome.why) == (None, why)
    assert not re.search("[A-Za-z]", outcome.message), "it is told to people"
    assert outcome.message


@pytest.mark.parametrize("words", ["찾지 못했습니다", "오류가 발생했습니다", "없음"])
async def test_the_wording_of_an_answer_is_no_failure(words: str) -> None:
    found = {"answers": {"beginner": words}}
    outcome = await SHIPPED.attempt({"glossary": tool("glossary", found)}, "glossary", ASKER, {"question": "x"})
    assert outcome.result == found


async def test_a_tool_gets_what_it_takes_and_a_bad_argument_is_a_failure() -> None:
    tools = {"glossary": tool("glossary", None)}
    outcome = await SHIPPED.attempt(tools, "glossary", ASKER, {"question": "x", "text": "y", "failed": []})
    assert outcome.result == {"answers": {"beginner": "glossary: x"}}
    assert (await SHIPPED.attempt(tools, "glossary", ASKER, {"question": None})).why == "error"


async def test_cancelling_is_no_failure() -> None:
    task = asyncio.create_task(
        SHIPPED.attempt({"glossary": tool("glossary", "hangs")}, "glossary", ASKER, {"question": "x"})
    )
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_the_chain_is_walked_to_its_end_and_no_tool_runs_twice() -> None:
    progress = tool_pipeline.first_progress(["text2sql", "save_file"], "몇 번?")
    seen: list[ToolName] = [progress["tool_choice"]]
    while (following := tool_pipeline.fallback_progress(progress, SHIPPED, EMPTY)) is not None:
        progress = following
        seen.append(progress["tool_choice"])
    assert seen == ["text2sql", "search_paper", "web_search", "general"]
    assert progress["tool_pipeline"] == ["text2sql", "save_file"]
    assert progress["failed"] == ["text2sql", "search_paper", "web_search"]


def test_why_each_tool_failed_is_handed_on() -> None:
    progress = tool_pipeline.fallback_progress(
        tool_pipeline.first_progress(["text2sql"], "몇 번?"), SHIPPED, Outcome("text2sql", why="timeout")
    )
    assert progress is not None
    assert tool_pipeline.tool_arguments(progress)["reasons"] == {"text2sql": "timeout"}


def test_a_tool_that_refused_is_not_said_to_have_looked() -> None:
    progress = tool_pipeline.fallback_progress(
        tool_pipeline.first_progress(["web_search"], "무엇?"), SHIPPED, Outcome("web_search", why="refused")
    )
    assert progress is not None
    assert (progress["tool_choice"], progress["failed"]) == ("general", [])


def test_after_a_fallback_the_pipeline_goes_on_with_a_clean_slate() -> None:
    first = tool_pipeline.first_progress(["glossary", "save_file"], "무엇?")
    progress = tool_pipeline.fallback_progress(first, SHIPPED, EMPTY)
    assert progress is not None
    assert tool_pipeline.is_last_answer(progress)
    following = tool_pipeline.next_progress(progress, "그 답")
    assert following == {**first, "place": 1, "tool_choice": "save_file", "tool_result": "그 답"}
    assert not tool_pipeline.is_last_answer(following)
    assert tool_pipeline.fallback_progress(following, SHIPPED, EMPTY) is None
    assert tool_pipeline.next_progress(following, "") is None


def test_levels_are_written_once() -> None:
    progress = tool_pipeline.first_progress(["search_paper", "summarize", "save_file"], "무엇?")
    written = []
    following: PipelineProgress | None = progress
    while following is not None:
        written.append(tool_pipeline.is_last_answer(following))
        following = tool_pipeline.next_progress(following, "x")
    assert written == [False, True, False]


def test_what_was_said_before_is_what_is_saved() -> None:
    progress = tool_pipeline.first_progress(["save_file"], "저장해줘", "앞의 답")
    told = tool_pipeline.tool_arguments(progress)
    assert (told["question"], told["text"], told["failed"]) == ("저장해줘", "앞의 답", [])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"glossary": None}, "glossary is missing"),
        ({"glossary": {"seconds": 1, "then": ["glossary"]}}, "tried twice"),
        ({"glossary": {"seconds": 1, "then": ["general", "general"]}}, "tried twice"),
        ({"glossary": {"seconds": 0, "then": []}}, "greater than 0"),
        ({"glossary": {"seconds": 1, "then": ["oven"]}}, "then"),
    ],
)
def test_faults_of_the_file_are_named(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    file = yaml.safe_load((home() / "configs" / "chat" / "assistant" / "fallbacks.yaml").read_text(encoding="utf-8"))
    file["tools"] = {name: rule for name, rule in (file["tools"] | change).items() if rule is not None}
    (tmp_path / "configs" / "chat" / "assistant").mkdir(parents=True)
    (tmp_path / "configs" / "chat" / "assistant" / "fallbacks.yaml").write_text(yaml.safe_dump(file), encoding="utf-8")
    with pytest.raises(ConfigError, match=reason):
        Fallbacks.load(tmp_path)
