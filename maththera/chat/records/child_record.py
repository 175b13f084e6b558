"""The record of one child for letters, plans, worksheets and answers to adults: name, counts, answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.chat.coach.learner_facts import Facts, KindCounts, kind_of, learner_facts, weak_kinds
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.records.record_tool import RecordQuestions
from maththera.chat.worksheets.sheet_problems import Focus
from maththera.korean.dates import KOREA
from maththera.korean.particles import as_called
from maththera.store.answer_history import recent_answers

_NO_MISTAKES: Final = 0.95


class Given(NamedTuple):
    """One answer: the problem, what was answered, whether that is right."""

    problem: Problem
    given: int | None
    right: bool

    @property
    def procedure(self) -> str:
        """See `procedure_of`."""
        return procedure_of(self.problem, self.given)


def procedure_of(problem: Problem, given: int | None) -> str:
    """The name of the wrong procedure that gives an answer; "" for none."""
    rules = malrules_giving(problem, given) if given is not None else ()
    return rules[0].name if rules else ""


@dataclass(frozen=True, slots=True)
class Child:
    """A child and its answers, the oldest first. `name`: "" in a letter to all families, which is about no child."""

    name: str = ""
    facts: Facts | None = None
    answers: tuple[Given, ...] = ()

    @property
    def called(self) -> str:
        """The name as it stands in a sentence: 하늘이, 민수."""
        return as_called(self.name)

    @property
    def weakest(self) -> KindCounts | None:
        """The kind of problem that is hardest for the child; None if none is."""
        return next(iter(weak_kinds(self.facts)), None) if self.facts else None

    @property
    def known(self) -> bool:
        """Whether there are records of the child."""
        return self.facts is not None and self.facts["answered"] > 0

    @property
    def all_right(self) -> bool:
        """Whether the child makes no mistakes, or hardly any."""
        return self.facts is not None and self.known and self.facts["right"] >= _NO_MISTAKES * self.facts["answered"]

    @property
    def focus(self) -> Focus:
        """What a worksheet for the child trains."""
        weak = self.weakest
        cause = weak["causes"][0]["name"] if weak and weak["causes"] else ""
        return Focus(weak["kind"] if weak else "carry", cause, self.all_right, self.known)


async def child_of(records: RecordQuestions, student_id: str | None, names: Mapping[str, str]) -> Child:
    """The child with an id; an empty record for an id that is not among `names`. Raises StoreUnavailable."""
    if student_id is None or student_id not in names:
        return Child()

    def problem(problem_id: str | None) -> Problem | None:
        return records.problem(problem_id) if problem_id else None

    answers = await recent_answers(records.history, student_id)
    today = datetime.now(UTC).astimezone(KOREA).date()
    given = tuple(
        Given(of, one.given, one.correct)
        for one in answers
        if one.correct is not None and (of := problem(one.problem_id)) is not None
    )
    return Child(names[student_id], learner_facts(answers, problem, (), today), given)


def reversed_answers(facts: Facts) -> int:
    """How many answers have their two digits the other way round."""
    return sum(_is_reversed(one["expression"], one["given"]) for one in facts["tries"])


def _is_reversed(expression: str, given: int | None) -> bool:
    problem = exercise_of(expression)
    if problem is None or given is None or not 9 < problem.answer < 100 or kind_of(problem) in ("times", "share"):
        return False
    tens, ones = divmod(problem.answer, 10)
    return tens != ones and given == 10 * ones + tens
