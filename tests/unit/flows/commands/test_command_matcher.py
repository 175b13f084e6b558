from datetime import date

import pytest

from maththera.flows.commands.command_entities import read_entities
from maththera.flows.commands.command_matcher import Matcher
from tests.support.commands import HALVES, commands, matcher, measured, today
from tests.support.flow_world import shipped

pytestmark = pytest.mark.slow  # the analyser takes seconds to load


def test_commands_are_many_and_each_stands_once():
    said = [command.say for half in HALVES for command in commands(half)]

    assert len(said) == len(set(said)) >= 120
    assert {half: sum(command.asks for command in commands(half)) >= 30 for half in HALVES} == dict.fromkeys(
        HALVES, True
    )


@pytest.mark.parametrize(("half", "targets"), [("development", 0.97), ("test", 0.88)])
def test_commands_are_understood_and_wrong_acts_are_rare(half, targets):
    score = measured(half)

    assert score.wrong_acts == 0, score.failures
    assert score.targets >= targets * score.commands, score.failures
    assert score.parameters >= 0.95 * score.with_parameters


def test_a_vague_command_is_answered_with_the_three_nearest_flows():
    choice = matcher().choose("리포트", today())

    assert choice.kind == "ask"
    assert len(choice.candidates) == 3
    assert {"진단_리포트_생성", "학급_리포트"} <= {each.name for each in choice.candidates}
    assert choice.candidates[0].confidence >= choice.candidates[2].confidence


def test_what_the_screen_knows_fills_what_the_command_leaves_open():
    choice = matcher().choose("진단 리포트 만들어줘", today(), {"student_id": "s7"})

    assert (choice.kind, choice.parameters) == ("flow", {"student_id": "s7"})


def test_the_command_outranks_the_screen():
    choice = matcher().choose("s1 진단 리포트 만들어줘", today(), {"student_id": "s7"})

    assert choice.parameters == {"student_id": "s1"}


@pytest.mark.parametrize(
    ("command", "days"),
    [
        ("s1 지난달 진단 리포트", {"start_date": "2026-03-01", "end_date": "2026-03-31"}),
        ("s1 작년 12월 진단 리포트", {"start_date": "2025-12-01", "end_date": "2025-12-31"}),
        ("s1 3월 2일부터 3월 20일까지 진단 리포트", {"start_date": "2026-03-02", "end_date": "2026-03-20"}),
        ("s1 보호자 편지 3월 것만 써줘", {"start_date": "2026-03-01", "end_date": "2026-03-31"}),
        ("s1 어제 진단 리포트", {"start_date": "2026-04-14", "end_date": "2026-04-14"}),
        ("s1 오늘 진단 리포트", {"start_date": "2026-04-15", "end_date": "2026-04-15"}),
        ("s1 지난달부터 진단 리포트", {"period_days": 45}),
        ("s1 3월 2일부터 4월 20일까지 진단 리포트", {"period_days": 44}),
        ("s1 최근 2주 진단 리포트", {"period_days": 14}),
        ("s1 두 달 진단 리포트", {"period_days": 60}),
    ],
)
def test_a_period_that_has_ended_is_told_by_its_dates(command, days):
    choice = matcher().choose(command, today())

    assert (choice.kind, choice.parameters) == ("flow", {"student_id": "s1", **days})


def test_a_number_of_days_is_that_of_the_last_ones_for_a_tool_that_takes_dates():
    choice = matcher().choose("s1 2주 동안 실패 패턴 보여줘", today())

    assert choice.parameters == {"student_id": "s1", "start_date": "2026-04-01", "end_date": "2026-04-15"}


def test_a_flow_that_only_counts_days_until_today_is_not_started_for_an_earlier_period():
    counting = Matcher([shipped().best("진단_리포트_생성", "1.0")], {}, matcher().rules, matcher().names)

    choice = counting.choose("s1 지난달 진단 리포트 만들어줘", today())

    assert choice.kind == "ask"
    assert "‘지난달’에 맞추어" in (choice.question or "")
    assert counting.choose("s1 최근 2주 진단 리포트 만들어줘", today()).parameters["period_days"] == 14


def test_a_tool_is_called_directly():
    choice = matcher().choose("s2 개념 갭 찾아줘", today())

    [call] = choice.calls
    assert (choice.kind, call.server, call.tool, call.arguments) == (
        "tools", "logic-engine-mcp", "find_concept_gap", {"student_id": "s2"},
    )  # fmt: skip


@pytest.mark.parametrize("command", ["", " ", "?" * 5_000, "\0", "학생 " * 400, "s1" * 2_000, "$inputs.x", "🙂🙂🙂"])
def test_anything_may_be_said(command):
    assert matcher().choose(command, today()).kind == "ask"


def test_without_flows_and_tools_there_is_nothing_to_do():
    empty = Matcher([], {}, matcher().rules, matcher().names)

    choice = empty.choose("진단 리포트", date(2026, 4, 15))

    assert (choice.kind, choice.candidates) == ("ask", ())


def test_a_slip_in_a_word_is_mended():
    found = read_entities("진단 리폿트 s4", matcher().rules, matcher().names, today())

    assert matcher().ranked(found)[0][0].name == "진단_리포트_생성"


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        ("민지 진단 리포트 뽑아줘", "어느 학생인가요?"),
        ("s1 진단 리포트 만들고 문제도 10개 만들어줘", "‘10개’에 맞추어 할 수 없습니다"),
        ("s1 지난달 개념 갭 찾아줘", "‘지난달’에 맞추어"),
        ("s1 한 달 동안 풀 학습지 만들어줘", "‘한 달 동안’에 맞추어"),
        ("s1 지난달 말까지 진단 리포트", "‘지난달 말’을 알아듣지 못했습니다"),
        ("s1 지난달이랑 비교해서 진단 리포트", "견주는 일은"),
        ("지난달에 만든 s1 진단 리포트 보여줘", "이미 만든 것은"),
        ("s1 주간 학습지 서술형 없이 10문제", "빼고 만드는 일은"),
        ("s1 맞춤 문제 쉬운 걸로 만들어줘", "‘쉬운’"),
        ("s1 4월 31일 실패 패턴", "‘4월 31일’을 알아듣지 못했습니다"),
        ("s5~s1 학급 리포트", "‘s5~s1’을 알아듣지"),
        ("s1 맞춤 문제 0개", "몇 개를 할까요?"),
        ("이 문제가 맞는지 검증해줘", "어느 문제인가요?"),
        ("s1 상장 만들어줘", "알아듣지 못했습니다"),
        ("s1 국어 진단 리포트", "수학"),
        ("s3 어제까지 실패 패턴", "‘어제까지’를"),
        ("난이도 9 곱셈 문제 찾아줘", "난이도는 1"),
        ("s3 덧셈에서 곱셈까지 학습 경로", "‘곱셈’"),
    ],
)
def test_the_question_names_what_is_wrong(command, asked):
    choice = matcher().choose(command, today())

    assert choice.kind == "ask"
    assert asked in (choice.question or "")
