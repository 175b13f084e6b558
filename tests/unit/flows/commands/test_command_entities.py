from datetime import date

import pytest

from maththera.flows.commands.command_entities import read_entities
from maththera.flows.commands.command_rules import KnownNames, load_command_rules, load_known_names
from maththera.flows.commands.slot_filling import ReadCommand, fill_slots
from maththera.korean.dates import Period, read_days
from maththera.settings import home

TODAY = date(2026, 4, 15)  # a Wednesday
RULES = load_command_rules(home())
NAMES = load_known_names(home(), RULES, schools={"새싹초등학교 (예시)": "SAMPLE-0001"}, students={"김민수": "s77"})


@pytest.mark.parametrize(
    "text",
    ["4월 31일", "13월 5일", "2월 30일부터", "3월 10일부터 3월 2일까지", "3월 초", "한 달 전", "상반기", "어제와 3월",
     "지난주 금요일", "3월 10일까지", "2026-13-01", "2026-02-30부터", "3-2부터 3-10까지", "재작년", "재작년 3월",
     "10일", "3,4월", "3~4월", "지난 주말", "지난달 초", "작년 말", "지난달 말까지", "지난달 15일", "지난달 첫 주",
     "어제 오늘", "어제랑 그제", "개학 이후", "입학 때부터", "최근 99999년", "99999년 동안", "99999년 전부터"],
)  # fmt: skip
def test_a_day_that_there_is_not_or_not_surely_is_told(text):
    assert read_days(f" {text} ", TODAY).unread


@pytest.mark.parametrize(
    "text", ["12-5", "12/3=4", "12/3 문제", "0.5+0.3", "이번 주", "요일별로", "다음 주 월요일부터 금요일까지"]
)
def test_an_exercise_and_a_plan_are_no_days(text):
    days = read_days(f" {text} ", TODAY)
    assert days.unread is None
    assert days.period is None or text == "이번 주"


def found(command):
    return read_entities(command, RULES, NAMES, TODAY)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("지난주", "2026-04-06", "2026-04-12"),
        ("저번 주", "2026-04-06", "2026-04-12"),
        ("지지난주", "2026-03-30", "2026-04-05"),
        ("이번 주", "2026-04-13", "2026-04-15"),
        ("최근 2주", "2026-04-01", "2026-04-15"),
        ("2주 전부터", "2026-04-01", "2026-04-15"),
        ("사흘 전", "2026-04-12", "2026-04-12"),
        ("어제부터", "2026-04-14", "2026-04-15"),
        ("지난주부터 어제까지", "2026-04-06", "2026-04-14"),
        ("작년 3월부터 작년 5월까지", "2025-03-01", "2025-05-31"),
        ("지난 3월", "2026-03-01", "2026-03-31"),
        ("지난 열흘 동안", "2026-04-05", "2026-04-15"),
        ("최근 한 달", "2026-03-16", "2026-04-15"),
        ("지난달", "2026-03-01", "2026-03-31"),
        ("이번 달", "2026-04-01", "2026-04-15"),
        ("이 달", "2026-04-01", "2026-04-15"),
        ("이 주", "2026-04-13", "2026-04-15"),
        ("지지난달", "2026-02-01", "2026-02-28"),
        ("3월 1일부터", "2026-03-01", "2026-04-15"),
        ("3월 1일부터 3월 15일까지", "2026-03-01", "2026-03-15"),
        ("12월 1일부터", "2025-12-01", "2026-04-15"),
        ("12월 20일부터 1월 5일까지", "2025-12-20", "2026-01-05"),
        ("2026-03-02부터", "2026-03-02", "2026-04-15"),
        ("2026.3.2 ~ 2026.3.9", "2026-03-02", "2026-03-09"),
        ("3월", "2026-03-01", "2026-03-31"),
        ("11월에", "2025-11-01", "2025-11-30"),
        ("어제", "2026-04-14", "2026-04-14"),
        ("그저께", "2026-04-13", "2026-04-13"),
        ("이번 학기", "2026-03-01", "2026-04-15"),
        ("지난 학기", "2025-09-01", "2026-02-28"),
        ("작년", "2025-01-01", "2025-12-31"),
    ],
)
def test_periods(text, start, end):
    assert read_days(f"s1 {text} 리포트", TODAY).period == Period(date.fromisoformat(start), date.fromisoformat(end))


@pytest.mark.parametrize("text", ["리포트", "2월 30일부터", "3학년 2반", "28+15", "문제 5개", "s9 주간 학습지"])
def test_what_is_no_period(text):
    assert read_days(text, TODAY).period is None


@pytest.mark.parametrize(
    ("text", "days"),
    [("2주 동안", 14), ("일주일치", 7), ("열흘간", 10), ("닷새 동안", 5), ("30일짜리", 30), ("2주", 14), ("두 달", 60),
     ("보름", 15), ("10일", None), ("2주 전", None), ("2026년", None), ("3주차", None)],
)  # fmt: skip
def test_lengths_of_plans(text, days):
    assert read_days(f"훈련을 {text} 해줘", TODAY).length == days


@pytest.mark.parametrize(
    ("command", "students"),
    [
        ("학생 A의 취약점", ["A"]),
        ("학생 A, B와 C의 리포트", ["A", "B", "C"]),
        ("A 학생 리포트", ["A"]),
        ("학생 ID: kim-01 리포트", ["kim-01"]),
        ("student_123 진단", ["student_123"]),
        ("s1 s2, s3", ["s1", "s2", "s3"]),
        ("s1부터 s3까지", ["s1", "s2", "s3"]),
        ("a08~a11 반", ["a08", "a09", "a10", "a11"]),
        ("김민수 진단", ["s77"]),
        ("이순신 진단", []),
        ("학생 3명", []),
        ("3학년 2반", []),
        ("PDF 리포트", []),
        ("문제 P-00847과 Cur-C7", []),
        ("28+15=43 검사", []),
    ],
)
def test_students(command, students):
    assert list(found(command).students) == students


def test_concepts_schools_and_the_rest():
    told = found("새싹초등학교 3학년 두자리 수의 덧셈과 Cur-C9, 난이도 4 서술형 열두 문제, 2단계, 40%, 2025학년도")

    assert (told.schools, told.concepts) == (("SAMPLE-0001",), ("Cur-C9", "두자리 수의 덧셈"))
    assert told.one == {
        "concept_id": "Cur-C9", "grade": 3, "difficulty": 4, "count": 12, "depth": 2, "ratio": 0.4, "year": 2025,
    }  # fmt: skip


def test_the_longest_concept_wins_and_topics_beyond_the_tutor_are_known():
    assert found("분수의 덧셈 수업").concepts == ("분수의 덧셈",)
    assert found("받아올림이 있는 한 자리 수의 덧셈").concepts == ("받아올림이 있는 한 자리 수의 덧셈",)


SCHEMA = {
    "type": "object",
    "properties": {
        "student_id": {"type": "string"},
        "count": {"type": "integer", "maximum": 30},
        "target_dna": {
            "type": "object",
            "properties": {
                "concepts": {"type": "array", "items": {"type": "string"}},
                "problem_type": {"anyOf": [{"enum": ["계산", "서술형"]}, {"type": "null"}]},
            },
            "required": ["concepts"],
        },
    },
    "required": ["student_id", "target_dna"],
}


def test_a_schema_is_filled_down_to_its_inner_fields():
    filled = fill_slots(SCHEMA, ReadCommand(found("s1 곱셈구구 서술형 5문제"), RULES, TODAY))

    assert filled.values == {
        "student_id": "s1", "count": 5, "target_dna": {"concepts": ["곱셈구구"], "problem_type": "서술형"},
    }  # fmt: skip
    assert filled.missing == {}


def test_what_is_missing_or_not_allowed_is_asked_for():
    filled = fill_slots(SCHEMA, ReadCommand(found("문제 500개"), RULES, TODAY))

    assert set(filled.missing) == {"student_id", "concepts", "target_dna", "count"}
    assert filled.values == {}


def test_two_students_for_one_are_asked_about():
    filled = fill_slots(SCHEMA, ReadCommand(found("학생 A와 B 곱셈구구"), RULES, TODAY))

    assert "한 번에 한 학생" in filled.missing["student_id"]


def test_names_may_be_none():
    assert read_entities("곱셈구구", RULES, KnownNames(), TODAY).concepts == ()
