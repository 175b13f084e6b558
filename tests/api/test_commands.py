"""A sentence, through the six real servers, to a report that opens."""

import asyncio
from typing import Any

import pytest

from tests.api.conftest import Api

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


async def ended(api: Api, execution_id: str) -> dict[str, Any]:
    async with asyncio.timeout(180):
        while True:
            view: dict[str, Any] = (await api.client.get(f"/api/v1/executions/{execution_id}")).json()
            if view["status"] not in ("running", "waiting"):
                return view
            await asyncio.sleep(0.1)


async def test_from_a_sentence_to_a_report(api: Api) -> None:
    await api.begin("s1")
    answer = await api.client.post("/api/v1/execute", json={"command": "학생 s1의 진단 리포트를 만들어 줘"})
    assert answer.status_code == 202, answer.text
    assert answer.json()["flow"] == "진단_리포트_생성"
    view = await ended(api, answer.json()["execution_id"])
    assert (view["status"], view["error"], view["student_id"]) == ("completed", None, "s1")
    assert view["closing"]
    report = await api.client.get(view["result"]["report_url"])
    assert (report.status_code, report.content[:5]) == (200, b"%PDF-")

    asked = (await api.client.post("/api/v1/execute", json={"command": "진단 리포트를 만들어 줘"})).json()
    assert (asked["status"], asked["missing"]) == ("unclear", ["student_id"])
    known = {"command": "진단 리포트를 만들어 줘", "student_id": "s1"}
    assert (await api.client.post("/api/v1/execute", json=known)).status_code == 202

    tools = (await api.client.get("/api/v1/tools")).json()
    assert {"get_failure_pattern", "generate_typst_report"} <= {tool["name"] for tool in tools["tools"]}
    states = {name: server["state"] for name, server in tools["servers"].items()}
    assert states | {"lab-node-mcp": "up", "logic-engine-mcp": "up", "report-node-mcp": "up"} == states
    assert states["school-info-mcp"] == "idle"  # nobody has needed it
