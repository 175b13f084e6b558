"""What kind of thing an adult's message wants."""

from pathlib import Path
from shutil import copytree
from typing import get_args

import numpy as np
import pytest

from maththera.chat.adults.message_kinds import KIND, MessageKind, MessageKinds
from maththera.config_files import ConfigError
from maththera.settings import home
from tests.support.asks import ask_lines

KINDS = MessageKinds.load(home())


@pytest.mark.parametrize(
    ("message", "before", "kind"),
    [
        ("민수는 이번 주에 몇 문제나 풀었나요?", None, "records"),
        ("왜요?", "papers", "papers"),
        ("왜 자꾸 그렇게 틀려요?", "records", "records"),
        ("집에서는 어떻게 도와주면 될까요?", "records", "advice"),
        ("받아올림 학습지 열 문제 만들어 주세요", None, "make"),
        ("좀 더 짧게요", "make", "make"),
        ("100문제 중에 83개 맞으면 몇 퍼센트예요?", None, "sum"),
        ("거기에 5를 더하면요?", "sum", "sum"),
        ("이 앱은 휴대폰에서도 되나요?", None, "service"),
        ("난산증에 관한 논문 좀 찾아 주세요", None, "papers"),
        ("수 감각이 무슨 뜻이에요?", None, "term"),
        ("아이고 오늘 정말 덥네요", None, "talk"),
    ],
)
def test_kinds_are_told_from_words_and_from_the_kind_before(
    message: str, before: MessageKind | None, kind: MessageKind
) -> None:
    read, _ = KINDS.read(message, {} if before is None else {KIND: before})
    assert read == kind


def test_the_model_is_that_of_the_lines() -> None:
    """A model that was not trained again after its lines changed takes many of them for something else."""
    lines = ask_lines("kinds")
    assert {line.ask for line in lines} == set(get_args(MessageKind))
    shares = [KINDS.model.shares(line.text) for line in lines]
    right = [line.ask == max(share, key=share.__getitem__) for line, share in zip(lines, shares, strict=True)]
    assert np.mean(right) > 0.99


def test_a_model_of_other_kinds_is_refused(tmp_path: Path) -> None:
    copytree(home() / "configs" / "chat", tmp_path / "configs" / "chat")
    path = tmp_path / "configs" / "chat" / "adults" / "message_kinds_model.npz"
    path.write_bytes((home() / "configs" / "chat" / "coach" / "asks_model.npz").read_bytes())
    with pytest.raises(ConfigError, match="not the kinds of messages"):
        MessageKinds.load(tmp_path)
    path.unlink()
    with pytest.raises(ConfigError, match=r"message_kinds_model\.npz"):
        MessageKinds.load(tmp_path)
