"""What an adult asks the coach and the coach has no answer of its own for: about several learners, or about teaching.
The assistant's readers answer it."""

from dataclasses import dataclass
from typing import Final

from maththera.chat.assistant.advice_answers import AnswerBook, Asked
from maththera.chat.coach.turn_reading import TurnReading
from maththera.chat.messages.answer_levels import LevelName
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.records.record_tool import RecordQuestions
from maththera.json_types import JsonObject

_LEVEL: Final[LevelName] = "beginner"
_NOT_UNDERSTOOD: Final = frozenset({"which", "telling", "off_topic", "unclear", "feeling", "school"})
"""Readings of the coach that answer nothing."""


@dataclass(frozen=True, slots=True)
class AdultAnswer:
    """`question`: of the records, for the next turn; None for advice, of which `advice` is the name."""

    text: str
    question: JsonObject | None
    advice: str = ""


@dataclass(frozen=True, slots=True)
class AdultQuestions:
    records: RecordQuestions
    advice: AnswerBook

    async def answer(  # noqa: PLR0913 - what it is read beside
        self,
        asker: Asker,
        message: str,
        reading: TurnReading,
        before: JsonObject | None,
        last: str = "",
        *,
        repeats: bool = False,
    ) -> AdultAnswer | None:
        """None where the coach answers by itself. `reading`: what the coach took the message for; `before`: the
        question about records that was answered here in the turn before, `last`: the advice of the turn before;
        `repeats`: the coach's own text was said before. Raises StoreUnavailable."""
        unread = reading.ask in _NOT_UNDERSTOOD
        question, named = await self.records.read(asker, message, before)
        if question is not None and self.records.words.texts.same_again in question["notes"]:
            question = None  # it says nothing that the question before had not
        asked = self.advice.find(message)
        if asked and asked.everyday and (asked.clear or unread):
            return await self._everyday(asker, message, asked)
        if last and (more := self._more_of(last, message)):
            return AdultAnswer(self.advice.text(more), None, more)
        certain_help = asked is not None and asked.served and asked.certain
        asked = asked if unread or repeats or not reading.sure or certain_help else None
        doubted = asked is not None and not asked.clear and not (unread and asked.sure)
        doubted = doubted or (asked is not None and asked.served and not asked.clear and not asked.topics)
        if asked is not None and (doubted or (named and asked.served and question is not None)):
            asked = None
        if asked is not None and not asked.counted:
            question = None
        named_all = bool(self.records.words.found("everybody", message))
        several = question is not None and _of_several(question, named_all=named_all)
        by_weekday = question is not None and question["by"] == "weekday"
        if question is not None and (several or by_weekday or (unread and (before is not None or _counts(question)))):
            told = await self.records.answer(asker, question)
            return AdultAnswer(told["answers"][_LEVEL], question)
        return None if asked is None else AdultAnswer(self.advice.text(asked.name), None, asked.name)

    def _more_of(self, last: str, message: str) -> str:
        """The answer to a message that asks more of the advice before and names no subject; "" for none."""
        kind, _ = self.advice.going_on(message)
        own = self.advice.subjects.own_answer(self.advice.subjects.of_answer(last), kind) if kind else ""
        return own if own != last else ""

    async def _everyday(self, asker: Asker, message: str, asked: Asked) -> AdultAnswer:
        """What is said of days with a child, after what its records tell where they are spoken of."""
        text, question = self.advice.text(asked.name), None
        if self.advice.is_of_child(asked.name) and asker.student_id:
            question = await self.records.again(asker, message, None, "overview")
        if question is None:
            return AdultAnswer(text, None, asked.name)
        told = await self.records.answer(asker, question)
        return AdultAnswer(f"{told['answers'][_LEVEL]}\n{text}", None, asked.name)


def _counts(question: JsonObject) -> bool:
    """Whether a question says what is to be counted, or why nothing can be."""
    return bool(question["measure"] or question["fault"])


def _of_several(question: JsonObject, *, named_all: bool) -> bool:
    """Whether a question is about more than one learner. `named_all`: the message says so."""
    several = question["whole"] or question["by"] == "child" or len(question["children"]) > 1
    return not question["fault"] and (several or (named_all and not question["children"]))
