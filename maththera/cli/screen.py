"""What a child sees in the terminal. Each function draws one thing and returns it; nothing here reads or prints."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from rich import box
from rich.align import Align
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

_KINDS: Final = {
    "problem": "문제",
    "probe": "살짝 바꾼 문제",
    "diagnostic_question": "하나만 물어볼게",
    "anchor": "쉬운 것부터",
    "fine_adjustment": "한 걸음 더",
    "return": "아까 그 문제",
    "bridge": "징검다리 문제",
    "training": "연습",
}
_QUESTION: Final = re.compile(r"(\d+)([+−×÷])(\d+)=□")
_COIN_VALUES: Final = (100, 10, 1)
_MOST_DRAWN: Final = 12  # more pieces of one kind are written as a number: nobody counts thirty coins
_LINE_STEPS: Final = 10
_NOT_DRAWN: Final = Text("")


def task(shown: Mapping[str, Any], number: int, remaining: int) -> RenderableType:
    """The question in the middle, its picture, and the numbers to choose from."""
    parts: list[RenderableType] = [Align.center(Text(spaced(shown["prompt"]), style="bold"))]
    picture = visual(shown["visual_mode"], shown["prompt"])
    if picture is not _NOT_DRAWN:
        parts += [Text(), Align.center(picture)]
    if shown["choices"]:
        choices = Text("     ").join(Text(str(choice), style="cyan") for choice in shown["choices"])
        parts += [Text(), Align.center(choices)]
    title = f"{_KINDS[shown['kind']]} · {number}번째"
    return Panel(
        Padding(Group(*parts), (1, 2)), title=title, subtitle=f"남은 문제 {remaining}", box=box.ROUNDED, width=60
    )


def spaced(prompt: str) -> str:
    """8+6=□ → 8 + 6 = □"""
    return re.sub(r"([+−×÷=])", r" \1 ", prompt)


def feedback(said: Mapping[str, Any], *, correct: bool | None) -> RenderableType:
    style = "green" if correct else "yellow"
    lines = [Text(line, style=style) for line in said["feedback_text"]]
    if said["hint_text"]:
        lines.append(Text(f"힌트: {said['hint_text']}", style="magenta"))
    return Padding(Group(*lines), (0, 2))


def diagnosis(turn: Mapping[str, Any]) -> RenderableType:
    """For adults: what was seen, what it is taken for, what follows from it."""
    found, adapted = turn["diagnosis"], turn["adaptation"]
    table = Table.grid(padding=(0, 2))
    rows: list[tuple[str, object]] = [("반응", turn["response_pattern"])]
    if found:
        rows += [
            ("원인", f"{found['cause_tag']} ({found['confidence']}, {found['source']})"),
            ("후보", ", ".join(found["candidates"])),
            ("근거", found["reasoning"]),
        ]
    if adapted:
        rows.append(("경로", f"{adapted['route']}  C {adapted['c_adjustment']:+d}  W {adapted['w_adjustment']:+.1f}"))
    rows.append(("위치", f"C{turn['position']['c']}  W{turn['position']['w']:.1f}  {turn['phase']}"))
    for name, value in rows:
        table.add_row(Text(name, style="dim"), Text(str(value or "–"), style="dim"))
    return Padding(table, (0, 2))


def visual(mode: str, prompt: str) -> RenderableType:
    """A picture of the two numbers of the question; of a gap (98+□=100), the number that is there."""
    numbers = _numbers(prompt)
    if mode == "none" or not numbers:
        return _NOT_DRAWN
    if mode == "number_line":
        return _number_line(numbers)
    if mode == "vertical":
        return _columns(prompt)
    draw = {"ten_frame": _ten_frames, "coin": _coins, "base_ten": _blocks}[mode]
    return Table_row(draw(number) for number in numbers)


def _numbers(prompt: str) -> list[int]:
    if question := _QUESTION.fullmatch(prompt):
        return [int(question[1]), int(question[3])]
    return [int(number) for number in re.findall(r"\d+", prompt)[:1]]


def Table_row(pictures: Iterable[RenderableType]) -> RenderableType:  # noqa: N802
    row = Table.grid(padding=(0, 4))
    row.add_row(*pictures)
    return row


def _ten_frames(number: int) -> RenderableType:
    if number > 2 * 10:
        return _blocks(number)
    frames = []
    for start in range(0, max(number, 1), 10):
        dots = ["●" if start + place < number else "○" for place in range(10)]
        frames.append(f"{' '.join(dots[:5])}\n{' '.join(dots[5:])}")
    return Panel(Text("\n\n".join(frames), style="red"), box=box.SQUARE, expand=False)


def _coins(number: int) -> RenderableType:
    return _pieces(number, {100: "(100)", 10: "(10)", 1: "(1)"}, "yellow")


def _blocks(number: int) -> RenderableType:
    return _pieces(number, {100: "▦", 10: "┃", 1: "▪"}, "blue")


def _pieces(number: int, signs: Mapping[int, str], style: str) -> RenderableType:
    lines = []
    for value in _COIN_VALUES:
        count, number = divmod(number, value)
        if count > _MOST_DRAWN:
            lines.append(f"{signs[value]} × {count}")
        elif count:
            lines.append(" ".join([signs[value]] * count))
    return Panel(Text("\n".join(lines) or "0", style=style), box=box.SQUARE, expand=False)


def _number_line(numbers: list[int]) -> RenderableType:
    """Ten marks; the first number stands on one of them, the step depends on how far the second reaches."""
    reach = max(numbers)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if step * _LINE_STEPS >= reach or step == 100)
    start = max(0, numbers[0] - numbers[0] % step - step * _LINE_STEPS // 2) if reach > step * _LINE_STEPS else 0
    marks = [start + step * place for place in range(_LINE_STEPS + 1)]
    width = len(str(marks[-1])) + 2
    line = Text("┼".join(["─" * (width - 1)] * len(marks)))
    labels = Text("".join(str(mark).rjust(width) for mark in marks), style="green")
    return Group(line, labels)


def _columns(prompt: str) -> RenderableType:
    question = _QUESTION.fullmatch(prompt)
    if question is None:
        return _NOT_DRAWN
    width = max(len(question[1]), len(question[3])) + 2
    upper, lower = question[1].rjust(width), question[2] + question[3].rjust(width - 1)
    return Text("\n".join([upper, lower, "─" * width]), style="bold")
