"""One step of a solution: the template that says it, by its key in `configs/chat/coach.yaml`, and its numbers."""

from collections.abc import Mapping
from typing import NamedTuple


class Step(NamedTuple):
    key: str
    values: Mapping[str, object]
