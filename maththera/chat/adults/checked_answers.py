"""Answers, explanations and records that an adult wants looked at: clear rules on the numbers of the message."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem, make_problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.adults.expression_ways import it_is
from maththera.chat.coach.learner_facts import Facts, days_within
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.records.child_record import Child, reversed_answers
from maththera.korean.particles import with_particle
from maththera.korean.times_tables import tables_in

_CLAIM: Final = re.compile(r"(\d{1,3})\s*([-+−–xX×*÷/])\s*(\d{1,3})\s*=\s*(\d{1,4})")
_OPS: Final = {"−": "-", "–": "-", "X": "x", "×": "x", "*": "x", "÷": "/"}
_EXPLAINS: Final = re.compile(
    r"설명.{0,12}(?:봐|맞|들어|확인)|(?:봐\s*주|맞는지|맞나).{0,20}설명|이렇게\s*(?:설명|말해)"
)
_RESULT: Final = re.compile(r"답(?:은|이)?\s*(\d{1,4})|=\s*(\d{1,4})\D*$")
_LINE: Final = re.compile(r"수직선")
_PRODUCT: Final = re.compile(r"^\W*(?:그럼\s*)?(\d{1,2})[은는]?\s*(?:뭐|몇\s*곱|어떤\s*곱|무슨\s*곱).{0,6}$")
_REVERSED: Final = re.compile(
    r"(?:거꾸로|뒤집어?|자리를?\s*바꿔|앞뒤를?\s*바꿔)\s*(?:서\s*)?(?:쓰|쓴|쓸|적|써).{0,14}(?:몇\s*번|얼마나|있었|있나|자주|잦|기록|나와)"
)
_WRITES_REVERSED: Final = re.compile(
    r"(?<!\d)(\d)(?!\1)(\d)\s*[을를]\s*\2\1\s*(?:이?라고|으?로)\s*(?:쓰|써|썼|적|읽).{0,16}(?:왜|이유|까닭|기록|자주|잦|있나|있어)"
)
"""Why a number is written with its digits the other way round: 42를 24라고 쓰는데 왜 그래요?"""
_DAYS: Final = re.compile(
    r"(\d{1,2})\s*일\s*(?:밖에|만|뿐)?.{0,10}(?:했|안\s*했|한|연습).{0,10}(?:맞|진짜|정말|인가|아니|확실)"
)
_MEAN: Final = re.compile(r"평균(?:을|으로|은)?\s*(?:내|구하|계산|치면|하면|잡으면)")
_OBSERVED: Final = (
    (
        "smaller_from_larger",
        re.compile(
            r"(?:거꾸로|뒤집어|큰\s*(?:수|숫자|데)에서\s*작은)\S*\s*\S{0,6}\s*(?:빼|뺐|뺀)"
            r"|(?:꾸|꿔|빌려)\S*\s*(?:않|안)\S*\s*.{0,8}빼"
        ),
    ),
    (
        "sum_carry_dropped",
        re.compile(r"(?:올린|올림|십|1을?)\S*\s*\S{0,6}\s*(?:빼먹|빠뜨|빠트|까먹|안\s*더|잊)"),
    ),
)  # fmt: skip
_TELLS: Final = re.compile(r"(?:더라고?요?|던데요?|네요|더군요|하더라|봐요|것\s*같아요|듯(?:해요)?)\W*$")
_WRITTEN: Final = re.compile(r"표|(?:써|적어|만들어|보여|정리해|알려|뽑아)\s*(?:줘|주|봐|줄)")
_ANOTHER_TABLE: Final = re.compile(r"^\W*(?:그럼\s*)?\d\s*단\s*(?:도|은|는|이?랑)?\s*(?:요|좀|부탁\S*)?\W*$")
_TABLES: Final = re.compile(r"(?:구구단|곱셈구구)\s*(?:전체\s*)?표(?!\s*(?:외|를?\s*(?:봐|보게|보고|쓰|옆)))")
_NO_TABLE: Final = re.compile(
    r"문제|학습지|방법|외[우울워]|어떻게|틀[리렸린]|기록|순서|까지|부터|지도|놀이|게임|설명|정답률|누가|왜"
)
_WHY_REVERSED: Final = (
    "십의 자리와 일의 자리가 아직 단단하지 않거나, ‘사십이’처럼 들은 차례와 쓰는 자리가 헷갈릴 때 그렇게 써요. "
    "장난이거나 게을러서가 아니에요."
)
_TENS: Final = 10
_LONGEST_LINE: Final = 999


def of_numbers(message: str, in_hand: str) -> str:
    """What is said to several answers that are told, to an explanation that is to be looked at, and where a number line
    or the factors of a number are asked for; "" for none. `in_hand`: the expression that is spoken of."""
    return _claims(message) or _explanation(message) or _number_line(message, in_hand) or _factors(message, in_hand)


def times_tables(message: str, *, told: bool) -> str:
    """The multiplication tables that a message wants written; "" for another. `told`: one was told before."""
    named = tables_in(message)
    wanted = (_WRITTEN if named else _TABLES).search(message) or (named and told and _ANOTHER_TABLE.search(message))
    if not wanted or _NO_TABLE.search(message):
        return ""
    return "\n".join(f"{a}단: {', '.join(f'{a}×{b}={a * b}' for b in range(1, 10))}" for a in named or range(2, 10))


def asks_of_child(message: str) -> bool:
    """Whether a message asks or tells something that the records of one child are looked at for."""
    told = _TELLS.search(message) is not None and any(words.search(message) for _, words in _OBSERVED)
    return told or asks_of_reversed(message) or _DAYS.search(message) is not None


def asks_of_reversed(message: str) -> bool:
    """Whether a message asks of digits that are written the other way round."""
    return (_REVERSED.search(message) or _WRITES_REVERSED.search(message)) is not None


def of_child(message: str, child: Child) -> str:
    """What the records of a child tell to such a message; "" for nothing."""
    if not child.known or child.facts is None:
        return ""
    if found := _DAYS.search(message):
        days = len(days_within(child.facts, _TENS))
        return f"{'네, 맞아요' if int(found[1]) == days else '기록에는 조금 달라요'}. 최근 열흘 동안 {days}일 했어요."
    if asks_of_reversed(message):
        why = f"{_WHY_REVERSED} " if _WRITES_REVERSED.search(message) else ""
        return f"{why}{_reversed(child, child.facts)}"
    weak = child.weakest
    name = next((name for name, words in _OBSERVED if words.search(message)), "")
    if weak is None or not weak["causes"] or weak["causes"][0]["name"] != name:
        return ""
    cause = weak["causes"][0]
    first = "십 하나를 낱개 열 개로 풀어 놓는 것" if name == "smaller_from_larger" else "낱개 열 개를 십 하나로 묶는 것"
    return (f"정확히 보셨어요. 기록에서도 ‘{cause['title']}’ 오답이 {cause['count']}번으로 가장 잦아요. "
            f"먼저 물건으로 {first}부터 한두 문제 함께 해 보세요.")  # fmt: skip


def asks_for_mean(message: str) -> bool:
    """Whether a message wants the mean of several children."""
    return _MEAN.search(message) is not None


def mean_of_rates(children: Sequence[Child]) -> str:
    """The mean of the children's shares of right answers, beside the share of all answers together."""
    known = [(one.called, one.facts) for one in children if one.facts is not None and one.known]
    if len(known) < 2:
        return ""
    rates = [100 * facts["right"] / facts["answered"] for _, facts in known]
    right, answered = (sum(facts[part] for _, facts in known) for part in ("right", "answered"))
    each = ", ".join(f"{name} {rate:.1f}%" for (name, _), rate in zip(known, rates, strict=True))
    away = [one.called for one in children if not one.known]
    left_out = f" {with_particle(', '.join(away), '은는')} 기록이 없어 넣지 않았어요." if away else ""
    return (f"아이마다의 정답률을 평균 내면 {sum(rates) / len(rates):.1f}%예요 ({each}).{left_out} "
            f"문제를 모두 모아 세면 {answered}문제 가운데 {right}문제, {100 * right / answered:.1f}%예요. "
            "많이 푼 아이의 답이 더 크게 비치느냐가 달라서 두 값이 달라요.")  # fmt: skip


def _claims(message: str) -> str:
    """Whether several answers are right, and whether one wrong procedure gives those that are not."""
    told = [(make_problem(int(a), _OPS.get(op, op), int(b)), int(given)) for a, op, b, given in _CLAIM.findall(message)
            if _is_problem(int(a), _OPS.get(op, op), int(b))]  # fmt: skip
    if len(told) < 2:
        return ""
    wrong = [(problem, given) for problem, given in told if given != problem.answer]
    if not wrong:
        return "모두 맞는 답이에요."
    right = ", ".join(f"{problem.expression}={problem.answer}" for problem, _ in wrong)
    rules = [{rule.name: rule.title for rule in malrules_giving(problem, given)} for problem, given in wrong]
    shared = [title for name, title in rules[0].items() if all(name in each for each in rules)]
    if len(wrong) == 1:
        return (
            f"하나는 맞고 하나는 틀렸어요. 바른 답은 {it_is(right)}."
            if len(told) == 2
            else f"틀린 것은 하나예요. 바른 답은 {it_is(right)}."
        )
    if shared:
        how = f"모두 ‘{shared[0].partition(' (')[0]}’로 나온 답이에요."
        return f"네, 같은 실수예요. {how} {_at_ones(wrong)}바른 답은 {it_is(right)}."
    return f"같은 실수로는 보이지 않아요. 바른 답은 {it_is(right)}. 어떻게 풀었는지 하나씩 말하게 해 보세요."


def _at_ones(wrong: Sequence[tuple[Problem, int]]) -> str:
    """What was done in the ones: 일의 자리에서 5−1=4, 6−0=6처럼 뺐어요."""
    if not all(
        problem.op == "-" and problem.a % 10 < problem.b % 10 == given % 10 + problem.a % 10 for problem, given in wrong
    ):
        return ""
    each = ", ".join(f"{problem.b % 10}−{problem.a % 10}={given % 10}" for problem, given in wrong)
    return f"일의 자리에서 {each}처럼 거꾸로 뺐어요. "


def _is_problem(a: int, op: str, b: int) -> bool:
    return op != "/" and (op != "-" or a >= b)


def _explanation(message: str) -> str:
    """Whether the equations and the result of an explanation are right."""
    if not _EXPLAINS.search(message):
        return ""
    problem = next(filter(None, map(problem_of, read_expressions(message))), None)
    found = _RESULT.search(message)
    if problem is None or found is None:
        return ""
    given = int(found[1] or found[2])
    if given != problem.answer:
        first = f"{problem.expression}의 바른 답은 {it_is(problem.answer)}."
        return f"{first} 물건으로 한 번 놓아 보고 어디서 달라졌는지 같이 찾아보세요."
    ten = (
        ' 올린 1은 그냥 "일"보다 "십 하나"라고 말해 주면 아이가 뜻까지 알아요.'
        if problem.op == "+" and problem.carries
        else ""
    )
    return f"네, 맞아요. {problem.expression}={problem.answer}이고 계산이 맞아요.{ten} 그대로 들려주시면 돼요."


def _number_line(message: str, in_hand: str) -> str:
    """The jumps on a number line, for the problem that is named or spoken of."""
    if not _LINE.search(message):
        return ""
    problem = next(filter(None, map(problem_of, read_expressions(message))), None) or exercise_of(in_hand)
    if problem is None or problem.op not in "+-" or problem.b < _TENS or problem.a > _LONGEST_LINE:
        return ""
    if problem.op == "-":
        jumps = _jumps(problem.b, problem.a)
        shown = ", ".join(f"{start}에서 {end}까지 {end - start}" for start, end in jumps)
        added = "+".join(str(end - start) for start, end in jumps)
        up = f"수직선에서는 빼는 수 {problem.b}에서 {problem.a}까지 올라가요. {shown}."
        return f"{up} 뛴 만큼을 모으면 {added}={it_is(problem.answer)}."
    tens = problem.a + problem.b // 10 * 10
    first = f"수직선에서는 {problem.a}에서 십씩 뛰어 {tens}까지 가고({problem.b // 10 * 10}),"
    return f"{first} 거기서 {problem.b % 10}만큼 더 가면 {it_is(problem.answer)}."


def _jumps(start: int, end: int) -> list[tuple[int, int]]:
    """From a number to the next ten, to the last ten, and on."""
    stops = [start, min(-(-start // 10) * 10, end), max(end // 10 * 10, start), end]
    ordered = sorted(set(stops))
    return list(pairwise(ordered))


def _factors(message: str, in_hand: str) -> str:
    """Of which tables a number is, where a product is spoken of."""
    found, problem = _PRODUCT.search(message), exercise_of(in_hand)
    if found is None or problem is None or problem.op != "x":
        return ""
    number = int(found[1])
    pairs = [f"{one}×{number // one}" for one in range(2, 10) if number % one == 0 and one <= number // one <= 9]
    return (
        f"{with_particle(number, '은는')} {', '.join(pairs)}의 답이에요."
        if pairs
        else f"{with_particle(number, '은는')} 구구단에 나오지 않는 수예요."
    )


def _reversed(child: Child, facts: Facts) -> str:
    count = reversed_answers(facts)
    if not count:
        none = f"{child.called}의 최근 답에는 두 자리의 숫자를 뒤집어 쓴 것이 없어요."
        return f"{none} 공책에서 보셨다면 그 답을 적어 두어 주세요."
    return f"{child.called}의 최근 답 {len(facts['tries'])}개 가운데 두 자리의 숫자를 뒤집어 쓴 것이 {count}번 있어요."
