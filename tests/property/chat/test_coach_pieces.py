"""The pure parts of the coach: pictures, hints, columns, stories and kinds of problems."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Problem, make_problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.column_replies import column_words
from maththera.chat.coach.drafts import Draft, ReplyTexts
from maththera.chat.coach.learner_facts import kind_of
from maththera.chat.coach.number_pictures import blocks, drawn
from maththera.chat.coach.open_task_replies import hints
from maththera.chat.coach.own_ways.ways import way_word
from maththera.chat.coach.step_talk import found_step
from maththera.chat.coach.story_talk import story_goes_on, story_of
from maththera.settings import home
from maththera.words.answer_protection.open_answers import OpenAnswer, OpenAnswers
from tests.support.leaks import forms

TEXTS = ReplyTexts.load(home())
PROTECTION = OpenAnswers.load(home())


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    op = draw(st.sampled_from("+-"))
    a, b = sorted((draw(st.integers(1, 99)), draw(st.integers(1, 99))), reverse=True)
    return make_problem(a, op, b)


def value(picture: str) -> int:
    return 100 * picture.count("■") + 10 * picture.count("▮") + picture.count("●")


@given(st.integers(0, 199))
def test_blocks_are_worth_their_number(number: int) -> None:
    assert value(blocks(number)) == number
    if number >= 10:
        assert value(blocks(number, opened=True)) == number


@given(problems())
def test_a_picture_ends_at_the_answer_and_can_hide_it(problem: Problem) -> None:
    shown, hidden = drawn(problem), drawn(problem, hide=True)
    assert value(shown[-1].rpartition("덜면" if problem.op == "-" else "모으면")[2]) == problem.answer
    assert shown[: len(hidden)] == hidden
    assert all("모으면" not in line and "덜면" not in line for line in hidden)


@given(problems())
def test_no_hint_tells_the_answer(problem: Problem) -> None:
    told = hints(Draft(TEXTS, adult=False, board={}), problem)
    assert told
    hidden = OpenAnswer.of(problem)
    for hint in told:
        assert not re.search(r"[{}]", hint)
        if problem.answer > 20 and problem.answer not in (problem.a, problem.b):
            assert not PROTECTION.mentions(hint, hidden)


@given(problems())
def test_columns_are_only_talked_about_where_a_ten_moves(problem: Problem) -> None:
    said = column_words(problem, "그 1은 어디서 나온 거야?" if problem.op == "+" else "십을 어디서 가져와?")
    assert bool(said) == bool(problem.carries)
    assert (kind_of(problem) in ("carry", "borrow")) == bool(problem.carries)
    for word in said:
        draft = Draft(TEXTS, adult=False, board={})
        draft.say(word.key, **word.slots)
        assert not re.search(r"[{}]", draft.text)


@given(st.integers(20, 99), st.integers(1, 19), st.integers(1, 50))
def test_a_story_goes_on_from_its_last_amount(first: int, lost: int, gained: int) -> None:
    begun = story_of(f"사탕이 {first}개 있었는데 {lost}개를 먹었어. 몇 개 남았어?")
    assert begun is not None
    assert begun.story["value"] == first - lost == read_expressions(begun.expression)[0].value
    on = story_goes_on(f"그런데 이모가 {gained}개 더 줬어", begun.story)
    assert on is not None
    assert on.story["value"] == first - lost + gained
    compared = story_goes_on("처음보다 많아?", on.story)
    assert compared is not None
    assert compared.asks_than_first
    assert story_goes_on(f"{gained}가 두 번 나왔네", begun.story) is None


@given(st.integers(1, 40), st.integers(1, 40))
def test_what_goes_twice_is_counted_together(one: int, other: int) -> None:
    begun = story_of(f"간식을 {one}개 먹고 {other}개 더 먹으면 모두 몇 개야?")
    assert begun is not None
    assert begun.story["value"] == one + other


@given(st.integers(30, 99), st.integers(1, 10), st.integers(1, 10))
def test_what_goes_twice_of_an_amount_is_gone(first: int, one: int, other: int) -> None:
    begun = story_of(f"사탕이 {first}개 있었는데 {one}개 먹고 {other}개 더 먹으면 몇 개 남아?")
    assert begun is not None
    assert begun.story["value"] == first - one - other


@given(problems())
def test_columns_never_name_less_than_nothing(problem: Problem) -> None:
    ones = f"{problem.a % 10 + 10}-{problem.b % 10}={problem.a % 10 + 10 - problem.b % 10}"
    for message in ("그다음은?", ones, "십을 어디서 가져와?"):
        for word in column_words(problem, message):
            draft = Draft(TEXTS, adult=False, board={})
            draft.say(word.key, **word.slots)
            assert not re.search(r"(?<!\d)[-−]\d", draft.text), draft.text


@given(problems(), st.sampled_from(sorted(forms(make_problem(28, "+", 15)))))
def test_a_question_for_the_answer_is_no_step_that_was_found(problem: Problem, form: str) -> None:
    message = forms(problem).get(form, "")
    assert found_step(problem, message) is None, message


@given(problems(), st.integers(1, 98))
def test_two_numbers_that_come_to_the_answer_are_no_steps_by_that_alone(problem: Problem, one: int) -> None:
    """They are a guess at it, unless the steps of the problem come to them."""
    word = found_step(problem, f"{one}+{problem.answer - one}은?")
    assert word is None or word.word.key != "parts_found"


@given(problems(), st.integers(1, 98))
def test_a_sum_that_is_asked_for_is_no_way_of_its_own(problem: Problem, one: int) -> None:
    word = way_word(problem, f"{one}+{problem.answer - one}은?", {})
    assert word is None or word.word.key not in ("parts_found", "last_step", "moved_sum", "last_go", "tens_alone")


@given(problems())
def test_a_question_for_the_answer_is_no_way_of_its_own(problem: Problem) -> None:
    assume(problem.answer not in (problem.a, problem.b))
    assert way_word(problem, f"{problem.expression}=?", {}) is None
    assert way_word(problem, f"{problem.expression} 답이 {problem.answer}이야?", {}) is None
