import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langgraph.errors import GraphInterrupt
from pydantic import BaseModel

from maththera.api.http_layer.readiness import model_probe
from maththera.config_files import ConfigError
from maththera.llm import circuit_breaker
from maththera.llm.circuit_breaker import CircuitBreaker
from maththera.llm.model_client import Call, LlmFailed, LlmRejected, LlmTimeout, Models, Usage, calls_counted
from maththera.llm.prompts import PromptError
from maththera.llm.streaming import stream_reply
from maththera.llm.time_budget import Budget
from maththera.llm.token_estimate import estimate_tokens
from maththera.settings import home
from tests.support.fake_llm import FakeLlm
from tests.support.speaking_llm import Says, SpeakingLlm

CONFIG = (home() / "configs" / "llm" / "llm.yaml").read_text(encoding="utf-8")
PROMPT = """---
name: {name}
description: asks for a number
model: {model}
input_section: INPUT DATA
limits: {{system: 100, input: 40, output: 7}}
variables:
  question: {{type: text, max: 100, description: what to count}}
---
[ROLE]
Count.

[INPUT DATA]
{{question}}
"""


class Count(BaseModel):
    count: int


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A home with one prompt for each of the two models."""
    (tmp_path / "configs" / "llm").mkdir(parents=True)
    (tmp_path / "configs" / "llm" / "llm.yaml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "prompts").mkdir()
    for name, model in (("count", "main"), ("guess", "small")):
        (tmp_path / "prompts" / f"{name}.md").write_text(PROMPT.format(name=name, model=model), encoding="utf-8")
    return tmp_path


@asynccontextmanager
async def opened(
    folder: Path,
    llm: FakeLlm,
    calls: list[Call] | None = None,
    *,
    model: str = "gpt-4o",
    small_model: str | None = None,
) -> AsyncIterator[Models]:
    on_call = (calls if calls is not None else []).append
    models = Models.load(folder, llm.base_url, "key", model, small_model, on_call=on_call)
    try:
        yield models
    finally:
        await models.aclose()


async def ask(models: Models, prompt: str = "count", question: str = "how many?", seconds: float = 10) -> Any:
    return await models.ask(prompt, {"question": question}, Count, Budget(seconds))


async def test_a_reply_has_its_value_tokens_cost_and_model(folder: Path) -> None:
    calls: list[Call] = []
    with FakeLlm(text='{"count": 3}') as llm:
        async with opened(folder, llm, calls) as models:
            reply = await ask(models)
    assert reply.value == Count(count=3)
    assert reply.call.usage == Usage(3100, 120, estimated=False)
    assert reply.call.cost_usd == pytest.approx((3100 * 2.5 + 120 * 10) / 1e6)
    assert (reply.call.prompt, reply.call.model, reply.call.outcome) == ("count", "gpt-4o", "ok")
    assert calls == [reply.call]


async def test_a_model_that_refused_the_last_call_is_not_ready(folder: Path) -> None:
    with FakeLlm("429", text='{"count": 3}') as llm:
        async with opened(folder, llm) as models:
            probe = model_probe(llm.base_url, models)
            await probe()
            with pytest.raises(LlmFailed):
                await ask(models)
            with pytest.raises(ConnectionError):
                await probe()
            llm.mode = "answers"
            await ask(models)
            await probe()


async def test_a_model_that_hangs_is_not_asked_until_a_trial_is_answered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(circuit_breaker, "SHORTEST_REST", 0.5)
    calls: list[Call] = []
    with FakeLlm("hangs", text='{"count": 3}') as llm:
        async with opened(folder, llm, calls) as models:
            models.breaker = CircuitBreaker()
            probe = model_probe(llm.base_url, models)
            with pytest.raises(LlmTimeout):
                await ask(models, seconds=1.1)
            for prompt in ("count", "guess"):  # whatever it is, and whichever of the models
                with pytest.raises(LlmFailed, match="rests"):
                    await ask(models, prompt)
                with pytest.raises(LlmFailed, match="rests"):
                    stream_reply(models, prompt, {"question": "?"}, Budget(10), silence=10)
            with pytest.raises(ConnectionError):
                await probe()
            assert len(llm.requests) == 1
            llm.mode = "answers"
            await asyncio.sleep(0.6)
            with calls_counted() as made, pytest.raises(LlmFailed, match="rests"):
                await ask(models)
            while models.breaker.resting:
                await asyncio.sleep(0.02)
            assert [call.outcome for call in made] == ["ok"], "the trial alone was a call"
            assert (await ask(models)).value == Count(count=3)
            await probe()
    assert len(llm.requests) == 3
    assert [call.outcome for call in calls] == ["timeout", *["not_asked"] * 5, "ok", "ok"]


async def test_a_stream_that_hangs_and_the_trial_of_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circuit_breaker, "SHORTEST_REST", 0.5)
    with SpeakingLlm([Says(ending="hangs"), Says(["셋"])]) as llm:
        models = Models.load(folder, llm.base_url, "key", "m")
        models.breaker = CircuitBreaker()
        speech = stream_reply(models, "count", {"question": "?"}, Budget(10), silence=1.1)
        with pytest.raises(LlmTimeout):
            await speech.next()
        await asyncio.sleep(0.6)
        with pytest.raises(LlmFailed, match="rests"):
            stream_reply(models, "count", {"question": "?"}, Budget(10), silence=5)
        while models.breaker.resting:
            await asyncio.sleep(0.02)
        await models.aclose()


async def test_who_no_longer_listens_tells_nothing_of_the_model(folder: Path) -> None:
    with SpeakingLlm([Says(["음 "], ending="hangs")]) as llm:
        models = Models.load(folder, llm.base_url, "key", "m")
        speech = stream_reply(models, "count", {"question": "?"}, Budget(10), silence=10)
        await speech.next()
        await asyncio.sleep(1.1)
        speech.close()
        assert await speech.next() is None
        assert not models.breaker.resting
        await models.aclose()


async def test_what_is_sent(folder: Path) -> None:
    with FakeLlm(text='{"count": 3}') as llm:
        async with opened(folder, llm) as models:
            await ask(models)
    (request,) = llm.requests
    assert request["messages"] == [
        {"role": "system", "content": "[ROLE]\nCount."},
        {"role": "user", "content": '[INPUT DATA]\n"how many?"'},
    ]
    assert (request["model"], request["temperature"], request["max_completion_tokens"]) == ("gpt-4o", 0.0, 7)
    assert request["response_format"] == {"type": "json_object"}
    assert not request.get("stream")


async def test_a_server_that_knows_no_json_mode_can_be_spared_it(folder: Path) -> None:
    spared = CONFIG.replace("json_mode: true", "json_mode: false")
    (folder / "configs" / "llm" / "llm.yaml").write_text(spared, encoding="utf-8")
    with FakeLlm(text='Here you are: {"count": 3}') as llm:
        async with opened(folder, llm) as models:
            assert (await ask(models)).value == Count(count=3)
    assert "response_format" not in llm.requests[0]


async def test_each_prompt_goes_to_its_model(folder: Path) -> None:
    with FakeLlm(text='{"count": 3}') as llm:
        async with opened(folder, llm, model="big", small_model="little") as models:
            await ask(models, "count")
            await ask(models, "guess")
        async with opened(folder, llm, model="only") as models:
            await ask(models, "guess")
    assert [request["model"] for request in llm.requests] == ["big", "little", "only"]


async def test_a_model_without_a_price_costs_an_unknown_amount(folder: Path) -> None:
    with FakeLlm(text='{"count": 3}') as llm:
        async with opened(folder, llm, model="home-grown") as models:
            assert (await ask(models)).call.cost_usd is None


async def test_tokens_the_server_does_not_count_are_estimated(folder: Path) -> None:
    with FakeLlm("uncounted", text='{"count": 3}') as llm:
        async with opened(folder, llm) as models:
            usage = (await ask(models)).call.usage
    sent = estimate_tokens("[ROLE]\nCount.") + estimate_tokens('[INPUT DATA]\n"how many?"')
    assert usage == Usage(sent, estimate_tokens('{"count": 3}'), estimated=True)


async def test_a_reply_of_another_shape_is_rejected_and_paid_for(folder: Path) -> None:
    calls: list[Call] = []
    with FakeLlm(text='{"count": "many"}') as llm:
        async with opened(folder, llm, calls) as models:
            with pytest.raises(LlmRejected, match="count: Input should be a valid integer") as rejected:
                await ask(models)
    assert rejected.value.call.usage.output_tokens == 120
    assert calls == [rejected.value.call]
    assert calls[0].outcome == "rejected"


async def test_a_used_up_budget_asks_nobody(folder: Path) -> None:
    with FakeLlm(text='{"count": 3}') as llm:
        async with opened(folder, llm) as models:
            with pytest.raises(LlmTimeout) as late:
                await ask(models, seconds=0)
    assert llm.requests == []
    assert late.value.call.usage == Usage()


async def test_two_calls_share_one_budget(folder: Path) -> None:
    with FakeLlm("hangs") as llm:
        async with opened(folder, llm) as models:
            budget = Budget(0.9)
            for _ in range(2):
                with pytest.raises(LlmTimeout):
                    await models.ask("count", {"question": ""}, Count, budget)
    assert budget.remaining() == 0
    assert len(llm.requests) == 1


async def test_a_question_that_is_too_long_is_not_sent(folder: Path) -> None:
    with FakeLlm(text='{"count": 3}') as llm:
        async with opened(folder, llm) as models:
            with pytest.raises(LlmFailed, match=r"count\.md:6: limits\.input") as failed:
                await ask(models, question="가" * 100)
    assert llm.requests == []
    assert failed.value.call.usage == Usage()


async def test_variables_the_prompt_does_not_declare_are_the_callers_fault(folder: Path) -> None:
    with FakeLlm() as llm:
        async with opened(folder, llm) as models:
            with pytest.raises(PromptError, match=r"count\.md:8: variables\.answer: undeclared"):
                await models.ask("count", {"answer": 1}, Count, Budget(10))


async def test_cancelling_cancels(folder: Path) -> None:
    with FakeLlm("hangs") as llm:
        async with opened(folder, llm) as models:
            asking = asyncio.create_task(ask(models))
            await asyncio.to_thread(llm.asked.wait)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking


async def test_an_outer_deadline_is_not_taken_for_the_budget(folder: Path) -> None:
    with FakeLlm("hangs") as llm:
        async with opened(folder, llm) as models:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await ask(models)


async def test_the_graphs_own_signals_pass(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from langchain_openai import ChatOpenAI

    async def interrupt(*_: object, **__: object) -> None:
        raise GraphInterrupt

    monkeypatch.setattr(ChatOpenAI, "ainvoke", interrupt)
    with FakeLlm() as llm:
        async with opened(folder, llm) as models:
            with pytest.raises(GraphInterrupt):
                await ask(models)


def test_without_an_address_nothing_is_available_and_nothing_imported() -> None:
    """In a process of its own: other tests do import the client."""
    program = (
        "import sys\n"
        "from maththera.llm.model_client import Models\n"
        "from maththera.settings import home\n"
        "assert not Models.load(home()).available\n"
        "sys.exit('langchain_openai' in sys.modules or 'openai' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_address_needs_a_model(folder: Path) -> None:
    with pytest.raises(ValueError, match="needs a model"):
        Models.load(folder, "http://127.0.0.1:9/v1")


def test_a_broken_prompt_is_refused_even_without_a_server(folder: Path) -> None:
    (folder / "prompts" / "count.md").write_text("Count.", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"count\.md:1: front matter"):
        Models.load(folder)


@pytest.mark.parametrize(
    ("name", "variables", "fault"),
    [
        ("cout", {"question"}, "cout.md: there is no such file"),
        ("count", {"question", "unit"}, "count.md:8: variables.unit: undeclared"),
        ("count", set[str](), "count.md:8: variables.question: missing"),
    ],
)
def test_a_prompt_that_could_not_be_filled_is_refused(folder: Path, name: str, variables: set[str], fault: str) -> None:
    models = Models.load(folder)
    models.require("count", {"question"})
    with pytest.raises(PromptError, match=re.escape(fault)):
        models.require(name, variables)


def test_a_turn_has_the_configured_seconds(folder: Path) -> None:
    models = Models.load(folder)
    assert 1.4 < models.budget().remaining() <= 1.5
