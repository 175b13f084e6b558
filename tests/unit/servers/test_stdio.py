"""Each server as the program that clients start."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.support.learning import Pupil, learn

TOOLS: dict[str, tuple[str, dict[str, tuple[dict[str, Any], str]]]] = {
    "logic_engine": (
        "logic-engine-mcp",
        {
            "find_concept_gap": ({"student_id": "s1"}, "gaps"),
            "get_prerequisites": ({"concept_id": "Cur-C8"}, "prerequisite_tree"),
            "get_concept": ({"concept_id": "Cur-C8"}, "description"),
            "get_learning_path": ({"student_id": "s1", "target_concept": "Cur-C11"}, "path"),
        },
    ),
    "q_dna": (
        "q-dna-mcp",
        {
            "find_similar_dna_problems": ({"target_dna": {"concepts": ["Cur-C8"]}}, "results"),
            "get_problem_dna": ({"problem_id": "P-00847"}, "dna"),
            "estimate_mastery": ({"student_id": "s1"}, "concepts"),
        },
    ),
    "gen_node": (
        "gen-node-mcp",
        {
            "generate_picket_problem": ({"student_id": "s1", "target_concept": "Cur-C8"}, "problems"),
            "generate_problem_set": ({"student_id": "s1", "concepts": ["Cur-C8"]}, "problems"),
            "validate_problem": ({"problem": {"expression": "8+6"}}, "dna"),
        },
    ),
    "lab_node": (
        "lab-node-mcp",
        {
            "get_failure_pattern": ({"student_id": "s1"}, "failure_patterns"),
            "update_student_heatmap": ({"student_id": "s1"}, "heatmap_data"),
            "get_recent_activity": ({"student_id": "s1"}, "activities"),
            "compare_periods": (
                {
                    "student_id": "s1",
                    "start_date": "2026-03-02",
                    "end_date": "2026-03-08",
                    "other_start_date": "2026-03-09",
                    "other_end_date": "2026-03-15",
                },
                "periods",
            ),
            "recommend_trainings": ({"cause": "받아올림을 자꾸 까먹어요"}, "causes"),
        },
    ),
    "report_node": (
        "report-node-mcp",
        {
            "generate_typst_report": ({"student_id": "s1", "report_type": "diagnostic"}, "pdf_url"),
            "list_reports": ({"student_id": "s1"}, "reports"),
            "get_report": ({"report_id": ""}, "pdf_url"),
        },
    ),
    "school_info": (
        "school-info-mcp",
        {
            "query_school_info": (
                {"question": "2학년 곱셈구구 단원의 평가 계획은?", "school_code": "SAMPLE-0001", "year": 2025},
                "sources",
            ),
            "get_school_metadata": ({"school_code": "SAMPLE-0001"}, "documents"),
            "search_schools": ({"name": "새싹"}, "schools"),
        },
    ),
}
WRITERS = {"update_student_heatmap", "generate_typst_report"}


@pytest.mark.slow
@pytest.mark.parametrize("module", TOOLS)
async def test_a_server_by_itself(module: str, tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'records.sqlite'}"
    await learn(url, Pupil("s1", ("sum_carry_dropped",)), days_ago=(9, 3, 2))
    name, expected = TOOLS[module]
    environment = {**os.environ, "MATHTHERA_DATABASE_URL": url, "MATHTHERA_DATA_DIR": str(tmp_path / "var")}
    program = StdioServerParameters(command=sys.executable, args=["-m", f"maththera.servers.{module}"], env=environment)
    async with Client(program) as client:
        assert client.server_info is not None
        assert client.server_info.name == name
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() >= expected.keys()
        for tool_name, tool in tools.items():
            assert tool.output_schema
            assert any("가" <= letter <= "힣" for letter in tool.description or "")
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is (tool_name not in WRITERS)
            assert tool.annotations.idempotent_hint is True
        report_id = ""
        for tool_name, (arguments, key) in expected.items():
            known = {"report_id": report_id} if tool_name == "get_report" else {}
            result = await client.call_tool(tool_name, {**arguments, **known})
            assert not result.is_error, result.content
            made = result.structured_content or {}
            report_id = made.get("report_id", report_id)
            assert made[key], f"{tool_name} has nothing to say of {key}"


@pytest.mark.slow
async def test_nobody_else_reads_the_files_of_a_server(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    environment = {**os.environ, "MATHTHERA_DATA_DIR": str(folder)}
    command = ["-c", 'umask 022; exec "$0" -m maththera.servers.lab_node', sys.executable]
    async with Client(StdioServerParameters(command="sh", args=command, env=environment)) as client:
        result = await client.call_tool("update_student_heatmap", {"student_id": "s1"})
        assert not result.is_error, result.content
        open_to_others = [path.name for path in folder.rglob("*") if path.stat().st_mode & 0o077]
    assert (folder.stat().st_mode & 0o077, open_to_others) == (0, [])


@pytest.mark.slow
async def test_a_bad_environment_ends_a_server_with_the_reason(tmp_path: Path) -> None:
    environment = {**os.environ, "MATHTHERA_DATABASE_URL": "mysql://nowhere"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "maththera.servers.logic_engine", env=environment, stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert said.decode().startswith("MATHTHERA_DATABASE_URL: must begin with")
