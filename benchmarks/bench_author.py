"""The author's page in a real browser: how soon marks and picture follow a keystroke."""

import statistics
from typing import Final

from playwright.sync_api import sync_playwright

from benchmarks.report import Section, at_most, percentile, table
from benchmarks.servers import TOKEN, service, stores
from tests.support.programs import chromium_program
from tests.web.test_author import keystrokes_ms

_ALLOWED_MS: Final = {50: 200, 300: 400}
"""Steps of the flow → the median."""
_KEYSTROKES: Final = 30


def measure() -> Section:
    took: dict[int, list[float]] = {}
    with stores("embedded") as environment, service(environment) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=["--no-sandbox"])
        for steps in _ALLOWED_MS:
            page = browser.new_page(base_url=f"http://127.0.0.1:{running.port}")
            page.goto("/author")
            page.get_by_label("토큰").fill(TOKEN)
            page.get_by_role("button", name="들어가기").click()
            took[steps] = keystrokes_ms(page, steps, _KEYSTROKES)
            page.close()
        browser.close()
    targets = [
        at_most(f"keystroke → marks and picture, {steps} steps, median", statistics.median(took[steps]), most, " ms", 0)
        for steps, most in _ALLOWED_MS.items()
    ]
    head = ("milliseconds", "times", "median", "p95", "most")
    rows: list[list[str | int | float | None]] = [
        [f"{steps} steps", len(one), statistics.median(one), percentile(one, 95), max(one)]
        for steps, one in took.items()
    ]
    return Section("The author's page", _TEXT, targets, [table(head, rows)])


_TEXT: Final = """\
From a key in the editor to the frame that shows it in the picture of the flow: the service has read the text, checked
it and drawn it. Debian's Chromium, without a window, beside the service on the same machine."""
