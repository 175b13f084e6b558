"""Tasks of each kind as the service sends them, put on the screen of a child that is signed in."""

from typing import Any, Final

from playwright.sync_api import Page

from maththera.api.http_layer.response_models import TaskView

_PLAIN: Final = {"emphasis": None, "grid": False, "steps": None}
_STEPS: Final = [
    {"prompt": ["28에 2를 더하면?"], "expression": "28+2=□"},
    {"prompt": ["남은 13을 더하면?"], "expression": "30+13=□"},
]
_SHOWN: Final = [
    {"prompt": ["8이 10이 되려면?"], "expression": "8+2=10"},
    {"prompt": ["6에서 2를 떼면?"], "expression": "6−2=4"},
    {"prompt": ["10과 4를 모으면?"], "expression": "10+4=□"},
]


def task(kind: str, a: int, op: str, b: int | None, **more: Any) -> dict[str, Any]:
    """`result`: of a gap problem."""
    sign, result = {"+": "+", "-": "−", "x": "×", "/": "÷"}[op], more.pop("result", None)
    layout = more.pop("layout", "horizontal")
    presentation = _PLAIN | more.pop("presentation", {})
    found = {
        "task_id": f"t-{kind}-{a}",
        "kind": kind,
        "prompt": f"{a}{sign}{'□' if b is None else b}={'□' if result is None else result}",
        "answer_format": "integer",
        "problem": {
            "problem_id": "P-00847", "expression": f"{a}{op}{b}", "layout": layout,
            "a": a, "op": op, "b": b, "result": result,
        },
        "choices": [],
        "visual_mode": "none",
        "visual": None,
        "presentation": presentation,
        **more,
    }  # fmt: skip
    TaskView.model_validate(found)
    return found


def _visual(mode: str, model: str, *shown: int) -> dict[str, Any]:
    return {"mode": mode, "model": model, "shown": list(shown), "movable": True}


LINES: Final = ["괜찮아. 천천히 해.", "98에 몇이면 100?"]
_CHOICES: Final = [38, 41, 43, 45]
_FRAME: Final = {"visual_mode": "ten_frame", "visual": _visual("ten_frame", "join", 8, 6)}
_ROWS: Final = {"visual_mode": "array", "visual": _visual("array", "groups", 8, 7)}
SCENES: Final[dict[str, dict[str, Any]]] = {
    "choices": task("problem", 28, "+", 15, choices=_CHOICES),
    "pad": task("problem", 28, "+", 15),
    "gap": task("diagnostic_question", 98, "+", None, result=100),
    "columns": task("problem", 47, "+", 26, layout="vertical"),
    "columns_grid": task("probe", 347, "-", 168, layout="vertical", presentation={"grid": True}),
    "columns_choices": task("problem", 47, "+", 26, layout="vertical", choices=[63, 73, 613, 71]),
    "product": task("problem", 24, "x", 13, layout="vertical"),
    "operation": task("probe", 52, "-", 38, choices=[14, 90, 24, 16], presentation={"emphasis": "operation"}),
    "steps": task("probe", 28, "+", 15, presentation={"steps": _STEPS}),
    "example": task("worked_example", 8, "+", 6, presentation={"steps": _SHOWN}, **_FRAME) | {"prompt": "10+4=□"},
    "white_out": task("anchor", 8, "+", 6, **_FRAME),
    "blocks": task(
        "problem", 47, "-", 19, visual_mode="base_ten", visual=_visual("base_ten", "take", 47, 19)
    ),
    "line": task(
        "problem", 98, "+", 90, visual_mode="number_line", visual=_visual("number_line", "join", 98, 90)
    ),
    "line_between": task(
        "bridge", 98, "+", None, result=100, visual_mode="number_line", visual=_visual("number_line", "gap", 98, 100)
    ),
    "area": task("problem", 24, "x", 3, visual_mode="array", visual=_visual("array", "groups", 24, 3)),
    "nothing": task("problem", 5, "+", 0, visual_mode="array", visual=_visual("array", "gap", 5, 5)),
    "rows": task("problem", 7, "x", 8, choices=[48, 54, 56, 63], **_ROWS),
    "return": task("return", 28, "+", 15, choices=_CHOICES),
    "bridge": task("bridge", 30, "+", 15),
}  # fmt: skip
"""Name → task."""


def show(page: Page, shown: dict[str, Any], *, lines: bool = True) -> None:
    """`lines`: two lines of the tutor's stand above the problem."""
    view = page.evaluate(
        """async () => {
            const { students } = await (await fetch("/api/v1/me")).json();
            const body = JSON.stringify({ student_id: students[0].student_id, resume: true });
            const headers = { "X-Maththera": "1", "Content-Type": "application/json" };
            return (await fetch("/api/v1/sessions", { method: "POST", headers, body })).json();
        }"""
    )
    words = {"words": LINES} if lines else {}
    page.unroute_all()
    page.route(
        "**/api/v1/sessions",
        lambda route: route.fulfill(json={**view, "task": {**shown, **words}, "words": None, "phase": phase_of(shown)}),
    )
    page.goto("/play")
    page.locator(".problem.shown").wait_for()


def phase_of(shown: dict[str, Any]) -> str:
    return "white_out" if shown["kind"] == "anchor" else "normal"
