"""Particles after words, names and numbers, each as it is read."""

import json
from pathlib import Path

import pytest

from maththera.korean.particles import PARTICLES, Particle, as_called, with_particle

WORDED: dict[Particle, list[str]] = json.loads(Path("tests/data/particles.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("particle", "text"), [(particle, text) for particle in WORDED for text in WORDED[particle]])
def test_a_word_takes_the_particle_that_its_sound_asks_for(particle: Particle, text: str) -> None:
    form = next(form for form in PARTICLES[particle] if text.endswith(form))
    assert with_particle(text.removesuffix(form), particle) == text


def test_every_particle_has_both_of_its_forms_in_the_table() -> None:
    for particle, forms in PARTICLES.items():
        found = {next(form for form in forms if text.endswith(form)) for text in WORDED[particle]}
        assert found == set(forms), particle


@pytest.mark.parametrize(
    ("name", "called"),
    [("하늘", "하늘이"), ("민수", "민수"), ("Kim", "Kim"), ("민준2", "민준2"), ("7", "7"), ("", "")],
)
def test_a_child_is_called_as_friends_do(name: str, called: str) -> None:
    assert as_called(name) == called
