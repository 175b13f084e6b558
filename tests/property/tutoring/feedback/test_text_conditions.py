"""Every hint fits the problem that it is shown beside, and every word the turn that it is said in."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.knowledge.explanations import explained
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.feedback.feedback_templates import Context, FeedbackTemplates
from maththera.tutoring.feedback.text_conditions import TextCondition, problem_conditions
from maththera.tutoring.state import VisualMode
from tests.support.sessions import Session, begin, random_child

Holds = Callable[[Problem, str], bool]


def carries(p: Problem, _: str) -> bool:
    return p.op in "+x" and p.form == "result" and sum_of_digits(p.answer) < _digits_in(p)


def sum_of_digits(number: int) -> int:
    return sum(map(int, str(number)))


def _digits_in(p: Problem) -> int:
    """Casting out: without a carry the digits of a sum add up to those of its numbers, those of a product to theirs
    multiplied."""
    a, b = sum_of_digits(p.a), sum_of_digits(p.b)
    return a + b if p.op == "+" else a * b


def borrows(p: Problem, _: str) -> bool:
    top, bottom = str(p.a), str(p.b).rjust(len(str(p.a)), "0")
    return p.op == "-" and p.form == "result" and any(low > high for high, low in zip(top, bottom, strict=True))


def asks(*ops: str) -> Holds:
    return lambda p, _: p.form == "result" and p.op in ops


def drawn(*modes: str) -> Holds:
    return lambda _, mode: mode in modes


PICTURES: Final = ("ten_frame", "coin", "base_ten", "number_line", "array")
CLAIMS: Final[dict[str, Holds]] = {
    "올려 줘|올린": carries,
    "모자라면 빌려|빌려준|빌려주면|빌린": borrows,
    "모든 자리를 더해|같은 자리끼리 더해": asks("+"),
    "같은 자리끼리 빼": asks("-"),
    "쌍둥이": lambda p, _: p.op == "+" and p.a == p.b,
    "빈칸부터": lambda p, mode: p.form != "result" or (mode == "ten_frame" and p.op in "+-"),
    "10까지 내려가|10에서 먼저": lambda p, _: p.op == "-" and p.a > 10 > p.b and p.answer < 10,
    "10을 먼저|10까지 몇": lambda p, _: p.op == "+" and p.answer > 10 > max(p.a, p.b),
    "손가락": lambda p, _: max(p.a, p.b, p.answer) <= 20,
    "위에서 아래|위의 수": lambda p, mode: p.op == "-" and (mode == "vertical" or p.layout == "vertical"),
    "그림을 (봐|같이)|그림에서|그림으로": drawn(*PICTURES),
    "막대|판을": drawn("base_ten"),
    "0은 없다": lambda p, _: p.op in "+-" and 0 in (p.a, p.b),
    "몇백": lambda p, _: any(n % 100 in (98, 99, 1, 2) for n in (p.a, p.b)),
    "자리": lambda p, _: max(p.a, p.b) >= 10,
    "나눠": asks("/"),
}
"""What a text claims, worked out from the numbers alone."""


def contexts(problem: Problem, mode: str, causes: Mapping[str, str]) -> Iterator[Context]:
    seen: Context = {"strategy": problem.strategy_tag, "op": problem.op, "form": problem.form}
    seen |= {"facts": problem_conditions(problem, mode) | {"again", "right", "near"}}
    yield seen
    for tag, domain in causes.items():
        yield {**seen, "cause_tag": tag, "domain": domain}


def sayable(feedbacks: FeedbackTemplates, slot: str, context: Context) -> tuple[str, ...]:
    """What the slot may hold there."""
    return tuple(feedbacks._fill(slot, context, {}))


@pytest.mark.slow
def test_every_hint_fits_every_problem_of_the_bank(rules: Rules) -> None:
    causes = {tag: cause.domain for tag, cause in rules.catalogue.causes.items()}
    known: dict[Any, set[tuple[str, str]]] = {}
    """What may be said, each text with each of its claims."""
    misfits = set()
    for problem in rules.bank:
        for mode in get_args(VisualMode):
            key = (problem_conditions(problem, mode), problem.strategy_tag, problem.op, problem.form)
            if key not in known:
                texts = {
                    text
                    for context in contexts(problem, mode, causes)
                    for slot in ("힌트", "포인트")
                    for text in sayable(rules.feedback, slot, context)
                }
                assert texts, "no words for this problem"
                known[key] = {(text, claim) for text in texts for claim in CLAIMS if re.search(claim, text)}
            misfits |= {(text, claim) for text, claim in known[key] if not CLAIMS[claim](problem, mode)}
    assert misfits == set()


@pytest.mark.parametrize(
    ("expression", "mode", "never", "still"),
    [
        ("6+10", "none", "10이 되면 올려 줘.", "10과 6을 모아."),
        ("32+163", "none", "10이 되면 올려 줘.", "십의 자리를 모아."),
        ("34-20", "none", "모자라면 빌려 와.", "십의 자리를 빼."),
        ("40-30", "none", "모자라면 빌려 와.", "십의 자리를 빼."),
        ("4+3", "none", "쌍둥이 수를 찾아.", "3에 3을 더해."),
        ("7+3", "none", "빈칸부터 채워 볼까?", "7과 3을 모아."),
        ("10-1", "none", "10까지 내려가 봐.", "10에서 1을 덜어."),
        ("40x3", "none", "모든 자리를 더해 봐.", "0을 떼고 곱해."),
    ],
)
def test_hints_that_did_not_fit(rules: Rules, expression: str, mode: str, never: str, still: str) -> None:
    a, op, b = parse_expression(expression)
    problem = make_problem(a, op, b)
    wondering: Context = {"strategy": problem.strategy_tag, "op": problem.op, "form": problem.form}
    wondering["first_step"] = explained(problem)[0].say
    wondering |= {"facts": problem_conditions(problem, mode)}
    place_value: Context = {**wondering, "cause_tag": "SPATIAL_L4_PLACE_VALUE", "domain": "SPATIAL"}
    said = {text for context in (wondering, place_value) for text in sayable(rules.feedback, "힌트", context)}
    assert never not in said
    assert still in said


def test_every_fact_is_needed_by_some_text(rules: Rules) -> None:
    needed = {fact for sets in rules.feedback.needed.values() for one_of in sets for fact in one_of}
    assert needed == set(get_args(TextCondition))


@settings(max_examples=150)
@given(seed=st.integers(0, 1 << 31), c=st.integers(1, 15), right=st.sampled_from([0.0, 0.3, 0.6, 0.9, 1.0]))
def test_words_of_whole_sessions_are_true(rules: Rules, seed: int, c: int, right: float) -> None:
    session = begin(rules, c=c, seed=seed, problem_count=8)
    child = random_child(seed, right=right, malrule=0.5, timeout=0.1, impulsive=0.05, stop=0.01)
    while not session.ended:
        before, original = session.task_or_none, session.state["original_problem"]
        child(session)
        _check(session, before, original)


def _check(session: Session, before: Any, original: str | None) -> None:
    words = session.response["feedback"]
    said = " ".join([*words["feedback_text"], words["hint_text"] or ""])
    task, observation = session.state["task"], session.state["observation"]
    assert observation is not None
    if re.search("다시 (해볼까|한번)|다시!|한번 더!", said):
        bank = session.rules.bank
        shown = bank.problem(task["problem_id"]) if task and task["problem_id"] else None
        seen = [bank.problem(one) for one in (before["problem_id"], original) if one]
        assert shown is not None
        assert shown.key in [one.key for one in seen], said
    if "끝까지 해냈어" in said:
        assert session.state["ended_because"] == "remaining"
    if "거의" in said or "아깝다" in said:
        assert observation["correct"] or abs(observation["answer"] - session.rules.bank.problem(  # type: ignore[operator]
            observation["problem_id"]  # type: ignore[arg-type]
        ).answer) in (1, 10, 100, 1000)  # fmt: skip
    if session.ended and observation["correct"]:
        assert re.search("맞|정답|완벽|바로 그거", said), said
    if session.ended and observation["correct"] is False:
        assert re.search("괜찮아|그럴 수 있어|나중에|해보길|애썼|해봤네", said), said
    for number in map(int, re.findall(r"(\d+)문제", said)):
        assert number <= session.state["counters"]["closed"] <= 8
    assert "애썼어! 완벽해!" not in said
