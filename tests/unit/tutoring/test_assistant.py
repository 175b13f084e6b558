import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.llm.models import Models
from maththera.settings import home
from maththera.tutoring.assistant import (
    Ask,
    Record,
    Situation,
    SuspectedCauses,
    UnexplainedAnswer,
    WrittenFeedback,
    diagnose_unknown,
    from_record,
    write_feedback,
)
from maththera.tutoring.tone import Violation
from tests.support.fake_llm import DIAGNOSIS, FEEDBACK, TONE_BREAKING, FakeLlm

DOMAINS = {
    "STRATEGY_L4_PLACEVALUE": "STRATEGY",
    "SPATIAL_L4_PLACE_VALUE": "SPATIAL",
    "MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK": "STRATEGY",
    "UNKNOWN": "UNKNOWN",
}
ANSWER = UnexplainedAnswer(make_problem(28, "+", 15, layout="vertical"), 77, 3200, ["OBS_FINGERS", "OBS_SIGHS"])
SITUATION = Situation("오래 쉬었다가 돌아옴", make_problem(28, "+", 15), 13, "SPATIAL_L4_PLACE_VALUE", None)


@pytest.fixture
def llm() -> Iterator[FakeLlm]:
    with FakeLlm() as server:
        yield server


@pytest.fixture
async def models(llm: FakeLlm) -> AsyncIterator[Models]:
    opened = Models.from_settings(llm.base_url, None, "gpt-4o", None, home=home())
    yield opened
    await opened.aclose()


def passes(lines: Sequence[str], hint: str | None) -> list[Violation]:
    return []


def breaks(lines: Sequence[str], hint: str | None) -> list[Violation]:
    return [Violation("banned", lines[0], "")]


async def diagnose(models: Models) -> Ask[SuspectedCauses]:
    return await diagnose_unknown(models, models.budget(), ANSWER, DOMAINS)


async def feedback(
    models: Models, check: Callable[[Sequence[str], str | None], list[Violation]] = passes
) -> Ask[WrittenFeedback]:
    return await write_feedback(models, models.budget(), SITUATION, check)


async def test_causes_of_the_catalogue_come_back_with_their_record(models: Models) -> None:
    ask = await diagnose(models)
    assert ask.result is not None
    assert ask.result.model_dump() == DIAGNOSIS
    assert ask.record is not None
    assert dict(ask.record) | {"ms": 0} == {
        "kind": "diagnosis",
        "model": "gpt-4o",
        "input_tokens": 3100,
        "output_tokens": 120,
        "estimated": False,
        "cost_usd": pytest.approx(0.00895),
        "ms": 0,
        "outcome": "ok",
        "output": DIAGNOSIS,
    }


async def test_the_model_sees_the_answer_and_every_allowed_tag(models: Models, llm: FakeLlm) -> None:
    await diagnose(models)
    system, user = (message["content"] for message in llm.requests[0]["messages"])
    assert " ".join(sorted(DOMAINS)) in system
    assert user.splitlines()[2:] == [
        '문제: "28+15" ("세로셈")',
        "정답: 43",
        "아동 답: 77",
        "RT: 3200ms",
        '행동 태그: "OBS_FINGERS, OBS_SIGHS"',
        '문제 정의: L=5, C=8, 전략="STR_PLACE_VALUE"',
    ]


def diagnosis(**changed: Any) -> str:
    return json.dumps({**DIAGNOSIS, **changed}, ensure_ascii=False)


def cause(tag: str, **changed: Any) -> dict[str, Any]:
    return {"tag": tag, "domain": DOMAINS.get(tag, ""), "confidence": "low", **changed}


@pytest.mark.parametrize(
    "reply",
    [
        diagnosis(primary_cause=cause("EXECUTION_L9_INVENTED")),
        diagnosis(secondary_cause=cause("EXECUTION_L9_INVENTED")),
        diagnosis(primary_cause=cause("UNKNOWN", confidence="certain")),
        diagnosis(primary_cause=None),
        diagnosis(reasoning="The carry was dropped."),
        diagnosis(reasoning="가" * 401),
        diagnosis(probe_recommended="maybe"),
    ],
)
async def test_a_reply_outside_the_catalogue_or_the_shape_is_rejected(models: Models, llm: FakeLlm, reply: str) -> None:
    llm.text = reply
    ask = await diagnose(models)
    assert ask.result is None
    assert ask.record is not None
    assert (ask.record["outcome"], ask.record["output"], ask.record["output_tokens"]) == ("rejected", None, 120)


async def test_the_catalogue_says_which_domain_a_tag_has(models: Models, llm: FakeLlm) -> None:
    tag = "MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK"
    llm.text = diagnosis(primary_cause=cause(tag, domain="MAKE10"))
    result = (await diagnose(models)).result
    assert result is not None
    assert result.primary_cause.domain == "STRATEGY"


@pytest.mark.parametrize("second", [None, {}, {"tag": "", "domain": "", "confidence": ""}, DIAGNOSIS["primary_cause"]])
async def test_a_second_cause_that_says_nothing_new_is_none(models: Models, llm: FakeLlm, second: Any) -> None:
    llm.text = diagnosis(secondary_cause=second)
    result = (await diagnose(models)).result
    assert result is not None
    assert result.secondary_cause is None


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("하나다.", "하나다."),
        ("하나다. 둘이다! 셋이다.", "하나다. 둘이다!"),
        ("RT가 3.2초다.\n둘이다. 셋", "RT가 3.2초다. 둘이다."),
        ("마침표 없이 끝남", "마침표 없이 끝남"),
    ],
)
async def test_two_sentences_of_reasoning_are_kept(models: Models, llm: FakeLlm, said: str, kept: str) -> None:
    llm.text = diagnosis(reasoning=said)
    result = (await diagnose(models)).result
    assert result is not None
    assert result.reasoning == kept


async def test_feedback_that_keeps_the_tone_comes_back(models: Models, llm: FakeLlm) -> None:
    ask = await feedback(models)
    assert ask.result is not None
    assert (ask.result.feedback_lines, ask.result.hint) == (["괜찮아.", "자리만 봐!"], None)
    assert ask.record is not None
    assert (ask.record["kind"], ask.record["outcome"], ask.record["output"]) == ("feedback", "ok", FEEDBACK)
    assert llm.requests[0]["messages"][1]["content"].splitlines()[2:] == [
        '상황: "오래 쉬었다가 돌아옴"',
        '문제: "28+15"',
        "아동 답: 13",
        '원인: "SPATIAL_L4_PLACE_VALUE"',
        "훈련: null",
    ]


async def test_the_tone_check_decides_whatever_the_model_claims(models: Models, llm: FakeLlm) -> None:
    llm.text = json.dumps(TONE_BREAKING, ensure_ascii=False)
    assert TONE_BREAKING["prohibition_check"] is True
    ask = await feedback(models, breaks)
    assert ask.result is None
    assert ask.record is not None
    assert ask.record["outcome"] == "tone"
    assert ask.record["output"] == TONE_BREAKING, "a person reviews what was said"


async def test_a_model_that_doubts_itself_is_checked_like_any_other(models: Models, llm: FakeLlm) -> None:
    llm.text = json.dumps({"feedback_lines": ["좋아!"], "hint": " ", "prohibition_check": False}, ensure_ascii=False)
    ask = await feedback(models)
    assert ask.result is not None
    assert ask.result.hint is None


@pytest.mark.parametrize("lines", [[], ["좋아!"] * 11, "좋아!", [1], None])
async def test_feedback_without_lines_is_rejected(models: Models, llm: FakeLlm, lines: Any) -> None:
    llm.text = json.dumps({**FEEDBACK, "feedback_lines": lines})
    ask = await feedback(models)
    assert ask.result is None
    assert ask.record is not None
    assert ask.record["outcome"] == "rejected"


async def test_without_a_model_nothing_is_asked_or_recorded() -> None:
    models = Models.from_settings(None, None, None, None, home=home())
    assert await diagnose(models) == Ask(None, None)
    assert await feedback(models) == Ask(None, None)


async def test_a_record_replays_without_a_model(models: Models, llm: FakeLlm) -> None:
    def stored(record: Record | None) -> Record:
        restored: Record = json.loads(json.dumps(record))
        return restored

    diagnosed, written = await diagnose(models), await feedback(models)
    broken = await feedback(models, breaks)
    llm.mode = "500"
    failed = await diagnose(models)

    assert from_record(stored(diagnosed.record), SuspectedCauses) == diagnosed
    assert from_record(stored(written.record), WrittenFeedback) == written
    assert from_record(stored(broken.record), WrittenFeedback) == broken
    assert from_record(stored(failed.record), SuspectedCauses) == failed
