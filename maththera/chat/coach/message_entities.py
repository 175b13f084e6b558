"""What a message names: units of the curriculum, problems, the answer that was given."""

import re
from functools import cached_property
from typing import Final, NamedTuple

from maththera.arithmetic.curriculum import HIGHEST_C, LOWEST_C
from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.result_claims import Expression, claim_in, read_expressions
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.korean.morphemes import content_words
from maththera.korean.numbers import plain
from maththera.learner_model.concept_graph import UNIT, levels_of_concept, unit_id

_PROBLEM_ID: Final = re.compile(r"(?<![\w:])(P-\d{5}|X:\d+[-+x/]\d+:[hv](?::(?:gap|factor|tens))?)(?![A-Za-z0-9])")
_UNIT_ID: Final = re.compile(r"(?<![A-Za-z0-9])(?:cur-?)?c-?(\d{1,2})(?!\d)|(?<!\d)(\d{1,2})\s*단원", re.IGNORECASE)
_SQUEEZED: Final = re.compile(r"[\s(){}\[\],·~_-]+")
_TIMES_TABLES: Final = 13
_UNMISTAKABLE: Final = 4
"""Letters of a single word that counts wherever it stands; shorter ones may be part of another (올림 of 올림픽)."""


class NamedProblem(NamedTuple):
    """A problem that a message names, as arguments of the explanation."""

    expression: Expression
    upright: bool

    @property
    def given(self) -> int | None:
        """The whole number that is claimed to be its result."""
        claimed = self.expression.claimed
        return int(claimed) if claimed is not None and claimed.denominator == 1 else None

    @property
    def arguments(self) -> dict[str, str]:
        problem = problem_of(self.expression) if self.upright else None
        if problem is not None and problem.form == "result":
            return {"problem_id": f"X:{problem.a}{problem.op}{problem.b}:v"}
        return {"expression": self.expression.text}


class EntityReader:
    """Reads messages with the words of `configs/chat/coach/coach.yaml`, the units with every name that they have."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        words = known.coach.config.reading
        self._times_table = words.times_table
        self._upright = re.compile(_any_of(words.upright))

    def problem_ids(self, message: str) -> list[str]:
        return [match[1] for match in _PROBLEM_ID.finditer(message)]

    def problems(self, message: str) -> list[NamedProblem]:
        """The expressions of a message in signs (8+6) and in words (팔 더하기 육, 15에서 8을 빼면), each once."""
        upright = self._upright.search(message) is not None
        named = {one.text: one for one in _expressions(message)}
        return [NamedProblem(one, upright) for one in named.values()]

    def answer(self, message: str) -> int | None:
        """The answer that the child says it gave."""
        claims = [
            given for one in _expressions(message) if (given := NamedProblem(one, upright=False).given) is not None
        ]
        return claims[0] if claims else claim_in(_PROBLEM_ID.sub(" ", message))

    def units(self, message: str) -> list[str]:
        """The units that a message names, by id (C7, 7단원), by name or by a word that belongs to them, the most
        specific: 받아올림이 있는 두 자리 수의 덧셈 is C8, not C7."""
        rest = self._without_problems(message)
        numbers = [int(match[1] or match[2]) for match in _UNIT_ID.finditer(rest)]
        found = [unit_id(c) for c in numbers if LOWEST_C <= c <= HIGHEST_C]
        tables = [unit_id(_TIMES_TABLES)] if self._times_table.search(rest) else []
        return [*dict.fromkeys([*found, *self._named(rest), *tables])]

    def _named(self, text: str) -> list[str]:
        squeezed, words = _squeezed(text), frozenset(content_words(text))
        hits = [
            (name, unit)
            for name, (unit, own) in self._names.items()
            if (own <= words and (len(own) > 1 or own == {name}))
            or ((len(own) > 1 or len(name) >= _UNMISTAKABLE) and name in squeezed)
        ]
        sharp = [(name, unit) for name, unit in hits if not any(self._is_part_of(name, other) for other, _ in hits)]
        return [unit for _, unit in sorted(sharp, key=lambda hit: squeezed.find(hit[0]) % (len(squeezed) + 1))]

    def _is_part_of(self, name: str, other: str) -> bool:
        """Whether another name that was found says all that this one says, and more."""
        own, more = self._names[name][1], self._names[other][1]
        return name != other and (own < more or (own == more and name in other) or (name in other))

    @cached_property
    def _names(self) -> dict[str, tuple[str, frozenset[str]]]:
        """Name without spaces → its unit, and its words. What names a unit comes before what belongs to it, and the
        concepts that several units share come last, for the first of those."""
        graph, units = self._known.graph, self._known.coach.units
        names: dict[str, tuple[str, frozenset[str]]] = {}

        def name(unit: str, *texts: str) -> None:
            for text in texts:
                names.setdefault(_squeezed(text), (unit, frozenset(content_words(text))))

        for unit, concept in graph.concepts.items():
            if unit.startswith(UNIT):
                name(unit, concept.name, *concept.aliases)
        for unit, own in units.items():
            for one in own.concepts:
                name(unit, one.name, *one.also)
        for concept_id, concept in graph.concepts.items():
            shared = concept_id if concept_id.startswith(UNIT) else unit_id(levels_of_concept(concept_id)[0])
            name(shared, concept.name, *concept.aliases, *concept.broad)
        return names

    def _without_problems(self, message: str) -> str:
        rest = plain(message)
        for one in reversed(_expressions(message)):
            rest = f"{rest[: one.start]} {rest[one.end :]}"
        return _PROBLEM_ID.sub(" ", rest)


def _expressions(message: str) -> tuple[Expression, ...]:
    """Those that stand in no problem id."""
    return read_expressions(_PROBLEM_ID.sub(lambda match: " " * len(match[0]), message))


def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _squeezed(text: str) -> str:
    return _SQUEEZED.sub("", text).lower()
