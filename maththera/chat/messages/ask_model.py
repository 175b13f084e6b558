"""A trained model that tells what a message asks: how much each run of letters speaks for each ask.

The file (`scripts/train_asks.py` makes it) holds arrays: `names` and `bias`, one for each ask; `runs`, the CRC-32 of
each run, in order; and for each run, between two of `starts`, `places` (of asks) and `weights`, multiples of `scale`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final
from zipfile import BadZipFile
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from maththera.config_files import ConfigError
from maththera.words.ngram_model import features, plain

SHARPNESS: Final = 10.0
"""By what the sums of a message are multiplied before they become shares of one."""

_WHAT: Final = re.compile(r"(?<![가-힣])(?:뭘|뭐를|무얼|무엇을|머를|멀(?=\s))(?![가-힣])")


@dataclass(frozen=True, slots=True, eq=False)
class AskModel:
    names: tuple[str, ...]
    bias: NDArray[np.float32]
    runs: NDArray[np.uint32]
    starts: NDArray[np.int32]
    places: NDArray[np.unsignedinteger]
    weights: NDArray[np.float32]

    @classmethod
    def load(cls, path: Path) -> "AskModel":
        """ConfigError for a missing or broken file."""
        try:
            with np.load(path) as held:
                names = tuple(map(str, held["names"]))
                weights = held["weights"].astype(np.float32) * np.float32(held["scale"])
                return cls(names, held["bias"], held["runs"], held["starts"], held["places"], weights)
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise ConfigError(f"{path}: {error}") from error

    @lru_cache(maxsize=8)  # noqa: B019 - a turn asks several times; models live as long as the process
    def shares(self, message: str) -> Mapping[str, float]:
        """How likely each ask is; together 1."""
        wanted = np.unique(np.fromiter(map(code_of, features(plain(in_one_form(message)))), dtype=np.uint32))
        found = np.searchsorted(self.runs, wanted)
        known = found[self.runs[np.minimum(found, len(self.runs) - 1)] == wanted]
        begins, counts = self.starts[known], self.starts[known + 1] - self.starts[known]
        own = np.arange(counts.sum()) + np.repeat(begins - counts.cumsum() + counts, counts)
        told = np.bincount(self.places[own], self.weights[own], len(self.names))
        sums = self.bias + told / np.sqrt(max(1, len(known)))
        likely = np.exp(SHARPNESS * (sums - sums.max()))
        return MappingProxyType(dict(zip(self.names, (likely / likely.sum()).tolist(), strict=True)))


def in_one_form(message: str) -> str:
    """A message with one spelling of the short word for "what": 뭘, 무얼 and the like become 뭐."""
    return _WHAT.sub("뭐", message)


def code_of(run: str) -> int:
    """What stands for a run in the file."""
    return crc32(run.encode())
