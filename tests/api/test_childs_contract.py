"""What a child's page needs of a session: what to show, how far it is, who saw what."""

from operator import add, sub
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.test_sessions import answer_to, events

COUNTING = "MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK"
TAG = "OBS_OVERRELIANCE_COUNTING"


async def sent(api: Api, view: dict[str, Any], event: dict[str, Any], **more: Any) -> Any:
    answer = await api.client.post(events(view), json=event, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def observed(api: Api, view: dict[str, Any], task_id: str, *tags: str, **more: Any) -> Any:
    path = f"/api/v1/sessions/{view['session_id']}/observations"
    return await api.client.post(path, json={"task_id": task_id, "tags": tags}, **more)


async def traced(api: Api, view: dict[str, Any]) -> list[Any]:
    found: list[Any] = (await api.client.get(f"/api/v1/sessions/{view['session_id']}/trace")).json()["turns"]
    return found


async def replayed(api: Api, view: dict[str, Any]) -> bool:
    return bool((await api.client.post(f"/api/v1/sessions/{view['session_id']}/replay")).json()["identical"])


async def test_each_line_says_what_it_is_about(api: Api) -> None:
    view = await api.begin(first_problem="98+90", c_position=8)
    wrong = await sent(api, view, answer_to(view, answer=7, rt_ms=3000))
    words = wrong["feedback"]
    assert [line["text"] for line in words["lines"]] == words["feedback_text"]
    assert words["lines"][-1]["about"] == "next"
    right = await api.begin("s2", first_problem="8+6")
    praised = (await sent(api, right, answer_to(right, answer=14)))["feedback"]
    assert (praised["situation"], praised["lines"][0]["about"]) == ("correct", "answer")
    over = (await sent(api, right, {"type": "stop", "request_id": "s"}))["feedback"]
    assert {line["about"] for line in over["lines"]} == {"answer"}


async def test_what_was_seen_before_the_answer_is_joined_to_it(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    task_id, child = view["task"]["task_id"], await api.as_("student", "s1")
    early = await observed(api, view, task_id, TAG)
    assert (early.status_code, early.json()["answered"], early.json()["cause"]) == (200, False, None)
    event = answer_to(view, rt_ms=12_000)
    await sent(api, view, event, headers=child)
    again = await api.client.post(events(view), json=event, headers=child)
    assert again.headers["idempotent-replay"] == "true"
    await observed(api, view, task_id, "OBS_FINGER_COUNTING")
    assert (await api.client.post(events(view), json=event, headers=child)).status_code == 200
    (turn,) = await traced(api, view)
    diagnosis = next(one["payload"] for one in turn["envelopes"] if one["type"] == "diagnostic_result")
    assert (diagnosis["cause_tag"], diagnosis["confidence"]) == (COUNTING, "high")
    assert turn["event"]["observed"] == [TAG]
    assert await replayed(api, view)


async def test_what_was_seen_after_the_answer_may_name_a_cause_and_moves_nothing(api: Api) -> None:
    view = await api.begin(first_problem="8+6")
    task_id = view["task"]["task_id"]
    await sent(api, view, answer_to(view, rt_ms=12_000))
    before = (await api.client.get(f"/api/v1/sessions/{view['session_id']}")).json()
    for _ in range(2):
        late = await observed(api, view, task_id, TAG)
        assert late.status_code == 200, late.text
        assert (late.json()["answered"], late.json()["tags"]) == (True, [TAG])
        assert late.json()["cause"]["cause_tag"] == COUNTING
    assert (await api.client.get(f"/api/v1/sessions/{view['session_id']}")).json() == before
    (turn,) = await traced(api, view)
    assert (turn["observations"]["seen"], turn["observations"]["cause"]["cause_tag"]) == ({TAG: "adult"}, COUNTING)
    assert await replayed(api, view)
    await sent(api, view, {"type": "stop", "request_id": "s"})
    assert (await observed(api, view, task_id, TAG)).status_code == 200, "also when the session is over"


async def test_a_cause_that_was_seen_late_stands_in_the_profile(api: Api) -> None:
    view = await api.begin("s1", first_problem="8+6")
    task_id = view["task"]["task_id"]
    await sent(api, view, answer_to(view, rt_ms=12_000))
    await sent(api, view, {"type": "stop", "request_id": "s"})

    async def causes() -> list[tuple[str, list[str], int]]:
        summary = (await api.client.get("/api/v1/students/s1/summary")).json()
        return [(one["cause_tag"], one["cause_tags"], one["times"]) for one in summary["causes"]]

    assert await causes() == []
    await observed(api, view, task_id, TAG)
    await observed(api, view, task_id, TAG)
    assert await causes() == [(COUNTING, [COUNTING], 1)]
    (cause,) = [one for one in await patterns(api) if one["kind"] == "cause"]
    assert (cause["pattern_id"], cause["count"]) == (COUNTING, 1)
    assert [one["expression"] for one in cause["examples"]] == ["8+6"]


async def patterns(api: Api) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await api.client.get("/api/v1/students/s1/summary")).json()["patterns"]
    return found


async def test_an_observation_of_nothing_is_refused(api: Api) -> None:
    view = await api.begin()
    task_id = view["task"]["task_id"]
    for body, loc in (((task_id, "OBS_NONE"), "body.tags.0"), (("t-99", TAG), "body.task_id")):
        answer = await observed(api, view, *body)
        assert (answer.status_code, answer.json()["errors"][0]["loc"]) == (422, loc)


@pytest.mark.parametrize(("role", "subject", "status"), [("student", "s1", 403), ("guardian", "s1", 403),
                                                          ("teacher", "s2", 404), ("teacher", "s1", 200)])  # fmt: skip
async def test_who_may_say_what_was_seen(api: Api, role: Any, subject: str, status: int) -> None:
    view = await api.begin("s1")
    answer = await observed(api, view, view["task"]["task_id"], TAG, headers=await api.as_(role, subject))
    assert answer.status_code == status


async def test_a_child_claims_no_observation_and_danger_beside_one_is_heard(api: Api) -> None:
    view, child = await api.begin("s1"), await api.as_("student", "s1")
    refused = await api.client.post(events(view), json=answer_to(view, behavior_tags=[TAG]), headers=child)
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (403, "body.behavior_tags")
    told = answer_to(view, behavior_tags=[TAG], answer="나 죽고 싶어")
    assert "safety" in (await sent(api, view, told, headers=child))


async def test_a_child_tells_how_and_nothing_moves(api: Api) -> None:
    view, child = await api.begin("s1", first_problem="8+6"), await api.as_("student", "s1")
    task_id = view["task"]["task_id"]
    await sent(api, view, answer_to(view, rt_ms=12_000), headers=child)
    event = {"type": "strategy_told", "request_id": "how", "task_id": task_id, "how": "fingers"}
    assert await sent(api, view, event, headers=child) == {"request_id": "how", "task_id": task_id}
    assert await sent(api, view, event, headers=child) == {"request_id": "how", "task_id": task_id}
    (turn,) = await traced(api, view)
    assert turn["observations"] == {"seen": {"OBS_FINGER_COUNTING": "child"}, "cause": None}


async def test_without_presentation_no_probe_lies_in_the_drawing(api: Api) -> None:
    kinds = {}
    for presentation in (True, False, None):
        says = {} if presentation is None else {"capabilities": {"presentation": presentation}}
        view = await api.begin(f"p{presentation}", first_problem="52-38", c_position=10, **says)
        turn = await sent(api, view, answer_to(view, answer=90, rt_ms=6000))
        trace = await traced(api, view)
        probe = next(one["payload"]["probe"] for one in trace[-1]["envelopes"] if one["type"] == "diagnostic_result")
        kinds[presentation] = probe and probe["removed_variable"]
        assert (turn["task"]["presentation"]["emphasis"] is None) is not bool(presentation)
        assert await replayed(api, view)
    assert kinds[True] == "operation"
    assert kinds[False] not in ("operation", "layout")
    assert kinds[None] == kinds[False], "who says nothing is put nothing that it may not draw"


async def test_the_steps_of_an_answer_are_traced(api: Api) -> None:
    """The fine adjustment after two misses is asked in steps, behind something that works."""
    view = await api.begin(first_problem="98+90", c_position=8)
    for number, answer in enumerate((178, 2, 190, 1, 1, None)):
        shown = view["task"]["problem"]
        given = {"+": add, "-": sub}[shown["op"]](shown["a"], shown["b"]) if answer is None else answer
        turn = await sent(api, view, answer_to(view, answer=given, request_id=f"r-{number}"))
        view = {**view, "task": turn["task"]}
    assert [step["expression"] for step in view["task"]["presentation"]["steps"]] == ["98+□=100"]
    await sent(api, view, answer_to(view, answer=2, request_id="r-6", steps=[3]))
    last = (await traced(api, view))[-1]
    assert last["envelopes"][0]["payload"]["steps"] == [False]
    shown = (await api.client.get(f"/api/v1/sessions/{view['session_id']}/steps")).json()["steps"][-1]
    assert shown["found"] == [3]
    assert await replayed(api, view)


async def test_the_step_of_a_worked_example_is_traced(api: Api) -> None:
    view = await api.begin(first_problem="28+15", c_position=8)
    for number in range(3):
        task_id = view["task"]["task_id"]
        said = {"type": "timeout", "said": True, "task_id": task_id, "request_id": f"r-{number}"}
        view = {**view, "task": (await sent(api, view, said))["task"]}
    last = (await traced(api, view))[-1]["envelopes"][0]["payload"]
    assert (last["session_context"]["current_step"], last["step"]) == ("worked_example", "10+10=20")


async def test_stones_and_the_end(api: Api) -> None:
    child = await api.as_("student", "s1")
    view = await api.begin(problem_count=2, first_problem="8+6")
    assert view["stones"] == {"done": 0, "of": 2}
    turn = await sent(api, view, answer_to(view), headers=child)
    assert turn["stones"] == {"done": 1, "of": 2}
    over = await sent(api, view, {"type": "stop", "request_id": "s", "task_id": "some-other-task"}, headers=child)
    assert over["phase"] == "ended"
    seen = (await api.client.get(f"/api/v1/sessions/{view['session_id']}", headers=child)).json()
    assert seen["summary"] == over["summary"]
    assert seen["summary"]["words"]
    assert "position_before" not in seen["summary"]


@pytest.mark.parametrize("w", [-3.5, 0.0, 9.6, 1e308])
async def test_a_w_outside_the_bank_is_the_nearest(api: Api, w: float) -> None:
    begun = await api.client.post("/api/v1/sessions", json={"student_id": "s1", "c_position": 7, "w_position": w})
    assert begun.status_code == 201
    assert 0 <= begun.json()["position"]["w"] <= 9.5


async def test_choices_are_explained_once_to_a_child(api: Api) -> None:
    told = []
    for number in range(2):
        view = await api.begin("s1", seed=number)
        task, count = view["task"], 0
        while task is not None and count < 4:
            told += [bool(task["choices"])] if task.get("words") else []
            event = answer_to({"task": task}, request_id=f"r-{count}", answer=1, rt_ms=4000)
            task, count = (await sent(api, view, event))["task"], count + 1
        assert await replayed(api, view)
    assert told == [True]


@pytest.mark.parametrize(
    "telemetry",
    [{"hidden_ms": 4000}, {"helped": ["read_aloud"]}, {"reloaded": True}, {"rt_reliable": False}],
)
async def test_an_unreliable_time_makes_nothing_slow_or_hasty(api: Api, telemetry: dict[str, Any]) -> None:
    view = await api.begin(first_problem="8+6")
    slow = await sent(api, view, answer_to(view, rt_ms=60_000, telemetry=telemetry, input="tap"))
    assert (slow["response_pattern"], slow["diagnosis"]["cause_tag"]) == ("correct_fast", None)
    hasty = await api.begin("s2", first_problem="8+6")
    turn = await sent(api, hasty, answer_to(hasty, answer=15, rt_ms=200, telemetry=telemetry, input="tap"))
    assert not str(turn["diagnosis"]["cause_tag"]).startswith("ATTENTION")


async def test_a_spoken_answer_and_a_sleeping_tablet_are_taken_without_a_time(api: Api) -> None:
    spoken: dict[str, Any] = {"input": "voice", "answer": "열넷"}
    for number, more in enumerate((spoken, {"rt_ms": 10**9})):
        view = await api.begin(f"s{number}", first_problem="8+6")
        turn = await sent(api, view, answer_to(view, **more))
        assert (turn["correct"], turn["response_pattern"]) == (True, "correct_fast")


@pytest.mark.parametrize(
    ("capabilities", "loc"), [({"speech": 1}, "speech"), ({"presentation": None}, "presentation"), ({"x": True}, "x")]
)
async def test_a_bad_capability_is_named(api: Api, capabilities: dict[str, Any], loc: str) -> None:
    answer = await api.client.post("/api/v1/sessions", json={"student_id": "s1", "capabilities": capabilities})
    assert (answer.status_code, answer.json()["errors"][0]["loc"]) == (422, f"body.capabilities.{loc}")
