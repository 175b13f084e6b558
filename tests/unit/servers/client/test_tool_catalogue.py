import asyncio
import sys
from pathlib import Path

import pytest

from maththera.servers.client import server_manager
from maththera.servers.client import tool_catalogue as room
from maththera.servers.client.tool_catalogue import described
from maththera.servers.config import Servers, load_servers

OWN = "servers:\n  own: {module: maththera.servers.logic_engine}\n  other: {command: ['false']}\n"


@pytest.fixture
def servers(tmp_path: Path) -> Servers:
    path = tmp_path / "servers.yaml"
    path.write_text(OWN)
    return load_servers(path, {"MATHTHERA_DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path / 'x.db'}"})


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("a server is started")


@pytest.fixture
def no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_manager, "ServerManager", refuse)
    monkeypatch.setattr(asyncio, "create_subprocess_exec", refuse)


@pytest.mark.slow
async def test_one_process_describes_our_own_servers_as_they_describe_themselves(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_themselves, _ = await room._catalogue_from_servers(servers, {"own"})
    monkeypatch.setattr(server_manager, "ServerManager", refuse)
    assert await described(servers, {"own"}, tmp_path / "tools.json") == ({**by_themselves, "other": {}}, {})


@pytest.mark.slow
@pytest.mark.parametrize("program", ["/bin/false", "/bin/echo"])
async def test_a_server_that_nobody_describes_is_asked_itself(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    found, failures = await described(servers, {"own"}, tmp_path / "tools.json")
    assert not found["own"]
    assert set(failures) == {"own"}


@pytest.mark.slow
async def test_our_own_servers_are_described_once(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "var" / "tools.json"
    first, failures = await described(servers, {"own"}, kept)
    assert (set(first["own"]), first["other"], failures) == (
        {"find_concept_gap", "get_prerequisites", "get_learning_path", "get_concept"},
        {},
        {},
    )
    monkeypatch.setattr(asyncio, "create_subprocess_exec", refuse)
    assert await described(servers, {"own"}, kept) == (first, {})
    monkeypatch.setattr(room, "version", lambda _: "another")
    with pytest.raises(AssertionError, match="is started"):
        await described(servers, {"own"}, kept)


async def test_other_servers_are_asked_each_time(servers: Servers, tmp_path: Path) -> None:
    found, failures = await described(servers, {"other"}, tmp_path / "tools.json")
    assert found == {"own": {}, "other": {}}
    assert "does not start" in failures["other"]
    assert not (tmp_path / "tools.json").exists()


@pytest.mark.usefixtures("no_start")
@pytest.mark.parametrize("text", ["", "[]", "{}", '{"stamp": 1, "servers": {}}', '{"stamp": "STAMP", "servers": []}'])
async def test_a_broken_file_counts_for_nothing(servers: Servers, tmp_path: Path, text: str) -> None:
    kept = tmp_path / "tools.json"
    kept.write_text(text.replace("STAMP", room._code_digest(servers)))
    with pytest.raises(AssertionError, match="is started"):
        await described(servers, {"own"}, kept)
