"""A child's own way with the problem in hand, by whatever method: whether what it tells is right, and what is left.

Says no result that the child has not found itself, so that it may be about an open task. Each reader below hears one
kind of message; the first that does answers it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.column_replies import ColumnWord
from maththera.chat.coach.drafts import Board, NumberTopic
from maththera.chat.coach.own_claims import Claim, claims_in, in_digits
from maththera.chat.coach.small_talk import act_of
from maththera.chat.coach.step_talk import FoundStep
from maththera.korean.particles import with_particle

_TEN: Final = 10
_LONGEST: Final = 60
_NEAR: Final = 20
"""How much a round number may be off the one that it stands for."""
_FEW: Final = 2
_SHORTEST: Final = 3
_PLACES: Final = ("일", "십", "백", "천")
_NUMBER: Final = re.compile(r"(?<!\d)\d{1,5}(?!\d)")
_EQUATION: Final = re.compile(r"(\d+)([+−×÷])(\d+)=(\d+)")
_OPS: Final = {"+": "+", "−": "-", "×": "x", "÷": "/"}
_ASKS: Final = re.compile(
    r"\?|[돼되]나|되[죠지]|[돼되됨]\s*$|맞[지죠아나제]|ㅇㅈ|인정|어때|거[지죠]|하면\s*안|아님|않음|않[아나]"
)
_AMOUNT: Final = re.compile(r"[은는]\s*\?*\s*$|몇|얼마|뭐")
_WHY: Final = re.compile(r"왜|어째서|무슨\s*이유")
_WHERE: Final = re.compile(r"어디")
_TAKES: Final = re.compile(r"빼|뺐|뺀|뺄|덜")
_ADDS: Final = re.compile(r"더하|더해|더할|더한|돌려|보태|다시\s*[줘주]")
_SPLITS: Final = re.compile(r"갈라|가르|나누|나눠|쪼개|쪼갤|분해|떼어")
_CARRY_WORD: Final = re.compile(r"올[려리릴림]|받아올|넘[겨기는나어]|넘네|빌[려리린릴]|받아내|꿔")
_WHETHER_NEEDED: Final = re.compile(
    r"있[어는나지을]|없[어는나지]|안\s*(?:올|빌|해도|넘|꿔|받)|해야|필요|되는\s*거|돼|거[지야]"
)
_TURNED: Final = re.compile(r"뒤집|거꾸로|바꾸|바꿔|순서|반대로")
_HALVES: Final = re.compile(r"반\s*(?:으로|을|씩|띵|토막|자르|잘라|나누|나눠|쪼개)|절반")
_FINGERS: Final = re.compile(r"손가락|손까락|손$|한\s*손|폈|펴|접[어었]")
_UP: Final = re.compile(r"폈|펴[ㅆ써서]|폈다|핀|폈음")
_DOWN: Final = re.compile(r"접[었어는]")
_ONE_HAND: Final = re.compile(r"한\s*손")
_HOW_MANY_MORE: Final = re.compile(
    r"몇\s*(?:번|칸|개|묶음)\s*(?:이나\s*)?(?:더|남)|얼마나\s*더|\W*또\?*\W*$|(?:1|한|하나)\s*(?:칸|번|개)?\s*(?:만\s*)?더"
)
_LOSES_COUNT: Final = re.compile(
    r"(?:몇\s*(?:번|칸|개)|어디까지)\s*(?:셌|세었|갔|했|왔|뺐)|세다가.*(?:까먹|잊|놓[쳐치쳤]|헷갈)|까먹.*세"
)
_NOT_COUNTED: Final = re.compile(r"안\s*(?:쳐|세|셈|치|들어|넣)|빼고\s*세|못\s*세")
_ARRIVED: Final = re.compile(r"도착|끝|다\s*(?:왔|셌|했)|이제\s*(?:뭐|머)|됐다")
_TOP: Final = re.compile(r"맨\s*앞|올릴\s*(?:데|곳|자리)|더\s*올|자리가\s*없")
_WHOLE: Final = re.compile(
    r"통째|그대로\s*(?:다\s*)?(?:쓰|적)|다\s*(?:쓰면|써도|써|적으면|적어도|적어)|두\s*(?:개|글자|숫자)\s*다"
)
_SMALL_ONE: Final = re.compile(
    r"(?:쪼[끄그]만|조[그끄]만|작은|작게|올린|올림|꼬마|빌린)\S*\s*(?:1|숫자|거|것|수|하나)?.{0,6}어디|어디.{0,8}(?:올린|작은|쪼[끄그]만)"
)
_IS_TENS: Final = re.compile(
    r"(\d)\s*(?:은|는|이|가)?\s*(?:사실|원래|진짜)?\s*(?:이|가)?\s*(?:아니라|아니고|말고)\s*(\d0)(?!\d)"
)
_EACH_TIMES: Final = re.compile(
    r"(?<!\d)(\d+)\s*(?:개|명|칸|자루)?\s*(?:씩|을|를|이|가)\s*(\d+)\s*(?:번|묶음|줄|봉지|상자|명|접시|배)(?!\s*더\s)"
)
_SLOW: Final = re.compile(r"오래|느려|귀찮|힘들|언제\s*다|너무\s*많")
_WRITTEN: Final = re.compile(r"(\d)\s*(?:은|는|이|가|그럼|\s)*(?:어디|어떻게)")
_FIRST_PLACE: Final = re.compile(r"앞에서|앞부터|앞자리|큰\s*(?:거|것|자리)부터|백부터|십부터")
_MARKS: Final = re.compile(r"귀찮|최악|싫|어려|무서|헐|으악|망")
_NO_START: Final = re.compile(_ADDS.pattern + r"|에서|보다|못")
"""Words of a message that names what is taken from, or takes nothing."""
_WOULD: Final = re.compile(r"였으면|였다면|이었으면|이면|라면")
_SAME_WAY: Final = re.compile(r"도\s*.{0,12}(?:할\s*수\s*있|되겠|하겠|풀\s*수\s*있|풀겠|할\s*수\s*있겠)")
_FAR: Final = re.compile(r"멀|너무|바로|건너|한\s*번에")
_RATHER: Final = re.compile(r"그럼|그러면|답은?|인가|이?[야네]\W*$|쓰면|눌렀|적었|썼|틀렸|이?니까")


_FROM_THERE: Final = re.compile(
    r"(?:거기|여기|그거|그것)\s*(?:에다가?|에서|다가?|에)?\s*(\d+)\s*(?:을|를|만|개)?\s*(더[하해할]|빼|뺀|덜)\S*(?:\D{0,6}?(\d+))?"
)


@dataclass(frozen=True, slots=True)
class Told:
    """A message beside a problem. `text`: its numbers in digits; `values`: these; `found`: what was found before."""

    problem: Problem
    text: str
    claims: tuple[Claim, ...]
    values: tuple[int, ...]
    found: tuple[Claim, ...]
    topic: NumberTopic | None
    goes_on: bool

    @property
    def asks(self) -> bool:
        return _ASKS.search(self.text) is not None

    @property
    def asks_amount(self) -> bool:
        """Whether what a calculation comes to is asked for, which is no step of the child's own."""
        return _AMOUNT.search(self.text) is not None

    @property
    def why(self) -> bool:
        return _WHY.search(self.text) is not None

    @property
    def bare(self) -> int | None:
        """The only number of a message that has no calculation."""
        return self.values[0] if len(self.values) == 1 and not self.claims else None


def way_word(problem: Problem, message: str, board: Board) -> FoundStep | None:
    """What to say to what a child tells of its own way with a problem; None where it tells nothing of that."""
    if problem.form != "result" or len(message) > _LONGEST:
        return None
    told = told_of(problem, message, board)
    if guesses(told):
        return _digits_turned(told)
    readers = (*_READERS, *_OF_OPERATION[problem.op])
    return next((word for read in readers if (word := read(told)) is not None), None)


def told_of(problem: Problem, message: str, board: Board) -> Told:
    found = board.get("found", {}).get(problem.expression, ())
    read = (_EQUATION.fullmatch(one) for one in found)
    known = tuple(Claim(_OPS[one[2]], int(one[1]), int(one[3]), int(one[4])) for one in read if one)
    text = in_digits(message)
    start = problem.a
    if problem.op == "/":
        start = next((one.result or 0 for one in reversed(known) if one.op == "/" and one.right == 2), problem.a)
    on = next((one.result for one in reversed(known) if one.result is not None), None)
    claims = claims_in(message, start) or (_goes_on_from(text, on) if on is not None else ())
    return Told(
        problem, text, claims, tuple(map(int, _NUMBER.findall(text))), known, board.get("topic"),
        board.get("ask") == "step",
    )  # fmt: skip


def _goes_on_from(text: str, last: int) -> tuple[Claim, ...]:
    """A calculation that goes on from what was found last: 거기다 6 더해서 46."""
    said = _FROM_THERE.search(text)
    if said is None:
        return ()
    value = int(said[3]) if said[3] else None
    return (Claim("-" if _TAKES.search(said[2]) else "+", last, int(said[1]), value),)


def guesses(told: Told) -> bool:
    """Whether the problem itself or its answer stands in the message, so that it is a guess or no step."""
    answer, own = told.problem.answer, (told.problem.a, told.problem.b)
    itself = [one for one in told.claims if one.op == told.problem.op and (one.left, one.right) == own]
    if itself and told.problem.op in "+-":
        return True
    if answer in own or answer not in told.values:
        return False
    if answer >= _TEN:
        return True
    of_claims = [one for one in told.claims if one.result == answer]
    return bool(of_claims) or told.bare == answer or told.values[-1] == answer


def say_word(key: str, found: Claim | None = None, topic: NumberTopic | None = None, /, **slots: object) -> FoundStep:
    return FoundStep(ColumnWord(key, slots), found.equation if found else "", topic)


def _digit(number: int, place: int) -> int:
    return number // int(_TEN**place) % _TEN


def look_again(claim: Claim, before: str = "") -> FoundStep:
    """To a small calculation that is not right yet: how the child can find it."""
    slots: dict[str, object] = {"before": before, "part": claim.part, "left": claim.left, "right": claim.right}
    if claim.op == "/" and claim.right == 2 and claim.value is not None:
        tens = claim.left // _TEN * _TEN
        slots |= {"half": claim.value, "twice": 2 * claim.value, "tens": tens, "ones": claim.left - tens}
        return say_word("way_look_half" if 0 < tens < claim.left else "way_look_half_small", **slots)
    if claim.op == "x" and min(claim.left, claim.right) > 1 and max(claim.left, claim.right) <= _TEN:
        each, times = claim.left, claim.right
        slots |= {"each": each, "less": times - 1, "known": each * (times - 1)}
        return say_word("way_look_times", **slots)
    if claim.op in "+-" and claim.right < _TEN:
        return say_word("way_look_add" if claim.op == "+" else "way_look_take", **slots)
    return say_word("way_look", **slots)


# --- of every operation -----------------------------------------------------------------------------------------------


def _digits_turned(told: Told) -> FoundStep | None:
    """The digits of the answer the other way round, after steps that were right, or beside the answer said aloud."""
    answer = told.problem.answer
    tens, ones = divmod(answer, _TEN)
    turned = ones * _TEN + tens
    if not _TEN <= answer < _TEN**2 or turned == answer or turned not in told.values:
        return None
    if answer in told.values:
        return say_word("way_turned_aloud", turned=turned) if re.search(r"쓰|써|적", told.text) else None
    done = told.found and re.search(r"다\s*(?:됐|했|풀|끝)|끝|!", told.text)
    says = done or _RATHER.search(told.text) or re.fullmatch(r"\W*\d+\W*\?\W*", told.text)
    if (turned in (told.problem.a, told.problem.b) and not done) or told.claims or not says:
        return None
    return (
        say_word("way_turned", None, {"about": "turned", "number": turned}, turned=turned)
        if told.found or len(told.values) > 1
        else None
    )


def _fingers(told: Told) -> FoundStep | None:
    """Fingers that were put up or down."""
    a, b, op = told.problem.a, told.problem.b, told.problem.op
    if op not in "+-" or max(a, b) > _TEN or not _FINGERS.search(told.text) or told.claims:
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


def _loses_count(told: Told) -> FoundStep | None:
    """How to know how far one has counted."""
    if told.problem.op not in "+-" or not _LOSES_COUNT.search(told.text) or told.values:
        return None
    start = told.problem.a if told.problem.op == "-" else max(told.problem.a, told.problem.b)
    times = told.problem.b if told.problem.op == "-" else min(told.problem.a, told.problem.b)
    if times >= _TEN:
        return None
    return say_word(
        "count_kept" if "어떻게" in told.text or "알아" in told.text else "count_anew", start=start, times=times
    )


def _counts(told: Told) -> FoundStep | None:
    """A row of numbers by ones, the first number of one, how far it has come, or what is left of it."""
    problem, values = told.problem, told.values
    if problem.op not in "+-" or told.claims:
        return None
    stride = 1 if problem.op == "+" else -1
    for start, times, keeps in _starts(told):
        if times < 1 or times >= _TEN:
            continue
        done = next((one.right for one in reversed(told.found) if one.op == problem.op and one.left == start), 0)
        asks_more = 0 < done < times and _HOW_MANY_MORE.search(told.text)
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
    """A row without a number behind it that says again where it ends, or how long it is."""
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


def _first_number(told: Told) -> FoundStep | None:
    """The number from which is counted, alone: "칠" of 7+2."""
    a, b, op = told.problem.a, told.problem.b, told.problem.op
    start, times = (a, b) if op == "-" else (max(a, b), min(a, b))
    alone = told.bare == start and re.fullmatch(r"\W*\d+\W*", told.text)
    if op not in "+-" or not alone or not 0 < times < _TEN or start >= 2 * _TEN or told.found:
        return None
    return say_word("count_from_here" if op == "+" else "count_back_from_here", start=start, times=times)


def _needs_ten(told: Told) -> FoundStep | None:
    """Whether a ten is carried or opened in the problem."""
    problem = told.problem
    if not _CARRY_WORD.search(told.text) or not _WHETHER_NEEDED.search(told.text) or told.why:
        return None
    one, other = problem.a % _TEN, problem.b % _TEN
    named = {*told.values}
    if problem.op == "x" and "올" in told.text and not told.claims:
        big, small = max(problem.a, problem.b), min(problem.a, problem.b)
        return say_word("carry_times_how", one=big % _TEN, other=small) if big >= _TEN > small else None
    if problem.op not in "+-" or max(problem.a, problem.b) < _TEN or told.claims or not named <= {one, other, 10}:
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


def _where_written(told: Told) -> FoundStep | None:
    """Where a digit goes: the 1 that is carried, both digits of a sum of ones, one that was written before."""
    problem = told.problem
    above = _digit(problem.a, 1)
    if problem.op == "+" and 0 in problem.carries:
        ones = problem.a % _TEN + problem.b % _TEN
        if _WHOLE.search(told.text) and told.values in ((ones,), ()):
            return say_word("write_one_digit", sum=ones, left=ones - _TEN)
        if _SMALL_ONE.search(told.text) and {*told.values} <= {1}:
            return say_word("write_small_one" if above else "write_small_one_alone", above=above)
    if problem.op == "+" and _TOP.search(told.text) and told.values[:1] == tuple(_column_sums(problem)[-1:]):
        total = told.values[0]
        return say_word("write_top", total=total) if total >= _TEN else None
    if problem.op == "x" and min(problem.a, problem.b) < _TEN <= max(problem.a, problem.b) and _WHERE.search(told.text):
        big, small = max(problem.a, problem.b), min(problem.a, problem.b)
        ones = big % _TEN * small
        slots: dict[str, object] = {"ones": ones, "left": ones % _TEN, "up": ones // _TEN}
        if told.values[:1] == (ones,) and ones >= _TEN and "올" in told.text:
            return say_word("write_times_carry", tens=_digit(big, 1), small=small, **slots)
        written = _WRITTEN.search(told.text)
        if written and told.values == (ones % _TEN,):
            return say_word("write_times_ones", **slots)
    if told.values == (0,) and _WHERE.search(told.text) and problem.a % _TEN == problem.b % _TEN == 0:
        return say_word("write_zero")
    return None


def _split(told: Told) -> FoundStep | None:
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


def _other_numbers(told: Told) -> FoundStep | None:
    """Another sum that the same way would do for, or whether that one would carry: 35×2였으면 올렸겠네."""
    plans = [one for one in told.claims if one.value is None]
    if len(plans) != 1 or len(told.claims) != 1 or told.asks_amount:
        return None
    one = plans[0]
    ones = {"+": one.left % _TEN + one.right % _TEN, "x": max(one.left, one.right) % _TEN * min(one.left, one.right)}
    if _WOULD.search(told.text) and "올" in told.text and one.op in ones and min(one.left, one.right) < _TEN:
        pair = Claim(one.op, max(one.left, one.right) % _TEN, min(one.left, one.right) % _TEN)
        return say_word("other_carries" if ones[one.op] >= _TEN else "other_carries_not", equation=pair.equation)
    same = _SAME_WAY.search(told.text) and not told.text.rstrip().endswith("?") and one.op == told.problem.op
    return say_word("other_same_way", expression=one.part, task=told.problem.expression) if same else None


_READERS: Final[tuple[Callable[[Told], FoundStep | None], ...]] = (
    _digits_turned, _fingers, _loses_count, _counts, _first_number, _other_numbers, _needs_ten, _where_written, _split,
)  # fmt: skip


# --- sums -------------------------------------------------------------------------------------------------------------


def _column_sums(problem: Problem) -> list[int]:
    """The sums of the digits of each place from the ones up, with what was carried."""
    sums, carried = [], 0
    for place in range(len(str(max(problem.a, problem.b)))):
        sums.append(_digit(problem.a, place) + _digit(problem.b, place) + carried)
        carried = sums[-1] // _TEN
    return sums


def _place_sums(problem: Problem) -> list[int]:
    """What each place comes to by itself, from the ones up: 13, 130 and 700 of 365+478."""
    places = range(len(str(max(problem.a, problem.b))))
    return [(_digit(problem.a, place) + _digit(problem.b, place)) * _TEN**place for place in places]


def _sum_places(told: Told) -> FoundStep | None:
    """The sums of several places, told one after the other."""
    problem, values = told.problem, told.values
    places = [one for one in _place_sums(problem) if one]
    results = [one.value or 0 for one in told.claims if one.op == "+" and one.right_one]
    if len(places) > 1 and len(results) == len(told.claims) and sorted(results) == sorted(places):
        both: dict[str, object] = {"one": results[0], "other": results[1]}
        return (
            say_word("parts_found", told.claims[-1], **both)
            if len(places) == 2
            else say_word("places_all", told.claims[-1])
        )
    if len(places) < 2 or len(values) < 2 or any(one.op != "/" or one.value is not None for one in told.claims):
        return None
    columns = _column_sums(problem)
    if list(values) in (columns, columns[::-1]):
        return say_word("columns_all")
    if len(places) > 2 and sorted(values) == sorted(places):
        return say_word("places_all")
    if len(values) == 2 and sum(values) == problem.answer and _are_places(values, places):
        return say_word("parts_found", one=values[0], other=values[1])
    return None


def _sum_with_carry(told: Told) -> FoundStep | None:
    """The digits of a place with what was carried, or what they come to together: 4 2 그리고 1까지 7; 앗 13이다."""
    problem, values = told.problem, told.values
    for below in problem.carries:
        digits = (_digit(problem.a, below + 1), _digit(problem.b, below + 1))
        if len(values) == 4 and values[2] == 1 and sorted(values[:2]) == sorted(digits):
            claim = Claim("+", sum(digits), 1, values[3])
            return _with_carry(problem, below + 1, claim) if claim.right_one else look_again(claim)
        if any(digits) and told.bare == sum(digits) + 1 and _below_found(told, below + 1):
            return _with_carry(problem, below + 1, Claim("+", sum(digits), 1))
    return None


def _below_found(told: Told, place: int) -> bool:
    """Whether the place below was worked out, and this one not yet."""
    below = {_digit(told.problem.a, place - 1), _digit(told.problem.b, place - 1)}
    own = _column_sums(told.problem)[place]
    done = any({one.left, one.right} == below for one in told.found) or any(
        one.right == 1 and one.result == _column_sums(told.problem)[place - 1] for one in told.found
    )
    return done and not any(one.right == 1 and one.result == own for one in told.found)


def _with_carry(problem: Problem, place: int, claim: Claim) -> FoundStep:
    total = claim.result or 0
    slots: dict[str, object] = {"left": total % _TEN, "place": _PLACES[place], "above": _PLACES[min(place + 1, 3)]}
    last = total < _TEN or place + 1 == len(str(max(problem.a, problem.b)))
    return say_word("column_with_carry_last" if last else "column_with_carry", claim, **slots)


def _are_places(values: Sequence[int], places: Sequence[int]) -> bool:
    """Whether two numbers are what places come to, one of them perhaps of several."""
    one = next((each for each in values if each in places), None)
    return one is not None and sum(places) - one in values


def _sum_plan(told: Told) -> FoundStep | None:
    """A calculation of whole places, or the last one, that a child means to do."""
    problem, places = told.problem, [one for one in _place_sums(told.problem) if one]
    if len(told.claims) != 1 or max(problem.a, problem.b) < _TEN:
        return None
    claim = told.claims[0]
    if claim.op != "+" or claim.value is not None or told.asks_amount:
        return None
    if claim.result == problem.answer and _are_places((claim.left, claim.right), places):
        return say_word("last_step", part=claim.part)
    first = max(len(str(problem.a)), len(str(problem.b))) - 1
    unit = _TEN**first
    digits = sorted((_digit(problem.a, first) * unit, _digit(problem.b, first) * unit))
    if (
        sorted((claim.left, claim.right)) == digits
        and 0 not in digits
        and (told.asks or _FIRST_PLACE.search(told.text))
    ):
        return say_word("begin_large", part=claim.part)
    return None


def _sum_joined(told: Told) -> FoundStep | None:
    """Two sums of places that were written side by side: 8013."""
    places = _place_sums(told.problem)
    for one in told.claims:
        if (
            one.right_one
            and one.value in places
            and any(f"{other}{one.value}" in told.text for other in places if other)
        ):
            other = next(each for each in places if each and f"{each}{one.value}" in told.text)
            return say_word("places_joined", one, equation=one.equation, one=other, other=one.value)
    return None


def _sum_estimated(told: Told) -> FoundStep | None:
    """Whether a sum comes to more than a round number, by its largest places alone: 일단 천은 넘겠네."""
    problem = told.problem
    over = re.search(r"(?:(\d+)|(천|백))\s*[은는이을를]?\s*넘", told.text)
    unit = _TEN ** (len(str(min(problem.a, problem.b))) - 1)
    if over is None or told.claims or unit < _TEN:
        return None
    limit = int(over[1]) if over[1] else {"천": 1000, "백": 100}[over[2]]
    one, other = problem.a // unit * unit, problem.b // unit * unit
    if limit % unit or not limit <= one + other < problem.answer:
        return None
    return say_word("estimate_yes", one=one, other=other, limit=limit)


def _sum_moved(told: Told) -> FoundStep | None:
    """A part of one number given to the other, so that the sum stays; or a double with one more."""
    a, b = told.problem.a, told.problem.b
    for one in told.claims:
        plan = one.op == "+" and one.value is None and min(one.left, one.right) >= _TEN and not told.asks_amount
        for number, other in ((a, b), (b, a)):
            gap = -number % _TEN
            if plan and gap and {one.left, one.right} == {number + gap, other - gap}:
                return say_word("moved_sum", one=one.part, by=gap)
    small, more = min(a, b), abs(a - b)
    compares = re.search(r"보다", told.text) and re.search(r"많|크|커", told.text)
    if 0 < more <= 2 and small < _TEN and compares and not told.claims and {a, b} <= {*told.values} <= {a, b, more}:
        return say_word("near_double", double=f"{small}+{small}", more=more)
    return None


def _sum_of_tens(told: Told) -> FoundStep | None:
    """The digits of whole tens or hundreds, without their zeros: 2+3 of 20+30."""
    a, b = told.problem.a, told.problem.b
    for unit, name in ((100, "백"), (10, "십")):
        if a % unit or b % unit:
            continue
        for one in told.claims:
            if (
                one.op == "+"
                and sorted((one.left, one.right)) == sorted((a // unit, b // unit))
                and one.value is not None
            ):
                if not one.right_one:
                    return look_again(one)
                return say_word("tens_alone", one, equation=one.equation, name=name)
    return None


def _sum_bridged(told: Told) -> FoundStep | None:
    """On from one number by parts of the other, or what is left of that one."""
    a, b = told.problem.a, told.problem.b
    for start, rest in ((a, b), (b, a)):
        turned = start < rest and max(a, b) >= _TEN
        for one in told.claims:
            part = one.right if one.left == start else one.left if one.right == start else 0
            if turned and (part >= _TEN or (start + part) % _TEN or start < _TEN):
                continue
            if one.op == "+" and 0 < part < rest:
                if one.value is None:
                    return say_word("begin_part", part=one.part) if told.asks and not told.asks_amount else None
                if not one.right_one:
                    return look_again(one)
                key = "bridge_reached" if (start + part) % _TEN == 0 else "part_added"
                return say_word(key, Claim("+", start, part), equation=one.equation, rest=rest, used=part)
        reached = _reached(told, start, rest)
        if reached is None or (turned and not any(one.left == start for one in told.found)):
            continue
        used, at = reached
        if (word := _rest_of(told, rest, used) or _goes_last(told, at, rest - used)) is not None:
            return word
        known = rest < _TEN or any(one.left == start for one in told.found)
        if told.bare == rest - used and known and not told.why:
            claim = Claim("-", rest, used)
            return say_word("bridge_rest", claim, equation=claim.equation, at=at)
    return None


def _reached(told: Told, start: int, rest: int) -> tuple[int, int] | None:
    """(how much of the other number was used, where one is) of a way through the next ten."""
    op = told.problem.op
    for one in reversed(told.found):
        if one.op == op and one.left == start and 0 < one.right < rest and one.result is not None:
            return one.right, one.result
    gap = (-start if op == "+" else start) % _TEN
    return (gap, start + gap if op == "+" else start - gap) if 0 < gap < rest else None


def _rest_of(told: Told, rest: int, used: int) -> FoundStep | None:
    """What is left of the number of which a part was used: 5에서 2를 썼으니까 3."""
    gone = any(one.op == told.problem.op and one.right == used for one in told.found)
    for one in told.claims:
        of_rest = one.left == rest or (gone and one.left == rest % _TEN)
        if one.op == "-" and of_rest and one.right == used and one.value is not None:
            if not one.right_one:
                return look_again(one)
            reached = _reached(told, told.problem.a if rest == told.problem.b else told.problem.b, rest)
            key = "bridge_rest" if told.problem.op == "+" else "bridge_back_rest"
            return say_word(key, one, equation=one.equation, at=reached[1] if reached else 0)
        if gone and one.op == "-" and one.left == rest and 0 < abs(one.right - used) <= 2 and one.right_one:
            return look_again(Claim("-", rest, used, one.value))
    return None


def _goes_last(told: Told, at: int, left: int) -> FoundStep | None:
    """What is left, to be gone from where one is: 10에서 하나 더 가면 되겠다."""
    goes = _TAKES if told.problem.op == "-" else _ADDS
    if told.claims or told.values != (at, left) or not (re.search(r"더|가", told.text) or goes.search(told.text)):
        return None
    return say_word("last_go", at=at, left=left)


# --- differences ------------------------------------------------------------------------------------------------------


def _rewritten(problem: Problem) -> list[int]:
    """The digits of the first number from the ones up, as they are when all that is needed was opened."""
    digits = [_digit(problem.a, place) for place in range(len(str(problem.a)))]
    for place in range(len(digits) - 1):
        if digits[place] < _digit(problem.b, place):
            digits[place] += _TEN
            digits[place + 1] -= 1
    return digits


def _difference_columns(told: Told) -> FoundStep | None:
    """The differences of digits, of any place, with what was lent."""
    problem, digits = told.problem, _rewritten(told.problem)
    if len(digits) < 2 or (problem.b < _TEN and len(told.claims) < 2):
        return None
    if list(told.values) == digits[::-1] and len(digits) > 2 and not told.claims:
        return say_word("columns_rewritten", one=digits[0], other=problem.b % _TEN)
    taken = [one for one in told.claims if one.op == "-"]
    if not taken or len(taken) != len(told.claims):
        return None
    read = [_place_of(problem, one, digits) for one in taken]
    if any(one is None for one in read):
        return None
    right = [
        one for one, seen in zip(taken, read, strict=True) if seen is not None and seen[1] == "own" and one.right_one
    ]
    before = f"{', '.join(one.equation for one in right)} 맞아. " if right else ""
    found = right[-1] if right else None
    for one, seen in zip(taken, read, strict=True):
        place, kind = seen if seen is not None else (0, "")
        if kind == "lent" and (place > problem.carries[0] + 1 or right):
            true = [*right, one] if one.right_one and not right else right
            before = f"{with_particle(', '.join(each.equation for each in true), '은는')} 맞아. 그런데 " if true else ""
            return say_word("column_lent", found, before=before, place=_PLACES[place], digit=_digit(problem.a, place),
                        left=_digit(problem.a, place) - 1, minus=_digit(problem.b, place))  # fmt: skip
        if kind == "own" and one.value is not None and not one.right_one:
            return look_again(one, before)
    places = {seen[0] for seen in read if seen is not None and seen[1] == "own"}
    needed = {place for place in range(len(digits)) if _digit(problem.b, place)}
    if len(right) > 1 and places == needed and len(digits) == 2 and not problem.carries:
        return say_word("places_both", found, first=_digit(problem.a, 1), last=_digit(problem.a, 0))
    if len(right) > 1 and places == needed:
        return say_word("places_found", found, before=before)
    return None


def _place_of(problem: Problem, one: Claim, digits: Sequence[int]) -> tuple[int, str] | None:
    """(the place that a difference of digits belongs to, and whether it is its own or the one before it has lent)."""
    for place, digit in enumerate(digits):
        minus = _digit(problem.b, place)
        if (one.left, one.right) == (digit, minus):
            return place, "own"
        lent = place > 0 and place - 1 in problem.carries
        if lent and (one.left, one.right) == (_digit(problem.a, place), minus) and _digit(problem.a, place) > 0:
            return place, "lent"
    return None


def _difference_digits(told: Told) -> FoundStep | None:
    """The digits of a difference without a borrow, named by where they stand: 뒤는 5고 앞은 3."""
    problem = told.problem
    own = [_digit(problem.a, place) - _digit(problem.b, place) for place in (0, 1)]
    named = re.search(r"앞|십", told.text) and re.search(r"뒤|일의|낱개", told.text)
    if problem.carries or len(str(problem.a)) != 2 or told.claims or not named or len(told.values) != 2:
        return None
    place = re.search(r"앞|십", told.text), re.search(r"뒤|일의|낱개", told.text)
    first = own[::-1] if place[0] and place[1] and place[0].start() < place[1].start() else own
    return say_word("digits_named") if list(told.values) == first else None


def _lender(told: Told) -> FoundStep | None:
    """From which digit is borrowed, and what becomes of a 0 on the way."""
    problem, values = told.problem, told.values
    if 0 not in problem.carries or problem.b < 1 or problem.a < 2 * _TEN or told.claims:
        return None
    one, above, hundreds = problem.a % _TEN, _digit(problem.a, 1), _digit(problem.a, 2)
    slots: dict[str, object] = {
        "one": one,
        "opened": one + _TEN,
        "above": above,
        "left": above - 1,
        "hundreds": hundreds,
    }
    if above == 0 and hundreds:
        if {*values} == {0, 10, 9} and (told.asks or act_of(told.text) in ("tell", "whether")):
            return say_word("zero_yes", **slots)
        if values == (hundreds,) and _FAR.search(told.text):
            return say_word("zero_two_steps", **slots)
        if 0 in values and {*values} <= {0, 2} and _MARKS.search(told.text):
            return say_word("zero_first", **slots)
        return None
    asks_lender = re.search(r"(?:한테|에게|에서|꺼|거).{0,4}(?:빌|꿔|가져)", told.text)
    if above and values == (above,) and asks_lender and not told.why:
        return say_word("borrow_from", **slots)
    return None


def _order_matters(told: Told) -> FoundStep | None:
    """Why the numbers of a difference cannot be turned round."""
    turned = _TURNED.search(told.text) and (told.why or re.search(r"안\s*[돼되]|되잖", told.text))
    return say_word("order_matters") if turned and not told.claims and "자리" not in told.text else None


def _reversed_digits(told: Told) -> FoundStep | None:
    """The smaller digit taken from the larger, told as how far they lie apart: 1이랑 8이면 7 차이나니까."""
    problem = told.problem
    one, other = problem.a % _TEN, problem.b % _TEN
    gap = other - one
    if 0 not in problem.carries or "차이" not in told.text or gap not in told.values:
        return None
    return say_word("gap_true", one=one, other=other, gap=gap, opened=one + _TEN)


def _difference_bridged(told: Told) -> FoundStep | None:
    """Parts of the second number taken one after the other, more than it and then some back, or what is left of it."""
    a, b = told.problem.a, told.problem.b
    for one in _taken_away(told):
        part = _of_part(told, one) if one.left == a and one.right != b and 0 < one.right < b + _NEAR else None
        if (word := part or _round_minuend(told, one)) is not None:
            return word
        known = {each.result for each in told.found if each.left == a and each.right < b}
        if one.left in known and one.result == told.problem.answer and one.value is not None and not one.right_one:
            return look_again(one)
    reached = _reached(told, a, b)
    if reached is None:
        return None
    used, at = reached
    if (word := _rest_of(told, b, used) or _goes_last(told, at, b - used)) is not None:
        return word
    if told.bare == b - used and not told.why:
        claim = Claim("-", b, used)
        return say_word("bridge_back_rest", claim, equation=claim.equation, at=at)
    came = any(one.left == a and one.right == used for one in told.found)
    return say_word("added_instead", at=at, rest=b - used) if came and told.values[-1:] == (at + b - used,) else None


def _round_minuend(told: Told, one: Claim) -> FoundStep | None:
    """The second number taken from the tens of the first: 50−38 of 52−38."""
    a, b = told.problem.a, told.problem.b
    apart = a % _TEN
    if not apart or one.right != b or one.left != a - apart or one.left <= _TEN:
        return None
    if one.value is None:
        return say_word("begin_part", part=one.part) if told.asks and not told.asks_amount else None
    if not one.right_one:
        return look_again(one)
    return say_word("minuend_round", one, equation=one.equation, a=a, apart=apart)


def _taken_away(told: Told) -> Iterator[Claim]:
    """The differences of a message, those too that leave out from what is taken: 10 빼면 5, 10까지 세 칸, 80 맞제."""
    yield from (one for one in told.claims if one.op == "-")
    if told.claims:
        return
    a, b, values = told.problem.a, told.problem.b, told.values
    tens = b - b % _TEN
    if len(values) == 2 and _TAKES.search(told.text) and not _NO_START.search(told.text):
        part, value = values
        if value == a - part or (part in (tens, a % _TEN, tens + _TEN) and part < value < a):
            yield Claim("-", a, part, value)
    if len(values) == 2 and re.search(r"까지", told.text) and values[0] == a - values[1]:
        yield Claim("-", a, values[1], values[0])
    if told.bare is not None and 0 < tens < b and told.bare == a - tens and not told.why:
        yield Claim("-", a, tens, told.bare)


def _of_part(told: Told, one: Claim) -> FoundStep | None:
    """What to say where a part of the second number, or a rounder one, was taken from the first."""
    b, part = told.problem.b, one.right
    if one.value is None:
        return say_word("begin_part", part=one.part) if told.asks and not told.asks_amount and part < b else None
    if not one.right_one:
        return look_again(one)
    slots: dict[str, object] = {"equation": one.equation, "b": b, "used": part, "more": part - b}
    if part > b:
        near: NumberTopic = {"about": "near", "number": part}
        return say_word("give_back", one, near, **slots) if part % _TEN == 0 else None
    if part == b - b % _TEN:
        return say_word("split_tens", one, ones=b % _TEN, **slots)
    return say_word("bridge_back_reached" if (one.result or 0) % _TEN == 0 else "part_taken", one, **slots)


def _given_back(told: Told) -> FoundStep | None:
    """A round number taken in place of the second, and what is too much given back: the plan, the end, and why."""
    a, b, values = told.problem.a, told.problem.b, told.values
    if told.claims:
        return None
    takes, adds = _TAKES.search(told.text), _ADDS.search(told.text)
    pair = [*values[1:]] if values[:1] == (b,) and len(values) == 3 else [*values]
    if len(pair) == 2 and takes and adds and pair[0] - pair[1] == b and pair[0] < a:
        near: NumberTopic = {"about": "near", "number": pair[0]}
        return say_word("give_back_plan", None, near, a=a, near=pair[0], b=b, more=pair[1])
    known = told.topic["number"] if told.topic is not None and told.topic["about"] == "near" else None
    if known is not None and told.why and (adds or takes):
        return say_word("give_back_why", near=known, b=b, more=known - b)
    if known is not None and values in ((known - b,), ()) and (takes or adds) and len(told.text) < _NEAR * 2:
        if takes and not adds:
            return say_word("give_back_not_take", near=known, b=b, more=known - b)
        return say_word("give_back_yes", more=known - b) if values else None
    apart = a % _TEN
    rounded = any(one.left == a - apart and one.right == b for one in told.found)
    if rounded and values == (apart,) and (takes or adds):
        return say_word("minuend_apart_add" if adds else "minuend_apart_not_take", a=a, apart=apart)
    return None


def _moved_why(told: Told) -> FoundStep | None:
    """Why a difference stays the same when both numbers move."""
    moved = told.topic is not None and told.topic["about"] == "moved"
    return say_word("moved_why") if moved and told.why and re.search(r"같|그대로|모르", told.text) else None


# --- products ---------------------------------------------------------------------------------------------------------


def _times_meaning(told: Told) -> FoundStep | None:
    """What the product means, or that it may be turned round."""
    a, b = told.problem.a, told.problem.b
    said = _EACH_TIMES.search(told.text)
    if said is None or any(one.value is not None for one in told.claims):
        return None
    pair = int(said[1]), int(said[2])
    if pair == (a, b):
        return say_word("times_meaning_yes", a=a, b=b)
    return say_word("times_turned", a=a, b=b) if pair == (b, a) else None


def _times_digit(told: Told) -> FoundStep | None:
    """A digit of the tens that was taken for ones: 2×6 of 24×6."""
    big, small = max(told.problem.a, told.problem.b), min(told.problem.a, told.problem.b)
    if not small < _TEN <= big < _TEN**2:
        return None
    tens, ones = divmod(big, _TEN)
    found = _IS_TENS.search(told.text)
    if found and (int(found[1]), int(found[2])) == (tens, _TEN * tens):
        return say_word("digit_is_tens", whole=_TEN * tens, by=small)
    right = [one for one in told.claims if one.right_one]
    pair = next((one for one in right if sorted((one.left, one.right)) == sorted((tens, small))), None)
    of_ones = next((one for one in right if sorted((one.left, one.right)) == sorted((ones, small))), None)
    if pair is None or len(right) != len(told.claims):
        return None
    whole = _TEN * (pair.result or 0)
    if whole in told.values and whole != pair.result:
        return say_word("digit_tens_yes", digit=tens, whole=_TEN * tens, equation=f"{_TEN * tens}×{small}={whole}")
    joined = f"{pair.result}{ones * small}" in told.text
    if joined:
        return say_word("digits_joined", pair, digit=tens, whole=_TEN * tens, by=small)
    if of_ones is not None and (of_ones.result or 0) >= _TEN and told.claims[-1] == pair:
        return say_word("times_carry_left", of_ones, before=f"{of_ones.equation}, {pair.equation}", product=pair.result)
    return None


def _times_carried(told: Told) -> FoundStep | None:
    """What is carried, added to the product of the tens: 42에 5를 더해서 47."""
    big, small = max(told.problem.a, told.problem.b), min(told.problem.a, told.problem.b)
    if not small < _TEN <= big < _TEN**2:
        return None
    tens, ones = divmod(big, _TEN)
    up, left = divmod(ones * small, _TEN)
    product = tens * small
    for one in told.claims:
        if one.op == "+" and up and one.left == product and one.right != up and one.right < _TEN:
            slots: dict[str, object] = {"equation": one.equation, "other": one.right, "ones": ones * small}
            return say_word("carry_other", part=f"{ones}×{small}", left=left, **slots)
        if one.op == "+" and up and (one.left, one.right) == (product, up):
            return (
                look_again(one)
                if one.value is not None and not one.right_one
                else say_word("carry_added", total=product + up)
            )
    if up and told.values[-1:] == (product + up,) and {*told.values[:-1]} <= {up} and not told.claims:
        return say_word("carry_added", total=product + up)
    return None


def _times_near(told: Told) -> FoundStep | None:
    """More groups than there are, and those taken away again; two products that make the whole one."""
    problem, claims = told.problem, told.claims
    times = [one for one in claims if one.op == "x"]
    takes = _TAKES.search(told.text) is not None
    for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
        shares = [one.right if one.left == each else one.left if one.right == each else None for one in times]
        if not times or None in shares or len(times) != len(claims):
            continue
        known = [one for one in shares if one is not None]
        wrong = next((one for one in times if one.value is not None and not one.right_one), None)
        if wrong is not None:
            return look_again(wrong) if wrong.result != problem.answer else None
        told_results = all(one.value is not None for one in times)
        if len(known) == 2 and known[0] - known[1] == groups and takes:
            return say_word("times_less_plan", near=known[0], groups=groups, more=known[1], each=each)
        if len(known) == 2 and sum(known) == groups and told_results:
            return say_word("times_parts", times[-1], one=known[0], other=known[1], groups=groups)
        if len(known) == 1 and told_results and groups < known[0] <= groups + 5 and each > 1:
            slots: dict[str, object] = {"each": each, "known": known[0], "total": times[0].value}
            return say_word("groups_too_many", times[0], missing=known[0] - groups, **slots)
        if len(known) == 1 and not told_results and groups < known[0] <= groups + 5 and (takes or told.asks):
            return say_word("times_near_plan", near=known[0], groups=groups, each=each)
    return None


def _times_near_end(told: Told) -> FoundStep | None:
    """How much is to be taken away again from a rounder product, and why."""
    problem = told.problem
    for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
        near = (groups + _TEN // 2) // _TEN * _TEN
        more = near - groups
        if not 0 < more <= 5 or groups < _TEN - 3:
            continue
        for one in told.claims:
            if one.op == "-" and one.left == each * near and one.value is None and not told.asks_amount:
                if one.right == each * more:
                    return say_word("last_step", part=one.part)
                return say_word(
                    "times_near_other", product=one.left, each=each, near=near, groups=groups, wrong=one.right
                )
        named = {*told.values}
        if told.why and told.goes_on and named & ({near, groups} - {each}) and named <= {groups, near, each, more}:
            return say_word("times_near_why", each=each, near=near, groups=groups, more=more)
    return None


def _times_parts_told(told: Told) -> FoundStep | None:
    """The two parts of a product, of which one is not right."""
    big, small = max(told.problem.a, told.problem.b), min(told.problem.a, told.problem.b)
    tens = big - big % _TEN
    if told.claims or len(told.values) != 2 or not small < _TEN < tens + small or big == tens or not tens:
        return None
    parts = {tens * small: (tens, small), (big - tens) * small: (big - tens, small)}
    right = [one for one in told.values if one in parts]
    if len(right) != 1:
        return None
    wrong = next(one for one in told.values if one not in parts)
    left, by = next(pair for value, pair in parts.items() if value != right[0])
    if abs(wrong - left * by) > _NEAR:
        return None
    return look_again(Claim("x", by, left, wrong), f"{right[0]}, 그건 맞아. ")


def _times_stride(told: Told) -> FoundStep | None:
    """On from a known product by another number than the one that is counted in."""
    problem = told.problem
    for one in told.claims:
        if one.op != "+" or one.value is not None:
            continue
        for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
            if one.left % each == 0 and 1 < one.left // each < groups:
                if one.right == each:
                    near = one.left + each == problem.answer
                    return say_word("times_one_more_plan" if near else "times_more_plan", known=one.left, each=each)
                if one.right in (problem.a, problem.b):
                    return say_word("times_other_stride", each=each, wrong=one.right, known=one.left)
    return None


def _times_last(told: Told) -> FoundStep | None:
    """The last addition of a product, where it is felt to be hard or a part of it is told: 12에 6; 2랑 6은 8."""
    problem = told.problem
    for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
        known = each * (groups - 1)
        tens, ones = divmod(known, _TEN)
        if not tens or each >= _TEN:
            continue
        fits = ones and ones + each < _TEN
        if told.values == (known, each) and not told.claims and fits:
            return say_word("last_add_ones", tens=_TEN * tens, ones=ones, each=each)
        for one in told.claims:
            if fits and one.op == "+" and sorted((one.left, one.right)) == sorted((ones, each)) and one.right_one:
                return say_word("last_add_ones_right", one, equation=one.equation)
    return None


def _times_together(told: Told) -> FoundStep | None:
    """Two known products that are to be put together: 14 더하기 14."""
    problem = told.problem
    for one in told.claims:
        for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
            whole = one.left % each == one.right % each == 0 and min(one.left, one.right) > 0
            plan = one.op == "+" and one.value is None and not told.asks_amount
            if plan and whole and one.result == each * groups and each > _FEW:
                return say_word("last_step", part=one.part)
    return None


def _times_row_left(told: Told) -> FoundStep | None:
    """How many groups are left of those that were counted."""
    if not _HOW_MANY_MORE.search(told.text) or [one for one in told.values if one > 1]:
        return None
    for each, groups in ((told.problem.a, told.problem.b), (told.problem.b, told.problem.a)):
        done = next((one.right for one in reversed(told.found) if one.op == "x" and one.left == each), 0)
        if 0 < done < groups:
            return say_word("groups_left", each=each, left=groups - done)
    return None


# --- quotients --------------------------------------------------------------------------------------------------------


def _share_meaning(told: Told) -> FoundStep | None:
    """What the quotient means in a story of the child's own."""
    a, b = told.problem.a, told.problem.b
    shared = re.search(r"나(?:누어|누는|누자|누면|눌|눈|눠)|노나|똑같이|갖", told.text)
    if not shared or {a, b} - {*told.values} or len(told.values) != 2 or re.search(r"몇|얼마", told.text):
        return None
    return say_word("share_meant") if told.asks or act_of(told.text) in ("tell", "whether") else None


def _halved(told: Told) -> FoundStep | None:
    """Halves, and halves of halves, for a divisor that is made of twos."""
    a, b = told.problem.a, told.problem.b
    halvings = {2: 1, 4: 2, 8: 3}.get(b, 0)
    if not halvings:
        return None
    way = [a // 2**step for step in range(1, halvings + 1)]
    twice = re.search(r"반.*반|반\S*\s*\d\s*번|두\s*번|세\s*번", told.text)
    if (_HALVES.search(told.text) or "반" in told.text) and twice and {*told.values} <= {b, 2, 3} and not told.found:
        numbers = [int(one) for one in re.findall(r"(\d)\s*번", told.text)] or [len(re.findall("반", told.text))]
        return say_word("halving_yes" if halvings in numbers else "halving_times", times=halvings, by=b, a=a)
    halves = [one for one in told.claims if one.op == "/" and one.right == 2 and one.value is not None]
    if halves and len(halves) == len(told.claims):
        wrong = next((one for one in halves if not one.right_one), None)
        if wrong is not None:
            return look_again(wrong)
        if len(halves) > 1 and sum(one.left for one in halves) in (a, *way[:-1]):
            return say_word("half_parts", halves[-1])
        done = way.index(halves[-1].value or 0) + 1 if halves[-1].value in way[:-1] else 0
        return _after_halves(told, done, halvings, halves[-1]) if done else None
    row = way[: len(told.values)]
    if 1 < len(told.values) < halvings and list(told.values) == row and not told.claims:
        return _after_halves(told, len(row), halvings, Claim("/", row[-2], 2))
    last = told.found[-1].result if told.found and told.found[-1].right == 2 else None
    if last is not None and not told.claims and len(told.values) == 2 and 2 * sum(told.values) == last:
        tens = last // _TEN * _TEN
        if sorted(told.values) == sorted((tens // 2, (last - tens) // 2)):
            return say_word("half_parts")
    return None


def _after_halves(told: Told, done: int, halvings: int, claim: Claim) -> FoundStep:
    return say_word("halved_more", claim, equation=claim.result, done=done, times=halvings, left=halvings - done,
                by=told.problem.b)  # fmt: skip


def _multiples(told: Told) -> FoundStep | None:
    """How often the divisor fits: known lines, what is left, and the end of a row."""
    problem, values = told.problem, told.values
    a, b, answer = problem.a, problem.b, problem.answer
    for one in told.claims:
        each = one.right if one.left == b else one.left if one.right == b else 0
        if one.op == "x" and each and each != answer and len(told.claims) == 1:
            if one.value is not None and not one.right_one:
                return look_again(one)
            left = a - b * each
            if one.right_one and left > 0 and left in values[2:] and left != answer:
                return say_word("fits_left", Claim("x", each, b), known=b * each, left=left, by=b)
    once_more = re.search(r"1?\s*번?\s*만?\s*더", told.text)
    if once_more and values[-1:] == (a,) and b in values and not told.claims:
        return say_word("fits_now", known=a, by=b)
    tail = list(values)
    if len(tail) > 1 and tail[-1] == a and all(other - one == b for one, other in pairwise(tail)):
        return say_word("row_arrived", a=a, by=b)
    return None


def _fits_again(told: Told) -> FoundStep | None:
    """How often the divisor fits into what was left, and what was left held out as the answer."""
    a, b, answer = told.problem.a, told.problem.b, told.problem.answer
    before = [one.left for one in told.found if one.op == "x" and one.right == b]
    if not before or not told.values or answer <= before[-1]:
        return None
    earlier, more = before[-1], answer - before[-1]
    of_rest = [{one.left, one.right} == {b, more} for one in told.claims if one.op == "x"]
    if (not told.claims and told.values in ((more,), (earlier, more))) or (of_rest == [True] and len(told.claims) == 1):
        return say_word("parts_found", Claim("x", more, b), one=earlier, other=more)
    left = a - earlier * b
    asks = told.values == (left,) and left != answer and _RATHER.search(told.text) and "남" not in told.text
    return say_word("left_is_not", left=left, by=b, a=a) if asks and not told.claims else None


def _shares(told: Told) -> FoundStep | None:
    """Things handed out: several at once, some that were given, those that are left."""
    a, b, values = told.problem.a, told.problem.b, told.values
    if values in ((1,), ()) and _SLOW.search(told.text) and re.search(r"씩|하나|주|나[누눠]", told.text):
        return say_word("share_several", by=b)
    if len(values) == 2 and values[0] * b == values[1] and values[1] < a and "씩" in told.text:
        each, gone = values
        if a - gone == told.problem.answer:
            return say_word("share_given", Claim("x", each, b), each=each, gone=gone, by=b)
    kept = re.search(r"내\s*[꺼거]|내가|나만|나\s*줘|나는", told.text)
    if kept and re.search(r"남[은는]", told.text):
        return say_word("share_rest_too", by=b)
    return None


def _not_even(told: Told) -> FoundStep | None:
    """What is done where a number does not fit without a rest."""
    uneven = re.search(r"안\s*떨어|안\s*나[눠누]|나머지|남으면", told.text)
    return say_word("share_uneven") if uneven and not told.values and (told.asks or "어" in told.text) else None


_OF_OPERATION: Final[dict[str, tuple[Callable[[Told], FoundStep | None], ...]]] = {
    "+": (_sum_joined, _sum_of_tens, _sum_places, _sum_with_carry, _sum_plan, _sum_estimated, _sum_moved, _sum_bridged),
    "-": (_order_matters, _lender, _given_back, _moved_why, _difference_columns, _difference_digits, _reversed_digits,
          _difference_bridged),
    "x": (_times_meaning, _times_digit, _times_carried, _times_near_end, _times_near, _times_parts_told, _times_stride,
          _times_last, _times_together, _times_row_left),
    "/": (_share_meaning, _halved, _multiples, _fits_again, _shares, _not_even),
}  # fmt: skip
