"""Numbers in the sentences of a training: `{a.ones:은는}` is the ones digit with the particle that its sound takes."""

from collections.abc import Mapping
from typing import Final, cast

from maththera.korean.particles import Pair, with_particle

Numbers = Mapping[str, int | str]
"""Numbers and words by name."""

_PAIRS: Final = ("을를", "은는", "이가", "과와")


class Numeral(int):
    """A number that can stand in a sentence."""

    @property
    def ones(self) -> "Numeral":
        """The digit of the ones."""
        return Numeral(self % 10)

    @property
    def tens(self) -> "Numeral":
        """The digit of the tens."""
        return Numeral(self // 10 % 10)

    @property
    def hundreds(self) -> "Numeral":
        """The digit of the hundreds."""
        return Numeral(self // 100 % 10)

    def __format__(self, pair: str) -> str:
        if not pair:
            return str(int(self))
        if pair not in _PAIRS:
            raise ValueError(f"{pair} is none of {', '.join(_PAIRS)}")
        return with_particle(int(self), cast("Pair", pair))


def worded(text: str, numbers: Numbers, found: tuple[int | str, ...]) -> str:
    """The text with its slots filled: names are those of `numbers`, `{1}` is what the first step found. ValueError for
    a slot that there is nothing for."""
    slots = {name: Numeral(value) if isinstance(value, int) else value for name, value in numbers.items()}
    steps = [None, *(Numeral(value) if isinstance(value, int) else value for value in found)]
    try:
        return text.format(*steps, **slots)
    except (LookupError, AttributeError, ValueError, TypeError) as error:
        raise ValueError(f"{text!r}: {error}") from error
