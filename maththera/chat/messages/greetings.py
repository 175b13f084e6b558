"""Greetings that stand before what a message asks."""

import re
from typing import Final

_GREETING: Final = re.compile(
    r"\W*(안녕하세요|안녕하십니까|안녕|수고하세요|반갑습니다|저기요)(?:\W+|$)"
    r"(?:(?:(?:저는|전)\s+)?(?:[가-힣]{1,6}\s*)?"
    r"(?:엄마|아빠|어머니|아버지|할머니|할아버지|담임|교사)(?:예요|이에요|입니다|인데요?)(?:\W+|$))?"
)
"""A greeting, and who greets, before what is asked."""
_ASKS_SOMETHING: Final = 5
"""Letters after a greeting that ask something by themselves."""


def without_greeting(text: str) -> str:
    """What is asked after a greeting; of a greeting alone, its first words."""
    greeted = _GREETING.match(text)
    if greeted is None:
        return text
    rest = text[greeted.end() :]
    return rest if len(rest) >= _ASKS_SOMETHING else text if rest else greeted[1]
