"""The shipped courses, and the other files of these rooms, mean the same to every YAML parser."""

from pathlib import Path
from typing import Final

import pytest
import yaml

from maththera.settings import home

CONFIGS: Final = home() / "configs"
FILES: Final = [file for room in ("chat", "lessons", "llm", "servers") for file in (CONFIGS / room).rglob("*.yaml")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(CONFIGS)))
def test_a_stricter_parser_reads_the_same(file: Path) -> None:
    """libyaml takes `[왜?, 뭐?]` for two texts; PyYAML's own parser refuses it, as others may."""
    text = file.read_text(encoding="utf-8")
    assert yaml.load(text, yaml.SafeLoader) == yaml.load(text, yaml.CSafeLoader)
