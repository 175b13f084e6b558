from typing import Any

import pytest

from maththera.chat.coach.charts import Charts
from maththera.chat.state import ToolResult
from maththera.store.database import Database
from tests.support.coach import coach_turn, knowledge, pupil

CHARTS = Charts(knowledge().coach.config)


@pytest.mark.parametrize(
    ("message", "usual", "shown"),
    [
        ("내 약점을 분석해줘", True, False),
        ("내 성적 보여줘", True, True),
        ("성적을 보여 줄래?", False, True),
        ("차트로", False, True),
        ("내 성적 데이터를 분석해줘", True, True),
        ("왜 점수가 낮아?", True, False),
        ("내 점수 알려줘", True, False),
        ("설명해 줘", True, False),
        ("내 성적", True, True),
        ("자신이 없어", True, True),
        ("뭘 풀까?", True, True),
        ("어떻게 공부해?", False, False),
        ("8+6 풀어줘", False, False),
        ("받아올림이 뭐야?", False, False),
        ("날씨", False, False),
    ],
)
def test_the_message_decides_before_the_intent(message: str, usual: bool, shown: bool) -> None:
    assert CHARTS.wanted(message, usual) is shown


@pytest.mark.parametrize(
    ("message", "chart_type"),
    [
        ("내 성적 보여줘", "bar"),
        ("문제별로 보여줘", "bar"),
        ("요즘 성적 보여줘", "line"),
        ("점수가 어떻게 변화했는지 보여줘", "line"),
        ("진도 보여줘", "progress"),
        ("완료율 보여줘", "progress"),
        ("성적을 표로 보여줘", "table"),
        ("자세히 보여줘", "table"),
        ("목표 보여줘", "bar"),
        ("약점 보여줘", "radar"),
        ("약점을 표로 보여줘", "table"),
    ],
)
async def test_the_type_follows_the_words(played: Database, message: str, chart_type: str) -> None:
    chart = (await coach_turn(played, pupil("s1"), "weak" if "약점" in message else "how_am_i", message)).chart
    assert chart is not None
    assert chart["chart_type"] == chart_type
    assert chart["title"]
    assert_whole(chart["data"])


def assert_whole(data: dict[str, Any]) -> None:
    if "rows" in data:
        assert data["rows"]
        assert all(len(row) == len(data["columns"]) for row in data["rows"])
    else:
        assert data["labels"]
        assert all(len(one["values"]) == len(data["labels"]) for one in data["series"])
        assert all(0 <= value <= data["max"] for one in data["series"] for value in one["values"])


async def test_bars_are_the_units_means(played: Database) -> None:
    turn = await coach_turn(played, pupil("s1"), "how_am_i", "내 성적 보여줘")
    units = turn.rounds[0][0]["result"]["units"].values()
    assert turn.chart == {
        "chart_type": "bar",
        "title": "단원별 결과",
        "data": {
            "labels": [unit["name"] for unit in units],
            "series": [{"name": "평균", "values": [unit["mean"] for unit in units]}],
            "max": 100,
        },
    }


async def test_a_line_is_the_same_from_scores_and_from_activity(played: Database) -> None:
    by_scores = (await coach_turn(played, pupil("s1"), "how_am_i", "요즘 성적 보여줘")).chart
    turn = await coach_turn(played, pupil("s1"), "hate_math", "요즘 힘들어")
    activity = [one for one in turn.rounds[0] if one["tool"] == "get_recent_activity"]
    assert by_scores is not None
    assert len(by_scores["data"]["labels"]) == 3
    assert CHARTS.chart("요즘 힘들어", activity, usual=True) == by_scores


def test_sessions_of_a_day_are_one_point() -> None:
    moments = ("2026-03-02T09:00:00+09:00", "2026-03-02T21:00:00+09:00", "2026-03-03T09:00:00+09:00")
    counts = ((1, 4), (6, 6), (0, 0))
    trend = [{"at": at, "right": right, "answered": n} for at, (right, n) in zip(moments, counts, strict=True)]
    result = ToolResult(tool="get_user_scores", arguments={}, result={"trend": trend}, error=None, cached=False)
    chart = CHARTS.chart("요즘 성적 보여줘", [result], usual=True)
    assert chart is not None
    assert chart["data"] == {"labels": ["3월 2일"], "series": [{"name": "평균", "values": [70]}], "max": 100}


async def test_a_radar_lays_the_weak_units_over_each_other(played: Database) -> None:
    turn = await coach_turn(played, pupil("s1"), "weak", "약점 보여줘")
    assert turn.chart is not None
    weak = [one["name"] for one in turn.rounds[0][0]["result"].values() if one["weak_metrics"]]
    assert [one["name"] for one in turn.chart["data"]["series"]] == weak[:3]
    assert len(turn.chart["data"]["labels"]) >= 7


async def test_a_radar_of_a_child_without_weak_points_is_of_all_units(played: Database) -> None:
    chart = (await coach_turn(played, pupil("s2"), "weak", "약점 보여줘")).chart
    assert chart is not None
    assert [one["name"] for one in chart["data"]["series"]] == ["모든 단원"]
    assert set(chart["data"]["series"][0]["values"]) == {100}


@pytest.mark.parametrize("message", ["내 성적 보여줘", "약점 보여줘", "진도 보여줘", "표로 보여줘", "요즘 성적 보여줘"])
async def test_who_asks_to_see_what_is_not_there_yet_gets_its_frame(empty: Database, message: str) -> None:
    chart = (await coach_turn(empty, pupil("new"), "weak" if "약점" in message else "how_am_i", message)).chart
    assert chart is not None
    assert chart["data"].get("series", []) == chart["data"].get("rows", []) == []


def test_an_operation_that_is_named_is_drawn_alone() -> None:
    unit = {"mean": 50, "best": None, "answered": 4, "right": 2, "completion": 10}
    units = {"a": {**unit, "name": "두 자리 수의 덧셈"}, "b": {**unit, "name": "두 자리 수의 뺄셈"}}
    found = ToolResult(tool="get_user_scores", arguments={}, result={"units": units}, error=None, cached=False)
    for message, labels in (("뺄셈 점수 그래프로", ["두 자리 수의 뺄셈"]), ("빼기 점수 보여줘", ["두 자리 수의 뺄셈"]),
                            ("성적 그래프", ["두 자리 수의 덧셈", "두 자리 수의 뺄셈"])):  # fmt: skip
        chart = CHARTS.chart(message, [found], usual=False)
        assert chart is not None
        assert chart["data"]["labels"] == labels


@pytest.mark.parametrize("message", ["저번보다 늘었어? 그래프로", "성장 그래프 보여줘", "전보다 나아졌어? 차트로"])
async def test_growth_is_a_line_over_days(played: Database, message: str) -> None:
    chart = (await coach_turn(played, pupil("s1"), "change", message)).chart
    assert chart is not None
    assert (chart["chart_type"], chart["title"]) == ("line", "그동안의 결과")


@pytest.mark.parametrize("message", ["반응 시간 그래프", "푸는 속도를 그래프로 보여줘"])
def test_times_are_drawn_as_times(message: str) -> None:
    tries = [{"day": f"2026-03-0{day}", "seconds": time} for day, time in ((2, 4), (2, 8), (5, 5), (5, None))]
    scored = {"units": {}, "facts": {"tries": tries}}
    found = ToolResult(tool="get_user_scores", arguments={}, result=scored, error=None, cached=False)
    chart = CHARTS.chart(message, [found], usual=False)
    assert chart is not None
    assert chart["data"]["series"][0]["values"] == [6, 5]
    assert chart["data"]["max"] == 6


async def test_nothing_is_drawn_of_nothing(empty: Database) -> None:
    assert (await coach_turn(empty, pupil("new"), "how_am_i", "내 성적은?")).chart is None


def test_failed_calls_are_not_drawn() -> None:
    failed = ToolResult(tool="get_user_scores", arguments={}, result={}, error="gone", cached=False)
    assert CHARTS.chart("내 성적 보여줘", [failed], usual=True) is None
