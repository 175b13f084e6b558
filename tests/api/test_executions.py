"""Runs over the API: begin, watch, answer, cancel; and that nobody sees another's."""

import asyncio
import gc
import json
from typing import Any

import pytest
from redis.asyncio import Redis

from maththera.flows.runs import run_store
from maththera.runtime import checkpointer, event_log
from tests.api.conftest import FlowApi
from tests.support.flow_home import entries
from tests.support.servers import RedisServer

pytestmark = pytest.mark.slow


def frames(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The (id, event) of each frame of a stream."""
    found = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
        if "data" in fields:
            found.append((fields["id"], json.loads(fields["data"])))
    return found


async def watched(api: FlowApi, execution_id: str, last_id: str | None = None) -> list[tuple[str, dict[str, Any]]]:
    headers = {"Last-Event-ID": last_id} if last_id else {}
    answer = await api.client.get(f"/api/v1/executions/{execution_id}/events", headers=headers)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["x-accel-buffering"] == "no"
    return frames(answer.text)


async def test_a_run_from_its_beginning_to_its_end(flow_api: FlowApi) -> None:
    body = {"context": {"flow": "쓰기", "inputs": {"word": "a"}}}
    answer = await flow_api.client.post("/api/v1/execute", json=body)
    assert (answer.status_code, answer.json()["status"]) == (202, "running")
    execution_id = answer.json()["execution_id"]
    assert answer.headers["location"] == f"/api/v1/executions/{execution_id}"
    events = await watched(flow_api, execution_id)
    assert [event["type"] for _, event in events] == ["started", "step_started", "step_finished", "final"]
    view = await flow_api.reached(execution_id, "completed")
    assert view["result"] == events[-1][1]["result"] == {"count": 1}
    assert (view["completed_steps"], view["error"], view["waiting"]) == (["note"], None, [])
    assert view["closing"] == events[-1][1]["closing"]
    assert "쓰기" in view["closing"]
    assert entries(flow_api.home, "write a") == 1


async def test_an_author_runs_a_flow_with_the_sample_student(flow_api: FlowApi) -> None:
    """The run is about nobody, in the list of runs and in the log of who looked."""
    author = await flow_api.as_("author")
    sample = (await flow_api.client.get("/api/v1/flow-schema", headers=author)).json()["sample_student"]
    execution_id = await flow_api.run("쓰기", author, word="sampled", student_id=sample)
    view = await flow_api.reached(execution_id, "completed")
    assert (view["student_id"], view["inputs"]["student_id"]) == (None, sample)
    log = (await flow_api.client.get("/api/v1/access-log")).json()["entries"]
    assert sample not in str(log)
    refused = await flow_api.client.post(
        "/api/v1/flows/쓰기/run", json={"inputs": {"word": "a", "student_id": "s1"}}, headers=author
    )
    assert refused.status_code == 422


async def test_a_stream_goes_on_after_the_last_event_seen(flow_api: FlowApi) -> None:
    execution_id = await flow_api.run("쓰기", word="b")
    events = await watched(flow_api, execution_id)
    assert await watched(flow_api, execution_id, events[1][0]) == events[2:]
    assert await watched(flow_api, execution_id, events[-1][0]) == []
    assert await watched(flow_api, execution_id, "no id") == events


async def test_only_the_headers_of_an_ended_run_leave_no_error_behind(flow_api: FlowApi) -> None:
    execution_id = await flow_api.run("쓰기", word="head")
    await flow_api.reached(execution_id, "completed")
    left: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: left.append(context))
    for _ in range(20):
        answer = await flow_api.client.head(f"/api/v1/executions/{execution_id}/events")
        assert (answer.status_code, answer.content) == (200, b"")
    await flow_api.reached(execution_id, "completed")  # the database has done what came before
    gc.collect()
    await asyncio.sleep(0)
    assert left == []


async def test_many_watch_one_run(flow_api: FlowApi) -> None:
    execution_id = await flow_api.run("느림", word="many", seconds=0.3)
    seen = await asyncio.gather(*(watched(flow_api, execution_id) for _ in range(30)))
    assert all(events == seen[0] for events in seen)
    assert seen[0][-1][1]["status"] == "completed"


async def test_a_failed_run_says_which_step_and_why_and_keeps_the_rest(flow_api: FlowApi) -> None:
    view = await flow_api.reached(await flow_api.run("실패", word="c"), "failed")
    assert view["error"] == {
        "step": "broken",
        "tool": "faulty.fail",
        "code": "failed",
        "message": view["error"]["message"],
    }
    assert "'c' is not ready yet" in view["error"]["message"]
    assert view["completed_steps"] == ["note"]


async def test_a_person_is_asked_and_answers(flow_api: FlowApi) -> None:
    execution_id = await flow_api.run("승인", word="d")
    resume = f"/api/v1/executions/{execution_id}/resume"
    watching = asyncio.create_task(watched(flow_api, execution_id))
    view = await flow_api.reached(execution_id, "waiting")
    assert view["waiting"][0]["question"] == "'d' 적을까요?"
    wrong = await flow_api.client.post(resume, json={"answer": {"approved": "yes"}})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid_input")
    assert wrong.json()["errors"][0]["loc"] == "body.answer.ask"
    assert entries(flow_api.home, "write d") == 0
    assert (await flow_api.client.post(resume, json={"answer": {"approved": True}})).status_code == 202
    assert (await flow_api.reached(execution_id, "completed"))["result"] == {"count": 1}
    types = [event["type"] for _, event in await watching]
    assert types.index("waiting") < types.index("answered") < types.index("final")
    late = await flow_api.client.post(resume, json={"answer": {"approved": True}})
    assert (late.status_code, late.json()["code"], late.json()["execution_status"]) == (
        409,
        "execution_state",
        "completed",
    )


async def test_of_two_answers_one_counts(flow_api: FlowApi) -> None:
    execution_id = await flow_api.run("승인", word="e")
    await flow_api.reached(execution_id, "waiting")
    resume = f"/api/v1/executions/{execution_id}/resume"
    answers = await asyncio.gather(
        *(flow_api.client.post(resume, json={"answer": {"approved": True}}) for _ in range(4))
    )
    assert sorted(answer.status_code for answer in answers) == [202, 409, 409, 409]
    await flow_api.reached(execution_id, "completed")
    assert entries(flow_api.home, "write e") == 1


IN_TIME = """
flow:
  name: 기한
  inputs: [{name: word, type: string}]
  steps:
    - {id: later, action: approve, question: "더 기다릴까요?"}
    - {id: ask, action: approve, question: "적을까요?", timeout: 0.2%s}
    - id: note
      condition: $ask_result.approved
      mcp_call: {server: faulty, tool: write, params: {word: $inputs.word}}
  outputs: {count: $note_result.count ?? 0, later: $later_result.approved}
"""


@pytest.mark.parametrize("on_error", ["", ", on_error: {fallback_value: {approved: false}}"])
async def test_a_question_that_nobody_answers_in_time(flow_api: FlowApi, on_error: str) -> None:
    """The upkeep goes on with it: the step fails, or has what its author said for that; other questions stand."""
    (flow_api.home / "flows" / "기한.yaml").write_text(IN_TIME % on_error, encoding="utf-8")
    execution_id = await flow_api.run("기한", word="late")
    if not on_error:
        view = await flow_api.reached(execution_id, "failed")
        assert (view["error"]["step"], view["error"]["code"]) == ("ask", "timeout")
        return
    async with asyncio.timeout(60):
        while [asked["step"] for asked in (await flow_api.reached(execution_id, "waiting"))["waiting"]] != ["later"]:
            await asyncio.sleep(0.05)
    resume = f"/api/v1/executions/{execution_id}/resume"
    assert (await flow_api.client.post(resume, json={"answer": {"approved": True}})).status_code == 202
    assert (await flow_api.reached(execution_id, "completed"))["result"] == {"count": 0, "later": True}
    assert entries(flow_api.home, "write late") == 0


BESIDE = """
flow:
  name: 곁
  inputs: [{name: word, type: string}]
  steps:
    - {id: ask, action: approve, question: "적을까요?", timeout: 1}
    - id: slow
      mcp_call: {server: faulty, tool: read, params: {word: $inputs.word, seconds: %s}}
  outputs: {asked: $ask_result.approved, count: $slow_result.count}
"""


async def asked_beside(api: FlowApi, word: str, seconds: float) -> str:
    """A run whose question has been asked, while a step beside it works for so long."""
    (api.home / "flows" / "곁.yaml").write_text(BESIDE % seconds, encoding="utf-8")
    execution_id = await api.run("곁", word=word)
    async with asyncio.timeout(60):
        while not (view := await api.reached(execution_id, "running", "waiting"))["waiting"]:
            await asyncio.sleep(0.02)
    assert (view["status"], view["waiting"][0]["question"]) == ("running", "적을까요?")
    return execution_id


async def test_an_answer_counts_while_another_step_still_works(flow_api: FlowApi) -> None:
    """Though the time for it ends before that step does."""
    execution_id = await asked_beside(flow_api, "beside", 2)
    resume = f"/api/v1/executions/{execution_id}/resume"
    assert (await flow_api.client.post(resume, json={"answer": {"approved": True}})).status_code == 202
    view = await flow_api.reached(execution_id, "completed", "failed")
    assert (view["result"], entries(flow_api.home, "read beside")) == ({"asked": True, "count": 1}, 1)


async def test_a_question_expires_at_its_time_while_another_step_still_works(flow_api: FlowApi) -> None:
    execution_id = await asked_beside(flow_api, "expires", 4)
    async with asyncio.timeout(60):
        while (await flow_api.reached(execution_id, "running"))["waiting"]:
            await asyncio.sleep(0.05)
    resume = f"/api/v1/executions/{execution_id}/resume"
    late = await flow_api.client.post(resume, json={"answer": {"approved": True}})
    assert (late.status_code, late.json()["execution_status"]) == (409, "running")
    view = await flow_api.reached(execution_id, "completed", "failed")
    assert (view["error"]["step"], view["error"]["code"]) == ("ask", "timeout")
    told = [event for _, event in await watched(flow_api, execution_id)]
    expired = told.index({"type": "expired", "steps": ["ask"]})
    assert expired < [event["type"] for event in told].index("step_failed")
    assert "slow" in [event.get("step") for event in told[expired:] if event["type"] == "step_finished"]


async def test_a_question_waits_for_ever_and_without_its_memory_is_refused(flow_api: FlowApi, redis: Redis) -> None:
    execution_id = await flow_api.run("승인", word="lost")
    await flow_api.reached(execution_id, "waiting")
    key = f"{checkpointer.PREFIX}{execution_id}"
    assert (await redis.ttl(key), await redis.ttl(f"{run_store.PREFIX}{execution_id}")) == (-1, -1)
    await redis.delete(key)
    resume = f"/api/v1/executions/{execution_id}/resume"
    answer = await flow_api.client.post(resume, json={"answer": {"approved": True}})
    assert (answer.status_code, answer.json()["code"]) == (409, "execution_state")
    view = await flow_api.reached(execution_id, "failed")
    assert (view["error"]["code"], entries(flow_api.home, "write lost")) == ("lost", 0)


ASKING_INSIDE = """
flow:
  name: 안에서_묻기
  inputs: [{name: word, type: string}]
  steps:
    - id: before
      mcp_call: {server: faulty, tool: write, params: {word: "before $inputs.word"}}
    - {id: inner, action: graph, graph: 승인, params: {word: $inputs.word}, depends_on: [before]}
"""


@pytest.mark.parametrize("whole", [False, True])
async def test_a_question_of_a_called_flow_is_refused_without_its_memory(
    flow_api: FlowApi, redis: Redis, whole: bool
) -> None:
    """Nothing is begun again, also when all that Redis has of the run is lost."""
    (flow_api.home / "flows" / "안에서_묻기.yaml").write_text(ASKING_INSIDE, encoding="utf-8")
    word = f"gone {whole}"
    execution_id = await flow_api.run("안에서_묻기", word=word)
    view = await flow_api.reached(execution_id, "waiting")
    assert [each["step"] for each in view["waiting"]] == ["inner/ask"]
    gone = [checkpointer.PREFIX, run_store.PREFIX, event_log.PREFIX] if whole else [checkpointer.PREFIX]
    assert await redis.delete(*(prefix + execution_id for prefix in gone)) == len(gone)
    resume = f"/api/v1/executions/{execution_id}/resume"
    answer = await flow_api.client.post(resume, json={"answer": {"approved": True}})
    assert (answer.status_code, answer.json()["code"]) == (409, "execution_state")
    view = await flow_api.reached(execution_id, "failed")
    written = (entries(flow_api.home, f"write before {word}"), entries(flow_api.home, f"write {word}"))
    assert (view["error"]["code"], written) == ("lost", (1, 0))
    repaired = await flow_api.client.post(f"/api/v1/executions/{execution_id}/retry", json={"from_step": "inner"})
    assert (repaired.status_code, entries(flow_api.home, f"write before {word}")) == (422, 1)


INNER = """
flow:
  name: 속
  version: "%s"
  inputs: [{name: word, type: string}]
  steps:
    - {id: ask, action: approve, question: "적을까요?"}
    - id: note
      depends_on: [ask]
      mcp_call: {server: faulty, tool: write, params: {word: "$inputs.word %s"}}
"""
OUTER = """
flow:
  name: 겉
  inputs: [{name: word, type: string}]
  steps:
    - {id: sub, action: graph, graph: 속, params: {word: $inputs.word}}
"""


async def test_a_called_flow_goes_on_in_the_version_it_began_with(flow_api: FlowApi) -> None:
    inner = flow_api.home / "flows" / "속.yaml"
    inner.write_text(INNER % ("1.0", "old"), encoding="utf-8")
    (flow_api.home / "flows" / "겉.yaml").write_text(OUTER, encoding="utf-8")
    execution_id = await flow_api.run("겉", word="pin")
    view = await flow_api.reached(execution_id, "waiting")
    assert view["waiting"][0]["step"] == "sub/ask"
    inner.write_text(INNER % ("1.1", "new"), encoding="utf-8")
    resume = f"/api/v1/executions/{execution_id}/resume"
    assert (await flow_api.client.post(resume, json={"answer": {"approved": True}})).status_code == 202
    await flow_api.reached(execution_id, "completed")
    assert (entries(flow_api.home, "write pin old"), entries(flow_api.home, "write pin new")) == (1, 0)
    told = [(event["type"], event.get("step")) for _, event in await watched(flow_api, execution_id)]
    assert ("waiting", "sub/ask") in told
    assert ("step_finished", "sub/note") in told


MENDED = """
flow:
  name: 고침
  inputs: [{name: word, type: string}]
  steps:
    - id: first
      mcp_call: {server: faulty, tool: write, params: {word: "1 $inputs.word"}}
    - id: broken
      depends_on: [first]
      retry: {attempts: 1}
      mcp_call: {server: faulty, tool: fail, params: {word: $inputs.word, times: 1}}
    - id: last
      depends_on: [broken]
      mcp_call: {server: faulty, tool: write, params: {word: "2 $inputs.word"}}
  outputs: {broken: $broken_result.count ?? 0, last: $last_result.count}
"""


@pytest.mark.parametrize(
    ("what", "body", "count"),
    [
        ("retry", {"from_step": "broken"}, 2),
        ("mark_done", {"step": "broken", "value": {"count": 40}}, 40),
        ("skip", {"step": "broken"}, 0),
    ],
)
async def test_a_failed_run_goes_on_as_an_adult_decides(flow_api: FlowApi, what: str, body: Any, count: int) -> None:
    (flow_api.home / "flows" / "고침.yaml").write_text(MENDED, encoding="utf-8")
    execution_id = await flow_api.run("고침", word=what)
    assert (await flow_api.reached(execution_id, "failed"))["error"]["step"] == "broken"
    path = f"/api/v1/executions/{execution_id}/{what}"
    answer = await flow_api.client.post(path, json=body)
    assert (answer.status_code, answer.json()["error"]) == (202, None), answer.text
    view = await flow_api.reached(execution_id, "completed", "failed")
    assert view["result"] == {"broken": count, "last": 1}
    assert (entries(flow_api.home, f"write 1 {what}"), entries(flow_api.home, f"write 2 {what}")) == (1, 1)
    again = await flow_api.client.post(path, json=body)
    assert (again.status_code, again.json()["execution_status"]) == (409, "completed")


PAYING = """
flow:
  name: 한번
  inputs: [{name: word, type: string}]
  steps:
    - id: loop
      action: foreach
      items: [1]
      retry: {attempts: 3, backoff: 0}
      steps:
        - id: pay
          mcp_call: {server: faulty, tool: write_and_fail, params: {word: $inputs.word}}
"""


async def test_what_must_not_happen_twice_is_done_again_only_by_an_adult(flow_api: FlowApi) -> None:
    (flow_api.home / "flows" / "한번.yaml").write_text(PAYING, encoding="utf-8")
    execution_id = await flow_api.run("한번", word="pay")
    for times in (1, 2):
        view = await flow_api.reached(execution_id, "failed")
        assert (view["error"]["code"], view["steps"][0]["attempts"]) == ("failed", 1)
        assert entries(flow_api.home, "write pay") == times
        path = f"/api/v1/executions/{execution_id}/retry"
        assert (await flow_api.client.post(path, json={"from_step": "loop"})).status_code == 202


LOOP = """
flow:
  name: 돌기
  inputs: [{name: word, type: string}]
  steps:
    - id: loop
      action: foreach
      items: [a, b, c, d]
      max_concurrency: 1
      steps:
        - {id: count, action: python, code: "return {'n': $index}"}
        - id: fail
          condition: $item == 'b'
          depends_on: [count]
          retry: {attempts: 1}
          mcp_call: {server: faulty, tool: fail, params: {word: $inputs.word, times: 1}}
"""


async def test_an_item_of_a_foreach_is_named_as_it_is(flow_api: FlowApi) -> None:
    (flow_api.home / "flows" / "돌기.yaml").write_text(LOOP, encoding="utf-8")
    execution_id = await flow_api.run("돌기", word="item")
    await flow_api.reached(execution_id, "failed")
    path = f"/api/v1/executions/{execution_id}"
    for step, why in (
        ("loop[9].fail", "there is no item 9 of 'loop', which had 4"),
        ("loop[4].fail", "there is no item 4"),
        ("loop[1]", "name a step of an item, such as 'loop[0].count'"),
        ("loop.fail", "name a step of an item"),
        ("loop[1].fail[0]", "'fail' is no foreach"),
        ("loop[x].fail", "there is no step 'loop[x].fail'"),
    ):
        refused = await flow_api.client.post(f"{path}/mark_done", json={"step": step, "value": {"count": 1}})
        assert (refused.status_code, why in refused.json()["detail"]) == (422, True), (step, refused.text)
    assert (await flow_api.client.post(f"{path}/retry", json={"from_step": "loop[1]"})).status_code == 202
    view = await flow_api.reached(execution_id, "completed", "failed")
    statuses = {step["step"]: step["status"] for step in view["steps"]}
    assert (view["status"], statuses["loop"], statuses["loop[1].fail"]) == ("completed", "done", "done")


async def test_a_run_is_repaired_only_as_it_can_be(flow_api: FlowApi) -> None:
    (flow_api.home / "flows" / "고침.yaml").write_text(MENDED, encoding="utf-8")
    execution_id = await flow_api.run("고침", word="not so")
    await flow_api.reached(execution_id, "failed")
    path = f"/api/v1/executions/{execution_id}"
    unknown = await flow_api.client.post(f"{path}/retry", json={"from_step": "brokn"})
    assert (unknown.status_code, unknown.json()["errors"][0]["loc"]) == (422, "body.from_step")
    assert "did you mean 'broken'" in unknown.json()["detail"]
    wrong = await flow_api.client.post(f"{path}/mark_done", json={"step": "broken", "value": {"count": "two"}})
    assert (wrong.status_code, wrong.json()["errors"][0]["loc"]) == (422, "body.step")
    await flow_api.reached(execution_id, "failed")


async def test_a_cancelled_run_shows_what_it_had_finished(flow_api: FlowApi) -> None:
    execution_id = await flow_api.run("느림", word="done", seconds=60)
    async with asyncio.timeout(60):
        while not entries(flow_api.home, "read done"):
            await asyncio.sleep(0.02)
    cancelled = await flow_api.client.post(f"/api/v1/executions/{execution_id}/cancel")
    assert cancelled.json()["completed_steps"] == ["first"]


MANY = [f"s{number}" for number in range(110)]
LONG = (
    """
flow:
  name: 긴_흐름
  description: 여러 단계를 지나 묻고 기다린다
  inputs: [{name: asks, type: bool}]
  steps:
    - {id: s0, action: python, code: return 0}
"""
    + "".join(f"    - {{id: s{n}, action: python, code: return {n}, depends_on: s{n - 1}}}\n" for n in range(1, 110))
    + """    - {id: ask, condition: $inputs.asks, action: approve, question: "?", depends_on: s109}
    - id: slow
      mcp_call: {server: faulty, tool: read, params: {word: long, seconds: 60}}
      depends_on: ask
"""
)


@pytest.mark.parametrize("asks", [False, True])
async def test_a_long_run_that_is_cancelled_shows_all_that_it_had_finished(flow_api: FlowApi, asks: bool) -> None:
    """Also when its events have expired while it waited."""
    (flow_api.home / "flows" / "긴_흐름.yaml").write_text(LONG, encoding="utf-8")
    execution_id = await flow_api.run("긴_흐름", asks=asks)
    if asks:
        await flow_api.reached(execution_id, "waiting")
        await flow_api.app.state.services.executions.runner.redis.delete(f"maththera:events:{execution_id}")
    else:
        log = flow_api.app.state.services.executions.runner.log
        async with asyncio.timeout(60):  # what is told comes a moment after the call
            while not any(event.get("step") == "slow" for _, event in await log.all(execution_id)):
                await asyncio.sleep(0.02)
    cancelled = await flow_api.client.post(f"/api/v1/executions/{execution_id}/cancel")
    assert cancelled.json()["completed_steps"] == [*MANY, *([] if asks else ["ask_skipped"])]


async def test_a_run_is_cancelled(flow_api: FlowApi) -> None:
    execution_id = await flow_api.run("느림", word="f", seconds=60)
    async with asyncio.timeout(60):
        while not entries(flow_api.home, "read f"):
            await asyncio.sleep(0.02)
    cancelled = await flow_api.client.post(f"/api/v1/executions/{execution_id}/cancel")
    assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelled")
    assert (await watched(flow_api, execution_id))[-1][1]["status"] == "cancelled"
    async with asyncio.timeout(60):
        while not entries(flow_api.home, "cancelled f"):
            await asyncio.sleep(0.02)
    assert entries(flow_api.home, "write last f") == 0
    again = await flow_api.client.post(f"/api/v1/executions/{execution_id}/cancel")
    assert again.json()["code"] == "execution_state"


async def test_tools_are_called_directly(flow_api: FlowApi) -> None:
    calls = [
        {"server": "faulty", "tool": "write", "params": {"word": "$inputs.x"}},
        {"server": "faulty", "tool": "read", "params": {"word": "g"}},
    ]
    answer = await flow_api.client.post("/api/v1/execute", json={"context": {"tools": calls}})
    view = await flow_api.reached(answer.json()["execution_id"], "completed")
    assert view["result"] == {"0_write": {"count": 1}, "1_read": {"count": 1}}
    assert entries(flow_api.home, "write $inputs.x") == 1
    wrong = await flow_api.client.post(
        "/api/v1/execute", json={"context": {"tools": [{"server": "faulty", "tool": "raed"}]}}
    )
    assert (wrong.status_code, wrong.json()["code"]) == (422, "flow_invalid")
    assert "did you mean 'read'" in wrong.json()["errors"][0]["msg"]


@pytest.mark.parametrize(
    ("more", "loc"),
    [
        ({"server": "nobody"}, "server"),
        ({"tool": "raed"}, "tool"),
        ({"params": {}}, "params"),
        ({"params": {"word": 7}}, "params.word"),
        ({"params": {"word": "a", "colour": "red"}}, "params.colour"),
        ({"server": "x" * 129}, "server"),
        ({"tool": "가" * 2000}, "tool"),
    ],
)
async def test_what_no_tool_takes_is_named_by_its_place_in_the_body(flow_api: FlowApi, more: Any, loc: str) -> None:
    call = {"server": "faulty", "tool": "write", "params": {"word": "a"}}
    answer = await flow_api.client.post("/api/v1/execute", json={"context": {"tools": [call, call | more]}})
    assert answer.status_code == 422
    assert [error["loc"] for error in answer.json()["errors"]] == [f"body.context.tools.1.{loc}"]
    assert answer.json()["detail"].startswith(f"body.context.tools.1.{loc}: ")


async def test_inputs_of_a_command_are_named_by_their_place_in_the_body(flow_api: FlowApi) -> None:
    sent = {"context": {"flow": "느림", "inputs": {"word": 3, "colour": "red"}}}
    answer = await flow_api.client.post("/api/v1/execute", json=sent)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    locs = {error["loc"] for error in answer.json()["errors"]}
    assert locs == {f"body.context.inputs.{name}" for name in ("word", "seconds", "colour")}


async def test_what_is_not_understood_is_asked_back(flow_api: FlowApi) -> None:
    answer = await flow_api.client.post("/api/v1/execute", json={"command": "오늘 점심 뭐 먹지"})
    body = answer.json()
    assert (answer.status_code, body["status"], body["execution_id"]) == (200, "unclear", None)
    assert body["question"]
    assert 1 <= len(body["candidates"]) <= 3


async def test_inputs_that_do_not_fit(flow_api: FlowApi) -> None:
    answer = await flow_api.client.post("/api/v1/flows/느림/run", json={"inputs": {"word": 3, "colour": "red"}})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert {error["loc"] for error in answer.json()["errors"]} == {
        "body.inputs.word",
        "body.inputs.seconds",
        "body.inputs.colour",
    }
    unknown = await flow_api.client.post("/api/v1/execute", json={"context": {"flow": "쓰가"}})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")


async def test_somebody_elses_run_is_not_there(flow_api: FlowApi) -> None:
    mine, other = await flow_api.as_("teacher", "s1"), await flow_api.as_("teacher", "s1")
    execution_id = await flow_api.run("승인", mine, word="h")
    own = await flow_api.client.get(f"/api/v1/executions/{execution_id}", headers=mine)
    assert own.status_code == 200
    listed = await flow_api.client.get("/api/v1/executions", headers=mine)
    assert [one["execution_id"] for one in listed.json()["executions"]] == [execution_id]
    for method, path in [("GET", ""), ("GET", "/events"), ("POST", "/cancel"), ("POST", "/resume")]:
        answer = await flow_api.client.request(
            method, f"/api/v1/executions/{execution_id}{path}", headers=other, json={"answer": {"approved": True}}
        )
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    assert (await flow_api.client.get("/api/v1/executions", headers=other)).json() == {"executions": [], "next": None}
    await flow_api.reached(execution_id, "waiting")


async def test_somebody_elses_student_is_not_there(flow_api: FlowApi) -> None:
    teacher = await flow_api.as_("teacher", "s1")
    answer = await flow_api.client.post(
        "/api/v1/flows/쓰기/run", json={"inputs": {"word": "i", "student_id": "s2"}}, headers=teacher
    )
    assert (answer.status_code, answer.json()["errors"][0]["loc"]) == (422, "body.inputs.student_id")
    named = {"student_id": "s2", "context": {"flow": "쓰기", "inputs": {"word": "i"}}}
    assert (await flow_api.client.post("/api/v1/execute", json=named, headers=teacher)).status_code == 404
    assert entries(flow_api.home, "write i") == 0


@pytest.mark.parametrize("role", ["student", "guardian"])
async def test_children_and_guardians_run_nothing(flow_api: FlowApi, role: Any) -> None:
    headers = await flow_api.as_(role, "s1")
    for method, path in [("POST", "execute"), ("GET", "executions"), ("GET", "flows"), ("GET", "tools")]:
        answer = await flow_api.client.request(method, f"/api/v1/{path}", headers=headers, json={"command": "x"})
        assert answer.status_code == 403, path


async def test_a_run_that_there_is_not(flow_api: FlowApi) -> None:
    for name in ["0" * 32, "x", "é"]:
        assert (await flow_api.client.get(f"/api/v1/executions/{name}")).status_code == 404


async def test_without_redis_nothing_begins(flow_api: FlowApi, redis_server: RedisServer) -> None:
    await flow_api.client.get("/api/v1/flows")
    redis_server.kill()
    answer = await flow_api.client.post("/api/v1/flows/쓰기/run", json={"inputs": {"word": "z"}})
    assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
    redis_server.start()
    listed = (await flow_api.client.get("/api/v1/executions")).json()["executions"]
    assert "z" not in [one["inputs"].get("word") for one in listed]
    await flow_api.reached(await flow_api.run("쓰기", word="z"), "completed")
    assert entries(flow_api.home, "write z") == 1


async def test_the_same_request_begins_one_run(flow_api: FlowApi) -> None:
    body, key = {"context": {"flow": "쓰기", "inputs": {"word": "once"}}}, {"Idempotency-Key": "order-1"}
    answers = await asyncio.gather(*(flow_api.client.post("/api/v1/execute", json=body, headers=key) for _ in range(8)))
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.text for answer in answers}) == 1
    assert len({answer.headers["location"] for answer in answers}) == 1
    execution_id = answers[0].json()["execution_id"]
    await flow_api.reached(execution_id, "completed")
    late = await flow_api.client.post("/api/v1/execute", json=body, headers=key)
    assert (late.text, late.headers["idempotent-replay"]) == (answers[0].text, "true")
    assert entries(flow_api.home, "write once") == 1
    assert [event["type"] for _, event in await watched(flow_api, execution_id)].count("started") == 1
    other = {"context": {"flow": "쓰기", "inputs": {"word": "another"}}}
    reused = await flow_api.client.post("/api/v1/execute", json=other, headers=key)
    assert (reused.status_code, reused.json()["code"]) == (422, "request_id_reused")
    teacher = await flow_api.as_("teacher", "s1")
    theirs = await flow_api.client.post("/api/v1/execute", json=body, headers={**key, **teacher})
    assert theirs.json()["execution_id"] != execution_id, "a key is its client's own"


async def test_a_key_is_of_one_operation(flow_api: FlowApi) -> None:
    key, body = {"Idempotency-Key": "run-1"}, {"inputs": {"word": "keyed"}}
    first = await flow_api.client.post("/api/v1/flows/쓰기/run", json=body, headers=key)
    again = await flow_api.client.post("/api/v1/flows/쓰기/run", json=body, headers=key)
    assert (first.status_code, first.text) == (202, again.text)
    elsewhere = await flow_api.client.post("/api/v1/flows/실패/run", json=body, headers=key)
    assert elsewhere.json()["code"] == "request_id_reused"
    for bad in ("", "x" * 201, "two words"):
        refused = await flow_api.client.post("/api/v1/flows/쓰기/run", json=body, headers={"Idempotency-Key": bad})
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input")
        assert refused.json()["errors"][0]["loc"] == "header.Idempotency-Key"


async def test_runs_are_listed_by_filter_and_page(flow_api: FlowApi) -> None:
    teacher = await flow_api.as_("teacher", "s7", "s8")

    async def listed(**query: Any) -> list[str]:
        found, seen = None, []
        while found is None or found["next"]:
            more: dict[str, str] = {"cursor": found["next"]} if found else {}
            answer = await flow_api.client.get("/api/v1/executions", params={**query, **more}, headers=teacher)
            assert answer.status_code == 200, answer.text
            found = answer.json()
            seen += [each["execution_id"] for each in found["executions"]]
        return seen

    runs = [
        await flow_api.run(flow, teacher, word="listed", **more)
        for flow, more in (
            ("쓰기", {"student_id": "s7"}),
            ("쓰기", {"student_id": "s8"}),
            ("실패", {}),
            ("쓰기", {}),
        )
    ]
    for execution_id in runs:
        view = await flow_api.reached(execution_id, "completed", "failed")
    newest = runs[::-1]
    assert await listed() == await listed(limit=1) == await listed(limit=3) == newest
    assert await listed(status="failed") == [runs[2]]
    assert await listed(flow="쓰기") == [runs[3], runs[1], runs[0]]
    assert await listed(student="s8") == [runs[1]]
    assert await listed(since=view["created_at"]) == [runs[3]]
    assert await listed(since="2100-01-01T00:00:00Z") == []


@pytest.mark.parametrize(
    "query",
    [
        {"status": "odd"},
        {"limit": "0"},
        {"since": "yesterday"},
        {"cursor": "x"},
        {"cursor": "WzEsMl0"},
        {"colour": "red"},
    ],
)
async def test_what_a_list_cannot_be_asked_for(flow_api: FlowApi, query: dict[str, str]) -> None:
    answer = await flow_api.client.get("/api/v1/executions", params=query)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert answer.json()["errors"][0]["loc"] == f"query.{next(iter(query))}"
