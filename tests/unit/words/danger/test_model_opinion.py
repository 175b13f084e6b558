"""A model's second opinion, on a server that answers as it likes."""

import json
import time

import pytest

from maththera.llm.model_client import Models
from maththera.settings import home
from maththera.words.danger import message_safety
from maththera.words.danger.danger_detection import Danger
from maththera.words.danger.message_safety import Place, Sender
from tests.support.fake_llm import FakeLlm
from tests.support.words import safety


def models(llm: FakeLlm) -> Models:
    return Models.load(home(), llm.base_url, None, "m")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ({"category": "sexual", "tier": 1}, Danger("sexual", 1, sure=True, score=0.5)),
        ({"category": "none", "tier": 1}, None),
        ({"category": "fun", "tier": 1}, None),
        ({"category": "sexual", "tier": 0}, None),
        ([], None),
    ],
)
async def test_what_it_says(reply: object, expected: Danger | None) -> None:
    with FakeLlm(text=json.dumps(reply)) as llm:
        own = models(llm)
        assert await message_safety.opinion_asker(own, 20)("우산을 거기 두고 왔어") == expected
        await own.aclose()
    assert "우산을 거기 두고 왔어" in str(llm.requests)


@pytest.mark.parametrize("mode", ["500", "429", "cut", "html", "rubbish", "empty_choices"])
async def test_without_a_usable_answer_the_rules_stand(mode: str) -> None:
    with FakeLlm(mode) as llm:  # type: ignore[arg-type]
        own = models(llm)
        heard = await safety(None, message_safety.opinion_asker(own, 20)).check_message(
            "우산을 거기 두고 왔어", Sender("student", "s1"), Place("coach", "t1"), "m1"
        )
        await own.aclose()
    assert heard.told is None


async def test_nobody_waits_for_one_that_hangs() -> None:
    with FakeLlm("hangs") as llm:
        own, began = models(llm), time.monotonic()
        assert await message_safety.opinion_asker(own, 0.2)("우산을 거기 두고 왔어") is None
        assert time.monotonic() - began < 20
        await own.aclose()


def test_the_prompt_takes_what_it_is_given() -> None:
    Models.load(home()).require(message_safety.PROMPT, message_safety.VARIABLES)
