import importlib.util
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import redis

from maththera.runtime import embedded_redis
from maththera.runtime.embedded_redis import SOCKET_PATH_BYTES, EmbeddedRedis, EmbeddedRedisError
from tests.support import memory


def client(server: EmbeddedRedis) -> redis.Redis:
    return redis.Redis.from_url(server.url)


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def stub(path: Path, body: str) -> None:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.fixture
def only_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def temp(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Of a short name, as temp folders have; tmp_path leaves a socket no room."""
    with tempfile.TemporaryDirectory(prefix="t", dir=memory.folder()) as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)


def killed_service(data: Path, **environment: str) -> int:
    """The process id of the server that a service started before it was killed."""
    script = f"""
        import os, signal
        from pathlib import Path
        from redis import Redis
        from maththera.runtime.embedded_redis import EmbeddedRedis
        server = EmbeddedRedis(Path({str(data)!r}))
        server.start()
        Redis.from_url(server.url).set("key", "value")
        print(Redis.from_url(server.url).info()["process_id"], flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    return int(subprocess.run(command, env=os.environ | environment, stdout=subprocess.PIPE, check=False).stdout)


def test_it_serves_a_private_socket_and_keeps_its_data(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as server:
        client(server).set("key", "value")
        settings = client(server).config_get("*")
        pid = client(server).info()["process_id"]
        path = Path(server.url.removeprefix("unix://"))
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    assert not alive(pid)
    assert (settings["port"], settings["appendonly"], settings["appendfsync"]) == ("0", "yes", "everysec")
    with EmbeddedRedis(tmp_path) as server:
        assert client(server).get("key") == b"value"


def test_stopping_twice_is_harmless(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path)
    server.stop()
    server.start()
    server.stop()
    server.stop()

    with EmbeddedRedis(tmp_path):
        pass


def test_a_second_service_on_the_directory_is_told_who_holds_it(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as first:
        with (
            pytest.raises(EmbeddedRedisError, match=rf"pid {os.getpid()}.*MATHTHERA_DATA_DIR"),
            EmbeddedRedis(tmp_path),
        ):
            pytest.fail("two services on one directory")

        assert client(first).ping()


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv comes with Linux alone")
def test_the_server_ends_with_a_killed_service(tmp_path: Path) -> None:
    pid = killed_service(tmp_path)

    deadline = time.monotonic() + 60
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)

    assert not alive(pid)


def test_a_server_that_outlives_its_service_is_ended_and_its_data_kept(tmp_path: Path, only_on_path: Path) -> None:
    pid = killed_service(tmp_path, PATH=str(only_on_path))  # without setpriv
    assert alive(pid)

    with EmbeddedRedis(tmp_path) as server:
        assert client(server).info()["process_id"] != pid
        assert client(server).get("key") == b"value"

    assert not alive(pid)


def replaced(server: EmbeddedRedis, pid: int) -> int:
    """The process id of the server that has taken the place of the one with this id."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            found: int = client(server).info()["process_id"]
        except redis.RedisError:
            found = pid
        if found != pid:
            return found
        time.sleep(0.01)
    pytest.fail("nobody started it again")


def test_a_server_that_dies_or_hangs_is_started_again_with_its_data(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as server:
        pid = client(server).info()["process_id"]
        for number, way in enumerate((signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL)):
            client(server).set(f"key {number}", int(way))
            os.kill(pid, way)
            former, pid = pid, replaced(server, pid)
            assert not alive(former)
        assert [int(client(server).get(f"key {number}") or 0) for number in range(4)] == [9, 19, 15, 9]
    assert not alive(pid)


def test_a_server_that_cannot_be_started_again_is_tried_until_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded_redis, "PAUSE_SECONDS", 0.05)
    with EmbeddedRedis(tmp_path) as server:
        client(server).set("key", "value")
        pid = client(server).info()["process_id"]
        with monkeypatch.context() as missing:
            missing.setattr(importlib.util, "find_spec", lambda _: None)
            missing.setenv("PATH", str(tmp_path))
            os.kill(pid, signal.SIGKILL)
            deadline = time.monotonic() + 60
            while "does not start" not in caplog.text and time.monotonic() < deadline:
                time.sleep(0.01)
        replaced(server, pid)
        assert client(server).get("key") == b"value"


def test_a_service_stops_while_its_server_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with EmbeddedRedis(tmp_path) as server:
        monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
        monkeypatch.setenv("PATH", str(tmp_path))
        os.kill(client(server).info()["process_id"], signal.SIGKILL)

    monkeypatch.undo()
    with EmbeddedRedis(tmp_path) as server:
        assert client(server).ping()


def test_a_stranger_on_the_socket_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_redis, "STOP_SECONDS", 0.1)
    server = EmbeddedRedis(tmp_path)
    (tmp_path / "redis").mkdir()
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.bind(server.url.removeprefix("unix://"))
        stranger.listen()

        with pytest.raises(EmbeddedRedisError, match="does not end"):
            server.start()


def test_the_socket_of_a_killed_server_is_replaced(tmp_path: Path) -> None:
    server = EmbeddedRedis(tmp_path)
    server.start()
    os.kill(client(server).info()["process_id"], signal.SIGKILL)
    server.stop()

    with EmbeddedRedis(tmp_path) as server:
        assert client(server).ping()


def test_a_long_path_has_its_socket_elsewhere_and_finds_it_again(tmp_path: Path, temp: Path) -> None:
    data = tmp_path / ("long" * 30)
    with EmbeddedRedis(data) as server:
        client(server).set("key", "value")
    with EmbeddedRedis(data) as again:
        assert client(again).get("key") == b"value"

    assert server.url == again.url
    assert Path(server.url.removeprefix("unix://")).is_relative_to(temp)
    assert len(server.url.removeprefix("unix://")) <= SOCKET_PATH_BYTES
    assert (data / "redis" / "redis.log").exists()


def test_a_socket_folder_open_to_others_is_refused(tmp_path: Path, temp: Path) -> None:
    data = tmp_path / ("long" * 30)
    EmbeddedRedis(data)
    (folder,) = temp.iterdir()
    folder.chmod(0o755)

    with pytest.raises(EmbeddedRedisError, match="open to others"):
        EmbeddedRedis(data)


def test_no_room_for_a_socket_anywhere_is_a_clear_error(
    tmp_path: Path, temp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temp / ("long" * 30)))

    with pytest.raises(EmbeddedRedisError, match="TMPDIR"):
        EmbeddedRedis(tmp_path / ("long" * 30))


@pytest.mark.parametrize("name", ["redis-server", "valkey-server"])
def test_an_installed_server_comes_first(name: str, only_on_path: Path, tmp_path: Path) -> None:
    stub(only_on_path / name, 'case "$1" in --version) echo "Server v=7.2.5 sha=0";; *) exit 3;; esac')

    with pytest.raises(EmbeddedRedisError, match="ended with code 3"), EmbeddedRedis(tmp_path):
        pytest.fail("ran the bundled server")


def test_an_outdated_server_is_passed_over(only_on_path: Path, tmp_path: Path) -> None:
    stub(only_on_path / "redis-server", 'echo "Redis server v=6.0.16 sha=0"')

    with EmbeddedRedis(tmp_path) as server:
        assert client(server).ping()


def test_no_server_at_all_says_what_to_install(
    only_on_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(EmbeddedRedisError, match=r"install redis-server or valkey-server, or set MATHTHERA_REDIS_URL"):
        EmbeddedRedis(tmp_path).start()


def test_a_broken_append_only_file_shows_what_redis_says(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as server:
        client(server).set("key", "value")
    for file in (tmp_path / "redis").rglob("*.aof"):  # one or, since Redis 7, several
        file.write_bytes(b"rubbish\r\n" * 100)

    with pytest.raises(EmbeddedRedisError, match="Bad file format"), EmbeddedRedis(tmp_path):
        pytest.fail("started on rubbish")


def test_a_directory_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(EmbeddedRedisError, match="no private Redis in"):
        EmbeddedRedis(tmp_path / "file").start()
