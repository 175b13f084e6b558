"""Each task against an example worked by hand, and what it refuses."""

from typing import Any

import pytest

from maththera.tutoring.content.training_tasks import TASKS, TaskError, answers

EXAMPLES: list[tuple[str, str, dict[str, Any], tuple[int | str, ...]]] = [
    ("dot_flash", "how_many", {"dots": 7, "pattern": "ten_frame", "show_ms": 2000}, (7,)),
    ("dot_flash", "how_many", {"dots": 4, "pattern": "scattered", "show_ms": 300, "layout": 5}, (4,)),
    ("compare", "more", {"left": 3, "right": 5, "shown": "dots"}, ("오른쪽",)),
    ("compare", "more", {"left": 9, "right": 6, "shown": "dots", "show_ms": 1500, "layout": 5}, ("왼쪽",)),
    ("compare", "more", {"left": 4, "right": 4, "shown": "dots"}, ("같아",)),
    ("compare", "fewer", {"left": 3, "right": 5, "shown": "bars"}, ("왼쪽",)),
    ("number_line", "read", {"low": 0, "high": 20, "tick": 5, "marked": 15}, (15,)),
    ("number_line", "place", {"low": 0, "high": 100, "target": 50}, (50,)),
    ("number_line", "neighbour", {"number": 7, "step": 1}, (8,)),
    ("number_line", "neighbour", {"number": 10, "step": -1}, (9,)),
    ("number_line", "jump", {"low": 0, "high": 20, "start": 12, "jumps": [-1, -1, -1]}, (9,)),
    ("number_line", "missing", {"sequence": [20, 18, None, 14]}, (16,)),
    ("number_line", "missing", {"sequence": [None, 6, 9, 12]}, (3,)),
    ("number_line", "borrow_to_hundred", {"a": 98, "b": 90, "target": 100}, (2, 88, 188)),
    ("ten_frame", "total", {"filled": 8, "add": 6}, (14,)),
    ("ten_frame", "left", {"filled": 9, "take": 9}, (0,)),
    ("ten_frame", "beyond_five", {"filled": 7}, (2,)),
    ("ten_frame", "to_ten", {"filled": 8}, (2,)),
    ("ten_frame", "make_ten", {"filled": 8, "add": 6}, (2, 4, 14)),
    ("ten_frame", "take_from_ten", {"number": 15, "take": 8}, (2, 7)),
    ("part_whole", "whole", {"parts": [3, 5]}, (8,)),
    ("part_whole", "part", {"whole": 8, "part": 3}, (5,)),
    ("part_whole", "family", {"parts": [8, 5]}, (13, 5, 8)),
    ("base_ten", "value", {"hundreds": 2, "tens": 0, "ones": 8}, (208,)),
    ("base_ten", "group", {"ones": 34}, (3, 4, 34)),
    ("base_ten", "digit_value", {"number": 473, "place": "십의 자리"}, (70,)),
    ("base_ten", "open_ten", {"tens": 5, "ones": 2}, (4, 12)),
    ("base_ten", "open_hundred", {"hundreds": 3, "ones": 4}, (2, 9, 14)),
    ("coin", "exchange", {"coin": 1, "small": 13, "large": 2}, (3, 3, 33)),
    ("coin", "exchange", {"coin": 10, "small": 14, "large": 1}, (2, 4, 240)),
    ("coin", "change", {"pay": 100, "price": 98}, (2,)),
    ("vertical", "where", {"a": 120, "b": 34, "digit": 3}, ("십의 자리",)),
    ("vertical", "add_columns", {"a": 34, "b": 25}, (9, 5, 59)),
    ("vertical", "carry", {"a": 28, "b": 15}, (13, 1, 4, 43)),
    ("vertical", "carry_all", {"a": 367, "b": 285}, (12, 15, 6, 652)),
    ("vertical", "lend", {"a": 52, "b": 38}, (4, 4, 14)),
    ("vertical", "take_or_borrow", {"a": 81, "b": 38}, ("빌려 오기", 43)),
    ("vertical", "take_or_borrow", {"a": 67, "b": 24}, ("그냥 빼기", 43)),
    ("digit_write", "write", {"number": 41, "shown_as": "voice"}, (41,)),
    ("digit_write", "word", {"word": "스물넷"}, (24,)),
    ("digit_write", "words", {"number": 24, "words": ["마흔둘", "이십사", "서른넷"]}, ("2번",)),
    ("digit_write", "which_is_right", {"digit": 3, "mirrored": [True, False, True]}, ("2번",)),
    ("copy", "copy", {"source": "52−38", "hide_after_ms": 0}, ("52−38",)),
    ("copy", "same", {"source": "52−38", "copied": "52−83"}, ("달라",)),
    ("copy", "same", {"source": "52−38", "copied": "52−38"}, ("같아",)),
    ("stop_think_go", "about", {"a": 9, "op": "-", "b": 6, "than": 5, "wait_ms": 2000}, ("작아", 3)),
    ("stop_think_go", "about", {"a": 7, "op": "+", "b": 5, "than": 10, "wait_ms": 2000}, ("커", 12)),
    ("stop_think_go", "sign", {"a": 12, "op": "/", "b": 3, "wait_ms": 1500}, ("나누기", 4)),
    ("stop_think_go", "sign", {"a": 6, "op": "x", "b": 3, "wait_ms": 1500}, ("곱하기", 18)),
    ("array", "total", {"rows": 3, "columns": 0}, (0,)),
    ("array", "groups", {"rows": 4, "columns": 5}, (4, 5, 20)),
    ("array", "double", {"columns": 6}, (12,)),
    ("array", "near_double", {"columns": 6}, (12, 13)),
    ("array", "share", {"total": 12, "rows": 3}, (4,)),
    ("array", "family", {"rows": 6, "columns": 7}, (42, 7, 6)),
    ("array", "split", {"a": 24, "b": 3}, (60, 12, 72)),
]


@pytest.mark.parametrize(("widget", "ask", "params", "expected"), EXAMPLES)
def test_examples(widget: str, ask: str, params: dict[str, Any], expected: tuple[int | str, ...]) -> None:
    assert answers(widget, ask, params) == expected


def test_every_task_has_an_example() -> None:
    assert {(widget, ask) for widget, ask, _, _ in EXAMPLES} == TASKS.keys()


@pytest.mark.parametrize(
    ("widget", "ask", "params", "loc"),
    [
        ("ten_frame", "total", {"filled": 8}, ("add",)),
        ("ten_frame", "total", {"filled": 8, "add": 6, "colour": 1}, ("colour",)),
        ("ten_frame", "total", {"filled": 8, "add": -6}, ("add",)),
        ("ten_frame", "total", {"filled": 8, "add": "6"}, ("add",)),
        ("ten_frame", "total", {"filled": 18, "add": 6}, ("add",)),
        ("ten_frame", "left", {"filled": 5, "take": 6}, ("take",)),
        ("ten_frame", "beyond_five", {"filled": 4}, ("filled",)),
        ("ten_frame", "to_ten", {"filled": 11}, ("filled",)),
        ("ten_frame", "make_ten", {"filled": 4, "add": 6}, ("add",)),
        ("ten_frame", "take_from_ten", {"number": 15, "take": 4}, ("take",)),
        ("dot_flash", "how_many", {"dots": 4, "pattern": "dice", "show_ms": 300}, ("show_ms",)),
        ("number_line", "read", {"low": 0, "high": 10, "tick": 1, "marked": 11}, ("marked",)),
        ("number_line", "read", {"low": 0, "high": 10, "tick": 5, "marked": 4}, ("tick",)),
        ("number_line", "place", {"low": 0, "high": 10, "target": 11}, ("target",)),
        ("number_line", "jump", {"low": 0, "high": 10, "start": 9, "jumps": [1, 1]}, ("jumps",)),
        ("number_line", "missing", {"sequence": [1, 2, None, 5]}, ("sequence",)),
        ("number_line", "missing", {"sequence": [1, None, None, 4]}, ("sequence",)),
        ("number_line", "borrow_to_hundred", {"a": 98, "b": 1, "target": 100}, ("target",)),
        ("part_whole", "whole", {"parts": [1, 2, 3]}, ("parts",)),
        ("part_whole", "part", {"whole": 3, "part": 4}, ("part",)),
        ("base_ten", "value", {"hundreds": 0, "tens": 10, "ones": 1}, ("ones",)),
        ("base_ten", "digit_value", {"number": 36, "place": "백의 자리"}, ("place",)),
        ("base_ten", "open_ten", {"tens": 0, "ones": 2}, ("tens",)),
        ("base_ten", "open_hundred", {"hundreds": 0, "ones": 2}, ("hundreds",)),
        ("coin", "exchange", {"coin": 1, "small": 9, "large": 2}, ("small",)),
        ("coin", "change", {"pay": 100, "price": 101}, ("price",)),
        ("vertical", "where", {"a": 120, "b": 33, "digit": 3}, ("digit",)),
        ("vertical", "add_columns", {"a": 28, "b": 15}, ("b",)),
        ("vertical", "carry", {"a": 21, "b": 15}, ("b",)),
        ("vertical", "lend", {"a": 58, "b": 32}, ("b",)),
        ("vertical", "take_or_borrow", {"a": 24, "b": 32}, ("b",)),
        ("digit_write", "which_is_right", {"digit": 8, "mirrored": [True, False]}, ("digit",)),
        ("digit_write", "which_is_right", {"digit": 3, "mirrored": [False, False]}, ("mirrored",)),
        ("stop_think_go", "about", {"a": 5, "op": "+", "b": 5, "than": 10, "wait_ms": 0}, ("than",)),
        ("stop_think_go", "sign", {"a": 5, "op": "-", "b": 6, "wait_ms": 0}, ("b",)),
        ("stop_think_go", "sign", {"a": 5, "op": "/", "b": 2, "wait_ms": 0}, ("b",)),
        ("array", "share", {"total": 7, "rows": 2}, ("rows",)),
        ("array", "family", {"rows": 0, "columns": 2}, ("rows",)),
        ("array", "split", {"a": 20, "b": 2}, ("a",)),
        ("array", "dance", {}, ()),
        ("piano", "total", {}, ()),
    ],
)
def test_impossible_items_are_refused(widget: str, ask: str, params: dict[str, Any], loc: tuple[str, ...]) -> None:
    with pytest.raises(TaskError) as caught:
        answers(widget, ask, params)
    assert caught.value.loc == loc
