"""The two installed prompts: their sizes, and that what they show a model as good is good."""

import re
from typing import Any

import pytest
import yaml

from maththera.llm.prompts import Prompt, load_prompts
from maththera.llm.token_estimate import estimate_tokens
from maththera.settings import home
from maththera.tutoring.feedback import tone
from maththera.tutoring.turns.model_requests import VARIABLES

PROMPTS = load_prompts(home() / "prompts")
CAUSES = sorted(yaml.safe_load((home() / "configs" / "tutoring" / "causes.yaml").read_text(encoding="utf-8")))


def longest(prompt: Prompt, **given: Any) -> dict[str, Any]:
    """A value of the declared length for every variable: Korean, the costliest, where it can be Korean."""
    values: dict[str, Any] = {}
    for name, variable in prompt.header.variables.items():
        identifier = name.endswith(("_tag", "_tags"))
        text = ("OBS_FINGER " if identifier else "여덟 자리 ") * variable.max
        values[name] = 10 ** (variable.max - 1) if variable.type == "integer" else text[: variable.max]
    return values | given


@pytest.mark.parametrize(
    ("name", "given", "system", "user"),
    [("diagnosis", {"causes": CAUSES}, 4_000, 500), ("feedback", {}, 3_500, 900)],
)
def test_a_prompt_keeps_to_the_size_it_was_designed_with(
    name: str, given: dict[str, Any], system: int, user: int
) -> None:
    rendered = PROMPTS[name].render(longest(PROMPTS[name], **given))
    assert 0.5 * system < estimate_tokens(rendered.system) <= system
    assert estimate_tokens(rendered.input) <= user
    assert (PROMPTS[name].header.limits.system, PROMPTS[name].header.limits.input) == (system, user)


def test_the_prompts_declare_what_they_are_filled_with() -> None:
    assert {name: set(PROMPTS[name].header.variables) for name in VARIABLES} == VARIABLES


def examples() -> list[list[str]]:
    """The lines of every `- "…" / "…"` of the feedback prompt; the refused ones have an arrow."""
    shown = re.findall(r'^- (".*")$', PROMPTS["feedback"].system, re.MULTILINE)
    return [re.findall(r'"([^"]+)"', line) for line in shown]


@pytest.mark.slow
@pytest.mark.parametrize("lines", examples(), ids=" ".join)
def test_every_example_keeps_the_tone_guide(lines: list[str]) -> None:
    assert tone.check(lines, None, answer=None, revealed=True) == []


@pytest.mark.slow
@pytest.mark.parametrize("line", re.findall(r'^- "(.*)" → ', PROMPTS["feedback"].system, re.MULTILINE))
def test_every_counterexample_breaks_it(line: str) -> None:
    assert tone.check([line], None, answer=14, revealed=False) != []


def test_the_words_that_are_banned_first_of_all_are_named() -> None:
    for banned in ("틀렸어", "아니야", "왜 못해", "정신 차려", "빨리", "당연히"):
        assert f'"{banned}"' in PROMPTS["feedback"].system
