"""No answer of an open task reaches a child, whichever way it asks, from the creation of each session on."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from tests.api.conftest import Api
from tests.support.leaks import CHAT, forms, heard, leaks, request
from tests.support.tutoring import rules

PROBLEM = make_problem(28, "+", 15)


@pytest.fixture(scope="module")
async def api(lasting_api: Api) -> Api:
    return lasting_api


async def ask(api: Api, headers: dict[str, str], message: str, way: str = "chat") -> str:
    path, body = request(way, f"t-{abs(hash((message, headers['Authorization'])))}", message)
    answer = await api.client.post(path, json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


async def child(api: Api, name: str, **more: Any) -> tuple[dict[str, str], dict[str, Any]]:
    """Headers of a student with a session, and its view."""
    wanted = {"first_problem": "28+15"} | more
    view = await api.begin(name, c_position=None, w_position=None, **wanted)
    return await api.as_("student", name), view


def shown(view: dict[str, Any]) -> Problem:
    return rules().bank.problem(view["task"]["problem"]["problem_id"])


@pytest.mark.parametrize("way", CHAT)
async def test_the_first_task_is_not_told_in_any_form(api: Api, way: str) -> None:
    headers, view = await child(api, f"first-{way}")
    problem = shown(view)
    for name, message in forms(problem).items():
        body = await ask(api, headers, message, way)
        assert not leaks(body, problem), (name, heard(body)[0])


async def test_a_session_of_its_own_frees_no_task(api: Api) -> None:
    headers, view = await child(api, "second")
    answer = await api.client.post("/api/v1/sessions", json={"student_id": "second"}, headers=headers)
    assert answer.status_code == 201
    for message in forms(shown(view)).values():
        assert not leaks(await ask(api, headers, message), shown(view))


async def test_an_original_behind_a_probe_stays_hidden(api: Api) -> None:
    headers, view = await child(api, "behind", first_problem="98+90")
    original, task = shown(view), view["task"]
    event = {"type": "answer_submitted", "request_id": "r1", "task_id": task["task_id"], "answer": 180, "rt_ms": 3000}
    answer = await api.client.post(f"/api/v1/sessions/{view['session_id']}/events", json=event)
    assert answer.json()["task"]["problem"]["problem_id"] != original.problem_id
    for message in ("98+90은 얼마야?", "188이야?", "187+1은?"):
        assert not leaks(await ask(api, headers, message), original)


async def test_a_hint_is_the_next_step_and_then_the_next(api: Api) -> None:
    headers, _ = await child(api, "hinted")
    told = []
    for number in range(3):
        answer = await api.client.post(
            "/api/v1/chat", json={"message": "이 문제 힌트 줘", "thread_id": "hints"}, headers=headers
        )
        told.append(heard(answer.text)[0])
        assert "28+15" in told[-1] or number == 2
    assert "8과 5를 먼저" in told[0]
    assert "8+5는 10이 넘어" in told[1]
    assert "올린 1도" in told[2]
    assert not any("43" in one for one in told)


@pytest.mark.parametrize("role", ["teacher", "guardian"])
async def test_adults_are_answered(api: Api, role: Any) -> None:
    await child(api, f"pupil-of-{role}")
    headers = await api.as_(role, f"pupil-of-{role}")
    assert "43" in heard(await ask(api, headers, "28+15 풀어 줘"))[0]


async def test_other_sums_are_explained_meanwhile(api: Api) -> None:
    headers, _ = await child(api, "other")
    assert "14" in heard(await ask(api, headers, "52-38 풀어 줘"))[0]


async def test_after_its_answer_a_task_is_free(api: Api) -> None:
    headers, view = await child(api, "done")
    await api.client.post(f"/api/v1/sessions/{view['session_id']}/events", json={"type": "stop", "request_id": "s"})
    assert "43" in heard(await ask(api, headers, "28+15 풀어 줘"))[0]


async def test_a_child_reaches_no_tool_server(api: Api) -> None:
    headers, _ = await child(api, "tools")
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    assert (await api.client.post("/mcp/q-dna-mcp", json=call, headers=headers)).status_code == 403


async def quiz_in_chapter(api: Api, prefix: str, wanted: Callable[[Any], bool]) -> tuple[dict[str, str], Any]:
    """A child before an open question of the chapter on the partners of ten; which one is asked depends on the
    lesson."""
    course = api.app.state.services.lessons._content.courses["arithmetic"]
    for number in range(40):
        name = f"{prefix}{number}"
        headers = await api.as_("student", name)
        begun = await api.client.post(
            "/api/v1/lessons", json={"user_id": name, "user_type": "beginner", "chapter": 6}, headers=headers
        )
        assert begun.status_code == 201, begun.text
        path = f"/api/v1/lessons/{begun.json()['lesson_id']}/messages"
        asked = await api.client.post(path, json={"message": "이거 아는 거야"}, headers=headers)
        events = [json.loads(line[5:]) for line in asked.text.splitlines() if line.startswith("data:")]
        question = course.chapters[6].question(next(event["quiz"]["number"] for event in events if "quiz" in event))
        if wanted(question):
            return headers, question
    raise AssertionError("no lesson asked such a question")


async def test_the_coach_keeps_the_key_of_an_open_quiz(api: Api) -> None:
    headers, question = await quiz_in_chapter(api, "quizzed", lambda one: getattr(one, "problem", None) is not None)
    told = heard(await ask(api, headers, f"{question.problem} 풀어 줘"))[0]
    assert str(question.key.number) not in told
    assert "수업에서" in told


async def test_the_coach_keeps_a_number_in_the_words_of_a_key(api: Api) -> None:
    headers, _ = await quiz_in_chapter(
        api, "paired", lambda one: getattr(one, "key", None) is not None and one.key.text == "6과 4"
    )
    told = heard(await ask(api, headers, "10-6은?"))[0]
    assert "4" not in told
    assert "수업에서" in told
    assert "3" in heard(await ask(api, headers, "10-7은?"))[0]


async def test_a_lesson_does_not_tell_the_answer_of_an_open_task(api: Api) -> None:
    headers, view = await child(api, "taught", first_problem="8+6")
    begun = (await api.client.post(
        "/api/v1/lessons", json={"user_id": "taught", "user_type": "beginner", "chapter": 7}, headers=headers
    ))  # fmt: skip
    assert begun.status_code == 201, begun.text
    begun = begun.json()
    path = f"/api/v1/lessons/{begun['lesson_id']}/messages"
    for message in forms(shown(view)).values():
        answer = await api.client.post(path, json={"message": message}, headers=headers)
        final = [line for line in answer.text.splitlines() if line.startswith("data:")]
        said = "".join(
            event["text"] for event in map(json.loads, (one[5:] for one in final)) if event["type"] == "token"
        )
        assert not leaks(json.dumps({"text": said}, ensure_ascii=False), shown(view)), (message, said)
