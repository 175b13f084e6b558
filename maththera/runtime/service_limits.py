"""What one client may take: `configs/runtime/limits.yaml`."""

from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, PositiveFloat, PositiveInt, TypeAdapter

from maththera.config_files import ConfigFile


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ConnectionLimits(_Part):
    """Of each worker. `head_seconds`: until a request's line and headers are complete. `unread_seconds`: how long a
    client may read nothing of what waits for it."""

    most: PositiveInt
    header_bytes: PositiveInt
    headers: PositiveInt
    head_seconds: PositiveFloat
    unread_seconds: PositiveFloat


class UploadLimits(_Part):
    """`at_once` files are read at a time in each worker, each within `seconds`; others wait for `wait_seconds`."""

    at_once: PositiveInt
    wait_seconds: PositiveFloat
    seconds: PositiveFloat
    cpu_seconds: PositiveInt
    memory_mb: PositiveInt


class RequestLimits(_Part):
    """Requests a minute over all workers: of a token by its role, and of an address. `refusal_seconds`: how long what
    is beyond a token's limit waits for its answer, so that who asks again at once does not ask more often."""

    student: PositiveInt
    guardian: PositiveInt
    author: PositiveInt
    teacher: PositiveInt
    admin: PositiveInt
    without_token: PositiveInt
    wrong_tokens: PositiveInt
    refusal_seconds: PositiveFloat


class ShareLimits(_Part):
    """Requests of one token at a time in each worker: `alone`, and `shared` where another token asked for something in
    the last `remembered_seconds`. Each counts for `seconds` at most."""

    alone: PositiveInt
    shared: PositiveInt
    remembered_seconds: PositiveFloat
    seconds: PositiveFloat


class Limits(_Part):
    connections: ConnectionLimits
    uploads: UploadLimits
    requests: RequestLimits
    shares: ShareLimits

    @classmethod
    def load(cls, home: Path) -> "Limits":
        """ConfigError names every field that does not fit."""
        return ConfigFile.read(home / "configs" / "runtime" / "limits.yaml").parse(_ADAPTER)


_ADAPTER: Final = TypeAdapter(Limits)
