"""`maththera serve` as its own process: start, first token, several workers, stop, and files that refuse a start."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from maththera.korean import morphemes
from maththera.settings import home
from tests.api.conftest import serving
from tests.support.network import free_port

pytestmark = pytest.mark.slow

COMMAND = Path(sys.executable).with_name("maththera")
PATIENCE_SECONDS = 120  # a machine that is busy with other tests
REQUEST: dict[str, Any] = {"timeout": PATIENCE_SECONDS, "verify": ssl.create_default_context()}
"""One context: `httpx` would load all certificates for each request."""


@dataclass
class Service:
    process: subprocess.Popen[bytes]
    url: str
    out: Path
    log: Path

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        with httpx.Client(**REQUEST) as client:
            while time.monotonic() < deadline and self.process.poll() is None:
                try:
                    if client.get(f"{self.url}/readyz").status_code == 200:
                        return
                except httpx.TransportError:
                    time.sleep(0.05)
        pytest.fail(f"not ready: {self.log.read_text()}")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_SECONDS)

    @property
    def printed_token(self) -> str | None:
        found = re.search(r"Admin token, shown only now: (\S+)", self.out.read_text())
        return found[1] if found else None


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "MATHTHERA_DATA_DIR": str(tmp_path / "data"), **more}


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    started: list[Service] = []

    def start(*arguments: str, **more: str) -> Service:
        port = str(free_port())
        number = len(started)
        out, log = tmp_path / f"out{number}", tmp_path / f"log{number}"
        with out.open("wb") as out_file, log.open("wb") as log_file:
            process = run(["serve", "--port", port, *arguments], environment(tmp_path, **more), out_file, log_file)
        service = Service(process, f"http://127.0.0.1:{port}", out, log)
        started.append(service)
        service.wait_until_ready()
        return service

    yield start
    for service in started:
        service.process.kill()
        service.process.wait()


def run(arguments: list[str], env: dict[str, str], out: IO[Any] | int, log: IO[Any] | int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([COMMAND, *arguments], env=env, stdout=out, stderr=log)


def test_the_first_start_prints_a_token_once_and_a_stop_is_clean(serve: Callable[..., Service]) -> None:
    service = serve()
    assert service.url in service.out.read_text()
    token = service.printed_token
    assert token is not None
    headers = {"Authorization": f"Bearer {token}"}
    begun = httpx.post(f"{service.url}/api/v1/sessions", headers=headers, json={"student_id": "s1"}, **REQUEST)
    assert begun.status_code == 201
    assert token not in service.log.read_text()
    assert service.stop() == 0
    again = serve()
    assert again.printed_token is None
    view = httpx.get(f"{again.url}/api/v1/sessions/{begun.json()['session_id']}", headers=headers, **REQUEST)
    assert view.json() == begun.json()


@pytest.mark.parametrize(("wanted", "loaded"), [(None, []), ("http://127.0.0.1:1/v1", ["loaded"])])
async def test_a_worker_is_ready_once_the_analyser_that_it_wants_is_loaded(
    tmp_path: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch, wanted: str | None, loaded: list[str]
) -> None:
    said: list[str] = []

    def slowly() -> None:
        time.sleep(0.5)
        said.append("loaded")

    monkeypatch.setattr(morphemes, "prewarm", slowly)
    async with serving(tmp_path, redis_url, llm_base_url=wanted, llm_model=wanted and "m"):
        assert said == loaded


def test_a_child_plays_beside_the_running_service(serve: Callable[..., Service], tmp_path: Path) -> None:
    service = serve(MATHTHERA_REDISURL="redis://cache")
    done = subprocess.run(
        [COMMAND, "play"], env=environment(tmp_path), input="그만\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "오늘 여기까지" in done.stdout
    assert httpx.get(f"{service.url}/readyz", **REQUEST).json()["status"] == "ok"
    assert "did you mean MATHTHERA_REDIS_URL?" in service.log.read_text()


def test_workers_share_sessions_and_figures(serve: Callable[..., Service]) -> None:
    service = serve("--workers", "2", MATHTHERA_ADMIN_TOKEN="chosen", MATHTHERA_LOG_FORMAT="json")
    assert service.printed_token is None
    headers = {"Authorization": "Bearer chosen"}
    body = {"student_id": "s1", "seed": 7, "problem_count": 20}
    turn = httpx.post(f"{service.url}/api/v1/sessions", headers=headers, json=body, **REQUEST).json()
    path = f"{service.url}/api/v1/sessions/{turn['session_id']}/events"
    for number in range(12):  # each on a connection of its own, so that both workers take some
        event = {"type": "timeout", "request_id": f"r{number}", "task_id": (turn["task"] or {}).get("task_id", "t")}
        answer = httpx.post(path, headers=headers, json=event, **REQUEST)
        if answer.status_code == 409:
            break
        turn = answer.json()
        assert turn["turn"] == number + 1
    figures = {httpx.get(f"{service.url}/metrics", **REQUEST).text for _ in range(4)}
    assert {re.findall(r"^maththera_turn_seconds_count (\S+)", page, re.M)[0] for page in figures} == {
        f"{turn['turn']}.0"
    }
    assert service.stop() == 0


@pytest.mark.parametrize(
    ("workers", "file", "old", "new", "said"),
    [
        (
            "1",
            "configs/arithmetic/problem_bank.csv",
            ",vertical,",
            ",diagonal,",
            r"problem_bank\.csv:\d+:layout: 'diagonal' must be",
        ),
        (
            "2",
            "configs/tutoring/session_rules.yaml",
            "slow_ms: 5000",
            "slow_ms: fast",
            r"session_rules\.yaml:\d+: response_time\.slow_ms: ",
        ),
        ("1", "configs/llm/llm.yaml", "turn_seconds", "turn_secondss", r"llm\.yaml.*turn_seconds"),
    ],
)
def test_a_broken_file_refuses_the_start(
    tmp_path: Path, workers: str, file: str, old: str, new: str, said: str
) -> None:
    for folder in ("configs", "prompts"):
        shutil.copytree(home() / folder, tmp_path / "home" / folder)
    path = tmp_path / "home" / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    env = environment(tmp_path, MATHTHERA_HOME=str(tmp_path / "home"))
    process = run(["serve", "--port", "1", "--workers", workers], env, subprocess.PIPE, subprocess.PIPE)
    out, log = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 2
    assert re.search(said, log.decode())
    assert "Traceback" not in log.decode()
    assert out == b""


def test_an_address_in_use_is_said_before_a_token_is_shown(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        process = run(["serve", "--port", port], environment(tmp_path), subprocess.PIPE, subprocess.PIPE)
        out, log = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 2
    assert f"port {port}: Address already in use" in log.decode()
    assert out == b""
