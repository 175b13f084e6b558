"""What is loaded once for the commands of these tests."""

import pytest

from maththera.app.content import Content
from tests.support.shared_content import shared


@pytest.fixture(autouse=True)
def shared_content(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command would take two seconds to read what ships."""
    monkeypatch.setattr(Content, "load", shared)
