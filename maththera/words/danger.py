"""Danger in a message: which kind, and how certain. Pure: the same words have the same answer."""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Category: TypeAlias = Literal[
    "self_harm", "sexual", "violence_home", "neglect", "grooming", "bullying", "medical", "threat", "sadness",
    "adult_tells",
]  # fmt: skip
Tier: TypeAlias = Literal[1, 2, 3]
"""1: numbers and the answer, adults are told at once. 2: numbers, the adults' digest of the day. 3: only asked whether
it is all right."""

CATEGORIES: Final[tuple[Category, ...]] = Category.__args__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Danger:
    """`sure`: whether the category is; where it is not, the general numbers are named. `score` from 0 to 1."""

    category: Category
    tier: Tier
    sure: bool
    score: float


_PLACEHOLDER = re.compile(r"죽고\s*싶|자살|몸을\s*만")


def find_danger(message: str, *, watchful: bool = False) -> Danger | None:
    """`watchful`: there was a signal before in this conversation, so less is needed now."""
    return Danger("self_harm", 1, True, 1.0) if _PLACEHOLDER.search(message) else None
