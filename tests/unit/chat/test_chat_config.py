"""`configs/chat/chat.yaml`: what is shipped loads, and what is broken is told with its line."""

import shutil
from pathlib import Path

import pytest

from maththera.chat.config import load_config
from maththera.config_files import ConfigError
from maththera.settings import home


def test_what_is_shipped() -> None:
    config = load_config(home())
    assert config.error("cancelled", "coach").keys() == {"type", "code", "message"}
    assert "student" not in config.profiles["assistant"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("most_rounds: 5", "most_rounds: 0", "most_rounds"),
        ("  llm_timeout:", "  llm_tired:", "errors.llm_t"),
        ("    assistant: 언어 모델의 응답이 늦어져 준비된 자료로 답변합니다.\n", "", "assistant is missing"),
        ("  assistant: [guardian", "  others: [guardian", "profiles"),
    ],
)
def test_a_fault_has_its_line(tmp_path: Path, old: str, new: str, fault: str) -> None:
    (tmp_path / "configs" / "chat").mkdir(parents=True)
    path = shutil.copy(home() / "configs" / "chat" / "chat.yaml", tmp_path / "configs" / "chat")
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new))
    with pytest.raises(ConfigError, match=rf"chat\.yaml:\d+: .*{fault}|{fault}"):
        load_config(tmp_path)
