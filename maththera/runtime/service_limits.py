"""What one client may take: `configs/runtime/limits.yaml`."""

from pathlib import Path

from pydantic import PositiveFloat, PositiveInt

from maththera.config_files import ConfigModel


class ConnectionLimits(ConfigModel):
    """Of each worker. `head_seconds`: until a request's line and headers are complete. `unread_seconds`: how long a
    client may read nothing of what waits for it."""

    most: PositiveInt
    header_bytes: PositiveInt
    headers: PositiveInt
    head_seconds: PositiveFloat
    unread_seconds: PositiveFloat


class UploadLimits(ConfigModel):
    """`at_once` files are read at a time in each worker, each within `seconds`; others wait for `wait_seconds`."""

    at_once: PositiveInt
    wait_seconds: PositiveFloat
    seconds: PositiveFloat
    cpu_seconds: PositiveInt
    memory_mb: PositiveInt


class RequestLimits(ConfigModel):
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


class ShareLimits(ConfigModel):
    """Requests of one token at a time in each worker: `alone`, and `shared` where another token asked for something in
    the last `remembered_seconds`. Each counts for `seconds` at most."""

    alone: PositiveInt
    shared: PositiveInt
    remembered_seconds: PositiveFloat
    seconds: PositiveFloat


class Limits(ConfigModel):
    connections: ConnectionLimits
    uploads: UploadLimits
    requests: RequestLimits
    shares: ShareLimits

    @classmethod
    def load(cls, home: Path) -> "Limits":
        """ConfigError names every field that does not fit."""
        return cls.from_file(home / "configs" / "runtime" / "limits.yaml")
