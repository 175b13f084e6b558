"""Every way a model server breaks ends, within the budget of the turn, as the outcome the tutor goes on from."""

from collections.abc import Sequence

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.korean import morphemes
from maththera.llm.model_client import Call, Models
from maththera.llm.time_budget import Budget
from maththera.settings import home
from maththera.tutoring.feedback.vocabulary import is_composed_of
from maththera.tutoring.turns.model_requests import (
    FeedbackRequest,
    ModelReply,
    UnexplainedAnswer,
    choose_words,
    diagnose_unknown,
)
from maththera.words.output_gate.text_gate import load_gate
from tests.support.fake_llm import FakeLlm, Mode

DOMAINS = {"STRATEGY_L4_PLACEVALUE": "STRATEGY", "SPATIAL_L4_PLACE_VALUE": "SPATIAL", "UNKNOWN": "UNKNOWN"}
PROBLEM = make_problem(28, "+", 15)

WORDS = frozenset({"괜찮아", "자리만", "봐"})


def broken(lines: Sequence[str]) -> list[str]:
    """Lines may hold known words alone."""
    return [] if is_composed_of(lines, WORDS) else ["vocabulary"]


async def both(base_url: str, calls: list[Call], seconds: float = 30) -> tuple[ModelReply, ModelReply]:
    """A turn that asks twice; the analyser of the tone check is loaded before its budget begins."""
    models = Models.load(home(), base_url, "key", "gpt-4o", "gpt-4o", on_call=calls.append)
    morphemes.prewarm()
    budget = Budget(seconds)
    try:
        answer = UnexplainedAnswer(PROBLEM, 77, 3000, [])
        diagnosis = await diagnose_unknown(models, budget, answer, DOMAINS, load_gate(home()))
        feedback = await choose_words(
            models, budget, FeedbackRequest("낯선 상황", PROBLEM, 77, None, {}, WORDS), broken
        )
    finally:
        await models.aclose()
    return diagnosis, feedback


@pytest.mark.parametrize(
    ("mode", "diagnosis", "feedback"),
    [
        ("answers", "ok", "ok"),
        ("uncounted", "ok", "ok"),
        ("429", "failed", "failed"),
        ("500", "failed", "failed"),
        ("cut", "failed", "failed"),
        ("html", "failed", "failed"),
        ("empty_choices", "failed", "failed"),
        ("rubbish", "rejected", "rejected"),
        ("malformed_json", "rejected", "rejected"),
        ("unknown_tag", "rejected", "rejected"),
        ("tone_breaking", "rejected", "tone"),
    ],
)
async def test_a_server_that(mode: Mode, diagnosis: str, feedback: str) -> None:
    calls: list[Call] = []
    with FakeLlm(mode) as llm:
        asks = await both(llm.base_url, calls)
    assert [ask.record["outcome"] for ask in asks if ask.record] == [diagnosis, feedback]
    assert [ask.result is not None for ask in asks] == [diagnosis == "ok", feedback == "ok"]
    assert len(llm.requests) == 2, "no second try: it would not fit into the budget"
    assert len(calls) == 2


async def test_a_server_that_hangs_costs_one_budget_and_is_asked_once() -> None:
    """The second call of the turn is not made. Run with seconds that any retry or default timeout exceeds."""
    calls: list[Call] = []
    with FakeLlm("hangs") as llm:
        asks = await both(llm.base_url, calls, seconds=2)
    assert [ask.record and ask.record["outcome"] for ask in asks] == ["timeout", None]
    assert len(llm.requests) == 1
    assert calls[0].usage.estimated, "the server may bill what it read"


async def test_a_server_that_is_not_there() -> None:
    with FakeLlm() as gone:
        base_url = gone.base_url
    asks = await both(base_url, [])
    assert [ask.record["outcome"] for ask in asks if ask.record] == ["failed", "failed"]


async def test_a_server_that_comes_back_is_used_again() -> None:
    models: Models
    with FakeLlm("cut") as llm:
        models = Models.load(home(), llm.base_url, "key", "gpt-4o")
        answer = UnexplainedAnswer(PROBLEM, 77, 3000, [])
        outcomes = []
        for mode in ("cut", "500", "answers"):
            llm.mode = mode
            ask = await diagnose_unknown(models, Budget(30), answer, DOMAINS, load_gate(home()))
            outcomes.append(ask.record["outcome"] if ask.record else None)
        await models.aclose()
    assert outcomes == ["failed", "failed", "ok"]
