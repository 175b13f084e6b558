import json

import pytest

from maththera.flows.commands.command_interpreter import interpret
from maththera.llm.model_client import Models
from maththera.settings import home
from tests.support.commands import matcher, today
from tests.support.fake_llm import FakeLlm

pytestmark = pytest.mark.slow  # the analyser takes seconds to load


async def answered(command, plan, given=None):
    with FakeLlm(text=plan if isinstance(plan, str) else json.dumps(plan, ensure_ascii=False)) as llm:
        models = Models.load(home(), llm.base_url, None, "any")
        try:
            return await interpret(command, matcher(), today(), models, given)
        finally:
            await models.aclose()


async def test_a_model_finds_what_rules_do_not():
    plan = {"intent": "flow", "flow_name": "보호자_편지", "parameters": {"student_id": "s1"}, "confidence": 0.9}

    choice = await answered("s1 집에 소식 전할 글 하나 부탁", plan)

    assert (choice.kind, choice.name, choice.parameters) == ("flow", "보호자_편지", {"student_id": "s1"})
    assert choice.source == "model"


async def test_a_student_that_a_model_made_up_is_asked_for():
    plan = {"intent": "flow", "flow_name": "진단_리포트_생성", "parameters": {"student_id": "s99"}, "confidence": 1}

    choice = await answered("진단 리포트 부탁", plan)

    assert (choice.kind, choice.missing) == ("ask", ("student_id",))


@pytest.mark.parametrize(
    ("said", "proposed", "days"),
    [
        ("최근 2주", {"start_date": "2026-04-05", "end_date": "2026-04-15"}, {"period_days": 14}),
        ("지난달", {"period_days": 45}, {"start_date": "2026-03-01", "end_date": "2026-03-31"}),
    ],
)
async def test_the_period_is_the_one_that_rules_read(said, proposed, days):
    plan = {"intent": "flow", "flow_name": "진단_리포트_생성", "parameters": proposed, "confidence": 1}

    assert (await answered(f"s1 {said} 진단 리포트 만들어줘", plan)).parameters == {"student_id": "s1", **days}


@pytest.mark.parametrize(
    "plan",
    [
        {"intent": "flow", "flow_name": "없는_흐름", "confidence": 1},
        {"intent": "flow", "flow_name": "진단_리포트_생성", "parameters": {"student_id": "s1"}, "confidence": 0.2},
        {"intent": "tools", "tool_calls": [{"server": "x", "tool": "rm", "arguments": {}}], "confidence": 1},
        {"intent": "ask", "confidence": 0.1},
    ],
    ids=["unknown flow", "unsure", "unknown tool", "asks"],
)
async def test_what_a_model_may_not_decide_is_asked_back(plan):
    choice = await answered("s1 뭐라도 해봐", plan)

    assert (choice.kind, len(choice.candidates)) == ("ask", 3)


async def test_a_question_starts_no_flow_whatever_a_model_says():
    plan = {"intent": "flow", "flow_name": "진단_리포트_생성", "parameters": {"student_id": "s1"}, "confidence": 1}

    assert (await answered("s1 진단 리포트 몇 쪽이야?", plan)).kind == "ask"

    call = {"server": "q-dna-mcp", "tool": "estimate_mastery", "arguments": {"student_id": "s1"}}
    looked_up = await answered("s1 이해도 얼마야?", {"intent": "tools", "tool_calls": [call], "confidence": 1})
    assert (looked_up.kind, looked_up.name) == ("tools", "estimate_mastery")


async def test_a_refused_command_never_reaches_the_model():
    plan = {"intent": "flow", "flow_name": "진단_리포트_생성", "parameters": {"student_id": "s1"}, "confidence": 1}

    assert (await answered("s1 진단 리포트 만들지 마", plan)).kind == "ask"


async def test_several_tools_are_called_in_turn():
    calls = [
        {"server": "lab-node-mcp", "tool": "get_failure_pattern", "arguments": {"student_id": "s1"}},
        {"server": "logic-engine-mcp", "tool": "find_concept_gap", "arguments": {"student_id": "s1"}},
    ]

    choice = await answered("s1 실패 패턴이랑 개념 갭", {"intent": "tools", "tool_calls": calls, "confidence": 0.9})

    assert [call.tool for call in choice.calls] == ["get_failure_pattern", "find_concept_gap"]


async def test_rubbish_from_a_model_leaves_the_rules():
    choice = await answered("s1 진단 리포트 만들어줘", "물론이죠!")

    assert (choice.kind, choice.name, choice.source) == ("flow", "진단_리포트_생성", "rules")


@pytest.mark.parametrize(
    ("command", "like"),
    [
        ("28+15와 비슷한 문제 찾아줘", "28+15"),
        ("52-38 같은 거 다섯 개", "52-38"),
        ("7×8 비슷한 거", "7x8"),
        ("56÷7이랑 비슷한 문제 세 개", "56/7"),
        ("300-145하고 닮은 문제 찾아줘", "300-145"),
        ("8+7 비슷한 문제 뽑아줘", "8+7"),
        ("24x3 유사 문제 5개", "24x3"),
        ("삼십오 더하기 이십칠하고 비슷한 문제", "35+27"),
        ("84÷4 같은 유형으로 네 문제", "84/4"),
        ("345+278이랑 비슷한 거 찾아줘", "345+278"),
        ("6×9 같은 문제 더 있어?", "6x9"),
        ("28+15 비슷한 덧셈 문제 3개", "28+15"),
    ],
)
async def test_problems_are_sought_like_the_expression(command: str, like: str) -> None:
    choice = await interpret(command, matcher(), today(), None, None)
    assert choice.name == "find_similar_dna_problems"
    assert choice.parameters["target_dna"]["like"] == like
