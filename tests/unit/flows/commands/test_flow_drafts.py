import json

import pytest

from maththera.flows.checker.flow_checker import load
from maththera.flows.commands.command_matcher import Matcher
from maththera.flows.commands.flow_drafts import NoTemplate, draft_flow
from maththera.llm.model_client import Models
from maththera.settings import home
from tests.support.commands import matcher
from tests.support.fake_llm import FakeLlm
from tests.support.flow_world import catalogue, shipped

pytestmark = pytest.mark.slow  # the analyser takes seconds to load

GOOD = """
flow:
  name: "갭"
  inputs: [{name: student_id, type: string}]
  steps:
    - id: gaps
      mcp_call: {server: logic-engine-mcp, tool: find_concept_gap, params: {student_id: $inputs.student_id}}
"""


async def drafted(text):
    with FakeLlm(text=json.dumps({"yaml": text}, ensure_ascii=False)) as llm:
        models = Models.load(home(), llm.base_url, None, "any")
        try:
            draft = await draft_flow("학생의 갭을 찾아줘", shipped().latest(), catalogue(), matcher(), models)
        finally:
            await models.aclose()
        return draft, llm.requests


@pytest.mark.parametrize("text", [GOOD, f"```yaml\n{GOOD}\n```"])
async def test_what_a_model_writes_is_checked_and_kept(text):
    draft, requests = await drafted(text)

    assert (draft.source, draft.faults, len(requests)) == ("model", [], 1)
    assert load(draft.text, catalogue=catalogue()).name == "갭"


async def test_a_model_is_told_its_mistakes_and_after_some_tries_a_template_stands_in():
    draft, requests = await drafted(GOOD.replace("find_concept_gap", "find_concept_gaps"))

    assert "did you mean" in requests[1]["messages"][1]["content"]
    assert (len(requests), draft.source, draft.faults) == (4, "template", [])


async def test_without_a_model_the_nearest_flow_is_the_template_under_a_name_of_its_own():
    draft = await draft_flow("보호자께 편지를 써줘", shipped().latest(), catalogue(), matcher())

    assert (draft.template, draft.faults) == ("보호자_편지", [])
    flow = load(draft.text, catalogue=catalogue())
    assert (flow.name, flow.description) == ("보호자께_편지를_써줘", "보호자께 편지를 써줘")
    assert flow.examples == ["보호자께 편지를 써줘"], "those of the template would make both be asked back for"


async def test_a_draft_says_nothing_that_is_true_of_its_template_only():
    """What the template's author wrote above it, and which version that is."""
    draft = await draft_flow("약점 분석과 문제, 진단 리포트를 만들어줘", shipped().latest(), catalogue(), matcher())

    assert (draft.template, shipped().latest()["진단_리포트_생성"].version) == ("진단_리포트_생성", "1.1")
    assert load(draft.text, catalogue=catalogue()).version == "1.0"
    head = draft.text.split("flow:")[0]
    assert [line.split(".")[0] for line in head.splitlines()[1:]] == ["# 바탕: 진단_리포트_생성"]


async def test_without_flows_there_is_no_template():
    with pytest.raises(NoTemplate):
        await draft_flow("뭐든", {}, {}, Matcher([], {}, matcher().rules, matcher().names))
