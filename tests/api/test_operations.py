"""What an operator sees of the service, and that it agrees with the metrics and the records."""

import math

import pytest

from maththera.api.http_layer.metrics import quantile
from tests.api.conftest import Api

OPERATIONS = "/api/v1/operations"


async def test_answers_that_nothing_explains_are_counted_by_pattern(api: Api) -> None:
    empty = (await api.client.get(OPERATIONS)).json()
    assert (empty["answers"]["answered"], empty["answers"]["share"]) == (0, None)
    view = await api.begin("s1", c_position=8, w_position=None, first_problem="28+15")
    task = view["task"]
    for number, answer in enumerate((99_999, 3)):
        sent = {"type": "answer_submitted", "request_id": f"r{number}", "task_id": task["task_id"], "answer": answer}
        address = f"/api/v1/sessions/{view['session_id']}/events"
        task = (await api.client.post(address, json=sent | {"rt_ms": 6_000})).json()["task"]
    found = (await api.client.get(OPERATIONS)).json()
    answers = found["answers"]
    turns = (await api.client.get("/api/v1/students/s1/turns")).json()["turns"]
    assert (answers["answered"], answers["wrong"]) == (len(turns), sum(one["correct"] is False for one in turns))
    unexplained = [one for one in turns if one["correct"] is False and one["cause_tag"] in (None, "UNKNOWN")]
    assert sum(answers["unexplained"].values()) == len(unexplained) > 0
    assert answers["share"] == round(len(unexplained) / len(turns), 4)
    assert found["latency"]["turns"]["count"] == len(turns)
    assert found["latency"]["turns"]["p50_ms"] <= found["latency"]["turns"]["p95_ms"]


async def test_what_waits_for_a_person_is_counted(api: Api) -> None:
    child, guardian = await api.as_("student", "s1"), await api.as_("guardian", "s1")
    await api.client.post("/api/v1/chat", json={"message": "나는 죽고 싶어", "thread_id": "t"}, headers=child)
    await api.client.post(
        "/api/v1/students/s1/requests", json={"kind": "erasure", "about": "everything"}, headers=guardian
    )
    found = (await api.client.get(OPERATIONS)).json()
    assert (found["alerts_unopened"], found["requests_open"], found["secure"]) == (1, 1, False)
    assert found["readiness"]["capabilities"].keys() == {"tutoring", "lessons", "chat", "flows", "erasing"}
    assert found["storage"]["disk"] > found["storage"]["disk_free"] > 0
    tokens = (await api.client.get("/api/v1/tokens")).json()["tokens"]
    assert found["tokens"]["live"] == len(tokens)
    assert found["tokens"]["unused"] == sum(one["last_used_at"] is None for one in tokens) == 1, "the child's own"


async def test_for_admins_alone(api: Api) -> None:
    for role in ("teacher", "guardian"):
        assert (await api.client.get(OPERATIONS, headers=await api.as_(role, "s1"))).status_code == 403


@pytest.mark.parametrize(("share", "seconds"), [(0.25, 0.005), (0.5, 0.01), (0.625, 0.06), (0.75, 0.11), (0.9, None)])
def test_a_quantile_lies_within_its_bucket(share: float, seconds: float | None) -> None:
    """As Prometheus reckons it: evenly between the bounds; beyond the last bound nothing is known."""
    found = quantile({0.01: 4.0, 0.11: 6.0, math.inf: 8.0}, share)
    assert found == (None if seconds is None else pytest.approx(seconds))


def test_without_any_there_is_no_quantile() -> None:
    assert quantile({}, 0.5) is None
    assert quantile({0.01: 0.0, math.inf: 0.0}, 0.5) is None
