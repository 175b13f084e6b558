"""A message that holds an expression, answered about that expression: the wrong procedure that gives a told answer, the
right way step by step, and what the records of the child have of it; then what is asked more of it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.problem import Problem, make_problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.adults.expression_records import fitting_way, of_child, recorded, whether_early
from maththera.chat.adults.expression_ways import (
    TENS,
    all_ways,
    easiest_way,
    in_tens,
    it_is,
    lines_of,
    pictured,
    shared_out,
    solved,
    split_table,
    steps_told,
    wrong_answer,
)
from maththera.chat.coach.message_shapes import wrong_result
from maththera.chat.coach.polite_lines import polite
from maththera.chat.records.child_record import Child
from maththera.knowledge.explanations import explained
from maththera.korean.particles import with_particle

_OF_RECORDS: Final = re.compile(
    r"몇\s*(?:번|명|초|문제)|누구|누가|언제|적\s*(?:이\s*)?있|얼마나|정답률|표로|며칠|(?:푼|틀린|맞힌)\s*(?:애|아이|학생)"
)
_CLAIMED_WRONG: Final = re.compile(r"틀[렸린리려]|못\s*[풀맞했]|맞[았혔추췄]")
_GIVEN: Final = re.compile(r"(?:뭐|무엇|몇|어떻게|뭘)\S{0,3}\s*(?:라고|이라고|으로|로)?\s*(?:썼|적었|답했|풀었|했)")
_ANSWER: Final = re.compile(
    r"(\d{1,4})\s*(?:이?라고|이?라[는던]|으?로|이래|이라|래요?|이?라네|이?\s*나[오와왔온]|이?\s*됐)"
)
_WROTE: Final = re.compile(
    r"(?:이?라고|으?로|이래|이라)\s*(?:하|했|해|쓰|썼|써|적|답|말|나오|나왔|우기|풀)|틀[렸린려]|왜|맞[나아는]"
)
_DOES: Final = re.compile(r"(?<=야 )하나|하나(?=요)")
"""하나 that is no number: "어떻게 하나요?", "해야 하나"."""
_SPLIT: Final = re.compile(r"([2-9])\s*단\s*(?:이?랑|하고|과|와|\+|더하기)\s*([1-9])\s*단")
_SAME_WAY: Final = re.compile(r"그걸로|그렇게|같은\s*방(?:법|식)|이\s*방(?:법|식)|그\s*방(?:법|식)")
_OTHER_WAY: Final = re.compile(r"(?:다른|또)\s*(?:방법|식|설명|방식)|다르게\s*(?:설명|풀|하)|세로셈")
_WAYS: Final = re.compile(
    r"(?:여러|다양한|몇|두|세|[23])\s*(?:가지)?\s*(?:푸는\s*)?(?:방법|방식|풀이)|(?:방법|풀이)\S{0,2}\s*(?:다\s|모두|전부|여러|몇\s*가지)|방법들"
)
"""What wants all ways to solve a problem."""
_TO_CHILD: Final = re.compile(
    r"(?:아이|애|얘)\S{0,2}(?:한테|에게|들)\S*\s*.{0,8}(?:말|설명|읽어)|(?:아이|애)\s*말로|반말로|아이\s*눈높이"
)
_EASIEST: Final = re.compile(
    r"(?:어느|어떤|뭐|무엇|뭘로)\S{0,3}\s*.{0,10}(?:쉬[운워울]|쉽|편|맞|나[은을아])|제일\s*쉬운\s*(?:거|것|방법)"
)
_PICTURE: Final = re.compile(
    r"(?<!비밀 )(?<!들어가는 )그림(?:으로|을|도|으로도|은|이)?\s*(?:\S{1,4}\s*)?"
    r"(?:보여|보고|그려|그리|설명|되|돼|될|가능|나타|표현|있|줘|주세|좀|요|\W*$)"
    r"|그려\s*(?:줘|주|봐|볼)"
)
_WITH_REST: Final = re.compile(r"(?<!\d)(\d{2})\s*[÷/]\s*([2-9])(?!\d)")
_EXPLAINED: Final = re.compile(r"설명|그림|어떻게|알려|가르|풀")
_AGAIN: Final = re.compile(r"(?:다시|한\s*번\s*더|천천히|자세히|쉽게|차근)\S*\s*(?:설명|알려|말해|풀어)")
_EASIER: Final = re.compile(r"쉽게|쉬운\s*말|말이\s*(?:너무\s*)?어려")
_HOW_TO_EXPLAIN: Final = re.compile(r"^\W*(?:그럼|그러면)?\s*(?:아이\S*\s*|애\S*\s*)?(?:어떻게|뭐라고)\s*설명")
"""Said of nothing by itself: of what was spoken of last."""
_OTHER_NUMBER: Final = re.compile(
    r"(?<!\d)(\d{1,3})\s*(?:을|를|은|는|으?로|개)?\s*(?:가지고|갖고|로는|으로는|이?면|(?:으?로|은|는|을|를)\s*(?:보여|해|하면|예|들어|요?\W*$))"
)
_THINGS: Final = re.compile(
    r"레고|블록|블럭|모형|바둑돌|빨대|막대|나무젓가락|콩|구슬|동전|사탕|젤리|큐브|물건|구체물|스티커|단추"
)
_LAID: Final = re.compile(r"(?:놓|쌓|만들|나타내|표현|꾸미|보여|두)[가-힣]*|어떻게|시작")
_NUMBER: Final = re.compile(r"(?<!\d)(\d{2,3})(?!\d)")
_WHICH: Final = re.compile(r"어느\s*(?:쪽|것|방법)|어떤\s*(?:쪽|방법)이|뭐가\s*(?:더\s*)?(?:나|맞)")
_EARLY: Final = re.compile(r"이르|이른|너무\s*(?:어려|빨라|빠르)|아직\s*(?:못|안|어려|무리)|무리|벅[차찬]")
_MOST: Final = 999


@dataclass(frozen=True, slots=True)
class SpokenExpression:
    """An expression. `split`: the tables that were added to make its table; `rest`: what is left
    over of a division, which `a` is without."""

    a: int
    op: str
    b: int
    split: tuple[int, int] | None = None
    rest: int = 0

    @property
    def problem(self) -> Problem:
        return make_problem(self.a, self.op, self.b)


Told: TypeAlias = tuple[SpokenExpression, str]
"""The expression that is spoken of then, and what is said of it."""


def expression_named(message: str) -> tuple[Problem, int | None] | None:
    """The one problem that a message names, with the answer that it tells of it; None for none, for several, and for a
    message that wants it counted in the records."""
    message = _DOES.sub("해", message)
    read = read_expressions(message)
    problem = problem_of(read[0]) if len(read) == 1 else None
    if problem is None or _OF_RECORDS.search(message) or _SPLIT.search(message):
        return None
    expression = read[0]
    if problem.form != "result" or max(problem.a, problem.b) > _MOST:
        return None
    if expression.claimed is not None and expression.claimed.denominator == 1:
        return problem, int(expression.claimed)
    told = [int(one) for one in _ANSWER.findall(message) if int(one) not in (problem.a, problem.b)]
    return problem, told[0] if told else wrong_result(problem, message)


def of_expression(message: str, children: Sequence[Child], before: SpokenExpression | None) -> Told | None:
    """What is said of the expression that a message names; None where it names none. `children`: those it may be about,
    the one that is spoken of or all; `before`: what was spoken of before."""
    if before and (told := _as_tens(message, before.problem)):
        return before, told
    if (found := expression_named(message)) is None:
        return None
    problem, given = found
    hand = SpokenExpression(problem.a, problem.op, problem.b)
    if given is not None:
        first = [f"네, 맞는 답이에요. {solved(problem)}."] if given == problem.answer else wrong_answer(problem, given)
        given_wrong = None if given == problem.answer else given
        return hand, "\n".join([*first, *recorded(problem, given_wrong, children)])
    if len(children) == 1 and (_CLAIMED_WRONG.search(message) or _GIVEN.search(message)):
        return hand, of_child(problem, children[0])
    split = before.split if before and problem.op == "x" and _SAME_WAY.search(message) else None
    explained_so = _explained_as_wished(message, problem)
    if not explained_so and split is not None and sum(split) == problem.a:
        return replace(hand, split=split), split_table(split, problem.b)
    own = recorded(problem, None, children) if len(children) == 1 else []  # of no child that is not spoken of
    return hand, "\n".join([*(explained_so or steps_told(problem)), *own])


def _explained_as_wished(message: str, problem: Problem) -> list[str]:
    """In every way or in a picture, where a message wants that; else nothing."""
    if _WAYS.search(message):
        return all_ways(problem)
    return pictured(problem) if _PICTURE.search(message) else []


def more_of_expression(message: str, hand: SpokenExpression | None, children: Sequence[Child]) -> Told | None:
    """What is asked more of the expression in hand, or how a number is laid with things; None for anything else."""
    if found := _SPLIT.search(message):
        first, other = int(found[1]), int(found[2])
        times = hand.b if hand and hand.op == "x" and hand.a == first + other else 6
        if first + other > 10:
            return None
        split = (first, other)
        return SpokenExpression(first + other, "x", times, split), split_table(split, times)
    if laid := _laid(message, hand):
        return laid
    if (found := _WITH_REST.search(message)) and int(found[1]) % int(found[2]) and _EXPLAINED.search(message):
        number, by = int(found[1]), int(found[2])
        return SpokenExpression(number // by * by, "/", by, rest=number % by), shared_out(number, by)
    return None if hand is None else _of_hand(message, hand, children)


def _of_hand(message: str, hand: SpokenExpression, children: Sequence[Child]) -> Told | None:
    """What is asked more of the expression in hand."""
    if told := next(filter(None, (answer(message, hand, children) for answer in _OF_HAND)), ""):
        return hand, told
    number = _OTHER_NUMBER.search(message) if hand.op == "/" else None
    if number is None or int(number[1]) <= hand.b:
        return None
    left = int(number[1]) % hand.b
    return SpokenExpression(int(number[1]) - left, "/", hand.b, rest=left), shared_out(int(number[1]), hand.b)


def _told_result(message: str, hand: SpokenExpression, _: Sequence[Child]) -> str:
    """What gives the answer that a message tells of the expression: 애는 75라고 썼는데 왜 틀린 거죠?"""
    problem = hand.problem
    told = [int(one) for one in _ANSWER.findall(message) if int(one) not in (problem.a, problem.b)]
    if len(told) != 1 or not _WROTE.search(message):
        return ""
    return (
        f"네, 맞는 답이에요. {solved(problem)}."
        if told[0] == problem.answer
        else "\n".join(wrong_answer(problem, told[0]))
    )


def _whether_early(message: str, hand: SpokenExpression, children: Sequence[Child]) -> str:
    return whether_early(hand.problem, children[0]) if _EARLY.search(message) and len(children) == 1 else ""


def _which_way(message: str, hand: SpokenExpression, children: Sequence[Child]) -> str:
    return fitting_way(hand.problem, children[0]) if _WHICH.search(message) and len(children) == 1 else ""


def _taken_as_tens(message: str, hand: SpokenExpression, _: Sequence[Child]) -> str:
    return _as_tens(message, hand.problem)


def _otherwise(message: str, hand: SpokenExpression, _: Sequence[Child]) -> str:
    return _told_otherwise(hand.problem, message)


def _in_picture(message: str, hand: SpokenExpression, _: Sequence[Child]) -> str:
    return "\n".join(pictured(hand.problem, hand.rest)) if _PICTURE.search(message) else ""


def _another_way(message: str, hand: SpokenExpression, _: Sequence[Child]) -> str:
    if not _OTHER_WAY.search(message):
        return ""
    return "\n".join([f"{hand.problem.expression}의 다른 방법이에요.", *lines_of(hand.problem, other=True)])


def _easier(message: str, hand: SpokenExpression, _: Sequence[Child]) -> str:
    wanted = _EASIER.search(message) and not read_expressions(message)
    return "\n".join(pictured(hand.problem, hand.rest)) if wanted else ""


def _again(message: str, hand: SpokenExpression, children: Sequence[Child]) -> str:
    if not (_AGAIN.search(message) or _HOW_TO_EXPLAIN.search(message)):
        return ""
    return "\n".join([*steps_told(hand.problem), *recorded(hand.problem, None, children)])


_OF_HAND: Final[tuple[Callable[[str, SpokenExpression, Sequence[Child]], str], ...]] = (
    _told_result, _whether_early, _which_way, _taken_as_tens, _otherwise, _in_picture, _another_way, _easier, _again,
)  # fmt: skip
"""In the order in which they are looked for."""


def first_step(problem: Problem) -> str:
    """How to begin with a problem that a child has before it: its answer is not told."""
    step = polite(explained(problem)[0].say)
    return (f"{with_particle(problem.expression, '은는')} 아이가 지금 풀고 있는 문제라 답은 적지 않을게요. "
            f"첫걸음만 함께 해 보세요: "
            f"{step}")  # fmt: skip


def _told_otherwise(problem: Problem, message: str) -> str:
    """The steps as they are said to a child, the easiest way, or all ways; "" where a message wants none of it."""
    if _TO_CHILD.search(message):
        said = [f'{place}) "{step.line}"' for place, step in enumerate(explained(problem), start=1)]
        return "\n".join(["아이에게는 이렇게 말해 주세요.", *said])
    if _EASIEST.search(message) and problem.op in "+-":
        return easiest_way(problem)
    return "\n".join(all_ways(problem)) if _WAYS.search(message) else ""


def _as_tens(message: str, problem: Problem) -> str:
    """The way that takes the hundreds and tens together: 30에서 하나를 꺼내 29."""
    tens, ones = divmod(problem.a, TENS)
    numbers = {int(one) for one in re.findall(r"\d+", message)}
    if problem.op != "-" or not {tens, tens - 1} <= numbers or ones >= problem.b % TENS or tens < 2:
        return ""
    left, below = tens - 1, problem.b // TENS
    return (f"네, 맞는 방법이에요. {with_particle(problem.a, '을를')} 십 {tens}개와 낱개 {ones}개로 보고 십 "
            f"하나를 풀면 "
            f"십 {left}개와 낱개 {ones + TENS}개예요. {ones + TENS}−{problem.b % TENS}={problem.answer % TENS}, "
            f"{left}−{below}={problem.answer // TENS}, 그래서 {it_is(problem.answer)}.")  # fmt: skip


def _laid(message: str, hand: SpokenExpression | None) -> Told | None:
    """How a number is laid with things, and what is taken away of it where that is in hand."""
    things, numbers = _THINGS.search(message), _NUMBER.findall(message)
    if things is None or not _LAID.search(message) or len(numbers) > 1 or (not numbers and hand is None):
        return None
    number = int(numbers[0]) if numbers else (hand.a if hand else 0)
    if not TENS < number <= _MOST or (hand and hand.op not in "+-"):
        return None
    laid = f"{with_particle(number, '은는')} {in_tens(number)}로 놓아요({things[0]} 열 개를 이은 것이 십 하나예요)."
    if hand is None or number != hand.a:
        return (hand or SpokenExpression(number, "+", 0)), laid
    problem = hand.problem
    if problem.op == "+":
        return hand, (f"{laid} {with_particle(problem.b, '은는')} {in_tens(problem.b)}예요. 모은 낱개가 열 "
                      f"개가 되면 십 하나로 "
                      f"바꾸고 세면 {it_is(problem.answer)}.")  # fmt: skip
    loose = (
        f"낱개 {problem.a % TENS}개에서 {problem.b % TENS}개를 뺄 수 없으니 십 하나를 낱개 열 개로 풀어 "
        f"{problem.a % TENS + TENS}개로 만들어요. "
        if problem.a % TENS < problem.b % TENS
        else ""
    )
    return hand, (f"{laid} {problem.b}만큼 덜어 낼 때는 {loose}낱개 {problem.b % TENS}개와 십 "
                  f"{problem.b // TENS}개를 "
                  f"치우면 {in_tens(problem.answer)}가 남아요. 답은 {it_is(problem.answer)}.")  # fmt: skip
