"""Clients that leave the service as people run it: what a model is asked for them ends at once, and the turn goes on
from the rules."""

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx
import pytest

from maththera.settings import home
from tests.support.forked import Forked
from tests.support.network import free_port
from tests.support.speaking_llm import Says, SpeakingLlm

pytestmark = [pytest.mark.slow, pytest.mark.timeout(280)]

TOKEN: Final = {"Authorization": "Bearer end-to-end"}
PATIENCE_SECONDS: Final = 60  # a machine that is busy with other tests


@pytest.fixture(scope="module")
def llm() -> Iterator[SpeakingLlm]:
    with SpeakingLlm([Says(ending="hangs")]) as found:
        yield found


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory, redis_url: str, llm: SpeakingLlm) -> Iterator[httpx.Client]:
    """Of a service that is ready and has a model."""
    tmp_path = tmp_path_factory.mktemp("left")
    port = free_port()
    environment = os.environ | {
        "MATHTHERA_DATA_DIR": str(tmp_path),
        "MATHTHERA_HOME": str(_patient_home(tmp_path / "home")),
        "MATHTHERA_REDIS_URL": redis_url,
        "MATHTHERA_ADMIN_TOKEN": "end-to-end",
        "MATHTHERA_LLM_BASE_URL": llm.base_url,
        "MATHTHERA_LLM_MODEL": "m",
    }
    command = ["tests.support.patient_maththera", "serve", "--port", str(port)]
    process = Forked(command, environment, tmp_path / "service.log")
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=TOKEN, timeout=PATIENCE_SECONDS) as client:
            until(lambda: _ready(client))
            yield client
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize(
    ("says", "last"),
    [
        pytest.param(Says(ending="hangs"), "thinking", id="before it speaks"),
        pytest.param(Says(["음 "], ending="hangs"), "thinking", id="before it is known to answer"),
        pytest.param(Says(["네 약점은 받아올림이야. "] * 9, ending="hangs"), "token", id="while it answers"),
    ],
)
def test_who_leaves_ends_what_the_model_is_asked(http: httpx.Client, llm: SpeakingLlm, says: Says, last: str) -> None:
    llm.replies, thread_id = [says], uuid4().hex
    llm.streaming.clear()
    llm.left.clear()
    ask = {"message": "내 약점을 분석해줘", "student_id": "s1", "thread_id": thread_id}
    with http.stream("POST", "/api/v1/chat", json=ask) as answer:
        lines = answer.iter_lines()  # held: the connection goes with them
        for line in lines:
            if line.startswith("data: {") and json.loads(line[6:])["type"] == last:
                break
        assert llm.streaming.wait(PATIENCE_SECONDS)
    until(lambda: _said(http, thread_id))
    detail = _said(http, thread_id)[-1]["detail"]
    assert detail["errors"] == ["client_gone"]  # and not that the model was silent for too long
    assert llm.left.wait(PATIENCE_SECONDS)  # the model's server hears of it a moment later


def _patient_home(folder: Path) -> Path:
    """What is shipped, with patience beyond any test's: nothing ends because a machine is slow."""
    for part in ("configs", "prompts", "flows"):
        shutil.copytree(home() / part, folder / part)
    path = folder / "configs" / "chat" / "chat.yaml"
    patience = "seconds: {turn: 600, intent: 600, silence: 600, tool: 60, summary: 3, interrupt: 3}"
    path.write_text(re.sub(r"(?m)^seconds:.*$", patience, path.read_text()))
    return folder


def until(reached: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        if time.monotonic() > deadline:
            pytest.fail("it was never reached")
        time.sleep(0.05)


def _ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").is_success
    except httpx.TransportError:
        return False


def _said(client: httpx.Client, thread_id: str) -> list[dict[str, Any]]:
    """Nothing while its first turn is under way."""
    answer = client.get(f"/api/v1/chat/{thread_id}")
    found: list[dict[str, Any]] = answer.json()["messages"] if answer.is_success else []
    return found
