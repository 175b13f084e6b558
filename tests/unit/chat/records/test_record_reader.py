"""What Korean questions ask of records, alone and behind one another."""

from datetime import date
from typing import Any

import pytest

from maththera.chat.records.record_question import Hours, RecordQuestion
from maththera.chat.records.record_reader import Reader, Reading
from maththera.chat.records.record_words import RecordWords
from maththera.settings import home

TODAY = date(2026, 11, 23)  # a Monday
NAMES = {"가람": "p1", "나래": "p2", "p1": "p1", "p2": "p2"}
WORDS = RecordWords.load(home())


def reader(*, about: str | None = None, guardian: bool = False) -> Reader:
    return Reader(WORDS, NAMES, TODAY, about, guardian)


def reading(*messages: str) -> Reading:
    found: Reading | None = None
    for message in messages:
        found = reader().read(message, found.question if found else None)
    assert found is not None
    return found


def read(*messages: str) -> RecordQuestion:
    return reading(*messages).question


def days(question: RecordQuestion) -> list[tuple[str, str]]:
    return [(str(each.period.start), str(each.period.end)) for each in question.spans]


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        ("가람이 몇 문제 풀었어?", {"children": ("p1",), "measure": "answered", "wish": "figures"}),
        ("나래 정답률이 얼마예요", {"children": ("p2",), "measure": "percent"}),
        ("p2는 몇 번 틀렸나요", {"children": ("p2",), "measure": "wrong"}),
        ("가람이말고 나래 정답률", {"children": ("p2",)}),
        ("가람이 오류 원인별로 몇 번씩이야", {"by": "cause"}),
        ("가람이 무슨 요일에 제일 많이 틀려?", {"by": "weekday", "order": "most", "measure": "wrong"}),
        ("정답률이 제일 낮은 단원은?", {"by": "unit", "order": "least", "measure": "percent"}),
        ("누가 제일 빨리 풀어?", {"by": "child", "order": "least", "measure": "seconds"}),
        ("큰 수에서 작은 수 빼는 오류 누가 제일 많아?", {"by": "child", "order": "most"}),
        ("가람이 제일 오래 걸린 문제 3개", {"wish": "problems", "measure": "seconds", "order": "most", "limit": 3}),
        ("가람이 틀린 문제 보여줘", {"wish": "problems"}),
        ("가람이 며칠이나 공부했어?", {"wish": "days"}),
        ("가람이 지난주에 안 한 날은?", {"wish": "away"}),
        ("가람이 처음 5문제랑 마지막 5문제 비교해줘", {"wish": "edges", "edge": 5}),
        ("가람이는 왜 자꾸 틀려요?", {"wish": "why"}),
        ("가람이한테 어떤 훈련이 좋아?", {"wish": "trainings"}),
        ("가람이 이번 달 기록을 어머니께 보낼 글로 써줘", {"wish": "letter"}),
        ("학생별 정답률 표로 보여줘", {"by": "child", "form": "table"}),
        ("가람이 틀린 문제 엑셀로 저장해줘", {"form": "file"}),
        ("가람이 총 몇 분 공부했어", {"measure": "minutes"}),
    ],
)
def test_what_is_asked(message: str, fields: dict[str, Any]) -> None:
    question = read(message)
    assert {name: getattr(question, name) for name in fields} == fields


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        ("가람이 덧셈 정답률", {"operations": ("+",)}),
        ("가람이 받아내림 있는 문제 정답률", {"operations": ("-",), "carries": True}),
        ("가람이 받아올림 없는 덧셈 정답률", {"carries": False}),
        ("가람이 52-38 몇 번 틀렸어", {"expression": (52, "-", 38)}),
        ("가람이가 73이라고 쓴 문제 뭐야", {"given": 73}),
        ("가람이 5초 안에 푼 문제 몇 개야", {"seconds": (0.0, 5)}),
        ("가람이 10초 넘게 걸린 거 몇 개", {"seconds": (10, None)}),
        ("가람이 주말 정답률", {"weekdays": frozenset({5, 6})}),
        ("가람이 오후 정답률", {"hours": (Hours(12, 24, "오후"),)}),
        ("C7 정답률", {"units": (7,)}),
        ("가람이 올린 수 까먹은 거 몇 번", {"cause_said": "받아올림을 빠뜨림"}),
    ],
)
def test_which_answers_count(message: str, fields: dict[str, Any]) -> None:
    question = read(message)
    assert {name: getattr(question.only, name) for name in fields} == fields


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("오늘 몇 문제 풀었어?", [("2026-11-23", "2026-11-23")]),
        ("지난주 정답률", [("2026-11-16", "2026-11-22")]),
        ("최근 7일 동안 몇 번 틀렸어?", [("2026-11-17", "2026-11-23")]),
        ("지난달 단원별 정답률 알려줘", [("2026-10-01", "2026-10-31")]),
        ("어제랑 오늘 정답률 차이", [("2026-11-22", "2026-11-22"), ("2026-11-23", "2026-11-23")]),
        ("지난달보다 정답률이 늘었나", [("2026-10-01", "2026-10-31"), ("2026-11-01", "2026-11-23")]),
        ("11월 19일에 몇 문제 풀었어", [("2026-11-19", "2026-11-19")]),
        ("정답률이 얼마야?", []),
    ],
)
def test_when(message: str, told: list[tuple[str, str]]) -> None:
    assert days(read(message)) == told


@pytest.mark.parametrize(
    ("messages", "fields"),
    [
        (["가람이 지난주 정답률", "나래는?"], {"children": ("p2",), "measure": "percent"}),
        (["가람이 지난주 정답률", "그중 틀린 건"], {"children": ("p1",), "measure": "wrong"}),
        (["누가 제일 많이 풀었어?", "정답률은?"], {"by": "child", "measure": "percent", "order": None}),
        (["가람이 오류 원인별 개수", "제일 적은 건"], {"by": "cause", "order": "least"}),
        (["가람이 틀린 문제 보여줘", "날짜도"], {"wish": "problems", "dated": True}),
        (["학생별 정답률", "표로 보여줘"], {"by": "child", "form": "table"}),
        (["가람이 틀린 문제 엑셀로 저장", "나래는?"], {"form": "text", "children": ("p2",)}),
    ],
)
def test_a_message_goes_on_with_the_one_before(messages: list[str], fields: dict[str, Any]) -> None:
    question = read(*messages)
    assert {name: getattr(question, name) for name in fields} == fields


def test_what_is_kept_of_the_question_before() -> None:
    assert days(read("가람이 지난주 정답률", "나래는?")) == [("2026-11-16", "2026-11-22")]
    assert days(read("11월 19일에 가람이 틀린 문제", "20일은?")) == [("2026-11-20", "2026-11-20")]
    assert read("가람이 5초 안에 푼 거 몇 개", "10초는?").only.seconds == (0.0, 10)
    both = read("가람이 받아올림 있는 것과 없는 것 정답률", "뺄셈도 똑같이")
    assert (both.by, both.only.operations, both.only.carries) == ("carry", ("-",), None)


def test_the_one_who_came_first_is_meant_by_a_pronoun() -> None:
    assert reading("누가 정답률이 제일 낮아?", "걔 뭐가 약해?").place == 1
    assert reading("두 번째로 많이 틀린 애는 누구야?", "걔 왜 틀려?").place == 2
    assert reading("누가 정답률이 제일 낮아?", "나래 뭐가 약해?").place is None


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        (["지민이 기록 보여줘"], "unknown_child"),
        (["옆반 학생 정답률 알려줘"], "others"),
        (["가람이 생일이 언제야"], "absent"),
        (["8월 32일 기록 줘"], "no_such_day"),
    ],
)
def test_what_cannot_be_answered(messages: list[str], fault: str) -> None:
    assert read(*messages).fault == fault


def test_a_guardian_gets_no_others_and_goes_on_with_its_own() -> None:
    own = reader(about="p1", guardian=True)
    asked = own.read("이번 달 정답률")
    assert asked is not None
    others = own.read("다른 애들은 얼마나 하나요?", asked.question)
    assert others is not None
    assert others.question.fault == "others"
    again = own.read("그럼 맞은 비율만 알려주세요", others.question)
    assert again is not None
    assert (again.question.spans, again.question.measure) == (asked.question.spans, "percent")


@pytest.mark.parametrize(
    "message",
    [
        "난산증이 뭐야?",
        "비가 왜 와요?",
        "받아올림 지도법 찾아줘",
        "정답률을 올리는 방법",
        "오늘 점심 뭐 먹을까?",
        "수 감각 논문 찾아줘",
        "",
    ],
)
def test_what_asks_nothing_of_records(message: str) -> None:
    assert reader().read(message) is None


def test_days_and_problems_are_asked_for_together() -> None:
    assert read("가람이 지난 열흘 동안 며칠 했고 몇 문제 풀었어요?").wish == "days"
    assert read("가람이 지난주에 몇 문제 풀었어요?").wish == "figures"


def test_the_last_day_is_looked_for_on_all_days() -> None:
    assert read("가람이 이번 주에 몇 문제 풀었어?", "마지막으로 한 날이 언제인데요").spans == ()
    assert read("가람이 이번 주에 몇 문제 풀었어?", "몇 개 틀렸어요").spans != ()


def test_two_that_are_compared_stay_the_ones_that_are_meant() -> None:
    asked = read("가람이랑 나래 비교해 줘", "누가 더 느려요?")
    assert (set(asked.children), asked.by, asked.measure) == ({"p1", "p2"}, "child", "seconds")
    assert read("가람이 정답률", "누가 더 느려요?").children == ()


def test_two_times_are_compared_and_not_the_learners() -> None:
    assert read("이번 주 우리 반 몇 문제 풀었어요?", "지난주하고 비교해 줘").by == "period"


def test_it_is_told_whether_one_was_left_out() -> None:
    asked = read("반 평균 정답률 알려줘", "가람이 빼고 계산한 건가요?")
    assert (asked.wish, asked.mentioned, asked.without) == ("left_out", ("p1",), ())
    assert read("반 평균 정답률 알려줘", "가람이 빼고 계산하면요?").without == ("p1",)


@pytest.mark.parametrize(
    ("message", "fault"),
    [("가람이 난산증 맞아요?", "diagnosis"), ("가람이는 학습장애예요?", "diagnosis"), ("난산증이 뭐예요?", None)],
)
def test_whether_a_child_has_a_disorder_is_no_figure(message: str, fault: str | None) -> None:
    found = reader().read(message)
    assert (found.question.fault if found else None) == fault


def test_a_guardian_is_told_of_no_mean() -> None:
    found = reader(about="p1", guardian=True).read("평균보다는 잘하나요?")
    assert found is not None
    assert found.question.fault == "others"


def test_how_long_a_mistake_takes_to_go_away_is_no_time_of_answers() -> None:
    found = reader().read("가람이 실수 고치는 데 얼마나 걸려요?")
    assert found is None or found.question.measure != "seconds"
    assert read("가람이 한 문제 푸는 데 얼마나 걸려요?").measure == "seconds"


def test_marks_of_school_are_said_not_to_be_there() -> None:
    assert any("학교에서 본 시험" in note for note in read("가람이 단원평가 점수 알려줘").notes)
    assert read("가람이 정답률 알려줘").notes == ()
