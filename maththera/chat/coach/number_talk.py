"""Talk of numbers beside the steps of a task: halves, what a remainder may be, a table said in order, a hundred taken
apart, which digit is written first, the parts of a product, a sum made easier.

Says no answer of an open task.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.expressions import Operation
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import claim_in, read_expressions
from maththera.chat.coach.column_replies import carry_word
from maththera.chat.coach.drafts import Board, CoachTurn, Draft, NumberTopic, NumberWord
from maththera.chat.coach.message_shapes import exercise_of, table_named
from maththera.chat.coach.number_order import order_word
from maththera.chat.coach.own_claims import in_digits
from maththera.korean.number_words import SINO_DIGITS
from maththera.korean.numbers import Number, numbers_in, plain

_TEN: Final = 10
_LONGEST: Final = 60
_FEW: Final = 3
_HALF_IS: Final = re.compile(r"(\d+)의?\s*(?:절반|반)(?:은|이)?\s*(\d+)")
_DIVIDED_BY: Final = re.compile(r"(\d+)\s*(?:으로|로)\s*나[누눌눈눠]")
_REMAINDER_IS: Final = re.compile(r"나머지(?:가|는|로|도)?\s*\d+\S{0,3}\s*(?:될|되|돼|있|나[와올오])")
_GREATEST: Final = re.compile(r"(?:제일|가장|젤)\s*(?:큰|커)|최대")
_LESS_BY_ONE: Final = re.compile(r"나누는\s*수\s*(?:-|빼기|에서|보다)\s*(?:1|하나|일)")
_TABLE_LINE: Final = re.compile(
    r"(?<![가-힣])([이삼사오육칠팔구])([일이삼사오육칠팔구])[에은이]?\s?([일이삼사오육칠팔구십]{1,4})(?![가-힣])"
)
_NEXT: Final = re.compile(r"다음|그담|담은|뭐(?:더라|지|야)")
_TAKEN_APART: Final = re.compile(
    r"(100|1000|10|백|천|십)[을를은는]?\s*(?:하나를?\s*)?(?:깨|풀|열|뜯|헐|바꾸|나누)[가-힣]*\s*(?:1?0이?|십이?|백이?|낱개가?|일이?).{0,4}몇"
)
_ALSO_APART: Final = re.compile(r"(?:그중|거기|그거|그\s*십).{0,4}하나.{0,6}(?:깨|풀|열|뜯|헐|바꾸|바꿔|빌려)")
_UNITS: Final = {"10": 10, "십": 10, "100": 100, "백": 100, "1000": 1000, "천": 1000}
_PARTS: Final = {10: "낱개", 100: "10이", 1000: "100이"}
_WRITTEN_FIRST: Final = re.compile(
    r"(?:뭐|뭘|무슨|어느|어떤|무엇).{0,6}(?:먼저|부터).{0,4}(?:써|쓰|적)|먼저\s*(?:써|쓰|적)"
)
_BARE: Final = re.compile(r"\W*(?:그럼\s*)?[0-9가-힣]{1,6}[은는](?:요)?\W*")
_INSTEAD: Final = re.compile(r"말고|대신")
_GIVES: Final = re.compile(r"(\d+)에서\s*(\d+)[을를]?\s*(?:주|떼|꺼내|옮기|덜)(?:고|면|어)")
_SAME: Final = re.compile(r"같|똑같|해도\s*[돼되]|바꿔")
_TURNED: Final = re.compile(r"썼|쓰|적|헷갈|거꾸로|바꿔|바뀌|뒤집")
_MORE_TIMES: Final = re.compile(r"(?:(한|두|세|네|[1-4])\s*번|하나)\s*(?:을|를)?\s*더")
_TIMES_MORE: Final = {"한": 1, "두": 2, "세": 3, "네": 4, "1": 1, "2": 2, "3": 3, "4": 4, None: 1}
_UNDONE: Final = re.compile(r"(빼|뺀|뺄|덜)|(더하|더해|더할|보태)")
_SHARED: Final = re.compile(
    r"(\d+)\s*(?:명|사람|마리|군데|접시|봉지|상자)(?:한테|에게|에|이|이서|으로|로)?.{0,6}(?:똑같이|나[누눠눈]|노나)"
)
_NEAR: Final = 3
_EXCHANGE_HERE: Final = re.compile(
    r"(?:여기|이거|이것|이건|이\s*문제|그거|그건|방금|아까).{0,8}받아\s*([올내]).{0,6}(?:있|필요|해야|하는|했|들어)"
)
_GROUPS: Final = re.compile(r"\W*(?:그럼\s*|근데\s*)?(\S{1,6})\s*(묶음|상자|봉지|줄|팩)(?:은|는|이면)?(?:요)?\W*")
_OTHERS: Final = re.compile(r"또|더|다른|그런")
_FEW_ONLY: Final = re.compile(r"(?:두|2)\s*개|뿐|밖에|썰렁")
_SCHOOL_NUMBER: Final = 10_000
_ADDS: Final = re.compile(r"더하|더해|더한|보태|합[하치쳐]|합이|모으|모아|짝")
_BECOMES: Final = re.compile(r"(\d+)[이가을를]?\s*(?:되|돼|될|된|만들|나[와오올])")
_WHICH_NUMBER: Final = re.compile(r"뭐|뭘|뭔|몇|얼마|어떤\s*수|무슨\s*수|(?:되는|될)\s*(?:수|거|것|짝)|짝")
_PAIR_OF: Final = re.compile(r"(\d+)[은는]\s*(\d+)\s*(?:이랑|랑|하고|과|와)\s*(?:뭐|몇|얼마)")
_ALIKE: Final = re.compile(r"같[아은나니지]|똑같|달라|다른|다르")
_BETWEEN: Final = re.compile(r"(?<=\d)\s*(?:이랑|랑|하고|과|와)\s*")
_SPOKEN_PRODUCT: Final = re.compile(
    r"(?<![가-힣])(?!사이|오이|이사|구이)([이삼사오육칠팔구])([이삼사오육칠팔구])(?=(?:에서|이가|이|은|는|가|을|를|만|도)?\s*"
    r"(?:자꾸|맨날|계속|또|항상|제일|뭐|모[야지르더]|얼마|몇|막[혀히혔힘]|헷갈|까먹|안\s*외|어려|생각|기억))"
)
_SLIPS_AWAY: Final = re.compile(r"막[혀히혔힘]|헷갈|까먹|안\s*외|기억이?\s*안|생각이?\s*안|자꾸|맨날|뭐더라")
"""A product of the tables that does not come to mind: 육칠에서 막혀, 6×7 자꾸 까먹어."""
_TELL_TABLE: Final = re.compile(
    r"외[워우]\s*(?:줘|주|봐|보[자여]|볼래)|알려|말해|보여|써\s*줘|적어|들려|불러|읊|뭐야|뭐지|가르쳐"
)
_ASKS_ABOUT_TABLE: Final = re.compile(
    r"외우(?!자)|외울|외워지|문제|퀴즈|물어|내\s*[줘봐]|맞[춰혀]|왜|어떻게|방법|쉽게|거꾸로|하는\s*법|까지|만\s*해"
)
_RUN_SUM: Final = re.compile(r"(\d+)\s*부터\s*(\d+)\s*까지\s*(?:다|모두|전부|수를)?\s*(?:다\s*)?(?:더하|더해|합)")
_LONGEST_RUN: Final = 100
_PARITY_SUM: Final = re.compile(
    r"(홀수|짝수)\s*(?:더하기|(?:하고|이랑|랑|와|과|에)(?=\s*(?:홀수|짝수)\S{0,2}\s*더))\s*(홀수|짝수)"
    r"|(홀수|짝수)\s*(?:끼리|둘을?|두\s*개를?)\s*더"
)
_PARITY_MANY: Final = re.compile(r"(홀수|짝수)\s*(?:를\s*)?(\d+|세|네|다섯|여섯)\s*(?:개|번)\S{0,2}\s*(?:더|합)")
_COUNTS: Final = {"세": 3, "네": 4, "다섯": 5, "여섯": 6}
_WHY_SO: Final = re.compile(r"왜|증명|이유|어떻게\s*알|어째서")
_NOT_EXCHANGED: Final = re.compile(
    r"왜\s*(?:\S{1,4}\s*)?안\s*(?:빌|열|풀어|올[려리]|받아)|안\s*(?:빌[려리]|올[려리])\S*\s*[돼되]"
)
"""Why is nothing borrowed?"""
_EXCHANGES: Final = re.compile(r"(?:받아)?(올림|내림|올려|올리|빌려|빌리)\S{0,3}\s*(?:을|를)?\s*(한|두|세|[1-3])\s*번")
_WORKED_OUT: Final = ("rest", "total", "times", "moved", "most", "twice", "before")
"""The values of a text that the child has not said itself."""


PUT_RIGHT: Final = frozenset({"near_undone", "near_undone_not", "alike", "alike_swapped", "not_alike"})
"""Texts on an expression that may come to the answer: how it was found is spoken of, or what it is like."""


def number_word(message: str, board: Board, opened: Sequence[Problem]) -> NumberWord | None:
    """What to say to talk of numbers; None where a message is something else."""
    if len(message) > _LONGEST:
        return None
    text, topic = plain(message), board.get("topic") if board.get("ask") == "number_talk" else None
    readers: tuple[Callable[[], NumberWord | None], ...] = (
        lambda: _remainder(text, board, topic),
        lambda: _divisors(text, topic),
        lambda: _digits(text, topic),
        lambda: _apart(text, topic),
        lambda: _half(text),
        lambda: _given_away(text),
        lambda: _turned_digits(text),
        lambda: order_word(in_digits(message), topic),
        lambda: _run(text),
        lambda: _missing_part(text),
        lambda: _alike(text),
        lambda: _whole_table(message, opened),
        lambda: _product(text, board, opened),
        lambda: None if opened else _sequence(text),
        lambda: _parity(text, topic),
    )
    word = next((found for read in readers if (found := read()) is not None), None)
    if word is None:
        focus = [*opened[:1], *filter(None, map(exercise_of, (board.get("problem"), board.get("expression"))))]
        words = (found for one in focus for found in _of_problem(one, text))
        explained = exercise_of(board.get("expression"))
        word = next(words, None) or _table(text) or (_exchanged(explained, text) if explained else None)
    secret = {one.answer for one in opened}
    return None if word is None or secret & {word.slots.get(name) for name in _WORKED_OUT} else word


def _values(text: str) -> list[int]:
    return [one.value for one in numbers_in(text) if one.value is not None]


# --- by itself --------------------------------------------------------------------------------------------------------


def _remainder(text: str, board: Board, topic: NumberTopic | None) -> NumberWord | None:
    """Which remainders there may be: smaller ones than the number that is divided by."""
    about = topic is not None and topic["about"] == "remainder"
    if "나머지" not in text and not about:
        return None
    named, divisor = _DIVIDED_BY.search(text), _divisor(text, board, topic if about else None)
    if not 2 <= divisor <= _SCHOOL_NUMBER:
        return None
    kept: NumberTopic = {"about": "remainder", "number": divisor}
    slots: dict[str, object] = {"divisor": divisor, "most": divisor - 1}
    if _LESS_BY_ONE.search(text):
        return NumberWord("remainder_rule", slots, kept)
    if _GREATEST.search(text) or (about and named and _BARE.fullmatch(text) is None and "몇" not in text):
        return NumberWord("remainder_most", slots, kept)
    asked = [one for one in _values(text) if one != divisor]
    if len(asked) != 1 or not (about or _REMAINDER_IS.search(text)):
        return NumberWord("remainder_most", slots, kept) if about and named else None
    return NumberWord("remainder_may" if asked[0] < divisor else "remainder_may_not", slots | {"left": asked[0]}, kept)


def _divisors(text: str, topic: NumberTopic | None) -> NumberWord | None:
    """The numbers that divide a number, for one after the other, and those that only one and the number itself do."""
    about = topic is not None and topic["about"] == "divisors"
    if not about and "약수" not in text:
        return None
    asked = [one for one in _values(text) if 1 < one <= _SCHOOL_NUMBER]
    if about and topic is not None and not asked and _OTHERS.search(text):
        return NumberWord("primes_more", {}, topic)
    named = len(asked) > 0 and (not about or "약수" in text or _BARE.fullmatch(text) or _FEW_ONLY.search(text))
    if not named:
        what = "약수" in text and re.search(r"뭐|뭔|모야|무슨|뜻|설명", text) and "공약수" not in text
        return NumberWord("divisors_what", {}, {"about": "divisors", "number": 0}) if what else None
    number = asked[0]
    found = [one for one in range(1, number + 1) if number % one == 0]
    key = "divisors_two" if len(found) == 2 else "divisors_of"
    slots: dict[str, object] = {"number": number, "list": ", ".join(map(str, found))}
    return NumberWord(key, slots, {"about": "divisors", "number": number})


def _divisor(text: str, board: Board, topic: NumberTopic | None) -> int:
    """The number that is divided by: in the message, in the question before, or in what was explained last. 0: none."""
    if named := _DIVIDED_BY.search(text):
        return int(named[1])
    if topic is not None:
        return topic["number"]
    shown = next((one.tree for one in read_expressions(board.get("expression") or "")), None)
    last = shown.right if isinstance(shown, Operation) and shown.op == "/" else None
    return int(last) if isinstance(last, Fraction) else 0


def _digits(text: str, topic: NumberTopic | None) -> NumberWord | None:
    """Which digit of a number is written first."""
    about = topic is not None and topic["about"] == "digits" and _BARE.fullmatch(text)
    if not about and not _WRITTEN_FIRST.search(text):
        return None
    found = [one.value for one in _numbers_of(text) if one.value is not None and _TEN <= one.value < _TEN**2]
    if len(found) != 1:
        return None
    tens, ones = divmod(found[0], _TEN)
    return NumberWord(
        "digits_in_order", {"number": found[0], "tens": tens, "ones": ones}, {"about": "digits", "number": found[0]}
    )


def _numbers_of(text: str) -> Iterator[Number]:
    """The numbers of a text, those too that a word is made of: 십삼은."""
    yield from (one for one in numbers_in(text) if not one.doubtful or _BARE.fullmatch(text))


def _apart(text: str, topic: NumberTopic | None) -> NumberWord | None:
    """How many smaller units a ten, a hundred or a thousand is."""
    if topic is not None and topic["about"] == "apart" and topic["number"] > _TEN and _ALSO_APART.search(text):
        unit = topic["number"] // _TEN
        return NumberWord("apart_again", {"unit": unit, "part": _PARTS[unit]}, {"about": "apart", "number": unit})
    found = _TAKEN_APART.search(text)
    if found is None:
        return None
    unit = _UNITS[found[1]]
    return NumberWord("apart", {"unit": unit, "part": _PARTS[unit]}, {"about": "apart", "number": unit})


def _half(text: str) -> NumberWord | None:
    found = _HALF_IS.search(text)
    if found is None:
        return None
    whole, half = int(found[1]), int(found[2])
    slots: dict[str, object] = {"whole": whole, "half": half, "twice": 2 * half}
    return NumberWord("half_right" if 2 * half == whole else "half_wrong", slots)


def _given_away(text: str) -> NumberWord | None:
    """What is left of a number that gives something to another: 7에서 2를 주면."""
    found = _GIVES.search(text)
    if found is None or int(found[2]) > int(found[1]) or read_expressions(text):
        return None
    whole, part = int(found[1]), int(found[2])
    return NumberWord("given_away", {"whole": whole, "part": part, "rest": whole - part})


def _turned_digits(text: str) -> NumberWord | None:
    """A number of two digits that was written the other way round: 48인데 84라고 썼어."""
    values = _values(text)
    if len(values) != 2 or not _TURNED.search(text) or read_expressions(text):
        return None
    meant, written = values
    tens, ones = divmod(meant, _TEN)
    if not (_TEN < meant < _TEN**2 and 0 < ones != tens and written == ones * _TEN + tens):
        return None
    slots: dict[str, object] = {"meant": meant, "tens": tens, "ones": ones, "written": written}
    return NumberWord("digits_turned", slots, {"about": "turned", "number": meant})


def _missing_part(text: str) -> NumberWord | None:
    """What a number lacks to become another: 7에 뭘 더하면 10이야?"""
    values = _values(text)
    if len(values) != 2 or not _WHICH_NUMBER.search(text):
        return None
    part, whole = sorted(values)
    becomes, pair = _BECOMES.search(text), _PAIR_OF.search(text)
    adds = _ADDS.search(text) and (becomes is None or int(becomes[1]) == whole)
    summed = any(one.value == part + whole for one in read_expressions(text))  # 7 더하기 10은 얼마야?
    if part == whole or summed or not (adds or (pair and int(pair[1]) == whole)):
        return None
    return NumberWord("missing_part", {"part": part, "whole": whole, "rest": whole - part})


def _alike(text: str) -> NumberWord | None:
    """Whether two sums come to the same: 3 곱하기 4랑 4 곱하기 3은 같아?"""
    read = [read_expressions(part) for part in _BETWEEN.split(text, maxsplit=1)]
    both = [problem for each in read if len(each) == 1 and (problem := problem_of(each[0])) is not None]
    if len(both) != 2 or not _ALIKE.search(text):
        return None
    one, other = both
    slots = {"one": one.expression, "other": other.expression, "total": one.answer, "rest": other.answer}
    if one.answer != other.answer:
        return NumberWord("not_alike", slots)
    return NumberWord("alike_swapped" if (one.a, one.b) == (other.b, other.a) else "alike", slots)


def _whole_table(message: str, opened: Sequence[Problem]) -> NumberWord | None:
    """A times table from one to nine; not the one that the open task is of."""
    n = table_named(message)
    of_task = any(n in (one.a, one.b, one.answer) and one.op in "x/" for one in opened)
    if n is None or of_task or not _TELL_TABLE.search(message) or _ASKS_ABOUT_TABLE.search(message):
        return None
    lines = [f"{n}×{times}={n * times}" for times in range(1, _TEN)]
    rows = "\n".join(",  ".join(lines[start : start + 3]) for start in range(0, len(lines), 3))
    return NumberWord("whole_table", {"n": n, "rows": rows}, {"about": "table", "number": n})


def _run(text: str) -> NumberWord | None:
    """The sum of all numbers from one to another: 1부터 10까지 더하면?"""
    found = _RUN_SUM.search(text)
    first, last = (int(found[1]), int(found[2])) if found is not None else (0, 0)
    if not 0 <= first < last <= _LONGEST_RUN:
        return None
    total = (first + last) * (last - first + 1) // 2
    return NumberWord("run_sum", {"first": first, "last": last, "total": total, "pair": first + last})


def _parity(text: str, topic: NumberTopic | None) -> NumberWord | None:
    """What even and odd numbers come to when they are added (홀수 더하기 홀수는?), and why."""
    about: NumberTopic = {"about": "parity", "number": 0}
    if topic is not None and topic["about"] == "parity" and _WHY_SO.search(text):
        return NumberWord("parity_why", {}, about)
    if (many := _PARITY_MANY.search(text)) is not None:
        count = _COUNTS.get(many[2]) or int(many[2])
        becomes = "홀수야" if count % 2 else "짝수야"
        slots: dict[str, object] = {"kind": many[1], "count": count, "becomes": becomes}
        return NumberWord("parity_many" if many[1] == "홀수" else "parity_many_even", slots, about)
    found = _PARITY_SUM.search(text)
    if found is None:
        return None
    named = {found[1] or found[3], found[2] or found[3]}
    return NumberWord(
        "parity_both" if len(named) > 1 else "parity_odd" if "홀수" in named else "parity_even", {}, about
    )


def _sequence(text: str) -> NumberWord | None:
    """The number that follows three or more that go up or down alike: 8 9 10 다음 뭐야?"""
    values = _values(text)
    steps = {after - before for before, after in pairwise(values)}
    if len(values) < _FEW or len(steps) != 1 or not _NEXT.search(text) or read_expressions(text):
        return None
    step = steps.pop()
    if not step or values[-1] + step < 0:
        return None
    slots: dict[str, object] = {"last": values[-1], "next": values[-1] + step, "step": abs(step)}
    return NumberWord("sequence_next" if step > 0 else "sequence_down", slots)


def _product(text: str, board: Board, opened: Sequence[Problem]) -> NumberWord | None:
    """A product of the times tables from the one before it; not one that the child is to find."""
    spoken = _SPOKEN_PRODUCT.search(text)
    read = [one for one in map(problem_of, read_expressions(text)) if one is not None and one.op == "x"]
    if spoken is not None:
        a, b = SINO_DIGITS[spoken[1]], SINO_DIGITS[spoken[2]]
    elif len(read) == 1 and _SLIPS_AWAY.search(text):
        a, b = read[0].a, read[0].b
    else:
        return None
    waits = [*opened, *filter(None, [exercise_of(board.get("problem"))])]
    if not (1 < a < _TEN and 1 < b < _TEN) or any(one.answer == a * b for one in waits):
        return None
    slots: dict[str, object] = {"a": a, "b": b, "less": b - 1, "known": a * (b - 1), "total": a * b}
    return NumberWord("product_from", slots)


def _table(text: str) -> NumberWord | None:
    """The line that follows those of a times table that are said in order."""
    said = [line for line in map(_line_of, _TABLE_LINE.finditer(text)) if line is not None]
    if not said or not _NEXT.search(text):
        return None
    a, b = said[-1]
    return NumberWord("table_next", {"a": a, "before": a * b}) if b < _TEN - 1 else None


def _line_of(match: re.Match[str]) -> tuple[int, int] | None:
    """The factors of a line with the right product: 구삼이십칠."""
    a, b = (SINO_DIGITS[match[place]] for place in (1, 2))
    product = next((one.value for one in numbers_in(f"답은 {match[3]}")), None)
    return (a, b) if product == a * b else None


# --- of the problem in hand -------------------------------------------------------------------------------------------


def _of_problem(problem: Problem, text: str) -> Iterator[NumberWord]:
    """What can be said of the numbers of a message beside a problem, the likeliest first."""
    if problem.form != "result":
        return
    values = _values(text)
    if problem.op == "x":
        yield from _of_product(problem, text, values)
    elif problem.op == "/":
        for whole, each in permutations(values, 2) if len(values) <= _FEW else ():
            if whole == each * problem.b and whole > problem.a and each > 1:
                yield NumberWord("share_too", {"whole": whole, "by": problem.b, "each": each})
        if (shared := _SHARED.search(text)) is not None and int(shared[1]) == problem.b and "몇" not in text:
            yield NumberWord("share_meant")
    else:
        yield from _exchange_count(problem, text)
        yield from _made_easier(problem, text, values)


def _exchanged(problem: Problem, text: str) -> NumberWord | None:
    """Whether a ten was carried or opened in a problem that was explained: 여기에도 받아올림이 있어?"""
    one, other = problem.a % _TEN, problem.b % _TEN
    if not (asked := _EXCHANGE_HERE.search(text)) or problem.op not in "+-" or max(problem.a, problem.b) < _TEN:
        return None
    slots: dict[str, object] = {"one": one, "other": other, "total": one + other}
    if (asked[1] == "올") != (problem.op == "+"):
        return NumberWord("exchange_other", {"name": "더하기" if problem.op == "+" else "빼기"})
    if problem.op == "+":
        found = carry_word(problem, "carried_here")
        return NumberWord("carried_not", slots) if found is None else NumberWord(found.key, found.slots)
    return NumberWord("opened_here" if one < other else "opened_not", slots)


def _exchange_count(problem: Problem, text: str) -> Iterator[NumberWord]:
    """How often a ten is carried or opened (올림을 두 번 해?), and why none is (왜 안 빌려?)."""
    one, other = problem.a % _TEN, problem.b % _TEN
    if 0 not in problem.carries and max(problem.a, problem.b) >= _TEN and _NOT_EXCHANGED.search(text):
        slots: dict[str, object] = {"one": one, "other": other, "total": one + other}
        yield NumberWord("why_not_carried" if problem.op == "+" else "why_not_opened", slots)
    if problem.op in "+-" and problem.form == "result" and (times := _EXCHANGES.search(text)) is not None:
        name = "받아올림" if problem.op == "+" else "받아내림"
        key = "none" if not problem.carries else "yes" if _TIMES_MORE[times[2]] == len(problem.carries) else "no"
        yield NumberWord(f"carries_{key}", {"name": name, "count": len(problem.carries)})


def _of_product(problem: Problem, text: str, values: Sequence[int]) -> Iterator[NumberWord]:
    big, small = max(problem.a, problem.b), min(problem.a, problem.b)
    tens = big // _TEN * _TEN
    read = read_expressions(text)
    together = sum(one.value or 0 for one in read)
    if len(read) > 1 and together == problem.answer and all(one.claimed is None for one in read):
        yield NumberWord("product_split", {"one": read[0].text, "other": read[1].text})
    parts = [tens * small, (big - tens) * small]
    if len(values) == 2 and sorted(values) == sorted(parts) and tens and big > tens and not read:
        yield NumberWord("product_parts", {"one": values[0], "other": values[1]})
    if (more := _MORE_TIMES.search(text)) is not None and len(values) in (1, 2):
        times = _TIMES_MORE[more[1]]
        for each, all_groups in {(problem.a, problem.b), (problem.b, problem.a)}:
            if values[0] == each and all_groups > times and values[1:] in ([], [times]):
                yield NumberWord("groups_more", {"each": each, "times": times, "before": all_groups - times})
    if (groups := _GROUPS.fullmatch(text)) is not None and len(values) == 1 and values[0] not in (problem.a, problem.b):
        slots: dict[str, object] = {"amount": problem.a, "groups": values[0], "group": groups[2]}
        yield NumberWord("groups_of", slots | {"total": problem.a * values[0]})


def _made_easier(problem: Problem, text: str, values: Sequence[int]) -> Iterator[NumberWord]:
    """A sum with a round number in place of one of its own; a difference of which both numbers were moved alike."""
    if _INSTEAD.search(text) and problem.b in values:
        for near in (one for one in values if one % _TEN == 0 and 0 < abs(one - problem.b) <= 3):
            moved = problem.a + near if problem.op == "+" else problem.a - near
            more = (near > problem.b) == (problem.op == "+")
            slots: dict[str, object] = {"a": problem.a, "near": near, "b": problem.b, "by": abs(near - problem.b)}
            slots |= {"sign": "+" if problem.op == "+" else "−", "moved": moved}
            slots["way"] = "많아" if more else "적어"
            yield NumberWord("near_number", slots)
    yield from _undone(problem, text, values)
    for one in filter(None, map(problem_of, read_expressions(text))):
        alike = one.op == problem.op == "-" and one.a - problem.a == one.b - problem.b != 0
        if alike and (_SAME.search(text) or problem.answer >= 2 * _TEN) and claim_in(text) is None:
            by, way = abs(one.a - problem.a), "늘리" if one.a > problem.a else "줄이"
            slots = {"by": by, "one": one.expression, "way": way}
            yield NumberWord("moved_alike", slots, {"about": "moved", "number": by})


def _undone(problem: Problem, text: str, values: Sequence[int]) -> Iterator[NumberWord]:
    """Whether what a round number is too much or too little is put right in the end: 64에서 하나 빼는 거지?"""
    done = _UNDONE.search(text)
    if done is None or len(values) != 2:
        return
    for one, other, first in ((problem.a, problem.b, True), (problem.b, problem.a, False)):
        near = (one + _TEN // 2) // _TEN * _TEN
        by = abs(near - one)
        rounded = near + other if problem.op == "+" else (near - other if first else other - near)
        if not 0 < by <= _NEAR or values != [rounded, by]:
            continue
        too_much = (near > one) == (problem.op == "+" or first)
        right = (done[1] is not None) == too_much
        slots: dict[str, object] = {"one": one, "near": near, "by": by, "way": "많으니까" if too_much else "적으니까"}
        yield NumberWord("near_undone" if right else "near_undone_not", slots | {"do": "빼" if too_much else "더해"})
        return


def _number_talk(turn: CoachTurn, draft: Draft) -> None:
    word = number_word(turn.message, turn.board, turn.opened)
    if word is None:  # the task was answered in between
        draft.say("which")
        return
    draft.say(word.key, **word.slots)
    if word.key == "product_from":
        draft.board["expression"], draft.board["ways"] = f"{word.slots['a']}×{word.slots['b']}", 0
    draft.board.pop("topic", None)
    if word.topic is not None:
        draft.board["topic"] = word.topic


NUMBER_REPLIES: Final[dict[str, Callable[[CoachTurn, Draft], None]]] = {"number_talk": _number_talk}
"""Ask → what answers it."""
