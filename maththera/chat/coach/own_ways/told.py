"""A message that tells of a child's own way with the problem in hand, and what its readers share."""

import re
from dataclasses import dataclass
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.column_replies import ColumnWord
from maththera.chat.coach.drafts import Board, NumberTopic
from maththera.chat.coach.own_claims import Claim, claims_in, in_digits
from maththera.chat.coach.own_ways.number_rows import own_numbers, row_claims
from maththera.chat.coach.step_talk import FoundStep

TEN: Final = 10
NEAR: Final = 20
"""How much a round number may be off the one that it stands for."""
PLACES: Final = ("일", "십", "백", "천")
_NUMBER: Final = re.compile(r"(?<!\d)\d{1,5}(?!\d)")
_EQUATION: Final = re.compile(r"(\d+)([+−×÷])(\d+)=(\d+)")
_OPS: Final = {"+": "+", "−": "-", "×": "x", "÷": "/"}
_ASKS: Final = re.compile(
    r"\?|[돼되]나|되[죠지]|[돼되됨]\s*$|맞[지죠아나제]|ㅇㅈ|인정|어때|거[지죠]|하면\s*안|아님|않음|않[아나]"
)
_AMOUNT: Final = re.compile(r"[은는]\s*\?*\s*$|몇|얼마|뭐")
_WHY: Final = re.compile(r"왜|어째서|무슨\s*이유")
TAKES: Final = re.compile(r"빼|뺐|뺀|뺄|덜")
ADDS: Final = re.compile(r"더하|더해|더할|더한|돌려|보태|다시\s*[줘주]")
HOW_MANY_MORE: Final = re.compile(
    r"몇\s*(?:번|칸|개|묶음)\s*(?:이나\s*)?(?:더|남)|얼마나\s*더|\W*또\?*\W*$|(?:1|한|하나)\s*(?:칸|번|개)?\s*(?:만\s*)?더"
)
RATHER: Final = re.compile(r"그럼|그러면|답은?|인가|이?[야네]\W*$|쓰면|눌렀|적었|썼|틀렸|이?니까")
_FROM_THERE: Final = re.compile(
    r"^\W*(?:그럼|그러면|거기서|거기다가?|거기에)?\s*(\d+)\s*(?:을|를|만|개)?\s*(?:더\s*)?(더[하해할]|빼|뺀|덜)(?:서|면|니까|고)?\s*(\d+)\D{0,4}$"
    r"|(?:거기|여기|그거|그것)\s*(?:에다가?|에서|다가?|에|서)?\s*(\d+)\s*(?:을|를|만|개)?\s*(더[하해할]|빼|뺀|덜)\S*(?:\D{0,6}?(\d+))?"
)

_THERE: Final = re.compile(r"거기|여기|그거|그것")


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


def told_of(problem: Problem, message: str, board: Board) -> Told:
    found = board.get("found", {}).get(problem.expression, ())
    read = (_EQUATION.fullmatch(one) for one in found)
    known = tuple(Claim(_OPS[one[2]], int(one[1]), int(one[3]), int(one[4])) for one in read if one)
    text = in_digits(message)
    start = problem.a
    if problem.op == "/":
        start = next((one.result or 0 for one in reversed(known) if one.op == "/" and one.right == 2), problem.a)
    on = next((one.result for one in reversed(known) if one.result is not None), None)
    claims = claims_in(message, start) or (_goes_on_from(text, on, problem.a) if on is not None else ())
    claims = claims or row_claims(
        problem, text, own_numbers(problem).union(*((one.left, one.right, one.result or 0) for one in known))
    )
    return Told(
        problem, text, claims, tuple(map(int, _NUMBER.findall(text))), known, board.get("topic"),
        board.get("ask") == "step",
    )  # fmt: skip


def _goes_on_from(text: str, last: int, start: int) -> tuple[Claim, ...]:
    """A calculation that goes on from what was found last (거기다 6 더해서 46), or from the first number."""
    said = _FROM_THERE.search(text)
    if said is None:
        return ()
    amount, how, result = said.groups()[:3] if said[1] else said.groups()[3:]
    value = int(result) if result else None
    op = "-" if TAKES.search(how) else "+"
    on, whole = Claim(op, last, int(amount), value), Claim("+", start, int(amount), value)
    if op == "+" and whole.right_one:
        return (whole,)
    return (on,) if on.right_one or _THERE.search(text) else ()


def guesses(told: Told) -> bool:
    """Whether the problem itself or its answer stands in the message, so that it is a guess or no step."""
    answer, own = told.problem.answer, (told.problem.a, told.problem.b)
    itself = [one for one in told.claims if one.op == told.problem.op and (one.left, one.right) == own]
    if itself and told.problem.op in "+-":
        return True
    if answer in own or answer not in told.values:
        return False
    if answer >= TEN:
        return True
    of_claims = [one for one in told.claims if one.result == answer]
    return bool(of_claims) or told.bare == answer or told.values[-1] == answer


def say_word(key: str, found: Claim | None = None, topic: NumberTopic | None = None, /, **slots: object) -> FoundStep:
    return FoundStep(ColumnWord(key, slots), found.equation if found else "", topic)


def digit_at(number: int, place: int) -> int:
    return number // int(TEN**place) % TEN


def look_again(claim: Claim, before: str = "") -> FoundStep:
    """To a small calculation that is not right yet: how the child can find it."""
    slots: dict[str, object] = {"before": before, "part": claim.part, "left": claim.left, "right": claim.right}
    if claim.op == "/" and claim.right == 2 and claim.value is not None:
        tens = claim.left // TEN * TEN
        slots |= {"half": claim.value, "twice": 2 * claim.value, "tens": tens, "ones": claim.left - tens}
        return say_word("way_look_half" if 0 < tens < claim.left else "way_look_half_small", **slots)
    if claim.op == "x" and min(claim.left, claim.right) > 1 and max(claim.left, claim.right) <= TEN:
        each, times = claim.left, claim.right
        slots |= {"each": each, "less": times - 1, "known": each * (times - 1)}
        return say_word("way_look_times", **slots)
    if claim.op in "+-" and claim.right < TEN:
        return say_word("way_look_add" if claim.op == "+" else "way_look_take", **slots)
    return say_word("way_look", **slots)
