"""How tasks are shown: the picture of their own numbers, their steps, and what a probe takes out."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from maththera.tutoring.problems.task_presentation import presentation, visual_aid
from maththera.tutoring.state import Kind, TutoringState
from tests.support.tutoring import rules


def draft(downscaling: str = "visual_aid", *, active: bool = True, removed: str | None = None) -> TutoringState:
    return {
        "downscaling": {"active": active, "strategy": downscaling, "visual_aids": [], "level": 0, "fast": 0},
        "current_step": "normal",
        "move": {"downscaling": downscaling},  # type: ignore[typeddict-item]
        "probe_state": {"removed_variable": removed} if removed else None,  # type: ignore[typeddict-item]
    }


@pytest.mark.parametrize(
    ("problem", "mode", "model", "shown"),
    [
        (make_problem(8, "+", 6), "ten_frame", "join", [8, 6]),
        (make_problem(10, "-", 4), "ten_frame", "take", [10, 4]),
        (make_problem(38, "+", 5), "number_line", "join", [38, 5]),
        (make_problem(98, "+", 90), "coin", "join", [98, 90]),
        (make_problem(801, "-", 472), "base_ten", "take", [801, 472]),
        (make_problem(801, "-", 472, layout="vertical"), "base_ten", "take", [801, 472]),
        (make_problem(40, "x", 3), "array", "groups", [40, 3]),
        (make_problem(56, "/", 8), "array", "share", [56, 8]),
        (make_problem(30, "-", 28, form="addend"), "number_line", "gap", [28, 30]),
        (make_problem(70, "/", 10, form="tens"), "base_ten", "share", [70, 10]),
    ],
    ids=lambda one: one.expression if isinstance(one, Problem) else "",
)
def test_the_aid_fits_skill_and_numbers(problem: Problem, mode: str, model: str, shown: list[int]) -> None:
    aid = visual_aid(draft(), "problem", problem)
    assert aid is not None
    assert (aid["mode"], aid["model"], aid["shown"]) == (mode, model, shown)


def test_every_problem_of_the_bank_has_an_aid_and_another_one_after_the_second_failure() -> None:
    for problem in rules().bank:
        first, second = (visual_aid(draft(strategy), "problem", problem) for strategy in ("", "step_separation"))
        assert first is not None
        assert second is not None
        assert first["shown"] == [problem.b, problem.a] if problem.form == "addend" else [problem.a, problem.b]


@pytest.mark.parametrize("kind", ["probe", "return"])
def test_probe_and_return_stand_alone(kind: Kind) -> None:
    problem = make_problem(28, "+", 15)
    assert visual_aid(draft(), kind, problem) is None
    assert presentation(draft("step_separation"), kind, problem)["steps"] is None
    assert visual_aid(draft(active=False), "problem", problem) is None


def test_a_task_in_steps_is_taken_apart_without_results() -> None:
    found = presentation(draft("step_separation"), "fine_adjustment", make_problem(8, "+", 6))
    assert found["steps"] == [
        {"prompt": ["8에서 10까지 가."], "expression": "8+□=10"},
        {"prompt": ["6에서 그만큼 덜어."], "expression": "6−○=□"},
        {"prompt": ["남은 만큼 더 가."], "expression": "10+○=□"},
    ]
    assert presentation(draft(), "fine_adjustment", make_problem(8, "+", 6))["steps"] is None


@pytest.mark.parametrize(
    ("removed", "emphasis", "grid"), [("operation", "operation", False), ("layout", None, True), ("carry", None, False)]
)
def test_a_probe_shows_what_it_takes_out(removed: str, emphasis: str | None, grid: bool) -> None:
    found = presentation(draft(removed=removed), "probe", make_problem(52, "-", 38))
    assert (found["emphasis"], found["grid"]) == (emphasis, grid)
