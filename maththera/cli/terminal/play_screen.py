"""What a child sees in the terminal. Each function draws one thing and returns it; nothing here reads or prints."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rich import box
from rich.align import Align
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from maththera.arithmetic.curriculum import unit
from maththera.arithmetic.problem import SIGNS
from maththera.cli.terminal import counting_pictures, training_widgets

_KINDS: Final = {
    "problem": "문제",
    "probe": "살짝 바꾼 문제",
    "diagnostic_question": "하나만 물어볼게",
    "anchor": "쉬운 것부터",
    "fine_adjustment": "한 걸음 더",
    "return": "아까 그 문제",
    "bridge": "징검다리 문제",
    "worked_example": "같이 풀어 보자",
    "widget": "보고 답하기",
}
_WIDTH: Final = 64
_SIDES: Final = Text("왼쪽이면 1, 오른쪽이면 2", style="dim")
_SIGN_FIRST: Final = Text("기호를 잘 봐!", style="bold")  # in words too: a terminal may draw nothing reversed
_EMPTY_LINE: Final = Text(" ")  # an empty text has no height in an Align


def task(shown: Mapping[str, Any], number: int | None, total: int) -> RenderableType:
    """The screen for one task: the question in the middle, its picture, and the choices. `number`: the place of its
    problem among the session's `total`; tasks that lead back to a problem keep its number, and a task that belongs to
    none has None."""
    subtitle = f"{total}문제 가운데 {number}번째" if number else None
    story = shown["presentation"].get("story")
    question = Text(story or re.sub(r"([+−×÷=])", r" \1 ", shown["prompt"]), style="bold")
    parts: list[RenderableType] = [question]
    if shown["presentation"]["emphasis"] == "operation":
        question.highlight_regex(r" [+−×÷] ", "reverse")
        parts += [_SIGN_FIRST]
    if (widget := shown.get("widget")) is not None:
        parts += [_EMPTY_LINE, _widget(widget["name"], widget["ask"], widget["params"])]
    for picture in _pictures(shown):
        parts += [_EMPTY_LINE, picture]
    if shown["choices"]:
        parts += [_EMPTY_LINE, Text("     ".join(str(choice) for choice in shown["choices"]), style="cyan")]
    return Panel(
        Padding(Group(*(Align.center(part) for part in parts)), (1, 2)),
        title=_title(shown),
        subtitle=subtitle,
        box=box.ROUNDED,
        width=_WIDTH,
    )


def _widget(name: str, ask: str, params: Mapping[str, Any]) -> RenderableType:
    """An item of number sense. On a line the places have letters: a number typed would not have to be placed."""
    if ask == "place":
        return counting_pictures.lettered_line(params["low"], params["high"])
    picture = training_widgets.draw(name, ask, params)
    return Group(picture, _SIDES) if name == "compare" else picture


def _title(shown: Mapping[str, Any]) -> str:
    """The kind of task; of a step, also the problem that it belongs to."""
    kind = _KINDS[shown["kind"]]
    return f"{kind} · {shown['problem']['expression']}" if shown["kind"] == "worked_example" else kind


def _pictures(shown: Mapping[str, Any]) -> Iterator[RenderableType]:
    """The numbers below each other where they stand so, the picture, the steps."""
    problem, presentation = shown["problem"], shown["presentation"]
    stands = problem is not None and (problem["layout"] == "vertical" or presentation["grid"])
    if stands and problem["b"] is not None and not presentation.get("story"):
        yield counting_pictures.columns(problem["a"], SIGNS[problem["op"]], problem["b"])
    if shown["visual"] is not None:
        yield counting_pictures.draw(shown["visual"])
    if presentation["steps"]:
        yield _steps(presentation["steps"])


def _steps(steps: Sequence[Mapping[str, Any]]) -> RenderableType:
    return Group(*(Text(f"{' '.join(step['prompt'])}   {step['expression']}") for step in steps))


def solution(found: Mapping[str, Any]) -> RenderableType:
    """A problem that was worked through."""
    return Padding(Panel(_steps(found["steps"]), title=found["equation"], box=box.ROUNDED, expand=False), (0, 2))


def said(lines: list[str], hint: str | None = None, *, style: str = "yellow") -> RenderableType:
    """What the tutor says."""
    shown = [Text(line, style=style) for line in lines]
    if hint:
        shown.append(Text(f"힌트: {hint}", style="magenta"))
    return Padding(Group(*shown), (0, 2, 1, 2))


def feedback(turn: Mapping[str, Any]) -> RenderableType:
    """The words of a turn."""
    words = turn["feedback"]
    return said(words["feedback_text"], words["hint_text"], style="green" if turn["correct"] else "yellow")


def diagnosis(step: Mapping[str, Any], c: int) -> RenderableType:
    """For adults: what was seen, what it is taken for, what follows from it. `step`: the last of the session's steps;
    `c`: where the child stands now."""
    rows = {"본 것": step["seen"], "까닭": step["why"], "이어서": step["follows"], "지금": [_unit(c)]}
    table = Table.grid(padding=(0, 2))
    for name, sentences in rows.items():
        table.add_row(Text(name), Text("\n".join(sentences) or "–", overflow="fold"))
    return Padding(Panel(table, title="진단", box=box.SIMPLE, style="dim", expand=False), (0, 2))


def _unit(c: int) -> str:
    return unit(c).title if c else "수 감각"


def training(content: Mapping[str, Any]) -> RenderableType:
    """How a training begins."""
    intro = Group(*(Align.center(Text(line)) for line in content["prompts"]["intro"]))
    return Panel(Padding(intro, (1, 2)), title=f"연습 · {content['title']}", box=box.ROUNDED, width=_WIDTH)


def summary(found: Mapping[str, Any], *, show_diagnosis: bool) -> RenderableType:
    """The end: what was done. That nothing was solved, how many answers were given and how long it took, is for
    adults; which trainings may follow stands in the diagnosis of the last turn."""
    before, after = found["position_before"], found["position_after"]
    rows = {"해 본 문제": f"{found['closed']}"}
    if found["solved"] or show_diagnosis:
        rows["푼 문제"] = f"{found['solved']}"
    if show_diagnosis:
        rows["답"] = f"{found['answered']}번, 맞은 답 {found['right']}번"
        if found["median_rt_ms"] is not None:
            rows["걸린 시간"] = f"보통 {found['median_rt_ms'] / 1000:.1f}초"
        rows["처음"], rows["지금"] = _unit(before["c"]), _unit(after["c"])
        rows["원인"] = ", ".join(cause["name"] for cause in found["causes"]) or "–"
        rows["다음에"] = ", ".join((*found["again"], *found["unlearnt"])) or "–"
    table = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        table.add_row(Text(name), Text(value, overflow="fold"))
    return Panel(
        Padding(Align.center(table), (1, 2)),
        title="오늘 여기까지",
        box=box.ROUNDED,
        width=_WIDTH,
    )
