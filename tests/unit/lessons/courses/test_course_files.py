"""The shipped courses, and the other files of these rooms, mean the same to every YAML parser."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
import yaml

from maththera.settings import home

CONFIGS: Final = home() / "configs"
FILES: Final = [file for room in ("chat", "lessons", "llm", "servers") for file in (CONFIGS / room).rglob("*.yaml")]
JS_YAML: Final = Path(__file__).parents[4] / "web" / "node_modules" / "js-yaml"
READ: Final = """
const { readFileSync } = require("node:fs");
const [folder, ...files] = process.argv.slice(1);
const { load, CORE_SCHEMA } = require(folder);
console.log(JSON.stringify(files.map((file) => load(readFileSync(file, "utf8"), { schema: CORE_SCHEMA }))));
"""


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(CONFIGS)))
def test_a_stricter_parser_reads_the_same(file: Path) -> None:
    """libyaml takes `[왜?, 뭐?]` for two texts; PyYAML's own parser refuses it, as others may."""
    text = file.read_text(encoding="utf-8")
    assert yaml.load(text, yaml.SafeLoader) == yaml.load(text, yaml.CSafeLoader)


def test_a_parser_of_another_language_reads_the_courses_the_same() -> None:
    """Authors' editors read YAML 1.2, in which `on` and `12:30` are texts."""
    node = shutil.which("node")
    if node is None or not JS_YAML.is_dir():
        pytest.skip("Node or js-yaml is not here: `scripts/web check` fetches what the page needs")
    files = sorted((CONFIGS / "lessons" / "courses").rglob("*.yaml"))
    read = subprocess.run([node, "-e", READ, JS_YAML, *files], capture_output=True, check=True, text=True)
    for file, data in zip(files, json.loads(read.stdout), strict=True):
        own = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
        assert data == json.loads(json.dumps(own)), file
