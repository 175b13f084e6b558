"""What a task's picture shows, in characters: two numbers that come together, one that goes away, a gap, groups."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from maththera.cli.terminal import counting_pictures

_JUMPS: Final = {
    "join": "→ {1}칸",
    "take": "← {1}칸",
    "gap": "→ {1}까지",
    "groups": "→ {0}칸씩 {1}번",
    "share": "{1}칸씩",
}


def draw(visual: Mapping[str, Any]) -> RenderableType:
    """The drawing of a task's `visual`."""
    return _MODES[visual["mode"]](visual["model"], *visual["shown"])


def _ten_frame(model: str, first: int, second: int) -> RenderableType:
    """● is there, ◎ comes to it, ○ goes away, □ is open."""
    if model == "take":
        return counting_pictures.split_frame(first - second, second, "●○")
    if model == "gap":
        return counting_pictures.split_frame(first, second - first, "●□")
    return counting_pictures.split_frame(first, second, "●◎")


def _number_line(model: str, first: int, second: int) -> RenderableType:
    start = 0 if model == "groups" else first
    furthest = {"join": first + second, "gap": second, "groups": first * second}.get(model, first)
    line = counting_pictures.number_line(0, max(furthest, 1), start)
    return Group(line, Text(_JUMPS[model].format(first, second), style="red"))


def _pieces(pieces_of: Callable[[int], RenderableType]) -> Callable[[str, int, int], RenderableType]:
    def drawn(model: str, first: int, second: int) -> RenderableType:
        if model == "take":
            return counting_pictures.side_by_side(
                [pieces_of(first), counting_pictures.leaving(second, pieces_of(second))]
            )
        if model == "gap":
            return Group(pieces_of(first), Text(f"{second}까지", style="green"))
        if model == "share":
            return Group(pieces_of(first), Text(f"{second}씩 묶기", style="green"))
        return counting_pictures.side_by_side([pieces_of(first), Text("+"), pieces_of(second)])

    return drawn


def _array(model: str, first: int, second: int) -> RenderableType:
    return counting_pictures.rows(first, second) if model == "groups" else counting_pictures.heap(first, second)


_MODES: Final[Mapping[str, Callable[[str, int, int], RenderableType]]] = {
    "ten_frame": _ten_frame,
    "number_line": _number_line,
    "base_ten": _pieces(counting_pictures.place_blocks),
    "coin": _pieces(counting_pictures.coins),
    "array": _array,
}
