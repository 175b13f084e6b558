"""What is read before the service starts."""

import shutil
from pathlib import Path

import pytest

from maththera.app.content import Content
from maththera.config_files import ConfigError
from maththera.llm.prompts import PromptError
from maththera.settings import Settings, home


@pytest.mark.parametrize("name", ["diagnosis", "feedback"])
def test_a_missing_prompt_is_told_at_the_start_and_not_in_a_turn(tmp_path: Path, name: str) -> None:
    for folder in ("configs", "prompts"):
        shutil.copytree(home() / folder, tmp_path / folder)
    (tmp_path / "prompts" / f"{name}.md").unlink()
    with pytest.raises(PromptError, match=rf"{name}\.md: there is no such file"):
        Content.load(Settings(home=tmp_path))


@pytest.mark.parametrize("name", ["flows/closings", "korean/word_lists", "servers/servers", "servers/word_problems"])
def test_a_fault_in_what_is_read_again_later_is_told_at_the_start_too(tmp_path: Path, name: str) -> None:
    for folder in ("configs", "prompts"):
        shutil.copytree(home() / folder, tmp_path / folder)
    file = tmp_path / "configs" / f"{name}.yaml"
    with file.open("a", encoding="utf-8") as text:
        text.write("\nnobody_knows: 1\n")
    with pytest.raises(ConfigError, match=rf"{name}\.yaml:[0-9]+: nobody_knows: Extra inputs"):
        Content.load(Settings(home=tmp_path))
