from datetime import date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from maththera.korean.dates import KOREA
from maththera.servers import lab_node
from maththera.servers.toolkit.server_base import ServerResources
from maththera.store.heatmaps import Heatmaps
from maththera.store.personal_data.erasure import ErasureRecords
from maththera.store.review_queue import reviews
from tests.unit.servers.conftest import Refused, calling


async def test_the_pattern_that_was_played_is_found(world: ServerResources) -> None:
    async with calling(lab_node.build(world)) as call:
        found = await call("get_failure_pattern", student_id="s1")
    first = found["failure_patterns"][0]
    assert first["kind"] == "cause"
    assert first["pattern_id"] == "EXECUTION_L4_CARRY_FORGOTTEN"
    assert first["trainings"][0]["training_id"] == "T21"
    for example in first["examples"]:
        a, b = map(int, example["expression"].split("+"))
        assert example["right"] == a + b
        assert example["given"] in (a + b - 10, a + b - 100, a + b - 110)
    assert found["wrong"] > 0
    assert found["answered"] > found["wrong"]


async def test_what_waits_for_a_judgement_is_told(world: ServerResources) -> None:
    (session, *_) = await world.history.sessions("s1", 1)

    def review(problem_id: str, answer: int, status: str = "open", kind: str = "unknown_answer") -> dict[str, Any]:
        payload = {"problem_id": problem_id, "answer": answer}
        place = {"room": "tutoring", "place_id": session.session_id, "session_id": session.session_id}
        return {**place, "student_id": "s1", "kind": kind, "payload": payload, "status": status}

    rows = [
        review("X:28+15:h", 77),
        review("X:no problem", 5),
        review("X:28+16:h", 5, status="decided"),
        review("X:28+17:h", 5, kind="hard_session"),
    ]
    await world.database.transaction(lambda connection: connection.execute(insert(reviews), rows))
    async with calling(lab_node.build(world)) as call:
        found = (await call("get_failure_pattern", student_id="s1"))["unexplained"]
        earlier = await call("get_failure_pattern", student_id="s1", end_date="2020-01-01")
        others = await call("get_failure_pattern", student_id="s2")
    (one,) = found
    assert (one["expression"], one["given"], one["right"], one["concept_id"]) == ("28+15", 77, 43, "Cur-C8")
    assert earlier["unexplained"] == others["unexplained"] == []


async def test_a_period_counts_its_own_days(world: ServerResources) -> None:
    today = datetime.now(KOREA)
    last_week = (today - timedelta(days=5)).date().isoformat()
    async with calling(lab_node.build(world)) as call:
        whole = await call("get_failure_pattern", student_id="s1")
        late = await call("get_failure_pattern", student_id="s1", start_date=last_week)
        early = await call("get_failure_pattern", student_id="s1", end_date=last_week)
        none = await call("get_failure_pattern", student_id="s1", end_date="2020-01-01")
        moment = await call(
            "get_failure_pattern", student_id="s1", start_date="2020-01-01T00:00:00", end_date=today.isoformat()
        )
    assert late["answered"] + early["answered"] == whole["answered"] == moment["answered"]
    assert late["answered"] > 0 < early["answered"]
    assert (none["failure_patterns"], none["message"]) == ([], "이 기간에는 풀이 기록이 없습니다.")


async def test_bad_dates_are_named(empty_world: ServerResources) -> None:
    async with calling(lab_node.build(empty_world)) as call:
        with pytest.raises(Refused, match="start_date: '어제'"):
            await call("get_failure_pattern", student_id="s1", start_date="어제")
        with pytest.raises(Refused, match="end_date: start_date"):
            await call("get_failure_pattern", student_id="s1", start_date="2026-02-01", end_date="2026-01-01")
        for argument, day in (
            ("start_date", "0001-01-01"),
            ("end_date", "9999-12-31"),
            ("end_date", "9999-12-31T23:59"),
        ):
            with pytest.raises(Refused, match=f"{argument}: 1900년부터 2100년까지"):
                await call("get_failure_pattern", student_id="s1", **{argument: day})


async def test_what_no_database_keeps_is_refused(world: ServerResources) -> None:
    async with calling(lab_node.build(world)) as call:
        with pytest.raises(Refused, match="student_id: 쓸 수 없는 글자"):
            await call("update_student_heatmap", student_id="s\0")


async def test_the_heatmap_is_kept(world: ServerResources) -> None:
    async with calling(lab_node.build(world)) as call:
        first = await call("update_student_heatmap", student_id="s1")
        second = await call("update_student_heatmap", student_id="s1")
    assert first["previous"] == {}
    assert second["previous"] == first["heatmap_data"] == second["heatmap_data"]
    assert all(0 <= value <= 1 for value in first["heatmap_data"].values())
    assert first["heatmap_data"].keys() == first["names"].keys()
    kept = await Heatmaps(world.database).find("s1")
    assert kept is not None
    assert (kept.heatmap, kept.answers) == (first["heatmap_data"], first["answers"])


async def test_no_heatmap_is_kept_of_a_child_that_is_erased_meanwhile(
    world: ServerResources, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = Heatmaps.save

    async def erased_just_before(heatmaps: Heatmaps, *of: Any) -> None:
        await ErasureRecords(world.database).student("s1")
        await save(heatmaps, *of)

    monkeypatch.setattr(Heatmaps, "save", erased_just_before)
    async with calling(lab_node.build(world)) as call:
        assert (await call("update_student_heatmap", student_id="s1"))["heatmap_data"]
    assert await Heatmaps(world.database).find("s1") is None


async def test_recent_activity_is_newest_first(world: ServerResources) -> None:
    async with calling(lab_node.build(world)) as call:
        found = (await call("get_recent_activity", student_id="s1"))["activities"]
        one = (await call("get_recent_activity", student_id="s1", limit=1))["activities"]
    assert [activity["started_at"] for activity in found] == sorted(
        (activity["started_at"] for activity in found), reverse=True
    )
    assert one == found[:1]
    assert found[0]["accuracy"] == round(found[0]["right"] / found[0]["answered"], 3)


async def test_nobody_has_nothing_and_is_told_why(empty_world: ServerResources) -> None:
    async with calling(lab_node.build(empty_world)) as call:
        patterns = await call("get_failure_pattern", student_id="nobody")
        heatmap = await call("update_student_heatmap", student_id="nobody")
        activity = await call("get_recent_activity", student_id="nobody")
    assert (patterns["failure_patterns"], heatmap["heatmap_data"], activity["activities"]) == ([], {}, [])
    assert all("기록이 없는" in one["message"] for one in (patterns, heatmap, activity))
    assert await Heatmaps(empty_world.database).find("nobody") is None


async def test_two_periods_are_compared(world: ServerResources) -> None:
    today = date.today()  # noqa: DTZ011 - the records are of these days
    whole = {"start_date": "2020-01-01", "end_date": "2020-12-31",
             "other_start_date": "2020-01-01", "other_end_date": (today + timedelta(days=1)).isoformat()}  # fmt: skip
    async with calling(lab_node.build(world)) as call:
        found = await call("compare_periods", student_id="s1", **whole)
        twice = await call("compare_periods", student_id="s1", **whole | {"end_date": whole["other_end_date"]})
    assert [one["answered"] > 0 for one in found["periods"]] == [False, True]
    assert found["change"] is None
    assert found["message"]
    assert twice["change"] == 0


async def test_trainings_are_those_of_the_cause(world: ServerResources) -> None:
    async with calling(lab_node.build(world)) as call:
        said = (await call("recommend_trainings", cause="올린 수를 자꾸 까먹어요"))["causes"]
        own = (await call("recommend_trainings", student_id="s1"))["causes"]
        none = await call("recommend_trainings", cause="모르는 말")
    cause = world.texts.causes["EXECUTION_L4_CARRY_FORGOTTEN"]
    assert said[0]["name"] == cause.name
    assert [one["training_id"] for one in said[0]["trainings"]] == list(cause.trainings)
    assert all(one["cause"] in world.texts.causes for one in own)
    assert (none["causes"], bool(none["message"])) == ([], True)


async def test_only_one_operation_is_looked_at(world: ServerResources) -> None:
    async with calling(lab_node.build(world)) as call:
        every = await call("get_failure_pattern", student_id="s1")
        sums = await call("get_failure_pattern", student_id="s1", operation="+")
        quotients = await call("get_failure_pattern", student_id="s1", operation="/")
    told = [example["expression"] for each in sums["failure_patterns"] for example in each["examples"]]
    assert told
    assert all("+" in each for each in told)
    assert 0 < sums["answered"] <= every["answered"]
    assert (quotients["answered"], quotients["failure_patterns"]) == (0, [])
