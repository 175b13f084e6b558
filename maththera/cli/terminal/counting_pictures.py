"""The drawings that help to count, in characters: frames, coins, blocks, lines and columns; and those of a task, where
two numbers come together, one goes away, or a gap or groups are shown.
"""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from string import ascii_lowercase
from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

_FRAME: Final = 10
_MOST_DRAWN: Final = 12  # of one kind; nobody counts thirty coins, so more are written as a number
_MARKS: Final = 10
_ROWS: Final = 6
_COLUMNS: Final = 10
_FACES: Final = {1: "     \n  ●  \n     ", 2: "●    \n     \n    ●", 3: "●    \n  ●  \n    ●", 4: "●   ●\n     \n●   ●"}

Signs = tuple[str, str, str]
"""How a hundred, a ten and a one are drawn."""
_BLOCKS: Final[Signs] = ("▦", "┃", "▪")
_BLOCKS_AWAY: Final[Signs] = ("□", "╎", "▫")
_COINS: Final[Signs] = ("(100)", "(10)", "●")
_COINS_AWAY: Final[Signs] = ("(---)", "(--)", "○")
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100)


def side_by_side(pictures: Iterable[RenderableType]) -> RenderableType:
    row = Table.grid(padding=(0, 4))
    row.add_row(*pictures)
    return row


def dots(count: int) -> Text:
    return Text(" ".join("●" * count) or "·", style="red")


def scattered(count: int, layout: int) -> RenderableType:
    """Dots in no order, in a field of cells; `layout` draws which."""
    chance = Random(layout)  # noqa: S311 - a picture, the same each time
    filled = {*chance.sample(range(_ROWS * _COLUMNS), count)}
    cells = ["●" if cell in filled else " " for cell in range(_ROWS * _COLUMNS)]
    rows = (cells[start : start + _COLUMNS] for start in range(0, len(cells), _COLUMNS))
    return _boxed("\n".join(map(" ".join, rows)), "red")


def fives(count: int) -> RenderableType:
    """Rows of five, and the rest below."""
    return _boxed("\n".join(" ".join("●" * min(5, count - start)) for start in range(0, count, 5)), "red")


def dice(count: int) -> RenderableType:
    """A dice for each five, and one for the rest."""
    faces = ["●   ●\n  ●  \n●   ●"] * (count // 5)
    rest = count % 5
    faces += [_FACES[rest]] if rest else []
    return side_by_side([_boxed(face, "red") for face in faces])


def ten_frame(number: int) -> RenderableType:
    """Two rows of five, and a second frame from 11 on; numbers that need a third are blocks."""
    if number > 2 * _FRAME:
        return place_blocks(number)
    frames = []
    for start in range(0, max(number, 1), _FRAME):
        cells = ["●" if start + place < number else "○" for place in range(_FRAME)]
        frames.append(f"{' '.join(cells[:5])}\n{' '.join(cells[5:])}")
    return _boxed("\n\n".join(frames), "red")


def coins(number: int) -> RenderableType:
    """Coins of a hundred and of ten, and counters for the ones."""
    return _boxed(_pieces(zip(_COINS, _places(number), strict=True)), "yellow")


def blocks(hundreds: int, tens: int, ones: int) -> RenderableType:
    return _boxed(_pieces(zip(_BLOCKS, (hundreds, tens, ones), strict=True)), "blue")


def place_blocks(number: int) -> RenderableType:
    """A number in hundreds, tens and ones."""
    return blocks(*_places(number))


def columns(a: int, sign: str, b: int) -> RenderableType:
    """One number below the other, place under place."""
    width = max(len(str(a)), len(str(b))) + 2
    return Text(f"{a:>{width}}\n{sign}{b:>{width - 1}}\n{'─' * width}", style="bold")


def number_line(low: int, high: int, mark: int | None = None) -> RenderableType:
    """From `low` to `high` or a little beyond, every mark labelled; with an arrow at `mark` only the ends are."""
    step = next((step for step in _STEPS if step * _MARKS >= high - low), _STEPS[-1])
    marks = range(low, high + step, step)
    width = len(str(marks[-1])) + 2
    line = Text("┼".rjust(width, "─") * len(marks))
    if mark is None:
        return Group(line, Text("".join(str(each).rjust(width) for each in marks), style="green"))
    arrow = " " * (round((mark - low) / step * width) + width - 1) + "▼"
    ends = str(low).rjust(width) + str(marks[-1]).rjust(width * (len(marks) - 1))
    return Group(Text(arrow, style="red"), line, Text(ends, style="green"))


def lettered_line(low: int, high: int) -> RenderableType:
    """A line with numbers at its ends only; the letters name places, evenly spread (`place_of_letter`)."""
    count = len(_letters(low, high))
    ends = str(low).ljust(2 * count - len(str(high))) + str(high)
    return Group(Text(" ".join(_letters(low, high)), style="cyan"), Text("┼─" * (count - 1) + "┼"), Text(ends))


def place_of_letter(low: int, high: int, letter: str) -> int | None:
    """The number at a letter of `lettered_line`; None for what is no letter of it."""
    letters = _letters(low, high)
    if len(letter) != 1 or letter not in letters:
        return None
    return low + round(letters.index(letter) * (high - low) / (len(letters) - 1))


def _letters(low: int, high: int) -> str:
    return ascii_lowercase[: min(len(ascii_lowercase), high - low + 1)]


def split_frame(there: int, more: int, signs: str) -> RenderableType:
    """Ten frames in which `there` cells hold the first sign, the next `more` the second, the rest of a frame a dot."""
    cells = (signs[0] * there + signs[1] * more).ljust(-(-max(there + more, 1) // _FRAME) * _FRAME, "·")
    rows = [" ".join(cells[start : start + 5]) for start in range(0, len(cells), 5)]
    frames = ["\n".join(rows[start : start + 2]) for start in range(0, len(rows), 2)]
    return _boxed("\n\n".join(frames), "red")


def pieces_left(number: int, gone: int, there: Signs, away: Signs, style: str) -> RenderableType:
    """The pieces of a number, of which those for `gone` go away; a ten or a hundred is broken up where it has to be."""
    whole, parts = [*_places(number)], _places(gone)
    for place in (2, 1):
        if whole[place] < parts[place]:
            whole[place - 1], whole[place] = whole[place - 1] - 1, whole[place] + _FRAME
    counted = zip(there, away, whole, parts, strict=True)
    lines = [" ".join([here] * (all_of - part) + [out] * part) for here, out, all_of, part in counted]
    return Group(_boxed("\n".join(filter(None, lines)) or "0", style), Text(f"{away[-1]} {gone} 덜기", style="green"))


def rows(each: int, count: int) -> RenderableType:
    """An array of dots; beyond ten in a row, an area with its sides."""
    if max(each, count) > _FRAME:
        return _boxed(f"{each} × {count}", "blue")
    return Group(*(dots(each) for _ in range(count))) if count else dots(0)


def heap(count: int, each: int) -> RenderableType:
    """Dots in rows of ten, to be put into groups."""
    lines = [min(_FRAME, count - start) for start in range(0, count, _FRAME)]
    return Group(*(dots(line) for line in lines), Text(f"{each}씩 묶기", style="green"))


def _places(number: int) -> tuple[int, int, int]:
    return number // 100, number // 10 % 10, number % 10


def _pieces(counted: Iterable[tuple[str, int]]) -> str:
    lines = []
    for sign, count in counted:
        if count > _MOST_DRAWN:
            lines.append(f"{sign} × {count}")
        elif count:
            lines.append(" ".join([sign] * count))
    return "\n".join(lines) or "0"


def _boxed(text: str, style: str) -> RenderableType:
    return Panel(Text(text, style=style), box=box.SQUARE, expand=False)


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
        return split_frame(first - second, second, "●○")
    if model == "gap":
        return split_frame(first, second - first, "●□")
    return split_frame(first, second, "●◎")


def _number_line(model: str, first: int, second: int) -> RenderableType:
    start = 0 if model == "groups" else first
    furthest = {"join": first + second, "gap": second, "groups": first * second}.get(model, first)
    line = number_line(0, max(furthest, 1), start)
    return Group(line, Text(_JUMPS[model].format(first, second), style="red"))


def _base_ten(model: str, first: int, second: int) -> RenderableType:
    if model == "take":
        return pieces_left(first, second, _BLOCKS, _BLOCKS_AWAY, "blue")
    return _with_pieces(place_blocks, model, first, second)


def _coin(model: str, first: int, second: int) -> RenderableType:
    if model == "take":
        return pieces_left(first, second, _COINS, _COINS_AWAY, "yellow")
    return _with_pieces(coins, model, first, second)


def _with_pieces(pieces_of: Callable[[int], RenderableType], model: str, first: int, second: int) -> RenderableType:
    if model == "gap":
        return Group(pieces_of(first), Text(f"{second}까지", style="green"))
    if model == "share":
        return Group(pieces_of(first), Text(f"{second}씩 묶기", style="green"))
    return side_by_side([pieces_of(first), Text("+"), pieces_of(second)])


def _array(model: str, first: int, second: int) -> RenderableType:
    return rows(first, second) if model == "groups" else heap(first, second)


_MODES: Final[Mapping[str, Callable[[str, int, int], RenderableType]]] = {
    "ten_frame": _ten_frame,
    "number_line": _number_line,
    "base_ten": _base_ten,
    "coin": _coin,
    "array": _array,
}
