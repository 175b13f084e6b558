"""Every item of every training can be drawn in a terminal without telling its answer away."""

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from maththera.cli.terminal import training_widgets
from maththera.settings import home
from maththera.tutoring.content.trainings import load_trainings


def shown(drawing: Any) -> str:
    screen = StringIO()
    Console(file=screen, width=100).print(drawing)
    return screen.getvalue()


def test_every_item_can_be_drawn() -> None:
    configs = home() / "configs" / "tutoring"
    given = [
        plan.training(plan.draw(earlier=earlier, seed=earlier, level=level, limit=None))
        for plan in load_trainings(configs / "trainings.yaml", configs / "drawings.yaml").values()
        for level in (3, 8, 12, 14)
        for earlier in (0, 1)
    ]
    drawn = {
        item.id: shown(training_widgets.draw(item.widget or training.widget, item.ask, item.params))
        for training in given
        for item in training.items
    }
    assert drawn
    assert [item for item, drawing in drawn.items() if not drawing.strip()] == []


@pytest.mark.parametrize(
    ("widget", "ask", "params", "expected"),
    [
        ("dot_flash", "how_many", {"dots": 3, "pattern": "line", "show_ms": 0}, "● ● ●"),
        ("compare", "more", {"left": 1, "right": 2, "shown": "dots"}, "오른쪽  ● ●"),
        ("number_line", "missing", {"sequence": [5, 10, None, 20]}, "5   10   □   20"),
        ("ten_frame", "left", {"filled": 5, "take": 1}, "● ● ● ● ●"),
        ("base_ten", "value", {"hundreds": 1, "tens": 2, "ones": 0}, "┃ ┃"),
        ("coin", "exchange", {"coin": 1, "small": 13, "large": 2}, "(10) × 2     (1) × 13"),
        ("vertical", "lend", {"a": 52, "b": 38}, "− 38"),
        ("vertical", "carry", {"a": 28, "b": 15}, "+ 15"),
        ("stop_think_go", "sign", {"a": 8, "op": "-", "b": 3, "wait_ms": 0}, "8 − 3"),
        ("array", "double", {"columns": 3}, "● ● ●\n● ● ●"),
        ("digit_write", "which_is_right", {"digit": 3, "mirrored": [True, False]}, "1번: 3 (거울)    2번: 3"),
    ],
)
def test_what_a_drawing_shows(widget: str, ask: str, params: dict[str, Any], expected: str) -> None:
    assert expected in shown(training_widgets.draw(widget, ask, params))


def test_an_arrow_points_to_a_place_whose_number_is_not_there() -> None:
    params = {"low": 0, "high": 10, "tick": 1, "marked": 4}
    arrow, line, ends = shown(training_widgets.draw("number_line", "read", params)).splitlines()
    ticks = [place for place, sign in enumerate(line) if sign == "┼"]
    assert arrow.index("▼") == ticks[4]
    assert ends.split() == ["0", "10"]
