"""All that ships of `configs/` and `prompts/`, read once in a process: nothing changes it, and reading it takes two
seconds. Who asks a model brings its own address of it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from maththera.app.content import Content
from maththera.llm.model_client import Call, Models
from maththera.settings import Settings

_LOAD: Final[Callable[..., Content]] = Content.load
_loaded: list[Content] = []
"""What ships, once it was needed, without a model."""


def shared(settings: Settings, on_call: Callable[[Call], None] = lambda _: None) -> Content:
    """As `Content.load`. What another home or country has is read anew."""
    usual = Settings()
    if settings.home != usual.home or settings.country != usual.country:
        return _LOAD(settings, on_call)
    if not _loaded:
        _loaded.append(_LOAD(settings.model_copy(update={"llm_base_url": None})))
    if settings.llm_base_url is None:
        return _loaded[0]
    return replace(_loaded[0], models=Models.from_settings(settings, on_call))
