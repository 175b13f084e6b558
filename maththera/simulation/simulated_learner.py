"""A simulated child: answers what it is shown, by its defect, its knowledge and chance, and learns."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from maththera.arithmetic.problem import Problem
from maththera.simulation.defects import Defect, slip_answer, unsystematic_answer, wrong_answer
from maththera.simulation.parameters import Parameters, ResponseTimes

Origin = Literal["known", "defect", "slip", "guess", "unknown", "impulse"]
"""The origin of an answer. `known`: the child can do it; `guess`: right in spite of the defect; `unknown`: not taught
yet."""

Input = Literal["typed", "taps"]

SHORTEST_MS = 250
"""The shortest possible response time: reading two numbers and moving a hand (Card, Moran & Newell 1983: two eye
fixations and a movement)."""


class ShownTask(NamedTuple):
    """A task as the child sees it. `removed`: the variable that a probe has taken out, None outside probes."""

    problem: Problem
    choices: Sequence[int]
    removed: str | None


class Response(NamedTuple):
    """An answer. `origin` is known to the simulation only."""

    answer: int
    rt_ms: int
    behavior_tags: list[str]
    origin: Origin


@dataclass(slots=True)
class Learner:
    """One child. `known_c`: how far it was taught; `strength`: how surely the defect shows, 1.0 at first."""

    defect: Defect
    known_c: int
    grade: int
    parameters: Parameters
    chance: Random
    input: Input = "typed"
    strength: float = 1.0

    @property
    def mastered(self) -> bool:
        return self.strength <= self.parameters.learning.mastered

    def respond(self, shown: ShownTask) -> Response:
        """One answer to one task."""
        if self.defect.kind == "attention" and self._by_chance(self.strength * self.parameters.attention.impulsive):
            return self._impulsive(shown)
        answer, origin = self._thought_out(shown)
        if shown.choices and self.input == "taps" and answer not in shown.choices:
            answer = self.chance.choice([choice for choice in shown.choices if choice != shown.problem.answer])
        slow = self.defect.kind == "slow_counting" and self._by_chance(self.strength)
        return Response(answer, self._rt_ms(shown.problem, slow=slow), self._observed_behavior(slow=slow), origin)

    def practise(self, shown: Problem, *, matched: bool) -> None:
        """Practice of a finished problem. `matched`: a right step in a loop for the child's own cause."""
        learning = self.parameters.learning
        if matched:
            self.strength *= 1 - learning.practice
        elif self.shows_defect(shown):
            self.strength *= 1 - learning.exposure

    def train(self, *, matched: bool) -> None:
        """A finished training. Only one for the child's own cause has an effect."""
        if matched:
            self.strength *= 1 - self.parameters.learning.training

    def shows_defect(self, problem: Problem) -> bool:
        """Whether the defect can show here."""
        if self.defect.kind == "attention":
            return True
        if self.defect.kind == "slow_counting":
            return problem.strategy_tag != "STR_COUNT_ON"
        return wrong_answer(self.defect, problem, None, self.parameters, self.chance) is not None

    def _thought_out(self, shown: ShownTask) -> tuple[int, Origin]:
        parameters, problem = self.parameters, shown.problem
        if self._by_chance(self.strength):
            wrong = wrong_answer(self.defect, problem, shown.removed, parameters, self.chance)
            if wrong is not None:
                tap = shown.choices and self.input == "taps"
                guessed = self._by_chance(parameters.guess_tap if tap else parameters.guess)
                return (problem.answer, "guess") if guessed else (wrong, "defect")
        scaffold = problem.problem_id.startswith("X:")  # composed of what was taught before
        if problem.c_level > self.known_c and not scaffold and self._by_chance(parameters.knowledge.fails_above):
            return unsystematic_answer(problem, self.chance), "unknown"
        if self._by_chance(parameters.slip):
            return slip_answer(problem, self.chance), "slip"
        return problem.answer, "known"

    def _impulsive(self, shown: ShownTask) -> Response:
        attention = self.parameters.attention
        answer = self.chance.choice(shown.choices) if shown.choices else self.chance.randrange(100)
        rt_ms = draw_ms(self.chance, attention.median_ms, attention.sigma)
        return Response(answer, rt_ms, [], "impulse")

    def _rt_ms(self, problem: Problem, *, slow: bool) -> int:
        times, factor = self.parameters.response_times, 1.0
        if slow and problem.strategy_tag != "STR_COUNT_ON":
            factor = self.parameters.slow_counting.factor
        return draw_ms(self.chance, factor * median_ms(times, problem.strategy_tag, self.grade), times.sigma)

    def _observed_behavior(self, *, slow: bool) -> list[str]:
        counting = self.parameters.slow_counting
        return [counting.observation] if slow and self._by_chance(counting.seen) else []

    def _by_chance(self, share: float) -> bool:
        return self.chance.random() < share


def median_ms(times: ResponseTimes, strategy: str, grade: int) -> float:
    """The median response time of a child of school year `grade` who uses `strategy` (`STR_…`)."""
    return times.median_ms[strategy] * times.grade_factor ** (grade - times.grade)


def draw_ms(chance: Random, median: float, sigma: float) -> int:
    """One response time, log-normal around the median (van der Linden 2006); `sigma`: of its logarithm."""
    return max(SHORTEST_MS, round(chance.lognormvariate(math.log(median), sigma)))
