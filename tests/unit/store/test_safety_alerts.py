"""What is stored of a safety alert, and what its place remembers."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from maththera.store.database import Database
from maththera.store.review_queue import ReviewFilter, Reviews, reviews
from maththera.store.safety_alerts import Alerts, DangerSignal, NewAlert

WORDS = "아저씨가 내 몸을 만졌어"
ALERT = NewAlert("lesson", "l1", "m1", "s1", "student", "sexual", 1, WORDS)


async def test_the_same_message_of_a_place_is_one_alert(database: Database) -> None:
    told: list[NewAlert] = []
    alerts = Alerts(database, told.append)
    for alert in (ALERT, ALERT, replace(ALERT, place_id="l2"), replace(ALERT, room="coach"), ALERT):
        await alerts.add(alert)
    found = await Reviews(database).queue(["s1"], ReviewFilter(kind="safety"))
    assert [(one.room, one.place_id) for one in found] == [("lesson", "l1"), ("lesson", "l2"), ("coach", "l1")]
    assert len(told) == len(found), "and is told once"
    assert {(one.category, one.tier, one.urgency, one.student_id) for one in found} == {("sexual", 1, "now", "s1")}


@pytest.mark.parametrize(
    ("category", "tier", "urgency"),
    [
        ("self_harm", 1, "now"), ("self_harm", 2, "day"), ("self_harm", 3, None), ("bullying", 1, "day"),
        ("sadness", 1, "week"), ("sadness", 2, "week"), ("sadness", 3, None), ("adult_tells", 1, None),
    ],
)  # fmt: skip
async def test_when_adults_are_told(database: Database, category: str, tier: int, urgency: str | None) -> None:
    told: list[NewAlert] = []
    await Alerts(database, told.append).add(replace(ALERT, category=category, tier=tier))
    shown = await Reviews(database).queue(None)
    assert [one.urgency for one in shown] == [each.urgency for each in told] == ([urgency] if urgency else [])
    stored = await database.run(lambda connection: connection.execute(select(reviews.c.urgency)))
    assert [row.urgency for row in stored] == [urgency], "what nobody is told is kept for its place"


async def test_a_place_remembers_its_own_signals(database: Database) -> None:
    alerts = Alerts(database)
    heard = [(3, "m1"), (2, "m2"), (3, "m3")]
    for tier, message_id in heard:
        await alerts.add(replace(ALERT, tier=tier, message_id=message_id))
    await alerts.add(replace(ALERT, place_id="l2", message_id="m4"))
    assert await alerts.signals("lesson", "l1") == [
        DangerSignal(3, False),
        DangerSignal(2, False),
        DangerSignal(3, True),
    ]
    await alerts.add(replace(ALERT, message_id="m5"))
    assert not any(one.asked for one in await alerts.signals("lesson", "l1")), "the question was answered by more"
    assert await alerts.signals("coach", "l1") == []


async def test_what_was_held_back_in_any_room_waits_for_a_person(database: Database) -> None:
    queue = Reviews(database)
    await queue.add("rejected_text", {"text": "바보야"}, room="coach", place_id="t1", student_id="s1")
    await queue.add("rejected_text", {"text": "바보야"}, room="assistant", place_id="t2", student_id=None)
    (own,) = await queue.queue(["s1"], ReviewFilter(kind="rejected_text"))
    assert (own.room, own.place_id, own.payload) == ("coach", "t1", {"text": "바보야"})
    assert len(await queue.queue(None)) == 2
