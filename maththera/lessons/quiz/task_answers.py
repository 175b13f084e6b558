"""Reads a learner's typed answer to a task: names of options, their words, or a number."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, pairwise, permutations
from typing import Final, Literal, NamedTuple

from maththera.korean.numbers import Number as Numeral
from maththera.korean.numbers import numbers_in, plain, written
from maththera.korean.pronunciation import sounds
from maththera.lessons.courses.tasks import CIRCLED, Answer, Number, Order, Task, Writing
from maththera.lessons.quiz.option_answers import answer_by_words, step_mentions
from maththera.lessons.quiz.option_search import answer_by_names, only_names

_CHANGED: Final = re.compile(r"아니(?!면)(?:야|다|라|고|에요)?|아냐|말고|취소|잠깐만?")
_EITHER: Final = re.compile(r"아니면|또는|혹은")
_ABOUT: Final = re.compile(r"\s*(?:보다|쯤|정도|가까이)")
_DENIED: Final = re.compile(r"\s*(?:은|는|이|가)?\s*(?:절대\s*)?(?:아니|아닌|아냐|아님|아닙|틀리|틀렸|틀린|말고)")
_ONE_DENIED: Final = re.compile(
    r"[1-9]\s*(?:번)?\s*(?:은|는|이|가)?\s*(?:아니(?:야|다|에요|요)?|아냐|아님|아닙니다)\s*[.!]*"
)
_RESULT: Final = re.compile(r"\s*(?:나와|나왔|나오|남아|남았|돼|됐|됩)")
_CONCLUDED: Final = re.compile(r"(?:면|니까?|서|하고|답은?)[\s,]*\S{0,3}$")
_OPERATOR: Final = re.compile(r"[-+×÷*]|더하|빼|곱하|나누")
_HEARD_UP_TO: Final = 1000
_LEAST_WRITTEN: Final = 8
"""A shorter text is not judged as an explanation."""


def read_answer(task: Task, typed: str) -> Answer | None:
    """The answer in a text; None if it is unclear."""
    if isinstance(task, Writing):
        return task.judged(typed) if len(typed.strip()) >= _LEAST_WRITTEN else None
    text = plain(typed).strip().lower()
    if isinstance(task, Number):
        number = _number(text)
        return None if number is None else (number,)
    if isinstance(task, Order) and (order := order_by_relations(task, text)):
        return order
    if _ONE_DENIED.fullmatch(text):
        return None
    return answer_by_names(task, text) or (None if only_names(task, text) else answer_by_words(task, text))


def _number(text: str) -> int | None:
    """The only number, the number after a correction, or the result of a calculation."""
    if _EITHER.search(text):
        return None
    *before, last = _CHANGED.split(text)
    if before and not numbers_in(last):
        return None
    last = last.rpartition("=")[2]
    found = [one for one in numbers_in(last) if one.value is not None or one.in_digits]
    if not found:
        return _number_by_sound(last)
    if any(_ABOUT.match(last, one.end) for one in found):
        return None
    return _value(last, [one for one in found if not _DENIED.match(last, one.end)])


def _value(text: str, found: list[Numeral]) -> int | None:
    """The value of the numbers that are not denied; None if there is none."""
    values = {value for one in found for value in one.values[:1]}
    if len(values) > 1:
        told = _CONCLUDED.search(text[: found[-1].start])
        if not (told or _OPERATOR.search(text)) or _OPERATOR.search(text, found[-1].stop):
            return None
        values = set(found[-1].values[:1]) if told or _RESULT.match(text, found[-1].stop) else set()
    return values.pop() if len(values) == 1 and found[-1].values else None


def _number_by_sound(text: str) -> int | None:
    """A number that is written as it sounds: "삼배고시보"."""
    return _numbers_by_ear().get(sounds(re.sub(r"(?:이요|요|이야|야|입니다)?[\s.!]*$", "", text)).key)


@cache
def _numbers_by_ear() -> dict[str, int]:
    return {sounds(written(number, "sino")).key: number for number in range(10, _HEARD_UP_TO)}


# --- orders of steps --------------------------------------------------------------------------------------------------

Kind = Literal["step", "before_that", "before", "after", "first", "last", "clause"]

_NAMED: Final = re.compile(rf"([1-5])\s*번(?!\s*째)|([{CIRCLED[:5]}])|(첫|두|세|네|다섯)\s*번째")
_NATIVE: Final = ("첫", "두", "세", "네", "다섯")
_TAKEN_BACK: Final = re.compile(r"아니|아냐|말고|취소|잠깐|거꾸로|반대|빼고|모르|몰라")
_RANKED: Final = re.compile(r"둘째|셋째|넷째|첫째")
_MARKER: Final = re.compile(
    r"""(?P<before_that>그\s*(?:전|앞)(?:에|이)?)
    |(?P<first>(?:맨|제일|가장)\s*(?:먼저|처음|앞)|먼저|처음|우선)
    |(?P<last>(?:맨|제일|가장)?\s*(?:나중|마지막|끝|뒤)(?!에\s*[가-힣①-⑨\d])|마지막|(?:맨|제일|가장)\s*(?:나중|끝|뒤)|끝으로|나중)
    |(?P<before>(?:전|앞)에)
    |(?P<after>(?:다음|뒤|후)에?|나서)
    |(?P<clause>[,.;/]|(?<=[가-힣])(?<!라)고(?=\s|$))""",
    re.VERBOSE,
)


class _Token(NamedTuple):
    start: int
    end: int
    kind: Kind
    step: int = -1


class _Rule(NamedTuple):
    """One step comes before another; -1 stands for all others."""

    first: int
    then: int


def order_by_relations(task: Order, text: str) -> Answer | None:
    """The order that a text describes by relations between steps; None if it describes none, or more than one order
    fits."""
    if _TAKEN_BACK.search(text) or _RANKED.search(text):
        return None
    steps = _steps(task, text)
    markers = [
        _Token(match.start(), match.end(), match.lastgroup)  # type: ignore[arg-type]
        for match in _MARKER.finditer(text)
        if match.lastgroup and not any(step.start <= match.start() < step.end for step in steps)
    ]
    if all(marker.kind == "clause" for marker in markers):
        return None
    return _only_order(len(task.steps), [*_rules(sorted([*steps, *markers]))])


def _steps(task: Order, text: str) -> list[_Token]:
    """The mentions of steps by name, or else by their words."""
    named = [_Token(match.start(), match.end(), "step", _place(*match.groups())) for match in _NAMED.finditer(text)]
    if named:
        return named if {each.step for each in named} <= set(range(len(task.steps))) else []
    return [_Token(start, end, "step", step) for start, end, step in step_mentions(task, text)]


def _place(number: str | None, circled: str | None, ordinal: str | None) -> int:
    if number:
        return int(number) - 1
    return CIRCLED.index(circled) if circled else _NATIVE.index(ordinal or "")


def _rules(tokens: Sequence[_Token]) -> Iterator[_Rule]:
    plain: list[int] = []
    last = -1
    for clause in _clauses(tokens):
        steps = [token for token in clause if token.kind == "step"]
        marker = next((token for token in clause if token.kind != "step"), None)
        if marker is None or not steps:
            plain += [token.step for token in steps]
        elif marker.kind in ("first", "last"):
            near = min(steps, key=lambda token: min(abs(token.start - marker.end), abs(marker.start - token.end)))
            yield _Rule(near.step, -1) if marker.kind == "first" else _Rule(-1, near.step)
            plain += [token.step for token in steps if token is not near]
        elif marker.kind == "before_that":
            yield _Rule(steps[-1].step, last)
        else:
            yield from _beside(steps, marker)
        last = steps[-1].step if steps and marker is None else steps[0].step if steps else last
    yield from (_Rule(one, other) for one, other in pairwise(plain))


def _beside(steps: Sequence[_Token], marker: _Token) -> Iterator[_Rule]:
    """The pairs of steps and what is said of them: "2번 전에 1번", or "1번은 2번 전에"."""
    ahead = [token.step for token in steps if token.start < marker.start]
    behind = [token.step for token in steps if token.start > marker.start]
    if not ahead:
        return
    other = behind[0] if behind else ahead[-2] if len(ahead) > 1 else None
    if other is not None:
        yield _Rule(other, ahead[-1]) if marker.kind == "before" else _Rule(ahead[-1], other)


def _clauses(tokens: Sequence[_Token]) -> list[list[_Token]]:
    runs = groupby(tokens, key=lambda token: token.kind == "clause")
    return [[*own] for between, own in runs if not between]


def _only_order(count: int, rules: Sequence[_Rule]) -> Answer | None:
    fitting = [order for order in permutations(range(count)) if all(_holds(rule, order) for rule in rules)]
    return fitting[0] if len(fitting) == 1 else None


def _holds(rule: _Rule, order: Sequence[int]) -> bool:
    if rule.first < 0:
        return order[-1] == rule.then
    return order[0] == rule.first if rule.then < 0 else order.index(rule.first) < order.index(rule.then)
