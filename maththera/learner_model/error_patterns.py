"""What goes wrong for a child again and again, counted over its answers.

A *cause* is named only where it was stated with confidence high. An *error* is an observation and no diagnosis: the
same wrong procedure gives at least two of the answers. *slow* and *no_response* say how, not why.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Final, Literal

from maththera.arithmetic.malrules import CATALOGUE, Malrule, malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.learner_model.concept_graph import unit_id
from maththera.store.answer_history import Answer

Kind = Literal["cause", "error", "slow", "no_response"]
Resolve = Callable[[str], Problem]
"""The problem of an id."""
RulesOf = Callable[[str, int, tuple[str, ...]], tuple[Malrule, ...]]
"""The procedures that give this answer to the problem of this id; the learned ones of these names are asked too."""

_REPEATED: Final = 2
_EXAMPLES: Final = 3
_SLOW_SHARE: Final = 0.25
"""A unit counts as slow when at least this share of its right answers was."""
_ORDER: Final[Mapping[Kind, int]] = {"cause": 0, "error": 1, "slow": 2, "no_response": 3}


@dataclass(frozen=True, slots=True)
class Example:
    """One answer that shows the pattern; `given` is None where there was no answer. `how`: the wrong procedure that
    gives it."""

    expression: str
    given: int | None
    right: int
    how: str | None


@dataclass(frozen=True, slots=True)
class Pattern:
    """`id`: the cause tag, the malrule's name, or the Cur-C of what was slow or left open. `count`: answers.
    `together`: the cause, and those that nothing told apart from it."""

    kind: Kind
    id: str
    count: int
    concept_ids: tuple[str, ...]
    examples: tuple[Example, ...]
    last_at: datetime
    together: tuple[str, ...] = ()


def find_patterns(answers: Sequence[Answer], resolve: Resolve, before: Sequence[Answer] = ()) -> list[Pattern]:
    """Stated causes first, then repeated errors, slow units and open ones; the most frequent first in each.

    A cause is counted by the answers it explains, whichever turn stated it: the turn that does is often a probe's,
    whose own answer shows something else. What was stated `before` explains them as well.
    """

    @cache  # each answer is asked for twice, and children make their errors again and again
    def rules_of(problem_id: str, given: int, learned: tuple[str, ...]) -> tuple[Malrule, ...]:
        return malrules_giving(resolve(problem_id), given, learned)

    stated = stated_causes([*before, *answers])
    shown: dict[tuple[Kind, str], list[Answer]] = {}
    for answer in answers:
        for key in _pattern_keys(answer, _shown_cause(answer, rules_of, stated), rules_of):
            shown.setdefault(key, []).append(answer)
    right = Counter(unit_id(answer.c_level) for answer in answers if answer.correct and answer.c_level)
    patterns = [
        _pattern(kind, name, seen, (_example(answer, resolve, rules_of, kind, name) for answer in reversed(seen)))
        for (kind, name), seen in shown.items()
        if _often_enough(kind, len(seen), right[name])
    ]
    for tag in stated_causes(answers):
        if ("cause", tag) not in shown:
            patterns.append(_pattern("cause", tag, [a for a in answers if a.stated_cause == tag], []))
    together = stated_together([*before, *answers])
    patterns = [replace(one, together=together.get(one.id, ())) if one.kind == "cause" else one for one in patterns]
    return sorted(patterns, key=lambda pattern: (_ORDER[pattern.kind], -pattern.count, pattern.id))


def shown_causes(answers: Sequence[Answer], resolve: Resolve) -> list[str | None]:
    """For each answer the stated cause that it shows, as `find_patterns` counts them."""
    stated = stated_causes(answers)

    def rules_of(problem_id: str, given: int, learned: tuple[str, ...]) -> tuple[Malrule, ...]:
        return malrules_giving(resolve(problem_id), given, learned)

    shown = [_shown_cause(answer, rules_of, stated) if stated else None for answer in answers]
    unshown = {*stated}.difference(shown)
    return [
        cause or (answer.stated_cause if answer.stated_cause in unshown else None)
        for answer, cause in zip(answers, shown, strict=True)
    ]


def _often_enough(kind: Kind, count: int, right: int) -> bool:
    if kind == "cause":
        return True
    return count >= _REPEATED and (kind != "slow" or count >= _SLOW_SHARE * right)


def stated_causes(answers: Iterable[Answer]) -> dict[str, int]:
    """Cause tag → how often it was stated, the most frequent first."""
    return dict(Counter(tag for answer in answers if (tag := answer.stated_cause)).most_common())


def stated_together(answers: Iterable[Answer]) -> dict[str, tuple[str, ...]]:
    """Cause tag → the cause, and those that nothing told apart from it when it was stated last."""
    return {tag: answer.together or (tag,) for answer in answers if (tag := answer.stated_cause)}


def _shown_cause(answer: Answer, rules_of: RulesOf, stated: Mapping[str, int]) -> str | None:
    """One alone, or one answer would be counted as several errors."""
    if answer.problem_id is None or answer.c_level is None:
        return None
    if answer.pattern == "correct_slow":
        return answer.stated_cause
    if answer.pattern == "no_response" or answer.correct is not False or answer.given is None:
        return None
    rules = rules_of(answer.problem_id, answer.given, answer.learned)
    return next((cause.tag for rule in rules for cause in rule.causes if cause.tag in stated), None)


def _pattern_keys(answer: Answer, cause: str | None, rules_of: RulesOf) -> Iterable[tuple[Kind, str]]:
    """`cause`: the stated one that it shows; an answer that shows one is no error besides."""
    if answer.problem_id is None or answer.c_level is None:
        return
    if cause is not None:
        yield "cause", cause
    if answer.pattern == "correct_slow":
        yield "slow", unit_id(answer.c_level)
    elif answer.pattern == "no_response":
        yield "no_response", unit_id(answer.c_level)
    elif answer.correct is False and answer.given is not None and cause is None:
        yield from (("error", rule.name) for rule in rules_of(answer.problem_id, answer.given, answer.learned)[:1])


def _pattern(kind: Kind, name: str, seen: Sequence[Answer], examples: Iterable[Example]) -> Pattern:
    return Pattern(
        kind=kind,
        id=name,
        count=len(seen),
        concept_ids=tuple(sorted({unit_id(answer.c_level) for answer in seen if answer.c_level}, key=_number)),
        examples=_first_different(examples),
        last_at=seen[-1].created_at,
    )


def _first_different(examples: Iterable[Example]) -> tuple[Example, ...]:
    """So many as are shown; each is looked at only until there are enough."""
    found: dict[Example, None] = {}
    for one in examples:
        found[one] = None
        if len(found) == _EXAMPLES:
            break
    return tuple(found)


def _example(answer: Answer, resolve: Resolve, rules_of: RulesOf, kind: Kind, name: str) -> Example:
    problem_id = answer.problem_id or ""
    problem = resolve(problem_id)
    rules = rules_of(problem_id, answer.given, answer.learned) if answer.given is not None else ()
    of = [one for one in rules if name == one.name or (kind == "cause" and name in {cause.tag for cause in one.causes})]
    return Example(problem.expression, answer.given, problem.answer, of[0].title if of else None)


def _number(concept_id: str) -> int:
    return int(concept_id.rpartition("C")[2])


def error_title(name: str) -> str:
    """What a teacher reads of a malrule."""
    return CATALOGUE[name].title
