"""The answers of open tasks: whether a message asks for one, and whether a text gives it away.

Values are compared, not words: 30+13 and 마흔셋 are 43 as well. A number gives the answer away if it replies to the
question; as a label (5번, 5개 단원) it does not.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from maththera.arithmetic.problem import Problem, ProblemError
from maththera.arithmetic.problem_bank import Bank
from maththera.korean.morphemes import content_words
from maththera.korean.numbers import Number
from maththera.store.database import Database
from maththera.store.open_sessions import open_problems
from maththera.words.answer_protection import answer_leaks
from maththera.words.answer_protection.open_answer_words import AnswerText, OpenAnswerWords

_SHARED_WORDS: Final = 2


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """An answer that a child is to find: a number, or with `value` None the `text` of the right option. `parts`: the
    numbers of its problem. `problem_id`: of a tutoring task; `question`: of a lesson."""

    value: int | None
    parts: tuple[int, ...] = ()
    problem_id: str | None = None
    text: str = ""
    question: str = ""

    @classmethod
    def of(cls, problem: Problem) -> "OpenAnswer":
        return cls(problem.answer, (problem.a, problem.b), problem.problem_id)


class OpenAnswers:
    """The checks, with the words of `configs/words/open_answers.yaml`. Pure: keeps nothing of a message."""

    def __init__(self, words: OpenAnswerWords) -> None:
        self._words = words

    @classmethod
    def load(cls, home: Path) -> "OpenAnswers":
        """ConfigError names every field that does not fit."""
        return cls(OpenAnswerWords.from_file(home / "configs" / "words" / "open_answers.yaml"))

    def wanted(self, message: str, opened: Sequence[OpenAnswer]) -> OpenAnswer | None:
        """The open answer that a message asks for, guesses at or wants help with; the first if it names none. Right and
        wrong guesses are treated alike, because a different reaction would give the answer away."""
        if not opened:
            return None
        text = AnswerText(message, self._words)
        for one in opened:
            if self._states_problem(text, one):
                return one
        return opened[0] if not text.calculations and self._is_about_open_task(text) else None

    def tells(self, text: str, one: OpenAnswer, asked: str) -> bool:
        """Whether a text, as a reply to `asked`, gives an open answer away: the message asks for it, the text states
        the problem, or the text presents the number as the answer."""
        return self.tells_any(text, (one,), asked)

    def tells_any(self, text: str, opened: Iterable[OpenAnswer], asked: str) -> bool:
        """As `tells`, for any of several open answers: both texts are read once."""
        said, message = AnswerText(text, self._words), AnswerText(asked, self._words)
        implied = answer_leaks.Implications(said, message, self._words)
        return any(
            self._gives_away(said, one, one.value, message, implied)
            if one.value is not None
            else one.text in text and self._is_about_question(asked, one.question)
            for one in opened
        )

    def _gives_away(
        self, said: AnswerText, one: OpenAnswer, value: int, message: AnswerText, implied: answer_leaks.Implications
    ) -> bool:
        told = [*self._occurrences(said, one)]
        if told and (
            self._states_problem(message, one) or (not message.calculations and self._is_about_open_task(message))
        ):
            return True
        if told and (_contains_problem(said, one) or self._answers_vague_message(said, message, told)):
            return True
        if told and answer_leaks.names_answer(said, message, told, one.parts, self._words):
            return True
        return implied.include(value)

    def mentions(self, text: str, one: OpenAnswer) -> bool:
        """Whether a text contains the value in any form, except as a label or a number of the problem itself."""
        return any(self._occurrences(AnswerText(text, self._words), one))

    def _occurrences(self, said: AnswerText, one: OpenAnswer) -> Iterator[Number]:
        for number in said.answers:
            if one.value in number.values and (one.value not in one.parts or said.is_result(number)):
                yield number

    def _answers_vague_message(self, said: AnswerText, message: AnswerText, told: Sequence[Number]) -> bool:
        """Whether a text with the number answers a message too vague to tell what it asks."""
        if message.is_vague:
            return True
        if message.calculations or not self._words.answer.search(said.text):
            return False
        return any(map(said.is_result, told))

    def _is_about_question(self, message: str, question: str) -> bool:
        """Whether a message is about a question: it has two of its words."""
        return len({*content_words(message)} & {*content_words(question)}) >= _SHARED_WORDS

    def _states_problem(self, text: AnswerText, one: OpenAnswer) -> bool:
        if any(each.value == one.value for each in text.calculations):
            return True
        if not one.parts or any(each.uses(one.parts) for each in text.calculations):
            return False  # 28−15 is another problem than 28+15
        if not self._words.calculating.search(text.text):
            return False
        said = [number.values for number in text.answers]
        return all(sum(part in values for values in said) >= one.parts.count(part) for part in one.parts)

    def _is_about_open_task(self, text: AnswerText) -> bool:
        """Whether a message without a calculation of its own is about the open task."""
        before = self._words.before.search(text.text)
        if not before and self._words.about.search(text.text):
            return True
        return not before and any(text.is_guess(number) for number in text.answers)


def _contains_problem(text: AnswerText, one: OpenAnswer) -> bool:
    """Whether a text contains the problem itself, forwards or backwards: 8×9=72 for 72÷8."""
    numbers = sorted((*one.parts, one.value or 0))
    return any(sorted((*each.terms, each.value)) == numbers for each in text.calculations)


async def open_answers(database: Database, bank: Bank, student_id: str) -> list[OpenAnswer]:
    """The newest session's first. Problems that have left the bank are skipped. Raises StoreUnavailable."""
    found: list[OpenAnswer] = []
    for problem_id in await open_problems(database, student_id):
        try:
            found.append(OpenAnswer.of(bank.problem(problem_id)))
        except ProblemError:
            continue
    return found
