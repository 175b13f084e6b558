"""`configs/lessons/lessons.yaml` is refused with file, line, field and reason."""

from pathlib import Path

import pytest

from maththera.config_files import ConfigError
from maththera.lessons.config import load_lesson_config
from maththera.lessons.content import CONFIG
from maththera.settings import home

TEXT = (home() / CONFIG).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("  session_manager: 학습 관리\n", "", "agents: session_manager is missing"),
        ("그럼 다시 문제로 돌아가 볼까?", "{title} 문제로 돌아가 볼까?", "title: not filled in here"),
        ("그럼 다시 문제로 돌아가 볼까?", "다시 문제로 돌아가 볼까요?", "not in casual speech: “다시 문제로"),
        ("    subjective: 60\n", "", "both types of questions and both types of users are needed"),
        ("    right: \"정답이야!\"\n", "", "words.casual.right: Field required"),
        ("    words: [\"정?답", "    words: [\"(정?답", "is no regular expression: missing )"),
        ("  most: 3", "  most: 0", "sessions.most: Input should be greater than or equal to 1"),
    ],
)  # fmt: skip
def test_a_fault_is_named(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in TEXT
    path = tmp_path / "lessons.yaml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load_lesson_config(path)
    assert reason in str(error.value)
    assert str(error.value).startswith(f"{path}:")


def test_the_shipped_one_is_sound() -> None:
    assert load_lesson_config(home() / CONFIG).sessions.most == 3
