"""Tasks of writing and attention: digits, copying, stop-think-go."""

from typing import Final, Literal

from pydantic import NonNegativeInt

from maththera.tutoring.content.training_tasks.task import Answer, require, task

_SIGN_NAMES: Final = {"+": "더하기", "-": "빼기", "x": "곱하기", "/": "나누기"}


@task("digit_write", "write")
def _write(number: NonNegativeInt, shown_as: Literal["voice", "dots", "outline"]) -> tuple[Answer, ...]:
    return (number,)


@task("digit_write", "which_is_right")
def _which_is_right(digit: NonNegativeInt, mirrored: list[bool]) -> tuple[Answer, ...]:
    """The place, counted from 1, of the only digit that is not mirrored."""
    require(digit <= 9 and digit not in (0, 1, 8), "digit", "looks the same in the mirror, or is none")
    require(mirrored.count(False) == 1, "mirrored", "exactly one must not be mirrored")
    return (f"{mirrored.index(False) + 1}번",)


@task("copy", "copy")
def _copy(source: str, hide_after_ms: NonNegativeInt) -> tuple[Answer, ...]:
    """The text written again; it is covered after so many milliseconds, 0: never."""
    return (source,)


@task("copy", "same")
def _same(source: str, copied: str) -> tuple[Answer, ...]:
    return ("같아" if source == copied else "달라",)


def _result(a: int, op: str, b: int) -> int:
    if op == "/":
        require(b > 0 and a % b == 0, "b", "leaves a remainder")
        return a // b
    result = {"+": a + b, "-": a - b, "x": a * b}[op]
    require(result >= 0, "b", "more than a")
    return result


@task("stop_think_go", "about")
def _about(
    a: NonNegativeInt, op: Literal["+", "-", "x", "/"], b: NonNegativeInt, than: NonNegativeInt, wait_ms: NonNegativeInt
) -> tuple[Answer, ...]:
    """The keys open after `wait_ms` milliseconds: is the answer larger than `than`; then the answer."""
    result = _result(a, op, b)
    require(result != than, "than", "is the answer")
    return ("커" if result > than else "작아", result)


@task("stop_think_go", "sign")
def _sign(
    a: NonNegativeInt, op: Literal["+", "-", "x", "/"], b: NonNegativeInt, wait_ms: NonNegativeInt
) -> tuple[Answer, ...]:
    """What is to be done; then the answer."""
    return (_SIGN_NAMES[op], _result(a, op, b))
