"""What a service and a Celery worker begin with, loaded: tests fork theirs from a process that has imported this.

A home whose limits and servers alone are its own shares the rest with the shipped one.
"""

import gc
import os
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from maththera.app import content
from maththera.app.content import Content
from maththera.llm.model_client import Models
from maththera.runtime.service_limits import Limits
from maththera.settings import PREFIX, Settings, home

_MODULES: Final = (
    "alembic.command",
    "maththera.api.application",
    "maththera.cli.service",
    "tests.support.eager_upkeep",
    "tests.support.patient_maththera",
)
_READ_ANEW: Final = {"runtime/limits.yaml", "servers/servers.yaml"}


def _load() -> None:
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        del os.environ[name]
    gc.disable()
    for module in _MODULES:
        import_module(module)
    load: Callable[..., Content] = Content.load
    shipped = load(Settings())

    def shared(settings: Settings, *more: Any) -> Content:
        if settings.country != Settings().country or not _is_shipped(settings.home):
            return load(settings, *more)
        content._check_lazy_configs(settings.home)
        return replace(shipped, limits=Limits.load(settings.home), models=Models.from_settings(settings, *more))

    Content.load = shared  # type: ignore[method-assign, assignment]
    gc.freeze()


def _is_shipped(other: Path) -> bool:
    """Whether all that is read into `Content` are the files that ship."""
    if other == home():
        return True
    files = [path for part in ("configs", "prompts") for path in (home() / part).rglob("*.*") if path.is_file()]
    names = [path.relative_to(home()) for path in files]
    own = [name for name in names if (other / name).resolve() != (home() / name).resolve()]
    return {name.relative_to("configs").as_posix() if name.parts[0] == "configs" else "" for name in own} <= _READ_ANEW


_load()
