"""What is loaded once for the commands of these tests."""

from collections.abc import Callable
from typing import Any

import pytest

from maththera.app.content import Content
from maththera.settings import Settings

_loaded: list[Content] = []
"""What ships, once it was needed: nothing changes it, and there is no model in it."""


@pytest.fixture(autouse=True)
def shared_content(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that ask no model share what they read: each would take two seconds for it."""
    load: Callable[..., Content] = Content.load

    def shared(settings: Settings, *more: Any) -> Content:
        if settings.llm_base_url or settings.home != Settings().home or settings.country != Settings().country:
            return load(settings, *more)
        if not _loaded:
            _loaded.append(load(settings))
        return _loaded[0]

    monkeypatch.setattr(Content, "load", shared)
