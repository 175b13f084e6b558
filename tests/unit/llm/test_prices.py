import pytest
from pydantic import ValidationError

from maththera.llm.prices import Price


def test_input_and_output_have_their_own_price() -> None:
    assert Price(input=3, output=15).of(1_000_000, 200_000) == 6.0


def test_a_price_is_not_negative() -> None:
    with pytest.raises(ValidationError, match="output"):
        Price(input=3, output=-1)
