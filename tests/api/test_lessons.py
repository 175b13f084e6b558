"""Lessons over HTTP: whole sessions, what streams, who may, and what is refused."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from redis.asyncio import Redis

from maththera.app.content import Content
from tests.api.conftest import Api
from tests.support import lessons as support

Json = dict[str, Any]


@pytest.fixture(scope="session")
def loaded(loaded: Content) -> Content:
    """With the course to play."""
    return replace(loaded, lessons=support.content())


async def begin(api: Api, user_id: int | str = 123, headers: dict[str, str] | None = None, **more: Any) -> Json:
    body = {"user_id": user_id, "user_type": "beginner", **more}
    answer = await api.client.post("/api/v1/lessons", json=body, headers=headers)
    assert answer.status_code == 201, answer.text
    begun: Json = answer.json()
    assert answer.headers["location"] == f"/api/v1/lessons/{begun['lesson_id']}"
    return begun


async def send(api: Api, lesson_id: str, body: Json, **headers: str) -> list[tuple[str, Json]]:
    """The events of a turn with their ids."""
    answer = await api.client.post(f"/api/v1/lessons/{lesson_id}/messages", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return frames(answer.text)


def frames(text: str) -> list[tuple[str, Json]]:
    found = []
    for frame in text.replace("\r\n", "\n").strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in frame.split("\n") if not line.startswith(":"))
        if "data" in fields:
            found.append((fields["id"], json.loads(fields["data"])))
    return found


async def turn(api: Api, lesson_id: str, **body: Any) -> list[Json]:
    return [event for _, event in await send(api, lesson_id, body)]


def text(events: list[Json]) -> str:
    return "".join(event["text"] for event in events if event["type"] == "token")


async def listen(api: Api, lesson_id: str) -> Json:
    """From the start of a session to the end of its explanation, whose checks are skipped. The state."""
    state: Json = (await turn(api, lesson_id, message="시작"))[-1]["state"]
    while state["session_progress_stage"] == "session_start":
        state = (await turn(api, lesson_id, message="다음"))[-1]["state"]
    return state


async def to_question(api: Api, lesson_id: str) -> Json:
    """To the open question of a session. The state."""
    await listen(api, lesson_id)
    state: Json = (await turn(api, lesson_id, message="다음"))[-1]["state"]
    return state


async def answer_all(api: Api, lesson_id: str, state: Json, *, well: bool) -> Json:
    """Every try at the open question. The state."""
    for each in support.answers(support.chapter().question(state["current_question_number"]), well=well):
        state = (await turn(api, lesson_id, answer=each))[-1]["state"]
    return state


async def test_a_session_from_welcome_to_the_next(api: Api) -> None:
    begun = await begin(api)
    lesson_id, state = begun["lesson_id"], begun["state"]
    assert (state["session_progress_stage"], state["ui_mode"]) == ("session_start", "chat")

    told = await turn(api, lesson_id, message="시작")
    assert [event["agent"] for event in told if event["type"] == "agent"] == [
        "theory_educator", "learning_supervisor",
    ]  # fmt: skip
    first = support.chapter().explanation.beginner[0]
    assert first.text.strip() in text(told)
    kinds = [event["type"] for event in told]
    assert kinds.index("picture") < kinds.index("check") < kinds.index("token")
    check = next(event["check"] for event in told if event["type"] == "check")
    assert (check["turn"], check["ask"]) == (1, first.check.ask)  # type: ignore[union-attr]
    (spoken,) = [one for one in told[-1]["state"]["current_session_conversations"] if "shown" in one]
    assert spoken["shown"]["check"] == check
    replied = await turn(api, lesson_id, answer=str(first.check.key))  # type: ignore[union-attr]
    assert next(event["check"]["turn"] for event in replied if event["type"] == "check") == 2
    state = await listen(api, lesson_id)
    assert state["session_progress_stage"] == "theory_completed"

    asked = await turn(api, lesson_id, message="다음")
    quiz = next(event["quiz"] for event in asked if event["type"] == "quiz")
    question = support.chapter().question(quiz["number"])
    assert quiz["question"] == question.question
    assert "key" not in json.dumps(quiz)
    assert [event["ui_mode"] for event in asked if event["type"] == "ui_mode"] == ["quiz"]

    hinted = await turn(api, lesson_id, hint=True)
    assert question.hints[0] in text(hinted)
    assert hinted[-1]["state"]["hint_usage_count"] == 1

    judged = await turn(api, lesson_id, answer=support.right(question))
    assert next(event["evaluation"] for event in judged if event["type"] == "evaluation")["score"] == 1
    assert judged[-1]["state"]["session_progress_stage"] == "quiz_and_feedback_completed"
    assert judged[-1]["state"]["ui_mode"] == "chat"

    after = (await turn(api, lesson_id, message="다음"))[-1]["state"]
    assert (after["current_chapter"], after["session_decision_result"]) == (1, "retry"), "another question of it"
    view = (await api.client.get(f"/api/v1/lessons/{lesson_id}")).json()
    assert view == {"lesson_id": lesson_id, "state": after, "who_reads": view["who_reads"]}


async def asks(api: Api, lesson_id: str, before: Json) -> None:
    """A question, asked where the lesson stands `before` it: it is answered, and nothing else has changed."""
    told = await turn(api, lesson_id, message="수직선이 뭐야?")
    agents = [event["agent"] for event in told if event["type"] == "agent"]
    assert agents == ["qna_resolver", "learning_supervisor"]
    assert "한 줄에 세워 놓은 선" in text(told)
    after = told[-1]["state"]
    assert (after["current_agent"], after["previous_agent"]) == ("learning_supervisor", "qna_resolver")
    moved = {"previous_agent", "current_session_conversations"}
    assert {name for name in before if after[name] != before[name]} <= moved


async def test_a_question_is_answered_at_each_of_its_three_places_and_the_lesson_is_back_where_it_was(
    api: Api,
) -> None:
    begun = await begin(api)
    lesson_id, state = begun["lesson_id"], begun["state"]
    assert state["session_progress_stage"] == "session_start"
    await asks(api, lesson_id, state)

    state = await listen(api, lesson_id)
    assert state["session_progress_stage"] == "theory_completed"
    await asks(api, lesson_id, state)

    state = (await turn(api, lesson_id, message="다음"))[-1]["state"]
    assert state["ui_mode"] == "quiz"
    state = await answer_all(api, lesson_id, state, well=False)
    assert state["session_progress_stage"] == "quiz_and_feedback_completed"
    await asks(api, lesson_id, state)

    after = (await turn(api, lesson_id, message="다음"))[-1]["state"]
    assert (after["session_decision_result"], after["current_session_count"]) == ("retry", 2)


async def test_the_learners_summary_tells_of_lessons(api: Api) -> None:
    lesson_id = (await begin(api, "s1"))["lesson_id"]
    await answer_all(api, lesson_id, await to_question(api, lesson_id), well=True)
    await turn(api, lesson_id, message="다음")
    summary = (await api.client.get("/api/v1/students/s1/summary")).json()
    (told,) = summary["lessons"]
    assert (told["course"], told["chapter"], told["sessions"], told["mean_score"]) == ("arithmetic", 1, 1, 100)


async def test_adults_see_each_answer_and_who_graded_it(api: Api) -> None:
    lesson_id = (await begin(api, "s1"))["lesson_id"]
    for _ in range(2):
        state = await to_question(api, lesson_id)
        question = support.chapter().question(state["current_question_number"])
        await answer_all(api, lesson_id, state, well=False)
        summaries = (await turn(api, lesson_id, message="다음"))[-1]["state"]["recent_sessions_summary"]
    assert [(one["graded_by"], one["rule_score"]) for one in summaries] == [("rules", "0")] * 2
    for role in ("guardian", "teacher"):
        adult = await api.as_(role, "s1")
        page = (await api.client.get("/api/v1/lessons?user_id=s1&limit=1", headers=adult)).json()
        (last,) = page["sessions"]
        assert (last["lesson_id"], last["session_count"], last["user_answer"]) == (
            lesson_id,
            2,
            "\n".join(support.answers(question, well=False)),
        )
        assert (last["is_correct"], last["graded_by"], last["rule_score"]) == (0, "rules", 0)
        before = await api.client.get(f"/api/v1/lessons?user_id=s1&before={page['next']}", headers=adult)
        assert [one["session_count"] for one in before.json()["sessions"]] == [1]
        assert (await api.client.get("/api/v1/lessons?user_id=s2", headers=adult)).status_code == 404
    refused = await api.client.get("/api/v1/lessons")
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, "query.user_id")


async def test_an_unfinished_lesson_is_gone_on_with(api: Api) -> None:
    begun = await begin(api, resume=True)
    said = await listen(api, begun["lesson_id"])
    wanted = {"user_id": 123, "user_type": "beginner", "resume": True}
    again = await api.client.post("/api/v1/lessons", json=wanted)
    assert (again.status_code, again.json()["lesson_id"]) == (200, begun["lesson_id"])
    assert again.json()["state"] == said
    assert again.headers["location"] == f"/api/v1/lessons/{begun['lesson_id']}"
    assert (await begin(api))["lesson_id"] != begun["lesson_id"]


async def test_a_choice_by_its_number(api: Api) -> None:
    lesson_id = (await begin(api))["lesson_id"]
    state = await to_question(api, lesson_id)
    question = support.chapter().question(state["current_question_number"])
    key = next(place for place, choice in enumerate(question.choices, start=1) if choice.key)  # type: ignore[union-attr]
    judged = await turn(api, lesson_id, answer=key)
    assert judged[-1]["state"]["is_answer_correct"] == 1


async def test_the_same_request_again_gives_the_same_events_and_changes_nothing(api: Api) -> None:
    lesson_id = (await begin(api))["lesson_id"]
    first = await send(api, lesson_id, {"message": "시작", "request_id": "r-1"})
    answer = await api.client.post(
        f"/api/v1/lessons/{lesson_id}/messages", json={"message": "시작", "request_id": "r-1"}
    )
    assert answer.headers["idempotent-replay"] == "true"
    assert frames(answer.text) == first
    rest = await send(api, lesson_id, {"message": "시작", "request_id": "r-1"}, **{"Last-Event-ID": first[2][0]})
    assert rest == first[3:]


async def test_two_turns_at_once_are_taken_one_after_the_other(api: Api) -> None:
    lesson_id = (await begin(api))["lesson_id"]
    await asyncio.gather(*(turn(api, lesson_id, message="수직선이 뭐야?") for _ in range(4)))
    state = (await api.client.get(f"/api/v1/lessons/{lesson_id}")).json()["state"]
    said = [one["message_type"] for one in state["current_session_conversations"]]
    assert said.count("user") == 4


async def test_two_learners_side_by_side_never_see_each_other(api: Api) -> None:
    one, two = await asyncio.gather(begin(api, "가나"), begin(api, "다라"))

    async def learn(lesson_id: str, well: bool) -> Json:
        await answer_all(api, lesson_id, await to_question(api, lesson_id), well=well)
        last: Json = (await turn(api, lesson_id, message="다음"))[-1]["state"]
        return last

    first, second = await asyncio.gather(learn(one["lesson_id"], True), learn(two["lesson_id"], False))
    assert [(one["user_id"], one["current_session_count"]) for one in (first, second)] == [("가나", 2), ("다라", 2)]
    scores = [one["recent_sessions_summary"][0]["is_answer_correct"] for one in (first, second)]
    assert scores == ["1", "0"]
    assert "다라" not in json.dumps(first, ensure_ascii=False)


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({}, "body"),
        ({"message": "a", "hint": True}, "body"),
        ({"hint": False}, "body"),
        ({"message": "a" * 2001}, "body.message"),
        ({"message": "a", "request_id": "no spaces"}, "body.request_id"),
        ({"message": "a", "other": 1}, "body.other"),
        ({"answer": 0}, "body.answer"),
        ({"answer": True}, "body.answer"),
        ({"answer": "a" * 2001}, "body.answer"),
    ],
)
async def test_what_cannot_be_said_is_refused(api: Api, body: Json, loc: str) -> None:
    lesson_id = (await begin(api))["lesson_id"]
    answer = await api.client.post(f"/api/v1/lessons/{lesson_id}/messages", json=body)
    assert answer.status_code == 422
    assert [error["loc"] for error in answer.json()["errors"]] == [loc]


@pytest.mark.parametrize(
    ("more", "loc"),
    [
        ({"course": "dance"}, "body.course"),
        ({"chapter": 4}, "body.chapter"),
        ({"user_type": "expert"}, "body.user_type"),
        ({"user_id": -1}, "body.user_id"),
        ({"user_id": "no spaces"}, "body.user_id"),
        ({"user_id": None}, "body.user_id"),
    ],
)
async def test_a_lesson_that_cannot_begin(api: Api, more: Json, loc: str) -> None:
    body = {"user_id": 1, "user_type": "beginner", **more}
    answer = await api.client.post("/api/v1/lessons", json=body)
    assert answer.status_code == 422
    assert [error["loc"] for error in answer.json()["errors"]] == [loc]


@pytest.mark.parametrize("body", [{"answer": "3"}, {"hint": True}])
async def test_without_an_open_question_there_is_nothing_to_answer(api: Api, body: Json) -> None:
    lesson_id = (await begin(api))["lesson_id"]
    answer = await api.client.post(f"/api/v1/lessons/{lesson_id}/messages", json=body)
    assert (answer.status_code, answer.json()["code"]) == (409, "lesson_state")


async def test_somebody_elses_lesson_is_not_there(api: Api) -> None:
    mine, other = await api.as_("student", "s1"), await api.as_("student", "s2")
    guardian = await api.as_("guardian", "s1")
    lesson_id = (await begin(api, "s1", mine))["lesson_id"]
    url = f"/api/v1/lessons/{lesson_id}"
    assert (await api.client.get(url, headers=mine)).status_code == 200
    assert (await api.client.get(url, headers=other)).status_code == 404
    assert (await api.client.post(f"{url}/messages", json={"message": "a"}, headers=other)).status_code == 404
    assert (await api.client.get(url, headers=guardian)).status_code == 200
    assert (await api.client.post(f"{url}/messages", json={"message": "a"}, headers=guardian)).status_code == 403
    begun = await api.client.post("/api/v1/lessons", json={"user_id": "s1", "user_type": "beginner"}, headers=other)
    assert begun.status_code == 404
    for unknown in ("0" * 32, "none"):
        assert (await api.client.get(f"/api/v1/lessons/{unknown}")).status_code == 404


async def test_a_lesson_whose_checkpoint_is_gone_goes_on_with_the_next_session(api: Api, redis: Redis) -> None:
    lesson_id = (await begin(api))["lesson_id"]
    await answer_all(api, lesson_id, await to_question(api, lesson_id), well=False)
    before = (await turn(api, lesson_id, message="다음"))[-1]["state"]
    await redis.flushall()
    after = (await api.client.get(f"/api/v1/lessons/{lesson_id}")).json()["state"]
    kept = ("current_chapter", "current_session_count", "recent_sessions_summary", "session_progress_stage")
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert (await listen(api, lesson_id))["session_progress_stage"] == "theory_completed"


async def test_courses_are_listed_with_their_chapters(api: Api) -> None:
    (course,) = (await api.client.get("/api/v1/lessons/courses")).json()["courses"]
    assert (course["course"], course["kind"]) == (support.COURSE, "arithmetic")
    assert [one["chapter"] for one in course["chapters"]] == [1, 2, 3]


async def test_a_lesson_that_can_be_gone_on_with_is_found_until_its_end(api: Api) -> None:
    lesson_id = (await begin(api, "s1", chapter=3))["lesson_id"]
    await turn(api, lesson_id, message="시작")
    (found,) = (await api.client.get("/api/v1/lessons/open?user_id=s1")).json()["lessons"]
    assert (found["lesson_id"], found["chapter"], found["stage"]) == (lesson_id, 3, "session_start")
    assert (await api.client.get("/api/v1/lessons/open?user_id=s2")).json() == {"lessons": []}
    for _ in range(2):
        await answer_all(api, lesson_id, await to_question(api, lesson_id), well=True)
        await turn(api, lesson_id, message="다음")
    assert (await api.client.get("/api/v1/lessons/open?user_id=s1")).json() == {"lessons": []}


async def test_what_was_said_is_read_again_and_no_key_of_it_before(api: Api) -> None:
    lesson_id = (await begin(api, "s1"))["lesson_id"]
    url = f"/api/v1/lessons/{lesson_id}/sessions"
    state = await to_question(api, lesson_id)
    assert (await api.client.get(url)).json() == {"sessions": []}
    await turn(api, lesson_id, message="수직선이 뭐야?")
    await answer_all(api, lesson_id, state, well=False)
    await turn(api, lesson_id, message="다음")
    (session,) = (await api.client.get(url, headers=await api.as_("guardian", "s1"))).json()["sessions"]
    said = session["conversations"]
    assert [one["message"] for one in said if one["message_type"] == "user"][-4] == "수직선이 뭐야?"
    assert {one["message_type"] for one in said} == {"user", "system", "tool"}
    assert session["decision"] == "retry"
    assert (await api.client.get(url, headers=await api.as_("student", "s2"))).status_code == 404


async def test_a_lesson_that_is_made_to_go_on_has_passed_nothing(api: Api) -> None:
    lesson_id = (await begin(api, "s1"))["lesson_id"]
    for _ in range(3):
        await answer_all(api, lesson_id, await to_question(api, lesson_id), well=False)
        state = (await turn(api, lesson_id, message="다음"))[-1]["state"]
    assert (state["session_decision_result"], state["current_chapter"]) == ("proceed", 2)
    page = (await api.client.get("/api/v1/lessons?user_id=s1")).json()
    assert [one["decision"] for one in page["sessions"]] == ["forced", "retry", "retry"]
    (told,) = (await api.client.get("/api/v1/students/s1/summary")).json()["lessons"]
    assert (told["passed"], told["sessions"]) == (0, 3)
    summary = state["recent_sessions_summary"][0]["summary"]
    assert "다시 볼 문제" in summary


async def test_a_lesson_whose_course_is_gone_is_not_found(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson_id = (await begin(api))["lesson_id"]
    monkeypatch.delitem(support.content().courses, support.COURSE)
    answer = await api.client.post(f"/api/v1/lessons/{lesson_id}/messages", json={"message": "시작"})
    assert answer.status_code == 404


async def test_a_request_id_with_another_body_is_refused(api: Api) -> None:
    lesson_id = (await begin(api))["lesson_id"]
    first = await send(api, lesson_id, {"message": "시작", "request_id": "r-1"})
    for other in ({"message": "다음"}, {"answer": "시작"}, {"hint": True}):
        refused = await api.client.post(f"/api/v1/lessons/{lesson_id}/messages", json={**other, "request_id": "r-1"})
        assert (refused.status_code, refused.json()["code"]) == (422, "request_id_reused")
    assert await send(api, lesson_id, {"message": "시작", "request_id": "r-1"}) == first
