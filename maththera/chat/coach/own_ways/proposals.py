"""Readers of a step for which a child asks leave: "3개씩 묶으면 돼?", "1 올려야 돼?", "16 더하면 돼?".

Yes, no, or yes but, and how to begin it. No result is said that the child has not told.
"""

import re
from collections.abc import Callable
from typing import Final

from maththera.chat.coach.own_ways.told import ADDS, TAKES, TEN, Told, digit_at, say_word
from maththera.chat.coach.step_talk import FoundStep

_PROPOSES: Final = re.compile(
    r"(?:면|야|[아어여해]도|도)\s*(?:[돼됨]|되[지나죠는요?]|될|괜찮)|는\s*거\s*(?:야|지|죠|맞|예|에요)|는\s*게\s*맞|면\s*(?:맞|어때)"
)
_N: Final = r"(?<!\d)(\d{1,4})(?!\d)"
_CARRIES: Final = re.compile(r"(?<!받아)올[려리릴린]|받아올[려리림]|넘[겨기]")
_WRITES: Final = re.compile(r"쓰|써|적")
_ABOVE: Final = re.compile(r"위|작게|조그")
_ONLY: Final = re.compile(r"만\s*(?:쓰|써|적)")
_BY: Final = re.compile(rf"{_N}\s*(?:개|명|칸|자루)?\s*씩")
_BUNDLES: Final = re.compile(r"묶|동그라미|나[누눠]|세|뛰")
_TABLE: Final = re.compile(rf"{_N}\s*단|곱셈\s*구구|구구단")
_GIVES: Final = re.compile(
    rf"{_N}\s*에서\s*{_N}\s*(?:을|를|만|개)?\s*(?:빼서|떼서|떼어서?|꺼내서?|덜어서?)?\s*{_N}\s*(?:한테|에게|에다?가?|로|으로)"
)
_FILLS: Final = re.compile(rf"{_N}\s*(?:한테|에게|에다?가?)\s*{_N}\s*(?:을|를|만|개)?\s*(?:주|줘|채우|보태|붙)")
_STEPS: Final = re.compile(rf"(?:{_N}\s*(?:에서|부터|다음)\s*)?(?:거꾸로\s*|뒤로\s*|앞으로\s*)?{_N}\s*칸")
_FROM: Final = re.compile(rf"{_N}\s*부터\s*(?:이어\s*)?(?:세|셀)")
_UP_TO: Final = re.compile(rf"{_N}\s*(?:에서|부터)\s*{_N}\s*까지")
_BACK: Final = re.compile(r"거꾸로|뒤로|아래로|내려|빼|작아")
_MAKES_TEN: Final = re.compile(r"10\s*(?:을|를)?\s*(?:먼저\s*)?(?:만들|채우)|10\s*(?:으로|이)\s*(?:만들|되게)")
_TWICE: Final = re.compile(r"곱하기\s*2|[×x*]\s*2|2를?\s*곱|(?:두|2)\s*배")
_ONES_FIRST: Final = re.compile(r"(?:일의\s*자리|낱개|뒤|오른쪽)\s*(?:에서?)?\s*(?:부터|먼저)")
_TENS_FIRST: Final = re.compile(r"(?:십의\s*자리|앞|왼쪽)\s*(?:에서?)?\s*(?:부터|먼저)")
_ONE_PLACE: Final = re.compile(r"(일|십)의\s*자리\s*만")


def proposed_step(told: Told) -> FoundStep | None:
    """What to say to a step for which leave is asked; None for other messages, and where the answer stands in it."""
    problem = told.problem
    if not _PROPOSES.search(told.text) or told.why or told.asks_amount:
        return None
    if problem.answer in told.values and problem.answer not in (problem.a, problem.b, 1):
        return None
    return next((word for read in _OF_OPERATION[problem.op] if (word := read(told)) is not None), None)


# --- sums and differences ---------------------------------------------------------------------------------------------


def _ones(told: Told) -> tuple[int, int]:
    return told.problem.a % TEN, told.problem.b % TEN


def _doubled(told: Told) -> FoundStep | None:
    """A sum of two equal numbers taken twice: 48+48에서 곱하기 2 해도 돼?"""
    if told.problem.a != told.problem.b or not _TWICE.search(told.text) or {*told.values} - {2, told.problem.a}:
        return None
    return say_word("doubled_yes", one=told.problem.a)


def _has_columns(told: Told) -> bool:
    return min(told.problem.a, told.problem.b) >= TEN


def _carried(told: Told) -> FoundStep | None:
    """Whether a ten is carried, where it is written, and what alone is written below."""
    problem, (one, other) = told.problem, _ones(told)
    if 0 not in problem.carries or max(problem.a, problem.b) < TEN or told.claims:
        return None
    if _ONLY.search(told.text) and told.values in ((one + other - TEN,), (1,)):
        return say_word("ones_alone_yes" if told.values[0] == one + other - TEN else "ones_alone_no")
    if told.values == (1,) and _ABOVE.search(told.text) and _WRITES.search(told.text):
        return say_word("carried_above_yes")
    if _CARRIES.search(told.text) and {*told.values} <= {1, TEN, one, other}:
        return say_word("carry_needed_yes", one=one, other=other)
    return None


def _gives(told: Told) -> FoundStep | None:
    """A part of one number given to the other, so that a ten is full: 6에서 1을 9한테 주면 돼?"""
    a, b = told.problem.a, told.problem.b
    if told.problem.op != "+" or 0 not in told.problem.carries:
        return None
    if (said := _GIVES.search(told.text)) is not None:
        giver, part, to = map(int, said.groups())
    elif (said := _FILLS.search(told.text)) is not None:
        to, part = map(int, said.groups())
        giver = 0
    else:
        return None
    pairs = ((a, b), (b, a), (a % TEN, b % TEN), (b % TEN, a % TEN))
    rest = next((rest for start, rest in pairs if start == to and giver in (0, rest)), 0)
    if not 0 < part < rest:
        return None
    if (to + part) % TEN:
        return say_word("give_ten_other", one=to, used=part)
    return say_word("give_ten_yes", one=to, ten=to + part, rest=rest, used=part)


def _counts(told: Told) -> FoundStep | None:
    """On or back by ones, from one number by the other."""
    a, b, op = told.problem.a, told.problem.b, told.problem.op
    big, small = max(a, b), min(a, b)
    if op == "-" and (road := _UP_TO.search(told.text)) and {int(road[1]), int(road[2])} == {a, b}:
        return say_word("count_between_yes", low=b, high=a)
    if (said := _STEPS.search(told.text)) is not None:
        start, steps = int(said[1]) if said[1] else None, int(said[2])
        if op == "+" and (start, steps) in ((a, b), (b, a), (None, small)) and not _BACK.search(told.text):
            return say_word("count_on_yes", start=start or big, steps=steps)
        if op == "-" and steps == b and start in (a, None) and (start is None) <= bool(_BACK.search(told.text)):
            return say_word("count_back_yes", start=a, steps=b)
        return None
    said = _FROM.search(told.text)
    if op == "+" and said is not None and told.bare in (a, b) and max(a, b) < TEN**2:
        return say_word("count_on_yes" if told.bare == big else "count_on_small", start=big, big=big, steps=small)
    return None


def _makes_ten(told: Told) -> FoundStep | None:
    a, b, op = told.problem.a, told.problem.b, told.problem.op
    if not _MAKES_TEN.search(told.text) or {*told.values} != {TEN} or 0 not in told.problem.carries:
        return None
    if max(a, b) >= 2 * TEN:
        return say_word("make_ten_ones", one=a % TEN, other=b % TEN) if op == "+" else None
    return say_word("make_ten_yes", big=max(a, b)) if op == "+" else say_word("make_ten_back", a=a)


def _order(told: Told) -> FoundStep | None:
    """Which place comes first, or whether one alone is enough."""
    if not _has_columns(told) or told.values:
        return None
    (one, other), op = _ones(told), told.problem.op
    do = "더해야" if op == "+" else "빼야"
    if (alone := _ONE_PLACE.search(told.text)) is not None and (ADDS if op == "+" else TAKES).search(told.text):
        left = ("십", digit_at(told.problem.a, 1), digit_at(told.problem.b, 1))
        place, one, other = left if alone[1] == "일" else ("일", one, other)
        return say_word("one_place_no", place=place, one=one, other=other, do=do)
    if _ONES_FIRST.search(told.text):
        return say_word("ones_first_yes", one=one, other=other)
    return (
        say_word("tens_first_yes_add" if op == "+" else "tens_first_yes_take")
        if _TENS_FIRST.search(told.text)
        else None
    )


# --- products and quotients -------------------------------------------------------------------------------------------


def _rest_added(told: Told) -> FoundStep | None:
    """On from a known product by what is still missing of the whole: 16 더하면 돼?"""
    a, b, rest = told.problem.a, told.problem.b, told.bare
    known = next((one for one in reversed(told.found) if one.op == "x" and {one.left, one.right} & {a, b}), None)
    if known is None or rest is None or not ADDS.search(told.text):
        return None
    each, groups = (a, b) if a in (known.left, known.right) else (b, a)
    done = known.right if known.left == each else known.left
    left = groups - done
    if left <= 0 or known.result is None:
        return None
    if rest == each * left:
        return say_word("rest_added_yes", known=known.result, rest=rest)
    if rest % each == 0 and 0 < rest < each * left:
        return say_word("rest_added_some", rest=rest, each=each, more=rest // each, still=left - rest // each)
    return say_word("rest_added_no", each=each, left=left)


def _of_table(told: Told) -> FoundStep | None:
    """The times table that leads to the answer."""
    a, b, op = told.problem.a, told.problem.b, told.problem.op
    said = _TABLE.search(told.text)
    if said is None or told.claims:
        return None
    named = int(said[1]) if said[1] else None
    if op == "/":
        if b >= TEN:
            return None
        return say_word("table_share_yes" if named in (None, b) else "table_share_other", by=b, a=a, named=named)
    each = named if named in (a, b) else None if named else min(a, b)
    return None if each is None or max(a, b) >= TEN else say_word("table_times_yes", each=each, times=a * b // each)


def _bundled(told: Told) -> FoundStep | None:
    """So many put together, or taken away, again and again."""
    a, b = told.problem.a, told.problem.b
    said = _BY.search(told.text)
    if said is None or {*told.values} - {int(said[1]), a}:
        return None
    by, takes = int(said[1]), TAKES.search(told.text)
    if not takes and not _BUNDLES.search(told.text):
        return None
    if by != b:
        return say_word("bundles_other", named=by, a=a, by=b) if by > 1 else None
    return say_word("bundles_taken_yes" if takes else "bundles_yes", a=a, by=b)


def _places_shared(told: Told) -> FoundStep | None:
    """The tens shared first, or one digit after the other: 80부터 나누면 돼?"""
    a, b = told.problem.a, told.problem.b
    tens, ones = divmod(a, TEN)
    if not b < TEN <= a < TEN**2 or tens % b or ones % b or not ones:
        return None
    if told.values == (TEN * tens,) and re.search(r"부터|먼저", told.text) and "나" in told.text:
        return say_word("share_tens_yes", tens=TEN * tens, ones=ones, by=b)
    claim = told.claims[0] if len(told.claims) == 1 and told.claims[0].value is None else None
    if claim is not None and (claim.op, claim.left, claim.right) == ("/", tens, b):
        return say_word("share_digit_yes", digit=tens, part=claim.part)
    return None


_OF_OPERATION: Final[dict[str, tuple[Callable[[Told], FoundStep | None], ...]]] = {
    "+": (_doubled, _carried, _gives, _counts, _makes_ten, _order),
    "-": (_counts, _makes_ten, _order),
    "x": (_rest_added, _of_table),
    "/": (_bundled, _of_table, _places_shared),
}
