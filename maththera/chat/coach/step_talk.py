"""A child's own partial step of a problem, in any way that it may be worked out: what was found, and what comes next.

Says no result that the child has not found itself, so that it may be about an open task.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.arithmetic.problem import SIGNS, Problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.arithmetic.strategies import Step
from maththera.chat.coach.column_replies import ColumnWord, column_step, column_words, pairs_in
from maththera.chat.coach.counting_talk import counting_word
from maththera.chat.coach.drafts import NumberTopic
from maththera.chat.coach.message_shapes import guessed_number
from maththera.chat.coach.small_talk import act_of
from maththera.knowledge.explanations import explained_in_every_way
from maththera.korean.numbers import numbers_in

_TEN: Final = 10
_LONGEST: Final = 40
_ONE_MORE: Final = 3
"""Groups that are still added one by one."""
_NO_STEP: Final = frozenset(
    {"번", "번째", "째", "문제", "단", "학년", "살", "분", "초", "시", "점", "쪽", "월", "일", "자리"}
)
"""Counters of numbers that are no results."""
_TOGETHER: Final = re.compile(r"이?랑|하고|[과와]\s|그리고|\+|더하기")
_WRITTEN: Final = re.compile(r"(\d)\s*(?:은|는|을|를)?\s*(?:쓰고|쓰면|썼|적고|적었|적으면)")
_GOES_ON: Final = re.compile(r"이제|그\s*다음|그담|담[엔은에]|나왔|나오|다음")
_LEFT: Final = re.compile(r"남[았은는아네음어]")
_UNDER: Final = re.compile(r"(?<!\d)(\d)\s*(?:의\s*)?(?:밑|아래)\S{0,3}\s*(?:쓰|써|적|놓|와|오|가|더하|맞)")
_HOW_OFTEN: Final = re.compile(r"(한|두|세|[123])\s*번\s*(?:[다만]\s*)?(빌[려리린릴]|받아내림|꿔|올[려리릴]|받아올림)")
_ASKS_PART: Final = re.compile(r"\d\s*(?:은|는)\s*(?:뭐|왜|어디)|보다\s*(?:커|크|작|많|적)")
_ASKS_WHETHER: Final = re.compile(r"도\s*(?:돼|되|될)|면\s*(?:안|(?:돼|되|될).*\?)")


@dataclass(frozen=True, slots=True)
class FoundStep:
    """`word`: what is said of it; `found`: the equation that the child has found, "" for none; `topic`: what a short
    question after it is about."""

    word: ColumnWord
    found: str = ""
    topic: NumberTopic | None = None


def found_step(problem: Problem, message: str, before: Collection[str] = ()) -> FoundStep | None:
    """What to say to a message that tells a step of a problem; None where it tells none. `before`: the equations that
    were found earlier."""
    if (
        problem.form != "result"
        or len(message) > _LONGEST
        or problem.answer in (one.value for one in numbers_in(message))
    ):
        return None
    asked = counting_word(problem, message) or _placed_under(problem, message) or _openings(problem, message)
    if asked is not None:
        return FoundStep(asked)
    if claims := [one for one in pairs_in(message) if one[3] is not None]:
        steps = (_claimed(problem, message, claim, before) for claim in reversed(claims))
        return _by_places(problem, claims) or next(filter(None, steps), None)
    return _told_number(problem, message, before) if _tells(message) else None


def _told_number(problem: Problem, message: str, before: Collection[str]) -> FoundStep | None:
    """Of numbers that are told without a calculation."""
    if (written := _WRITTEN.search(message)) is not None and int(written[1]) == problem.answer % _TEN:
        words = column_words(problem, message)
        carried = problem.op in "+-" and 0 in problem.carries
        ones = _equation_of_ones(problem, int(written[1])) if carried else ""
        return FoundStep(words[0] if words else _ones_written(problem), ones)
    counted_groups = {"번"} if problem.op == "/" and "더" in message else frozenset()
    values = [
        one.value
        for one in numbers_in(message)
        if one.value is not None
        and one.counter not in _NO_STEP - counted_groups
        and (one.in_digits or not one.doubtful)
    ]
    if len(values) == 2 and values[1] == 1 and "올" in message:
        values = values[:1]  # 11인데 1 올려
    if problem.op == "/" and len(values) == 2 and values[0] * problem.b == values[1]:
        return _shared_out(problem, values[0], before)
    if len(values) == 2 and _TOGETHER.search(message) and sum(values) == problem.answer and min(values) > 0:
        slots: dict[str, object] = {"one": values[0], "other": values[1]}
        return FoundStep(ColumnWord("parts_found", slots)) if _are_found(problem, values, message) else None
    if problem.op == "/" and len(values) == 1 and (left := _left_over(problem, values[0], message)) is not None:
        return FoundStep(left)
    return _number(problem, values[0], before) if len(values) == 1 else None


def _are_found(problem: Problem, values: Collection[int], message: str) -> bool:
    """Whether two numbers that come to the answer are results of steps, or the same known line of a table twice. Any
    others are a guess at the answer, which a yes would tell; and so is their sum where it is asked for."""
    own = sorted(values) == sorted((problem.a, problem.b))
    twice = len({*values}) == 1 and any(value % each == 0 for value in values for each in (problem.a, problem.b))
    steps = {step.found for step in partial_steps(problem)}
    steps |= {problem.a % _TEN} if problem.op == "-" and problem.a < 2 * _TEN else set()  # left aside
    asked = read_expressions(message) or re.search(r"더하|합|모으", message)
    return not own and not asked and ({*values} <= steps or (problem.op == "x" and twice))


def _placed_under(problem: Problem, message: str) -> ColumnWord | None:
    """Of the digit below which a number of one digit is written: 2 밑에 쓰는 거야?"""
    said = _UNDER.search(message)
    big, small = max(problem.a, problem.b), min(problem.a, problem.b)
    tens, ones = divmod(big, _TEN)
    if said is None or problem.op not in "+-" or small >= _TEN or not 0 < tens < _TEN or tens == ones:
        return None
    if int(said[1]) not in (tens, ones):
        return None
    slots: dict[str, object] = {"small": small, "ones": ones, "tens": tens}
    return ColumnWord("placed_under_ones" if int(said[1]) == ones else "placed_under_tens", slots)


def _openings(problem: Problem, message: str) -> ColumnWord | None:
    """Of how often a ten or a hundred is opened or carried: 두 번 빌려 와야 하지?"""
    said = _HOW_OFTEN.search(message)
    if said is None or not problem.carries or problem.op not in "+-" or problem.form != "result":
        return None
    own, word = len(problem.carries), "빌려" if problem.op == "-" else "올려"
    if ("올" in said[2]) != (problem.op == "+"):
        return None
    times = {"한": 1, "두": 2, "세": 3}.get(said[1]) or int(said[1])
    slots: dict[str, object] = {"word": word, "one": problem.a % _TEN, "other": problem.b % _TEN}
    return ColumnWord("openings_yes" if times == own else "openings_no", slots)


def _tells(message: str) -> bool:
    """Whether a message tells a number rather than asks for something."""
    if _ASKS_PART.search(message) or _ASKS_WHETHER.search(message) or act_of(message) == "why":
        return False
    goes_on = _GOES_ON.search(message) is not None
    return act_of(message) in ("tell", "whether", "part", "plan") or goes_on or guessed_number(message) is not None


def next_say(problem: Problem, found: Collection[str]) -> str:
    """What to do next, in the way of which most was found; it names no number that is yet to be found. "" before the
    last step."""
    ways = explained_in_every_way(problem)
    way = max(ways, key=lambda steps: sum(step.expression in found for step in steps))
    last = max((place for place, step in enumerate(way) if step.expression in found), default=-1)
    used = {number for step in way if step.expression in found for number in (step.left, step.right)}
    earlier = [step for step in way[: last + 1] if step.found not in used]  # 13−8 is not found before 10+3
    left = [step for step in (*way[last + 1 : -1], *earlier) if step.expression not in found]
    return left[0].say if left and last < len(way) - 1 else ""


def partial_steps(problem: Problem) -> Iterator[Step]:
    """The steps of every way, without those that come to the answer."""
    yield from (step for way in explained_in_every_way(problem) for step in way if step.found != problem.answer)


def _claimed(
    problem: Problem, message: str, claim: tuple[str, int, int, int | None], before: Collection[str]
) -> FoundStep | None:
    """The step that a child tells with its result, such as "8 더하기 2는 10"; None where it is no step of a way."""
    op, left, right, value = claim
    right_value = _result(op, left, right)
    if words := column_words(problem, message):
        return FoundStep(words[0], _equation(op, left, right) if value == right_value else "")
    step = next((one for one in partial_steps(problem) if _is_same(one, op, left, right)), None)
    groups = _groups_of(problem, op, left, right) if value == right_value else None
    if groups is not None and (step is None or max(problem.a, problem.b) < _TEN or problem.op == "/"):
        return groups
    if step is not None and value == right_value:
        return _confirmed(problem, step.expression, before)
    if step is not None:
        return FoundStep(ColumnWord("step_look", {"part": step.expression.partition("=")[0]}))
    doubles = op == "+" and left == right and value == right_value and value is not None
    return _number(problem, value or 0, before) if doubles else None


def _by_places(problem: Problem, claims: Sequence[tuple[str, int, int, int | None]]) -> FoundStep | None:
    """Of the digits of a problem without a carry, each place worked out by itself: 8÷4=2 and 4÷4=1 of 84÷4."""
    tens, ones = divmod(problem.a, _TEN)
    by_digit = problem.op in "x/" and problem.b < _TEN
    if not 0 < tens < _TEN or (problem.carries and not by_digit):
        return None
    other_tens, other_ones = (problem.b, problem.b) if by_digit else divmod(problem.b, _TEN)
    if problem.op == "/" and (tens % problem.b or ones % problem.b):
        return None
    if problem.op == "x" and ones * problem.b >= _TEN:
        return None
    pairs = {(tens, other_tens): "십", (ones, other_ones): "일"}
    right_ones = [one for one in claims if one[0] == problem.op and one[3] == _result(*one[:3])]
    told = [(left, right) for _, left, right, _ in right_ones]
    if not ones or not other_tens or len(pairs) != 2 or len(told) != len(claims) or not {*told} <= {*pairs}:
        return None
    if len({*told}) == 2:
        return FoundStep(ColumnWord("places_both", {"first": tens, "last": ones}))
    if problem.op != "/":
        return None
    (left, right), place = told[0], pairs[told[0]]
    slots: dict[str, object] = {"equation": _equation("/", left, right), "digit": left, "place": place}
    slots |= {"other": "일" if place == "십" else "십", "next": ones if place == "십" else tens, "by": problem.b}
    return FoundStep(ColumnWord("place_shared", slots), _equation("/", left, right))


def _is_same(step: Step, op: str, left: int, right: int) -> bool:
    turned = op in "+x" and (step.left, step.right) == (right, left)
    return step.op == op and (turned or (step.left, step.right) == (left, right))


def _number(problem: Problem, number: int, before: Collection[str]) -> FoundStep | None:
    """Of a number alone."""
    if number in (problem.a, problem.b):
        return None
    if (word := column_step(problem, number)) is not None:
        return FoundStep(word, _equation_of_ones(problem, number))
    steps = [one for one in partial_steps(problem) if one.found == number]
    step = next((one for one in steps if one.expression not in before), next(iter(steps), None))
    small = problem.op in "x/" and (number < _TEN or max(problem.a, problem.b) < _TEN)
    if step is not None and not small and problem.op != "/":
        return _confirmed(problem, step.expression, before)
    if problem.op == "x":
        for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
            if each > 1 and number % each == 0 and 1 < number // each < groups:
                return _groups_of(problem, "x", each, number // each)
    return _shared_out(problem, number, before) if problem.op == "/" else None


def _confirmed(problem: Problem, equation: str, before: Collection[str]) -> FoundStep:
    following = next_say(problem, [*before, equation])
    key = "step_found" if following else "step_found_last"
    return FoundStep(ColumnWord(key, {"equation": equation, "next": following}), equation)


def _groups_of(problem: Problem, op: str, left: int, right: int) -> FoundStep | None:
    """Of a product of one of the two numbers, which is a part of a product or of what is shared out."""
    if problem.op == "/" and problem.b in (left, right) and op == "x":
        quotient = right if left == problem.b else left
        return _shared_out(problem, quotient, ())
    if problem.op != "x" or op != "x":
        return None
    for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
        if each not in (left, right):
            continue
        known = right if left == each else left
        missing = groups - known
        if missing == 0:
            continue
        slots: dict[str, object] = {"each": each, "known": known, "total": each * known, "missing": abs(missing)}
        key = "groups_too_many" if missing < 0 else "groups_one_more" if missing <= _ONE_MORE else "groups_missing"
        return FoundStep(ColumnWord(key, slots), _equation("x", each, known))
    return None


def _shared_out(problem: Problem, each: int, before: Collection[str]) -> FoundStep | None:
    """Of a part of what is shared out, which each has got; `before`: also of what was shared out earlier."""
    earlier = sum(int(one.partition("×")[0]) for one in before if f"×{problem.b}=" in one)
    shared = each * problem.b
    if earlier > 0 and earlier + each == problem.answer:
        return FoundStep(ColumnWord("parts_found", {"one": earlier, "other": each}))
    left = problem.a - earlier * problem.b - shared
    if left <= 0 or not shared or problem.answer in (shared, left):
        return None  # the answer itself would stand in it
    slots: dict[str, object] = {"each": each, "by": problem.b, "shared": shared, "left": left}
    return FoundStep(ColumnWord("share_part", slots), _equation("x", each, problem.b))


def _left_over(problem: Problem, number: int, message: str) -> ColumnWord | None:
    """Of what is left after a part was shared out: 6 남았어."""
    if not _LEFT.search(message) or number % problem.b or not 0 < number < problem.a:
        return None
    return ColumnWord("share_left", {"left": number, "by": problem.b})


def _ones_written(problem: Problem) -> ColumnWord:
    """The digit of the ones has been written."""
    words = column_words(problem, "그다음은?")
    return words[0] if words else ColumnWord("ones_written", {})


def _equation_of_ones(problem: Problem, number: int) -> str:
    one, other = problem.a % _TEN, problem.b % _TEN
    if problem.op == "+":
        return _equation("+", one, other)
    return _equation("+", _TEN, one) if number == one + _TEN else _equation("-", one + _TEN, other)


def _result(op: str, left: int, right: int) -> float | None:
    return {"+": left + right, "-": left - right, "x": left * right}.get(op, left / right if right else None)


def _equation(op: str, left: int, right: int) -> str:
    result = {"+": left + right, "-": left - right, "x": left * right}.get(op, left // max(1, right))
    return f"{left}{SIGNS[op]}{right}={result}"
