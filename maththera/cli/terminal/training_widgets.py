"""A training's drawings in the terminal: each widget from what an item asks and its parameters (`training_tasks`)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from maththera.arithmetic.problem import SIGNS
from maththera.cli.terminal import counting_pictures

Params = Mapping[str, Any]


def draw(widget: str, ask: str, params: Params) -> RenderableType:
    """The drawing of one item."""
    return _WIDGETS[widget](ask, params)


def _dot_flash(_: str, params: Params) -> RenderableType:
    dots = params["dots"]
    match params["pattern"]:
        case "ten_frame":
            return counting_pictures.ten_frame(dots)
        case "scattered":
            return counting_pictures.scattered(dots, params["layout"])
        case "fives":
            return counting_pictures.fives(dots)
        case "dice" if dots > 4:
            return counting_pictures.dice(dots)
    return counting_pictures.dots(dots)


def _compare(_: str, params: Params) -> RenderableType:
    if params.get("layout"):
        layouts = ((params["left"], params["layout"]), (params["right"], params["layout"] + 1))
        return counting_pictures.side_by_side(counting_pictures.scattered(*side) for side in layouts)

    def side(name: str, count: int) -> Text:
        return Text.assemble(f"{name}  ", str(count) if params["shown"] == "numbers" else counting_pictures.dots(count))

    return Group(side("왼쪽", params["left"]), side("오른쪽", params["right"]))


def _number_line(ask: str, params: Params) -> RenderableType:
    if ask == "missing":
        return Text("   ".join("□" if number is None else str(number) for number in params["sequence"]))
    if ask == "borrow_to_hundred":
        return counting_pictures.columns(params["a"], "+", params["b"])
    if ask == "neighbour":
        near = ["□", str(params["number"])][:: -params["step"]]
        return Text("   ".join(near), style="bold")
    line = counting_pictures.number_line(params["low"], params["high"], params.get("marked"))
    return Group(line, Text(f"카드: {params['target']}")) if ask == "place" else line


def _ten_frame(ask: str, params: Params) -> RenderableType:
    if ask == "take_from_ten":
        return counting_pictures.ten_frame(params["number"])
    more = [counting_pictures.ten_frame(params["add"])] if "add" in params else []
    return counting_pictures.side_by_side([counting_pictures.ten_frame(params["filled"]), *more])


def _part_whole(ask: str, params: Params) -> RenderableType:
    parts = (params["part"],) if ask == "part" else params["parts"]
    return counting_pictures.side_by_side([counting_pictures.dots(part) for part in parts])


def _base_ten(ask: str, params: Params) -> RenderableType:
    if ask == "digit_value":
        return Text(str(params["number"]), style="bold")
    return counting_pictures.blocks(params.get("hundreds", 0), params.get("tens", 0), params.get("ones", 0))


def _coin(ask: str, params: Params) -> RenderableType:
    if ask == "change":
        return counting_pictures.coins(params["pay"])
    small = params["coin"]
    return Text(f"({small * 10}) × {params['large']}     ({small}) × {params['small']}", style="yellow")


def _vertical(ask: str, params: Params) -> RenderableType:
    sign = "−" if ask in ("lend", "take_or_borrow") else "+"
    return counting_pictures.columns(params["a"], sign, params["b"])


def _digit_write(ask: str, params: Params) -> RenderableType:
    if ask == "write":
        if params["shown_as"] == "dots":
            return counting_pictures.dots(params["number"])
        return Text(f"소리: {params['number']}" if params["shown_as"] == "voice" else str(params["number"]))
    if ask == "word":
        return Text(params["word"], style="bold")
    if ask == "words":
        words = (f"{place}번 {word}" for place, word in enumerate(params["words"], start=1))
        return Group(Text(str(params["number"]), style="bold"), Text("    ".join(words)))
    cards = enumerate(params["mirrored"], start=1)
    return Text("    ".join(f"{place}번: {params['digit']}{' (거울)' if turned else ''}" for place, turned in cards))


def _copy(_: str, params: Params) -> RenderableType:
    return Text("     ".join(params[side] for side in ("source", "copied") if side in params))


def _stop_think_go(_: str, params: Params) -> RenderableType:
    return Text(f"{params['a']} {SIGNS[params['op']]} {params['b']}", style="bold")


def _array(ask: str, params: Params) -> RenderableType:
    if ask == "split":
        return Text(f"{params['a']} × {params['b']}", style="bold")
    if ask == "share":
        return counting_pictures.dots(params["total"])
    rows = params.get("rows", 2)
    return (
        Group(*(counting_pictures.dots(params["columns"]) for _ in range(rows))) if rows else counting_pictures.dots(0)
    )


_WIDGETS: Final[dict[str, Callable[[str, Params], RenderableType]]] = {
    "array": _array,
    "base_ten": _base_ten,
    "coin": _coin,
    "compare": _compare,
    "copy": _copy,
    "digit_write": _digit_write,
    "dot_flash": _dot_flash,
    "number_line": _number_line,
    "part_whole": _part_whole,
    "stop_think_go": _stop_think_go,
    "ten_frame": _ten_frame,
    "vertical": _vertical,
}
