"""The types with which the page reads the API are those of the API."""

import json
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
GENERATOR = HOME / "web" / "node_modules" / ".bin" / "openapi-typescript"


@pytest.mark.slow
def test_the_types_of_the_page_are_those_of_the_api(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("node") is None or not GENERATOR.exists():
        pytest.skip("no Node here, or scripts/web has not installed the page's packages")
    runpy.run_path(str(HOME / "scripts" / "web_types.py"))["main"]()
    document = tmp_path / "document.json"
    document.write_text(json.dumps(json.loads(capsys.readouterr().out)))
    written = tmp_path / "api.d.ts"
    subprocess.run([GENERATOR, document, "--output", written], check=True, capture_output=True)
    committed = (HOME / "web" / "src" / "api.d.ts").read_text("utf-8")
    assert written.read_text("utf-8") == committed, "run scripts/web types .venv/bin"
