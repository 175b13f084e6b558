"""The front door: one reading of every message, before any room looks at it."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from maththera.words.danger import Danger, DangerReader
from maththera.words.guard import Guard, Verdict

_DOES_NOT_KNOW: Final = re.compile(
    r"[?？]|(잘)?(모르겠(어|어요|다|네|음|습니다)?|몰라(요)?|모름|모르는데(요)?)[.!~ㅠㅜ]*"
)
_YES: Final = re.compile(r"(응+|어|네+|예|그래|맞아|ㅇㅇ|ㅇ|yes)(요)?[.!~]*")
_NO: Final = re.compile(r"(아니+|아뇨|아니야|괜찮아|ㄴㄴ|ㄴ|no)(요)?[.!~]*")


@dataclass(frozen=True)
class Reading:
    """One message as every room sees it.

    `danger`: of a child, told by itself or by an adult. `verdict`: what the guard says of abuse, injected orders, small
    talk and meaning. The rest are wishes that any room must understand.
    """

    text: str
    danger: Danger | None
    verdict: Verdict

    @cached_property
    def _bare(self) -> str:
        return re.sub(r"\s+", "", self.text).lower()

    @property
    def does_not_know(self) -> bool:
        """몰라, 모르겠어요, 모름, ?: help asked for, and nothing else said."""
        return _DOES_NOT_KNOW.fullmatch(self._bare) is not None

    @property
    def yes(self) -> bool:
        return _YES.fullmatch(self._bare) is not None

    @property
    def no(self) -> bool:
        return _NO.fullmatch(self._bare) is not None


class FrontDoor:
    """Reads `configs/words` and `configs/guard.yaml` once. Safe to share: it keeps nothing of a message."""

    def __init__(self, guard: Guard, danger: DangerReader) -> None:
        self.guard, self._danger = guard, danger

    @classmethod
    def load(cls, home: Path) -> "FrontDoor":
        """ConfigError names file, line and reason of every fault."""
        return cls(Guard.load(home), DangerReader.load(home))

    def read(self, message: str, *, watchful: bool = False) -> Reading:
        """`watchful`: this conversation had a signal of danger before."""
        return Reading(message, self._danger.find(message, watchful=watchful), self.guard.check(message))
