"""Flows over the API: list, read, save against others, check, draw, plan, test."""

import asyncio
import json
from typing import Any

import pytest

from maththera.api.flow_bodies import LONGEST_FLOW
from tests.api.conftest import FlowApi
from tests.support.flow_home import FLOWS, SCHEDULED

pytestmark = pytest.mark.slow

JSON = {"Content-Type": "application/json"}
NEW = FLOWS["쓰기"].replace("name: 쓰기", "name: 새_흐름").lstrip()


async def saved(api: FlowApi, name: str) -> dict[str, Any]:
    found: dict[str, Any] = (await api.client.get(f"/api/v1/flows/{name}")).json()
    return found


async def test_all_flows_are_listed(flow_api: FlowApi) -> None:
    body = (await flow_api.client.get("/api/v1/flows")).json()
    assert {"쓰기", "느림", "승인", "실패"} <= {flow["file"] for flow in body["flows"]}
    assert body["faults"] == []


async def test_a_new_flow_is_saved_and_runs(flow_api: FlowApi) -> None:
    answer = await flow_api.client.put("/api/v1/flows/새 흐름", json={"text": NEW})
    assert (answer.status_code, answer.json()["flow"]["name"]) == (201, "새_흐름")
    assert (await saved(flow_api, "새 흐름"))["text"] == NEW
    view = await flow_api.reached(await flow_api.run("새 흐름", word="new"), "completed")
    assert view["result"] == {"count": 1}


async def test_a_flow_may_be_as_long_in_korean_as_in_any_language(flow_api: FlowApi) -> None:
    text = NEW.replace("새_흐름", "긴_흐름") + "\n# "
    text += "가" * (LONGEST_FLOW - len(text))
    for ascii_only in (True, False):
        body = json.dumps({"text": text}, ensure_ascii=ascii_only).encode()
        answer = await flow_api.client.post("/api/v1/flows/lint", content=body, headers=JSON)
        assert (answer.status_code, answer.json()["ok"]) == (200, True)
    assert (await flow_api.client.put("/api/v1/flows/긴 흐름", json={"text": text})).status_code == 201
    longer = await flow_api.client.put("/api/v1/flows/긴 흐름", json={"text": text + "가"})
    assert (longer.status_code, longer.json()["errors"][0]["loc"]) == (422, "body.text")


async def test_what_another_author_saved_is_not_overwritten(flow_api: FlowApi) -> None:
    before = await saved(flow_api, "실패")
    text, other = before["text"].replace("언제나", "늘"), before["text"].replace("언제나", "매번")
    first = await flow_api.client.put("/api/v1/flows/실패", json={"text": text, "hash": before["hash"]})
    assert first.status_code == 200
    second = await flow_api.client.put("/api/v1/flows/실패", json={"text": other, "hash": before["hash"]})
    assert (second.status_code, second.json()["code"]) == (409, "flow_changed")
    assert second.json()["current"]["text"] == text == (await saved(flow_api, "실패"))["text"]
    as_new = await flow_api.client.put("/api/v1/flows/실패", json={"text": other})
    assert as_new.status_code == 409
    again = await flow_api.client.put(
        "/api/v1/flows/실패", json={"text": other, "hash": second.json()["current"]["hash"]}
    )
    assert again.status_code == 200


async def test_of_many_who_save_at_once_one_does(flow_api: FlowApi) -> None:
    before = await saved(flow_api, "승인")
    texts = [before["text"].replace("묻고", f"{n}번 묻고") for n in range(6)]
    answers = await asyncio.gather(
        *(flow_api.client.put("/api/v1/flows/승인", json={"text": text, "hash": before["hash"]}) for text in texts)
    )
    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 5]
    winner = next(text for text, answer in zip(texts, answers, strict=True) if answer.status_code == 200)
    assert (await saved(flow_api, "승인"))["text"] == winner


async def test_what_cannot_run_is_not_saved(flow_api: FlowApi) -> None:
    broken = NEW.replace("tool: write", "tool: wirte").replace("새_흐름", "다른_흐름")
    answer = await flow_api.client.put("/api/v1/flows/다른", json={"text": broken})
    assert (answer.status_code, answer.json()["code"]) == (422, "flow_invalid")
    (error, *_) = answer.json()["errors"]
    assert error["loc"].endswith("steps[0].mcp_call.tool")
    assert "did you mean 'write'?" in error["msg"]
    assert (await flow_api.client.get("/api/v1/flows/다른")).status_code == 404
    checked = (await flow_api.client.post("/api/v1/flows/lint", json={"text": broken})).json()
    assert not checked["ok"]
    assert "wirte" in checked["faults"][0]["text"]


async def test_a_version_that_there_is_in_another_file(flow_api: FlowApi) -> None:
    answer = await flow_api.client.put("/api/v1/flows/doppelt", json={"text": FLOWS["느림"]})
    assert answer.status_code == 422
    assert "raise the version" in answer.text


@pytest.mark.parametrize("name", [".hidden", "a..b", "%00", "a%2Fb", "x" * 200])
async def test_names_that_are_no_file_of_the_folder(flow_api: FlowApi, name: str) -> None:
    before = sorted(path.name for path in flow_api.home.rglob("*.yaml"))
    for answer in [
        await flow_api.client.put(f"/api/v1/flows/{name}", json={"text": NEW}),
        await flow_api.client.get(f"/api/v1/flows/{name}"),
    ]:
        assert answer.status_code in (404, 405)
    assert sorted(path.name for path in flow_api.home.rglob("*.yaml")) == before


async def test_a_flow_is_drawn_and_planned(flow_api: FlowApi) -> None:
    drawn = (await flow_api.client.get("/api/v1/flows/느림/graph")).json()["mermaid"]
    assert "first" in drawn
    assert "slow" in drawn
    inputs = {"inputs": {"word": "p", "seconds": 1}}
    planned = (await flow_api.client.post("/api/v1/flows/느림/plan", json=inputs)).json()["steps"]
    assert [(step["id"], step["what"], step["after"]) for step in planned] == [
        ("first", "faulty.write", []),
        ("slow", "faulty.read", ["first"]),
        ("last", "faulty.write", ["slow"]),
    ]
    assert "write first p" not in (flow_api.home / "diary").read_text()
    assert (await flow_api.client.post("/api/v1/flows/느림/plan", json={"inputs": {"nobody": 1}})).status_code == 422


async def test_the_tests_of_a_flow_are_run(flow_api: FlowApi) -> None:
    assert (await flow_api.client.post("/api/v1/flows/쓰기/test")).json()["passed"] is False  # there is none
    (flow_api.home / "flows" / "tests").mkdir()
    (flow_api.home / "flows" / "tests" / "쓰기.yaml").write_text(
        "flow: 쓰기\ntests:\n  - name: 적는다\n    inputs: {word: t}\n"
        "    mocks: {write: {count: 7}}\n    expect: {outputs: {count: 7}}\n",
        encoding="utf-8",
    )
    report = (await flow_api.client.post("/api/v1/flows/쓰기/test")).json()
    assert (report["faults"], [test["failures"] for test in report["tests"]]) == ([], [[]])
    assert (report["passed"], list(report["uncovered"].values())) == (True, [[]])


async def test_teachers_read_and_authors_write(flow_api: FlowApi) -> None:
    teacher, author = await flow_api.as_("teacher", "s1"), await flow_api.as_("author")
    assert (await flow_api.client.get("/api/v1/flows", headers=teacher)).status_code == 200
    text = {"text": NEW.replace("새_흐름", "작가의_흐름")}
    assert (await flow_api.client.put("/api/v1/flows/작가", json=text, headers=teacher)).status_code == 403
    assert (await flow_api.client.put("/api/v1/flows/작가", json=text, headers=author)).status_code == 201


CALLER = """
flow:
  name: 매달_부른다
  description: 매달 한 번 다른 흐름을 부른다
  schedule: "0 7 1 1 *"
  steps:
    - {id: middle, action: foreach, items: [1], steps: [{id: call, action: graph, graph: 불린다}]}
"""
CALLED = """
flow:
  name: 불린다
  description: 다른 흐름이 부르는 흐름
  steps:
    - {id: note, mcp_call: {server: faulty, tool: write, params: {word: called}}}
"""


async def test_what_runs_with_the_rights_of_an_admin_is_saved_by_an_admin(flow_api: FlowApi) -> None:
    author = await flow_api.as_("author")

    async def save(text: str, headers: dict[str, str] | None = None, **more: str) -> int:
        name = text.split()[2]
        return (
            await flow_api.client.put(f"/api/v1/flows/{name}", json={"text": text, **more}, headers=headers)
        ).status_code

    assert await save(SCHEDULED, author) == 403
    assert await save(CALLED, author) == 201
    assert await save(CALLER, author) == 403
    assert await save(CALLER) == 201
    called = await saved(flow_api, "불린다")
    changed = called["text"].replace("called", "changed")
    assert await save(changed, author, hash=called["hash"]) == 403
    assert await save(changed, hash=called["hash"]) == 200
