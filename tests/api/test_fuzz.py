"""Whatever JSON arrives: an answer of the contract, never a failure of ours."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.conftest import Api

ANSWERED = {200, 201, 400, 403, 404, 409, 422}
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-20, 700_000)
    | st.floats()
    | st.text(max_size=70)
    | st.sampled_from(["8+6", "98 + 90", "T12", "t1", "OBS_OVERRELIANCE_COUNTING", "십사", "stop", "timeout", "s1"])
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
KINDS = ("answer_submitted", "timeout", "training_done", "stop")
EVENT_MEMBERS = ("request_id", "task_id", "answer", "rt_ms", "behavior_tags", "telemetry", "training_id", "results")
SESSION_MEMBERS = ("student_id", "c_position", "w_position", "problem_count", "first_problem", "seed")
many = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def sensible(event: dict[str, Any], task_id: str) -> dict[str, Any]:
    """Mostly right, so that more than the first check is reached."""
    body = {"request_id": "r", "task_id": task_id, "answer": 14, "rt_ms": 2000, **event}
    wanted = {"stop": (), "timeout": ("task_id",), "training_done": ("task_id", "training_id", "results")}
    members = wanted.get(body["type"], EVENT_MEMBERS[:6])
    return {key: value for key, value in body.items() if key in ("type", "request_id", *members)}


@many
@given(body=values | st.dictionaries(st.sampled_from(SESSION_MEMBERS), scalars))
async def test_any_body_may_ask_for_a_session(api: Api, body: Any) -> None:
    answer = await api.client.post("/api/v1/sessions", content=encoded(body), headers=JSON)
    assert answer.status_code in ANSWERED, answer.text
    assert answer.headers["x-request-id"]


@many
@given(
    events=st.lists(
        st.fixed_dictionaries({"type": st.sampled_from(KINDS)}, optional=dict.fromkeys(EVENT_MEMBERS, values)),
        min_size=1,
        max_size=4,
    )
)
async def test_any_event_may_arrive(api: Api, events: list[dict[str, Any]]) -> None:
    view = await api.begin(problem_count=2)
    path = f"/api/v1/sessions/{view['session_id']}"
    task = view["task"]
    for event in events:
        body = sensible(event, task["task_id"] if task else "t")
        answer = await api.client.post(f"{path}/events", content=encoded(body), headers=JSON)
        assert answer.status_code in ANSWERED, answer.text
        if answer.status_code == 200:
            task = answer.json()["task"]
    assert (await api.client.post(f"{path}/replay")).json()["identical"] is True


JSON = {"Content-Type": "application/json"}


def encoded(body: Any) -> bytes:
    """As a careless client would, NaN and lone surrogates included."""

    return json.dumps(body, ensure_ascii=True).encode()
