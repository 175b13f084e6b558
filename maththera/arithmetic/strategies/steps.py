"""The steps of a solution: what is done, a true equation, and the picture of exactly that equation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from maththera.arithmetic.problem import SIGNS, Problem, ProblemError, make_problem
from maththera.korean.particles import with_particle

Mode = Literal["ten_frame", "base_ten", "number_line", "columns", "array", "coin"]
Model = Literal["join", "take", "gap", "groups", "share"]

MODELS: Final[Mapping[str, Model]] = {"+": "join", "-": "take", "x": "groups", "/": "share"}
_LARGEST: Final[Mapping[Mode, int]] = {
    "ten_frame": 20, "number_line": 100, "array": 9999, "coin": 199, "base_ten": 1999, "columns": 10**12,
}  # fmt: skip
PLACES: Final = ("일", "십", "백", "천", "만", "십만", "백만", "천만", "억", "십억", "백억", "천억", "조")
"""The names of the places of a number, ones first."""

_COUNTED: Final = 10
"""The most that is counted one by one."""
_DRAWN: Final = 20
_BY_PLACES: Final = 100
"""From here on a number is added and taken place by place."""
_SOUGHT: Final = "□"
_EARLIER: Final = "○"


class Found(int):
    """A number that an earlier step has found: the problem does not give it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn: join, the two numbers that come together; take, the whole and what goes away; gap, what is there
    and what it shall become; groups, how many in each and how many of them; share, the whole and how many in each."""

    mode: Mode
    model: Model
    shown: tuple[int, int]

    @property
    def fits(self) -> bool:
        """Whether the numbers are small enough to be seen in such a picture."""
        largest = self.shown[0] + self.shown[1] if self.model == "join" else max(self.shown)
        if self.mode == "number_line" and self.model == "groups":
            largest = self.shown[0] * self.shown[1]
        return largest <= _LARGEST[self.mode]


@dataclass(frozen=True, slots=True)
class Step:
    """`left op right = result`, where the child finds the result, or `right` (`fills`). `say` tells what to do in the
    tutor's tone and names no number that is yet to be found. `place`: of a step in columns, where its digits stand:
    0 for the ones, 1 for the tens."""

    say: str
    left: int
    op: str
    right: int
    result: int
    mode: Mode
    fills: bool = False
    place: int = 0

    @property
    def found(self) -> int:
        """The number that the step finds."""
        return self.right if self.fills else self.result

    @property
    def problem(self) -> Problem | None:
        """The problem that the equation is; None where a part of it is sought, or it lies outside of what is asked."""
        if self.fills:
            return None
        try:
            return make_problem(int(self.left), self.op, int(self.right))
        except ProblemError:
            return None

    @property
    def expression(self) -> str:
        """8+2=10"""
        return self._written(str(self.left), str(self.right), str(self.result))

    @property
    def line(self) -> str:
        """What is done and what comes of it: 8을 10으로 채워. 8+2=10"""
        return f"{self.say} {self.expression}"

    @property
    def outline(self) -> str:
        """The equation before any step is done: □ for what this one finds, ○ for what an earlier one does: 6−○=□."""
        left, right = (_EARLIER if isinstance(one, Found) else str(one) for one in (self.left, self.right))
        return self._written(left, _SOUGHT, str(self.result)) if self.fills else self._written(left, right, _SOUGHT)

    @property
    def question(self) -> str:
        """The equation when its step is to be done: □ for what it finds. 8+□=10"""
        left, right = str(self.left), str(self.right)
        return self._written(left, _SOUGHT, str(self.result)) if self.fills else self._written(left, right, _SOUGHT)

    @property
    def hint(self) -> str:
        """How its number may be found with nothing but counting. It does not name that number."""
        match self.op:
            case "+" if self.fills:
                return _hint_to_fill(self.left, self.result)
            case "+":
                return _hint_to_add(max(self.left, self.right), min(self.left, self.right))
            case "-":
                return _hint_to_take(self.left, self.right)
            case "x" if self.fills:
                return f"{self.left}씩 뛰어 {self.result}까지 가 봐. 몇 번 뛰었어?"
            case "x":
                return _hint_to_multiply(max(self.left, self.right), min(self.left, self.right))
            case _:
                return f"{self.left}에서 {self.right}씩 덜어 봐. 몇 번 덜었어?"

    @property
    def picture(self) -> Picture:
        """The picture of the equation."""
        if not self.fills:
            return Picture(self.mode, MODELS[self.op], (int(self.left), int(self.right)))
        if self.op == "x":
            return Picture(self.mode, "share", (self.result, int(self.left)))
        return Picture(self.mode, "gap", (int(self.left), self.result))

    @property
    def in_pieces(self) -> Picture:
        """The picture of a step in columns that a child can touch: what its digits stand for, in blocks or in rows."""
        if self.mode != "columns":
            return self.picture
        if self.op in "x/" or self.fills:
            return replace(self.picture, mode="array")
        left, right = self.picture.shown
        return Picture("base_ten", self.picture.model, (left * 10**self.place, right * 10**self.place))

    def _written(self, left: str, right: str, result: str) -> str:
        return f"{left}{SIGNS[self.op]}{right}={result}"


def _hint_to_fill(known: int, whole: int) -> str:
    if whole - known <= _COUNTED:
        return f"{known} 다음 수부터 {whole}까지 세어 봐. 몇 개를 세었어?"
    return f"{known}에서 {whole}까지 가 봐. 10씩 뛰고, 남으면 1씩 뛰어."


def _hint_to_add(large: int, small: int) -> str:
    if not small:
        return "0개를 더 놓는 건 아무것도 놓지 않는 거야."
    if unit := _common_unit(large, small):
        return f"{unit}이 {large // unit}개, {unit}이 {small // unit}개야. {unit}이 모두 몇 개야?"
    if small <= _COUNTED:
        return f"{large} 다음 수부터 {small}개를 더 세어 봐."
    if small < _BY_PLACES:
        return f"{large}에 {with_particle(small - small % 10, '을를')} 먼저 더해 봐. 그다음 나머지를 더해."
    return "같은 자리끼리 모아 봐."


def _hint_to_take(whole: int, part: int) -> str:
    if not part:
        return "0개를 빼는 건 아무것도 빼지 않는 거야."
    if unit := _common_unit(whole, part):
        return f"{unit}이 {whole // unit}개야. {unit}을 {part // unit}개 치우면 {unit}이 몇 개 남아?"
    if whole <= _DRAWN:
        return f"점 {whole}개를 그리고 {part}개를 지워 봐. 남은 점은 몇 개야?"
    if part <= _COUNTED:
        return f"{whole}에서 거꾸로 {part}개를 세어 봐."
    if part < _BY_PLACES:
        return f"{whole}에서 {with_particle(part - part % 10, '을를')} 먼저 빼 봐. 그다음 나머지를 빼."
    return "같은 자리끼리 빼 봐."


def _hint_to_multiply(large: int, small: int) -> str:
    if not small:
        return "0씩은 아무것도 없는 거야."
    if 10 in (large, small):
        return f"{large if small == 10 else small}의 끝에 0을 하나 붙여 봐."
    if small <= _COUNTED:
        return f"{with_particle(large, '을를')} {small}번 더해 봐."
    return "자리마다 곱해서 모아 봐."


def _common_unit(one: int, other: int) -> int:
    """The hundred or the ten that both are made of; 0 where there is none."""
    return next((unit for unit in (100, 10) if not one % unit and not other % unit), 0)


def whole_picture(problem: Problem, mode: Mode) -> Picture:
    """What a problem asks, in one picture."""
    a, b = problem.a, problem.b
    if problem.form == "addend":
        return Picture(mode, "gap", (b, a))
    return Picture(mode, MODELS[problem.op], (a, b))


class Working:
    """Collects the steps of one solution, all drawn in one mode. Each method adds a step and gives what it finds.
    `place`: of the column that is worked at."""

    def __init__(self, mode: Mode) -> None:
        self._mode: Mode = mode
        self.place = 0
        self.steps: list[Step] = []

    def add(self, say: str, a: int, b: int) -> Found:
        return self._put(Step(say, a, "+", b, a + b, self._mode, place=self.place))

    def take(self, say: str, a: int, b: int) -> Found:
        return self._put(Step(say, a, "-", b, a - b, self._mode, place=self.place))

    def fill(self, say: str, known: int, whole: int) -> Found:
        """known + □ = whole"""
        return self._put(Step(say, known, "+", whole - known, whole, self._mode, fills=True))

    def times(self, say: str, a: int, b: int) -> Found:
        return self._put(Step(say, a, "x", b, a * b, self._mode))

    def share(self, say: str, a: int, b: int) -> Found:
        return self._put(Step(say, a, "/", b, a // b, self._mode))

    def fill_times(self, say: str, each: int, whole: int) -> Found:
        """each × □ = whole"""
        return self._put(Step(say, each, "x", whole // each, whole, self._mode, fills=True))

    def _put(self, step: Step) -> Found:
        self.steps.append(step)
        return Found(step.found)


Strategy: TypeAlias = Callable[[Problem], list[Step]]
"""A way to solve a problem."""
