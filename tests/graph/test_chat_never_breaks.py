"""Whatever is said after whatever else, by whomever, with whichever task open: a turn has an answer and no error.

Every third thread is played, all drawn alike; STRIDE=1 in the environment plays them all.
"""

import os
import random
from typing import Final

import pytest

from maththera.store.access.authorization import Role
from maththera.store.conversations import Profile
from tests.support.asks import ask_lines
from tests.support.coach_world import CHILDREN, CLASS_NAMES, Thread, play

THREADS: Final = 50
LINES: Final = 5
STRIDE: Final = int(os.environ.get("STRIDE", "3"))
TASKS: Final = (None, "36+48", "52-38", "403-156", "7x6", "84/4", "125x3", "13-5", "9+6")
FOLLOW_UPS: Final = (
    *("74", "응", "아니", "그담은?", "두 번째는?", "다시", "그거 왜?", "그림"),
    *("걔는요?", "더 짧게", "민수는?", "3하고 5", "0", "ㅋㅋ", "?"),
)
SAID: Final = [*FOLLOW_UPS, *(one.text for asked in ("coach", "assistant") for one in ask_lines(asked))]


def threads(profile: Profile) -> list[Thread]:
    chosen = random.Random(profile)  # noqa: S311
    roles: tuple[Role, ...] = ("student", "teacher", "guardian") if profile == "coach" else ("teacher", "guardian")
    found: list[Thread] = []
    for number in range(THREADS):
        child = chosen.choice([*CHILDREN])
        thread: Thread = {
            "id": f"{number}",
            "who": chosen.choice(roles),
            "child": child,
            "open_task": chosen.choice(TASKS),
            "lines": [{"say": chosen.choice(SAID)} for _ in range(LINES)],
        }
        thread["class"] = next(name for name, own in CLASS_NAMES.items() if child in own)  # type: ignore[typeddict-unknown-key]
        found.append(thread)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["coach", "assistant"])
async def test_every_line_has_an_answer(profile: Profile, caplog: pytest.LogCaptureFixture) -> None:
    broken: list[tuple[list[str], str]] = []
    before: Thread | None = None
    said: list[str] = []
    async for heard in play(threads(profile)[::STRIDE], profile):
        said = [*said, heard.line["say"]] if heard.thread is before else [heard.line["say"]]
        before = heard.thread
        errors = [one.exc_text or one.getMessage() for one in caplog.records if one.levelname == "ERROR"]
        if errors or not heard.answer.strip():
            broken.append((said, "".join(errors).strip()[-300:]))
        caplog.clear()
    assert broken == []
