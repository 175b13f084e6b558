"""A session over HTTP: begin, answer, answer again, stale tasks, streams."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from maththera.api.http_layer.response_models import ProblemDocument
from maththera.api.session_turns import Turn
from maththera.api.sessions import SessionView
from maththera.tutoring.content.session_rules import Rules
from tests.api.conftest import Api


def answer_to(view: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An event that answers the task of `view`."""
    return {
        "type": "answer_submitted",
        "request_id": "r-1",
        "task_id": view["task"]["task_id"],
        "answer": 14,
        "rt_ms": 2000,
        "behavior_tags": [],
        **more,
    }


def events(view: dict[str, Any]) -> str:
    return f"/api/v1/sessions/{view['session_id']}/events"


async def test_a_session_begins_with_a_task_and_a_location(api: Api) -> None:
    answer = await api.client.post("/api/v1/sessions", json={"student_id": "s1", "mode": "practice"})
    assert answer.status_code == 201
    view = SessionView.model_validate(answer.json(), strict=True)
    assert (view.student_id, view.phase, view.turn, view.remaining) == ("s1", "normal", 0, 15)
    assert view.task is not None
    assert answer.headers["location"] == f"/api/v1/sessions/{view.session_id}"
    assert answer.headers["cache-control"] == "no-store"


async def test_a_new_child_is_placed_and_then_practises(api: Api, rules: Rules) -> None:
    child = await api.as_("student", "s1")
    begun = await api.client.post("/api/v1/sessions", json={"student_id": "s1", "seed": 7}, headers=child)
    view = begun.json()
    assert (view["phase"], view["remaining"]) == ("placement", 12)
    assert "우리 서로 알아보자" in view["words"]
    turn = view
    while turn["task"]:
        task_id = turn["task"]["task_id"]
        right = rules.bank.problem(turn["task"]["problem"]["problem_id"]).answer
        sent = answer_to(view, request_id=task_id, task_id=task_id, answer=right)
        turn = (await api.client.post(events(view), json=sent, headers=child)).json()
        assert turn["phase"] in ("placement", "ended")
    assert turn["summary"]["ended_because"] == "placed"
    assert "placed" not in turn["summary"]
    after = (await api.client.post("/api/v1/sessions", json={"student_id": "s1"})).json()
    assert after["phase"] == "normal"
    placed = (await api.client.get(f"/api/v1/sessions/{view['session_id']}")).json()
    assert {name: after["position"][name] for name in ("c", "w")} == {
        name: placed["position"][name] for name in ("c", "w")
    }
    again = (await api.client.post("/api/v1/sessions", json={"student_id": "s1", "mode": "placement"})).json()
    assert again["phase"] == "placement"
    replayed = await api.client.post(f"/api/v1/sessions/{view['session_id']}/replay")
    assert replayed.json()["identical"]


async def test_a_first_grader_warms_up_before_the_placement(api: Api) -> None:
    assert (await api.client.patch("/api/v1/students/s1", json={"grade": 1})).status_code == 200
    body = {"student_id": "s1", "seed": 7, "capabilities": {"widgets": True}}
    view = (await api.client.post("/api/v1/sessions", json=body)).json()
    asked = []
    turn = view
    while turn["phase"] == "warm_up":
        task = turn["task"]
        asked.append(task["widget"]["ask"])
        sent = answer_to({**view, "task": task}, request_id=task["task_id"], answer=1)
        turn = (await api.client.post(events(view), json=sent)).json()
    assert asked[:3] == ["copy"] * 3
    assert len(asked) == 6
    assert turn["phase"] == "placement"


async def test_an_open_session_is_gone_on_with(api: Api) -> None:
    child = await api.as_("student", "s1")
    wanted = {"student_id": "s1", "mode": "practice", "resume": True}

    async def begun() -> httpx.Response:
        return await api.client.post("/api/v1/sessions", json=wanted, headers=child)

    first = await begun()
    assert first.status_code == 201, "nothing is open yet"
    answered = await api.client.post(events(first.json()), json=answer_to(first.json()), headers=child)
    again = await begun()
    assert (again.status_code, again.headers["location"]) == (200, first.headers["location"])
    assert (again.json()["turn"], again.json()["task"]) == (1, answered.json()["task"])
    other = await api.client.post("/api/v1/sessions", json={**wanted, "student_id": "s2"})
    assert other.status_code == 201, "another child's session is not this one's"
    await api.client.post(events(again.json()), json={"type": "stop", "request_id": "r-2"}, headers=child)
    assert (await begun()).status_code == 201, "what has ended is not gone on with"


async def test_a_session_with_widgets_is_not_gone_on_with_where_they_cannot_be_shown(api: Api) -> None:
    able = {"student_id": "s1", "c_position": 1, "resume": True, "capabilities": {"widgets": True}}
    begun = (await api.client.post("/api/v1/sessions", json=able)).json()
    assert begun["task"]["kind"] == "widget"
    unable = await api.client.post("/api/v1/sessions", json={**able, "capabilities": {}})
    assert (unable.status_code, unable.json()["task"]["kind"]) == (201, "problem")


async def test_an_unknown_mode_is_refused_with_the_list(api: Api) -> None:
    answer = await api.client.post("/api/v1/sessions", json={"student_id": "s1", "mode": "exam"})
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["loc"] == "body.mode"
    assert "'practice', 'placement' or 'number_sense'" in error["msg"]


async def test_the_view_is_what_the_beginning_gave(api: Api) -> None:
    view = await api.begin()
    assert (await api.client.get(f"/api/v1/sessions/{view['session_id']}")).json() == view


async def test_the_first_problem_can_be_chosen(api: Api) -> None:
    view = await api.begin(c_position=8, w_position=7.0, first_problem=" 98 + 90 ")
    assert view["task"]["problem"]["expression"] == "98+90"


async def test_a_turn_has_the_documented_shape(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    body = answer_to(view, rt_ms=12000, behavior_tags=["OBS_OVERRELIANCE_COUNTING"])
    answer = await api.client.post(events(view), json=body)
    assert answer.status_code == 200
    turn = Turn.model_validate(answer.json(), strict=True)
    assert (turn.request_id, turn.turn, turn.correct, turn.response_pattern) == ("r-1", 1, True, "correct_slow")
    assert turn.diagnosis is not None
    assert turn.diagnosis.training_ids == ["T12", "T17"]
    assert turn.adaptation is not None
    assert turn.adaptation.route == "fluency_drill"
    assert turn.task is not None
    assert answer.headers["cache-control"] == "no-store"
    assert "idempotent-replay" not in answer.headers


@pytest.mark.parametrize("text", ["14", " 14 ", "십사", "열네 개", "답은 14"])
async def test_an_answer_may_be_a_text_that_says_a_number(api: Api, text: str) -> None:
    view = await api.begin(first_problem="8+6")
    turn = (await api.client.post(events(view), json=answer_to(view, answer=text))).json()
    assert turn["correct"] is True


async def test_the_same_request_gets_the_same_answer_once(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    first, again = [await api.client.post(events(view), json=answer_to(view)) for _ in range(2)]
    assert again.content == first.content
    assert again.headers["idempotent-replay"] == "true"
    assert (await api.client.get(f"/api/v1/sessions/{view['session_id']}")).json()["turn"] == 1


async def test_an_older_request_still_gets_its_own_answer(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    first = await api.client.post(events(view), json=answer_to(view))
    await api.client.post(events(view), json=answer_to(first.json(), request_id="r-2"))
    again = await api.client.post(events(view), json=answer_to(view))
    assert again.content == first.content
    assert again.headers["idempotent-replay"] == "true"


async def test_an_old_task_is_stale_and_the_current_one_is_shown(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    turn = (await api.client.post(events(view), json=answer_to(view))).json()
    late = await api.client.post(events(view), json=answer_to(view, request_id="r-2"))
    assert late.status_code == 409
    document = ProblemDocument.model_validate(late.json())
    assert document.code == "stale_task"
    assert late.json()["task"] == turn["task"]


async def test_two_answers_at_once_are_taken_one_after_the_other(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    both = [api.client.post(events(view), json=answer_to(view, request_id=name)) for name in ("r-1", "r-2")]
    assert sorted(answer.status_code for answer in await asyncio.gather(*both)) == [200, 409]


async def test_a_timeout_and_a_stop_are_turns(api: Api) -> None:
    view = await api.begin()
    timed_out = {"type": "timeout", "request_id": "r-1", "task_id": view["task"]["task_id"]}
    turn = (await api.client.post(events(view), json=timed_out)).json()
    assert turn["response_pattern"] == "no_response"
    turn = (await api.client.post(events(view), json={"type": "stop", "request_id": "r-2"})).json()
    assert (turn["phase"], turn["task"]) == ("ended", None)
    assert turn["summary"]["answered"] == 0


async def test_after_the_end_every_task_is_stale(api: Api) -> None:
    view = await api.begin()
    await api.client.post(events(view), json={"type": "stop", "request_id": "r-1"})
    late = await api.client.post(events(view), json=answer_to(view, request_id="r-2"))
    assert (late.status_code, late.json()["code"], late.json()["task"]) == (409, "stale_task", None)


async def test_the_trace_and_the_replay_cover_every_turn(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    await api.client.post(events(view), json=answer_to(view))
    trace = (await api.client.get(f"/api/v1/sessions/{view['session_id']}/trace")).json()
    assert [turn["turn"] for turn in trace["turns"]] == [1]
    report = await api.client.post(f"/api/v1/sessions/{view['session_id']}/replay", json={})
    assert (report.status_code, report.json()["identical"]) == (200, True)


def frames(answer: httpx.Response) -> list[tuple[str, dict[str, Any]]]:
    """(id, data) of every frame, each field once."""
    found = []
    for block in answer.text.split("\r\n\r\n"):
        fields = [line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":")]
        if fields:
            assert {name for name, _ in fields} == {"id", "data", "retry"}
            frame = dict(fields)
            assert frame["retry"] == "2000"
            found.append((frame["id"], json.loads(frame["data"])))
    return found


async def test_a_stream_brings_the_envelopes_and_the_same_turn(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    stream = {"Accept": "text/event-stream"}
    answer = await api.client.post(events(view), json=answer_to(view), headers=stream)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-accel-buffering"] == "no"
    found = frames(answer)
    kinds = ["diagnostic_result", "adaptation_result", "feedback_result", "task", "final"]
    assert [data["type"] for _, data in found] == kinds
    assert len({number for number, _ in found}) == len(found)
    plain = await api.client.post(events(view), json=answer_to(view))
    assert found[-1][1]["payload"] == plain.json()
    again = await api.client.post(events(view), json=answer_to(view), headers=stream)
    assert again.text == answer.text
    assert again.headers["idempotent-replay"] == "true"


async def test_an_error_of_a_stream_is_a_problem_document(api: Api) -> None:
    view = await api.begin()
    body = answer_to(view, task_id="gone")
    answer = await api.client.post(events(view), json=body, headers={"Accept": "text/event-stream"})
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("ahead", [0, 1], ids=["the last request", "an earlier one"])
async def test_a_request_id_with_another_body_is_refused(api: Api, ahead: int) -> None:
    view = await api.begin()
    path = f"/api/v1/sessions/{view['session_id']}/events"
    sent = {
        "type": "answer_submitted",
        "request_id": "r",
        "task_id": view["task"]["task_id"],
        "answer": 1,
        "rt_ms": 900,
    }
    first = await api.client.post(path, json=sent)
    for number in range(ahead):
        event = {"type": "timeout", "request_id": f"r{number}", "task_id": first.json()["task"]["task_id"]}
        assert (await api.client.post(path, json=event)).status_code == 200
    for other in ({"answer": 2}, {"rt_ms": 901}, {"behavior_tags": ["OBS_OVERRELIANCE_COUNTING"]}):
        refused = await api.client.post(path, json={**sent, **other})
        assert (refused.status_code, refused.json()["code"]) == (422, "request_id_reused")
    again = await api.client.post(path, json=dict(reversed(sent.items())))
    assert (again.status_code, again.json()) == (200, first.json())
    assert again.headers["idempotent-replay"] == "true"


async def test_the_trace_tells_of_items_of_number_sense(api: Api) -> None:
    view = await api.begin("s1", mode="number_sense", capabilities={"widgets": True})
    event = {
        "type": "answer_submitted",
        "request_id": "r",
        "task_id": view["task"]["task_id"],
        "answer": 3,
        "rt_ms": 900,
    }
    (await api.client.post(f"/api/v1/sessions/{view['session_id']}/events", json=event)).raise_for_status()
    trace = (await api.client.get(f"/api/v1/sessions/{view['session_id']}/trace")).json()
    assert trace["turns"][0]["envelopes"][0]["payload"]["item_id"]
