"""What a child sees: the question, its picture, the words; and what an adult sees beside it."""

import re
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from maththera.api.session_turns import EXAMPLE_TURN
from maththera.api.sessions import EXAMPLE_SESSION
from maththera.cli.terminal import counting_pictures, play_screen
from maththera.tutoring.number_sense.items import Item, item, item_id

TASK = EXAMPLE_SESSION["task"]
CODES = re.compile(r"[A-Z]+_L\d|\bT\d\d\b|\b[CW]\d|[a-z]+_[a-z]+")
"""What an adult should not have to look up."""


def shown(drawing: Any) -> str:
    out = StringIO()
    Console(file=out, width=100).print(drawing)
    return out.getvalue()


def test_a_task_shows_question_choices_and_which_problem_it_is() -> None:
    text = shown(play_screen.task(TASK, 3, 15))
    assert "8 + 6 = □" in text
    assert all(choice in text for choice in ("12", "13", "14", "15"))
    assert "15문제 가운데 3번째" in text


def test_a_problem_in_columns_is_drawn_in_columns() -> None:
    problem = {**TASK["problem"], "a": 52, "op": "-", "b": 38, "layout": "vertical"}
    upright = {**TASK, "prompt": "52−38=□", "problem": problem}
    assert "− 38 " in shown(play_screen.task(upright, 1, 15)).replace("52 − 38", "")
    in_line = {**upright, "problem": {**problem, "layout": "horizontal"}}
    assert "− 38 " not in shown(play_screen.task(in_line, 1, 15)).replace("52 − 38", "")
    grid = {**in_line, "presentation": {**TASK["presentation"], "grid": True}}
    assert "− 38 " in shown(play_screen.task(grid, 1, 15)).replace("52 − 38", "")


def test_a_probe_of_the_sign_shows_the_sign() -> None:
    probe = {**TASK, "kind": "probe", "presentation": {**TASK["presentation"], "emphasis": "operation"}}
    assert "기호를 잘 봐!" in shown(play_screen.task(probe, 1, 15))
    assert "기호를 잘 봐!" not in shown(play_screen.task({**TASK, "kind": "probe"}, 1, 15))
    out = StringIO()
    Console(file=out, width=100, force_terminal=True, color_system="standard").print(play_screen.task(probe, 1, 15))
    assert re.search(r"\x1b\[1;7m \+ \x1b\[0m", out.getvalue())


def test_a_task_in_steps_shows_them() -> None:
    steps = [{"prompt": ["8을 10으로 채워."], "expression": "8+□=10"}]
    text = shown(play_screen.task({**TASK, "presentation": {**TASK["presentation"], "steps": steps}}, 1, 15))
    assert "8을 10으로 채워.   8+□=10" in text


def test_a_step_names_its_problem_and_a_solution_has_its_numbers() -> None:
    assert "8+6" in shown(play_screen.task({**TASK, "kind": "worked_example", "prompt": "10+4=□"}, 1, 15))
    steps = [{"prompt": ["10에 남은 수를 더해."], "expression": "10+4=14"}]
    text = shown(play_screen.solution({"problem": "8+6", "steps": steps, "equation": "8+6=14"}))
    assert "8+6=14" in text
    assert "10에 남은 수를 더해.   10+4=14" in text


@pytest.mark.parametrize("kind", list(play_screen._KINDS))
def test_every_kind_of_task_has_a_friendly_name(kind: str) -> None:
    assert play_screen._KINDS[kind] in shown(play_screen.task({**TASK, "kind": kind}, 2, 3))


@pytest.mark.parametrize(
    ("mode", "model", "numbers", "pieces"),
    [
        ("ten_frame", "join", (8, 6), ["● ● ● ◎ ◎", "◎ ◎ ◎ ◎ ·"]),
        ("ten_frame", "take", (10, 4), ["● ● ● ● ●", "● ○ ○ ○ ○"]),
        ("ten_frame", "gap", (8, 10), ["● ● ● □ □"]),
        ("ten_frame", "join", (0, 0), ["· · · · ·"]),
        ("coin", "gap", (98, 100), ["(10) (10) (10) (10) (10) (10) (10) (10) (10)", "100까지"]),
        ("coin", "take", (120, 5), ["(100)", "│ (10) ", "5 덜기", "● ● ● ● ● ○ ○ ○ ○ ○"]),
        ("base_ten", "join", (367, 285), ["▦ ▦ ▦", "┃ ┃ ┃ ┃ ┃ ┃", "+"]),
        ("base_ten", "take", (52, 38), ["┃ ╎ ╎ ╎", "▪ ▪ ▪ ▪ ▫ ▫ ▫ ▫ ▫ ▫ ▫ ▫", "▫ 38 덜기"]),
        ("base_ten", "share", (70, 10), ["10씩 묶기"]),
        ("number_line", "join", (38, 5), ["┼", "▼", "→ 5칸"]),
        ("number_line", "take", (8, 3), ["┼", "▼", "← 3칸"]),
        ("number_line", "gap", (28, 30), ["→ 30까지"]),
        ("number_line", "groups", (7, 8), ["→ 7칸씩 8번"]),
        ("number_line", "share", (56, 8), ["8칸씩"]),
        ("array", "groups", (3, 2), ["● ● ●\n● ● ●"]),
        ("array", "groups", (23, 4), ["23 × 4"]),
        ("array", "share", (12, 3), ["● ●", "3씩 묶기"]),
    ],
)
def test_a_picture_shows_the_operation(mode: str, model: str, numbers: tuple[int, int], pieces: list[str]) -> None:
    text = "\n".join(line.rstrip() for line in shown(counting_pictures.draw(visual(mode, model, numbers))).splitlines())
    assert [piece for piece in pieces if piece not in text] == []


def visual(mode: str, model: str, numbers: tuple[int, int]) -> dict[str, Any]:
    return {"mode": mode, "model": model, "shown": [*numbers], "movable": True}


def test_the_number_that_is_asked_for_is_not_written() -> None:
    for mode in ("number_line", "base_ten", "coin"):
        for model, numbers, asked in (("join", (38, 5), "43"), ("take", (52, 8), "44"), ("gap", (28, 57), "29")):
            assert asked not in shown(counting_pictures.draw(visual(mode, model, numbers)))


def test_what_is_taken_away_is_no_second_heap() -> None:
    frame = shown(counting_pictures.draw(visual("ten_frame", "take", (10, 4))))
    assert (frame.count("●"), frame.count("○")) == (6, 4)


@pytest.mark.parametrize("numbers", [(13, 3), (52, 38), (300, 7), (503, 278), (40, 40), (999, 90), (8, 0)])
@pytest.mark.parametrize(
    ("mode", "signs"), [("base_ten", "▦┃▪□╎▫"), ("coin", ["(100)", "(10)", "●", "(---)", "(--)", "○"])]
)
def test_as_many_pieces_are_left_as_the_difference(mode: str, signs: list[str], numbers: tuple[int, int]) -> None:
    picture = shown(counting_pictures.draw(visual(mode, "take", numbers))).partition("덜기")[0].rpartition("└")[0]
    worth = [picture.count(sign) * value for sign, value in zip(signs, (100, 10, 1) * 2, strict=True)]
    assert (sum(worth[:3]), sum(worth[3:])) == (numbers[0] - numbers[1], numbers[1])


def test_many_pieces_become_a_number() -> None:
    assert "▦ × 13" in shown(counting_pictures.blocks(13, 0, 0))


def test_feedback_has_its_lines_and_its_hint() -> None:
    turn = {**EXAMPLE_TURN, "feedback": {**EXAMPLE_TURN["feedback"], "hint_text": "10을 먼저!"}}
    text = shown(play_screen.feedback(turn))
    assert "정답이야!" in text
    assert "힌트: 10을 먼저!" in text


STEP: dict[str, Any] = {
    "seen": ["14라고 답했어요.", "맞았지만 이 아이에게 느린 답이에요."],
    "why": [],
    "follows": ["같은 단계에서 더 편해지도록 연습해요."],
}


def test_a_diagnosis_has_its_sentences_and_where_the_child_stands() -> None:
    text = shown(play_screen.diagnosis(STEP, 7))
    assert all(one in text for one in (*STEP["seen"], *STEP["follows"], "까닭    –"))
    assert "받아올림이 있는 (한 자리)+(한 자리)" in text
    assert "수 감각" in shown(play_screen.diagnosis(STEP, 0))


@pytest.mark.parametrize("width", range(60, 80))
def test_the_reasons_of_a_diagnosis_are_whole_at_every_width(width: int) -> None:
    why = "다른 원인은 앞의 답들과 맞지 않는다. 이 시간의 답 5개와 맞고, 모든 답을 보면 가능성 100%."
    out = StringIO()
    Console(file=out, width=width).print(play_screen.diagnosis({**STEP, "why": [why]}, 7))
    assert "…" not in out.getvalue()


SUMMARY: dict[str, Any] = {
    "answered": 9,
    "right": 6,
    "closed": 4,
    "solved": 3,
    "median_rt_ms": 2500,
    "causes": [{"cause_tag": "X", "name": "10 만들기가 아직 어려움"}],
    "trainings": ["T12"],
    "trainings_done": [],
    "position_before": {"c": 7, "w": 4.5},
    "position_after": {"c": 8, "w": 5.0},
    "again": ["28+15"],
    "unlearnt": [],
    "ended_because": "stop",
    "words": ["오늘도 애썼어."],
}


def test_the_summary_is_kind_to_the_child_and_full_for_the_adult() -> None:
    child = shown(play_screen.summary(SUMMARY, show_diagnosis=False))
    assert "해 본 문제  4" in child
    assert "푼 문제     3" in child
    assert not any(number in child for number in "69")
    assert "초" not in child
    assert "10 만들기" not in child
    adult = shown(play_screen.summary(SUMMARY, show_diagnosis=True))
    assert "받아올림이 있는 (한 자리)+(한 자리)" in adult
    assert "두 자리 수의 덧셈" in adult
    assert not CODES.search(adult)
    assert "10 만들기가 아직 어려움" in adult
    assert "28+15" in adult
    assert "9번, 맞은 답 6번" in adult
    assert "2.5초" in adult
    assert "초" not in shown(play_screen.summary({**SUMMARY, "median_rt_ms": None}, show_diagnosis=True))


def drawn_item(kind: str, level: int) -> tuple[Item, str]:
    one = item(item_id(kind, level, 3))
    shown_task = {**TASK, "kind": "widget", "prompt": one.prompt, "choices": [], "problem": None, "widget": one.widget}
    return one, shown(play_screen.task(shown_task, None, 15))


@pytest.mark.parametrize(("kind", "level"), [("N1.subitize", 3), ("N2.structured", 1), ("enumerate", 9)])
def test_the_dots_of_an_item_are_as_many_as_its_answer(kind: str, level: int) -> None:
    one, text = drawn_item(kind, level)
    assert text.count("●") == one.answer
    assert "문제 가운데" not in text


def test_two_fields_of_dots_stand_side_by_side() -> None:
    one, text = drawn_item("N3.compare", 2)
    sides = [one.widget["params"][side] for side in ("left", "right")]
    assert text.count("●") == sum(side for side in sides if isinstance(side, int))
    assert "왼쪽이면 1" in text


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_a_line_has_numbers_at_its_ends_only_and_a_letter_near_each_place(level: int) -> None:
    one, text = drawn_item("N5.line", level)
    numbers = re.findall(r"\d+", text)
    assert numbers == [str(one.answer), "0", str(one.range)]
    letters = next(line for line in text.splitlines() if " a b c " in line).strip("│ ").split()
    places = [counting_pictures.place_of_letter(0, one.range, letter) for letter in letters]
    assert places[0] == 0
    assert places[-1] == one.range
    assert any(place is not None and one.is_right(place) for place in places)
    assert counting_pictures.place_of_letter(0, one.range, "?") is None


def test_number_words_and_neighbours_are_written_out() -> None:
    for kind, name in (("N4.next", "number"), ("copy", "source")):
        one, text = drawn_item(kind, 1)
        assert str(one.widget["params"][name]) in text
