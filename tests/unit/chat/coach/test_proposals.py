"""Steps for which a child asks leave: which are heard, and whether the answer is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.drafts import ReplyTexts
from maththera.chat.coach.own_ways.proposals import proposed_step
from maththera.chat.coach.own_ways.told import told_of
from maththera.chat.coach.text_templates import fill_template
from maththera.korean.numbers import numbers_in
from maththera.settings import home
from tests.unit.chat.coach.test_step_talk import problem_of

TEXTS = ReplyTexts.load(home())


def answered(problem: Problem, message: str, found: tuple[str, ...] = ()) -> str | None:
    step = proposed_step(told_of(problem, message, {"found": {problem.expression: [*found]}}))
    return None if step is None else fill_template(TEXTS.says[step.word.key].child[0], **step.word.slots)


@pytest.mark.parametrize(
    ("expression", "message", "found", "begins", "has"),
    [
        ("38+24", "아 1 올려야 돼?", (), "응", "8과 4를"),
        ("38+24", "그럼 2만 쓰면 돼?", (), "응", "십의 자리로"),
        ("38+24", "그럼 1만 쓰면 돼?", (), "아니", "십 하나"),
        ("38+24", "1은 위에다 쓰는 거야?", (), "응", "같이 더하면"),
        ("38+24", "일의 자리부터 하는 거 맞지?", (), "응", "8과 4부터"),
        ("38+24", "앞에부터 해도 돼?", (), "응", "다시 고쳐야"),
        ("38+24", "십의 자리만 더하면 돼?", (), "아니", "8과 4가"),
        ("9+6", "6에서 1을 9한테 주면 돼?", (), "응", "9가 10이 돼"),
        ("9+6", "9에 2를 주면 돼?", (), "9에", "끝이 0이"),
        ("46+37", "6에 4를 주면 돼?", (), "응", "7에서 4를"),
        ("9+6", "10 만들면 돼?", (), "응", "9가 10이"),
        ("9+6", "9에서 6칸 세면 돼?", (), "응", "6번"),
        ("9+6", "6부터 세도 돼?", (), "응", "큰 수 9"),
        ("13-5", "거꾸로 다섯 칸 세면 돼?", (), "응", "13 바로 앞"),
        ("52-38", "38에서 52까지 세면 돼?", (), "응", "몇 칸"),
        ("12÷3", "3개씩 묶으면 돼요?", (), "응", "3개씩"),
        ("12÷3", "2개씩 묶으면 돼?", (), "아니", "3개씩"),
        ("12÷3", "3씩 빼면 돼?", (), "응", "몇 번 뺄 수"),
        ("12÷3", "구구단 써도 돼?", (), "응", "3단"),
        ("12÷3", "5단 외우면 되지?", (), "5단보다", "3단"),
        ("8×7", "8단 외우면 돼?", (), "응", "7번째"),
        ("8×7", "그럼 16 더하면 돼?", ("8×5=40",), "응", "40에 16"),
        ("8×7", "8 더하면 돼?", ("8×5=40",), "8을", "1번 더"),
        ("8×7", "2 더하면 돼?", ("8×5=40",), "아니", "8이 2번"),
        ("84÷4", "80부터 나누면 돼?", (), "응", "남은 4"),
        ("84÷4", "8 나누기 4 하면 돼?", (), "응", "십이 8개"),
    ],
)
def test_a_step_that_is_proposed_is_answered(
    expression: str, message: str, found: tuple[str, ...], begins: str, has: str
) -> None:
    told = answered(problem_of(expression), message, found) or ""
    assert told.startswith(begins)
    assert has in told


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("38+24", "62 쓰면 돼?"),  # the answer
        ("38+24", "왜 1 올려야 돼?"),
        ("38+24", "1 올렸어"),
        ("45+12", "1 올려야 돼?"),  # nothing is carried
        ("12÷3", "4개씩 묶어도 돼?"),  # the answer
        ("8×7", "16 더하면 돼?"),  # to what?
        ("38+24", "집에 가도 돼?"),
    ],
)
def test_what_proposes_no_step_is_left_to_others(expression: str, message: str) -> None:
    assert answered(problem_of(expression), message) is None


_FORMS = (
    "1 올려야 돼?", "{x}만 쓰면 돼?", "{b}에서 {x}을 {a}한테 주면 돼?", "{a}에 {x}을 주면 돼?", "{x}칸 뒤로 가면 돼?",
    "{b}부터 세도 돼?", "{b}에서 {a}까지 세면 돼?", "10 만들면 돼?", "{x}씩 묶으면 돼?", "{x}씩 빼면 돼?",
    "{x}단 외우면 돼?",
    "{x} 더하면 돼?", "십의 자리만 더하면 돼?", "{x}부터 나누면 돼?", "{x} 나누기 {b} 하면 돼?",
)  # fmt: skip


@st.composite
def _problems(draw: st.DrawFn) -> Problem:
    a, b, op = draw(st.integers(1, 99)), draw(st.integers(1, 99)), draw(st.sampled_from("+-x/"))
    if op == "-":
        a, b = max(a, b), min(a, b)
    if op == "x":
        a = min(a, b, 9)
    if op == "/":
        b = min(b, 9)
        a = b * max(1, a // b)
    return make_problem(a, op, b)


@given(_problems(), st.sampled_from(_FORMS), st.integers(1, 99))
def test_no_answer_says_a_result_that_the_child_has_not_told(problem: Problem, form: str, x: int) -> None:
    message = form.format(a=problem.a, b=problem.b, x=x)
    told = answered(problem, message)
    if told is None:
        return
    at_hand = {problem.a, problem.b, *(part for one in (problem.a, problem.b) for part in divmod(one, 10)), 1, 10, x}
    at_hand |= {problem.a // 10 * 10}
    said = {one.value for one in numbers_in(told) if one.in_digits}
    if "이제 얼마가" in told:  # what a part given makes of the other, the next ten
        at_hand |= {
            start + x for start in (problem.a, problem.b, problem.a % 10, problem.b % 10) if (start + x) % 10 == 0
        }
    assert problem.answer in at_hand or problem.answer not in said
    assert said <= at_hand
