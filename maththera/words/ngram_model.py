"""A linear model over short runs of letters. It scores how similar a line is to those it was trained on: messages of
children in danger, or unkind sentences.

A line is cut into all runs of 1 to 4 characters and of 4 to 6 Korean letters (jamo, spaces taken out), so that typos
and lost spaces change few of them; the beginnings of words that stand near each other make pairs. Each of these has one
weight: how much more often it stood in the lines to be found (a log odds ratio), times what a logistic regression made
of that. The method is S. Wang and C. Manning, "Baselines and Bigrams", ACL 2012. `scripts/train_danger.py` and
`scripts/train_unkind.py` make the files.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from math import exp, sqrt
from pathlib import Path
from typing import Final

from maththera.config_files import ConfigError
from maththera.korean.jamo import CONJOINING, parts

FORMAT: Final = "maththera {} model 1"
"""The first line of a file, with the name of what the model finds."""
SCALE: Final = 1000
"""The numbers in the file are integers: thousandths."""
LONGEST: Final = 600
"""How many characters are scored at once; a longer text is cut into overlapping pieces."""
_OVERLAP: Final = 80
_STEM, _NEAR = 2, 6
"""Characters of a word that make a pair with another, and how many words on that one may stand."""

_DIGITS: Final = re.compile(r"\d+")
_LAUGHTER: Final = re.compile(r"ㅋ+|ㅎ{2,}")
_TEARS: Final = re.compile(r"[ㅠㅜ]+")
_STRETCHED: Final = re.compile(r"(.)\1{2,}")
_OTHER: Final = re.compile(r"[^가-힣ㄱ-ㅣa-z0?!]+")
_ALIKE: Final = str.maketrans("ㅐㅒㅖㅙㅞㅚ", "ㅔㅔㅔㅔㅔㅔ")
"""Vowels that sound alike and are confused in writing."""


def plain(text: str) -> str:
    """A text in small letters, none of them stretched: each number as 0, laughter as ㅋ, tears as ㅠ, no signs
    but ? and !."""
    text = _DIGITS.sub("0", unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text)).lower())
    text = _TEARS.sub(" ㅠ ", _LAUGHTER.sub(" ㅋ ", _compatible(text)))
    return " ".join(_OTHER.sub(" ", _STRETCHED.sub(r"\1\1", text)).split())


def features(text: str) -> set[str]:
    """All runs of a text that is `plain` already, and the pairs of its words that stand near each other."""
    edged = f" {text} "
    letters = "".join(_letters(character) for character in text if character != " ").translate(_ALIKE)
    found = {edged[start : start + size] for size in (1, 2, 3, 4) for start in range(len(edged) - size + 1)}
    found |= {letters[start : start + size] for size in (4, 5, 6) for start in range(len(letters) - size + 1)}
    stems = [word[:_STEM] for word in text.split()]
    found |= {f"{stem}|{other}" for place, stem in enumerate(stems) for other in stems[place + 1 : place + _NEAR]}
    return found


@dataclass(frozen=True, slots=True)
class NgramModel:
    """`weights`: run → its part of the score. A line's sum is divided by the square root of its number of runs, at
    least by `shortest`, so that two words cannot score like a sentence. `kinds`: run → a weight for each of
    `categories`; a model that only finds has neither."""

    bias: float
    shortest: float
    weights: Mapping[str, int]
    categories: Sequence[str]
    kinds_bias: Sequence[float]
    kinds: Mapping[str, Sequence[int]]

    def score(self, text: str) -> float:
        """Log odds of a text that is `plain`; the highest of its pieces."""
        return max(self._score(piece) for piece in _pieces(text))

    def categories_of(self, text: str) -> list[tuple[str, float]]:
        """The categories of a message that is `plain`, the likeliest first, each with its probability among them."""
        sums = list(self.kinds_bias)
        known = [self.kinds[run] for run in features(text[:LONGEST]) if run in self.kinds]
        size = SCALE * sqrt(max(len(known), 1))
        for weights in known:
            for place, weight in enumerate(weights):
                sums[place] += weight / size
        highest = max(sums)
        likely = [exp(each - highest) for each in sums]
        total = sum(likely)
        found = [(name, each / total) for name, each in zip(self.categories, likely, strict=True)]
        return sorted(found, key=lambda each: -each[1])

    def _score(self, text: str) -> float:
        runs, weights = features(text), self.weights
        weighted = sum([weights[run] for run in runs if run in weights])
        return self.bias + weighted / SCALE / max(sqrt(len(runs)), self.shortest)


def load_model(path: Path, finds: str) -> NgramModel:
    """The model of a file. `finds`: what the model must be for. ConfigError names file, line and reason of a missing or
    broken file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    head, separator, body = text.partition("\n\n")
    lines = head.split("\n")
    if not separator or lines[0] != FORMAT.format(finds):
        raise ConfigError(f"{path}:1: must begin with '{FORMAT.format(finds)}', then its numbers, then an empty line")
    told = dict(line.partition("\t")[::2] for line in lines[1:])
    try:
        bias, shortest = float(told["bias"]), float(told["shortest"])
        categories = [each for each in told["categories"].split(",") if each]
        kinds_bias = [float(each) for each in told["kinds_bias"].split(",") if each]
        checksum = told["sha256"]
    except (KeyError, ValueError) as error:
        raise ConfigError(f"{path}:2: the numbers at the top: {error}") from error
    weights, kinds = _weights(path, body, len(lines) + 2, len(categories))
    if sha256(body.encode()).hexdigest() != checksum:
        raise ConfigError(f"{path}:2: the weights below are not those that the checksum was made of")
    return NgramModel(bias, shortest, weights, categories, kinds_bias, kinds)


class _Numbers(dict[str, int]):
    """Text → its whole number: each text is read once, and all that are alike share one object."""

    def __missing__(self, text: str) -> int:
        number = self[text] = int(text)
        return number


def _weights(path: Path, body: str, first: int, categories: int) -> tuple[dict[str, int], dict[str, tuple[int, ...]]]:
    """Each line: run, weight, and the weights by category where the run has some. A space in a run stands as `_`."""
    weights: dict[str, int] = {}
    kinds: dict[str, tuple[int, ...]] = {}
    numbers = _Numbers()
    for number, line in enumerate(body.removesuffix("\n").split("\n"), first):
        run, _, told = line.partition("\t")
        run = run.replace("_", " ")
        by_category: list[int] = []
        try:
            if "\t" in told:
                weight, *by_category = map(numbers.__getitem__, told.split("\t"))
            else:
                weight = numbers[told]
        except ValueError:
            raise ConfigError(f"{path}:{number}: a run and its whole numbers, not {line[:40]!r}") from None
        if by_category:
            if len(by_category) != categories:
                raise ConfigError(f"{path}:{number}: {len(by_category)} weights for {categories} categories")
            kinds[run] = tuple(by_category)
        if weight:
            weights[run] = weight
    return weights, kinds


def _pieces(text: str) -> list[str]:
    if len(text) <= LONGEST:
        return [text]
    return [text[start : start + LONGEST] for start in range(0, len(text) - _OVERLAP, LONGEST - _OVERLAP)]


@lru_cache(maxsize=4096)
def _letters(character: str) -> str:
    found = parts(character)
    return "".join(found) if found else character


def _compatible(text: str) -> str:
    """Single letters, which the normalisation turned into other signs of the same look, as one types them."""
    return text.translate(CONJOINING)
