"""The simulated children, drawn one by one from a seed; each is independent of their number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, Final

from maththera.arithmetic.curriculum import HIGHEST_C, LOWEST_C
from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem
from maththera.simulation.defects import HEALTHY, Defect
from maththera.simulation.parameters import Kind, Parameters
from maththera.simulation.simulated_learner import Input, Learner
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import can_show, malrule_results
from maththera.tutoring.diagnosis.probes import Candidate, choose_probe

GRADES: Final = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 2, 9: 2, 10: 2, 11: 3, 12: 3, 13: 2, 14: 3, 15: 3}
"""The school year in which the Korean curriculum of 2022 teaches a C."""

_LOAD_AXES: Final = frozenset({"E1"})
_HELD_OUT_SHARE: Final = 0.5
"""The share of children that follow a held-out malrule, if some are held out."""
_RARE: Final = 0.05
"""The share of a level's problems below which a teacher would not notice the defect there."""


@dataclass(frozen=True, slots=True)
class Start:
    """A child and where its session begins."""

    index: int
    learner: Learner
    session: dict[str, Any]
    held_out: bool


class Population:
    """Draws children. `held_out`: malrules that the tutor does not know and children may follow."""

    def __init__(  # noqa: PLR0913 - the tutor's rules, the rates, and what an experiment varies
        self,
        rules: Rules,
        parameters: Parameters,
        *,
        seed: int,
        input_kind: Input = "typed",
        held_out: frozenset[str] = frozenset(),
        kinds: Sequence[Kind] = (),
    ) -> None:
        """`kinds`: draw only these, in the population's proportions; none: all of them."""
        self._rules, self._parameters, self._seed = rules, parameters, seed
        self._input, self._held_out = input_kind, held_out
        shares = parameters.population
        self._shares: Mapping[Kind, float] = {kind: shares[kind] for kind in kinds or shares}

    def child(self, index: int) -> Start:
        """The child of this number; the same seed makes the same child."""
        chance = Random(f"{self._seed}:{index}")  # noqa: S311 - repeatable on purpose
        kind = chance.choices(list(self._shares), list(self._shares.values()))[0]
        defect, first = self._draw(kind, chance)
        c = first.c_level
        known = min(HIGHEST_C, c + chance.randint(0, self._parameters.knowledge.above_start))
        learner = Learner(defect, known, GRADES[c], self._parameters, chance, self._input)
        session = {
            "student_id": f"sim-{index}",
            "c_position": c,
            "w_position": first.w_total,
            "first_problem": first.problem_id,
            "seed": chance.getrandbits(31),
        }
        held_out = bool(defect.pairs) and all(name in self._held_out for name, _ in defect.pairs)
        return Start(index, learner, session, held_out)

    def _draw(self, kind: Kind, chance: Random) -> tuple[Defect, Problem]:
        if kind == "malrule":
            unknown = bool(self._held_out) and chance.random() < _HELD_OUT_SHARE
            malrule = chance.choice([name for name in self._malrules if (name in self._held_out) == unknown])
            cause = chance.choice(CATALOGUE[malrule].causes).tag
            defect, first = self._start_with_defect(Defect(kind, (cause,), ((malrule, cause),)), chance)
            return replace(defect, accepts=self._one_cause_here((malrule, cause), first)), first
        if kind == "mixture":
            return self._mixture(chance)
        if kind == "concept":
            cog_c = chance.choice(sorted(self._by_concept))
            pairs = self._by_concept[cog_c]
            level = chance.choice([c for c in self._levels if self._levels[c][0].cog_c == cog_c])
            defect = Defect(kind, tuple(dict.fromkeys(tag for _, tag in pairs)), pairs, cog_c=cog_c)
            return defect, chance.choice(self._levels[level])
        if kind == "working_memory":
            return self._working_memory(chance)
        first = chance.choice(self._levels[chance.randint(LOWEST_C, HIGHEST_C)])
        if kind == "attention":
            return Defect(kind, ("ATTENTION_L0_IMPULSE",)), first
        if kind == "slow_counting":
            return self._slow_counting(chance)
        return HEALTHY, first

    def _one_cause_here(self, pair: tuple[str, str], first: Problem) -> tuple[str, ...]:
        """The child's own cause, and those that no problem of its level and no probe tells from it: one cause there."""
        own, known = Candidate(pair[1], pair[0]), malrule_results(first)
        others = [
            Candidate(cause.tag, name)
            for name, answer in known.items()
            if name != own.malrule and answer == known[own.malrule]
            for cause in CATALOGUE[name].causes
            if cause.tag != own.tag and can_show(cause.needs, first, None)
        ]
        same = [other.tag for other in others if self._never_apart(own, other, first)]
        return tuple(dict.fromkeys([own.tag, *same]))

    def _never_apart(self, own: Candidate, other: Candidate, first: Problem) -> bool:
        if choose_probe(first, [own, other], asked=(), bank=self._rules.bank, seed=0) is not None:
            return False
        level = self._levels[first.c_level]
        return all(
            malrule_results(problem).get(own.malrule) == malrule_results(problem).get(other.malrule)
            for problem in level
        )

    def _mixture(self, chance: Random) -> tuple[Defect, Problem]:
        first, problem = self._draw("malrule", chance)
        op = CATALOGUE[first.pairs[0][0]].ops
        others = [name for name in self._malrules if CATALOGUE[name].ops == op and name in malrule_results(problem)]
        other = chance.choice([name for name in others if name != first.pairs[0][0]] or others)
        pair = (other, chance.choice(CATALOGUE[other].causes).tag)
        return Defect("mixture", (*first.accepts, pair[1]), (*first.pairs, pair)), problem

    def _working_memory(self, chance: Random) -> tuple[Defect, Problem]:
        limit = chance.choice(self._parameters.working_memory.limits)
        pairs = tuple(
            (name, cause.tag)
            for name in self._malrules
            for cause in CATALOGUE[name].causes
            if self._rules.catalogue.causes[cause.tag].axis in _LOAD_AXES
            and self._rules.catalogue.causes[cause.tag].domain == "EXECUTION"
        )
        defect = Defect("working_memory", tuple(dict.fromkeys(tag for _, tag in pairs)), pairs, w_limit=limit)
        heavy = self._problems_above_limit[limit]
        return defect, chance.choice(heavy[chance.choice(sorted(heavy))])

    def _slow_counting(self, chance: Random) -> tuple[Defect, Problem]:
        slower = {
            strategy: cause
            for strategy in self._parameters.response_times.median_ms
            if (cause := self._rules.catalogue.observations[self._parameters.slow_counting.observation].cause(strategy))
        }
        levels = [c for c, level in self._levels.items() if level[0].strategy_tag in slower]
        first = chance.choice(self._levels[chance.choice(levels)])
        return Defect("slow_counting", tuple(dict.fromkeys(slower.values()))), first

    def _start_with_defect(self, defect: Defect, chance: Random) -> tuple[Defect, Problem]:
        """The start that a teacher would choose: a problem that the defect spoils."""
        spoilt = self._spoilt_problems[defect.pairs[0]]
        return defect, chance.choice(spoilt[chance.choice(sorted(spoilt))])

    @cached_property
    def _levels(self) -> dict[int, Sequence[Problem]]:
        return {c: self._rules.bank.level(c) for c in range(LOWEST_C, HIGHEST_C + 1)}

    @cached_property
    def _spoilt_problems(self) -> dict[tuple[str, str], dict[int, list[Problem]]]:
        """(malrule, cause) → C → the problems it spoils, where those are not rare."""
        found: dict[tuple[str, str], dict[int, list[Problem]]] = {}
        for c, level in self._levels.items():
            for problem in level:
                for name in malrule_results(problem):
                    for cause in CATALOGUE[name].causes:
                        if can_show(cause.needs, problem, None):
                            found.setdefault((name, cause.tag), {}).setdefault(c, []).append(problem)
        for pair, levels in found.items():
            seen = {c: spoilt for c, spoilt in levels.items() if len(spoilt) >= _RARE * len(self._levels[c])}
            found[pair] = seen or levels
        return found

    @cached_property
    def _problems_above_limit(self) -> dict[float, dict[int, list[Problem]]]:
        """A limit of W → C → the problems above it, where there are any."""
        return {
            limit: {
                c: above
                for c, level in self._levels.items()
                if (above := [problem for problem in level if problem.w_total > limit])
            }
            for limit in self._parameters.working_memory.limits
        }

    @cached_property
    def _malrules(self) -> list[str]:
        """Those that an ordinary problem can show; the rest appear only inside loops."""
        shown = {name for name, _ in self._spoilt_problems}
        return [name for name in CATALOGUE if name in shown]

    @cached_property
    def _by_concept(self) -> dict[int, tuple[tuple[str, str], ...]]:
        """Cog-C → the (malrule, cause) that a gap in it shows by."""
        causes = self._rules.catalogue.causes
        found: dict[int, list[tuple[str, str]]] = {}
        for name in self._malrules:
            for cause in CATALOGUE[name].causes:
                axis = causes[cause.tag].axis
                if axis.startswith("C") and any(level[0].cog_c == int(axis[1:]) for level in self._levels.values()):
                    found.setdefault(int(axis[1:]), []).append((name, cause.tag))
        return {cog_c: tuple(pairs) for cog_c, pairs in found.items()}
