"""The catalogue of tools, and the links to reports."""

from datetime import timedelta

import httpx
import pytest

from maththera.reports.signed_links import ReportLinks, report_file
from tests.api.conftest import FlowApi

pytestmark = pytest.mark.slow

REPORT = "0123456789abcdef01234567"


async def test_all_tools_with_their_schemas(flow_api: FlowApi) -> None:
    body = (await flow_api.client.get("/api/v1/tools")).json()
    tools = {tool["name"]: tool for tool in body["tools"]}
    assert tools["read"]["server"] == "faulty"
    assert tools["read"]["input_schema"]["required"] == ["word"]
    assert tools["read"]["output_schema"]["properties"]["count"]["type"] == "integer"
    assert (tools["read"]["writes"], tools["write"]["writes"]) == (False, True)
    assert body["servers"]["faulty"]["state"] == "up"


async def test_a_report_opens_by_its_link_alone(flow_api: FlowApi) -> None:
    folder = flow_api.app.state.services.data_dir
    links = ReportLinks.of(folder)
    path = report_file(folder, REPORT)
    path.write_bytes(b"%PDF-1.7 x")
    day = {"since": "2026-11-01", "until": "2026-11-22", "pages": 1}
    records = flow_api.app.state.services.learners.reports
    await records.save(REPORT, kind="diagnostic", title="1", student_ids=["s1"], **day)
    link = await records.add_link(REPORT, timedelta(days=1))
    late = await records.add_link(REPORT, timedelta(seconds=-1))
    assert link is not None
    assert late is not None
    stranger = httpx.AsyncClient(transport=httpx.ASGITransport(flow_api.app), base_url="http://test")
    opened = await stranger.get(links.sign(REPORT, link.link_id))
    assert (opened.status_code, opened.content) == (200, b"%PDF-1.7 x")
    assert opened.headers["content-type"] == "application/pdf"
    expired = await stranger.get(links.sign(REPORT, late.link_id))
    assert (expired.status_code, expired.json()["code"]) == (404, "not_found")
    assert "expired" in expired.json()["detail"]
    for refused in [
        f"/api/v1/reports/{REPORT}.pdf",
        links.sign(REPORT, link.link_id).replace("signature=", "signature=0"),
        links.sign("f" * 24, link.link_id).replace("f" * 24, REPORT),
        links.sign("f" * 24, link.link_id),
        links.sign(REPORT, "f" * 16),
        "/api/v1/reports/..%2Flink.key.pdf?link=1&signature=x",
    ]:
        answer = await stranger.get(refused)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), refused
