"""What may be written, and what is only warned of."""

import pytest

from maththera.builtin_graphs import callees
from maththera.flows.checker.call_checks import Callee
from maththera.flows.checker.flow_checker import load
from maththera.flows.language.faults import FlowError
from tests.support.flow_tools import CATALOGUE

STEP = "{id: a, action: python, code: return 1}"


def read(text, **more):
    return load(text, path="x.yaml", catalogue=CATALOGUE, graphs=more.pop("graphs", {"tutoring"}), **more)


def flow_of(steps, inputs="", outputs=""):
    return f'flow:\n  name: "시험"\n  inputs: [{inputs}]\n  steps:\n{steps}\n  outputs: {{{outputs}}}\n'


def test_texts_that_yaml_1_1_reads_as_something_else_stay_texts():
    flow = read(
        "flow:\n  name: on\n  version: 1.10\n  description: 2026-03-02\n  inputs:\n"
        "    - {name: number, type: string, default: 010}\n    - {name: time, type: string, default: 12:30}\n"
        f"    - {{name: answer, type: string, default: no}}\n  steps:\n    - {STEP}\n"
    )

    assert (flow.name, flow.version, flow.description) == ("on", "1.10", "2026-03-02")
    assert [each.default for each in flow.inputs] == ["010", "12:30", "no"]


def test_steps_are_ordered_by_what_they_read_and_by_what_they_name():
    flow = read(
        flow_of(
            """    - {id: last, action: python, code: "return $middle_result"}
    - {id: middle, action: python, code: return 1, condition: "$first_result > 0"}
    - {id: other, action: python, code: return 1, depends_on: [last]}
    - {id: first, action: python, code: return 1}"""
        )
    )

    assert [step.id for step in flow.steps] == ["first", "middle", "last", "other"]
    assert {step.id: sorted(step.needs) for step in flow.steps} == {
        "first": [],
        "middle": ["first"],
        "last": ["middle"],
        "other": ["last"],
    }


@pytest.mark.parametrize(
    ("expression", "warned"),
    [
        ("$gaps_result.gaps[0].name", "$gaps_result.gaps[0] is null when the list is shorter"),
        ("$gaps_result.gaps[0].name ?? '없음'", None),
        ("$maybe_result.gaps", "$maybe_result may be null: step 'maybe' may be skipped"),
        ("$maybe_result.gaps ?? []", None),
        ("$len($maybe_result.gaps)", None),
    ],
)
def test_reading_what_may_not_be_there_is_warned_of_unless_there_is_a_default(expression, warned):
    call = "mcp_call: {server: logic-engine-mcp, tool: find_concept_gap, params: {student_id: s}}"
    flow = read(
        flow_of(
            f'    - {{id: gaps, {call}}}\n    - {{id: maybe, {call}, condition: "$inputs.n > 0"}}',
            "{name: n, type: int}",
            f'x: "{expression}"',
        )
    )

    messages = [str(fault.message) for fault in flow.warnings]
    assert messages == [] if warned is None else [warned in message for message in messages] == [True]


def test_an_input_that_nothing_reads_is_warned_of():
    flow = read(flow_of(f"    - {STEP}", "{name: n, type: int}"))

    assert [str(fault) for fault in flow.warnings] == ["x.yaml:3:19 inputs[0].name: input 'n' is never used"]


@pytest.mark.parametrize(
    ("rule", "warned"),
    [
        ("retry: {attempts: 3}", True),
        ("retry: {attempts: 1}", False),
        ("retry: {attempts: 3}, idempotent: true", False),
        ("timeout: 5", False),
    ],
)
def test_retry_of_a_tool_that_must_not_run_twice_is_warned_of(rule, warned):
    call = (
        "mcp_call: {server: report-node-mcp, tool: generate_typst_report, params: {student_id: s, report_type: class}}"
    )
    flow = read(flow_of(f"    - {{id: report, {call}, {rule}}}"))

    told = "only a call that never reached 'generate_typst_report' is repeated; idempotent: true allows more"
    assert [str(fault.message) for fault in flow.warnings] == ([told] if warned else [])


def test_parameters_of_a_flow_that_is_called_are_checked_like_those_of_a_tool():
    takes = {"type": "object", "properties": {"student_id": {"type": "string"}}, "required": ["student_id"]}

    with pytest.raises(FlowError) as raised:
        read(
            flow_of('    - {id: a, action: graph, graph: "편지", params: {student: 3}}'),
            graphs={"편지": Callee({**takes, "additionalProperties": False})},
        )

    assert [str(fault.message) for fault in raised.value.faults] == [
        "unknown parameter 'student'; did you mean 'student_id'?"
    ]


@pytest.mark.parametrize(
    ("graph", "params", "faults"),
    [
        ("chat", "{message: 안녕, profile: assistant}", []),
        ("chat", "{messages: [{role: user, content: 안녕}]}", []),
        ("chat", "{mesage: 안녕}", ["unknown parameter 'mesage'; did you mean 'message'?"]),
        ("chat", "{}", ["the graph needs the parameter 'message' or 'messages'"]),
        (
            "chat",
            "{message: 안녕, messages: []}",
            ["the graph takes either 'message' or 'messages', not both"],
        ),
        ("chat", "{message: 3}", ["needs a text or null, not a whole number"]),
        (
            "chat",
            "{message: 안녕, profile: coahc}",
            ["'coahc' is not one of the allowed values; did you mean 'coach'?"],
        ),
        ("chat", '{message: "$inputs.n"}', ["$inputs.n: needs a text or null, not a whole number"]),
        ("lesson", "{}", []),
        ("lesson", "{chapter: 1}", ["unknown parameter 'chapter'; did you mean 'current_chapter'?"]),
        ("lesson", "{current_chapter: 하나}", ["needs a whole number or null, not a text"]),
        ("tutoring", "{start: {first_problem: 28+15}}", []),
        ("tutoring", "{first_problem: 28+15}", ["the graph needs the parameter 'start'", "unknown parameter"]),
        ("tutoring", "{start: {sead: 1}}", ["unknown parameter 'sead'; did you mean 'seed'?"]),
    ],
)
def test_parameters_of_a_built_in_graph_are_checked_like_those_of_a_tool(graph, params, faults):
    text = flow_of(f"    - {{id: a, action: graph, graph: {graph}, params: {params}}}", "{name: n, type: int}")

    try:
        read(text, graphs=callees())
        found = []
    except FlowError as error:
        found = [str(fault.message) for fault in error.faults]

    assert len(found) == len(faults)
    assert all(one.startswith(other) for one, other in zip(found, faults, strict=True))


def test_a_file_that_is_not_utf_8_says_so(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes('flow: "한글"'.encode("cp949"))

    with pytest.raises(FlowError, match="not UTF-8"):
        load(path, catalogue=CATALOGUE)


@pytest.mark.parametrize(
    "text",
    ["[" * 5_000, "a: " * 5_000, "{" * 200 + "}" * 200, "\x00", "- " * 500, "&a [*a]", "!!python/name:os.system x"],
)
def test_no_text_makes_reading_fail_otherwise_than_with_faults(text):
    with pytest.raises(FlowError):
        read(text)
