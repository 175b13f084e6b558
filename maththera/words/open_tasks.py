"""What a child is to find out in its sessions of tutoring that have not ended."""

from maththera.arithmetic.bank import Bank
from maththera.arithmetic.problem import ProblemError
from maththera.learners.database import Database
from maththera.learners.open_tasks import open_problems
from maththera.words.open_answers import OpenAnswer


async def open_answers(database: Database, bank: Bank, student_id: str) -> list[OpenAnswer]:
    """Those of the newest session first; nothing of a problem that has left the bank. Raises StoreUnavailable."""
    found: list[OpenAnswer] = []
    for problem_id in await open_problems(database, student_id):
        try:
            found.append(OpenAnswer.of(bank.problem(problem_id)))
        except ProblemError:
            continue
    return found
