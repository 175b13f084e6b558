"""Tables of the terminal."""

from io import StringIO

import pytest
from rich.console import Console

from maththera.cli.text_tables import table, unbroken_column

TITLE = "수학에 어려움이 있는 아이를 위한 중재, 받아내림과 받아올림의 체계적 오류"


@pytest.mark.parametrize("width", range(24, 60))
def test_no_word_is_cut_whatever_the_width(width):
    shown = drawn(width, ("id", "title"), [("a1", TITLE)])

    assert "…" not in shown
    cells = "".join(line.split("│")[2] for line in shown.splitlines() if "│" in line)
    assert cells.replace(" ", "") == TITLE.replace(" ", "")


def test_an_id_stays_in_one_line_and_brackets_stand_as_they_are():
    shown = drawn(50, (unbroken_column("id"), "title"), [("0123456789abcdef", "[b] 중재 [/b] 연구 [1]" * 3)])

    assert "0123456789abcdef" in shown
    assert "[/b]" in shown


def drawn(width, titles, rows):
    out = StringIO()
    Console(file=out, width=width).print(table(titles, rows))
    return out.getvalue()
