"""A session step by step, for adults: what the child saw, what was seen, and the tags that may be said."""

from typing import Any

import pytest

from tests.api.conftest import Api


async def _answer(api: Api, view: dict[str, Any], number: int, **more: Any) -> dict[str, Any]:
    sent = {"type": "answer_submitted", "request_id": f"r{number}", "task_id": view["task"]["task_id"], "rt_ms": 6_000}
    answer = await api.client.post(f"/api/v1/sessions/{view['session_id']}/events", json=sent | more)
    assert answer.is_success, answer.text
    turn: dict[str, Any] = answer.json()
    return turn | {"session_id": view["session_id"]}


async def test_each_step_has_the_task_that_the_child_saw_and_what_came_of_it(api: Api) -> None:
    view = await api.begin("s1", c_position=8, w_position=None, first_problem="28+15")
    probe = await _answer(api, view, 1, answer=33)
    after = await _answer(api, probe, 2, answer=25)
    path = f"/api/v1/sessions/{view['session_id']}/steps"
    found = (await api.client.get(path)).json()
    assert [one["task"]["task_id"] for one in found["steps"]] == [view["task"]["task_id"], probe["task"]["task_id"]]
    assert found["open"]["task"]["task_id"] == after["task"]["task_id"]
    first, second = found["steps"]
    assert first["task"]["prompt"] == view["task"]["prompt"]
    assert first["seen"][:3] == ["33이라고 답했어요.", "틀렸어요.", "6.0초 걸렸어요."]
    assert "확인 문제를 내요" in first["follows"][0]
    assert first["follows"][1] == f"다음 문제: {probe['task']['prompt']}"
    assert first["said"] == probe["feedback"]["feedback_text"]
    assert second["phase"] == "probe"
    assert second["words"] == [one["text"] for one in probe["feedback"]["lines"] if one["about"] == "next"]
    assert any(one.startswith("원인: ") for one in second["why"])
    assert first["why"][-1] == "확인 문제에서 기다리는 답: ‘올린 수를 잊음’: 35, ‘중간 단계를 빠뜨림’: 25."
    assert (first["row"], second["row"]) == ("9", "12a")


async def _event(api: Api, view: dict[str, Any], number: int, sent: dict[str, Any]) -> dict[str, Any]:
    address = f"/api/v1/sessions/{view['session_id']}/events"
    answer = await api.client.post(address, json=sent | {"request_id": f"r{number}"})
    assert answer.is_success, answer.text
    return {**answer.json(), "session_id": view["session_id"]}


async def test_the_screen_has_the_picture_that_was_opened_and_the_items_that_were_played(api: Api) -> None:
    turn = await api.begin("s1", c_position=8, w_position=None, first_problem="47+26")
    turn = await _answer(api, turn, 1, answer=5, rt_ms=400)
    training = turn["task"]["training"]
    played = {"item_id": training["items"][0]["id"], "answers": [7], "tries": [2], "shown": True}
    done = {"type": "training_done", "training_id": training["id"], "results": {"items": [played]}}
    await _event(api, turn, 2, done)
    steps = (await api.client.get(f"/api/v1/sessions/{turn['session_id']}/steps")).json()["steps"]
    assert [(one["played"], one["aid"]) for one in steps] == [([], False), ([played], False)]
    other = await api.begin("s2", c_position=8, w_position=None, first_problem="47+26")
    await _answer(api, other, 1, answer=63, telemetry={"helped": ["aid"]})
    (step,) = (await api.client.get(f"/api/v1/sessions/{other['session_id']}/steps")).json()["steps"]
    assert (step["played"], step["aid"]) == ([], True)


async def test_the_screen_has_the_hint_and_what_was_solved_together(api: Api) -> None:
    turn = await api.begin("s1", c_position=8, w_position=None, first_problem="28+15", seed=3)
    turns: list[dict[str, Any]] = []
    while not any(one["solution"] for one in turns):
        task = turn["task"]
        if task["kind"] == "worked_example":
            a, b = task["prompt"].removesuffix("=□").split("+")
            turn = await _answer(api, turn, len(turns) + 1, answer=int(a) + int(b))
        else:
            said = {"type": "timeout", "said": True, "task_id": task["task_id"]}
            turn = await _event(api, turn, len(turns) + 1, said)
        turns.append(turn)
    found = (await api.client.get(f"/api/v1/sessions/{turn['session_id']}/steps")).json()
    assert [one["solution"] for one in found["steps"]] == [one["solution"] for one in turns]
    shown = [*(one["words"] for one in found["steps"][1:]), found["open"]["words"]]
    for words, one in zip(shown, turns, strict=True):
        hint = one["feedback"]["hint_text"]
        lines = [line["text"] for line in one["feedback"]["lines"] if line["about"] == "next"]
        assert words == [*lines, *([hint] if hint else [])]
    assert any(one["feedback"]["hint_text"] for one in turns)
    assert found["open"]["phase"] == turns[-1]["phase"]


async def test_what_was_seen_beside_the_child_is_said(api: Api) -> None:
    view = await api.begin("s1", c_position=8, w_position=None, first_problem="28+15")
    tags = (await api.client.get("/api/v1/observations")).json()["tags"]
    fingers = next(one for one in tags if one["tag"] == "OBS_FINGER_COUNTING")
    path = f"/api/v1/sessions/{view['session_id']}"
    body = {"task_id": view["task"]["task_id"], "tags": [fingers["tag"]]}
    assert (await api.client.post(f"{path}/observations", json=body)).is_success
    assert (await api.client.get(f"{path}/steps")).json()["open"]["observed"] == [fingers["tag"]]
    await _answer(api, view, 1, answer=43)
    (step,) = (await api.client.get(f"{path}/steps")).json()["steps"]
    assert step["seen"][-1] == f"옆에서 본 것: {fingers['description']}."


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (16, "수의 크기와 어긋나는 잘못된 방법에서 나오는 답이에요."),  # all digits added
        (999, "알려진 어떤 방법으로도 나오지 않고 정답에서 먼 답이에요."),
        (33, "알려진 잘못된 방법에서 나오는 답이에요."),  # the carry dropped
        (36, "알려진 어떤 방법으로도 나오지 않지만 정답에 가까운 답이에요."),
    ],
)
async def test_a_wrong_answer_is_called_explained_only_where_it_is(api: Api, answer: int, said: str) -> None:
    view = await api.begin("s1", c_position=8, w_position=None, first_problem="28+15")
    await _answer(api, view, 1, answer=answer)
    (step,) = (await api.client.get(f"/api/v1/sessions/{view['session_id']}/steps")).json()["steps"]
    assert said in step["seen"]


async def test_a_hasty_answer_leads_to_the_same_problem_and_not_to_an_easy_one(api: Api) -> None:
    turn = await api.begin("s1", c_position=8, w_position=None, first_problem="47+26")
    path = f"/api/v1/sessions/{turn['session_id']}"
    turn = await _answer(api, turn, 1, answer=5, rt_ms=400)
    done = {"type": "training_done", "request_id": "t", "training_id": turn["task"]["training"]["id"], "results": {}}
    again = (await api.client.post(f"{path}/events", json=done)).json() | {"session_id": turn["session_id"]}
    assert again["task"]["prompt"] == "47+26=□"
    await _answer(api, again, 2, answer=6, rt_ms=400)
    first, _, second = (await api.client.get(f"{path}/steps")).json()["steps"]
    assert first["follows"][0] == "멈추고 생각하는 놀이를 한 다음 같은 문제를 다시 봐요."
    assert second["follows"][0] == "이 문제는 그만두고 다음 문제로 가요."


async def test_a_stated_cause_and_the_end_say_what_to_do_next_time(api: Api) -> None:
    view = await api.begin("s1", c_position=7, w_position=None, first_problem="8+6")
    path = f"/api/v1/sessions/{view['session_id']}"
    turn = await _answer(api, view, 1, answer=14, rt_ms=12_000, behavior_tags=["OBS_OVERRELIANCE_COUNTING"])
    await _answer(api, turn, 2, answer=1, rt_ms=6_000)
    stop = {"type": "stop", "request_id": "end"}
    assert (await api.client.post(f"{path}/events", json=stop)).is_success
    stated, missed, end = (await api.client.get(f"{path}/steps")).json()["steps"]
    (plan,) = [one for one in stated["follows"] if one.startswith("다음 시간: ")]
    assert plan == "다음 시간: ‘9와 한 자리 수의 덧셈, 받아올림 있음’, 놀이 ‘10 만들어 더하기’."
    assert not any(one.startswith("다음 시간: ") for one in missed["follows"])
    assert any(one.startswith("다음 시간: ") for one in end["follows"])
    envelopes = (await api.client.get(f"{path}/trace")).json()["turns"][0]["envelopes"]
    (adapted,) = [one["payload"] for one in envelopes if one["type"] == "adaptation_result"]
    assert adapted["next_time"] == {"skill_id": "C7.nine", "training_id": "T12", "says": plan}


async def test_no_child_reads_it(api: Api) -> None:
    view = await api.begin("s1")
    child, other = await api.as_("student", "s1"), await api.as_("teacher", "s2")
    path = f"/api/v1/sessions/{view['session_id']}/steps"
    assert (await api.client.get(path, headers=child)).status_code == 403
    assert (await api.client.get(path, headers=other)).status_code == 404
    assert (await api.client.get("/api/v1/observations", headers=child)).status_code == 403
