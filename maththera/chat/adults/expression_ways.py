"""How an expression is explained to adults: what leads to a wrong answer, the right way step by step, other ways, a
picture."""

from typing import Final

from maththera.arithmetic.malrules import Malrule, malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.chat.coach.number_pictures import ONE, TEN, blocks, drawn
from maththera.chat.coach.polite_lines import polite
from maththera.chat.coach.text_templates import fill_template
from maththera.knowledge.explanations import explained, explained_in_every_way
from maththera.korean.particles import with_particle

TENS: Final = 10
_PAST: Final = (
    ("않았다", "않은"), ("두었다", "둔"), ("더했다", "더한"), ("답했다", "답한"), ("했다", "한"), ("썼다", "쓴"),
    ("갔다", "간"), ("멈췄다", "멈춘"), ("보았다", "본"), ("뺐다", "뺀"), ("올렸다", "올린"), ("빠뜨렸다", "빠뜨린"),
)  # fmt: skip
"""How what a child did ends, and the same before "거예요"."""
_PLACES: Final = ("낱개", "십", "백")


def wrong_answer(problem: Problem, given: int) -> list[str]:
    """How one comes to a wrong answer, and the right way."""
    rules = malrules_giving(problem, given)
    right = fill_template("바른 답은 {said:예요}.", said=solved(problem))
    if not rules:
        unknown = f"{with_particle(given, '이가')} 나오는 흔한 방법은 찾지 못했어요. 어떻게 풀었는지 말로 들어 보세요."
        return [f"{unknown} {right}", "바른 길은 이래요.", *lines_of(problem)]
    return [f"{given}에 이르는 방법: ‘{rules[0].title}’. {how_it_came(rules[0], problem)}", right, "바른 길은 이래요.",
            *lines_of(problem)]  # fmt: skip


def how_it_came(rule: Malrule, problem: Problem) -> str:
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


def steps_told(problem: Problem) -> list[str]:
    """The result and the right way to it, with what it means where there are two meanings or a number is unbundled."""
    if problem.op == "/":
        a, b, each = problem.a, problem.b, problem.answer
        return [
            f"{problem.expression}={each}에는 두 뜻이 있어요.",
            f"- 등분제(똑같이 나누기): {a}개를 {b}명에게 똑같이 나누면 한 명이 {each}개예요.",
            f"- 포함제(묶어 덜어 내기): {a}개를 {b}개씩 묶으면 {each}묶음이에요.",
            f"{b}×{each}={a}로 맞춰 볼 수 있어요.",
        ]
    first = fill_template("{said:예요}. 이 순서로 설명해 보세요.", said=solved(problem))
    return [first, *filter(None, [_unbundled(problem)]), *lines_of(problem)]


def _unbundled(problem: Problem) -> str:
    """305를 백 2개, 십 9개, 낱개 15개로 풀어 놓고 시작해요."""
    if problem.op != "-" or not problem.carries:
        return ""
    above = [int(digit) for digit in reversed(str(problem.a))]
    below = [int(digit) for digit in reversed(str(problem.b))] + [0] * len(above)
    for place in range(len(above) - 1):
        if above[place] < below[place]:
            above[place], above[place + 1] = above[place] + TENS, above[place + 1] - 1
    named = [f"{_PLACES[place]} {above[place]}개" for place in reversed(range(len(above))) if above[place]]
    return f"먼저 {with_particle(problem.a, '을를')} {', '.join(named)}로 풀어 놓아요."


def lines_of(problem: Problem, *, other: bool = False) -> list[str]:
    steps = explained(problem, other=other)
    return [f"{place}) {polite(step.line)}" for place, step in enumerate(steps, start=1)]


def all_ways(problem: Problem) -> list[str]:
    """Every way to solve a problem, with its equations in a line."""
    ways = dict.fromkeys(" → ".join(polite(step.line) for step in steps) for steps in explained_in_every_way(problem))
    head = (
        f"{with_particle(problem.expression, '을를')} 푸는 방법은 이런 것이 있어요. 답은 모두 {it_is(problem.answer)}."
    )
    return [head, *(f"{place}) {way}" for place, way in enumerate(ways, start=1))]


def easiest_way(problem: Problem) -> str:
    """Which way is the easiest to begin with, where no child's records tell."""
    first = " → ".join(step.expression for step in explained(problem))
    return (f"처음에는 십과 낱개를 눈으로 보며 모으거나 덜어 내는 길({first})이 가장 쉬워요. 낱개가 열 개를 "
            "넘거나 모자라는 것이 보여서 외울 것이 적거든요. 그것이 되면 같은 걸음을 세로셈으로 적게 하세요. 아이 "
            "이름을 말씀해 주시면 그 아이의 기록에 맞는 쪽을 말씀드릴게요.")  # fmt: skip


def solved(problem: Problem) -> str:
    return f"{problem.expression}={problem.answer}"


def split_table(split: tuple[int, int], times: int) -> str:
    first, other = split
    table = first + other
    return (f"{table}×{times}={first}×{times}+{other}×{times}={first * times}+{other * times}={it_is(table * times)}. "
            f"{table}씩 묶은 것을 {first}씩과 {other}씩으로 나누어 세는 거라 어느 줄에나 통해요.")  # fmt: skip


def pictured(problem: Problem, rest: int = 0) -> list[str]:
    """The problem in a picture of letters, as one may draw it for a child; empty where its numbers are too large.
    `rest`: what is left over besides."""
    lines = drawn(problem)
    if rest and lines:
        number, by = problem.a + rest, problem.b
        first = f"{number}÷{by}의 그림이에요. {ONE} {number}개를 {by}개씩 묶었고, 끝의 {rest}개가 남았어요."
        return [first, f"{lines[0]}  {ONE * rest}", f"몫은 {problem.answer}, 나머지는 {it_is(rest)}."]
    if not lines and problem.op == "x" and TENS < problem.a < 100 and problem.b < TENS:
        lines = [blocks(problem.a)] * problem.b
        first = f"{problem.expression}의 그림이에요. {TEN}은 십, {ONE}은 하나예요. {problem.a}씩 {problem.b}줄이에요."
        return [first, *lines, f"답은 {it_is(problem.answer)}."]
    if not lines:
        return []
    first = {
        "x": f"{problem.expression}의 그림이에요. 한 줄에 {ONE} {problem.a}개씩 {problem.b}줄이에요.",
        "/": f"{problem.expression}의 그림이에요. {ONE} {problem.a}개를 {problem.b}개씩 묶었어요.",
    }.get(problem.op, f"{problem.expression}의 그림이에요. {TEN}은 십, {ONE}은 하나예요.")
    return [
        first,
        *map(polite, lines),
        f"답은 {it_is(problem.answer)}. 종이에 막대와 점으로 그려 보여 주셔도 돼요.",
    ]


def it_is(value: object) -> str:
    """36이에요, 14예요"""
    return with_particle(value, "예요")


def in_tens(number: int) -> str:
    """52: 십 5개와 낱개 2개"""
    digits = [int(digit) for digit in reversed(str(number))]
    return "와 ".join(f"{_PLACES[at]} {digits[at]}개" for at in reversed(range(len(digits))) if digits[at])


def shared_out(number: int, by: int) -> str:
    groups, rest = divmod(number, by)
    left = f"{rest}개가 남아요" if rest else "남는 것은 없어요"
    return (f"{with_particle(number, '을를')} {by}개씩 묶어 덜어 내면 {groups}묶음이고 {left}: "
            f"{by}×{groups}={by * groups}, {number}−{by * groups}={rest}. 식으로는 {number}÷{by}={groups}"
            f"{f' … {rest}' if rest else ''}예요. {by}명에게 똑같이 나누면 한 명이 {groups}개씩 갖고 "
            f"{left}.")  # fmt: skip
