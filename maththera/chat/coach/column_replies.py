"""Talk about the columns of one sum or difference: why a ten is opened, where a carried one goes, what comes next.

Says no result that the child has not found itself, so that it may be about an open task.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from maththera.arithmetic.expressions import Operation
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import claim_in, read_expressions
from maththera.chat.coach.own_claims import claims_in, in_digits
from maththera.chat.coach.small_talk import act_of
from maththera.korean.numbers import numbers_in

_FROM: Final = re.compile(r"(\d+)\s*에서\s*(\d+)|(\d+)\s*(?:이|가|은|는)\s*(\d+)\s*보다\s*(?:더\s*)?[작적]")
_AND: Final = re.compile(
    r"(\d+)\s*(?:이랑|랑|하고|과|와)\s*(\d+)\s*(?:은|는|이?면|을|를)?\s*(?:더하면|합치면|합하면|더해서)?\s*(\d+)?"
)
"""Two numbers that are put together: 8이랑 4면 12."""
_GIVEN: Final = re.compile(
    r"(\d+)\s*에(?:다가?)?\s*(\d+)\s*[을를]?\s*(?:주|더|보태|채우|놓|옮기)\S*\s*(?:은|는)?\s*(\d+)"
)
"""One that is given another: 9에 1을 주면 10."""
_CARRIED: Final = re.compile(r"([십백])의?\s*자리.{0,6}1.{0,3}올[린려라]")
_OPENED_HUNDRED: Final = re.compile(r"(\d)\s*백.{0,6}십.{0,4}10")
_WHERE_FROM: Final = re.compile(
    r"어디서|어디에서|옆[에이도]|어디\s*거|가져|빌[려리린릴]|꿔|열어|열면|왜\s*(?:1|하나)[을를]?\s*(?:지|빼|줄)|10[은이]\s*어디로"
)
_NO_TEN: Final = re.compile(r"백(?:의)?\s*(?:자리)?에서|십(?:의\s*자리)?[도이가은]?\s*0")
"""There is no ten to open, or it is asked of the hundred."""
_WHERE_TO: Final = re.compile(
    r"어디\s*(?:다|에|로)|버려|버리|안\s*써|안\s*적|빼먹|어떻게\s*(?:적|써|쓰|해)|같이\s*더|남[은는]\s*(?:거|것|건)"
)
_NEXT: Final = re.compile(r"그\s*다음|그담|담에|이제\s*(?:뭐|뭘|어떻)|다음(?:은|엔|에)")
_COMES_TO: Final = re.compile(r"나왔|나오|됐|되고|이고|인데|이네")
"""It comes to that."""
_WRITES: Final = re.compile(r"쓰고|쓰면|썼|적고|적으면|적었")
_OPENS: Final = re.compile(r"깨|풀|열|뜯|꺼내|빌[려리린]|바꾸|바꿔|내리|내려")
"""A ten is opened."""
_WHY: Final = re.compile(r"왜|어째서|뭐야|뭔데|어디")
_BECOMES: Final = re.compile(
    r"(\d+)\s*(?:이|가|은|는)\s*(?:왜\s*)?(\d+)\s*(?:이|가|로|으로)?\s*(?:돼|되|됐|변|바뀌|야|이야|\?|$)"
)
_TEN: Final = 10
_TURNED: Final = re.compile(r"큰\s*(?:수|숫자|거|것|데)[에서]*.{0,6}작은.{0,6}빼")
"""Does one not take the smaller from the larger?"""
_WRONG_STEPS: Final = frozenset({"column_reversed", "column_reversed_true", "column_ones_again", "column_tens_opened"})
_PLACES: Final = ("일", "십", "백", "천")
_UNITS: Final = ("낱개", "십", "백", "천")
"""What is counted in a place."""
_OF_HIGHER_PLACES: Final = frozenset({"column_sum", "column_why_carry", "column_carry_kept"})
"""Texts that have others of the same name for a carry out of the tens or a place above."""


@dataclass(frozen=True, slots=True)
class ColumnWord:
    """A text of the coach by its key, with its values."""

    key: str
    slots: dict[str, object]


def column_words(problem: Problem, message: str) -> list[ColumnWord]:
    """What to say to a message about the columns of a problem; nothing where it is about something else."""
    if problem.op not in "+-" or problem.form != "result" or not problem.carries:
        return []
    return [*(_of_sum(problem, message) if problem.op == "+" else _of_difference(problem, message))]


def general_reason(problem: Problem) -> list[ColumnWord]:
    """Why a ten is carried or opened in a problem; nothing where it is neither."""
    asked = {"+": "어디서 나온 1", "-": "어디서 빌려"}.get(problem.op)
    return column_words(problem, asked) if asked and problem.carries else []


def column_step(problem: Problem, number: int) -> ColumnWord | None:
    """What to say to a number that is a step of a sum or difference in columns, found by the child: that of the ones.
    None where it may be the answer, or is no step."""
    if problem.op not in "+-" or problem.form != "result" or 0 not in problem.carries or problem.answer < _TEN:
        return None
    one, other = problem.a % _TEN, problem.b % _TEN
    steps = {one + other: "+"} if problem.op == "+" else {one + _TEN - other: "-", one + _TEN: "o"}
    if number not in steps or number in (problem.a, problem.b, problem.answer):
        return None
    said = {"+": f"{one}+{other}={number}", "-": f"{one + _TEN}-{other}={number}", "o": "어디서 빌려"}[steps[number]]
    words = column_words(problem, said)
    if steps[number] == "o" and words:
        return ColumnWord("column_opened", words[0].slots)
    return words[0] if words else None


def _digit(number: int, place: int) -> int:
    return int(str(number)[-place - 1]) if place < len(str(number)) else 0


def pairs_in(message: str) -> Iterator[tuple[str, int, int, int | None]]:
    """(operation, left, right, claimed result) of the small calculations of a message."""
    found = False
    for one in read_expressions(message):
        tree = one.tree
        if isinstance(tree, Operation) and isinstance(tree.left, Fraction) and isinstance(tree.right, Fraction):
            found = True
            claimed = int(one.claimed) if one.claimed is not None and one.claimed.denominator == 1 else None
            yield tree.op, int(tree.left), int(tree.right), claimed
    written = {*map(int, re.findall(r"\d+", in_digits(message)))}
    told = [one for one in claims_in(message) if one.value is not None and {one.left, one.right} <= written]
    if not found and told:
        found = True
        yield from ((one.op, one.left, one.right, one.value) for one in told)
    if not found and (said := _FROM.search(message)):
        left, right = (one for one in said.groups() if one)
        yield "-", int(left), int(right), None
    elif not found and (said := _AND.search(message) or _GIVEN.search(message)):
        yield "+", int(said[1]), int(said[2]), int(said[3]) if said[3] else None


def states_step(message: str) -> bool:
    """Whether a message says what a small calculation comes to, or where a 1 was carried: "4+3은 7이잖아"."""
    return _CARRIED.search(message) is not None or any(claimed is not None for *_, claimed in pairs_in(message))


def _of_sum(problem: Problem, message: str) -> Iterator[ColumnWord]:
    place = problem.carries[0]
    one, other = _digit(problem.a, place), _digit(problem.b, place)
    ones = one + other
    slots: dict[str, object] = {
        "one": one, "other": other, "sum": ones, "left": ones - _TEN, "place": _PLACES[place],
        "above": _PLACES[place + 1], "unit": _UNITS[place], "bundle": _UNITS[place + 1],
    }  # fmt: skip
    alone = not _digit(problem.a, place + 1) and not _digit(problem.b, place + 1)
    for word in _words_of_sum(problem, message, slots):
        key = word.key
        if place and key in _OF_HIGHER_PLACES:
            key += "_high"
        elif place and alone and key == "column_next_sum":
            key += "_alone"
        yield ColumnWord(key, word.slots)


def carry_word(problem: Problem, key: str) -> ColumnWord | None:
    """A text on the first carry of a sum, its `_high` where that is out of the tens or a place above; None without a
    carry."""
    if problem.op != "+" or not problem.carries:
        return None
    place = problem.carries[0]
    one, other = _digit(problem.a, place), _digit(problem.b, place)
    slots: dict[str, object] = {
        "one": one, "other": other, "total": one + other, "place": _PLACES[place], "above": _PLACES[place + 1],
        "unit": _UNITS[place], "bundle": _UNITS[place + 1],
    }  # fmt: skip
    return ColumnWord(f"{key}_high" if place else key, slots)


def _words_of_sum(problem: Problem, message: str, slots: dict[str, object]) -> Iterator[ColumnWord]:
    place = problem.carries[0]
    one, other = _digit(problem.a, place), _digit(problem.b, place)
    ones = one + other
    pairs = [*pairs_in(message)]
    said = {number.value for number in numbers_in(message)}
    for op, left, right, claimed in pairs:
        if op == "+" and sorted((left, right)) == sorted((one, other)):
            yield ColumnWord("column_sum" if claimed in (None, ones) else "column_sum_again", slots)
            return
    if pairs:
        yield from (word for op, left, right, claimed in pairs if op == "+"
                    for word in _of_higher_places(problem, left, right, claimed))  # fmt: skip
        return
    yield from _of_carried(problem, message, said)
    key = _on_ones(message, said, ones) or _asked_of_sum(message, said, ones)
    if key is not None:
        yield ColumnWord(key, slots)


def _on_ones(message: str, said: Collection[int | None], ones: int) -> str | None:
    """The reply to a child that names the sum of the ones, or says where it writes it; None for neither."""
    carries = re.search(r"올[려리릴]", message)
    writes = {*said} in ({ones - _TEN}, {ones - _TEN, 1}) and _WRITES.search(message)
    if writes and not carries:
        return "column_next_sum"
    comes_to = ones in said and (carries or _COMES_TO.search(message))
    return "column_sum" if writes or comes_to else None


def _asked_of_sum(message: str, said: Collection[int | None], ones: int) -> str | None:
    """What to say to a question about the 1 that is carried, or about what comes next."""
    if _WHERE_TO.search(message) and (1 in said or ones in said or re.search(r"십|올[린림]", message)):
        return "column_carry_kept"
    why = _WHY.search(message)
    if why and ones in said:
        return "column_why_sum"
    carried = 1 in said or _TEN in said or re.search(r"올[린림리려]|넘[기겨긴어]", message)
    if why and carried and "받아올림" not in message:
        return "column_why_carry"
    return "column_next_sum" if _NEXT.search(message) else None


def _of_higher_places(problem: Problem, left: int, right: int, claimed: int | None) -> Iterator[ColumnWord]:
    """What to say to a small sum of the digits of another place than that of the first carry, or of whole tens."""
    slots: dict[str, object] = {"left": left, "right": right, "total": left + right}
    tens = left % _TEN == right % _TEN == 0
    pair = sorted((left // _TEN, right // _TEN) if tens else (left, right))
    for place in range(1, len(str(problem.answer))):
        if pair != sorted((_digit(problem.a, place), _digit(problem.b, place))):
            continue
        if claimed not in (None, left + right):
            yield ColumnWord("column_sum_again", {"one": left, "other": right})
        elif tens:
            yield ColumnWord("column_tens_sum", slots)
        elif place - 1 in problem.carries:
            yield ColumnWord("column_above_true", slots | {"below": _PLACES[place - 1]})
        else:
            yield ColumnWord("column_place_true", slots)
        return


def _of_carried(problem: Problem, message: str, said: Collection[int | None]) -> Iterator[ColumnWord]:
    """What to say where the 1 that was carried is added, or asked for by the name of its place."""
    if (named := _CARRIED.search(message)) is not None:
        below = _PLACES.index(named[1]) - 1
        yield ColumnWord(
            "column_carried_yes" if below in problem.carries else "column_carried_no", {"below": _PLACES[below]}
        )
        return
    for place in (below + 1 for below in problem.carries):
        total = _digit(problem.a, place) + _digit(problem.b, place) + 1
        if total > 1 and {1, total} == {*said} and place < len(_PLACES) - 1:
            slots: dict[str, object] = {"left": total - _TEN, "place": _PLACES[place], "above": _PLACES[place + 1]}
            yield ColumnWord("column_with_carry" if total >= _TEN else "column_with_carry_last", slots)
            return


def _left(problem: Problem, place: int) -> int:
    """What stands in the next place when one of it was opened; of a 0 that was filled from the place above, 9."""
    return (_digit(problem.a, place + 1) - 1) % _TEN


def _taken(  # noqa: PLR0913 - a small difference, where it stands, and whether it is asked
    problem: Problem, place: int, op: str, pair: tuple[int, int], claimed: int | None, *, asks: bool
) -> str | None:
    """What to say to a small difference that a child names, of the columns of a problem."""
    one, other = _digit(problem.a, place), _digit(problem.b, place)
    left, minus = _left(problem, place), _digit(problem.b, place + 1)
    if op != "-":
        return None
    if pair == (one, other):
        if claimed == other - one:
            return "column_turned"
        return _open_key(problem, place) if _opens_hundred(problem, place) else "column_cannot"
    if pair == (other, one):
        if claimed is None and problem.a < 2 * _TEN and not asks:
            return None  # 8 taken apart as 5 and 3, for 15-8
        return "column_reversed" if claimed is None else "column_reversed_true"
    if pair == (one + _TEN, other):
        if claimed not in (None, pair[0] - pair[1]) or (claimed is None and asks):
            return "column_ones_again"
        if problem.b < _TEN:
            return "column_ones_done_alone"
        return "column_ones_done" if left >= minus else "column_ones_done_short"
    if pair == (_digit(problem.a, place + 1), minus):
        return "column_tens_opened"
    return _of_tens(problem, place, pair, claimed)


def _of_tens(problem: Problem, place: int, pair: tuple[int, int], claimed: int | None) -> str | None:
    """What to say to a difference of tens, written out or as digits, before and after one was opened."""
    one, other = _digit(problem.a, place), _digit(problem.b, place)
    above, left, minus = _digit(problem.a, place + 1), _left(problem, place), _digit(problem.b, place + 1)
    if pair == (_TEN * above, _TEN * minus) and claimed == _TEN * (above - minus) and minus:
        return "column_tens_first"
    if pair == (_TEN * left, _TEN * minus) and claimed is None:
        return "column_tens_next"
    if pair == (_TEN * (above - minus), other - one) and minus:
        return "column_short_way"
    done = "column_tens_done" if problem.a < _TEN**2 else "column_tens_done_more"
    return done if pair == (left, minus) else None


def _from_ten(problem: Problem, op: str, pair: tuple[int, int], claimed: int | None) -> str | None:
    """What to say to 10−8 in 14−8, the first step of taking away through ten."""
    if op != "-" or pair != (_TEN, problem.b) or problem.a >= 2 * _TEN:
        return None
    return "column_from_ten" if claimed in (None, _TEN - problem.b) else "column_ones_again"


def _opens_hundred(problem: Problem, place: int) -> bool:
    """Whether there is no ten to open, so that a hundred has to be."""
    return _digit(problem.a, place + 1) == 0 and place + 2 < len(str(problem.a))


def _open_key(problem: Problem, place: int) -> str:
    """How a ten is opened, where there is none: from one hundred alone, or from one of several."""
    if not _opens_hundred(problem, place):
        return "column_open_ten"
    return "column_open_hundred" if _digit(problem.a, place + 2) > 1 else "column_open_one_hundred"


def _opened(problem: Problem, above: int, one: int) -> set[tuple[int, int]]:
    """The pairs (digit before, digit after) when a ten is opened, and a hundred where there is no ten."""
    hundreds = {(number, number - 1) for number in (_digit(problem.a, 2),) if above == 0 and number}
    return {(above, above - 1), (one, one + _TEN), (0, 9), *hundreds}


def _of_difference(problem: Problem, message: str) -> Iterator[ColumnWord]:
    place = problem.carries[0]
    one, other, above = _digit(problem.a, place), _digit(problem.b, place), _digit(problem.a, place + 1)
    left, minus = _left(problem, place), _digit(problem.b, place + 1)
    slots: dict[str, object] = {
        "one": one, "other": other, "opened": one + _TEN, "reversed": other - one, "above": above, "left": left,
        "rest": _TEN - other, "minus": minus, "tens_left": _TEN * (above - minus),
        "whole": problem.a, "place": _PLACES[place], "next": _PLACES[place + 1], "unit": _UNITS[place],
    }  # fmt: skip
    slots |= {"hundreds": _digit(problem.a, place + 2), "hundreds_left": _digit(problem.a, place + 2) - 1}
    said = {number.value for number in numbers_in(message)}
    pairs = [pair for pair in pairs_in(message) if pair[0] == "-" or pair[3] is not None]
    asks = act_of(message) in ("what", "amount")
    if pairs:
        keys = (
            _from_ten(problem, op, (left, right), claimed)
            or _taken(problem, place, op, (left, right), claimed, asks=asks)
            for op, left, right, claimed in pairs
        )
        told = list(filter(None, keys))
        wrong = [key for key in told if key in _WRONG_STEPS]
        yield from (ColumnWord(key, slots) for key in (wrong[:1] or told[-1:]))
        return
    key = _opened_in_words(problem, message, said) or _next_of_difference(problem, message, said)
    if key is not None:
        yield ColumnWord(key, slots)


def _opened_in_words(problem: Problem, message: str, said: Collection[int | None]) -> str | None:
    """The reply to a child that says or asks how a ten is opened; None for neither."""
    place = problem.carries[0]
    one, above = _digit(problem.a, place), _digit(problem.a, place + 1)
    if {one + _TEN, problem.a - one - _TEN} <= {*said}:  # 52를 40이랑 12로
        return "column_opened_right"
    why, becomes = _WHY.search(message), _BECOMES.search(message)
    asks_nine = why or act_of(message) in ("tell", "whether")
    written = {*map(int, re.findall(r"\d+", message))}
    if above == 0 and asks_nine and _TEN - 1 in written and written <= {_TEN - 1, _TEN, 0}:
        return "column_why_nine"
    opened = becomes is not None and (int(becomes[1]), int(becomes[2])) in _opened(problem, above, one)
    of_hundred = _opens_hundred(problem, place)
    if opened and not of_hundred and act_of(message) in ("tell", "whether"):
        return "column_opened_yes"
    hundreds = _digit(problem.a, 2)
    lent = becomes is not None and (int(becomes[1]), int(becomes[2])) == (hundreds, hundreds - 1)
    if lent and above == 0 and hundreds > 1 and act_of(message) in ("tell", "whether"):
        return "column_hundred_opened"
    hundred = _OPENED_HUNDRED.search(message)
    if hundred and above == 0 and int(hundred[1]) == _digit(problem.a, 2) - 1:
        return "column_hundred_opened"
    asked = opened or _WHERE_FROM.search(message) or (above == 0 and _NO_TEN.search(message))
    stays = re.search(r"그대로|계속", message) or (why and {*said} == {above})
    if asked or (stays and above in said) or (why and claim_in(message) == one + _TEN):
        return _open_key(problem, place)
    return None


def _next_of_difference(problem: Problem, message: str, said: Collection[int | None]) -> str | None:
    """The reply to a child that swaps the two numbers, names a step or asks for the next; None for none of these."""
    place = problem.carries[0]
    one, other = _digit(problem.a, place), _digit(problem.b, place)
    if _TURNED.search(message) or (_WHY.search(message) and {*said} == {one, other}):
        return "column_reversed"
    if _OPENS.search(message) and one + _TEN in said:
        return "column_opened"
    if one + _TEN - other in said and _COMES_TO.search(message):
        return _taken(problem, place, "-", (one + _TEN, other), None, asks=False)
    if not _NEXT.search(message):
        return None
    if problem.a < 2 * _TEN:
        return "column_next_teen"
    return "column_next_difference" if _left(problem, place) >= _digit(problem.b, place + 1) else "column_next_short"
