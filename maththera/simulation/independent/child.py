"""One child: reads a task as the client shows it, answers, learns from what happens, forgets overnight.

Every number is chosen, but for the medians of the response times. None of them comes from the tutor.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from maththera.simulation.independent.abilities import needed
from maththera.simulation.independent.memory import Memory
from maththera.simulation.independent.number_sense import Senses, perceive
from maththera.simulation.independent.procedures import Procedure
from maththera.simulation.independent.sums import MINUS, PLUS, SHARED, TIMES, Sum, read

MEDIAN_MS: Final = {PLUS: 7300, MINUS: 6600, TIMES: 7900, SHARED: 5100}
"""Sign → the median time of right typed answers on a primary-school practice site, as published in its aggregates."""

SHORTEST_MS: Final = 300
LONGEST_MS: Final = 120_000
_SIGMA: Final = 0.35
_SLOW_TYPING_MS: Final = 3000
_TAP_SAVES_MS: Final = 1200
_TIRED_AFTER: Final = 25
_TIRES: Final = 0.02
_FOLLOWS: Final = 0.92
_GUESSES: Final = 0.04
_GIVES_UP: Final = 0.05
_AID: Final = 0.35
_EXAMPLE: Final = 0.6
_AID_AGAINST_PROCEDURE: Final = 0.5
_TEXT_SUM: Final = re.compile(r"(\d+)\s*([-+−×÷])\s*(\d+)")
_WORD_SUMS: Final = (
    (re.compile(r"(\d+)[과와] (\d+)[을를은는]? ?(?:더하면|모으면|몇)"), PLUS),
    (re.compile(r"(\d+)에서 (\d+)[을를] ?(?:빼면|주면)"), MINUS),
)

GAIN: Final = {"right": 0.08, "wrong": 0.03, "aided": 0.1, "example": 0.15, "training": 0.05}
"""Learning from one task: the weakest ability that it needs gains this share of what it lacks, in a child with `learns`
1."""
_TRAINED_AT_MOST: Final = 4
_UNLEARNS: Final = {"right": 0.02, "wrong": 0.015, "aided": 0.06, "example": 0.12, "training": 0.05}
"""Unlearning by one task to which a wrong procedure applies: the procedure loses this share of its strength, in a child
with `learns` 1."""
_FOOTING: Final = 0.4
"""A task teaches nothing if the chance of doing everything else in it right is below this."""


@dataclass(frozen=True, slots=True)
class Habits:
    """`learns`, `speed`: factors, 1 usual. `slip`: wrong although known, on a sum of usual length. `hasty`: the share
    of answers before thinking."""

    kind: str
    learns: float
    slip: float
    speed: float
    hasty: float = 0.0
    types_slowly: bool = False
    taps: bool = False


class Reply(NamedTuple):
    """`answer` None: it gives up. `why`: known to the simulation alone: right, slip, procedure, cannot, guess, hasty,
    gives up."""

    answer: int | None
    rt_ms: int
    why: str


class Child:
    """`knows`: ability → memory; `senses`: of numbers. `hold`: how surely it follows its wrong procedure, if it has
    one."""

    def __init__(  # noqa: PLR0913 - what a child is
        self,
        habits: Habits,
        knows: dict[str, Memory],
        senses: Senses,
        chance: Random,
        *,
        procedure: Procedure | None = None,
        hold: float = 1.0,
    ) -> None:
        self.habits, self.knows, self.procedure, self.hold = habits, knows, procedure, hold
        self.senses = senses
        self.day = 0.0
        self._chance, self._tasks = chance, 0

    def sits_down(self, day: float) -> None:
        """A new session on `day`, rested."""
        self.day, self._tasks = day, 0

    def can(self, ability: str) -> float:
        """The chance that an ability comes off today."""
        return self.knows[ability].on(self.day)

    def success(self, one: Sum) -> float:
        """The chance that an unaided answer is right, rested."""
        return self._success(one, self.can)

    def successes(self, sums: Iterable[Sum]) -> list[float]:
        """The same of many."""
        today = {ability: memory.on(self.day) for ability, memory in self.knows.items()}
        return [self._success(one, today.__getitem__) for one in sums]

    def _success(self, one: Sum, can: Callable[[str], float]) -> float:
        asked = needed(one)
        able = math.prod(map(can, asked))
        follows = _FOLLOWS * self.hold if self._misled(one) is not None else 0.0
        thought = (1 - follows) * (able * (1 - self._slip(asked)) + (1 - able) * _GUESSES)
        return (1 - self.habits.hasty) * thought

    def respond(self, task: Mapping[str, Any]) -> Reply:
        """The answer to a task as the client shows it; not for trainings."""
        self._tasks += 1
        if (widget := task.get("widget")) is not None:
            return self._looked(widget)
        one = read(task["prompt"])
        if one is None:
            return Reply(None, self._time(5000.0), "gives up")
        tapped = task["choices"] if self.habits.taps else ()
        if self._by_chance(self.habits.hasty):
            blurted = self._chance.choice(tapped) if tapped else self._wrong(one)
            return Reply(blurted, round(self._chance.uniform(500, 1500)), "hasty")
        answer, why = self._thought(one, _aid(task))
        took = self._time(self._median(one, tapped=bool(tapped)))
        if why == "cannot" and self._by_chance(_GIVES_UP):
            return Reply(None, took, "gives up")
        if tapped and answer not in tapped:
            return Reply(self._chance.choice(tapped), took, "guess")
        return Reply(answer, took, why)

    def _looked(self, widget: Mapping[str, Any]) -> Reply:
        answer, median, why = perceive(widget, self.senses, self._chance)
        typed = widget["ask"] not in ("more", "words", "place") and self.habits.types_slowly
        return Reply(answer, self._time(median * self.habits.speed + _SLOW_TYPING_MS * typed), why)

    def learn(self, task: Mapping[str, Any], *, right: bool) -> None:
        """What an answered task leaves behind; for a training, when it is done."""
        if (widget := task.get("widget")) is not None:
            self.senses.practise(widget["ask"])
            return
        if task.get("training") is not None:
            self._learn_by_training(task["training"])
            return
        problem = task.get("problem") or {}
        example = task["kind"] == "worked_example"
        steps = (task.get("presentation") or {}).get("steps") if example else None
        if steps and steps[-1]["expression"] != task["prompt"]:
            return  # what is shown is understood when the last step is done
        one = (read(problem.get("expression", "")) if example else None) or read(task["prompt"])
        if one is None:
            return
        aided = task["visual_mode"] != "none" or task["kind"] not in ("problem", "probe")
        self._practise(one, "example" if example else "wrong" if not right else "aided" if aided else "right", right)

    def _practise(self, one: Sum, how: str, right: bool) -> None:
        strengths = {ability: self.can(ability) for ability in needed(one)}
        if not strengths:
            return
        weakest = min(strengths, key=lambda ability: strengths[ability])
        footing = math.prod(value for ability, value in strengths.items() if ability != weakest)
        for ability in strengths:
            teaches = ability == weakest and footing >= _FOOTING
            self.knows[ability].practised(
                self.day, self.habits.learns * GAIN[how] if teaches else 0.0, right=right or how == "example"
            )
        if self._misled(one) is not None:
            self.hold *= 1 - min(1.0, self.habits.learns * _UNLEARNS[how])

    def _learn_by_training(self, training: Mapping[str, Any]) -> None:
        seen: dict[tuple[str, ...], int] = {}
        for one in _sums(training):
            times = seen[needed(one)] = seen.get(needed(one), 0) + 1
            if times <= _TRAINED_AT_MOST:
                self._practise(one, "training", right=True)

    def _thought(self, one: Sum, aid: float) -> tuple[int, str]:
        misled = self._misled(one)
        lessened = _AID_AGAINST_PROCEDURE if aid else 1.0
        if misled is not None and self._by_chance(_FOLLOWS * self.hold * lessened):
            return misled, "procedure"
        asked = needed(one)
        able = math.prod(now + aid * (1 - now) for now in map(self.can, asked))
        if not self._by_chance(able):
            return (one.answer, "guess") if self._by_chance(_GUESSES) else (self._wrong(one), "cannot")
        tired = 1 + _TIRES * max(0, self._tasks - _TIRED_AFTER)
        if self._by_chance(self._slip(asked) * tired):
            return self._slipped(one), "slip"
        return one.answer, "right"

    def _misled(self, one: Sum) -> int | None:
        return self.procedure.answer(one) if self.procedure is not None else None

    def _slip(self, asked: Sequence[str]) -> float:
        """Longer sums slip more often."""
        return min(0.5, self.habits.slip * (0.7 + 0.06 * len(asked)))

    def _slipped(self, one: Sum) -> int:
        """A count one off, a key next door, two digits changed over, or a neighbour's ten."""
        answer, way = one.answer, self._chance.random()
        if way < 0.4:
            found = answer + self._chance.choice((-1, 1))
        elif way < 0.6:
            found = answer + self._chance.choice((-10, 10))
        elif way < 0.75:
            found = int(str(answer)[::-1])
        else:
            found = answer + self._chance.choice((-3, -2, 2, 3))
        return found if found >= 0 and found != answer else answer + self._chance.choice((1, 2))

    def _wrong(self, one: Sum) -> int:
        """By no procedure: something of about the right size."""
        spread = max(3, one.answer // 3)
        found = max(0, one.answer + self._chance.randint(-spread, spread))
        return found if found != one.answer else found + self._chance.choice((1, 2, 10))

    def _median(self, one: Sum, *, tapped: bool) -> float:
        """Typing a number is part of the published times, tapping one is quicker."""
        asked = needed(one)
        unsure = 1.4 if any(self.can(ability) < 0.6 for ability in asked) else 1.0
        thinking = MEDIAN_MS[one.sign] * (0.55 + 0.18 * min(6, len(asked))) * self.habits.speed * unsure
        return max(
            1000.0, thinking - _TAP_SAVES_MS * tapped + _SLOW_TYPING_MS * (self.habits.types_slowly and not tapped)
        )

    def _time(self, median: float) -> int:
        drawn = self._chance.lognormvariate(math.log(median), _SIGMA)
        return min(LONGEST_MS, max(SHORTEST_MS, round(drawn)))

    def _by_chance(self, share: float) -> bool:
        return self._chance.random() < share


def _aid(task: Mapping[str, Any]) -> float:
    """How much of what is missing the screen makes up for."""
    if task["kind"] == "worked_example":
        return _EXAMPLE
    return _AID if task["visual_mode"] != "none" else 0.0


def _sums(training: Mapping[str, Any]) -> Iterator[Sum]:
    """The sums that a training's items write out, in digits or in words."""
    for item in training.get("items", ()):
        for step in item.get("steps", ()):
            text = " ".join(step.get("prompt", ()))
            for a, sign, b in _TEXT_SUM.findall(text):
                if (one := read(f"{a}{sign}{b}")) is not None:
                    yield one
            for form, sign in _WORD_SUMS:
                for a, b in form.findall(text):
                    if (one := read(f"{a}{sign}{b}")) is not None:
                        yield one
