"""What the coach knows of answers that only a learned procedure explains: its title, in the sessions that knew it."""

from datetime import UTC, date, datetime
from typing import Any

from maththera.arithmetic.problem import make_problem
from maththera.chat.coach.learner_facts import learner_facts
from maththera.chat.records.record_figures import procedures
from maththera.procedures.procedure import learn
from maththera.store.answer_history import Answer
from tests.support.tutoring import rules
from tests.unit.procedures.test_procedure import nine

PROBLEM = make_problem(52, "-", 38)


def answer(turn: int, **more: Any) -> Answer:
    """29 to 52−38."""
    known = rules().bank.problem(PROBLEM.problem_id)
    facts: dict[str, Any] = dict.fromkeys(("kind", "w", "pattern", "rt_ms", "input_kind", "cause_tag", "confidence"))
    at = datetime(2026, 11, 20, 9, turn, tzinfo=UTC)
    return Answer(
        session_id="s", turn=turn, created_at=at, problem_id=known.problem_id, c_level=10, correct=False, given=29,
        **(facts | more),
    )  # fmt: skip


def test_the_title_stands_where_the_session_knew_it() -> None:
    definition = nine()
    name = learn(definition)
    for learned, titles in (((name,), [definition.title]), ((), [])):
        answers = [answer(turn, learned=learned) for turn in range(3)]
        facts = learner_facts(answers, lambda _: PROBLEM, [], date(2026, 11, 21))
        (kind,) = facts["kinds"]
        assert [one["title"] for one in kind["causes"]] == titles
        assert [rule.title for rule in procedures(PROBLEM, 29, learned)] == titles
