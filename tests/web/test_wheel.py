"""The wheel carries the page: an environment that holds nothing of the checkout serves it."""

import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from maththera.api.page import DIST
from tests.support.service import service

HOME = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_wheel_serves_the_page_from_an_empty_environment(tmp_path: Path) -> None:
    """The packages that it needs are those of the tests; its own files come from the wheel alone."""
    if not (DIST / "index.html").is_file():
        pytest.skip("the page is not built: scripts/web")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=HOME, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    empty = tmp_path / "empty"
    venv.create(empty)
    own = Path(sysconfig.get_path("purelib", vars={"base": str(empty)}))
    install = [sys.executable, "-m", "pip", "--python", str(empty), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    (own / "needed.pth").write_text(sysconfig.get_path("purelib"))
    with service(tmp_path, "", program=(str(empty / "bin" / "maththera"),), PYTHONPATH="") as running:
        page = running.client.get("/")
        script = re.search(r'src="(/assets/[^"]+\.js)"', page.text)
        assert script, page.text
        assert running.client.get(script[1]).headers["content-type"].startswith("text/javascript")
    found = subprocess.run(
        [empty / "bin" / "python", "-c", "import maththera; print(maththera.__file__)"],
        cwd=tmp_path, env={}, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert Path(found.strip()).is_relative_to(own)
