"""A child that answers while the page's thread is busy, and what the browser is told of when its keys went down."""

import time
from typing import Final

from playwright.sync_api import CDPSession

from tests.web.robot import Robot, drawn

_BLOCK: Final = "setTimeout(() => { const end = performance.now() + 300; while (performance.now() < end); })"


def answer_while_blocked(robot: Robot, keys: CDPSession) -> float:
    """Answers right; the last key comes when the thread is blocked. -> milliseconds from the first key to the last."""
    drawn(robot.page)
    first, *_ = [_press(keys, digit, digit) for digit in robot.digits(robot.right())]
    robot.page.evaluate(_BLOCK)
    time.sleep(0.05)
    return (_press(keys, "Enter", "\r") - first) * 1000


def _press(keys: CDPSession, key: str, text: str) -> float:
    """-> when the key went down, in seconds; the browser is told the same."""
    at = time.time()
    keys.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "text": text, "timestamp": at})
    keys.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": key})
    return at
