from typing import get_args

import pytest

from maththera.chat.coach.intent_registry import Handling
from maththera.chat.coach.tool_planner import ToolPlanner
from maththera.chat.state import ToolResult
from maththera.store.database import Database
from tests.support.coach import coach_turn, knowledge, pupil
from tests.support.utterances import intents

PLANNER = ToolPlanner(knowledge())


def result(
    tool: str, given: dict[str, object] | None = None, error: str | None = None, **arguments: object
) -> ToolResult:
    return ToolResult(tool=tool, arguments=arguments, result=given or {}, error=error, cached=False)


async def test_the_worked_example_takes_three_rounds(played: Database) -> None:
    """ "내 약점을 분석해줘": weak points of all units, then of the weakest two, then nothing more; no chart."""
    turn = await coach_turn(played, pupil("s1"), "records", "내 약점을 분석해줘")
    overview = turn.rounds[0][0]["result"]
    weak = [unit for unit, one in overview.items() if one["weak_metrics"]]
    assert turn.called == [
        [("get_weak_points", {})],
        [("get_weak_points", {"unit_id": unit}) for unit in weak[:2]],
    ]
    assert len(weak) >= 2
    assert turn.chart is None
    assert "약점" in turn.answer or "익히면" in turn.answer


@pytest.mark.parametrize(
    ("handling", "message", "calls"),
    [
        ("records", "내 성적 보여줘", [("get_user_scores", {})]),
        ("records", "구구단 약점이 뭐야?", [("get_weak_points", {"unit_id": "Cur-C13"})]),
        (
            "study_plan",
            "C9는 어떻게 공부해?",
            [
                ("get_weak_points", {"unit_id": "Cur-C9"}),
                ("get_unit_curriculum", {"unit_id": "Cur-C9"}),
                ("recommend_next_problem", {"unit_id": "Cur-C9"}),
            ],
        ),
        ("study_plan", "약점을 극복하려면?", [("get_weak_points", {})]),
        ("encouragement", "나 잘할 수 있을까?", [("get_user_scores", {}), ("get_recent_activity", {"limit": 5})]),
        ("declined", "날씨 어때?", []),
        ("worked_solution", "8+6 내 답은 13", [("get_problem_explanation", {"expression": "8+6", "answer": 13})]),
        ("worked_solution", "P-00847 설명해줘", [("get_problem_explanation", {"problem_id": "P-00847"})]),
        ("worked_solution", "이 문제 못 풀었어", [("get_problem_explanation", {})]),
        ("worked_solution", "3.5+2 계산해줘", [("get_problem_explanation", {"expression": "3.5+2"})]),
        ("worked_solution", "12-5+3=10 맞지?", [("get_problem_explanation", {"expression": "12−5+3", "answer": 10})]),
        (
            "worked_solution",
            "1+1, 2+2, 3+3, 4+4 풀어줘",
            [("get_problem_explanation", {"expression": one}) for one in ("1+1", "2+2", "3+3")],
        ),
        ("explanation", "받아올림이 뭐야?", [("get_unit_curriculum", {"unit_id": "Cur-C7"})]),
        ("explanation", "재귀가 뭐야?", []),
        ("recommendation", "다음에 뭘 풀까?", [("get_user_scores", {}), ("recommend_next_problem", {})]),
        (
            "recommendation",
            "덧셈이랑 뺄셈 중에 뭐가 좋아?",
            [
                ("get_user_scores", {}),
                ("recommend_next_problem", {"unit_id": "Cur-C8"}),
                ("recommend_next_problem", {"unit_id": "Cur-C10"}),
            ],
        ),
    ],
)
def test_the_first_round(handling: Handling, message: str, calls: list[tuple[str, dict[str, object]]]) -> None:
    planned = PLANNER.next_round(handling, message, [])
    assert [(call["tool"], call["arguments"]) for call in planned] == calls
    assert {call["tool"] for call in planned} <= set(intents().registry.handled_as(handling).tools)


def test_a_plan_goes_by_what_was_found() -> None:
    weak = {"Cur-C11": {"weak_metrics": [{}]}, "Cur-C8": {"weak_metrics": []}}
    second = PLANNER.next_round("study_plan", "약점을 극복하려면?", [[result("get_weak_points", weak)]])
    assert [(call["tool"], call["arguments"]) for call in second] == [
        ("get_unit_curriculum", {"unit_id": "Cur-C11"}),
        ("recommend_next_problem", {"unit_id": "Cur-C11"}),
    ]


def test_without_weak_points_the_recommended_unit_is_learnt() -> None:
    rounds = [[result("get_weak_points", {"message": "기록이 없어"})]]
    assert PLANNER.next_round("study_plan", "어떻게 공부해?", rounds) == [
        {"tool": "recommend_next_problem", "arguments": {}}
    ]
    rounds.append([result("recommend_next_problem", {"unit_id": "Cur-C1"})])
    assert PLANNER.next_round("study_plan", "어떻게 공부해?", rounds) == [
        {"tool": "get_unit_curriculum", "arguments": {"unit_id": "Cur-C1"}}
    ]


@pytest.mark.parametrize("handling", get_args(Handling))
@pytest.mark.parametrize("message", ["내 약점은 어떻게 고쳐?", "8+6", "구구단", ""])
def test_it_comes_to_an_end_when_every_call_fails(handling: Handling, message: str) -> None:
    rounds: list[list[ToolResult]] = []
    while calls := PLANNER.next_round(handling, message, rounds):
        rounds.append([result(call["tool"], error="gone", **call["arguments"]) for call in calls])
    assert len(rounds) <= 2
