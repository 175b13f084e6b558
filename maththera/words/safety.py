"""What a room does with a message before anything else: reads it, answers danger, and keeps it for adults.

The answers are people's words (`answers`); no model writes or edits them. An alert that cannot be stored is no reason
to leave a child without an answer.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

from maththera.learners.access import Role
from maththera.learners.alerts import Alerts, NewAlert, Signal
from maththera.learners.database import StoreUnavailable
from maththera.words.answers import DangerAnswers, Told
from maththera.words.danger import Category, Danger, Tier, Writer
from maththera.words.front_door import FrontDoor, Reading
from maththera.words.lexicon import Kind
from maththera.words.opinion import Asker, higher
from maththera.words.wishes import Wish

logger = logging.getLogger(__name__)

Room: TypeAlias = Literal["tutoring", "lesson", "coach", "assistant", "flow"]

_FOR_ADULTS: Final[frozenset[Room]] = frozenset({"assistant", "flow"})
_MAY_MEAN_MORE: Final[frozenset[Wish]] = frozenset({"rest"})
"""Wishes of which a model is asked all the same: "힘들어"."""
_NOT_ASKED_ABOUT: Final[frozenset[Kind]] = frozenset({"abuse", "injection"})
CHOICES: Final = ("응", "아니")
"""What answers the question of tier 3, for a page to offer."""


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
    """`told`: what the room says, and nothing else, where the message tells of danger; the room then waits where it
    was. `category` and `tier` as in `Danger`: tier 3 asks a question that "응" and "아니" answer. Both None where a
    child has said "아니" to it. `at_once`: adults are told at once, whatever the category."""

    reading: Reading
    told: Told | None = None
    category: Category | None = None
    tier: Tier | None = None
    at_once: bool = False

    @property
    def answer(self) -> str | None:
        return self.told.text if self.told else None

    def shown(self, role: Role) -> dict[str, Any]:
        """The answer as a page shows it: lines and numbers, and for adults what was read."""
        if self.told is None:
            raise ValueError("there is no answer")
        numbers = [{"name": one.name, "number": one.number, "hours": one.hours} for one in self.told.numbers]
        shown: dict[str, Any] = {"text": self.told.text.split("\n"), "numbers": numbers}
        if self.tier == 3:
            shown["choices"] = [*CHOICES]
        return shown if role == "student" else {**shown, "category": self.category, "tier": self.tier}

    @property
    def mark(self) -> dict[str, Any]:
        """What is recorded with the message and its answer, as their `safety`: a guardian is shown neither. `asks`:
        whether the answer asks if it is all right."""
        return {"asks": self.tier == 3}


class Safety:
    """One for all rooms of a process."""

    def __init__(
        self, door: FrontDoor, answers: DangerAnswers, alerts: Alerts | None, second_opinion: Asker | None = None
    ) -> None:
        """`alerts` None: nothing is kept (Studio). `second_opinion`: a model, where there is one."""
        self.door, self._answers, self._alerts, self._opinion = door, answers, alerts, second_opinion

    @classmethod
    def alone(cls, home: Path, country: str) -> "Safety":
        """As `configs/` has it, without alerts and without a model. ConfigError names every fault."""
        return cls(FrontDoor.load(home), DangerAnswers.load(home, country), None)

    async def hear(
        self, message: str, sender: Sender, place: Place, message_id: str, *, asked: bool | None = None
    ) -> Heard:
        """Reads a message. The same `message_id` of a place has the same answer and leaves one alert however often it
        is heard. `asked`: whether the room's last words were the question of tier 3, where the room knows.

        Never raises for a database that is down: the answer comes, and the log says that the alert could not be kept.
        """
        adult = sender.role != "student"
        writer: Writer = "child" if not adult else "adult" if place.room in _FOR_ADULTS else "unknown"
        reading = self.door.read(message, writer=writer)
        opinion = self._second_opinion(reading)
        try:
            earlier = await self._earlier(reading, place, message_id, asked=asked)
            if earlier and reading.danger is None:
                reading = self.door.read(message, writer=writer, watchful=True)
            danger = higher(reading.danger, await opinion if opinion else None)
        finally:
            if opinion:
                opinion.cancel()
        if adult and (place.room in _FOR_ADULTS or (danger is not None and danger.category == "adult_tells")):
            heard = self._for_adult(reading, danger, len(earlier))
        else:
            was_asked = asked if asked is not None else bool(earlier) and earlier[-1].asked
            reply = self._reply(reading, earlier) if was_asked else None
            heard = reply or self._for_child(reading, danger, earlier)
        await self._keep(message, sender, place, message_id, heard)
        return heard

    def _second_opinion(self, reading: Reading) -> asyncio.Task[Danger | None] | None:
        """Asked beside all else, of what the rules are not sure of already. What is private goes to no model."""
        sure = reading.danger is not None and reading.danger.tier == 1
        if self._opinion is None or sure or reading.private or reading.courtesy or reading.wishes - _MAY_MEAN_MORE:
            return None
        if not any(map(str.isalpha, reading.text)):
            return None
        return asyncio.create_task(self._opinion(reading.text), name="second opinion on danger")

    async def _earlier(
        self, reading: Reading, place: Place, message_id: str, *, asked: bool | None
    ) -> Sequence[Signal]:
        """What the place has heard before this message; asked for only where it could change anything."""
        answers = (reading.yes or reading.no) and asked is not False
        if self._alerts is None or not (reading.danger or reading.near or answers):
            return ()
        try:
            signals = await self._alerts.signals(place.room, place.id)
        except StoreUnavailable as error:
            logger.warning("signals of %s are not known: %s", place.room, error)
            return ()
        known = [one.message_id for one in signals]
        return signals[: known.index(message_id)] if message_id in known else signals

    def _reply(self, reading: Reading, earlier: Sequence[Signal]) -> Heard | None:
        """To "응" and "아니" where the child was asked whether it is all right."""
        if reading.no:
            return Heard(reading, self._answers.after_no(len(earlier)))
        if reading.yes:
            category = cast("Category", earlier[-1].category) if earlier else "sadness"
            told = self._answers.to_child(category, sure=False, turn=len(earlier))
            return Heard(reading, told, category, 1, at_once=True)
        return None

    def _for_adult(self, reading: Reading, danger: Danger | None, turn: int) -> Heard:
        if danger is None or danger.tier == 3 or self._answers.in_general(reading.text):
            return Heard(reading)
        return Heard(reading, self._answers.to_adult(turn), "adult_tells", danger.tier)

    def _for_child(self, reading: Reading, danger: Danger | None, earlier: Sequence[Signal]) -> Heard:
        """Tier 3 is asked about once in a place, and again only where there was more before; never of swearing or of
        orders, which have answers of their own."""
        turn = len(earlier)
        if danger is None or (danger.tier == 3 and reading.verdict.kind in _NOT_ASKED_ABOUT):
            return Heard(reading)
        if danger.tier == 3:
            asks = not earlier or any(one.tier < 3 for one in earlier)
            return Heard(reading, self._answers.asks(turn), danger.category, 3) if asks else Heard(reading)
        told = self._answers.to_child(danger.category, sure=danger.sure, turn=turn)
        of_another = danger.category == "adult_tells"
        return Heard(reading, told, danger.category, danger.tier, at_once=of_another)

    async def _keep(self, message: str, sender: Sender, place: Place, message_id: str, heard: Heard) -> None:
        if self._alerts is None or heard.category is None or heard.tier is None:
            return
        words = message.replace("\0", "").encode("utf-8", "replace").decode()
        try:
            await self._alerts.add(
                NewAlert(
                    place.room,
                    place.id,
                    message_id,
                    sender.student_id,
                    sender.role,
                    heard.category,
                    heard.tier,
                    words,
                    heard.at_once,
                )
            )
        except StoreUnavailable as error:
            # Without a traceback, which might show the child's words.
            logger.error("a safety alert could not be stored: %s, %s: %s", place.room, heard.category, error)  # noqa: TRY400
