"""Finds the example that a message resembles most, by shared runs of letters:
"먼소린지 모르겟어" resembles "무슨 소린지 모르겠어"."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import Final

from maththera.korean.word_lists import usual_spelling
from maththera.words.ngram_model import features, plain

_SENTENCES: Final = re.compile(r"[?!.\n]+")
_SHORT: Final = 34
"""In a message up to so many characters, a single sentence may decide its meaning."""
_LONGEST: Final = 80
"""Only so many characters of a message are compared."""


class SimilarMessages:
    """Examples by meaning. A run of letters weighs more if fewer examples have it."""

    def __init__(self, examples: Mapping[str, Sequence[str]]) -> None:
        told = [(name, _runs(text)) for name, texts in examples.items() for text in texts]
        self._names = [name for name, _ in told]
        seen = Counter(run for _, runs in told for run in runs)
        self._rare = {run: log((1 + len(told)) / times) for run, times in seen.items()}
        self._unknown = log(1 + len(told))
        self._sizes = [self._size(runs) for _, runs in told]
        self._with: defaultdict[str, list[int]] = defaultdict(list)
        for place, (_, runs) in enumerate(told):
            for run in runs:
                self._with[run].append(place)

    def nearest(self, message: str) -> tuple[str, float]:
        """The meaning of the most similar example, and its similarity, 0..1 ("" if there is none). In a short message,
        each sentence is also compared by itself."""
        text = message[:_LONGEST]
        parts = {text, *(_SENTENCES.split(text) if len(text) <= _SHORT else ())}
        return max((self._nearest(_runs(part)) for part in parts), key=lambda found: found[1])

    def _nearest(self, runs: set[str]) -> tuple[str, float]:
        shared: defaultdict[int, float] = defaultdict(float)
        for run in runs:
            weight = self._rare.get(run, 0.0) ** 2
            for place in self._with.get(run, ()):
                shared[place] += weight
        size = self._size(runs)
        if not shared or not size:
            return "", 0.0
        place = max(shared, key=lambda one: shared[one] / self._sizes[one])
        return self._names[place], shared[place] / (self._sizes[place] * size)

    def _size(self, runs: set[str]) -> float:
        return sqrt(sum(self._rare.get(run, self._unknown) ** 2 for run in runs))


def _runs(text: str) -> set[str]:
    return features(plain(usual_spelling(text)))
