"""A new intent is one entry with its examples; loading names what is wrong with an entry."""

from collections.abc import Callable
from pathlib import Path

import pytest

from maththera.chat.coach.intent_registry import IntentRegistry, read_registry, registry_file
from maththera.config_files import ConfigError
from maththera.settings import home
from tests.support.utterances import intent_of, intents

PRAISE = """
  praise:
    letter: Z
    name: 칭찬 받기형
    meaning: 해낸 일을 자랑하고 칭찬을 바란다.
    examples: ["나 오늘 다 풀었는데 칭찬해 줘"]
    handling: encouragement
    prompt: coach_motivation
    tools: [get_user_scores]
    reasoning: 칭찬을 바라는 말로 보여요.
"""


def load(folder: Path, change: Callable[[str], str]) -> IntentRegistry:
    text = (home() / "configs" / "chat" / "coach" / "intents.yaml").read_text(encoding="utf-8")
    changed = change(text)
    assert changed != text
    (folder / "configs" / "chat" / "coach").mkdir(parents=True)
    (folder / "configs" / "chat" / "coach" / "intents.yaml").write_text(changed, encoding="utf-8")
    return read_registry(registry_file(folder))


def test_an_entry_is_all_that_a_model_is_told_of_an_intent(tmp_path: Path) -> None:
    registry = load(tmp_path, lambda text: text.rstrip() + PRAISE)
    assert registry.named("Z") == "praise"
    assert 'praise 칭찬 받기형: 해낸 일을 자랑하고 칭찬을 바란다. "나 오늘 다 풀었는데 칭찬해 줘"' in registry.lines


def test_the_examples_of_an_intent_are_asks_of_it() -> None:
    wrong = {
        (example, intent_of(example), name)
        for name, entry in intents().intents.items()
        for example in entry.examples
        if intent_of(example) != name
    }
    assert wrong == set()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("handling: explanation", "handling: records", r":\d+: intents: none is handled as explanation"),
        ("letter: G", "letter: A", r":\d+: intents\.decision\.letter: A is the letter of data_lookup"),
        ("letter: G", "letter: GG", r":\d+: intents\.decision\.letter: "),
        ("handling: recommendation", "handling: advice", r":\d+: intents\.decision\.handling: Input should be"),
        ("tools: [get_unit_curriculum]", "tools: [get_unit]", r":\d+: intents\.concept\.tools\[0\]: Input should be"),
        ("  motivation:\n", "  cheering:\n", r":\d+: intents\.motivation: the rules name it"),
        ("    prompt: coach_concept\n", "", r":\d+: intents\.concept: needs a prompt and tools"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, old: str, new: str, fault: str) -> None:
    with pytest.raises(ConfigError, match=r"intents\.yaml" + fault) as error:
        load(tmp_path, lambda text: text.replace(old, new))
    assert "Value error" not in str(error.value)
