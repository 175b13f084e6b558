import pytest

from maththera.chat.calls import Result
from maththera.chat.planning import Planner
from maththera.learners.database import Database
from tests.support.coach import coach_turn, knowledge, pupil

PLANNER = Planner(knowledge())
TOOLS = knowledge().coach.config.intent_tools


def result(tool: str, given: dict[str, object] | None = None, error: str | None = None, **arguments: object) -> Result:
    return Result(tool=tool, arguments=arguments, result=given or {}, error=error, cached=False)


async def test_the_worked_example_takes_three_rounds(played: Database) -> None:
    """ "내 약점을 분석해줘": weak points of all units, then of the weakest two, then nothing more; no chart."""
    turn = await coach_turn(played, pupil("s1"), "A", "내 약점을 분석해줘")
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
    ("intent", "message", "calls"),
    [
        ("A", "내 성적 보여줘", [("get_user_scores", {})]),
        ("A", "구구단 약점이 뭐야?", [("get_weak_points", {"unit_id": "Cur-C13"})]),
        (
            "B",
            "C9는 어떻게 공부해?",
            [
                ("get_weak_points", {"unit_id": "Cur-C9"}),
                ("get_unit_curriculum", {"unit_id": "Cur-C9"}),
                ("recommend_next_problem", {"unit_id": "Cur-C9"}),
            ],
        ),
        ("B", "약점을 극복하려면?", [("get_weak_points", {})]),
        ("C", "나 잘할 수 있을까?", [("get_user_scores", {}), ("get_recent_activity", {"limit": 5})]),
        ("D", "날씨 어때?", []),
        ("E", "8+6 내 답은 13", [("get_problem_explanation", {"expression": "8+6", "answer": 13})]),
        ("E", "P-00847 설명해줘", [("get_problem_explanation", {"problem_id": "P-00847"})]),
        ("E", "이 문제 못 풀었어", [("get_problem_explanation", {})]),
        ("E", "3.5+2 계산해줘", [("get_problem_explanation", {"expression": "3.5+2"})]),
        ("E", "12-5+3=10 맞지?", [("get_problem_explanation", {"expression": "12−5+3", "answer": 10})]),
        (
            "E",
            "1+1, 2+2, 3+3, 4+4 풀어줘",
            [("get_problem_explanation", {"expression": one}) for one in ("1+1", "2+2", "3+3")],
        ),
        ("F", "받아올림이 뭐야?", [("get_unit_curriculum", {"unit_id": "Cur-C7"})]),
        ("F", "재귀가 뭐야?", []),
        ("G", "다음에 뭘 풀까?", [("get_user_scores", {}), ("recommend_next_problem", {})]),
        (
            "G",
            "덧셈이랑 뺄셈 중에 뭐가 좋아?",
            [
                ("get_user_scores", {}),
                ("recommend_next_problem", {"unit_id": "Cur-C8"}),
                ("recommend_next_problem", {"unit_id": "Cur-C10"}),
            ],
        ),
    ],
)
def test_the_first_round(intent: str, message: str, calls: list[tuple[str, dict[str, object]]]) -> None:
    planned = PLANNER.next_round(intent, message, [])
    assert [(call["tool"], call["arguments"]) for call in planned] == calls
    assert {call["tool"] for call in planned} <= set(TOOLS[intent])  # type: ignore[index]


def test_a_plan_goes_by_what_was_found() -> None:
    weak = {"Cur-C11": {"weak_metrics": [{}]}, "Cur-C8": {"weak_metrics": []}}
    second = PLANNER.next_round("B", "약점을 극복하려면?", [[result("get_weak_points", weak)]])
    assert [(call["tool"], call["arguments"]) for call in second] == [
        ("get_unit_curriculum", {"unit_id": "Cur-C11"}),
        ("recommend_next_problem", {"unit_id": "Cur-C11"}),
    ]


def test_without_weak_points_the_recommended_unit_is_learnt() -> None:
    rounds = [[result("get_weak_points", {"message": "기록이 없어"})]]
    assert PLANNER.next_round("B", "어떻게 공부해?", rounds) == [{"tool": "recommend_next_problem", "arguments": {}}]
    rounds.append([result("recommend_next_problem", {"unit_id": "Cur-C1"})])
    assert PLANNER.next_round("B", "어떻게 공부해?", rounds) == [
        {"tool": "get_unit_curriculum", "arguments": {"unit_id": "Cur-C1"}}
    ]


@pytest.mark.parametrize("intent", "ABCDEFG")
@pytest.mark.parametrize("message", ["내 약점은 어떻게 고쳐?", "8+6", "구구단", ""])
def test_it_comes_to_an_end_when_every_call_fails(intent: str, message: str) -> None:
    rounds: list[list[Result]] = []
    while calls := PLANNER.next_round(intent, message, rounds):
        rounds.append([result(call["tool"], error="gone", **call["arguments"]) for call in calls])
    assert len(rounds) <= 2
