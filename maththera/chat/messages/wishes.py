"""Messages that wish several things at once: "6문제로 줄여 주시고 답도 넣어 주세요"."""

import re
from typing import Final

_BETWEEN: Final = re.compile(
    r"(?<=[가-힣])(?<![라다냐자])고(?:요)?[,\s]+|,\s*(?!\d)|\s그리고\s|(?<=[요줘까죠])[.!?]\s+"
)
"""What stands between two wishes."""


def wishes_in(message: str) -> list[str]:
    """The parts of a message that wish something each."""
    return [part for part in map(str.strip, _BETWEEN.split(message)) if part]
