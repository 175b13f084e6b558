"""Greetings, thanks and goodbyes: which messages are nothing else, and what is answered."""

import re
from typing import Final

import pytest
from redis.asyncio import Redis

from maththera.chat.assistant.tool_routing import ToolRouter
from maththera.chat.coach.intent_registry import OUT_OF_SCOPE
from maththera.settings import home
from maththera.tutoring.feedback import tone
from maththera.words.input_filter.courtesies import Courtesies
from maththera.words.input_filter.filter_words import Profile
from maththera.words.input_filter.message_filter import MessageFilter
from tests.support.chatting import ADMIN, CHILD, chat, models, text, types
from tests.support.speaking_llm import Says, SpeakingLlm
from tests.support.utterances import HALVES, intent_of, utterances

COURTESIES: Final = Courtesies.load(home())
SAID: Final = {
    "greeting": "ㅎㅇ|ㅎㅇㅎㅇ|안녕|안녕?|안녕하세요!|안녕하세요 선생님|코치야 안녕~ㅎㅎ|"
    "반가워 😊|굿모닝|hi|Hello!!|xin chào|你好",
    "thanks": "고마워|고마워요ㅠㅠ|정말 고마워|알려줘서 고마워!|감사합니다|네 감사합니다|"
    "덕분에 마음이 좀 놓이네요 고마워요|많은 도움이 됐어요 감사합니다|"
    "ㄱㅅ|Thank you so much|cảm ơn",
    "farewell": "잘 자|잘 있어!|내일 또 봐|고마워 잘 자|안녕히 계세요|나 갈게|나 이제 갈게 ㅂㅂ|나 숙제하러 갈게~|"
    "빠빠이|바이바이|수고하셨습니다|bye|good night",
    "sorry": "미안해|미안해용|죄송합니다|sorry",
    "praise": "너 최고야|재밌엉|사랑해|재밌어!|좋아|👍|❤️❤️",
    "assent": "넹|ㅇㅇ ㅎㅎ|응|네|알겠어|그렇구나!|ok",
    "refusal": "아니|괜찮아|ㄴㄴ|이제 그만할래|쉬고 싶어",
    "comfort": "ㅠㅠ|😡|😭|슬퍼 ㅠㅠ",
    "worry": "걱정이에요|휴.. 걱정이네요|참 막막하네요",
}
NONE: Final = [
    *(
        "",
        "ㅋㅋㅋ",
        "?",
        "너무",
        "오늘",
        "코치야",
        "고마워 그런데 받아올림이 뭐야?",
        "안녕 8+6은 뭐야",
        "안녕 죽고 싶어",
    ),
    *(
        "고마워 바보야",
        "괜찮은 문제 줘",
        "좋은 방법",
        "네 자리 수",
        "응원해줘",
        "이름이 뭐야?",
        "no way",
        "고마워" * 21,
    ),
]


@pytest.mark.parametrize(("kind", "message"), [(kind, one) for kind, all_ in SAID.items() for one in all_.split("|")])
def test_what_is_nothing_but_a_courtesy(kind: str, message: str) -> None:
    assert COURTESIES.kind(message) == kind
    assert COURTESIES.answer(kind, "coach") == COURTESIES.kinds[kind].coach[0]
    assert COURTESIES.answer(kind, "assistant") == COURTESIES.kinds[kind].assistant[0]


@pytest.mark.parametrize("message", NONE)
def test_whatever_else_is_none(message: str) -> None:
    assert COURTESIES.kind(message) is None


def test_no_labelled_utterance_on_learning_is_one() -> None:
    """Nor abuse, nor an injection."""
    said = [one for half in HALVES for kind in ("learning", "lookalike", "abuse", "injection")
            for one in utterances("guard", half)[kind]]  # fmt: skip
    intents = [one for half in HALVES for one in utterances("intents", half).items()]
    said += [one for intent, texts in intents if intent != OUT_OF_SCOPE for one in texts]
    assert [one for one in said if COURTESIES.kind(one)] == []


@pytest.mark.parametrize("kind", SAID)
def test_answers_keep_the_tone_and_name_questions_that_work(kind: str) -> None:
    """A learner is spoken to as the guide says, and whatever is offered is understood."""
    told = COURTESIES.kinds[kind]
    lines = [*told.coach]
    found = tone.check(lines, None, answer=None, revealed=True)
    assert [one for one in found if one.rule == "banned"] == []
    guard, router = MessageFilter.load(home()), ToolRouter.load(home())
    for offered in re.findall("'([^']+)'", " ".join(told.coach)):
        assert guard.check(offered).kind == "pass"
        assert intent_of(offered) != OUT_OF_SCOPE
    for offered in re.findall("'([^']+)'", " ".join(told.assistant)):
        assert router.route(offered) is not None, offered


async def test_nobody_is_asked_what_it_means(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(["모델의 말"])]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            child = await own.say("고마워!", CHILD, thread_id="t1")
            adult = await own.say("고맙습니다", ADMIN, profile="assistant")
            abuse = await own.say("고마워 시발", CHILD)
            said = await own.records.messages("t1", 9)
        assert llm.requests == []
    assert child[0]["reasoning"] == "인사로 주고받는 말이에요."
    assert {*types(child)} == {"intent_detected", "token", "final"}
    assert text(child) == COURTESIES.kinds["thanks"].coach[0] == said[1].text
    assert text(adult) == COURTESIES.kinds["thanks"].assistant[0]
    assert "괜찮아" in text(abuse)


@pytest.mark.parametrize("kind", SAID)
def test_said_again_it_is_said_in_other_words(kind: str) -> None:
    profiles: tuple[Profile, ...] = ("coach", "assistant")
    for profile in profiles:
        told: list[str] = []
        for _ in range(2):
            told.append(COURTESIES.answer(kind, profile, told))
        assert len({*told}) == 2
        assert not any("\n" in one for one in told)


@pytest.mark.parametrize("kind", SAID)
def test_adults_are_spoken_to_in_one_speech_level(kind: str) -> None:
    assert [one for one in COURTESIES.kinds[kind].assistant if re.search(r"(?:니다|니까|시오)[.!?]", one)] == []
