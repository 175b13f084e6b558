"""The first step with every message: it is analysed, danger is answered, and an alert is stored for adults.

The answers are written by people (`danger_answers`); no model writes or edits them. A child gets its answer even if the
alert cannot be stored.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

from pydantic import BaseModel

from maththera.json_types import JsonObject
from maththera.llm.model_client import LlmError, Models
from maththera.llm.time_budget import Budget
from maththera.store.access.authorization import Role
from maththera.store.database import StoreUnavailable
from maththera.store.safety_alerts import Alerts, DangerSignal, NewAlert
from maththera.words.danger.danger_answers import DangerAnswer, DangerAnswers
from maththera.words.danger.danger_detection import Category, Danger, Tier, Writer
from maththera.words.danger.message_analysis import MessageAnalyser, MessageAnalysis
from maththera.words.input_filter.common_intents import CommonIntent
from maththera.words.input_filter.filter_words import Kind

PROMPT: Final = "danger"
VARIABLES: Final[Set[str]] = frozenset({"message"})
_LONGEST_SENT: Final = 2_000
"""How many characters of a message are sent."""
_MODEL_SCORE: Final = 0.5


class _Reply(BaseModel):
    category: Category | Literal["none"]
    tier: Tier = 3


OpinionAsker: TypeAlias = Callable[[str], Coroutine[Any, Any, Danger | None]]


def opinion_asker(models: Models, seconds: float) -> OpinionAsker:
    """Asks a model within `seconds`. The opinion is None if no usable answer comes in time."""

    async def ask(message: str) -> Danger | None:
        variables = {"message": message[:_LONGEST_SENT]}
        try:
            reply = (await models.ask(PROMPT, variables, _Reply, Budget(seconds))).value
        except LlmError:
            return None  # the log has it, and the rules have read the message
        return None if reply.category == "none" else Danger(reply.category, reply.tier, sure=True, score=_MODEL_SCORE)

    return ask


def more_urgent(rules: Danger | None, model: Danger | None) -> Danger | None:
    """The more urgent of the two; the rules' if they are equal."""
    if rules is None or model is None:
        return rules or model
    return model if model.tier < rules.tier else rules


logger = logging.getLogger(__name__)

Room: TypeAlias = Literal["tutoring", "lesson", "coach", "assistant", "flow"]

_FOR_ADULTS: Final[frozenset[Room]] = frozenset({"assistant", "flow"})
"""Rooms in which only adults write."""
_OF_THE_CHILD: Final[frozenset[Room]] = frozenset({"tutoring", "lesson"})
"""Rooms in which the child writes, whoever holds the token. In the coach, adults are spoken to as adults."""
_MAY_MEAN_MORE: Final[frozenset[CommonIntent]] = frozenset({"rest"})
"""Common intents for which a model is asked all the same: "힘들어"."""
_NOT_ASKED_ABOUT: Final[frozenset[Kind]] = frozenset({"abuse", "injection"})
CHOICES: Final = ("응", "아니")
"""The answers to the question of tier 3, for a page to offer."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a message: `id` is that of the session, lesson, thread or execution."""

    room: Room
    id: str


@dataclass(frozen=True, slots=True)
class Sender:
    """The writer of a message. `student_id`: the child that the room is about."""

    role: Role
    student_id: str | None


@dataclass(frozen=True, slots=True)
class SafetyResult:
    """The result of the check. `told`: the answer to a message of danger; the room says only this and stays where it
    was. `category` and `tier` as in `Danger`: tier 3 asks a question that "응" and "아니" answer; both are None after a
    child's "아니". `at_once`: adults are alerted at once, whatever the category."""

    reading: MessageAnalysis
    told: DangerAnswer | None = None
    category: Category | None = None
    tier: Tier | None = None
    at_once: bool = False

    @property
    def answer(self) -> str | None:
        return self.told.text if self.told else None

    def shown(self, role: Role) -> JsonObject:
        """The answer as a page shows it: lines and helplines, and for adults the category and tier."""
        if self.told is None:
            raise ValueError("there is no answer")
        numbers = [{"name": one.name, "number": one.number, "hours": one.hours} for one in self.told.numbers]
        shown: JsonObject = {"text": self.told.text.split("\n"), "numbers": numbers}
        if self.tier == 3:
            shown["choices"] = [*CHOICES]
        return shown if role == "student" else {**shown, "category": self.category, "tier": self.tier}

    @property
    def mark(self) -> JsonObject:
        """The `safety` that is recorded with the message and its answer; guardians see neither. `asks`: whether the
        answer asks if it is all right; `numbers` and `choices` as shown."""
        return {"asks": self.tier == 3, **kept_of(self.shown("student"))}


def kept_of(shown: Mapping[str, Any]) -> JsonObject:
    """What is recorded of an answer beside its text, so that it looks the same when it is read again."""
    return {name: shown[name] for name in ("numbers", "choices") if name in shown}


class MessageSafety:
    """One for all rooms of a process."""

    def __init__(
        self,
        door: MessageAnalyser,
        answers: DangerAnswers,
        alerts: Alerts | None,
        second_opinion: OpinionAsker | None = None,
    ) -> None:
        """`alerts` None: nothing is stored (Studio). `second_opinion`: a model, if there is one."""
        self.door, self._answers, self._alerts, self._opinion = door, answers, alerts, second_opinion

    @classmethod
    def alone(cls, home: Path, country: str) -> "MessageSafety":
        """The safety of `configs/` without alerts and without a model. ConfigError names every fault."""
        return cls(MessageAnalyser.load(home), DangerAnswers.load(home, country), None)

    async def check_message(
        self, message: str, sender: Sender, place: Place, message_id: str, *, asked: bool | None = None
    ) -> SafetyResult:
        """Checks a message. The same `message_id` of a place has the same answer and leaves one alert, however often it
        is checked. `asked`: whether the room's last words were the question of tier 3, if the room knows. If the
        database is down the answer still comes, and the log says that the alert was not stored."""
        adult = sender.role != "student"
        to_adult = adult and place.room not in _OF_THE_CHILD
        writer: Writer = "child" if not adult else "adult" if place.room in _FOR_ADULTS else "unknown"
        reading = self.door.read(message, writer=writer)
        opinion = self._second_opinion(reading)
        try:
            earlier = await self._earlier_signals(reading, place, message_id, asked=asked)
            mild = reading.danger is None or reading.danger.category == "sadness"
            if not to_adult and mild and _was_certain(earlier):
                reading = self.door.read(message, writer=writer, watchful=True)
            danger = more_urgent(reading.danger, await opinion if opinion else None)
        finally:
            if opinion:
                opinion.cancel()
        if to_adult or (adult and danger is not None and danger.category == "adult_tells"):
            heard = self._answer_to_adult(reading, danger, place, len(earlier))
        else:
            was_asked = asked if asked is not None else bool(earlier) and earlier[-1].asked
            reply = self._reply_to_yes_or_no(reading, earlier) if was_asked else None
            danger = _gone_on(reading, danger, earlier, was_asked=was_asked)
            heard = reply or self._answer_to_child(reading, danger, earlier)
        await self._store_alert(message, sender, place, message_id, heard)
        return heard

    def _second_opinion(self, reading: MessageAnalysis) -> asyncio.Task[Danger | None] | None:
        """A model's opinion on messages that the rules are not certain about. Private data never goes to a model."""
        sure = reading.danger is not None and reading.danger.tier == 1
        if self._opinion is None or sure or reading.private or reading.courtesy or reading.wishes - _MAY_MEAN_MORE:
            return None
        if not any(map(str.isalpha, reading.text)):
            return None
        return asyncio.create_task(self._opinion(reading.text), name="second opinion on danger")

    async def _earlier_signals(
        self, reading: MessageAnalysis, place: Place, message_id: str, *, asked: bool | None
    ) -> Sequence[DangerSignal]:
        """The earlier signals of the place; read only if they could change anything."""
        answers = (reading.yes or reading.no) and asked is not False
        if self._alerts is None or not (reading.danger or reading.near or reading.follows or answers):
            return ()
        try:
            signals = await self._alerts.signals(place.room, place.id)
        except StoreUnavailable as error:
            logger.warning("signals of %s are not known: %s", place.room, error)
            return ()
        known = [one.message_id for one in signals]
        return signals[: known.index(message_id)] if message_id in known else signals

    def _reply_to_yes_or_no(self, reading: MessageAnalysis, earlier: Sequence[DangerSignal]) -> SafetyResult | None:
        """The answer to "응" or "아니", if the child was asked whether it is all right."""
        if reading.no:
            return SafetyResult(reading, self._answers.after_no(len(earlier)))
        if reading.yes:
            category = cast("Category", earlier[-1].category) if earlier else "sadness"
            told = self._answers.to_child(category, sure=False, turn=len(earlier))
            return SafetyResult(reading, told, category, 1, at_once=True)
        return None

    def _answer_to_adult(
        self, reading: MessageAnalysis, danger: Danger | None, place: Place, turn: int
    ) -> SafetyResult:
        """The answer to an adult: only to a certain danger, and never a question. What is read at the coach keeps its
        category, so that adults at school are alerted: a child may have written it."""
        if danger is None or not _counts_for_adults(danger) or self._answers.in_general(reading.text):
            return SafetyResult(reading)
        category: Category = danger.category if place.room == "coach" else "adult_tells"
        return SafetyResult(reading, self._answers.to_adult(turn), category, danger.tier)

    def _answer_to_child(
        self, reading: MessageAnalysis, danger: Danger | None, earlier: Sequence[DangerSignal]
    ) -> SafetyResult:
        """The answer to a child. Tier 3 is asked about once in a place, and again only after a certain danger; never
        for swearing or injected orders, which have answers of their own."""
        turn = len(earlier)
        if danger is None or (danger.tier == 3 and reading.verdict.kind in _NOT_ASKED_ABOUT):
            return SafetyResult(reading)
        if danger.tier == 3:
            asks = not earlier or _was_certain(earlier)
            return (
                SafetyResult(reading, self._answers.asks(turn), danger.category, 3) if asks else SafetyResult(reading)
            )
        told = self._answers.to_child(danger.category, sure=danger.sure, turn=turn, message=reading.text)
        of_another = danger.category == "adult_tells"
        return SafetyResult(reading, told, danger.category, danger.tier, at_once=of_another)

    async def _store_alert(
        self, message: str, sender: Sender, place: Place, message_id: str, heard: SafetyResult
    ) -> None:
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


def _was_certain(earlier: Sequence[DangerSignal]) -> bool:
    """Whether an earlier danger of the place was certain. After others, which may have been misread, each message is
    judged by itself; so it is after sadness, which comes and goes with the sums."""
    return any(one.tier == 1 and one.category != "sadness" for one in earlier)


def _counts_for_adults(danger: Danger) -> bool:
    """Whether a danger is certain enough to be answered to an adult: tier 1, or tier 2 where it tells of a child."""
    return danger.tier == 1 or (danger.tier == 2 and danger.category == "adult_tells" and danger.sure)


def _gone_on(
    reading: MessageAnalysis, danger: Danger | None, earlier: Sequence[DangerSignal], *, was_asked: bool
) -> Danger | None:
    """The danger of a message that goes on from an earlier signal: of its category, and answered with helplines."""
    clear = danger if danger is not None and danger.tier < 3 else None
    if not reading.follows or not (earlier or was_asked) or (clear and clear.category != "sadness"):
        return danger
    category = cast("Category", earlier[-1].category) if earlier else "sadness"
    return Danger(category, clear.tier if clear else 2, sure=False, score=0.0)
