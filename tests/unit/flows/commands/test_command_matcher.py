from dataclasses import replace
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


def test_students_are_called_by_their_names():
    named = matcher().knowing({"가람": "s1", "나래": "s2"})

    assert named.choose("가람이말고 나래 진단 리포트 만들어줘", today()).parameters == {"student_id": "s2"}
    assert matcher().choose("나래 진단 리포트 만들어줘", today()).missing == ("student_id",)


def test_a_flow_that_the_model_has_not_learnt_is_told_by_its_examples():
    flow = shipped().best("보호자_편지")
    changes = {"name": "자리_배치", "examples": ["새 학기 자리 배치를 짜줘", "자리를 바꿔 앉게 해줘"]}
    own = replace(flow, model=flow.model.model_copy(update=changes))
    with_own = Matcher([own], {}, matcher().rules, matcher().names)

    choice = with_own.choose("s1 새 학기 자리 배치 짜줘", today())

    assert (choice.kind, choice.name) == ("flow", "자리_배치")
    assert with_own.choose("s1 학급 회의 열어줘", today()).kind == "ask"


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
        ("s1 진단 리포트 만들고 문제도 10개 만들어줘", "어떤 일을 할까요?"),
        ("s1 지난달 개념 갭 찾아줘", "‘지난달’에 맞추어"),
        ("s1 한 달 동안 풀 학습지 만들어줘", "‘한 달 동안’에 맞추어"),
        ("s1 지난달 말까지 진단 리포트", "‘지난달 말’을 알아듣지 못했습니다"),
        ("s1 지난달이랑 비교해서 진단 리포트", "어떤 일을 할까요?"),
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


def test_every_sum_of_a_command_is_checked():
    choice = matcher().choose("학습지 채점해줘 34+27=61, 45-18=37, 60-24=36", today())

    assert choice.kind == "tools"
    assert [call.arguments["problem"] for call in choice.calls] == [
        {"expression": "34+27", "answer": 61},
        {"expression": "45-18", "answer": 37},
        {"expression": "60-24", "answer": 36},
    ]


def test_both_sums_are_weighed_where_two_are_compared():
    choice = matcher().choose("52+19랑 52-19 중에 뭐가 더 어려워?", today())

    assert [call.arguments for call in choice.calls] == [{"problem_id": "X:52+19:h"}, {"problem_id": "X:52-19:h"}]


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("덧셈 문제 20개 받아올림 없는 거", {"concepts": ["덧셈"], "carries": False}),
        ("받아내림 있는 두 자리 뺄셈 10개", {"concepts": ["두 자리 수의 뺄셈"], "carries": True}),
        ("구구단 7단 문제 내줘", {"concepts": ["구구단"], "tables": [7]}),
        ("3학년 나눗셈 문제 찾아줘", {"concepts": ["Cur-C14"]}),
        ("쉬운 뺄셈 문제 3개만", {"concepts": ["뺄셈"], "difficulty": 2}),
    ],
)
def test_conditions_on_tasks_are_kept(command, wanted):
    choice = matcher().choose(command, today())

    assert (choice.kind, choice.parameters["target_dna"]) == ("tools", wanted)


def test_the_operation_of_the_wrong_answers_is_kept():
    choice = matcher().choose("s1 뺄셈 틀린 것만 보여줘", today())

    assert choice.parameters == {"student_id": "s1", "operation": "-"}


def test_a_unit_of_a_grade_and_term_is_told_for_each_of_its_parts():
    choice = matcher().choose("2학년 1학기 덧셈과 뺄셈 단원 교육과정 알려줘", today())

    assert [call.arguments for call in choice.calls] == [{"concept_id": "Cur-C8"}, {"concept_id": "Cur-C10"}]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("17÷5=3 나머지 2 맞지?", "나머지 2"),
        ("받아내림 두 번 있는 세 자리 뺄셈 6문제", "두 번 있는"),
        ("길이 재기 단원에서 뭐 배워?", "여기에 없습니다"),
        ("s1 진단하고 계획 짜고 보고서까지 한번에", "한 번에 한 가지씩"),
        ("38+47 풀이 과정 써줘", "풀이를 적는 일은"),
    ],
)
def test_what_cannot_be_kept_is_named_and_nothing_is_done(command, told):
    choice = matcher().choose(command, today())

    assert choice.kind == "ask"
    assert told in (choice.question or "")


def test_a_missing_student_is_asked_for_with_those_who_are_known():
    choice = matcher().knowing({"하늘": "s1"}).choose("영희 약한 단원 보여줘", today())

    assert choice.kind == "ask"
    assert "하늘" in (choice.question or "")
