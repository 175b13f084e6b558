"""A cache of the student to whom each session or lesson belongs: every request asks, and the answer never changes."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

_SIZE: Final = 10_000


class OwnerCache:
    """The owners of the records that were last asked for."""

    def __init__(self, read: Callable[[str], Awaitable[str | None]]) -> None:
        """`read`: record id → student id, None for an unknown record."""
        self._read = read
        self._owners: OrderedDict[str, str] = OrderedDict()

    async def find(self, record_id: str) -> str | None:
        """The student id; None for an unknown record, which is read again the next time."""
        owner = self._owners.get(record_id) or await self._read(record_id)
        if owner is not None:
            self._owners[record_id] = owner
            self._owners.move_to_end(record_id)
            if len(self._owners) > _SIZE:
                self._owners.popitem(last=False)
        return owner
