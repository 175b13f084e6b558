"""Steps put in order by what is said of them: "2번 하기 전에 1번", "3번이 맨 먼저", "그 전에 …".

The others come as they stand.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import Final, Literal, NamedTuple

from maththera.lessons.courses.tasks import CIRCLED, Answer, Order
from maththera.lessons.quiz.option_words import step_mentions

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
    """The first step comes before the other one; -1 stands for all others."""

    first: int
    then: int


def order_by_relations(task: Order, text: str) -> Answer | None:
    """None where nothing is said of places, or more than one order fits."""
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
    """By their names, or else by their words."""
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
    """ "2번 전에 1번", or "1번은 2번 전에"."""
    ahead = [token.step for token in steps if token.start < marker.start]
    behind = [token.step for token in steps if token.start > marker.start]
    if not ahead:
        return
    other = behind[0] if behind else ahead[-2] if len(ahead) > 1 else None
    if other is not None:
        yield _Rule(other, ahead[-1]) if marker.kind == "before" else _Rule(ahead[-1], other)


def _clauses(tokens: Sequence[_Token]) -> list[list[_Token]]:
    clauses: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind == "clause":
            clauses.append([])
        else:
            clauses[-1].append(token)
    return clauses


def _only_order(count: int, rules: Sequence[_Rule]) -> Answer | None:
    fitting = [order for order in permutations(range(count)) if all(_holds(rule, order) for rule in rules)]
    return fitting[0] if len(fitting) == 1 else None


def _holds(rule: _Rule, order: Sequence[int]) -> bool:
    if rule.first < 0:
        return order[-1] == rule.then
    return order[0] == rule.first if rule.then < 0 else order.index(rule.first) < order.index(rule.then)
