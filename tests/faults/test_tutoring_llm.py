"""The failure table of the model layer, row by row, through the whole service: the child is answered by the rules, in
time, and an adult learns what could not be explained."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from maththera.korean import morphemes
from maththera.llm.model_client import Models
from maththera.llm.time_budget import Budget
from maththera.runtime.checkpointer import RedisSaver
from maththera.settings import home
from maththera.store.llm_usage import llm_usage
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.feedback.feedback_templates import SAFE_LINES
from tests.support.fake_llm import DIAGNOSIS, FakeLlm, Mode
from tests.support.servers import RedisServer
from tests.support.tutoring import UNEXPLAINED, Child, Stand, answered, review_queue, right_answer, rules, stand

PATIENCE: Final = 60.0
"""Seconds after which a turn counts as hung; it has 2 on an idle machine."""

COUNTING: Final = "MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK"

BROKEN: Final = {
    "429": "failed",
    "500": "failed",
    "cut": "failed",
    "html": "failed",
    "empty_choices": "failed",
    "rubbish": "rejected",
    "malformed_json": "rejected",
    "unknown_tag": "rejected",
}
"""How a server breaks, and as what the turn records it."""

Opened = Callable[[FakeLlm | None], Awaitable[Stand]]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """What a service loads before its first turn."""
    morphemes.prewarm()


@pytest.fixture
def llm() -> Iterator[FakeLlm]:
    with FakeLlm() as server:
        yield server


@pytest.fixture
async def opened(
    redis: Redis, redis_url: str, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Opened]:
    """Services on the same stores, with a model or without."""
    async with AsyncExitStack() as stack:

        async def opened(llm: FakeLlm | None) -> Stand:
            models = None
            if llm is None or llm.mode != "hangs":  # one that answers is listened to, however slow the machine is
                monkeypatch.setattr(Models, "budget", lambda _: Budget(PATIENCE))
            if llm is not None:
                models = Models.load(home(), llm.base_url, "key", "gpt-4o", "gpt-4o")
                stack.push_async_callback(models.aclose)
            return await stack.enter_async_context(stand(redis_url, sqlite_url, models, without_words()))

        yield opened


async def unexplained(here: Stand) -> tuple[Child, dict[str, Any]]:
    """An answer that no malrule explains, and what came of it."""
    child = await here.begin(first_problem=UNEXPLAINED[0])
    async with asyncio.timeout(PATIENCE):
        outcome = await child.answer(UNEXPLAINED[1])
    return child, outcome.body


async def calls_of(here: Stand, child: Child) -> list[tuple[str, str]]:
    """Kind and outcome of every call on record."""
    return [(call["kind"], call["outcome"]) for row in await here.records.turns(child.session_id) for call in row.llm]


def causes(primary: str, secondary: str | None = None, *, probe: bool) -> str:
    """What a model might say."""
    tags = [{"tag": tag, "domain": tag.split("_")[0], "confidence": "high"} if tag else None
            for tag in (primary, secondary)]  # fmt: skip
    said = {**DIAGNOSIS, "primary_cause": tags[0], "secondary_cause": tags[1], "probe_recommended": probe}
    return json.dumps(said, ensure_ascii=False)


# --- the diagnosis ----------------------------------------------------------------------------------------------------


def is_asked_by_the_rules(body: dict[str, Any]) -> None:
    """Nothing is claimed to be known: the diagnostic question will decide."""
    assert body["diagnosis"]["cause_tag"] == "UNKNOWN"
    assert body["diagnosis"]["confidence"] == "low"
    assert (body["phase"], body["task"]["kind"]) == ("diagnostic_question", "diagnostic_question")
    assert body["adaptation"]["route"] == "none"
    assert body["feedback"]["feedback_text"]


@pytest.mark.parametrize("mode", BROKEN)
async def test_a_broken_model_leaves_the_diagnosis_to_the_question(mode: Mode, llm: FakeLlm, opened: Opened) -> None:
    llm.mode = mode
    here = await opened(llm)
    child, body = await unexplained(here)
    is_asked_by_the_rules(body)
    assert await calls_of(here, child) == [("diagnosis", BROKEN[mode])]
    (review,) = await review_queue(here.database)
    assert review.kind == "unknown_answer"
    assert (review.payload["answer"], review.payload["model"]) == (UNEXPLAINED[1], BROKEN[mode])


@pytest.mark.slow
async def test_a_model_that_hangs_costs_no_more_than_its_budget(llm: FakeLlm, opened: Opened) -> None:
    llm.mode = "hangs"
    here = await opened(llm)
    child, body = await unexplained(here)
    is_asked_by_the_rules(body)
    assert await calls_of(here, child) == [("diagnosis", "timeout")]
    assert [review.payload["model"] for review in await review_queue(here.database)] == ["timeout"]
    outcome = await child.answer(right_answer(child.current()))
    assert outcome.body["adaptation"]["route"] == "A", "right on the question"


async def test_without_a_model_the_question_decides_too(opened: Opened) -> None:
    here = await opened(None)
    child, body = await unexplained(here)
    is_asked_by_the_rules(body)
    assert [review.payload["model"] for review in await review_queue(here.database)] == [None]
    outcome = await child.answer(right_answer(child.current()) + 1)
    assert outcome.body["adaptation"]["route"] == "B", "wrong on the question"


async def test_the_most_frequent_cause_is_offered_and_is_no_evidence(llm: FakeLlm, opened: Opened) -> None:
    llm.mode = "500"
    here = await opened(llm)
    earlier = await here.begin(first_problem="8+6")
    await earlier.send(
        answered(earlier.current(), 14, "slow", 12_000) | {"behavior_tags": ["OBS_OVERRELIANCE_COUNTING"]}
    )
    child, body = await unexplained(here)
    is_asked_by_the_rules(body)
    assert body["diagnosis"]["candidates"] == [COUNTING]
    assert body["diagnosis"]["training_ids"] == []
    found = await RedisSaver(here.redis).aget_tuple({"configurable": {"thread_id": child.session_id}})
    assert found is not None
    assert found.checkpoint["channel_values"]["evidence"] == {}
    (review,) = await review_queue(here.database)
    assert review.payload["candidates"] == [COUNTING]


async def test_one_cause_of_the_model_is_the_diagnosis_with_low_confidence(llm: FakeLlm, opened: Opened) -> None:
    llm.text = causes("SPATIAL_L4_PLACE_VALUE", probe=False)
    here = await opened(llm)
    _, body = await unexplained(here)
    diagnosis = body["diagnosis"]
    assert (diagnosis["cause_tag"], diagnosis["cause_domain"]) == ("SPATIAL_L4_PLACE_VALUE", "SPATIAL")
    assert (diagnosis["confidence"], diagnosis["source"]) == ("low", "llm")
    assert body["adaptation"]["route"] == "B"
    assert await review_queue(here.database) == []


@pytest.mark.parametrize("probe", [True, False])
async def test_two_causes_of_the_model_are_left_to_a_probe(probe: bool, llm: FakeLlm, opened: Opened) -> None:
    llm.text = causes("SPATIAL_L4_PLACE_VALUE", "STRATEGY_L4_PLACEVALUE", probe=probe)
    here = await opened(llm)
    child, body = await unexplained(here)
    assert (body["phase"], body["task"]["kind"]) == ("probe", "probe")
    assert body["diagnosis"]["cause_tag"] is None
    assert body["diagnosis"]["candidates"] == ["SPATIAL_L4_PLACE_VALUE", "STRATEGY_L4_PLACEVALUE"]
    decided = (await child.answer(right_answer(child.current()))).body["diagnosis"]
    assert decided["source"] == "probe"
    assert decided["cause_tag"] == "STRATEGY_L4_PLACEVALUE", "what needed the variable that was removed"
    assert len(llm.requests) == 1


async def test_a_probe_without_an_answer_is_first_taken_for_attention(opened: Opened) -> None:
    here = await opened(None)
    child = await here.begin(first_problem="28+15")
    assert (await child.answer(313)).body["phase"] == "probe"
    event = {"type": "timeout", "request_id": "30-s", "task_id": child.current()["task_id"]}
    body = (await child.send(event)).body
    assert (body["response_pattern"], body["adaptation"]["route"]) == ("no_response", "refocus")
    assert body["task"]["training"]["widget"] == "stop_think_go"


async def test_where_the_window_is_empty_it_is_widened_and_says_so(opened: Opened) -> None:
    here = await opened(None)
    child = await here.begin(c_position=6, w_position=2.5)
    assert child.current()["problem"]["expression"] == "5+5", "the only one there"
    body = (await child.answer(10, rt_ms=9_000)).body
    assert body["adaptation"]["widened"]
    assert body["task"]["problem"]["c_level"] == 6
    assert body["task"]["problem"]["w_total"] <= 3.5


# --- the words --------------------------------------------------------------------------------------------------------


def without_words() -> Rules:
    """As shipped, but two fast right answers go up, and there is no template for what is solved together."""
    situations = {name: one for name, one in rules().feedback.situations.items() if name != "together"}
    numbers = rules().numbers
    climbing = numbers.position.model_copy(update={"advance": "streak"})
    return replace(
        rules(),
        feedback=rules().feedback.model_copy(update={"situations": situations}),
        numbers=numbers.model_copy(update={"position": climbing}),
    )


async def solved_together(here: Stand) -> tuple[Child, dict[str, Any]]:
    """A situation without a template: raised to C8, and lost there at once, down to the anchor."""
    child = await here.begin()
    await child.right()
    assert (await child.right()).body["position"]["c"] == 8
    task = child.current()
    await child.answer(right_answer(task) + 40)
    await child.right()
    async with asyncio.timeout(PATIENCE):
        outcome = await child.answer(right_answer(child.current()) + 41)
    assert outcome.body["adaptation"]["route"] == "none"
    assert outcome.body["phase"] == "worked_example"
    return child, outcome.body


async def test_without_a_model_there_are_the_safe_words(opened: Opened) -> None:
    here = await opened(None)
    _, body = await solved_together(here)
    assert body["feedback"]["feedback_text"] == list(SAFE_LINES)
    assert body["feedback"]["tone_check_passed"]


@pytest.mark.parametrize("mode", [*BROKEN, "tone_breaking"])
async def test_words_that_cannot_be_had_or_said_are_the_safe_ones(mode: Mode, llm: FakeLlm, opened: Opened) -> None:
    llm.mode = mode
    here = await opened(llm)
    child, body = await solved_together(here)
    assert body["feedback"]["feedback_text"] == list(SAFE_LINES)
    outcome = {**BROKEN, "unknown_tag": "rejected", "tone_breaking": "tone"}[mode]
    assert (await calls_of(here, child))[-1] == ("feedback", outcome)
    rejected = [review.payload for review in await review_queue(here.database) if review.kind == "rejected_text"]
    assert body["feedback"]["tone_check_passed"] == (mode != "tone_breaking")
    assert len(rejected) == (mode == "tone_breaking")


HARSH = [
    *[
        "병신아!",
        "죽어.",
        "쓰레기야.",
        "돌대가리야",
        "멍충아!",
        "0점이야.",
        "애기도 알아.",
        "이것도 몰라",
        "너 바보지?",
    ],
    *["꺼져!", "닥쳐.", "한심해.", "머리가 비었니", "또 틀렸어!", "그만 둬.", "ㅂㅅ", "바 보", "빠보야!", "개새끼"],
    *[
        "답은 열셋!",
        "답 13이야.",
        "정답이야!",
        "맞았어!",
        "완벽해!",
        "엄마한테 혼나",
        "친구는 다 해",
        "느려터졌네",
        "1388",
    ],
    *["http://a.kr", "<b>야</b>", "![](a)", "Hello!", "해봐요.", "빨리 해!", "너만 못해", "최악이야.", "노답이네."],
]
"""What a model might say to a child that got 13−5 wrong and goes back to an easier problem."""


@pytest.mark.parametrize("line", HARSH)
async def test_no_harsh_line_reaches_the_child(line: str, llm: FakeLlm, opened: Opened) -> None:
    llm.text = json.dumps({"template": None, "lines": ["괜찮아.", line]}, ensure_ascii=False)
    _, body = await solved_together(await opened(llm))
    assert body["feedback"]["feedback_text"] == list(SAFE_LINES)
    assert not body["feedback"]["tone_check_passed"]


async def test_a_template_that_the_model_chooses_is_said_and_replayed(llm: FakeLlm, opened: Opened) -> None:
    llm.text = json.dumps({"template": "move_on_1", "lines": ["병신아!"]}, ensure_ascii=False)
    here = await opened(llm)
    child, body = await solved_together(here)
    assert body["feedback"]["feedback_text"] == list(rules().feedback.situations["move_on"]["move_on_1"])
    assert (await here.service.replay(child.session_id))["identical"]


async def test_reasoning_that_adults_may_not_read_goes_to_the_review_queue(llm: FakeLlm, opened: Opened) -> None:
    bad = "아이는 멍청하다. <script>alert(1)</script>"
    llm.text = json.dumps({**DIAGNOSIS, "reasoning": bad}, ensure_ascii=False)
    here = await opened(llm)
    child, body = await unexplained(here)
    assert "멍청" not in json.dumps([body, await here.service.trace(child.session_id)], ensure_ascii=False)
    assert {"reasoning": bad} in [review.payload["output"] for review in await review_queue(here.database)]
    assert (await here.service.replay(child.session_id))["identical"]


async def test_words_within_the_tone_guide_are_said(llm: FakeLlm, opened: Opened) -> None:
    llm.mode = "500"
    here = await opened(llm)
    child = await here.begin()
    await child.right()
    await child.right()
    await child.answer(right_answer(child.current()) + 40)
    await child.right()
    llm.mode = "answers"
    body = (await child.answer(right_answer(child.current()) + 41)).body
    assert body["feedback"]["feedback_text"] == ["괜찮아.", "자리만 봐!"]
    assert body["feedback"]["tone_check_passed"]


# --- what is kept of it -----------------------------------------------------------------------------------------------


async def test_what_a_model_said_is_replayed_and_rebuilt_without_it(llm: FakeLlm, opened: Opened) -> None:
    here, without = await opened(llm), await opened(None)
    child, body = await unexplained(here)
    assert body["phase"] == "probe"
    await here.redis.flushall()
    child.service = without.service
    await child.right()
    child.service = here.service
    await child.right()
    for one in (here, without):
        replay = await one.service.replay(child.session_id)
        assert [turn for turn in replay["turns"] if not turn["identical"]] == []
    assert len(llm.requests) == 1
    trace = await without.service.trace(child.session_id)
    (call,) = trace["turns"][0]["llm"]
    assert (call["outcome"], call["input_tokens"], call["output_tokens"]) == ("ok", 3100, 120)
    assert call["cost_usd"] == pytest.approx(3100 * 2.5e-6 + 120 * 10e-6)


async def test_without_redis_a_model_is_asked_all_the_same(
    llm: FakeLlm, opened: Opened, redis_server: RedisServer
) -> None:
    here = await opened(llm)
    redis_server.stop()
    child, body = await unexplained(here)
    assert (body["degraded"], body["phase"]) == (True, "probe")
    redis_server.start()
    assert not (await child.right()).body["degraded"]
    assert (await here.service.replay(child.session_id))["identical"]
    assert len(llm.requests) == 1


async def test_a_repeated_request_does_not_ask_again(llm: FakeLlm, opened: Opened) -> None:
    here = await opened(llm)
    child = await here.begin(first_problem=UNEXPLAINED[0])
    event = answered(child.current(), UNEXPLAINED[1], "r1")
    first = await child.send(event)
    again = await here.service.handle(child.session_id, event)
    assert (again.body, again.replayed) == (first.body, True)
    assert len(llm.requests) == 1


async def test_what_models_were_asked_is_summed_over_all_turns(llm: FakeLlm, opened: Opened) -> None:
    here = await opened(llm)
    for _ in range(2):
        child, _ = await unexplained(here)
        await child.right()
    usage = await llm_usage(here.records._database)
    assert usage.turns == 4
    diagnosis = usage.prompts["diagnosis"]
    assert (diagnosis.turns, diagnosis.calls) == (2, 2)
    assert (diagnosis.input_tokens, diagnosis.output_tokens) == (6200, 240)
    assert set(usage.prompts) == {"diagnosis"}


async def test_the_normal_path_asks_nobody(llm: FakeLlm, opened: Opened) -> None:
    here = await opened(llm)
    child = await here.begin(problem_count=5)
    while child.task is not None:
        await child.right()
    assert llm.requests == []
