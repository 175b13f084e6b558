"""What a message is most like, of known examples: by the runs of letters that they share, so that "먼소린지 모르겟어"
is like "무슨 소린지 모르겠어"."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import Final

from maththera.korean.word_lists import usual_spelling
from maththera.words.ngram_model import features, plain

_SENTENCES: Final = re.compile(r"[?!.\n]+")
_SHORT: Final = 34
"""Characters of a message of which a single sentence may tell what it means."""
_LONGEST: Final = 80
"""Characters of a message that is compared."""


class SimilarMessages:
    """Examples by what they mean. A run of letters counts the more, the fewer examples have it."""

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
        """The meaning of the example that is most like the message, or a sentence of a short one, and how alike they
        are: 0..1 ("" for nothing)."""
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
