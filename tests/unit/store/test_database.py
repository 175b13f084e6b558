"""JSON as the database keeps it."""

from typing import Any

import pytest

from maththera.store.database import dumps, loads


@pytest.mark.parametrize(
    "value", [None, 0, -1.5, "하나", "\ud800", 2**70, [["C10.borrow", True, 739947, None]], {"a": {"b": []}}]
)
def test_what_is_stored_comes_back(value: Any) -> None:
    found = loads(dumps(value))
    assert (found, type(found)) == (value, type(value))
