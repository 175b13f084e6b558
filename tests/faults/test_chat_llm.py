"""A model that fails in every way: the turn still ends, from the rules, and says so."""

import asyncio
import json

import pytest
from redis.asyncio import Redis

from maththera.chat.service import NewTurn
from maththera.store.database import Database
from maththera.store.tutoring_sessions import SessionRecords
from tests.support.chatting import ADMIN, CHILD, PATIENCE_SECONDS, chat, codes, models, text, types
from tests.support.speaking_llm import Says, SpeakingLlm

CALL = ("get_weak_points", "{}")


@pytest.mark.parametrize(
    ("says", "code"),
    [
        (Says(status=429), "llm_failed"),
        (Says(status=500), "llm_failed"),
        (Says(ending="hangs"), "llm_timeout"),
        (Says(ending="cut"), "llm_failed"),
        (Says(["약점을 "], ending="cut"), "llm_failed"),
        (Says(["약점을 "], ending="hangs"), "llm_timeout"),
        (Says(calls=[("get_weak_points", '{"unit_id": ')]), "llm_rejected"),
        (Says(calls=[("drop_all_tables", "{}")]), "unknown_tool"),
        (Says(calls=[CALL, ("get_recent_activity", "{}")]), "unknown_tool"),  # one that another intent has
        (Says(), "llm_rejected"),
        (Says(["  ", "\n"]), "llm_rejected"),
    ],
)
async def test_a_failing_model_leaves_the_turn_to_the_rules(
    says: Says, code: str, sqlite_url: str, redis: Redis
) -> None:
    patience = {"silence": 1.0} if says.ending == "hangs" else {}  # for the others, a busy machine's
    with SpeakingLlm([says]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url), **patience) as own:
            events = await own.say("내 약점을 분석해줘")
    assert types(events)[0] == "intent_detected"
    assert types(events)[-1] == "final"
    assert codes(events) == [code]
    assert "step_result" in types(events)
    assert "문제" in text(events)  # from the templates


async def test_a_failure_after_a_round_of_tools_goes_on_from_what_was_found(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(calls=[CALL]), Says(status=500)]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            events = await own.say("내 약점을 분석해줘")
    assert codes(events) == ["llm_failed"]
    steps = [event["tool"] for event in events if event["type"] == "step_start"]
    assert steps == ["get_weak_points", "get_user_scores"]  # the model's, then what the rules need besides
    assert types(events)[-1] == "final"


async def test_an_answer_that_breaks_off_is_finished_by_the_rules(sqlite_url: str, redis: Redis) -> None:
    begun = ["네 약점은 받아올림이야. " * 8, "받아올림이고 " * 5]
    with SpeakingLlm([Says(calls=[CALL]), Says(begun, ending="cut")]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            events = await own.say("내 약점을 분석해줘", thread_id="t1")
            recorded = (await own.records.messages("t1", 2))[-1].text
    assert codes(events) == ["llm_failed"]
    assert text(events).startswith("네 약점은")
    assert "아직" in text(events), "the rules' own answer, from the records"
    assert recorded == text(events)


async def test_a_child_is_not_told_what_the_tone_guide_bans(sqlite_url: str, redis: Redis) -> None:
    unkind = ["잘했어. ", "그런데 ", "또 ", "틀렸", "어. ", "다른 말."]
    with SpeakingLlm([Says(calls=[CALL]), Says(unkind)]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            events = await own.say("내 약점을 분석해줘")
    assert codes(events) == ["tone"]
    assert text(events).startswith("잘했어.")
    assert "그런데" not in text(events)
    assert "아직" in text(events), "the rules' own answer, from the records"


async def test_a_failing_intent_is_told_after_the_rules_have_found_one(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(["좋아"])], plain_status=500) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            events = await own.say("내 약점을 분석해줘")
        assert llm.streamed == []  # nobody is asked again in this turn
    assert types(events)[:2] == ["intent_detected", "error"]
    assert events[0]["intent_type"] == "A"


async def test_the_turn_ends_within_its_budget(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(ending="hangs")]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url), turn=1.5) as own:
            async with asyncio.timeout(PATIENCE_SECONDS / 2):
                events = await own.say("내 약점을 분석해줘")
        assert llm.left.wait(PATIENCE_SECONDS)
    assert codes(events) == ["llm_timeout"]
    assert types(events)[-1] == "final"


async def test_words_without_end_are_one_answer_and_no_more_tools(sqlite_url: str, redis: Redis) -> None:
    """A call that comes after the answer has begun is not made."""
    with SpeakingLlm([Says(["길게 말할게. " * 20], calls=[CALL])]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            events = await own.say("내 약점을 분석해줘")
    assert "step_start" not in types(events)
    assert text(events).startswith("길게 말할게.")
    assert types(events)[-1] == "final"


async def test_a_model_that_never_stops_calling_tools_is_stopped(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(calls=[CALL])]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            events = await own.say("내 약점을 분석해줘")
        assert len(llm.streamed) == 5
    assert types(events).count("step_start") == 5
    assert [event["cached"] for event in events if event["type"] == "step_result"] == [False, True, True, True, True]
    assert text(events) == "분석이 복잡합니다. 더 구체적으로 질문해주세요."


async def test_who_leaves_ends_what_the_model_is_asked(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(["음 "], ending="hangs")]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            run_id = await own.service.start(CHILD, NewTurn("내 약점을 분석해줘"))
            watching = own.service.events(run_id)
            async for _, event in watching:
                if event["type"] == "thinking":
                    break
            await _streaming(llm)
            await watching.aclose()
            events = [event async for _, event in own.service.events(run_id)]
        assert llm.left.wait(PATIENCE_SECONDS)
    assert codes(events) == ["client_gone"]
    assert types(events)[-1] == "final"
    assert text(events)


async def test_who_asked_to_resume_may_leave(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(["음 "], ending="hangs")]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url), silence=1) as own:
            run_id = await own.service.start(CHILD, NewTurn("내 약점을 분석해줘", resumable=True))
            watching = own.service.events(run_id)
            async for _, event in watching:
                if event["type"] == "thinking":
                    break
            await _streaming(llm)
            await watching.aclose()
            events = [event async for _, event in own.service.events(run_id)]
    assert codes(events) == ["llm_timeout"]  # asked to the end of its patience


async def _streaming(llm: SpeakingLlm) -> None:
    assert await asyncio.to_thread(llm.streaming.wait, PATIENCE_SECONDS)


async def opened(database_url: str) -> None:
    """The child has a task now."""
    database = Database(database_url)
    await SessionRecords(database).create_session("a", "s1", {}, ["X:28+15:h"])
    await database.close()


TELLING = ["예를 들어 28+15를 보자. ", "20+10=30, 8+5=13이야. ", "그래서 43이야. ", "쉽지?"]


async def test_a_model_does_not_tell_the_answer_of_an_open_task(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(TELLING)]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            await opened(sqlite_url)
            events = await own.say("받아올림이 뭐야?")
    assert "20+10=30" in text(events)
    assert "43" not in json.dumps(events, ensure_ascii=False)


async def test_a_thought_of_a_model_does_not_tell_it_either(sqlite_url: str, redis: Redis) -> None:
    thought = [Says(["28+15=43이니까 ", "찾아볼게."], calls=[CALL]), Says(["천천히 해 보자."])]
    with SpeakingLlm(thought) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            await opened(sqlite_url)
            events = await own.say("내 약점을 분석해줘")
    assert "thinking" in types(events)
    assert "43" not in json.dumps(events, ensure_ascii=False)


async def test_no_model_is_asked_about_an_open_task(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(["응, 맞아!"])]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            await opened(sqlite_url)
            events = await own.say("43 맞아?")
    assert "맞아!" not in text(events)
    assert "적어" in text(events)
    assert "43" not in text(events)
    assert llm.requests == []


async def test_a_figure_that_no_tool_gave_is_not_passed_on(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(["너는 벌써 ", "47문제를 풀었어. ", "잘했어."])]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            events = await own.say("나 몇 문제 풀었어?")
    assert "47" not in text(events)
    assert codes(events) == ["tone"]


@pytest.mark.parametrize(
    "words",
    [
        ["지금까지 999문제를 ", "풀었어요. ", "잘하고 있어요."],
        ["그것은 ", "자리야. ", "잘하고 있어."],
        ["이번 주에는 88문제를 ", "맞혔습니다."],
        ["자리마다 값이 달라. "],
        ["정답률이 97%", "예요"],
    ],
)
async def test_an_adult_is_told_no_invented_figure_and_not_as_a_child(
    words: list[str], sqlite_url: str, redis: Redis
) -> None:
    with SpeakingLlm([Says(words)]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own:
            events = await own.say("자릿값이 뭐야?", ADMIN, profile="assistant")
        async with chat(sqlite_url, redis) as alone:
            rules = await alone.say("자릿값이 뭐야?", ADMIN, profile="assistant")
    assert codes(events) == ["tone"]
    for level in ("elementary", "beginner"):
        assert text(events, level) == text(rules, level), "nothing of the model's was shown"


@pytest.mark.parametrize("refused", ["너는 벌써 47문제를 풀었어.", "이 바보야, 그것도 몰라?", "참 잘하셨습니다."])
async def test_an_answer_that_is_refused_before_any_tool_is_the_rules_own(
    refused: str, sqlite_url: str, redis: Redis
) -> None:
    for message in ("나 몇 문제 풀었어?", "내 약점을 분석해줘"):
        with SpeakingLlm([Says([refused])]) as llm:
            async with chat(sqlite_url, redis, models(llm.base_url)) as own:
                events = await own.say(message)
            async with chat(sqlite_url, redis) as alone:
                rules = await alone.say(message)
        assert codes(events) == ["tone"]
        assert text(events) == text(rules)
        steps = [event["tool"] for event in events if event["type"] == "step_start"]
        assert steps == [event["tool"] for event in rules if event["type"] == "step_start"]
        assert "읽을 수 없" not in text(events)
