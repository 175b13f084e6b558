"""A child that answers: mostly right, sometimes by a malrule or by chance, fast and slow; the same for every seed."""

import random
from typing import Any, Final

from maththera.arithmetic.malrules import wrong_answers
from maththera.arithmetic.problem_bank import Bank

Json = dict[str, Any]

RIGHT: Final = 0.7
BY_MALRULE: Final = 0.8  # of the wrong answers
TIMES_MS: Final = (600, 2_000, 4_000, 9_000)


class Child:
    """Answers tasks as the API shows them."""

    def __init__(self, bank: Bank, seed: int, right: float = RIGHT) -> None:
        self._bank = bank
        self._chance = random.Random(seed)  # noqa: S311  # a benchmark repeats itself
        self._right = right
        self._turns = 0

    def event(self, task: Json) -> Json:
        """What is sent for a task."""
        self._turns += 1
        sent = {"request_id": f"r{self._turns}", "task_id": task["task_id"]}
        if task["kind"] == "training":
            return {**sent, "type": "training_done", "training_id": task["training"]["id"]}
        answer = self._answer(task["problem"]["problem_id"])
        return {**sent, "type": "answer_submitted", "answer": answer, "rt_ms": self._chance.choice(TIMES_MS)}

    def _answer(self, problem_id: str) -> int:
        problem, chance = self._bank.problem(problem_id), self._chance
        if chance.random() < self._right:
            return problem.answer
        wrong = sorted(wrong_answers(problem).values())
        return chance.choice(wrong) if wrong and chance.random() < BY_MALRULE else chance.randrange(200)
