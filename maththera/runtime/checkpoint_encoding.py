"""The members of a thread's sorted set: how checkpoints and writes become bytes that Redis keeps in order.

A member is `<namespace> 0 <checkpoint id> 0 <kind> <time> <body>`. Kind `c` is a checkpoint, kind `w` the writes of one
task; the time (8 bytes, nanoseconds) keeps what is stored twice in its order.
"""

import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from langgraph.checkpoint.base import WRITES_IDX_MAP, PendingWrite, writes_sort_key

CHECKPOINT, WRITES = b"c", b"w"
_HEAD = 9  # bytes of kind and time

Range = tuple[bytes, bytes]  # both ends as Redis wants them: "[" takes the end in, "(" leaves it out


class Record(NamedTuple):
    """One stored checkpoint, its parts still encoded, its writes in the order they were stored."""

    space: str
    checkpoint_id: str
    body: bytes
    writes: Sequence[bytes]


def member_head(space: str, checkpoint_id: str, kind: bytes) -> bytes:
    """Where a new member begins, stamped with the present time; its body follows."""
    return b"%b\0%b\0%b%b" % (space.encode(), checkpoint_id.encode(), kind, time.time_ns().to_bytes(8, "big"))


def namespace_range(space: str) -> Range:
    """All of a namespace."""
    return b"[%b\0" % space.encode(), b"(%b\1" % space.encode()


def checkpoint_range(space: str, checkpoint_id: str) -> Range:
    """One checkpoint with its writes."""
    start = b"%b\0%b" % (space.encode(), checkpoint_id.encode())
    return b"[%b\0" % start, b"(%b\1" % start


def older_range(space: str, checkpoint_id: str) -> Range:
    """The checkpoints of a namespace that were made before this one, with their writes."""
    return range_before(space, b"%b\0%b" % (space.encode(), checkpoint_id.encode()))


def range_before(space: str, start: bytes) -> Range:
    """All of a namespace that stands before the member that begins so."""
    return b"[%b\0" % space.encode(), b"(" + start


def records(members: Iterable[bytes]) -> Sequence[Record]:
    """From members in their order, the oldest checkpoint of each namespace first. Writes whose checkpoint is not there
    (it comes later, or is gone already) are left out."""
    found = []
    for (space, checkpoint_id), group in groupby((m.split(b"\0", 2) for m in members), key=lambda parts: parts[:2]):
        parts = [rest for _, _, rest in group]
        bodies = [rest[_HEAD:] for rest in parts if rest.startswith(CHECKPOINT)]
        if bodies:
            writes = [rest[_HEAD:] for rest in parts if rest.startswith(WRITES)]
            found.append(Record(space.decode(), checkpoint_id.decode(), bodies[-1], writes))
    return found


def pending(stored: Iterable[tuple[str, str, Sequence[tuple[str, Any]]]]) -> "list[PendingWrite]":
    """Writes in the order a run applies them. For a slot that was written twice, the first write of a channel counts,
    but the last error, interrupt or resume value."""
    slots: dict[tuple[str, int], tuple[str, PendingWrite]] = {}
    for task_id, task_path, writes in stored:
        for position, (channel, value) in enumerate(writes):
            slot = (task_id, WRITES_IDX_MAP.get(channel, position))
            if slot[1] < 0 or slot not in slots:
                slots[slot] = (task_path, (task_id, channel, value))
    return [slots[slot][1] for slot in sorted(slots, key=lambda slot: writes_sort_key(slots[slot][0], *slot))]
