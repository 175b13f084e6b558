"""The open answers of a child's unfinished tutoring sessions."""

from maththera.arithmetic.problem import ProblemError
from maththera.arithmetic.problem_bank import Bank
from maththera.store.database import Database
from maththera.store.open_sessions import open_problems
from maththera.words.answer_protection.open_answers import OpenAnswer


async def open_answers(database: Database, bank: Bank, student_id: str) -> list[OpenAnswer]:
    """The newest session's first. Problems that have left the bank are skipped. Raises StoreUnavailable."""
    found: list[OpenAnswer] = []
    for problem_id in await open_problems(database, student_id):
        try:
            found.append(OpenAnswer.of(bank.problem(problem_id)))
        except ProblemError:
            continue
    return found
