"""The official clients of AG-UI and of OpenAI, as they come, against a service on a socket."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import openai
import pytest
import uvicorn
from redis.asyncio import Redis

from maththera.api.application import create_app
from maththera.app.content import Content
from maththera.settings import Settings
from tests.support.databases import migrated
from tests.support.node_clients import node_client
from tests.support.shared_content import shared
from tests.support.speaking_llm import Says, SpeakingLlm

pytestmark = pytest.mark.slow

COACH: Final = "maththera-coach"
SHOW: Final[Any] = [{"role": "user", "content": "내 약점 보여줘"}]
WORDS: Final = ["뺄셈에서 ", "받아내림이 ", "가장 ", "약해. "] * 8


@dataclass
class Service:
    url: str
    token: str

    @property
    def client(self) -> openai.AsyncOpenAI:
        return openai.AsyncOpenAI(base_url=f"{self.url}/v1", api_key=self.token, max_retries=0)

    async def conversation(self, thread_id: str) -> httpx.Response:
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {self.token}"}) as client:
            return await client.get(f"{self.url}/api/v1/chat/{thread_id}")


@pytest.fixture
def llm_url() -> str | None:
    return None


@pytest.fixture
async def service(
    tmp_path: Path,
    sqlite_url: str,
    redis_url: str,
    redis: Redis,
    llm_url: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Service]:
    monkeypatch.setattr(Content, "load", shared)
    await migrated(sqlite_url)
    model: dict[str, Any] = {"llm_base_url": llm_url, "llm_model": "m"} if llm_url else {}
    app = create_app(Settings(data_dir=tmp_path, database_url=sqlite_url, redis_url=redis_url, **model))
    server = uvicorn.Server(uvicorn.Config(app, port=0, loop="asyncio", log_level="warning", lifespan="on"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        assert not serving.done(), serving.result()
        await asyncio.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Service(f"http://127.0.0.1:{port}", await app.state.services.tokens.create("admin"))
    server.should_exit = True
    await serving


async def test_openai_for_python(service: Service) -> None:
    async with service.client as client:
        assert [model.id async for model in client.models.list()] == [COACH, "maththera-assistant"]
        assert (await client.models.retrieve(COACH)).owned_by == "maththera"
        whole = await client.chat.completions.create(model=COACH, messages=SHOW)
        assert whole.choices[0].finish_reason == "stop"
        assert whole.usage is not None
        stream = await client.chat.completions.create(
            model=COACH, messages=SHOW, stream=True, stream_options={"include_usage": True}
        )
        told = [chunk async for chunk in stream]
        text = "".join(chunk.choices[0].delta.content or "" for chunk in told if chunk.choices)
        assert text == whole.choices[0].message.content
        assert told[-1].usage is not None
        async with client.chat.completions.stream(model=COACH, messages=SHOW) as watched:
            final = await watched.get_final_completion()
        assert final.choices[0].message.content == text


async def test_openai_for_python_understands_the_errors(service: Service) -> None:
    async with service.client as client:
        with pytest.raises(openai.NotFoundError) as unknown:
            await client.chat.completions.create(model="gpt-4", messages=SHOW)
        assert (unknown.value.code, unknown.value.param) == ("model_not_found", "model")
        with pytest.raises(openai.BadRequestError):
            await client.chat.completions.create(model=COACH, messages=[{"role": "user", "content": "가" * 4001}])
        with pytest.raises(openai.AuthenticationError):
            await client.with_options(api_key="nobody").models.list()


class TestWithAModel:
    @pytest.fixture
    def llm(self) -> Any:
        with SpeakingLlm([Says(WORDS)]) as llm:
            yield llm

    @pytest.fixture
    def llm_url(self, llm: SpeakingLlm) -> str:
        return llm.base_url

    async def test_its_words_come_through(self, service: Service, llm: SpeakingLlm) -> None:
        said = [{"role": "user", "content": "뺄셈이 어려워"}, {"role": "assistant", "content": "같이 보자."}, *SHOW]
        async with service.client as client:
            answer = await client.chat.completions.create(model=COACH, messages=said)
        assert answer.choices[0].message.content == "".join(WORDS)
        told = [message["content"] for message in llm.streamed[0]["messages"]]
        assert [text in told for text in ("뺄셈이 어려워", "같이 보자.")] == [True, True]

    async def test_a_client_that_leaves_lets_go_of_its_thread(self, service: Service, llm: SpeakingLlm) -> None:
        llm.replies = [Says(WORDS, ending="hangs")]
        named: Any = {"thread_id": "left"}
        async with service.client as client:
            stream = await client.chat.completions.create(model=COACH, messages=SHOW, stream=True, metadata=named)
            async for chunk in stream:
                if chunk.choices[0].delta.content:
                    break
            await stream.close()
            assert await asyncio.to_thread(llm.left.wait, 60)
            llm.replies = [Says(["다시 왔구나."])]
            again = await client.with_options(max_retries=9).chat.completions.create(
                model=COACH, messages=SHOW, metadata=named
            )
        assert again.choices[0].message.content == "다시 왔구나."
        assert (await service.conversation("left")).json()["turns"] == 2

    async def test_a_client_that_does_not_wait_for_the_whole(self, service: Service, llm: SpeakingLlm) -> None:
        llm.replies = [Says(WORDS, ending="hangs")]
        async with service.client as client:
            asking = asyncio.create_task(client.chat.completions.create(model=COACH, messages=SHOW))
            assert await asyncio.to_thread(llm.streaming.wait, 60)
            asking.cancel()
            assert await asyncio.to_thread(llm.left.wait, 60)


async def test_openai_for_node(service: Service) -> None:
    found = await node_client("openai.mjs", "openai", f"{service.url}/v1", service.token)
    assert found["models"] == [COACH, "maththera-assistant"]
    text = found["whole"]["choices"][0]["message"]["content"]
    assert text
    assert "".join(found["pieces"]) == text
    assert found["streamed"]["choices"][0]["message"]["content"] == text
    assert found["streamed"]["usage"]["completion_tokens"] > 0
    unknown = {"name": "NotFoundError", "status": 404, "code": "model_not_found", "param": "model"}
    assert found["unknown"] == unknown
    assert (found["unauthorized"]["name"], found["unauthorized"]["status"]) == ("AuthenticationError", 401)


async def test_ag_ui_for_node(service: Service) -> None:
    found = await node_client("ag_ui.mjs", "@ag-ui/client", f"{service.url}/api/v1/ag-ui", service.token)
    first = found["first"]["types"]
    assert (first[0], first[-1]) == ("RUN_STARTED", "RUN_FINISHED")
    assert {"STEP_STARTED", "TOOL_CALL_RESULT", "TEXT_MESSAGE_END", "CUSTOM"} <= set(first)
    assert found["first"]["custom"]["intent_detected"]["intent_type"] == "A"
    shown = [(one["role"], one["content"]) for one in found["messages"] if one["role"] != "tool" and one.get("content")]
    kept = (await service.conversation("node-thread")).json()["messages"]
    assert shown == [(one["role"], one["text"]) for one in kept]
    assert len(kept) == 4
    assert sum(one["role"] == "assistant" for one in found["answers"] if one.get("content")) == 2
    assert "401" in found["refused"]
    assert found["again"]["types"][-1] == "RUN_FINISHED"
