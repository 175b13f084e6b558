import pytest

from maththera.store import owner_cache
from maththera.store.owner_cache import OwnerCache


async def test_an_owner_is_read_once_and_the_longest_unused_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner_cache, "_SIZE", 2)
    read: list[str] = []

    async def owner(record_id: str) -> str | None:
        read.append(record_id)
        return None if record_id == "unknown" else f"student of {record_id}"

    cache = OwnerCache(owner)
    for record_id in ("a", "b", "a", "c", "a", "b", "unknown", "unknown"):
        assert await cache.find(record_id) == (None if record_id == "unknown" else f"student of {record_id}")
    assert read == ["a", "b", "c", "b", "unknown", "unknown"]
