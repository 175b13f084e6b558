"""Danger on every way in and in every state: answered, nothing used up, one alert, the same again the same."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import uuid4

import pytest
from httpx import Response
from sqlalchemy import select

from maththera.api.session_turns import Waiting
from maththera.app.content import Content
from maththera.store.database import Database
from maththera.store.review_queue import reviews
from maththera.words.danger.danger_detection import Danger, DangerDetector
from tests.api.conftest import Api, FlowApi
from tests.api.test_lessons import frames
from tests.api.test_mcp import client_of
from tests.api.test_sessions import answer_to, events
from tests.support import lessons as support

Json = dict[str, Any]

WORDS: Final = "나는 죽고 싶어"
NUMBER: Final = "109"


@pytest.fixture(scope="session")
def loaded(loaded: Content) -> Content:
    """With a course that is short."""
    return replace(loaded, lessons=support.content())


async def alerts(api: Api) -> list[tuple[str, str, str]]:
    database: Database = api.app.state.services.safety._alerts._database
    columns = (reviews.c.room, reviews.c.place_id, reviews.c.category)
    query = select(*columns).where(reviews.c.kind == "safety").order_by(reviews.c.review_id)
    found = await database.run(lambda connection: connection.execute(query))
    return [tuple(row) for row in found]


# --- tutoring ---------------------------------------------------------------------------------------------------------


async def tell(api: Api, view: Json, headers: Json | None = None, **more: Any) -> Json:
    """What is answered to words in place of the task's answer."""
    task = view["task"]
    event = answer_to(view, **{"request_id": uuid4().hex, "answer": WORDS, **more})
    if task["kind"] == "training":
        results = {"said": event["answer"]}
        event = {"type": "training_done", "request_id": event["request_id"], "training_id": task["training"]["id"]}
        event["results"] = results
    answer = await api.client.post(events(view), json=event, headers=headers)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def standing(api: Api, view: Json) -> Json:
    found: Json = (await api.client.get(f"/api/v1/sessions/{view['session_id']}")).json()
    return found


async def play_wrong(api: Api, view: Json, rt_ms: int, each: Callable[[Json], Awaitable[None]]) -> set[tuple[str, str]]:
    """A child that answers 178 always, to the end; -> phases and kinds of tasks that it met."""
    met, turn = set(), 0
    while (now := await standing(api, view))["task"]:
        met.add((now["phase"], now["task"]["kind"]))
        await each(now)
        turn += 1
        done = answer_to(now, request_id=f"turn-{turn}", answer=178, rt_ms=rt_ms)
        if now["task"]["kind"] == "training":
            done = {"type": "training_done", "request_id": f"turn-{turn}", "training_id": now["task"]["training"]["id"]}
        assert (await api.client.post(events(view), json=done)).is_success
    return met


async def turns_of(api: Api, view: Json) -> list[Json]:
    """What is on record of a session, but for how long things took."""
    turns: list[Json] = (await api.client.get(f"/api/v1/sessions/{view['session_id']}/trace")).json()["turns"]
    for turn in turns:
        turn["envelopes"] = [one for one in turn["envelopes"] if one["type"] != "stages"]
    return turns


@pytest.mark.slow
async def test_a_childs_first_session_hears_it_before_the_first_answer(api: Api) -> None:
    child = await api.as_("student", "s1")
    begun = (await api.client.post("/api/v1/sessions", json={"student_id": "s1"}, headers=child)).json()
    assert (begun["phase"], bool(begun["words"])) == ("placement", True)
    told = Waiting.model_validate(await tell(api, begun, child))
    assert NUMBER in " ".join(told.safety.text)
    assert (told.phase, told.turn) == ("placement", 0)


@pytest.mark.parametrize(
    ("rt_ms", "states"),
    [
        (
            4000,
            {("normal", "problem"), ("diagnostic_question",) * 2, ("breather", "problem"), ("white_out", "problem")},
        ),
        (400, {("normal", "problem"), ("training", "training"), ("breather", "problem")}),
    ],
)
async def test_a_session_waits_in_every_state_and_replays_as_if_nothing_was_said(
    api: Api, rt_ms: int, states: set[tuple[str, str]]
) -> None:
    child = await api.as_("student", "s1")
    wanted = {"first_problem": "98+90", "c_position": 8, "problem_count": 6}
    view, plain = [await api.begin(student, **wanted) for student in ("s1", "s2")]

    async def say(now: Json) -> None:
        seen = (await api.client.get(f"/api/v1/sessions/{now['session_id']}", headers=child)).json()
        told = await tell(api, now, child)
        Waiting.model_validate(told)
        assert NUMBER in " ".join(told["safety"]["text"])
        left = {name: value for name, value in seen.items() if name != "who_reads"}
        assert {name: told[name] for name in left} == left, "nothing is used up"
        assert set(told["safety"]) == {"text", "numbers"}

    async def nothing(_: Json) -> None:
        """The same child that says nothing."""

    met = await play_wrong(api, view, rt_ms, say)
    assert await play_wrong(api, plain, rt_ms, nothing) == met
    assert {*met} >= states
    assert await turns_of(api, view) == await turns_of(api, plain)
    assert (await api.client.post(f"/api/v1/sessions/{view['session_id']}/replay")).json()["identical"]
    assert {row[:2] for row in await alerts(api)} == {("tutoring", view["session_id"])}


async def test_the_same_request_is_the_same_answer_and_one_alert(api: Api) -> None:
    view = await api.begin()
    first = await tell(api, view, request_id="r-1")
    await tell(api, view, request_id="r-2")
    assert await tell(api, view, request_id="r-1") == first
    assert len(await alerts(api)) == 2


async def test_a_stream_tells_it_first_and_then_the_task_that_waits(api: Api) -> None:
    view = await api.begin()
    headers = {"Accept": "text/event-stream"}
    answer = await api.client.post(events(view), json=answer_to(view, answer=WORDS), headers=headers)
    told = [json.loads(line.removeprefix("data: ")) for line in answer.text.splitlines() if line.startswith("data: ")]
    assert [one["type"] for one in told] == ["safety", "task", "final"]
    assert told[1]["payload"] == view["task"]


async def test_a_teacher_sees_what_was_read(api: Api) -> None:
    view = await api.begin()
    told = await tell(api, view, await api.as_("teacher", "s1"))
    assert told["safety"]["category"] == "self_harm"
    assert told["safety"]["tier"] == 1


@pytest.mark.parametrize("words", ["몰라", "모르겠어요", "모름", "?"])
async def test_who_does_not_know_gives_no_answer(api: Api, words: str) -> None:
    view, plain = [await api.begin(first_problem="28+15", c_position=8) for _ in range(2)]
    said = (await api.client.post(events(view), json=answer_to(view, answer=words))).json()
    timeout = {"type": "timeout", "said": True, "request_id": "r-1", "task_id": plain["task"]["task_id"]}
    assert said == (await api.client.post(events(plain), json=timeout)).json()
    assert said["response_pattern"] == "no_response"


@pytest.mark.parametrize("words", ["", "바나나", "12 아니면 13", "hello", "가" * 2_001, "가" * 2_000])
async def test_other_words_are_refused_as_ever(api: Api, words: str) -> None:
    view = await api.begin()
    answer = await api.client.post(events(view), json=answer_to(view, answer=words))
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["loc"] == "body.answer"
    assert await alerts(api) == []


async def test_long_words_are_heard_too(api: Api) -> None:
    assert (await tell(api, await api.begin(), answer="오늘 학교에서 있었던 일인데 " * 20 + WORDS))["safety"]


# --- lessons ----------------------------------------------------------------------------------------------------------


async def lesson(api: Api) -> tuple[str, Json]:
    begun = (await api.client.post("/api/v1/lessons", json={"user_id": "s1", "user_type": "beginner"})).json()
    return begun["lesson_id"], begun["state"]


async def send(api: Api, lesson_id: str, headers: Json | None = None, **body: Any) -> list[Json]:
    answer = await api.client.post(f"/api/v1/lessons/{lesson_id}/messages", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return [event for _, event in frames(answer.text)]


def still(state: Json) -> Json:
    """What danger leaves as it was: all but what was said, and who said it."""
    said = {"current_session_conversations", "previous_agent"}
    return {name: value for name, value in state.items() if name not in said}


STAGES: Final[dict[str, list[Json]]] = {
    "at the start": [],
    "behind the explanation": [{"message": "시작"}],
    "in an open quiz": [{"message": "시작"}, {"message": "다음"}],
    "behind a hint": [{"message": "시작"}, {"message": "다음"}, {"hint": True}],
    "behind the feedback": [{"message": "시작"}, {"message": "다음"}, {"answer": 1}],
}


@pytest.mark.parametrize("kind", ["message", "answer"])
@pytest.mark.parametrize("stage", STAGES)
async def test_a_lesson_waits_at_every_stage(api: Api, stage: str, kind: str) -> None:
    child = await api.as_("student", "s1")
    lesson_id, state = await lesson(api)
    for body in STAGES[stage]:
        state = (await send(api, lesson_id, **body))[-1]["state"]
    told = await send(api, lesson_id, child, **{kind: WORDS})
    kinds = [event["type"] for event in told]
    assert kinds.index("safety") < kinds.index("token")
    assert NUMBER in "".join(event["text"] for event in told if event["type"] == "token")
    assert still(told[-1]["state"]) == still(state)
    assert [row[:2] for row in await alerts(api)] == [("lesson", lesson_id)]
    safety = next(event for event in told if event["type"] == "safety")
    assert "category" not in safety


async def test_what_was_said_is_marked_and_the_same_request_is_the_same_turn(api: Api) -> None:
    lesson_id, _ = await lesson(api)
    first, again = [await send(api, lesson_id, message=WORDS, request_id="r-1") for _ in range(2)]
    assert first == again
    said = first[-1]["state"]["current_session_conversations"][-2:]
    (shown,) = [event for event in first if event["type"] == "safety"]
    assert [(one["message_type"], one["safety"]) for one in said] == [
        ("user", {"asks": False}),
        ("system", {"asks": False, "numbers": shown["numbers"]}),
    ]
    assert len(await alerts(api)) == 1


async def test_what_is_private_is_no_try_and_goes_no_further(api: Api) -> None:
    lesson_id, state = await lesson(api)
    for body in STAGES["in an open quiz"]:
        state = (await send(api, lesson_id, **body))[-1]["state"]
    told = await send(api, lesson_id, message="내 번호는 010-1234-5678이야")
    assert still(told[-1]["state"]) == still(state)
    assert "안전해" in "".join(event["text"] for event in told if event["type"] == "token")


# --- the chat ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A way into the chat: where, and the body of a message in a thread."""

    path: str
    body: Callable[[str, str], Json]


CHATS: Final = {
    "chat": Way("/api/v1/chat", lambda words, thread: {"message": words, "thread_id": thread}),
    "coach": Way("/api/core/ai-coach/chat/", lambda words, thread: {"message": words, "thread_id": thread}),
    "ag-ui": Way(
        "/api/v1/ag-ui",
        lambda words, thread: {
            "threadId": thread, "runId": uuid4().hex, "tools": [], "context": [], "state": {},
            "messages": [{"id": "1", "role": "user", "content": words}],
        },
    ),
    "completions": Way(
        "/v1/chat/completions",
        lambda words, thread: {
            "model": "maththera-coach", "messages": [{"role": "user", "content": words}],
            "metadata": {"thread_id": thread},
        },
    ),
}  # fmt: skip


_SHOWN: Final = ("text", "token", "delta", "content")
"""What a client shows, in the forms of all ways in; ids and times may hold any digits."""


def words_of(answer: Response) -> str:
    """The words that are shown of an answer, streamed or whole."""

    def told(value: object, shown: bool) -> str:
        if isinstance(value, dict):
            return "".join(told(one, key in _SHOWN) for key, one in value.items())
        if isinstance(value, list):
            return "".join(told(one, shown) for one in value)
        return value if shown and isinstance(value, str) else ""

    assert answer.status_code == 200, answer.text
    if not answer.headers["content-type"].startswith("text/event-stream"):
        return told(answer.json(), False)
    data = (line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {"))
    return "".join(told(json.loads(one), False) for one in data)


@pytest.mark.parametrize("way", CHATS)
@pytest.mark.parametrize("before", [None, "내 약점 보여줘", "고마워"])
async def test_every_way_into_the_chat(api: Api, way: str, before: str | None) -> None:
    child, to = await api.as_("student", "s1"), CHATS[way]
    if before:
        assert (await api.client.post(to.path, json=to.body(before, "t1"), headers=child)).is_success
    answer = await api.client.post(to.path, json=to.body(WORDS, "t1"), headers=child)
    assert NUMBER in words_of(answer)
    assert [row[:2] for row in await alerts(api)] == [("coach", "t1")]
    thread = (await api.client.get("/api/v1/chat/t1", headers=child)).json()
    marks = [one["detail"] and one["detail"].get("safety") for one in thread["messages"][-2:]]
    assert [mark["asks"] for mark in marks] == [False, False]
    assert NUMBER in {one["number"] for one in marks[1]["numbers"]}


async def test_words_of_sums_are_answered_as_such_and_tell_nobody(api: Api) -> None:
    child, to = await api.as_("student", "s1"), CHATS["chat"]
    for words in (
        "수학 시간마다 울어요",
        "빌린거면 나중에 갚아야돼?",
        "찍어서 맞았어",
        "제발 답 좀",
        "엄마는 한시간 하래요",
    ):
        answer = await api.client.post(to.path, json=to.body(words, "t1"), headers=child)
        assert not any(words in words_of(answer) for words in (NUMBER, "1388", "어른에게 말하고 싶"))
    assert await alerts(api) == []


async def test_a_danger_stays_heard_among_words_of_sums(api: Api) -> None:
    child, to = await api.as_("student", "s1"), CHATS["chat"]
    for words, told in ((WORDS, True), ("빌린거면 나중에 갚아야돼?", False), ("진짜로 죽을 거야", True)):
        answer = await api.client.post(to.path, json=to.body(words, "t1"), headers=child)
        assert (NUMBER in words_of(answer)) == told, words
    assert len(await alerts(api)) == 2


async def test_a_client_that_repeats_its_conversation_alerts_once(api: Api) -> None:
    child, to = await api.as_("student", "s1"), CHATS["completions"]
    for _ in range(2):
        assert (await api.client.post(to.path, json=to.body(WORDS, "t1"), headers=child)).is_success
    title = f"### Task:\nGenerate a concise title.\n<chat_history>\nUSER: {WORDS}\n</chat_history>"
    assert (await api.client.post(to.path, json=to.body(title, "t1"), headers=child)).is_success
    assert len(await alerts(api)) == 1


async def test_a_child_that_is_asked_may_say_yes_or_no(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the chat and in a lesson; behind another message the same words mean what they always do."""
    maybe = Danger("self_harm", 3, sure=False, score=0.3)
    monkeypatch.setattr(
        DangerDetector, "read", lambda _, message, **__: (maybe if message == "요즘 이상해" else None, False)
    )
    child = await api.as_("student", "s1")

    async def say(words: str, thread: str) -> str:
        to = CHATS["completions"]
        answer = await api.client.post(to.path, json=to.body(words, thread), headers=child)
        found: str = answer.json()["choices"][0]["message"]["content"]
        return found

    for thread, words, expected in (("t1", "응", "1388"), ("t2", "아니", "언제든 적어 줘")):
        assert "괜찮아?" in await say("요즘 이상해", thread)
        assert expected in await say(words, thread)
        assert expected not in await say(words, thread)
    lesson_id, state = await lesson(api)
    asked = await send(api, lesson_id, child, message="요즘 이상해")
    assert next(event for event in asked if event["type"] == "safety")["choices"] == ["응", "아니"]
    told = await send(api, lesson_id, child, message="응")
    assert "1388" in "".join(event["text"] for event in told if event["type"] == "token")
    assert still(told[-1]["state"]) == still(state)
    begun = await send(api, lesson_id, child, message="응")
    assert "check" in {event["type"] for event in begun}, "the lesson goes on"


async def test_an_adult_is_answered_as_one_and_nobody_is_told(api: Api) -> None:
    teacher = await api.as_("teacher", "s1")
    body = {"message": f"우리 반 아이가 {WORDS} 라고 해요", "profile": "assistant"}
    answer = await api.client.post("/api/v1/chat", json=body, headers=teacher)
    assert "요." in words_of(answer)
    assert "119" in words_of(answer)
    queue = (await api.client.get("/api/v1/reviews", headers=teacher)).json()
    assert queue["reviews"] == []


# --- flows, tools, comments -------------------------------------------------------------------------------------------


async def test_a_command_is_answered_and_nothing_runs(flow_api: FlowApi) -> None:
    answer = await flow_api.client.post("/api/v1/execute", json={"command": f"아이가 {WORDS} 라고 썼어요. 쓰기"})
    assert (answer.status_code, answer.json()["execution_id"]) == (200, None)
    assert "119" in answer.json()["question"]
    assert answer.json()["safety"]["numbers"]


async def test_a_tool_is_not_called_with_it(flow_api: FlowApi) -> None:
    async with client_of(flow_api, "faulty", await flow_api.as_("admin")) as client:
        done = await client.call_tool("write", {"word": WORDS})
    assert done.is_error
    assert NUMBER in done.content[0].text  # type: ignore[union-attr]
