"""A simulated child: answers what it is shown, by its defect, its knowledge and chance, and learns."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from maththera.arithmetic.problem import Problem
from maththera.simulation.defects import Defect, slipped, unsystematic, wrong_answer
from maththera.simulation.parameters import Parameters
from maththera.simulation.response_times import draw_ms, median_ms

Origin = Literal["known", "defect", "slip", "guess", "unknown", "impulse"]
"""Where an answer comes from. `known`: what the child can; `guess`: right in spite of the defect; `unknown`: not
taught yet."""

Input = Literal["typed", "taps"]


class Shown(NamedTuple):
    """A task as the child sees it. `removed`: the variable that a probe has taken out, None outside probes."""

    problem: Problem
    choices: Sequence[int]
    removed: str | None


class Response(NamedTuple):
    """An answer; `origin` is what only the simulation knows."""

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

    def respond(self, shown: Shown) -> Response:
        """One answer to one task."""
        if self.defect.kind == "attention" and self._happens(self.strength * self.parameters.attention.impulsive):
            return self._impulsive(shown)
        answer, origin = self._thought_out(shown)
        if shown.choices and self.input == "taps" and answer not in shown.choices:
            answer = self.chance.choice([choice for choice in shown.choices if choice != shown.problem.answer])
        slow = self.defect.kind == "slow_counting" and self._happens(self.strength)
        return Response(answer, self._rt_ms(shown.problem, slow=slow), self._seen(slow=slow), origin)

    def practise(self, shown: Problem, *, matched: bool) -> None:
        """A problem is over. `matched`: a right step on the way back that was laid for the child's own cause."""
        learning = self.parameters.learning
        if matched:
            self.strength *= 1 - learning.practice
        elif self.spoilt(shown):
            self.strength *= 1 - learning.exposure

    def train(self, *, matched: bool) -> None:
        """A training is over; only one for the child's own cause changes anything."""
        if matched:
            self.strength *= 1 - self.parameters.learning.training

    def spoilt(self, problem: Problem) -> bool:
        """Whether the defect can show here."""
        if self.defect.kind == "attention":
            return True
        if self.defect.kind == "slow_counting":
            return problem.strategy_tag != "STR_COUNT_ON"
        return wrong_answer(self.defect, problem, None, self.parameters, self.chance) is not None

    def _thought_out(self, shown: Shown) -> tuple[int, Origin]:
        parameters, problem = self.parameters, shown.problem
        if self._happens(self.strength):
            wrong = wrong_answer(self.defect, problem, shown.removed, parameters, self.chance)
            if wrong is not None:
                tap = shown.choices and self.input == "taps"
                guessed = self._happens(parameters.guess_tap if tap else parameters.guess)
                return (problem.answer, "guess") if guessed else (wrong, "defect")
        scaffold = problem.problem_id.startswith("X:")  # made of what was taught before
        if problem.c_level > self.known_c and not scaffold and self._happens(parameters.knowledge.fails_above):
            return unsystematic(problem, self.chance), "unknown"
        if self._happens(parameters.slip):
            return slipped(problem, self.chance), "slip"
        return problem.answer, "known"

    def _impulsive(self, shown: Shown) -> Response:
        attention = self.parameters.attention
        answer = self.chance.choice(shown.choices) if shown.choices else self.chance.randrange(100)
        rt_ms = draw_ms(self.chance, attention.median_ms, attention.sigma)
        return Response(answer, rt_ms, [], "impulse")

    def _rt_ms(self, problem: Problem, *, slow: bool) -> int:
        times, factor = self.parameters.response_times, 1.0
        if slow and problem.strategy_tag != "STR_COUNT_ON":
            factor = self.parameters.slow_counting.factor
        return draw_ms(self.chance, factor * median_ms(times, problem.strategy_tag, self.grade), times.sigma)

    def _seen(self, *, slow: bool) -> list[str]:
        counting = self.parameters.slow_counting
        return [counting.observation] if slow and self._happens(counting.seen) else []

    def _happens(self, share: float) -> bool:
        return self.chance.random() < share
