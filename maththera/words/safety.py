"""What a room does with a message before anything else: reads it, answers danger, and tells adults of it.

The answers are people's words from `configs/words/danger_answers.yaml`; no model writes or edits them. An alert that
cannot be stored is no reason to leave a child without an answer.
"""

import logging
from dataclasses import dataclass
from typing import Literal, TypeAlias

from maththera.learners.access import Role
from maththera.learners.alerts import Alerts, NewAlert
from maththera.learners.database import StoreUnavailable
from maththera.words.danger import Category, Tier
from maththera.words.front_door import FrontDoor, Reading

logger = logging.getLogger(__name__)

Room: TypeAlias = Literal["tutoring", "lesson", "coach", "assistant", "flow"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message was written: `id` is that of the session, lesson, thread or execution."""

    room: Room
    id: str


@dataclass(frozen=True, slots=True)
class Sender:
    """Who wrote it. `student_id`: whom the room is about, which an adult may write about."""

    role: Role
    student_id: str | None


@dataclass(frozen=True, slots=True)
class Heard:
    """`answer`: what the room says, and nothing else, where the message tells of danger; the room then waits where it
    was. `tier` as in `Danger`; 3 asks a question that "응" and "아니" answer."""

    reading: Reading
    answer: str | None = None
    category: Category | None = None
    tier: Tier | None = None


class Safety:
    def __init__(self, door: FrontDoor, alerts: Alerts) -> None:
        self.door, self._alerts = door, alerts

    async def hear(self, message: str, sender: Sender, place: Place, message_id: str) -> Heard:
        """Reads a message. The same `message_id` of a place leaves one alert however often it is heard. Never raises for
        a database that is down: the answer comes, and the log says that the alert could not be kept."""
        reading = self.door.read(message)
        if reading.danger is None:
            return Heard(reading)
        danger = reading.danger
        try:
            await self._alerts.add(
                NewAlert(
                    place.room,
                    place.id,
                    message_id,
                    sender.student_id,
                    sender.role,
                    danger.category,
                    danger.tier,
                    message,
                )
            )
        except StoreUnavailable:
            logger.error("a safety alert could not be stored: %s %s", place.room, danger.category)
        return Heard(reading, "지금 바로 믿을 수 있는 어른에게 말해 줘.", danger.category, danger.tier)
