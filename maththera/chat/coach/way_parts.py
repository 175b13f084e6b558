"""What a child tells or asks beside the steps of a problem in hand: a rounder number in place of its own, the road up
from the smaller one, parts of a part, the operation that puts parts together; and any other small calculation, judged
by whether it belongs to a way with the problem.

Says no result that the child has not found itself, so that it may be about an open task.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.column_replies import ColumnWord, column_words
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.message_shapes import wrong_result
from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.linked_numbers import linked_numbers, written_together
from maththera.chat.coach.own_ways.loose_words import LOOSE_READERS
from maththera.chat.coach.own_ways.near_numbers import NEAR_READERS, known_near, near_slots, replaced_number
from maththera.chat.coach.own_ways.told import Told, guesses, look_again, say_word, told_of
from maththera.chat.coach.own_ways.ways import way_word
from maththera.chat.coach.small_talk import act_of
from maththera.chat.coach.step_talk import FoundStep, found_step, next_say, partial_steps
from maththera.chat.coach.task_questions import concludes_wrongly
from maththera.korean.number_words import SINO_DIGITS
from maththera.korean.particles import with_particle

_TEN: Final = 10
_LONGEST: Final = 60
_TAKES: Final = re.compile(r"빼|뺐|뺀|뺄|덜")
_ADDS: Final = re.compile(r"더하|더해|더할|더한|보태|모으|모아|합")
_TIMES: Final = re.compile(r"곱")
_SHARES: Final = re.compile(r"나누|나눠|나눌")
_NAMED: Final = {"+": _ADDS, "-": _TAKES, "x": _TIMES, "/": _SHARES}
_ROAD: Final = re.compile(
    r"(?<!\d)(\d{1,4})\s*(?:에서|다음(?:은|에|엔)?|부터)\s*(\d{1,4})(?!\d|\s*(?:개|을|를|빼|뺀|덜))"
    r"(?:\s*까지(?:는|는데)?|은|는|이면|이)?(?:\D{0,5}?(?<!\d)(\d{1,4})(?!\d|\s*[-+×÷*/=]|\s*(?:에서|까지|다음)))?"
)
_ARRIVES: Final = re.compile(r"끝|도착|다\s*왔|까지")
_UPWARD: Final = re.compile(r"앞으로|위로|올라|커지|거꾸로\s*가|더\s*가")
_EVENLY: Final = re.compile(r"(?<!\d)(\d+)\s*(?:은|는|이)?\s*(\d+)\s*(?:이|가|씩|짜리)\s*(\d+)\s*(?:개|번|묶음|줄)?")
_UNWRAPS: Final = re.compile(r"뜯|열[어었]|풀[어었고]|깠|까서|깨")
_OF_TENS: Final = re.compile(r"(?:십|10)\s*(?:원)?\s*(?:짜리|묶음|모형|막대|봉지)|(?:10|십)\s*[이가]\s*\d|십원|동전")
_EXCHANGES: Final = re.compile(r"바꾸|바꿔|바꿨|묶|백")
_SAME: Final = re.compile(r"같|똑같|도\s*\??$")
_SPOKEN_PAIR: Final = re.compile(
    r"(?<![가-힣])([이삼사오육칠팔구])([이삼사오육칠팔구])(?=은|는|도|이랑|랑|하고|\s|$|\?)"
)
_SIGN: Final = re.compile(
    r"(?:엑스|(?<![\d\s])\s*[×÷x]\s*(?!\d)|(?:곱하기|나누기|더하기|빼기|곱셈|나눗셈)\s*(?:표시|기호|표)|이\s*(?:표시|기호))"
    r".{0,8}(?:뭐|뭔|머|무슨|어떻게|뜻)"
)
_DONE: Final = re.compile(r"다\s*(?:셌|세[었써]|했|풀었|됐|더했|뺐|모았|찾았)|나왔[다어]|끝났|답\s*나왔")
_WRITES: Final = re.compile(r"(?:글씨|숫자|답).{0,5}(?:써|쓰|적)|어디.{0,4}(?:써|쓰|적)|적으면|쓰면")
_IN_TURN: Final = re.compile(r"그럼|그러면|이제|글면|그다음|마지막|나서|그담")
_WAY_ASKED: Final = re.compile(r"어떻게|어케|알려|가르쳐|설명|풀어\s*줘|도와")
_NEXT: Final = re.compile(r"다음|그담")
_PUT: Final = re.compile(r"어디|어따|어데|어딨|어디다|두지|둬|놓|적")
_FRONT: Final = re.compile(r"앞|십의|왼")
_LARGER_FIRST: Final = re.compile(r"큰\s*(?:거|것|수|숫자|데)\S{0,2}\s*에?서?\s*작은")
_THROWN: Final = re.compile(r"버려|버리|없애|필요\s*없|그냥\s*둬|안\s*써|어떻게\s*해|어떡해|안\s*건드|남겨|남았|그대로")


def own_step(problems: Sequence[Problem], message: str, board: Board) -> tuple[Problem, FoundStep] | None:
    """What to say to what a child tells of one of the problems in hand, or asks to have worked out beside it, with that
    problem; None where it tells nothing of that, or guesses at the answer."""
    for read in (_together, _way, _judgement):
        for one in problems:
            if one.form == "result" and len(message) <= _LONGEST and (word := read(one, message, board)) is not None:
                return one, word
    return None


def _together(problem: Problem, message: str, board: Board) -> FoundStep | None:
    return written_together(told_of(problem, message, board))


def _way(problem: Problem, message: str, board: Board) -> FoundStep | None:
    told = told_of(problem, message, board)
    own = () if guesses(told) else (word for read in _READERS if (word := read(told)) is not None)
    return next(iter(own), None) or way_word(problem, message, board)


def _judgement(problem: Problem, message: str, board: Board) -> FoundStep | None:
    told = told_of(problem, message, board)
    if not told.claims or guesses(told) or concludes_wrongly(message, problem) is not None:
        return None
    told = replace(told, claims=tuple(one for one in told.claims if one.right in told.values))
    if any(one.value is not None for one in told.claims):
        if len(told.claims) > 1 and _NEXT.search(told.text):
            return None  # of a table said in order
        return found_step(problem, message, board.get("found", {}).get(problem.expression, ())) or _judged(told)
    if len(told.claims) != 1:
        return None
    words = column_words(problem, message)
    return FoundStep(words[0]) if words else _judged(told)


def linked_step(problem: Problem, message: str, board: Board) -> FoundStep | None:
    """What to say to the numbers of a child's working that no words link; None where there is no working."""
    if len(message) > _LONGEST or problem.form != "result":
        return None
    told = told_of(problem, message, board)
    wrongly = concludes_wrongly(message, problem) is not None or wrong_result(problem, message) is not None
    return None if wrongly else linked_numbers(told)


def told_right(problem: Problem, message: str, board: Board) -> list[str]:
    """The right small calculations of a message with the results that it tells, without that of the whole problem."""
    told = told_of(problem, message, board)
    return [one.equation for one in told.claims if one.right_one and one.result != problem.answer]


def due(problem: Problem, told: Told) -> str:
    """What is to be done next, in the way that is under way."""
    found = [one.equation for one in told.found]
    return next_say(problem, found) or ""


# --- the road up --------------------------------------------------------------------------------------------------


def _climbed(told: Told) -> list[Claim]:
    """The stretches of the way up from the smaller number of a difference that were found, in their order."""
    at, way = told.problem.b, []
    for one in told.found if told.problem.op == "-" else ():
        if one.op == "+" and one.left == at and (one.result or 0) <= told.problem.a:
            way.append(one)
            at = one.result or at
    return way


def _road_up(told: Told) -> FoundStep | None:
    """How far it is from the smaller number of a difference up to the larger: 38에서 40까지 2."""
    a, b = told.problem.a, told.problem.b
    if told.problem.op != "-" or told.why or _TAKES.search(told.text):
        return None
    way = _climbed(told)
    at = way[-1].result or b if way else b
    if way and told.bare == a and _ARRIVES.search(told.text) and not told.claims:
        return say_word("up_arrived", Claim("+", at, a - at) if at < a else None, a=a)
    for one in _ROAD.finditer(told.text):
        start, end, gap = int(one[1]), int(one[2]), int(one[3]) if one[3] else None
        if start != at or not start < end <= a or (start, end) == (b, a):
            continue
        if gap is not None and gap != end - start:
            return say_word("up_look", start=start, end=end)
        claim = Claim("+", start, end - start)
        if _operation_of(told, found=(*told.found, claim)) is not None:
            return _operation_of(told, found=(*told.found, claim), step=claim)
        if end == a:
            return say_word("up_all", claim, start=start, end=end)
        return say_word("up_step", claim, start=start, end=end, a=a)
    return None


def _why_up(told: Told) -> FoundStep | None:
    if told.problem.op != "-" or not told.why or told.claims:
        return None
    upward = _UPWARD.search(told.text) or (_climbed(told) and _ADDS.search(told.text))
    return say_word("up_why") if upward else None


# --- the operation that puts parts together -----------------------------------------------------------------------


def _parts(told: Told, found: tuple[Claim, ...]) -> list[int]:
    """What was found of a problem and belongs together in the end."""
    op, b = told.problem.op, told.problem.b
    if op == "/":
        return [one.left for one in found if one.op == "x" and one.right == b]
    if op == "-":
        climbed = _climbed(replace(told, found=found))
        return [one.right for one in climbed]
    return [one.result for one in found if one.result is not None]


def _operation_of(told: Told, found: tuple[Claim, ...] = (), step: Claim | None = None) -> FoundStep | None:
    """Whether two parts are added or something else is done with them: 10이랑 2는 곱하는 거야?"""
    found = found or told.found
    parts = _parts(told, found)
    pairs = [(one.left, one.right, one.op) for one in told.claims if one.value is None]
    named = [op for op, word in _NAMED.items() if word.search(told.text)]
    if not pairs and named and (told.asks or len(named) > 1 or act_of(told.text) in ("whether", "tell")):
        told_parts = [one for one in told.values if one in parts]
        both = [*told_parts] if len(told_parts) == 2 else parts[-2:] if not told.values and _both(told.text) else []
        pairs = [(both[0], both[1], named[0] if len(named) == 1 else "")] if len(both) == 2 else []
    for left, right, op in pairs:
        if not {left, right} <= {*parts} or left == right:
            continue
        if Claim("+", left, right).result != told.problem.answer:
            continue
        if op == "+":
            return say_word("steps_together", step) if not told.claims else None
        return say_word("parts_add", step, one=left, other=right)
    return None


def _both(text: str) -> bool:
    return re.search(r"둘|두\s*개|다\s|모두|이제", text) is not None


def _whole_of_parts(told: Told) -> FoundStep | None:
    """A number held out for two parts together that has only some of the second: 120 and 24, "합쳐서 124"."""
    parts = [one for one in _parts(told, told.found) if one]
    held = told.bare
    if held is None and len(told.claims) == 1 and told.claims[0].value is not None:
        held = told.claims[0].value if {told.claims[0].left, told.claims[0].right} <= {*parts} else None
    if held is None or len(parts) < 2:
        return None
    one, other = sorted(parts[-2:], reverse=True)
    if one + other != told.problem.answer or held in (one, other, told.problem.a, told.problem.b):
        return None
    if not one < held < one + other:
        return None
    return say_word("parts_only_some", one=one, other=other, given=held, some=held - one)


# --- parts of a part ----------------------------------------------------------------------------------------------


def parts_missed(problem: Problem, given: int, board: Board) -> ColumnWord | None:
    """What to say to a number that was held out for two parts together and has only some of the second."""
    told = _whole_of_parts(told_of(problem, str(given), board))
    return None if told is None else told.word


def due_step(problem: Problem, board: Board) -> str:
    """What comes next with a problem, in the way that is under way; "" where nothing was found."""
    told = told_of(problem, "", board)
    if not told.found:
        return ""
    if (way := _climbed(told)) and (at := way[-1].result or 0) < problem.a:
        return f"{at}에서 {problem.a}까지 몇 칸인지 세어 봐."
    near = known_near(told)
    if near is not None and replaced_number(problem, near) is not None:
        slots = near_slots(told, near)
        return f"{slots['one']} 대신 {with_particle(near, '을를')} 쓴 만큼 고쳐 줘."
    return next_say(problem, [one.equation for one in told.found]) or "찾은 수를 모아 봐."


def both_parts(problem: Problem, board: Board) -> tuple[int, int] | None:
    """The two parts that the child has found, which come to the answer together."""
    told = told_of(problem, "", board)
    parts = [one for one in _parts(told, told.found) if one][-2:]
    return (parts[0], parts[1]) if len(parts) == 2 and sum(parts) == problem.answer else None


def _smaller_sums(told: Told) -> Iterator[Problem]:
    """The sums and differences of small numbers that stand in a problem: those of its ones, and the last addition of a
    product that is known up to it."""
    problem = told.problem
    one, other = problem.a % _TEN, problem.b % _TEN
    if problem.op == "+" and 0 in problem.carries and max(problem.a, problem.b) >= _TEN and one and other:
        yield make_problem(one, "+", other)
    if problem.op == "-" and 0 in problem.carries and problem.a >= 2 * _TEN and one:
        yield make_problem(one + _TEN, "-", other)
    if problem.op == "x":
        for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
            if any(one.op == "x" and {one.left, one.right} == {each, groups - 1} for one in told.found):
                yield make_problem(each * (groups - 1), "+", each)


def _of_smaller(told: Told) -> FoundStep | None:
    """A step of one of these, by filling up to a ten: 8에다 2 주면 10."""
    whole = told.problem.answer
    for small in _smaller_sums(told):
        known = tuple(one for one in told.found if one.op == small.op)
        within = replace(told, problem=small, found=known)
        if (told_of_way := _bridge(within)) is not None:
            return told_of_way
        if small.answer in told.values and small.answer != whole:
            ends = told.values[-1] == small.answer and bool(told.claims)
            words = column_words(told.problem, f"{small.expression}={small.answer}") if ends else []
            right = all(one.right_one for one in told.claims if one.value is not None)
            if words and right and len(told.values) > 1:
                return FoundStep(words[0], Claim(small.op, small.a, small.b).equation)
            continue
        for one in told.claims:
            own = (one.left, one.right) == (small.a, small.b) or (small.op == "+" and one.left == small.b)
            if small.answer == whole and one.op == "+" and own and one.value is not None and not one.right_one:
                return _judged_wrong(one)
            gap = (-one.left if small.op == "+" else one.left) % _TEN
            fills = one.op == small.op and one.left in (small.a, small.b) and 0 < one.right == gap
            rest = small.b if one.left == small.a else small.a
            if fills and one.right < rest and (small.op == "+" or one.left == small.a) and one.value is not None:
                if not one.right_one:
                    return look_again(one)
                key = "bridge_reached" if small.op == "+" else "bridge_back_reached"
                return say_word(key, one, equation=one.equation, rest=rest, used=one.right, b=rest)
    return None


def _bridge(told: Told) -> FoundStep | None:
    """A way through a ten in three numbers, the ten, what was used for it and what is left: 50까지 하나 쓰고 6 남음."""
    problem, values = told.problem, told.values
    if len(values) != 3 or problem.op not in "+-" or not re.search(r"남|더\s*가|쓰고|써서|쓴", told.text):
        return None
    ten, used, left = values
    for start, rest in {
        (problem.a, problem.b),
        (problem.b, problem.a) if problem.op == "+" else (problem.a, problem.b),
    }:
        reached = start + used if problem.op == "+" else start - used
        if ten % _TEN or reached != ten or not 0 < used < rest:
            continue
        if used + left != rest:
            return look_again(Claim("-", rest, used, left))
        if left == problem.answer:
            return None
        claim = Claim(problem.op, start, used)
        return say_word("bridge_told", claim, start=start, ten=ten, used=used, left=left)
    return None


# --- groups and tens ----------------------------------------------------------------------------------------------


def _bundles(told: Told) -> FoundStep | None:
    """A number of groups taken apart, after so many groups were found: 25×4=100, 12는 4가 3개, 100×3."""
    problem = told.problem
    if problem.op != "x":
        return None
    for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
        split = _EVENLY.search(told.text)
        if split is not None and int(split[1]) == groups and int(split[2]) * int(split[3]) == groups:
            return say_word("groups_split", whole=groups, part=int(split[2]), times=int(split[3]), each=each)
        known = [one.right if one.left == each else one.left for one in told.found
                 if one.op == "x" and each in (one.left, one.right)]  # fmt: skip
        for size in known:
            if not 1 < size < groups or groups % size:
                continue
            bundle, times = each * size, groups // size
            slots: dict[str, object] = {"bundle": bundle, "each": each, "size": size, "groups": groups}
            for one in told.claims:
                if one.op != "x" or one.value is not None or bundle not in (one.left, one.right):
                    continue
                by = one.right if one.left == bundle else one.left
                return say_word("last_step", part=one.part) if by == times else say_word("bundle_other", **slots)
            if told.values[:1] == (times,) and not told.claims and re.match(r"\W*[가-힣ㅋㅎ\s]{0,6}\d\s*번", told.text):
                return say_word("bundle_yes", times=times, **slots)
    return None


def _tens_as_things(told: Told) -> FoundStep | None:
    """The first number of a sum or difference as tens of things, or one of those tens opened: 열 개씩 세 봉지."""
    problem = told.problem
    if problem.op not in "+-":
        return None
    for one in told.claims:
        if one.op == "x" and _TEN in (one.left, one.right) and one.result in (problem.a, problem.b):
            count = one.right if one.left == _TEN else one.left
            key = "tens_things_take" if problem.op == "-" and one.result == problem.a else "tens_things"
            return say_word(key, whole=one.result, count=count, other=problem.b)
    other = problem.b % _TEN
    opened = problem.op == "-" and 0 in problem.carries and _UNWRAPS.search(told.text) and "남" in told.text
    values = [one for one in told.values if one not in (1, _TEN)] or [*told.values]
    if opened and len(values) == 2 and values[0] == other and not told.claims:
        claim = Claim("-", _TEN, other, values[1])
        if not claim.right_one:
            return look_again(claim)
        return say_word("tens_opened", claim, equation=claim.equation)
    return None


def _tens_counted(told: Told) -> FoundStep | None:
    """The sum of whole tens as so many tens, and ten of them changed for a hundred: 십원짜리가 13개."""
    problem = told.problem
    if problem.op != "+" or problem.a % _TEN or problem.b % _TEN or told.why:
        return None
    tens = (problem.a + problem.b) // _TEN
    counted = [one for one in told.values if one not in (_TEN, _TEN**2)]
    if tens > _TEN and counted == [tens - _TEN] and _EXCHANGES.search(told.text) and not told.claims:
        return say_word("tens_changed")
    if counted == [tens] and _OF_TENS.search(told.text) and not told.claims:
        return say_word("tens_counted", tens=tens)
    return None


# --- short questions ----------------------------------------------------------------------------------------------


def _turned_round(told: Told) -> FoundStep | None:
    """Whether the numbers of a product or sum may change places, and what is then added: 팔칠도 똑같은 거야?"""
    a, b, op = told.problem.a, told.problem.b, told.problem.op
    if op not in "+x" or a == b or told.why:
        return None
    spoken = [(SINO_DIGITS[one[1]], SINO_DIGITS[one[2]]) for one in _SPOKEN_PAIR.finditer(told.text)]
    turned = [one for one in told.claims if one.op == op and (one.left, one.right) == (b, a) and one.value is None]
    if not turned and not (op == "x" and (b, a) in spoken):
        return None
    adds = re.search(r"(?<!\d)(\d+)\s*(?:을|를)?\s*(?:씩\s*)?(?:더하|더해|뛰)", told.text)
    if adds and op == "x":
        return say_word("turned_stride" if int(adds[1]) == b else "turned_stride_not", each=b, groups=a)
    return (
        say_word(f"turned_{'times' if op == 'x' else 'sum'}", a=a, b=b)
        if _SAME.search(told.text) or re.search(r"도\s*\??$", told.text)
        else None
    )


def _other_stride(told: Told) -> FoundStep | None:
    """On from a known product by the number of groups, rather than by what is in one: 거기다 6 더해서 46."""
    problem = told.problem
    known = {one.result: one for one in told.found if one.op == "x"}
    for claim in told.claims if problem.op == "x" else ():
        line = known.get(claim.left) if claim.op == "+" else None
        if line is None or claim.right not in (problem.a, problem.b):
            continue
        each = problem.a if problem.a in (line.left, line.right) else problem.b
        if claim.right != each:
            return say_word("times_other_stride", each=each, wrong=claim.right, known=claim.left)
    return None


def _hundred_lent(told: Told) -> FoundStep | None:
    """A hundred changed into ten tens where there is no ten: 4한테 백 하나 꺼내서 0한테 10개 주는 거?"""
    problem = told.problem
    hundreds = problem.a // _TEN**2 % _TEN
    if problem.op != "-" or 0 not in problem.carries or problem.a // _TEN % _TEN or not hundreds or told.why:
        return None
    if not {hundreds, 0, _TEN} <= {*told.values} or {_TEN - 1, hundreds - 1} & {*told.values} or len(told.values) > 5:
        return None
    return say_word("hundred_lent", left=hundreds - 1)


def _much_too_large(told: Told) -> FoundStep | None:
    """A sum held out that is far larger than its parts allow: 두 개 다시 붙여서 1300."""
    a, b = told.problem.a, told.problem.b
    held = told.values[-1] if told.values else 0
    if (
        told.problem.op != "+"
        or held < 5 * (a + b)
        or not re.search(rf"{held}\s*(?:이?[야지다네]|이?요)?\W*$", told.text)
    ):
        return None
    top = _TEN ** len(str(max(a, b)))
    return say_word("sum_too_large", held=held, a=a, b=b, top=top, two=2 * top)


def _carry_told(told: Told) -> FoundStep | None:
    """Where the 1 that is carried is kept, and the tens with it: 2는 밑에 쓰고 1은 어따 둬; 그럼 앞에가 8."""
    problem = told.problem
    if problem.op != "+" or 0 not in problem.carries or not _TEN <= max(problem.a, problem.b) < _TEN**2 or told.claims:
        return None
    left, tens = (problem.a + problem.b) % _TEN, problem.a // _TEN + problem.b // _TEN + 1
    above = problem.a // _TEN
    if told.values in ((left, 1), (1,)) and left != 1 and _PUT.search(told.text) and above:
        key = "write_carried" if told.values[0] == left else "write_small_one"
        return say_word(key, left=left, above=above)
    names = _FRONT.search(told.text) and told.values[-1:] == (tens,) and {*told.values[:-1]} <= {1}
    if names and tens < _TEN and not told.why:
        return say_word("column_with_carry_last", Claim("+", tens - 1, 1), place="십")
    return None


def _larger_first(told: Told) -> FoundStep | None:
    """The rule that the smaller is taken from the larger, which is of whole numbers and not of their digits."""
    problem = told.problem
    if problem.op != "-" or 0 not in problem.carries or told.values or not _LARGER_FIRST.search(told.text):
        return None
    return say_word("larger_whole", a=problem.a, b=problem.b, one=problem.a % _TEN, other=problem.b % _TEN)


def _too_few_fingers(told: Told) -> FoundStep | None:
    problem = told.problem
    short = re.search(r"손[가까]락", told.text) and re.search(r"모자|부족|없|안\s*[돼되]", told.text)
    if not short or told.values or problem.op not in "+-" or min(problem.a, problem.b) <= _TEN:
        return None
    return say_word("fingers_of_ones", one=problem.a % _TEN, other=problem.b % _TEN)


def _close_together(told: Told) -> FoundStep | None:
    """Of a difference whose numbers lie close together, when they are felt to be too large."""
    problem = told.problem
    close = problem.op == "-" and problem.b >= _TEN and problem.a - problem.b < _TEN
    large = re.search(r"(?:숫자|수)\S{0,2}\s.{0,6}[커크큰]", told.text)
    return say_word("numbers_close", a=problem.a, b=problem.b) if close and large and not told.values else None


def _why_turned(told: Told) -> FoundStep | None:
    """Why digits change places, after they did."""
    turned = told.topic is not None and told.topic["about"] == "turned"
    of_digits = re.search(r"뒤집|바뀌|바꿔|거꾸로|헷갈", told.text)
    return say_word("turned_comfort", None, told.topic) if turned and of_digits and not told.values else None


def _when_carried(told: Told) -> FoundStep | None:
    """That only a sum of more than ten ones needs care: 그럼 10 넘을 때만 조심하면 되는 거야?"""
    over = re.search(r"10\s*(?:이|을|보다)?\s*넘", told.text) and re.search(r"때|만|조심|기억", told.text)
    if not over or {*told.values} != {_TEN} or act_of(told.text) not in ("whether", "tell", "part") or told.why:
        return None
    return say_word("carry_when")


def _why_groups(told: Told) -> FoundStep | None:
    """Why it is not the number of groups that is added: 왜? 곱하기 6이잖아."""
    problem = told.problem
    known = [one for one in told.found if one.op == "x"]
    if problem.op != "x" or not known or not told.why or told.bare is None or told.claims:
        return None
    each, groups = (problem.a, problem.b) if problem.a in (known[-1].left, known[-1].right) else (problem.b, problem.a)
    return say_word("groups_why", each=each, groups=groups) if told.bare == groups and each != groups else None


def _sign(told: Told) -> FoundStep | None:
    """What the sign of the problem says."""
    if told.claims or not _SIGN.search(told.text):
        return None
    a, b = told.problem.a, told.problem.b
    return say_word(
        {"+": "sign_add", "-": "sign_take", "x": "sign_times", "/": "sign_share"}[told.problem.op], a=a, b=b
    )


def _counted_all(told: Told) -> FoundStep | None:
    """Both numbers shown with fingers, or all that was to be done; what was found is to be written."""
    fingers = told.topic is not None and told.topic["about"] == "fingers" and told.goes_on
    if fingers and told.topic is not None and told.bare == told.topic["number"] and not told.claims:
        return say_word("fold_count")
    if told.values or told.claims or told.why or not told.goes_on:
        return None
    return say_word("step_write") if _DONE.search(told.text) or _WRITES.search(told.text) else None


def _left_aside(told: Told) -> FoundStep | None:
    """What becomes of the ones that were left when a number was taken from ten: 2는 안 건드렸어; 버려?"""
    problem, one = told.problem, told.problem.a % _TEN
    from_ten = any(each.op == "-" and (each.left, each.right) == (_TEN, problem.b) for each in told.found)
    if problem.op != "-" or not from_ten or problem.a >= 2 * _TEN or not _THROWN.search(told.text) or told.claims:
        return None
    if told.values not in ((), (one,)) or told.why:
        return None
    return say_word("left_aside_keep" if re.search(r"버|없|필요", told.text) else "left_aside", one=one, a=problem.a)


_READERS: Final[tuple[Callable[[Told], FoundStep | None], ...]] = (
    *LOOSE_READERS, *NEAR_READERS, _road_up, _why_up, _operation_of,
    _whole_of_parts, _of_smaller, _bridge, _bundles, _tens_as_things, _tens_counted, _turned_round, _other_stride,
    _hundred_lent, _much_too_large, _carry_told, _larger_first, _too_few_fingers, _close_together, _why_turned,
    _when_carried, _why_groups, _sign, _left_aside, _counted_all,
)  # fmt: skip


# --- any other calculation ----------------------------------------------------------------------------------------


def _judged(told: Told) -> FoundStep | None:
    """What to say to small calculations of which no way has been heard: the first that is wrong is looked at again,
    right ones are said to be right, and one that is to be worked out is begun by the child, if it belongs to a way."""
    problem = told.problem
    own = {(problem.op, problem.a, problem.b), *([(problem.op, problem.b, problem.a)] if problem.op in "+x" else [])}
    if any((one.op, one.left, one.right) in own for one in told.claims) or not _is_small(told):
        return None
    wrong = next((one for one in told.claims if one.value is not None and not one.right_one), None)
    if wrong is not None:
        return None if wrong.result == problem.answer and problem.op in "+-" else _judged_wrong(wrong)
    right = [one for one in told.claims if one.right_one]
    following = next_say(problem, [one.equation for one in (*told.found, *right)]) or ""
    if (
        right
        and problem.op == "x"
        and min(problem.a, problem.b) > 1
        and all((one.op, {one.left, one.right}) == ("+", {problem.a, problem.b}) for one in right)
    ):
        return say_word("times_not_plus", equation=right[0].equation, a=problem.a, b=problem.b)
    if right:
        equations = ", ".join(one.equation for one in right)
        key = "claim_right" if following else "claim_right_last"
        return say_word(key, right[-1] if _is_part(told, right[-1]) else None,
                        equations=equations, expression=problem.expression, next=following)  # fmt: skip
    plan = told.claims[-1]
    if _is_part(told, plan) and plan.result != problem.answer:
        return None if told.asks_amount else say_word("plan_part", part=plan.part)
    if plan.result == problem.answer:
        ends = {plan.left, plan.right} & {one.result for one in told.found} and not told.asks_amount
        return say_word("last_step", part=plan.part) if ends else None
    for_what = {"+": "claim_for_add", "-": "claim_for_take", "x": "claim_for_times", "/": "claim_for_share"}[plan.op]
    return say_word(for_what, left=plan.left, right=plan.right, expression=problem.expression, part=plan.part,
                    next=following or "아까 찾은 수에서 이어서 해 봐.")  # fmt: skip


def _judged_wrong(claim: Claim) -> FoundStep:
    """To a wrong calculation: that a sum is never smaller than a part of it, else how it can be found."""
    if claim.op == "+" and claim.value is not None and claim.value < max(claim.left, claim.right):
        return say_word("way_look_smaller", value=claim.value, left=claim.left, right=claim.right,
                        more=max(claim.left, claim.right))  # fmt: skip
    if claim.op == "-" and claim.value is not None and claim.value > claim.left:
        return say_word("way_look_larger", value=claim.value, left=claim.left, right=claim.right)
    return look_again(claim)


def _working_numbers(told: Told) -> set[int]:
    """The numbers that are at hand: the problem's own, their digits and places, and those of what was found."""
    at_hand: set[int] = set()
    for number in (told.problem.a, told.problem.b):
        digits = [int(one) for one in str(number)]
        at_hand |= {number, *digits}
        at_hand |= {digit * _TEN**place for place, digit in enumerate(reversed(digits))}
        at_hand |= {digit + _TEN for digit in digits} | {digit - 1 for digit in digits}
    for one in told.found:
        at_hand |= {one.left, one.right, one.result or 0}
    return at_hand - {0}


def _is_small(told: Told) -> bool:
    """Whether the calculations are of numbers at hand, rather than another problem."""
    if _WAY_ASKED.search(told.text) and not _IN_TURN.search(told.text):
        return False
    at_hand = _working_numbers(told)
    largest = max(told.problem.a, told.problem.b, *(one.result or 0 for one in told.found), _TEN)
    return all(
        ({one.left, one.right} & at_hand or max(one.left, one.right) <= _TEN or one.result in at_hand)
        and max(one.left, one.right) <= largest
        for one in told.claims
    ) and not all(min(one.left, one.right) > _TEN and not {one.left, one.right} <= at_hand for one in told.claims)


def _is_part(told: Told, claim: Claim) -> bool:
    """Whether a calculation is a step of one of the ways with the problem."""
    if any(step.op == claim.op and {step.left, step.right} == {claim.left, claim.right} and
           (claim.op in "+x" or step.left == claim.left) for step in partial_steps(told.problem)):  # fmt: skip
        return True
    a, b = told.problem.a, told.problem.b
    if claim.op == told.problem.op == "+":
        places = range(len(str(max(a, b))))
        return any({claim.left, claim.right} == {a // _TEN**one % _TEN, b // _TEN**one % _TEN} for one in places)
    return claim.op == told.problem.op == "x" and bool({claim.left, claim.right} & {a, b})
