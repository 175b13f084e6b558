"""Numbers in the sentences of a training: `{a.ones:은는}` is the ones digit with the particle that its sound takes."""

from collections.abc import Mapping

from maththera.korean.particles import PARTICLES, with_particle

Numbers = Mapping[str, int | str]
"""Numbers and words by name."""


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

    def __format__(self, particle: str) -> str:
        if not particle:
            return str(int(self))
        if particle not in PARTICLES:
            raise ValueError(f"{particle} is none of {', '.join(PARTICLES)}")
        return with_particle(int(self), particle)


def worded(text: str, numbers: Numbers, found: tuple[int | str, ...]) -> str:
    """The text with its slots filled: names are those of `numbers`, `{1}` is what the first step found. ValueError for
    a slot that there is nothing for."""
    slots = {name: Numeral(value) if isinstance(value, int) else value for name, value in numbers.items()}
    steps = [None, *(Numeral(value) if isinstance(value, int) else value for value in found)]
    try:
        return text.format(*steps, **slots)
    except (LookupError, AttributeError, ValueError, TypeError) as error:
        raise ValueError(f"{text!r}: {error}") from error
