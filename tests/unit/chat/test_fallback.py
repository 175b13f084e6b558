import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from maththera.chat import pipelines
from maththera.chat.fallback import TOOLS, Fallbacks, Outcome, Rule
from maththera.chat.routing import ToolName
from maththera.chat.tools import Asker, ChatTool, ToolFailed, ToolRefused
from maththera.documents import ConfigError
from maththera.learners.access import Principal
from maththera.settings import home

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
    assert SHIPPED.after("glossary") == ("general",)
    assert SHIPPED.after("search_paper") == ("web_search", "general")
    assert SHIPPED.after("web_search") == ("general",)
    assert SHIPPED.after("text2sql") == ("search_paper", "web_search", "general")
    assert SHIPPED.after("summarize") == SHIPPED.after("save_file") == SHIPPED.after("general") == ()


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
    without_others = Fallbacks({name: Rule(seconds=seconds, then=()) for name in TOOLS}, SHIPPED.messages)
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
    progress = pipelines.begin(["text2sql", "save_file"], "몇 번?")
    seen: list[ToolName] = [progress["tool_choice"]]
    while (following := pipelines.fall_back(progress, SHIPPED, EMPTY)) is not None:
        progress = following
        seen.append(progress["tool_choice"])
    assert seen == ["text2sql", "search_paper", "web_search", "general"]
    assert progress["tool_pipeline"] == ["text2sql", "save_file"]
    assert progress["failed"] == ["text2sql", "search_paper", "web_search"]


def test_why_each_tool_failed_is_handed_on() -> None:
    progress = pipelines.fall_back(pipelines.begin(["text2sql"], "몇 번?"), SHIPPED, Outcome("text2sql", why="timeout"))
    assert progress is not None
    assert pipelines.arguments(progress)["reasons"] == {"text2sql": "timeout"}


def test_a_tool_that_refused_is_not_said_to_have_looked() -> None:
    progress = pipelines.fall_back(
        pipelines.begin(["web_search"], "무엇?"), SHIPPED, Outcome("web_search", why="refused")
    )
    assert progress is not None
    assert (progress["tool_choice"], progress["failed"]) == ("general", [])


def test_after_a_fallback_the_pipeline_goes_on_with_a_clean_slate() -> None:
    progress = pipelines.fall_back(pipelines.begin(["glossary", "save_file"], "무엇?"), SHIPPED, EMPTY)
    assert progress is not None
    assert pipelines.answers_now(progress)
    following = pipelines.advance(progress, "그 답")
    assert following == {
        "tool_pipeline": ["glossary", "save_file"],
        "place": 1,
        "tool_choice": "save_file",
        "failed": [],
        "reasons": {},
        "tool_result": "그 답",
        "question": "무엇?",
        "before": "",
    }
    assert not pipelines.answers_now(following)
    assert pipelines.fall_back(following, SHIPPED, EMPTY) is None
    assert pipelines.advance(following, "") is None


def test_levels_are_written_once() -> None:
    progress = pipelines.begin(["search_paper", "summarize", "save_file"], "무엇?")
    written = []
    following: pipelines.Progress | None = progress
    while following is not None:
        written.append(pipelines.answers_now(following))
        following = pipelines.advance(following, "x")
    assert written == [False, True, False]


def test_what_was_said_before_is_what_is_saved() -> None:
    progress = pipelines.begin(["save_file"], "저장해줘", "앞의 답")
    told = pipelines.arguments(progress)
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
    file = yaml.safe_load((home() / "configs" / "fallbacks.yaml").read_text(encoding="utf-8"))
    file["tools"] = {name: rule for name, rule in (file["tools"] | change).items() if rule is not None}
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "fallbacks.yaml").write_text(yaml.safe_dump(file), encoding="utf-8")
    with pytest.raises(ConfigError, match=reason):
        Fallbacks.load(tmp_path)
