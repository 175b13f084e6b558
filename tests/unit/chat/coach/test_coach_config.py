from pathlib import Path

import pytest

from maththera.chat.coach.coach_config import load_coach
from maththera.config_files import ConfigError
from maththera.settings import home


@pytest.mark.parametrize(
    ("line", "instead", "fault"),
    [
        ("  by_zero: '0", "  by_nothing: '0", r".*by_zero.*is missing"),
        ("    best: 최고", "    beste: 최고", r"charts.columns: .*without best"),
        ("  EXECUTION: 차례대로 계산하기", "  EXEC: 차례대로 계산하기", r"metrics.*EXECUTION.*: is missing"),
    ],
)
def test_words_that_do_not_fit_are_refused_at_load(tmp_path: Path, line: str, instead: str, fault: str) -> None:
    (tmp_path / "chat" / "coach").mkdir(parents=True)
    for name in ("coach.yaml", "units.yaml"):
        text = (home() / "configs" / "chat" / "coach" / name).read_text(encoding="utf-8")
        (tmp_path / "chat" / "coach" / name).write_text(text.replace(line, instead, 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"coach.yaml:\d+: " + fault):
        load_coach(tmp_path)


def test_a_chart_that_cannot_be_drawn_is_refused_at_load(tmp_path: Path) -> None:
    text = (home() / "configs" / "chat" / "coach" / "coach.yaml").read_text(encoding="utf-8")
    (tmp_path / "chat" / "coach").mkdir(parents=True)
    (tmp_path / "chat" / "coach" / "coach.yaml").write_text(
        text.replace("drawn: [line, time]", "drawn: [line, metric]", 1)
    )
    with pytest.raises(ConfigError, match=r"coach.yaml:\d+: charts.topics\[2\].drawn: .*line by metric"):
        load_coach(tmp_path)
