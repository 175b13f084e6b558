"""Every story and chain, for every problem of the bank that it can be told of."""

import re
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Problem, make_problem
from maththera.settings import home
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.content.stories import load_stories, model_of
from maththera.tutoring.feedback import tone

STORIES: Final = load_stories(home() / "configs" / "tutoring" / "stories.yaml")
NUMBERS: Final = re.compile(r"\d+")
CHAIN: Final = re.compile(r"(\d+)([+−])(\d+)([+−])(\d+)[은는] 얼마야\?")


def problems() -> st.SearchStrategy[Problem]:
    small, large = st.integers(1, 9), st.integers(1, 499)
    sums = st.builds(make_problem, large, st.just("+"), large)
    differences = st.builds(lambda a, b: make_problem(a + b, "-", b), large, large)
    gaps = st.builds(lambda a, b: make_problem(a + b, "-", b, form="addend"), large, large)
    products = st.builds(make_problem, small, st.just("x"), small)
    shares = st.builds(lambda a, b: make_problem(a * b, "/", b), small, small)
    return st.one_of(sums, differences, gaps, products, shares)


@pytest.mark.parametrize("model", ["join", "take", "gap", "groups", "share"])
def test_each_operation_has_stories_of_many_kinds(model: str) -> None:
    told = STORIES.told[model]  # type: ignore[index]
    assert len({lines[0] for lines in told}) == len(told) >= 8


@given(problem=problems(), draw=st.integers(0, 1 << 30))
def test_a_story_names_the_numbers_of_its_problem_and_asks_at_the_end(problem: Problem, draw: int) -> None:
    story = STORIES.story(problem, draw)
    assert story is not None
    assert sorted(map(int, NUMBERS.findall(story))) == sorted((problem.a, problem.b))
    lines = story.split("\n")
    assert len(lines) <= 3
    assert lines[-1].endswith("?")
    first = {"gap": problem.b}.get(model_of(problem) or "", problem.a)
    assert str(first) in lines[0]
    assert story == STORIES.story(problem, draw)


@given(problem=problems(), draw=st.integers(0, 1 << 30))
def test_a_chain_is_worth_what_its_problem_is(problem: Problem, draw: int) -> None:
    chain = STORIES.chain(problem, draw)
    if chain is None:
        return
    found = CHAIN.search(chain)
    assert found is not None
    a, first, b, second, c = int(found[1]), found[2], int(found[3]), found[4], int(found[5])
    begun = a + b if first == "+" else a - b
    assert begun == problem.a
    assert (begun + c if second == "+" else begun - c) == problem.answer
    assert a % 10 + b % 10 <= 9 if first == "+" else a % 10 >= b % 10


@pytest.mark.parametrize(
    ("problem", "chained"),
    [
        (make_problem(43, "-", 17), True),
        (make_problem(43, "+", 17), True),
        (make_problem(143, "-", 17), True),
        (make_problem(40, "-", 17), False),
        (make_problem(9, "+", 4), False),
        (make_problem(1, "-", 1), False),
        (make_problem(600, "+", 700), False),
        (make_problem(7, "x", 8), False),
    ],
)
def test_which_problems_can_be_chained(problem: Problem, chained: bool) -> None:
    assert (STORIES.chain(problem, 5) is not None) == chained


@pytest.mark.parametrize("problem", [make_problem(5, "+", 0), make_problem(0, "x", 3), make_problem(900, "+", 900)])
def test_of_nothing_and_of_too_much_nothing_is_told(problem: Problem) -> None:
    assert STORIES.story(problem, 1) is None


@pytest.mark.slow
def test_every_line_keeps_the_tone_guide() -> None:
    lines = [*(story for told in STORIES.told.values() for story in told), *STORIES.chains.values()]
    broken = []
    for story in lines:
        for numbers in ({"a": 6, "b": 3, "p": 7, "q": 2}, {"a": 871, "b": 452, "p": 859, "q": 8}):
            said = [re.sub(r":\w+", "", line).format(**numbers) for line in story]
            broken += tone.check(said, None, answer=None, revealed=True)
    assert broken == []


def test_every_known_problem_of_the_bank_can_be_told(rules: Rules) -> None:
    untold = {
        problem.op
        for problem in rules.bank
        if min(problem.a, problem.b) >= 1 and max(problem.a, problem.b, problem.answer) <= 999
        if rules.stories.story(problem, 0) is None
    }
    assert untold == set()
