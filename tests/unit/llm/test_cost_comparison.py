from dataclasses import dataclass
from io import StringIO

import pytest
from rich.console import Console

from maththera.llm.config import LlmConfig, Load
from maththera.llm.cost_comparison import MonthlyCost, cost_table, measured_loads, model_table, monthly_cost
from maththera.settings import home

CONFIG = LlmConfig.from_file(home() / "configs" / "llm" / "llm.yaml")


@dataclass
class Used:
    calls: int
    input_tokens: int
    output_tokens: int


@pytest.fixture
def assumed() -> dict[str, MonthlyCost]:
    comparison = CONFIG.comparison
    return {cost.model: cost for cost in monthly_cost(comparison.assumed, CONFIG.prices, comparison)}


@pytest.mark.parametrize(
    ("model", "monolithic", "calls", "with_servers"),
    [("claude-sonnet", 92_250, 2_430, (2_630, 2_930)), ("gpt-4o", 75_000, 1_912.50, (2_112.50, 2_412.50))],
)
def test_assumed_shares_give_the_totals_they_were_published_with(
    assumed: dict[str, MonthlyCost], model: str, monolithic: float, calls: float, with_servers: tuple[float, float]
) -> None:
    """Published rounded: 2,412.50 as "2,413", and both savings as 96.8 %."""
    cost = assumed[model]
    assert cost.monolithic == pytest.approx(monolithic)
    assert cost.llm == pytest.approx(calls)
    assert (cost.low, cost.high) == pytest.approx(with_servers)
    assert round(cost.saving, 3) == 0.968


def test_what_the_calls_cost_adds_up(assumed: dict[str, MonthlyCost]) -> None:
    # 75,000 calls each: 337.5 M + 22.5 M tokens, and 247.5 M + 22.5 M.
    assert assumed["claude-sonnet"].calls == pytest.approx({"diagnosis": 1_350, "feedback": 1_080})


def test_shares_are_measured_over_all_turns() -> None:
    loads = measured_loads(1_000, {"diagnosis": Used(8, 32_000, 1_000), "feedback": Used(0, 0, 0)})
    assert loads == {"diagnosis": Load(share=0.008, input=4_000, output=125)}


def test_no_calls_cost_the_servers_only() -> None:
    cost, *_ = monthly_cost(measured_loads(500, {}), CONFIG.prices, CONFIG.comparison)
    assert (cost.llm, cost.low, cost.high) == (0, 200, 500)


def test_without_turns_nothing_is_measured() -> None:
    with pytest.raises(ValueError, match="no turns were recorded"):
        measured_loads(0, {})


def test_the_table_shows_every_amount_and_where_it_comes_from() -> None:
    comparison = CONFIG.comparison
    costs = monthly_cost(comparison.assumed, CONFIG.prices, comparison)
    console = Console(file=StringIO(), width=120)
    console.print(cost_table("Assumed", comparison.assumed, costs))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    for shown in (
        "claude-sonnet",
        "92,250.00",
        "75,000.00",
        "1,350.00",
        "2,630.00 to 2,930.00",
        "2,112.50 to 2,412.50",
        "96.8%",
        "diagnosis: 5.00% of requests, 4,500 + 300 tokens a call",
    ):
        assert shown in text


def _rows(usage: dict[str, Used], configured: tuple[str, ...]) -> list[list[str]]:
    console = Console(file=StringIO(), width=120)
    console.print(model_table(usage, configured, CONFIG.prices))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in text.splitlines()]


def test_a_model_without_a_price_is_told_with_its_calls_and_an_unknown_cost() -> None:
    rows = _rows({"fake-big": Used(12, 34_000, 560), "gpt-4o": Used(2, 1_000_000, 0)}, ("fake-big", "fake-small"))
    assert ["fake-big", "12", "34,000", "560", "unknown"] in rows
    assert ["fake-small", "0", "0", "0", "unknown"] in rows
    assert ["gpt-4o", "2", "1,000,000", "0", "2.50"] in rows
    assert "No price in configs/llm/llm.yaml: fake-big, fake-small." in " ".join(cell for row in rows for cell in row)


def test_of_priced_models_nothing_is_unknown() -> None:
    assert not any("unknown" in cell for row in _rows({"gpt-4o": Used(2, 10, 1)}, ("gpt-4o",)) for cell in row)
