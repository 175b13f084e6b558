"""What is said to calculations beside an open task: they are never worked out, and the answer is never told."""

import re

from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.drafts import Board, ReplyTexts
from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.linked_numbers import links_of
from maththera.chat.coach.step_talk import FoundStep
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.coach.way_parts import due_step, linked_step, own_step, parts_missed
from maththera.settings import home

TEXTS = ReplyTexts.load(home())
ASKED = ("그럼 {}?", "{}지?", "이제 {} 하면 돼?", "{} 하는 거야?", "그러면 {} 인가", "{}는 얼마야?")
SAID = {"+": "더하기", "-": "빼기", "x": "곱하기", "/": "나누기"}


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    op = draw(st.sampled_from("+-x/"))
    if op in "+-":
        a, b = sorted((draw(st.integers(1, 99)), draw(st.integers(1, 99))), reverse=True)
        return make_problem(a, op, b)
    one, other = draw(st.integers(2, 29)), draw(st.integers(2, 9))
    return make_problem(one, "x", other) if op == "x" else make_problem(one * other, "/", other)


@st.composite
def calculations(draw: st.DrawFn) -> Claim:
    op, left, right = draw(st.sampled_from("+-x")), draw(st.integers(1, 60)), draw(st.integers(1, 20))
    return Claim(op, max(left, right), min(left, right)) if op == "-" else Claim(op, left, right)


def wordings(word: FoundStep) -> list[str]:
    return [fill_template(one, **word.word.slots) for one in TEXTS.says[word.word.key].child]


def numbers(text: str) -> set[int]:
    return {int(one) for one in re.findall(r"\d+", text)}


def known(problem: Problem, board: Board) -> set[int]:
    """The numbers that a child may be told: those of the task, their digits and places, and what it has found."""
    found = " ".join(one for each in board.get("found", {}).values() for one in each)
    own = {problem.a, problem.b}
    for number in (problem.a, problem.b):
        digits = [int(one) for one in str(number)][::-1]
        own |= {digit * 10**place for place, digit in enumerate(digits)} | {*digits}
        own |= {digit + 10 for digit in digits} | {digit - 1 for digit in digits} | {10}
    return own | numbers(found)


@st.composite
def boards(draw: st.DrawFn) -> tuple[Problem, Board]:
    """A problem, and perhaps steps of a way with it that were found."""
    problem = draw(problems())
    found: list[str] = []
    if problem.op == "-" and problem.b % 10 and problem.a > (top := problem.b // 10 * 10 + 10):
        found = [f"{problem.b}+{top - problem.b}={top}"]
    elif problem.op == "x" and problem.b > 2:
        found = [f"{problem.a}×{problem.b - 1}={problem.a * (problem.b - 1)}"]
    kept: Board = {"ask": "step"}
    if found and draw(st.sampled_from((True, False))):
        kept["found"] = {problem.expression: found}
    return problem, kept


@given(boards(), calculations(), st.sampled_from(ASKED), st.booleans())
def test_a_calculation_is_never_worked_out_beside_a_task(
    beside: tuple[Problem, Board], claim: Claim, form: str, in_words: bool
) -> None:
    problem, board = beside
    written = f"{claim.left}{SAID[claim.op]}{claim.right}" if in_words else claim.part
    message = form.format(written)
    heard = own_step([problem], message, board)
    if heard is None:
        return
    for told in wordings(heard[1]):
        new = numbers(told) - numbers(message) - known(problem, board)
        assert problem.answer not in new, told
        assert claim.result not in new - numbers(str(heard[1].word.slots.get("next", ""))), told


@given(boards(), calculations(), st.integers(-3, 3))
def test_a_claim_is_confirmed_if_it_is_right_and_only_then(
    beside: tuple[Problem, Board], claim: Claim, off: int
) -> None:
    problem, board = beside
    value = (claim.result or 0) + off
    if value < 0:
        return
    message = f"{claim.left}{SAID[claim.op]}{claim.right}는 {value}"
    heard = own_step([problem], message, board)
    if heard is None:
        return
    for told in wordings(heard[1]):
        assert problem.answer not in numbers(told) - numbers(message) - known(problem, board), told
        if off:
            assert f"{claim.part}={value}" not in told, told


@given(
    boards(), st.integers(1, 999), st.sampled_from(("{}?", "{}!", "다 됐다 {}", "합쳐서 {}", "답은 {}이지", "이제 {}"))
)
def test_a_number_alone_never_gets_the_answer_told(beside: tuple[Problem, Board], number: int, form: str) -> None:
    problem, board = beside
    message = form.format(number)
    heard = own_step([problem], message, board)
    for told in wordings(heard[1]) if heard is not None else []:
        assert problem.answer not in numbers(told) - numbers(message) - known(problem, board), told


@given(boards())
def test_what_is_due_names_no_answer(beside: tuple[Problem, Board]) -> None:
    problem, board = beside
    assert problem.answer not in numbers(due_step(problem, board)) - known(problem, board)


@given(st.integers(2, 9), st.integers(2, 9), st.integers(2, 9), st.integers(1, 999))
def test_only_a_part_of_the_second_part_is_missed(tens: int, ones: int, by: int, given_: int) -> None:
    """20×6=120 and 4×6=24 make 144; whoever says 124 has added 4."""
    problem = make_problem(10 * tens + ones, "x", by)
    parts = [f"{10 * tens}×{by}={10 * tens * by}", f"{ones}×{by}={ones * by}"]
    board: Board = {"found": {problem.expression: parts}}
    word = parts_missed(problem, given_, board)
    if word is not None:
        assert 10 * tens * by < given_ < problem.answer
        assert word.slots["some"] == given_ - 10 * tens * by


@given(st.integers(11, 89), st.integers(1, 9), st.sampled_from("+-"), st.booleans())
def test_a_rounder_number_is_put_right_the_right_way(a: int, tens: int, op: str, less: bool) -> None:
    """With one number in place of another, what is too much comes off."""
    b, near = 10 * tens - 1, 10 * tens
    if op == "-" and a <= b:
        a += 100
    problem = make_problem(a, op, b)
    if near in (a, b) or b < 20 or min(abs(near - a), 9) <= 1:
        return
    board: Board = {"topic": {"about": "near", "number": near}, "ask": "step"}
    heard = own_step([problem], "그럼 1 빼?" if less else "그럼 1 더해?", board)
    if heard is None or not heard[1].word.key.startswith("near_direction"):
        return
    too_much = Claim(op, a, near).result > problem.answer  # type: ignore[operator]
    assert heard[1].word.key == ("near_direction_yes" if too_much == less else "near_direction_no")


@given(
    boards(),
    st.lists(st.integers(1, 400), min_size=2, max_size=5),
    st.sampled_from(("{}", "{}이면 ", "{}개 ", "{}니까 ")),
)
def test_numbers_that_are_linked_are_right_and_known(both: tuple[Problem, Board], told: list[int], form: str) -> None:
    problem, board = both
    links = links_of(problem, told)
    for one in links:
        assert one.result == {"+": one.left + one.right, "-": one.left - one.right, "x": one.left * one.right}.get(
            one.op, one.left / one.right
        )
        assert problem.answer not in {one.left, one.right, one.result} - {problem.a, problem.b, *told}
    message = " ".join(form.format(one) for one in told)
    if problem.answer not in told and (step := linked_step(problem, message, board)) is not None:
        for text in wordings(step):
            assert problem.answer not in numbers(text) - {problem.a, problem.b}
