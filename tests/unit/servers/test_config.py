from pathlib import Path

import pytest

from maththera.config_files import ConfigError
from maththera.servers.config import load_servers
from maththera.settings import home


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "servers.yaml"
    path.write_text(text)
    return path


def faults(tmp_path: Path, text: str) -> list[str]:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as refused:
        load_servers(path, {})
    return [line.removeprefix(f"{path}:1: ") for line in str(refused.value).splitlines()]


def test_the_six_servers_of_the_package() -> None:
    found = load_servers(home() / "configs" / "servers" / "servers.yaml", {})
    assert list(found.servers) == [
        "logic-engine-mcp", "q-dna-mcp", "gen-node-mcp", "lab-node-mcp", "report-node-mcp", "school-info-mcp",
    ]  # fmt: skip
    for server in found.servers.values():
        name = server.program[-1].removeprefix("maththera.servers.")
        assert (Path(__file__).parents[3] / "maththera" / "servers" / f"{name}.py").is_file(), name


def test_variables_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMOTE_TOKEN", "secret")
    text = 'servers: {remote: {url: "https://example.org/mcp", headers: {Authorization: "Bearer ${REMOTE_TOKEN}"}}}'
    server = load_servers(written(tmp_path, text), {}).servers["remote"]
    assert server.headers == {"Authorization": "Bearer secret"}
    assert "secret" not in repr(server)


def test_a_variable_that_is_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    text = "servers: {a: {command: [a], environment: {KEY: '${NOT_SET}'}}}"
    assert faults(tmp_path, text) == ["servers.a.environment.KEY: the environment variable NOT_SET is not set"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("servers: {}", "servers: Dictionary should have at least 1 item after validation, not 0"),
        ("servers: {a: {}}", "servers.a: one of module, command and url is needed, and only one"),
        ("servers: {a: {url: 'ftp://x'}}", "servers.a.url: String should match pattern '^https?://\\S+$'"),
        ("servers: {a: {module: os}}", "servers.a.module: String should match pattern '^maththera\\.servers\\.\\w+$'"),
        ("servers: {a: {command: [a], headers: {b: c}}}", "servers.a: headers belong to a url"),
        ("servers: {a: {command: [a], retries: 3}}", "servers.a.retries: Extra inputs are not permitted"),
        (
            "servers: {a: {command: [a], limits: {timeout: 0}}}",
            "servers.a.limits.timeout: Input should be greater than 0",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, fault: str) -> None:
    assert faults(tmp_path, text) == [fault]


def test_a_fault_has_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, "servers:\n  a:\n    command: [a]\n    limits: {attempts: 0}\n")
    with pytest.raises(ConfigError) as refused:
        load_servers(path, {})
    assert str(refused.value).startswith(f"{path}:4: servers.a.limits.attempts: ")


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    assert len(faults(tmp_path, "servers: {a: {command: [], url: x}, 'b c': {command: [b]}}")) == 3
