from pathlib import Path

import pytest
import yaml

from maththera.chat.messages.answer_levels import LEVEL_NAMES, PROMPT_VARIABLES, Levels
from maththera.config_files import ConfigError
from maththera.llm.prompts import load_prompts
from maththera.settings import home

SHIPPED = Levels.load(home())
AGES = {"elementary": "8–13세", "beginner": "14–22세", "intermediate": "23–30세", "advanced": "30세 이상"}


@pytest.mark.parametrize(
    ("difficulty", "levels", "model"),
    [
        ("easy", ("elementary", "beginner"), "small"),
        ("hard", ("intermediate", "advanced"), "main"),
        ("medium", ("beginner", "intermediate"), "main"),
        ("", ("beginner", "intermediate"), "main"),
        (None, ("elementary", "beginner"), "small"),
    ],
)
def test_two_levels_and_a_model_for_each_difficulty(
    difficulty: str | None, levels: tuple[str, str], model: str
) -> None:
    assert tuple(level.name for level in SHIPPED.level_pair(difficulty)) == levels
    assert SHIPPED.model(difficulty) == model


def test_each_level_has_a_prompt_that_says_for_whom() -> None:
    prompts = load_prompts(home() / "prompts")
    for level in SHIPPED.all:
        prompt = prompts[level.prompt]
        prompt.require_variables(PROMPT_VARIABLES)
        assert prompt.header.description
        assert AGES[level.name] in prompt.system
    assert "10단어 이내" in prompts["level_elementary"].system
    assert "이모지" in prompts["level_elementary"].system


def test_a_question_as_long_as_it_may_be_fits_the_prompts() -> None:
    prompts = load_prompts(home() / "prompts")
    for level in SHIPPED.all:
        prompts[level.prompt].render(SHIPPED.variables("가" * 4000, {"material": "나" * 20_000}))


def test_own_knowledge_is_said_where_nothing_was_found() -> None:
    assert SHIPPED.note({"material": ""}).strip().startswith("※")
    assert SHIPPED.note({}) == SHIPPED.note({"material": ""})
    assert SHIPPED.note({"material": "용어집"}) == ""


@pytest.mark.parametrize(("name", "value", "reason"), [("default", "odd", "difficulties"), ("levels", {}, "missing")])
def test_faults_of_the_file_are_named(tmp_path: Path, name: str, value: object, reason: str) -> None:
    file = yaml.safe_load((home() / "configs" / "chat" / "messages" / "levels.yaml").read_text(encoding="utf-8"))
    (tmp_path / "configs" / "chat" / "messages").mkdir(parents=True)
    (tmp_path / "configs" / "chat" / "messages" / "levels.yaml").write_text(
        yaml.safe_dump(file | {name: value}), encoding="utf-8"
    )
    with pytest.raises(ConfigError, match=reason):
        Levels.load(tmp_path)


def test_names_are_in_the_order_of_difficulty() -> None:
    assert [level.name for level in SHIPPED.all] == [*LEVEL_NAMES]
