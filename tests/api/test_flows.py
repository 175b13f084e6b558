"""Flows over the API: list, read, save against others, check, draw, plan, test."""

import asyncio
import json
from typing import Any

import pytest

from maththera.api.flows import LONGEST_FLOW
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
    answer = await flow_api.client.put("/api/v1/flows/새_흐름", json={"text": NEW})
    assert (answer.status_code, answer.json()["flow"]["name"]) == (201, "새_흐름")
    assert (await saved(flow_api, "새_흐름"))["text"] == NEW
    view = await flow_api.reached(await flow_api.run("새_흐름", word="new"), "completed")
    assert view["result"] == {"count": 1}


async def test_a_flow_may_be_as_long_in_korean_as_in_any_language(flow_api: FlowApi) -> None:
    text = NEW.replace("새_흐름", "긴_흐름") + "\n# "
    text += "가" * (LONGEST_FLOW - len(text))
    for ascii_only in (True, False):
        body = json.dumps({"text": text}, ensure_ascii=ascii_only).encode()
        answer = await flow_api.client.post("/api/v1/flows/lint", content=body, headers=JSON)
        assert (answer.status_code, answer.json()["ok"]) == (200, True)
    assert (await flow_api.client.put("/api/v1/flows/긴_흐름", json={"text": text})).status_code == 201
    longer = await flow_api.client.put("/api/v1/flows/긴_흐름", json={"text": text + "가"})
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


async def test_a_file_is_called_as_its_flow(flow_api: FlowApi) -> None:
    answer = await flow_api.client.put("/api/v1/flows/딴 이름", json={"text": NEW.replace("새_흐름", "제 이름")})
    assert answer.status_code == 422
    assert "the file is called '딴 이름'; call it '제 이름'" in answer.text


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
    answer = await flow_api.client.put("/api/v1/flows/느림_1.0", json={"text": FLOWS["느림"]})
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
    assert (await flow_api.client.put("/api/v1/flows/작가의_흐름", json=text, headers=teacher)).status_code == 403
    assert (await flow_api.client.put("/api/v1/flows/작가의_흐름", json=text, headers=author)).status_code == 201


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


async def test_a_file_and_its_flow_have_one_name(flow_api: FlowApi) -> None:
    text = NEW.replace("새_흐름", "이름")
    wrong = await flow_api.client.put("/api/v1/flows/다른이름", json={"text": text})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "flow_invalid")
    (error,) = wrong.json()["errors"]
    assert "'다른이름'" in error["msg"]
    assert "'이름'" in error["msg"]
    assert (await flow_api.client.put("/api/v1/flows/이름_1.0", json={"text": text})).status_code == 201


async def test_what_is_saved_lies_in_the_data_directory_and_takes_the_place_of_what_came_along(
    flow_api: FlowApi,
) -> None:
    before = await saved(flow_api, "느림")
    text = before["text"].replace("적고, 오래 읽고", "빨리 읽고")
    packaged = flow_api.home / "flows" / "느림.yaml"
    answer = await flow_api.client.put("/api/v1/flows/느림", json={"text": text, "hash": before["hash"]})
    assert answer.status_code == 200
    assert packaged.read_text(encoding="utf-8") == before["text"]
    kept = flow_api.app.state.services.data_dir / "flows" / "느림.yaml"
    assert kept.read_text(encoding="utf-8") == text
    listed = (await flow_api.client.get("/api/v1/flows")).json()
    assert [each["hash"] for each in listed["flows"] if each["name"] == "느림"] == [answer.json()["hash"]]
    assert listed["faults"] == []
    versions = (await flow_api.client.get("/api/v1/flows/느림/versions")).json()["versions"]
    assert [each["hash"] for each in versions] == [answer.json()["hash"], before["hash"]]
    assert versions[1]["saved_by"] is None
    old = await flow_api.client.get(f"/api/v1/flows/느림/versions/{before['hash']}")
    assert old.json()["text"] == before["text"]
    assert (await flow_api.client.delete("/api/v1/flows/느림")).status_code == 204
    assert (await saved(flow_api, "느림"))["hash"] == before["hash"]
    stays = await flow_api.client.delete("/api/v1/flows/느림")
    assert (stays.status_code, stays.json()["code"]) == (403, "forbidden")
    versions = (await flow_api.client.get("/api/v1/flows/느림/versions")).json()["versions"]
    assert [each["deleted"] for each in versions] == [True, False, False]
    assert (await flow_api.client.get(f"/api/v1/flows/느림/versions/{'0' * 64}")).status_code == 404


async def test_authors_delete_what_is_theirs_alone(flow_api: FlowApi) -> None:
    author, other, teacher = [await flow_api.as_(role) for role in ("author", "author", "teacher")]
    text = NEW.replace("새_흐름", "내_흐름")
    path = "/api/v1/flows/내_흐름"
    digest = (await flow_api.client.put(path, json={"text": text}, headers=author)).json()["hash"]
    assert (await flow_api.client.delete(path, headers=teacher)).status_code == 403
    assert (await flow_api.client.delete(path, headers=other)).status_code == 403
    assert (await flow_api.client.delete(path, headers=author)).status_code == 204
    assert (await flow_api.client.get(path)).status_code == 404
    history = (await flow_api.client.get(f"{path}/versions")).json()["versions"]
    assert [each["deleted"] for each in history] == [True, False]
    assert (await flow_api.client.get(f"{path}/versions/{digest}")).json()["text"] == text
    again = await flow_api.client.put(path, json={"text": text}, headers=other)
    assert again.status_code == 201
    changed = {"text": text.replace("낱말", "말"), "hash": digest}
    assert (await flow_api.client.put(path, json=changed, headers=author)).status_code == 200
    for headers, status in ((author, 403), (other, 403), (None, 204)):
        assert (await flow_api.client.delete(path, headers=headers)).status_code == status


async def test_what_others_call_is_not_deleted(flow_api: FlowApi) -> None:
    caller = "flow: {name: 부르는, steps: [{id: a, action: graph, graph: 불리는, params: {word: x}}]}"
    for name, text in (("불리는", NEW.replace("새_흐름", "불리는")), ("부르는", caller)):
        assert (await flow_api.client.put(f"/api/v1/flows/{name}", json={"text": text})).status_code == 201
    refused = await flow_api.client.delete("/api/v1/flows/불리는")
    assert (refused.status_code, refused.json()["code"]) == (422, "flow_invalid")
    assert "불리는" in refused.json()["detail"]
    for name in ("부르는", "불리는"):
        assert (await flow_api.client.delete(f"/api/v1/flows/{name}")).status_code == 204


@pytest.mark.parametrize("name", ["가" * 80, "nobody"])
async def test_versions_of_what_was_never_there(flow_api: FlowApi, name: str) -> None:
    assert (await flow_api.client.get(f"/api/v1/flows/{name}/versions")).status_code == 404
    assert (await flow_api.client.delete(f"/api/v1/flows/{name}")).status_code == 404


TWO = """
flow:
  name: 두_판
  version: "%s"
  inputs: [{name: student_id, type: string, required: false}]
  steps: [{id: a, action: python, code: "return $inputs.student_id"}]
  variants: [{version: "1.0", weight: 1}, {version: "1.1", weight: 3}]
"""


async def test_variants_are_compared(flow_api: FlowApi) -> None:
    for version in ("1.0", "1.1"):
        text = TWO % version if version == "1.1" else (TWO % version).partition("  variants")[0]
        assert (await flow_api.client.put(f"/api/v1/flows/두_판_{version}", json={"text": text})).status_code == 201
    chosen = []
    for student in map(str, range(12)):
        body = {"student_id": student, "context": {"flow": "두_판", "inputs": {}}}
        begun = (await flow_api.client.post("/api/v1/execute", json=body)).json()
        assert begun["variant"] == begun["version"]
        view = await flow_api.reached(begun["execution_id"], "completed")
        assert (view["version"], view["variant"]) == (begun["version"], begun["variant"])
        chosen.append(begun["variant"])
    named = await flow_api.reached(await flow_api.run("두_판_1.0"), "completed")
    assert (named["version"], named["variant"]) == ("1.0", None)
    compared = (await flow_api.client.get("/api/v1/flows/두_판_1.1/comparison")).json()
    assert [(each["version"], each["share"]) for each in compared["variants"]] == [("1.0", 0.25), ("1.1", 0.75)]
    assert {each["version"]: each["completed"] for each in compared["variants"]} == {
        version: chosen.count(version) for version in ("1.0", "1.1")
    }
    assert {"1.0", "1.1"} == set(chosen)
    assert all(each["median_ms"] is not None and each["failed"] == 0 for each in compared["variants"])
    runs = (await flow_api.client.get("/api/v1/executions", params={"variant": "1.0", "flow": "두_판"})).json()
    assert len(runs["executions"]) == chosen.count("1.0")
    author, teacher = await flow_api.as_("author"), await flow_api.as_("teacher")
    assert (await flow_api.client.get("/api/v1/flows/두_판_1.1/comparison", headers=author)).status_code == 200
    assert (await flow_api.client.get("/api/v1/flows/두_판_1.1/comparison", headers=teacher)).status_code == 403
