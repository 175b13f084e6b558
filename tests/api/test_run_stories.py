"""What each step of a run was given and gave, over the API and its stream; metrics and spans of runs."""

import asyncio
from typing import Any

import pytest

from tests.api.conftest import FlowApi
from tests.api.test_executions import watched

pytestmark = pytest.mark.slow

STORY = """
flow:
  name: 이야기
  description: 계산하고 적고 다른 흐름을 부른다
  inputs:
    - {name: word, type: string}
    - {name: api_token, type: string, default: "hush-hush"}
  steps:
    - id: count
      action: python
      code: |
        print("세는 중", $inputs.word)
        return {"letters": len($inputs.word), "password": $inputs.api_token, "long": "가" * 5000}
    - id: never
      condition: $count_result.letters > 100
      mcp_call: {server: faulty, tool: write, params: {word: never}}
    - id: broken
      retry: {attempts: 2, backoff: 0.01}
      mcp_call: {server: faulty, tool: fail, params: {word: $inputs.word, times: 99}}
      on_error: {fallback_value: {count: 0}}
    - {id: outer, action: graph, graph: 쓰기, params: {word: $inputs.word}, depends_on: [broken]}
  outputs: {count: $outer_result.count, letters: $count_result.letters, none: $never_result.count ?? 0}
"""


@pytest.fixture(scope="module")
async def story(flow_api: FlowApi) -> dict[str, Any]:
    (flow_api.home / "flows" / "이야기.yaml").write_text(STORY, encoding="utf-8")
    return await flow_api.reached(await flow_api.run("이야기", word="abc"), "completed", "failed")


def by_path(view: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {step["step"]: step for step in view["steps"]}


async def test_each_step_says_what_it_was_given_and_gave(story: dict[str, Any]) -> None:
    assert story["status"] == "completed"
    steps = by_path(story)
    assert set(steps) == {"count", "never", "broken", "outer", "outer/note"}
    note = steps["outer/note"]
    assert (note["inputs"], note["output"], note["attempts"]) == ({"word": "abc"}, {"count": 1}, 1)
    assert note["ms"] >= 0
    assert note["started_at"] >= story["created_at"]
    assert steps["outer"]["output"] == {"count": 1}
    assert "".join(steps["count"]["prints"]) == "세는 중 abc\n"
    assert (steps["never"]["status"], "false" in steps["never"]["reason"]) == ("skipped", True)
    broken = steps["broken"]
    assert (broken["status"], broken["attempts"], broken["output"]) == ("done", 2, {"count": 0})
    assert (broken["error"]["tool"], broken["error"]["action"]) == ("faulty.fail", "fallback")


async def test_long_values_are_cut_and_secrets_masked(flow_api: FlowApi, story: dict[str, Any]) -> None:
    output = by_path(story)["count"]["output"]
    assert output["bytes"] > 15_000
    assert len(output["$cut"].encode()) <= 4096
    assert story["inputs"]["api_token"] == "***"
    seen = await flow_api.client.get(f"/api/v1/executions/{story['execution_id']}")
    assert "hush-hush" not in seen.text


async def test_the_stream_carries_what_a_step_was_given_and_gave(flow_api: FlowApi, story: dict[str, Any]) -> None:
    events = [event for _, event in await watched(flow_api, story["execution_id"])]
    finished = {event["step"]: event for event in events if event["type"] == "step_finished"}
    assert finished["outer/note"]["inputs"] == {"word": "abc"}
    assert finished["outer/note"]["output"] == {"count": 1}
    assert len(finished["count"]["output"]["$cut"].encode()) <= 4096
    assert "hush-hush" not in str(events)


async def test_the_steps_outlast_the_events(flow_api: FlowApi, story: dict[str, Any]) -> None:
    redis = flow_api.app.state.services.executions.runner.redis
    await redis.delete(f"maththera:events:{story['execution_id']}")
    path = f"/api/v1/executions/{story['execution_id']}"
    assert (await flow_api.client.get(path)).json()["steps"] == story["steps"]
    assert "steps" not in (await flow_api.client.get(path, params={"steps": "false"})).json()
    assert all("steps" not in each for each in (await flow_api.client.get("/api/v1/executions")).json()["executions"])


async def test_a_run_shows_its_steps_while_it_goes_on(flow_api: FlowApi) -> None:
    execution_id = await flow_api.run("느림", word="live", seconds=60)
    async with asyncio.timeout(60):
        while True:
            steps = by_path((await flow_api.client.get(f"/api/v1/executions/{execution_id}")).json())
            if "slow" in steps:
                break
            await asyncio.sleep(0.02)
    assert (steps["first"]["status"], steps["first"]["output"]) == ("done", {"count": 1})
    assert (steps["slow"]["status"], "last" in steps) == ("running", False)
    await flow_api.client.post(f"/api/v1/executions/{execution_id}/cancel")
    view = await flow_api.reached(execution_id, "cancelled")
    assert by_path(view)["slow"]["status"] == "broken_off"
    assert by_path(view)["first"]["output"] == {"count": 1}


async def test_a_question_is_a_step_that_waits(flow_api: FlowApi) -> None:
    execution_id = await flow_api.run("승인", word="q")
    view = await flow_api.reached(execution_id, "waiting")
    assert by_path(view)["ask"]["status"] == "waiting"
    await flow_api.client.post(f"/api/v1/executions/{execution_id}/resume", json={"answer": {"approved": False}})
    ask = by_path(await flow_api.reached(execution_id, "completed"))["ask"]
    assert (ask["status"], ask["output"]) == ("done", {"approved": False})


async def test_metrics_count_runs_steps_and_tools(flow_api: FlowApi, story: dict[str, Any]) -> None:
    assert story["status"] == "completed"
    page = (await flow_api.client.get("/metrics")).text
    for line in (
        'maththera_flow_runs_total{flow="이야기",outcome="completed"} 1.0',
        'maththera_flow_run_seconds_count{flow="이야기"} 1.0',
        'maththera_flow_steps_total{flow="이야기",outcome="done",step="outer/note"} 1.0',
        'maththera_flow_steps_total{flow="이야기",outcome="skipped",step="never"} 1.0',
        'maththera_flow_steps_total{flow="이야기",outcome="failed",step="broken"} 1.0',
        'maththera_flow_step_retries_total{flow="이야기",step="broken"} 1.0',
        'maththera_flow_step_seconds_count{flow="이야기",step="count"} 1.0',
        'maththera_tool_calls_total{outcome="failed",server="faulty",tool="fail"} 2.0',
    ):
        assert line in page


SECRET = "hush-hush-2"
TELLS = """
flow:
  name: 누설
  description: 비밀을 여기저기에 담는다
  inputs: [{name: api_token, type: string}, {name: fail, type: bool, default: false}]
  steps:
    - {id: ask, action: approve, question: "'$inputs.api_token' 맞나요?"}
    - {id: loud, action: python, code: "return 1 if $ask_result.approved else 0", depends_on: [ask]}
    - id: broken
      condition: $inputs.fail
      retry: {attempts: 1}
      mcp_call: {server: faulty, tool: fail, params: {word: "x $inputs.api_token", times: 99}}
      depends_on: [loud]
  outputs: {told: "$inputs.api_token", report_url: "/reports?key=$inputs.api_token"}
"""


@pytest.mark.parametrize("fail", [False, True])
async def test_a_secret_input_shows_nowhere(flow_api: FlowApi, fail: bool) -> None:
    (flow_api.home / "flows" / "누설.yaml").write_text(TELLS, encoding="utf-8")
    body = {"inputs": {"api_token": SECRET, "fail": fail}}
    begun = await flow_api.client.post("/api/v1/flows/누설/run", json=body)
    told = await flow_api.client.post("/api/v1/execute", json={"context": {"flow": "누설", **body}})
    assert begun.json()["inputs"] == told.json()["inputs"] == {"api_token": "***", "fail": fail}
    execution_id = begun.json()["execution_id"]
    path = f"/api/v1/executions/{execution_id}"
    await flow_api.reached(execution_id, "waiting")
    asked = await flow_api.client.get(path)
    assert "'***' 맞나요?" in asked.text
    answered = await flow_api.client.post(f"{path}/resume", json={"answer": {"approved": True}})
    ended = await flow_api.reached(execution_id, "completed", "failed")
    assert (ended["status"], ended["error"] is None) == (("failed", False) if fail else ("completed", True))
    assert ended["result"] == (None if fail else {"told": "***", "report_url": "/reports?key=***"})
    listed = await flow_api.client.get("/api/v1/executions")
    final = (await watched(flow_api, execution_id))[-1][1]
    assert final["type"] == "final"
    for text in (asked.text, answered.text, str(ended), listed.text, str(final)):
        assert SECRET not in text
