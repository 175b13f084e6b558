"""A school's own certificate: made as docs/page.md says, it gives the page a secure context."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.service import service
from tests.web.conftest import class_of, own_address
from tests.web.robot import Robot
from tests.web.test_play import first_problem

GUIDES = [Path(__file__).parents[2] / "docs" / name for name in ("page.md", "page.ko.md")]


def commands(guide: Path) -> str:
    found = re.search(r"```sh\n(openssl.*?)```", guide.read_text("utf-8"), re.DOTALL)
    assert found, guide
    return found[1]


@pytest.mark.slow
def test_the_guides_certificate_is_trusted_and_plays(browser: Browser, tmp_path: Path) -> None:
    if not shutil.which("openssl"):
        pytest.skip("no openssl here")
    address = own_address()
    (same,) = {commands(guide) for guide in GUIDES}
    script = same.replace("192.168.0.10", address).replace("IP:", "IP:127.0.0.1,IP:", 1)
    subprocess.run(["/bin/bash", "-ec", script], cwd=tmp_path, check=True, capture_output=True)
    options = ("--certificate", str(tmp_path / "school.pem"), "--key", str(tmp_path / "school.key"))
    trusted = tmp_path / "authority.pem"
    with (
        service(tmp_path, "", "--host", "0.0.0.0", *options, authority=trusted) as running,  # noqa: S104
        class_of(browser, running) as tablets,
    ):
        tablets.hosts.append(address)
        robot = Robot(tablets.child(address=f"https://{address}:{running.port}"))
        assert robot.page.evaluate("isSecureContext") is True
        assert all(cookie["secure"] for cookie in robot.page.context.cookies())
        first_problem(robot)
        robot.answer(robot.right())
        robot.page.locator(".words").wait_for()
        # An authority that the browser itself does not know is enough for all but keeping the page on the device.
        tablets.faults[:] = [one for one in tablets.faults if "An SSL certificate error" not in one]
