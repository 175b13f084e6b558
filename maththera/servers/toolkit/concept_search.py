"""Free Korean text → the nearest concept, and how sure that is."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from maththera.korean.morphemes import content_words
from maththera.learner_model.concept_graph import ConceptGraph

_SURE_ENOUGH: Final = 0.45
"""Below this certainty a text names no concept. 분수의 덧셈 shares 덧셈 with several, and is none of them."""

_BROAD: Final = 0.6
"""The certainty of a word that says more than one concept: 덧셈 may be of one digit, two or three."""

_BREADTH: Final = 0.4
"""How much it counts that the text says all of the concept's name: 덧셈 alone is less sure than 두 자리 수의 덧셈."""

_SQUEEZED: Final = re.compile(r"[\s(){}\[\].,·_~〜-]+")
_ID: Final = re.compile(r"(cur|cog)-?c-?(\d{1,2})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Match:
    """`certainty` is 1 for an id, a name or an alias as it stands, else between 0 and 1."""

    concept_id: str
    certainty: float


class ConceptSearch:
    """The names of one concept graph."""

    def __init__(self, graph: ConceptGraph) -> None:
        self._graph = graph
        self._names = {
            _squeezed(name): Match(concept_id, certainty)
            for concept_id, concept in graph.concepts.items()
            for names, certainty in (((concept.name, *concept.aliases), 1.0), (concept.broad, _BROAD))
            for name in names
        }

    def find(self, text: str) -> Match | None:
        """The nearest concept; None when none is near enough."""
        if exact := self._exact(text):
            return exact
        best = next(iter(self.nearest(text, 1)), None)
        return best if best and best.certainty >= _SURE_ENOUGH else None

    def nearest(self, text: str, limit: int) -> list[Match]:
        """The most similar concepts, the best first; those without a common word are left out."""
        wanted = frozenset(content_words(text))
        found = {
            concept_id: max(self._similarity(wanted, name) for name in names)
            for concept_id, names in self._words.items()
        }
        ranked = sorted(found.items(), key=lambda item: (-item[1], self._graph.order[item[0]]))
        return [Match(concept_id, round(certainty, 2)) for concept_id, certainty in ranked[:limit] if certainty > 0]

    def _exact(self, text: str) -> Match | None:
        if found := _ID.fullmatch(text.strip()):
            concept_id = f"{found[1].capitalize()}-C{int(found[2])}"
            return Match(concept_id, 1.0) if concept_id in self._graph.concepts else None
        return self._names.get(_squeezed(text))

    @cached_property
    def _words(self) -> Mapping[str, Sequence[frozenset[str]]]:
        return {
            concept_id: [frozenset(content_words(name)) for name in (concept.name, *concept.aliases)]
            for concept_id, concept in self._graph.concepts.items()
        }

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """Inverse document frequency: a word that few concepts have says more."""
        holders: dict[str, int] = {}
        for names in self._words.values():
            for word in frozenset().union(*names):
                holders[word] = holders.get(word, 0) + 1
        return {word: math.log(1 + len(self._words) / count) for word, count in holders.items()}

    def _weight(self, words: frozenset[str]) -> float:
        unknown = math.log(1 + len(self._words))
        return sum(self._weights.get(word, unknown) for word in words)

    def _similarity(self, wanted: frozenset[str], name: frozenset[str]) -> float:
        common = self._weight(wanted & name)
        if not common:
            return 0.0
        return common / self._weight(wanted) * (1 - _BREADTH + _BREADTH * common / self._weight(name))


def _squeezed(text: str) -> str:
    return _SQUEEZED.sub("", text).lower()
