"""`flow test`: what passes, what fails and says why, and mocks that no tool would send."""

import pytest

from maththera.flows.checker.flow_checker import load
from maththera.flows.flow_catalog import FlowCatalog
from maththera.flows.flow_tests.suites import run_tests
from maththera.flows.runs.python_sandbox import Sandbox
from tests.support.flow_tools import CATALOGUE

FLOW = """
flow:
  name: "연습"
  inputs: [{name: student_id, type: string}]
  steps:
    - id: gaps
      mcp_call: {server: logic-engine-mcp, tool: find_concept_gap, params: {student_id: $inputs.student_id}}
    - id: make
      condition: len($gaps_result.gaps) > 0
      action: foreach
      items: $gaps_result.gaps
      steps:
        - id: one
          mcp_call:
            server: gen-node-mcp
            tool: generate_picket_problem
            params: {student_id: $inputs.student_id, target_concept: $item.concept_id}
    - {id: ask, action: approve, question: "보낼까요?"}
    - {id: since, action: python, code: "return $date_utils.days_ago(1)"}
  outputs: {count: $len($make_result), since: $since_result, ok: $ask_result.approved}
"""
GAP = "{concept_id: c1, name: n, mastery: 0.1, evidence: 3}"
PICKET = "{problem: {prompt: p}, problems: []}"


async def report(tmp_path, tests):
    path = tmp_path / "t.yaml"
    path.write_text(f'flow: "연습"\ntests:\n{tests}')
    flows = FlowCatalog()
    flows.add(load(FLOW, catalogue=CATALOGUE))
    async with Sandbox() as sandbox:
        return await run_tests([path], flows, CATALOGUE, sandbox)


async def test_a_test_that_is_met_passes_and_counts_as_coverage(tmp_path):
    found = await report(
        tmp_path,
        f"""  - name: 갭이 하나
    inputs: {{student_id: s1}}
    now: 2026-03-02T09:00:00+09:00
    mocks:
      find_concept_gap: {{gaps: [{GAP}]}}
      generate_picket_problem: [{{error: timeout}}, {PICKET}]
      ask: {{approved: true}}
    expect:
      outputs: {{count: 1, since: "2026-03-01T09:00:00+09:00", ok: true}}
      called: [find_concept_gap, make]
      not_called: [generate_typst_report]
      calls: {{generate_picket_problem: {{target_concept: c1}}}}
""",
    )

    assert [verdict.failures for verdict in found.verdicts] == [[]]
    assert (found.passed, found.coverage("연습 1.0"), found.uncovered("연습 1.0")) == (True, 1.0, [])


async def test_what_did_not_come_is_said_beside_what_came(tmp_path):
    found = await report(
        tmp_path,
        """  - name: 갭이 없음
    inputs: {student_id: s1}
    mocks: {find_concept_gap: {gaps: []}}
    expect:
      outputs: {count: 3}
      called: [make]
      skipped: [gaps]
      calls: {find_concept_gap: {student_id: s2}}
""",
    )

    said = found.verdicts[0].failures
    assert [str(one) for one in said] == [
        "expected completed, but it is waiting",
        "outputs.count: expected 3, got None",
        "expected 'make' to be called; called: find_concept_gap",
        "expected 'gaps' to be skipped; skipped: make",
        "expected 'find_concept_gap' to be called with {'student_id': 's2'}; calls: [{'student_id': 's1'}]",
    ]
    assert [one.korean for one in said] == [
        "완료 상태여야 하는데 대기 상태예요",
        "outputs.count: 3 대신 이 값이 나왔어요: None",
        "'make'를 불러야 해요. 부른 것: find_concept_gap",
        "'gaps'를 건너뛰어야 해요. 건너뛴 것: make",
        "'find_concept_gap'을 이 값으로 불러야 해요: {'student_id': 's2'}. 부른 값: [{'student_id': 's1'}]",
    ]
    assert found.uncovered("연습 1.0") == ["make", "one"]


@pytest.mark.parametrize(
    ("mocks", "told"),
    [
        ("{find_concept_gap: {gap: []}}", "'gaps' is missing"),
        ("{find_concept_gap: {gaps: [{concept_id: 3}]}}", "needs a text, not a whole number"),
        ("{find_gap: {gaps: []}}", "neither a tool nor a step of the flow is called 'find_gap'"),
    ],
)
async def test_a_mock_that_no_tool_would_send_is_a_mistake_of_the_test(tmp_path, mocks, told):
    found = await report(tmp_path, f"  - name: x\n    inputs: {{student_id: s}}\n    mocks: {mocks}\n")

    assert not found.passed
    assert told in [str(fault.message) for fault in found.faults]


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ("{not_called: [find_gap]}", "neither a tool nor a step of the flow is called 'find_gap'"),
        ("{skipped: [mak]}", "neither a tool nor a step of the flow is called 'mak'"),
        ("{calls: {find_gap: {}}}", "neither a tool nor a step of the flow is called 'find_gap'"),
        ("{outputs: {cout: null}}", "the flow has no output 'cout'; did you mean 'count'?"),
    ],
)
async def test_what_can_never_come_is_a_mistake_of_the_test(tmp_path, expect, told):
    found = await report(tmp_path, f"  - name: x\n    inputs: {{student_id: s}}\n    expect: {expect}\n")

    assert [(fault.line, str(fault.message)) for fault in found.faults] == [(5, told)]


async def test_the_form_of_a_test_is_told_as_that_of_a_flow_is(tmp_path):
    found = await report(tmp_path, "  - {nam: x, expect: {output: {}, status: done}, inputs: []}\n")

    assert [str(fault).partition("t.yaml:")[2] for fault in found.faults] == [
        "3:6 tests[0].nam: unknown field 'nam'; did you mean 'name'?",
        "3:23 tests[0].expect.output: unknown field 'output'; did you mean 'outputs'?",
        "3:43 tests[0].expect.status: 'done' is not allowed; there is completed, failed, waiting",
        "3:58 tests[0].inputs: needs fields, not a list",
    ]


async def test_a_test_of_a_flow_that_is_not_there_says_so(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text('flow: "연슴"\ntests: [{name: x}]')
    flows = FlowCatalog()
    flows.add(load(FLOW, catalogue=CATALOGUE))

    found = await run_tests([path], flows, CATALOGUE, Sandbox())

    assert [str(fault.message) for fault in found.faults] == ["there is no flow '연슴'; did you mean '연습'?"]
