"""Draws that depend on a session's seed alone, the same on every machine."""

from typing import Final

_MASK: Final = (1 << 64) - 1


def seeded_index(size: int, *numbers: int) -> int:
    """An index below `size`, spread evenly over the `numbers`."""
    return mixed(0, *numbers) % size


def mixed(value: int, *numbers: int) -> int:
    """A number of 64 bits that goes on from `value` by the numbers: the finaliser of splitmix64 (Steele et al.
    2014)."""
    for number in numbers:
        value = (value + number + 0x9E3779B97F4A7C15) & _MASK
        value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
        value ^= value >> 31
    return value
