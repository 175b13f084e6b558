"""A message that holds an expression, answered about that expression: the wrong procedure that gives a told answer, the
right way step by step, and what the records of the child have of it; then what is asked more of it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.malrules import Malrule, malrules_giving
from maththera.arithmetic.problem import Problem, make_problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.learner_facts import ENOUGH, WEAK_SHARE, kind_of
from maththera.chat.coach.message_shapes import wrong_result
from maththera.chat.coach.number_pictures import ONE, TEN, blocks, drawn
from maththera.chat.coach.polite_lines import polite
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.making.children import Child
from maththera.chat.making.worksheet_texts import KIND_TOLD
from maththera.knowledge.explanations import explained, explained_in_every_way
from maththera.korean.particles import with_particle

_OF_RECORDS: Final = re.compile(
    r"몇\s*(?:번|명|초|문제)|누구|누가|언제|적\s*(?:이\s*)?있|얼마나|정답률|표로|며칠|(?:푼|틀린|맞힌)\s*(?:애|아이|학생)"
)
_CLAIMED_WRONG: Final = re.compile(r"틀[렸린리려]|못\s*[풀맞했]|맞[았혔추췄]")
_GIVEN: Final = re.compile(r"(?:뭐|무엇|몇|어떻게|뭘)\S{0,3}\s*(?:라고|이라고|으로|로)?\s*(?:썼|적었|답했|풀었|했)")
_ANSWER: Final = re.compile(
    r"(\d{1,4})\s*(?:이?라고|이?라[는던]|으?로|이래|이라|래요?|이?라네|이?\s*나[오와왔온]|이?\s*됐)"
)
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
_TENS: Final = 10
_FEW_RECORDS: Final = 2
_PAST: Final = (
    ("않았다", "않은"), ("두었다", "둔"), ("더했다", "더한"), ("답했다", "답한"), ("했다", "한"), ("썼다", "쓴"),
    ("갔다", "간"), ("멈췄다", "멈춘"), ("보았다", "본"), ("뺐다", "뺀"), ("올렸다", "올린"), ("빠뜨렸다", "빠뜨린"),
)  # fmt: skip
"""How what a child did ends, and the same before "거예요"."""
_PLACES: Final = ("낱개", "십", "백")


@dataclass(frozen=True, slots=True)
class InHand:
    """The expression that is spoken of. `split`: the tables that were added to make its table; `rest`: what is left
    over of a division, which `a` is without."""

    a: int
    op: str
    b: int
    split: tuple[int, int] | None = None
    rest: int = 0

    @property
    def problem(self) -> Problem:
        return make_problem(self.a, self.op, self.b)


def expression_named(message: str) -> tuple[Problem, int | None] | None:
    """The one problem that a message names, with the answer that it tells of it; None for none, for several, and for a
    message that wants it counted in the records."""
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


def of_expression(message: str, children: Sequence[Child], before: InHand | None) -> tuple[InHand, str] | None:
    """What is said of the expression that a message names; None where it names none. `children`: those it may be about,
    the one that is spoken of or all; `before`: what was spoken of before."""
    if before and (told := _as_tens(message, before.problem)):
        return before, told
    found = expression_named(message)
    if found is None:
        return None
    problem, given = found
    hand = InHand(problem.a, problem.op, problem.b)
    one = children[0] if len(children) == 1 else None
    if given is not None and given != problem.answer:
        return hand, "\n".join([*_wrong(problem, given), *_recorded(problem, given, children)])
    if given is not None:
        return hand, "\n".join([f"네, 맞는 답이에요. {_solved(problem)}.", *_recorded(problem, None, children)])
    if one is not None and (_CLAIMED_WRONG.search(message) or _GIVEN.search(message)):
        return hand, _of_child(problem, one)
    if _WAYS.search(message):
        return hand, "\n".join([*_ways(problem), *_recorded(problem, None, children)])
    if _PICTURE.search(message) and (picture := _pictured(problem)):
        return hand, "\n".join([*picture, *_recorded(problem, None, children)])
    split = before.split if before and problem.op == "x" and _SAME_WAY.search(message) else None
    if split is not None and sum(split) == problem.a:
        return replace(hand, split=split), _in_tables(split, problem.b)
    return hand, "\n".join([*_steps(problem), *_recorded(problem, None, children)])


def more_of_expression(message: str, hand: InHand | None, children: Sequence[Child]) -> tuple[InHand, str] | None:
    """What is asked more of the expression in hand, or how a number is laid with things; None for anything else."""
    if found := _SPLIT.search(message):
        first, other = int(found[1]), int(found[2])
        times = hand.b if hand and hand.op == "x" and hand.a == first + other else 6
        if first + other > 10:
            return None
        split = (first, other)
        return InHand(first + other, "x", times, split), _in_tables(split, times)
    if laid := _laid(message, hand):
        return laid
    if (found := _WITH_REST.search(message)) and int(found[1]) % int(found[2]) and _EXPLAINED.search(message):
        number, by = int(found[1]), int(found[2])
        return InHand(number // by * by, "/", by, rest=number % by), _shared_out(number, by)
    return None if hand is None else _of_hand(message, hand, children)


def _of_hand(message: str, hand: InHand, children: Sequence[Child]) -> tuple[InHand, str] | None:
    """What is asked more of the expression in hand."""
    problem = hand.problem
    if _EARLY.search(message) and len(children) == 1 and (early := _whether_early(problem, children[0])):
        return hand, early
    if _WHICH.search(message) and len(children) == 1 and (told := _fitting(problem, children[0])):
        return hand, told
    if told := _as_tens(message, problem):
        return hand, told
    if told := _told_otherwise(problem, message):
        return hand, told
    if _PICTURE.search(message) and (picture := _pictured(problem, hand.rest)):
        return hand, "\n".join(picture)
    if _OTHER_WAY.search(message):
        return hand, "\n".join([f"{problem.expression}의 다른 방법이에요.", *_lines(problem, other=True)])
    if _EASIER.search(message) and not read_expressions(message) and (picture := _pictured(problem, hand.rest)):
        return hand, "\n".join(picture)
    if _AGAIN.search(message) or _HOW_TO_EXPLAIN.search(message):
        return hand, "\n".join([*_steps(problem), *_recorded(problem, None, children)])
    if problem.op == "/" and (number := _OTHER_NUMBER.search(message)) and int(number[1]) > problem.b:
        left = int(number[1]) % problem.b
        return InHand(int(number[1]) - left, "/", problem.b, rest=left), _shared_out(int(number[1]), problem.b)
    return None


def first_step(problem: Problem) -> str:
    """How to begin with a problem that a child has before it: its answer is not told."""
    step = polite(explained(problem)[0].say)
    return (f"{with_particle(problem.expression, '은는')} 아이가 지금 풀고 있는 문제라 답은 적지 않을게요. "
            f"첫걸음만 함께 해 보세요: "
            f"{step}")  # fmt: skip


# --- what is said -----------------------------------------------------------------------------------------------------


def _wrong(problem: Problem, given: int) -> list[str]:
    """How one comes to a wrong answer, and the right way."""
    rules = malrules_giving(problem, given)
    right = fill_template("바른 답은 {said:예요}.", said=_solved(problem))
    if not rules:
        unknown = f"{with_particle(given, '이가')} 나오는 흔한 방법은 찾지 못했어요. 어떻게 풀었는지 말로 들어 보세요."
        return [f"{unknown} {right}", "바른 길은 이래요.", *_lines(problem)]
    return [f"{given}에 이르는 방법: ‘{rules[0].title}’. {_worked(rules[0], problem)}", right, "바른 길은 이래요.",
            *_lines(problem)]  # fmt: skip


def _worked(rule: Malrule, problem: Problem) -> str:
    """How a child that follows a wrong procedure went on: 2−8 대신 8−2=6으로 했어요."""
    if rule.name == "smaller_from_larger":
        columns = zip(reversed(str(problem.a)), reversed(str(problem.b)), strict=False)
        each = [f"{max(a, b)}−{min(a, b)}={abs(int(a) - int(b))}" for a, b in columns]
        return f"자리마다 {', '.join(reversed(each))}처럼 큰 숫자에서 작은 숫자를 뺀 거예요."
    worked = rule.worked(problem)
    for past, way in _PAST:
        if worked.endswith(past):
            return f"{worked.removesuffix(past)}{way} 거예요."
    return "" if worked == rule.title else f"{worked}."


def _steps(problem: Problem) -> list[str]:
    """The right way, with what it means where there are two meanings or a number is unbundled."""
    if problem.op == "/":
        a, b, each = problem.a, problem.b, problem.answer
        return [
            f"{problem.expression}={each}에는 두 뜻이 있어요.",
            f"- 등분제(똑같이 나누기): {a}개를 {b}명에게 똑같이 나누면 한 명이 {each}개예요.",
            f"- 포함제(묶어 덜어 내기): {a}개를 {b}개씩 묶으면 {each}묶음이에요.",
            f"{b}×{each}={a}로 맞춰 볼 수 있어요.",
        ]
    first = f"{with_particle(problem.expression, '은는')} 이 순서로 설명해 보세요."
    return [first, *filter(None, [_unbundled(problem)]), *_lines(problem)]


def _unbundled(problem: Problem) -> str:
    """305를 백 2개, 십 9개, 낱개 15개로 풀어 놓고 시작해요."""
    if problem.op != "-" or not problem.carries:
        return ""
    above = [int(digit) for digit in reversed(str(problem.a))]
    below = [int(digit) for digit in reversed(str(problem.b))] + [0] * len(above)
    for place in range(len(above) - 1):
        if above[place] < below[place]:
            above[place], above[place + 1] = above[place] + _TENS, above[place + 1] - 1
    named = [f"{_PLACES[place]} {above[place]}개" for place in reversed(range(len(above))) if above[place]]
    return f"먼저 {with_particle(problem.a, '을를')} {', '.join(named)}로 풀어 놓아요."


def _lines(problem: Problem, *, other: bool = False) -> list[str]:
    steps = explained(problem, other=other)
    return [f"{place}) {polite(step.line)}" for place, step in enumerate(steps, start=1)]


def _told_otherwise(problem: Problem, message: str) -> str:
    """The steps as they are said to a child, the easiest way, or all ways; "" where a message wants none of it."""
    if _TO_CHILD.search(message):
        said = [f'{place}) "{step.line}"' for place, step in enumerate(explained(problem), start=1)]
        return "\n".join(["아이에게는 이렇게 말해 주세요.", *said])
    if _EASIEST.search(message) and problem.op in "+-":
        return _easiest(problem)
    return "\n".join(_ways(problem)) if _WAYS.search(message) else ""


def _ways(problem: Problem) -> list[str]:
    """Every way to solve a problem, with its equations in a line."""
    ways = dict.fromkeys(" → ".join(polite(step.line) for step in steps) for steps in explained_in_every_way(problem))
    head = f"{with_particle(problem.expression, '을를')} 푸는 방법은 이런 것이 있어요. 답은 모두 {_is(problem.answer)}."
    return [head, *(f"{place}) {way}" for place, way in enumerate(ways, start=1))]


def _easiest(problem: Problem) -> str:
    """Which way is the easiest to begin with, where no child's records tell."""
    first = " → ".join(step.expression for step in explained(problem))
    return (f"처음에는 십과 낱개를 눈으로 보며 모으거나 덜어 내는 길({first})이 가장 쉬워요. 낱개가 열 개를 "
            "넘거나 모자라는 것이 보여서 외울 것이 적거든요. 그것이 되면 같은 걸음을 세로셈으로 적게 하세요. 아이 "
            "이름을 말씀해 주시면 그 아이의 기록에 맞는 쪽을 말씀드릴게요.")  # fmt: skip


def _solved(problem: Problem) -> str:
    return f"{problem.expression}={problem.answer}"


def _in_tables(split: tuple[int, int], times: int) -> str:
    first, other = split
    table = first + other
    return (f"{table}×{times}={first}×{times}+{other}×{times}={first * times}+{other * times}={_is(table * times)}. "
            f"{table}씩 묶은 것을 {first}씩과 {other}씩으로 나누어 세는 거라 어느 줄에나 통해요.")  # fmt: skip


def _as_tens(message: str, problem: Problem) -> str:
    """The way that takes the hundreds and tens together: 30에서 하나를 꺼내 29."""
    tens, ones = divmod(problem.a, _TENS)
    numbers = {int(one) for one in re.findall(r"\d+", message)}
    if problem.op != "-" or not {tens, tens - 1} <= numbers or ones >= problem.b % _TENS or tens < 2:
        return ""
    left, below = tens - 1, problem.b // _TENS
    return (f"네, 맞는 방법이에요. {with_particle(problem.a, '을를')} 십 {tens}개와 낱개 {ones}개로 보고 십 "
            f"하나를 풀면 "
            f"십 {left}개와 낱개 {ones + _TENS}개예요. {ones + _TENS}−{problem.b % _TENS}={problem.answer % _TENS}, "
            f"{left}−{below}={problem.answer // _TENS}, 그래서 {_is(problem.answer)}.")  # fmt: skip


def _laid(message: str, hand: InHand | None) -> tuple[InHand, str] | None:
    """How a number is laid with things, and what is taken away of it where that is in hand."""
    things, numbers = _THINGS.search(message), _NUMBER.findall(message)
    if things is None or not _LAID.search(message) or len(numbers) > 1 or (not numbers and hand is None):
        return None
    number = int(numbers[0]) if numbers else (hand.a if hand else 0)
    if not _TENS < number <= _MOST or (hand and hand.op not in "+-"):
        return None
    laid = f"{with_particle(number, '은는')} {_named(number)}로 놓아요({things[0]} 열 개를 이은 것이 십 하나예요)."
    if hand is None or number != hand.a:
        return (hand or InHand(number, "+", 0)), laid
    problem = hand.problem
    if problem.op == "+":
        return hand, (f"{laid} {with_particle(problem.b, '은는')} {_named(problem.b)}예요. 모은 낱개가 열 "
                      f"개가 되면 십 하나로 "
                      f"바꾸고 세면 {_is(problem.answer)}.")  # fmt: skip
    loose = (
        f"낱개 {problem.a % _TENS}개에서 {problem.b % _TENS}개를 뺄 수 없으니 십 하나를 낱개 열 개로 풀어 "
        f"{problem.a % _TENS + _TENS}개로 만들어요. "
        if problem.a % _TENS < problem.b % _TENS
        else ""
    )
    return hand, (f"{laid} {problem.b}만큼 덜어 낼 때는 {loose}낱개 {problem.b % _TENS}개와 십 "
                  f"{problem.b // _TENS}개를 "
                  f"치우면 {_named(problem.answer)}가 남아요. 답은 {_is(problem.answer)}.")  # fmt: skip


def _pictured(problem: Problem, rest: int = 0) -> list[str]:
    """The problem in a picture of letters, as one may draw it for a child; empty where its numbers are too large.
    `rest`: what is left over besides."""
    lines = drawn(problem)
    if rest and lines:
        number, by = problem.a + rest, problem.b
        first = f"{number}÷{by}의 그림이에요. {ONE} {number}개를 {by}개씩 묶었고, 끝의 {rest}개가 남았어요."
        return [first, f"{lines[0]}  {ONE * rest}", f"몫은 {problem.answer}, 나머지는 {_is(rest)}."]
    if not lines and problem.op == "x" and _TENS < problem.a < 100 and problem.b < _TENS:
        lines = [blocks(problem.a)] * problem.b
        first = f"{problem.expression}의 그림이에요. {TEN}은 십, {ONE}은 하나예요. {problem.a}씩 {problem.b}줄이에요."
        return [first, *lines, f"답은 {_is(problem.answer)}."]
    if not lines:
        return []
    first = {
        "x": f"{problem.expression}의 그림이에요. 한 줄에 {ONE} {problem.a}개씩 {problem.b}줄이에요.",
        "/": f"{problem.expression}의 그림이에요. {ONE} {problem.a}개를 {problem.b}개씩 묶었어요.",
    }.get(problem.op, f"{problem.expression}의 그림이에요. {TEN}은 십, {ONE}은 하나예요.")
    return [first, *map(polite, lines), f"답은 {_is(problem.answer)}. 종이에 막대와 점으로 그려 보여 주셔도 돼요."]


def _is(number: int) -> str:
    """36이에요, 14예요"""
    return with_particle(number, "예요")


def _named(number: int) -> str:
    """52: 십 5개와 낱개 2개"""
    digits = [int(digit) for digit in reversed(str(number))]
    return "와 ".join(f"{_PLACES[at]} {digits[at]}개" for at in reversed(range(len(digits))) if digits[at])


def _shared_out(number: int, by: int) -> str:
    groups, rest = divmod(number, by)
    left = f"{rest}개가 남아요" if rest else "남는 것은 없어요"
    return (f"{with_particle(number, '을를')} {by}개씩 묶어 덜어 내면 {groups}묶음이고 {left}: "
            f"{by}×{groups}={by * groups}, {number}−{by * groups}={rest}. 식으로는 {number}÷{by}={groups}"
            f"{f' … {rest}' if rest else ''}예요. {by}명에게 똑같이 나누면 한 명이 {groups}개씩 갖고 "
            f"{left}.")  # fmt: skip


def _whether_early(problem: Problem, child: Child) -> str:
    """Whether an expression comes too early for a child by its records."""
    own = next((one for one in child.facts["kinds"] if one["kind"] == kind_of(problem)), None) if child.facts else None
    if own is None:
        return ""
    name, right, answered = KIND_TOLD[own["kind"]], own["right"], own["answered"]
    if answered >= ENOUGH and right < WEAK_SHARE * answered:
        return (f"네, 지금은 조금 일러 보여요. 기록의 {name} {answered}문제 가운데 {right}문제를 맞혔으니 "
                f"작은 수에서 열 문제에 여덟 문제쯤 "
                f"맞힌 다음 {problem.expression}처럼 큰 수로 가는 것이 좋아요. 못 한다는 뜻이 아니라 순서의 "
                f"문제예요.")  # fmt: skip
    return (
        f"아니요, 기록의 {name} {answered}문제 가운데 {right}문제를 맞혔으니 {problem.expression}도 함께 해 볼 만해요."
    )


def _fitting(problem: Problem, child: Child) -> str:
    """Which way, and which size of numbers, fits a child by its records."""
    own = next((one for one in child.facts["kinds"] if one["kind"] == kind_of(problem)), None) if child.facts else None
    if own is None:
        return ""
    name, digits = KIND_TOLD[own["kind"]], len(str(max(problem.a, problem.b)))
    counted = (
        f"{with_particle(child.called, '은는')} {name} {own['answered']}문제 가운데 {own['right']}문제를 맞혔어요."
    )
    if own["answered"] >= ENOUGH and own["right"] < WEAK_SHARE * own["answered"]:
        first = (
            "두 자리에서 십 하나를 푸는 것부터 모형으로 단단히 하고, "
            if digits > 2
            else "모형을 놓아 보며 한 걸음씩 하고, "
        )
        return (f"{counted} 그래서 {first}모형이나 그림으로 보이는 방법을 먼저 하는 쪽을 권해요. 두 자리를 "
                f"잇따라 맞히면 "
                "그때 더 큰 수로, 짧게 쓰는 방법으로 넘어가면 돼요. 늦는 것이 아니라 순서예요.")  # fmt: skip
    return f"{counted} 어느 쪽이든 괜찮으니 둘 다 보여 주고 아이가 편한 쪽을 고르게 하세요."


# --- what the records have of it --------------------------------------------------------------------------------------


def _recorded(problem: Problem, given: int | None, children: Sequence[Child]) -> list[str]:
    """Who answered so, and how often the same procedure was followed."""
    rule = _procedure(problem, given)
    lines: list[str] = []
    for child in children:
        same = [one for one in child.answers if one.problem.expression == problem.expression]
        so = [one for one in same if (one.given == given if given is not None else not one.right)]
        if so and given is not None:
            lines.append(
                f"{child.called}의 기록에는 {problem.expression}에 {with_particle(given, '라고')} 답한 것이 "
                f"{len(so)}번 있어요."
            )
        elif so:
            solved = with_particle(problem.expression, "을를")
            lines.append(f"{child.called}의 기록에는 {solved} {len(same)}번 풀어 {len(so)}번 틀린 것이 있어요.")
    if not lines and given is not None and any(child.known for child in children):
        lines.append("기록에는 그런 답이 없어요.")
    for child in children:
        wrong = [one for one in child.answers if not one.right]
        if rule and (alike := sum(_procedure(one.problem, one.given) == rule for one in wrong)):
            whose = f"{child.called}에게 " if len(children) > 1 else ""
            lines.append(f"{whose}원인이 같은 답은 {alike}번 있었어요.")
    return lines


def _procedure(problem: Problem, given: int | None) -> str:
    rules = malrules_giving(problem, given) if given is not None else ()
    return rules[0].name if rules else ""


def _of_child(problem: Problem, child: Child) -> str:
    """What one child answered to a problem, and what that is worth."""
    if not child.known:
        return f"{child.called}의 기록이 아직 없어요. {problem.expression} 같은 문제 두세 개를 먼저 풀게 해 보세요."
    same = [one for one in child.answers if one.problem.expression == problem.expression]
    wrong = Counter(one.given for one in same if not one.right)
    if not same:
        return f"{child.called}의 기록에는 {with_particle(problem.expression, '을를')} 푼 것이 없어요."
    if not wrong:
        return f"{child.called}의 기록에서 {with_particle(problem.expression, '은는')} {len(same)}번 모두 맞혔어요."
    given, times = wrong.most_common(1)[0]
    said = "" if given is None else f" {with_particle(given, '라고')} {times}번 답했어요."
    solved = with_particle(problem.expression, "을를")
    first = (f"네, 기록에 있어요. {with_particle(child.called, '이가')} {solved} {len(same)}번 풀어 "
             f"{wrong.total()}번 틀렸어요."
             f"{said} {_right(problem)}")  # fmt: skip
    rules = malrules_giving(problem, given) if given is not None else ()
    how = f"{given}에 이르는 방법: ‘{rules[0].title}’. {_worked(rules[0], problem)}" if rules else ""
    all_wrong = sum(not one.right for one in child.answers)
    few = (
        f"다만 {len(child.answers)}문제 가운데 틀린 것이 {all_wrong}개뿐이라 이것만으로 늘 그런다고 볼 수는 없어요. "
        "같은 종류 두세 문제를 더 풀게 해 확인해 보세요."
        if all_wrong <= _FEW_RECORDS
        else ""
    )
    return "\n".join(filter(None, [first, how, few]))


def _right(problem: Problem) -> str:
    return fill_template("바른 답은 {answer:예요}.", answer=problem.answer)
