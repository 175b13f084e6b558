"""The fonts of the page have every character that a child reads."""

import runpy
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

HOME = Path(__file__).parents[2]


@pytest.mark.parametrize("weight", [500, 700])
def test_no_text_for_a_child_has_a_character_outside_of_the_fonts(weight: int) -> None:
    needed = runpy.run_path(str(HOME / "scripts" / "web_fonts.py"))["child_characters"]()
    for part in ("child", "rest"):
        with TTFont(HOME / "web" / "fonts" / f"{part}-{weight}.woff2") as font:
            needed -= {chr(point) for point in font.getBestCmap()}
    assert not needed, "scripts/web_fonts.py chooses the characters; scripts/web fonts .venv/bin writes the fonts"
