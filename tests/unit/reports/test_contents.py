import json
from datetime import date
from typing import Any

import pytest

from maththera.reports.contents import Json, Sources, Span, class_report, student_report
from tests.unit.reports.conftest import SPAN, answer

CARRY = "EXECUTION_L4_CARRY_FORGOTTEN"


def carrying(**first: Any) -> list[Any]:
    """A child that drops the carry three times and gets the rest right."""
    return [
        answer("28+15", 33, number=1, **first),
        answer("47+36", 73, number=2),
        answer("58+26", 74, number=3),
        answer("20+15", 35, number=4),
        *(answer(f"{n}+8", n + 8, day=2, number=n, rt_ms=9000 if n == 9 else 2000) for n in range(3, 10)),
        answer("9+9", None, day=2, number=11),
    ]


def test_totals_and_sessions(sources: Sources) -> None:
    data = student_report("s1", carrying(), [], SPAN, sources)
    assert data["totals"] == {
        "answered": 11, "right": 8, "share": 8 / 11, "seconds": 2.0, "sessions": 2, "days": 2, "trainings": 0,
    }  # fmt: skip
    assert [(one["day"], one["answered"], one["no_response"]) for one in data["sessions"]] == [
        ("3/3", 4, 0),
        ("3/5", 7, 1),
    ]
    assert json.loads(json.dumps(data)) == data, "plain JSON types only"


def test_a_cause_is_told_only_when_it_is_sure(sources: Sources) -> None:
    for confidence in ("medium", "low"):
        data = student_report("s1", carrying(cause_tag=CARRY, confidence=confidence), [], SPAN, sources)
        assert data["causes"] == []
        assert [error["count"] for error in data["errors"]] == [3]
        assert "올린 수를 잊음" not in json.dumps(data, ensure_ascii=False)
    data = student_report("s1", carrying(cause_tag=CARRY, confidence="high"), [], SPAN, sources)
    (cause,) = data["causes"]
    assert (cause["name"], cause["count"]) == ("올린 수를 잊음", 3)
    assert cause["examples"][0] == {"expression": "58+26", "given": 74, "right": 84}
    assert data["errors"] == []
    assert data["steps"][0]["title"] == "올린 수 적기"
    assert "'올린 수를 잊음'이 확인" in data["summary"][-1]


def test_mastery_needs_enough_answers_and_remembers_what_was_before(sources: Sources) -> None:
    earlier = [answer("28+15", 43, day=-9, number=n) for n in range(5)]
    data = student_report("s1", carrying(), earlier, SPAN, sources)
    by_c = {unit["c"]: unit for unit in data["units"]}
    assert by_c[8]["before"] > 0.9 > by_c[8]["mastery"]
    assert (by_c[1]["mastery"], by_c[1]["seen"]) == (None, False)
    alone = student_report("s1", carrying()[:2], [], SPAN, sources)
    assert {unit["c"]: (unit["mastery"], unit["seen"]) for unit in alone["units"]}[8] == (None, True)


def test_where_nothing_is_weak_the_next_unit_follows(sources: Sources) -> None:
    firm = [answer(f"{n}+8", n + 8, number=n) for n in range(3, 10)]
    data = student_report("s1", firm, [], SPAN, sources)
    assert [step["title"] for step in data["steps"]] == ["9까지의 뺄셈"], "C9 needs it, and nothing is known of it"


def test_a_child_without_answers(sources: Sources) -> None:
    data = student_report("s1", [], [], SPAN, sources)
    assert data["totals"]["share"] is None
    assert data["summary"][0] == "이 기간에는 풀이 기록이 없습니다."
    assert data["letter"]["good"] == []


def test_guardians_read_no_jargon_and_no_blame(sources: Sources) -> None:
    data = student_report("s1", carrying(cause_tag=CARRY, confidence="high"), [], SPAN, sources)
    letter = json.dumps(data["letter"], ensure_ascii=False)
    for word in ("CARRY", "Cur-C", "오류", "결함", "못하", "틀렸", "원인", "%"):
        assert word not in letter
    assert "‘올린 수 적기’" in letter


def test_the_activity_at_home_is_explained_step_by_step(sources: Sources) -> None:
    first, steps, *_ = student_report("s1", carrying(), [], SPAN, sources)["letter"]["home"]
    assert first.startswith("하루 5분, 58+26을 함께 해 보세요 (준비물: 열 개씩 묶은 이쑤시개와 낱개).")
    assert steps == "“십의 자리를 모아.” 50+20=70 → “일의 자리를 모아.” 8+6=14 → “모두 더해.” 70+14=84"
    nothing_missed = student_report("s1", [answer("28+15", 43)], [], SPAN, sources)
    assert nothing_missed["activity"] is None
    assert not any("준비물" in line for line in nothing_missed["letter"]["home"])


@pytest.fixture
def class_data(sources: Sources) -> Json:
    told = carrying(cause_tag=CARRY, confidence="high")
    return class_report("3학년 2반", {"나": told, "가": told, "다": []}, SPAN, sources)


def test_a_class_shows_each_child_and_who_needs_the_same(class_data: Json) -> None:
    assert [one["student"] for one in class_data["students"]] == ["가", "나", "다"]
    assert class_data["groups"] == [
        {"name": "올린 수를 잊음", "students": ["가", "나"], "trainings": ["올린 수 적기", "받아올림 바꾸기"]}
    ]
    assert class_data["totals"]["answered"] == 22
    assert "이 기간에 학습하지 않은 학생이 1명" in class_data["summary"][1]


def test_answers_of_other_days_count_only_for_mastery(sources: Sources) -> None:
    later = Span(date(2026, 4, 1), date(2026, 4, 30))
    data = class_report("반", {"가": carrying(cause_tag=CARRY, confidence="high")}, later, sources)
    (student,) = data["students"]
    assert (student["totals"]["answered"], student["causes"]) == (0, [])
    assert student["units"][6] is not None


def test_what_the_chart_leaves_out_is_counted(sources: Sources) -> None:
    fourteen = [answer("28+15", 43, day=day) for day in range(14)]
    data = student_report("s1", fourteen, [], SPAN, sources)
    assert (len(data["sessions"]), data["older"]) == (12, 2)
    assert student_report("s1", fourteen[:12], [], SPAN, sources)["older"] == 0


def test_a_letter_never_praises_with_a_nought(sources: Sources) -> None:
    wrong = [answer(f"{n}+8", n + 9, day=n) for n in range(3, 10)]
    told = student_report("s1", wrong, [], SPAN, sources)["letter"]["good"]
    assert told[0] == "어려운 문제에도 스스로 도전했어요."
    assert not any(line.startswith("0") for line in told)


@pytest.mark.parametrize(
    ("active", "quiet", "said"),
    [
        (1, 0, "11문제를 풀었고, 그중 73%를 맞혔습니다."),
        (2, 0, "한 명도 빠짐없이 학습해 모두 22문제를 풀었고"),
        (2, 1, "3명 가운데 2명이 학습해 모두 22문제를 풀었고"),
    ],
)
def test_a_class_is_summed_up_as_a_teacher_would(active: int, quiet: int, said: str, sources: Sources) -> None:
    pupils = {f"s{n}": carrying() if n < active else [] for n in range(active + quiet)}
    assert class_report("반", pupils, SPAN, sources)["summary"][0].startswith(said)
