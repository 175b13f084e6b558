"""Which servers there are, how each is reached and how patiently it is called: `configs/servers/servers.yaml`."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import Field, TypeAdapter, model_validator

from maththera.config_files import ConfigFile, ConfigModel, Loc, refuse

_REFERENCE: Final = re.compile(r"\$\{(\w+)\}")

Seconds = Annotated[float, Field(gt=0, le=3_600)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]


class Limits(ConfigModel):
    """How a server is called. A call is tried `attempts` times; the pause between two tries is `backoff` seconds and
    doubles up to `max_delay`. `concurrency`: calls that the server works on at once, the others wait."""

    timeout: Seconds = 30
    attempts: int = Field(3, ge=1, le=20)
    backoff: float = Field(2, ge=0, le=3_600)
    max_delay: float = Field(10, ge=0, le=3_600)
    concurrency: int = Field(16, ge=1, le=1_000)
    start_timeout: Seconds = 30


class ToolRules(ConfigModel):
    """What is known of a tool beyond what its server says. `cache`: seconds a result is kept; 0 is not at all."""

    timeout: Seconds | None = None
    attempts: int | None = Field(None, ge=1, le=20)
    cache: int = Field(0, ge=0, le=31_536_000)
    writes: bool | None = None
    idempotent: bool | None = None


class Server(ConfigModel):
    """Exactly one of `module` (of this package, run by this Python), `command` (stdio) and `url` (streamable HTTP)."""

    module: str | None = Field(None, pattern=r"^maththera\.servers\.\w+$")
    command: list[str] | None = Field(None, min_length=1)
    url: str | None = Field(None, pattern=r"^https?://\S+$")
    directory: Path | None = None
    environment: dict[str, str] = Field({})
    headers: dict[str, str] = Field({}, repr=False)
    limits: Limits = Limits()
    tools: dict[str, ToolRules] = Field({})

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if sum(way is not None for way in (self.module, self.command, self.url)) != 1:
            raise ValueError("one of module, command and url is needed, and only one")
        if self.headers and self.url is None:
            raise ValueError("headers belong to a url")
        if self.url is not None and (self.environment or self.directory):
            raise ValueError("environment and directory belong to a command")
        return self

    @property
    def program(self) -> list[str]:
        """The command line of a server over stdio."""
        return self.command or [sys.executable, "-m", "maththera.servers", str(self.module)]


class _File(ConfigModel):
    servers: dict[Name, Server] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Servers:
    """All of the file, with every `${VARIABLE}` replaced. `environment` is what our own servers are given beyond the
    few variables that every program gets."""

    servers: Mapping[str, Server]
    environment: Mapping[str, str]


def load_servers(path: Path, environment: Mapping[str, str]) -> Servers:
    """ConfigError, one line for each fault: a field that does not fit, or an environment variable that is not set.

    `environment`: the settings of this process, for our own servers.
    """
    file = ConfigFile.read(path)
    found = file.parse(TypeAdapter(_File))
    unset = (each for name, server in found.servers.items() for each in _unset(name, server))
    missing = [file.fault(loc, reason) for loc, reason in unset]
    refuse(missing)
    return Servers({name: _filled(server) for name, server in found.servers.items()}, environment)


def _unset(name: str, server: Server) -> Iterator[tuple[Loc, str]]:
    for field in ("environment", "headers"):
        for key, value in getattr(server, field).items():
            for variable in _REFERENCE.findall(value):
                if variable not in os.environ:
                    yield ("servers", name, field, key), f"the environment variable {variable} is not set"


def _filled(server: Server) -> Server:
    def fill(texts: Mapping[str, str]) -> dict[str, str]:
        return {key: _REFERENCE.sub(lambda found: os.environ[found[1]], text) for key, text in texts.items()}

    return server.model_copy(update={"environment": fill(server.environment), "headers": fill(server.headers)})
