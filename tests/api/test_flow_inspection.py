"""What an author's page asks about a text that is not saved."""

import time
from typing import Any

import pytest

from maththera.api.flows import LONGEST_FLOW
from maththera.store.access.authorization import Role
from tests.api.conftest import FlowApi
from tests.support.flow_home import FLOWS

pytestmark = pytest.mark.slow

TEXT = FLOWS["쓰기"].lstrip()


async def inspected(api: FlowApi, text: str, **inputs: Any) -> dict[str, Any]:
    answer = await api.client.post("/api/v1/flows/inspect", json={"text": text, "inputs": inputs})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def cut(text: str, span: dict[str, int]) -> str:
    """What stands at a piece of one line."""
    assert span["line"] == span["end_line"]
    return text.splitlines()[span["line"] - 1][span["column"] - 1 : span["end_column"] - 1]


def with_repair(text: str, repair: dict[str, Any]) -> str:
    rows, span = text.splitlines(keepends=True), repair["span"]
    row = rows[span["line"] - 1]
    rows[span["line"] - 1] = row[: span["column"] - 1] + repair["text"] + row[span["end_column"] - 1 :]
    return "".join(rows)


@pytest.mark.parametrize(
    ("right", "wrong", "marked"),
    [
        ("tool: write", "tool: wirte", "wirte"),
        ("server: faulty", "server: falty", "falty"),
        ("$inputs.word", "$inputs.wrd", "wrd"),
        ("$note_result.count", "$note_result.cuont", "cuont"),
        ("type: string}, {", "type: strin}, {", "strin"),
        ("outputs:", "outptus:", "outptus"),
        ('tool: write', 'tool: "wirte"', "wirte"),
    ],
)  # fmt: skip
async def test_a_mark_is_on_the_very_characters_and_its_repair_mends_them(
    flow_api: FlowApi, right: str, wrong: str, marked: str
) -> None:
    text = TEXT.replace(right, wrong, 1)
    assert text != TEXT
    mark = next(mark for mark in (await inspected(flow_api, text))["marks"] if mark["repairs"])
    assert (mark["severity"], cut(text, mark["span"])) == ("error", marked)
    mended = await inspected(flow_api, with_repair(text, mark["repairs"][0]))
    assert not [each for each in mended["marks"] if each["severity"] == "error"]


async def test_a_text_without_faults_is_drawn_and_planned(flow_api: FlowApi) -> None:
    found = await inspected(flow_api, TEXT, word="하나")
    assert [(line["source"], line["target"]) for line in found["drawing"]["lines"]] == [
        ("__start__", "note"),
        ("note", "__end__"),
    ]
    (step,) = found["plan"]
    assert (step["what"], step["values"]) == ("faulty.write", {"word": "하나"})
    assert {"$inputs.word", "$note_result", "$note_result.count"} <= {name["text"] for name in found["names"]}
    assert found["flow"]["name"] == "쓰기"


async def test_a_text_with_faults_still_has_its_steps(flow_api: FlowApi) -> None:
    found = await inspected(flow_api, TEXT.replace("tool: write", "tool: wirte"))
    assert [(step["id"], step["line"]) for step in found["steps"]] == [("note", 7)]
    assert (found["drawing"], found["plan"]) == (None, None)


async def test_inputs_that_do_not_fit_are_named_beside_the_marks(flow_api: FlowApi) -> None:
    found = await inspected(flow_api, TEXT, word=7)
    assert list(found["input_errors"]) == ["word"]
    assert found["drawing"] is not None


@pytest.mark.parametrize("text", ["", "flow:", "a: [", "\t", "flow: {steps: 3}", "가" * LONGEST_FLOW])
async def test_any_text_is_answered(flow_api: FlowApi, text: str) -> None:
    found = await inspected(flow_api, text)
    rows = text.splitlines() or [""]
    assert found["marks"]
    for mark in found["marks"]:
        assert 1 <= mark["span"]["line"] <= mark["span"]["end_line"] <= len(rows) + 1


async def test_a_text_that_is_too_long_is_refused(flow_api: FlowApi) -> None:
    answer = await flow_api.client.post("/api/v1/flows/inspect", json={"text": "a" * (LONGEST_FLOW + 1)})
    assert (answer.status_code, answer.json()["errors"][0]["loc"]) == (422, "body.text")


def long_flow(steps: int) -> str:
    rows = ["flow:", "  name: 긴_흐름", "  inputs: [{name: word, type: string}]", "  steps:"]
    for number in range(steps):
        rows += [
            f"    - id: s{number}",
            f"      name: {number}번째",
            "      mcp_call: {server: faulty, tool: write, params: {word: $inputs.word}}",
            *([f"      depends_on: [s{number - 1}]"] if number % 5 else []),
        ]
    return "\n".join([*rows, "  outputs: {n: $s0_result.count}", ""])


@pytest.mark.parametrize(("steps", "allowed_ms"), [(50, 200), (300, 400)])
async def test_an_answer_comes_while_one_types(flow_api: FlowApi, steps: int, allowed_ms: int) -> None:
    """The quickest counts, as other tests run beside this one."""
    text, took = long_flow(steps), []
    for number in range(9):
        began = time.perf_counter()
        found = await inspected(flow_api, text.replace("긴_흐름", f"긴_흐름{number}"))
        took.append((time.perf_counter() - began) * 1000)
        assert len(found["drawing"]["boxes"]) == steps + 2
    assert min(took) < allowed_ms


async def test_a_text_is_tested_before_it_is_saved(flow_api: FlowApi) -> None:
    text = TEXT.replace("outputs: {count:", "outputs: {number:")
    suite = (await flow_api.client.post("/api/v1/flows/sample-tests", json={"text": text})).json()["tests"]
    body = {"text": text, "tests": suite}
    found = (await flow_api.client.post("/api/v1/flows/test", json=body)).json()
    assert found["passed"], found
    body["tests"] = suite.replace("status: completed", "outputs: {number: 99}")
    failed = (await flow_api.client.post("/api/v1/flows/test", json=body)).json()
    assert not failed["passed"]
    (why,) = failed["tests"][0]["failures"]
    assert "99" in why["english"]
    assert "99" in why["korean"]


async def test_a_text_with_faults_is_not_tested(flow_api: FlowApi) -> None:
    body = {"text": TEXT.replace("tool: write", "tool: wirte")}
    for what in ("test", "sample-tests"):
        answer = await flow_api.client.post(f"/api/v1/flows/{what}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "flow_invalid")


async def test_a_sample_stays_small(flow_api: FlowApi) -> None:
    many = "form: {type: object, properties: {all: {type: array, minItems: 1000000000}}, required: [all]}"
    text = (
        FLOWS["승인"]
        .replace("question:", f"{many}\n      question:")
        .replace("$ask_result.approved", "len($ask_result.all) > 0")
    )
    answer = await flow_api.client.post("/api/v1/flows/sample-tests", json={"text": text})
    assert answer.status_code == 200
    assert len(answer.text) < 1000


async def test_who_may_ask_what(flow_api: FlowApi) -> None:
    allowed = {}
    roles: tuple[Role, ...] = ("student", "guardian", "teacher", "author")
    for role in roles:
        headers = await flow_api.as_(role, *([] if role == "author" else ["s1"]))
        for what in ("inspect", "test", "sample-tests"):
            answer = await flow_api.client.post(f"/api/v1/flows/{what}", json={"text": TEXT}, headers=headers)
            allowed[role, what] = answer.status_code == 200
            assert answer.status_code in (200, 403)
    assert {one for one, may in allowed.items() if may} == {
        ("teacher", "inspect"), ("author", "inspect"), ("author", "test"), ("author", "sample-tests"),
    }  # fmt: skip


async def test_the_language_has_a_schema(flow_api: FlowApi) -> None:
    document = (await flow_api.client.get("/api/v1/flow-schema")).json()["document"]
    assert "steps" in document["$defs"]["FlowModel"]["properties"]
