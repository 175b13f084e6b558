from pathlib import Path

import pytest
from pydantic import ValidationError

from maththera.config_files import ConfigError
from maththera.llm.config import LlmConfig, Price
from maththera.settings import home

INSTALLED = home() / "configs" / "llm" / "llm.yaml"


def test_the_installed_file_keeps_a_turn_under_two_seconds() -> None:
    assert LlmConfig.from_file(INSTALLED).turn_seconds == 1.5


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("turn_seconds: 1.5", "turn_seconds: 0", "llm.yaml:4: turn_seconds: "),
        ("gpt-4o: {input: 2.50, output", "gpt-4o: {inptu: 2.50, output", "llm.yaml:17: prices.gpt-4o.inptu: "),
        ("servers: {low: 200", "servers: {low: cheap", "llm.yaml:31: comparison.servers.low: "),
        ("json_mode: true", "json_mode: [", "llm.yaml:16: "),
        ("temperature: 0.0", "temperature: 0.0\nturn_seconds: 1", "llm.yaml:8: turn_seconds: given twice"),
    ],
)
def test_a_wrong_file_is_refused_with_its_field(tmp_path: Path, old: str, new: str, fault: str) -> None:
    text = INSTALLED.read_text(encoding="utf-8")
    assert old in text
    broken = tmp_path / "llm.yaml"
    broken.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        LlmConfig.from_file(broken)
    assert fault in str(refused.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"llm\.yaml: No such file"):
        LlmConfig.from_file(tmp_path / "llm" / "llm.yaml")


def test_input_and_output_have_their_own_price() -> None:
    assert Price(input=3, output=15).cost_of(1_000_000, 200_000) == 6.0


def test_a_price_is_not_negative() -> None:
    with pytest.raises(ValidationError, match="output"):
        Price(input=3, output=-1)
