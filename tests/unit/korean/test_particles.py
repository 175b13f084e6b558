"""Which form of a particle follows a word, by how Koreans read it."""

import pytest

from maththera.korean.particles import ends_in_consonant, with_particle


@pytest.mark.parametrize(
    "word",
    ["사탕", "28", "s1", "'연습'", "tool", "get_concept_gap", "file", "name", "set", "column", "string", "Kim", "step"],
)
def test_a_word_that_ends_in_a_consonant(word: str) -> None:
    assert ends_in_consonant(word)
    assert with_particle(word, "을를") == f"{word}을"


@pytest.mark.parametrize(
    "word",
    ["사과", "42", "server", "get_prerequisite", "list", "task", "check", "word", "cm", "kg", "x", "code", "text"],
)
def test_a_word_that_ends_in_a_vowel(word: str) -> None:
    assert not ends_in_consonant(word)
    assert with_particle(word, "이가") == f"{word}가"
