"""Readers of what a child tells of its own way, whatever the operation of its problem."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from maththera.chat.coach.column_replies import ColumnWord
from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.sums import column_sums
from maththera.chat.coach.own_ways.told import HOW_MANY_MORE, RATHER, TEN, Told, digit_at, say_word
from maththera.chat.coach.step_talk import FoundStep

_SHORTEST: Final = 3
_WHERE: Final = re.compile(r"어디")
_SPLITS: Final = re.compile(r"갈라|가르|나누|나눠|쪼개|쪼갤|분해|떼어|(?:랑|하고|[과와])\s*\d+\s*(?:으로|로)")
_CARRY_WORD: Final = re.compile(r"올[려리릴림]|받아올|넘[겨기는나어]|넘네|빌[려리린릴]|받아내|꿔")
_WHETHER_NEEDED: Final = re.compile(
    r"있[어는나지을]|없[어는나지]|안\s*(?:올|빌|해도|넘|꿔|받)|해야|필요|되는\s*거|돼|거[지야]"
)
_FINGERS: Final = re.compile(r"손가락|손까락|손$|한\s*손|폈|펴|접[어었]")
_UP: Final = re.compile(r"폈|펴[ㅆ써서]|폈다|핀|폈음")
_DOWN: Final = re.compile(r"접[었어는]")
_ONE_HAND: Final = re.compile(r"한\s*손")
_LOSES_COUNT: Final = re.compile(
    r"(?:몇\s*(?:번|칸|개)|어디까지)\s*(?:셌|세었|갔|했|왔|뺐)|세다가.*(?:까먹|잊|놓[쳐치쳤]|헷갈)|까먹.*세"
)
_NOT_COUNTED: Final = re.compile(r"안\s*(?:쳐|세|셈|치|들어|넣)|빼고\s*세|못\s*세")
_TOP: Final = re.compile(r"맨\s*앞|올릴\s*(?:데|곳|자리)|더\s*올|자리가\s*없")
_WHOLE: Final = re.compile(
    r"통째|그대로\s*(?:다\s*)?(?:쓰|적)|다\s*(?:쓰면|써도|써|적으면|적어도|적어)|두\s*(?:개|글자|숫자)\s*다"
)
_SMALL_ONE: Final = re.compile(
    r"(?:쪼[끄그]만|조[그끄]만|작은|작게|올린|올림|꼬마|빌린)\S*\s*(?:1|숫자|거|것|수|하나)?.{0,6}어디|어디.{0,8}(?:올린|작은|쪼[끄그]만)"
)
_WRITTEN: Final = re.compile(r"(\d)\s*(?:은|는|이|가|그럼|\s)*(?:어디|어떻게)")
_WOULD: Final = re.compile(r"였으면|였다면|이었으면|이면|라면")
_SAME_WAY: Final = re.compile(r"도\s*.{0,12}(?:할\s*수\s*있|되겠|하겠|풀\s*수\s*있|풀겠|할\s*수\s*있겠)")


def digits_turned(told: Told) -> FoundStep | None:
    """The digits of the answer the other way round, after steps that were right, or beside the answer said aloud."""
    answer = told.problem.answer
    tens, ones = divmod(answer, TEN)
    turned = ones * TEN + tens
    if not TEN <= answer < TEN**2 or turned == answer or turned not in told.values:
        return None
    if answer in told.values:
        return say_word("way_turned_aloud", turned=turned) if re.search(r"쓰|써|적", told.text) else None
    done = told.found and re.search(r"다\s*(?:됐|했|풀|끝)|끝|!", told.text)
    says = done or RATHER.search(told.text) or re.fullmatch(r"\W*\d+\W*\?\W*", told.text)
    if (turned in (told.problem.a, told.problem.b) and not done) or told.claims or not says:
        return None
    return (
        say_word("way_turned", None, {"about": "turned", "number": turned}, turned=turned)
        if told.found or len(told.values) > 1
        else None
    )


def fingers_told(told: Told) -> FoundStep | None:
    """Fingers that were put up or down."""
    a, b, op = told.problem.a, told.problem.b, told.problem.op
    if op not in "+-" or max(a, b) > TEN or not _FINGERS.search(told.text) or told.claims:
        return None
    shown = told.values[0] if told.values else 5 if _ONE_HAND.search(told.text) else a if "다" in told.text else None
    up, down = _UP.search(told.text), _DOWN.search(told.text)
    if op == "+" and up and shown in (a, b):
        other = b if shown == a else a
        return say_word("fold_other", None, {"about": "fingers", "number": other}, shown=shown, other=other)
    if op == "-" and up and shown in (a, None):
        return say_word("fold_some", b=b)
    if op == "-" and down:
        before = sum(one.right for one in told.found if one.op == "-" and one.left == a)
        more = re.search(r"더", told.text)
        folded = (before if more else 0) + (shown or (1 if more else 0))
        if not 0 < folded <= b:
            return None
        claim = Claim("-", a, shown or 1)
        if folded == b:
            return FoundStep(ColumnWord("fold_all", {"b": b}))
        return FoundStep(ColumnWord("fold_more", {"folded": folded, "b": b, "more": b - folded}), claim.equation)
    return None


def loses_count(told: Told) -> FoundStep | None:
    """How to know how far one has counted."""
    if told.problem.op not in "+-" or not _LOSES_COUNT.search(told.text) or told.values:
        return None
    start = told.problem.a if told.problem.op == "-" else max(told.problem.a, told.problem.b)
    times = told.problem.b if told.problem.op == "-" else min(told.problem.a, told.problem.b)
    if times >= TEN:
        return None
    return say_word(
        "count_kept" if "어떻게" in told.text or "알아" in told.text else "count_anew", start=start, times=times
    )


def counted_row(told: Told) -> FoundStep | None:
    """A row of numbers by ones, the first number of one, how far it has come, or what is left of it."""
    problem, values = told.problem, told.values
    if problem.op not in "+-" or told.claims:
        return None
    stride = 1 if problem.op == "+" else -1
    for start, times, keeps in _starts(told):
        if times < 1 or times >= TEN:
            continue
        done = next((one.right for one in reversed(told.found) if one.op == problem.op and one.left == start), 0)
        asks_more = 0 < done < times and HOW_MANY_MORE.search(told.text)
        if asks_more and {*values} <= {1, times - done}:
            return say_word("count_left", left=times - done)
        if values == (start,) and _NOT_COUNTED.search(told.text) and (told.why or told.asks):
            return say_word("count_start_why", start=start, next=start + stride)
        row = _row(values)
        from_start = re.search(rf"(?<!\d){start}\s*(?:에서|하고|다음|부터)", told.text)
        if len(row) > 2 and row == [start + stride * step for step in range(times)] and keeps and not from_start:
            return say_word("count_from_next", Claim(problem.op, start, times - 1), start=start, next=start + stride)
        if len(row) > 1 and row[0] == start:
            row = row[1:] if from_start or not keeps else row
        steps = [stride * (one - start) for one in row]
        in_order = bool(row) and all(later - one == 1 for one, later in pairwise(steps))
        if len(row) > 1 and in_order and steps[0] == 1 and steps[-1] < times and row[-1] != problem.answer:
            claim = Claim(problem.op, start, steps[-1])
            return say_word("count_steps", claim, done=steps[-1], times=times, left=times - steps[-1])
        if len(row) == 1 and told.goes_on and in_order and steps[0] == done + 1 < times and told.bare is not None:
            claim = Claim(problem.op, start, steps[0])
            return say_word("count_steps", claim, done=steps[0], times=times, left=times - steps[0])
    return None


def _row(values: Sequence[int]) -> list[int]:
    """A row without a number after it that says again where it ends, or how long it is."""
    again = len(values) > _SHORTEST and values[-1] in (values[-2], len(values) - 1)
    return [*values[:-1]] if again else [*values]


def _starts(told: Told) -> Iterator[tuple[int, int, bool]]:
    """(from where, how many, whether the first number may be counted by mistake) of the rows of a problem: from one of
    its numbers, or from where a part of it has led."""
    a, b = told.problem.a, told.problem.b
    if told.problem.op == "+":
        yield max(a, b), min(a, b), True
        if a < b:
            yield a, b, True
    else:
        yield a, b, True
    for one in told.found:
        if one.op == told.problem.op and one.left == a and 0 < one.right < b and one.result is not None:
            yield one.result, b - one.right, False


def first_number(told: Told) -> FoundStep | None:
    """The number from which is counted, alone: "칠" of 7+2."""
    a, b, op = told.problem.a, told.problem.b, told.problem.op
    start, times = (a, b) if op == "-" else (max(a, b), min(a, b))
    alone = told.bare == start and re.fullmatch(r"\W*\d+\W*", told.text)
    if op not in "+-" or not alone or not 0 < times < TEN or start >= 2 * TEN or told.found:
        return None
    return say_word("count_from_here" if op == "+" else "count_back_from_here", start=start, times=times)


def needs_ten(told: Told) -> FoundStep | None:
    """Whether a ten is carried or opened in the problem."""
    problem = told.problem
    if not _CARRY_WORD.search(told.text) or not _WHETHER_NEEDED.search(told.text) or told.why:
        return None
    one, other = problem.a % TEN, problem.b % TEN
    named = {*told.values}
    if problem.op == "x" and "올" in told.text and not told.claims:
        big, small = max(problem.a, problem.b), min(problem.a, problem.b)
        return say_word("carry_times_how", one=big % TEN, other=small) if big >= TEN > small else None
    if problem.op not in "+-" or max(problem.a, problem.b) < TEN or told.claims or not named <= {one, other, 10}:
        return None
    if ("빌" in told.text or "받아내" in told.text or "꿔" in told.text) != (problem.op == "-"):
        return None
    says_none = re.search(r"안\s*(?:올|빌|해도|꿔|받|넘)|없", told.text) and not re.search(r"있.*없|없.*있", told.text)
    if problem.op == "+":
        return None if problem.carries else say_word("carry_none", one=one, other=other)
    if not problem.carries:
        return say_word("borrow_none_yes" if says_none else "borrow_none", one=one, other=other)
    if 0 not in problem.carries or (named and named != {one, other} and not says_none):
        return None
    return say_word("borrow_needed" if says_none else "borrow_needed_yes", one=one, other=other)


def where_written(told: Told) -> FoundStep | None:
    """Where a digit goes: the 1 that is carried, both digits of a sum of ones, one that was written before."""
    problem = told.problem
    above = digit_at(problem.a, 1)
    if problem.op == "+" and 0 in problem.carries:
        ones = problem.a % TEN + problem.b % TEN
        if _WHOLE.search(told.text) and told.values in ((ones,), ()):
            return say_word("write_one_digit", sum=ones, left=ones - TEN)
        if _SMALL_ONE.search(told.text) and {*told.values} <= {1}:
            return say_word("write_small_one" if above else "write_small_one_alone", above=above)
    if problem.op == "+" and _TOP.search(told.text) and told.values[:1] == tuple(column_sums(problem)[-1:]):
        total = told.values[0]
        return say_word("write_top", total=total) if total >= TEN else None
    if problem.op == "x" and min(problem.a, problem.b) < TEN <= max(problem.a, problem.b) and _WHERE.search(told.text):
        big, small = max(problem.a, problem.b), min(problem.a, problem.b)
        ones = big % TEN * small
        slots: dict[str, object] = {"ones": ones, "left": ones % TEN, "up": ones // TEN}
        if told.values[:1] == (ones,) and ones >= TEN and "올" in told.text:
            return say_word("write_times_carry", tens=digit_at(big, 1), small=small, **slots)
        written = _WRITTEN.search(told.text)
        if written and told.values == (ones % TEN,):
            return say_word("write_times_ones", **slots)
    if told.values == (0,) and _WHERE.search(told.text) and problem.a % TEN == problem.b % TEN == 0:
        return say_word("write_zero")
    return None


def split_up(told: Told) -> FoundStep | None:
    """One of the two numbers taken apart: 45를 40이랑 5로 갈라도 되나."""
    problem, values = told.problem, told.values
    if not _SPLITS.search(told.text) or len(values) != 3 or told.claims:
        return None
    whole, one, other = values
    if one + other != whole or whole not in (problem.a, problem.b) or problem.op == "/":
        return None
    if problem.op == "-":
        return say_word("split_take", one=one, other=other) if whole == problem.b else None
    if problem.op == "+":
        return say_word("split_add", one=one, other=other, rest=problem.b if whole == problem.a else problem.a)
    by = problem.b if whole == problem.a else problem.a
    return say_word("split_times", one=one, other=other, by=by)


def other_numbers(told: Told) -> FoundStep | None:
    """Another sum that the same way would do for, or whether that one would carry: 35×2였으면 올렸겠네."""
    plans = [one for one in told.claims if one.value is None]
    if len(plans) != 1 or len(told.claims) != 1 or told.asks_amount:
        return None
    one = plans[0]
    ones = {"+": one.left % TEN + one.right % TEN, "x": max(one.left, one.right) % TEN * min(one.left, one.right)}
    if _WOULD.search(told.text) and "올" in told.text and one.op in ones and min(one.left, one.right) < TEN:
        pair = Claim(one.op, max(one.left, one.right) % TEN, min(one.left, one.right) % TEN)
        return say_word("other_carries" if ones[one.op] >= TEN else "other_carries_not", equation=pair.equation)
    same = _SAME_WAY.search(told.text) and not told.text.rstrip().endswith("?") and one.op == told.problem.op
    return say_word("other_same_way", expression=one.part, task=told.problem.expression) if same else None


ANY_READERS: Final = (
    digits_turned, fingers_told, loses_count, counted_row, first_number, other_numbers, needs_ten, where_written,
    split_up,
)  # fmt: skip
