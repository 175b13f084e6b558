"""What a month costs: everything through one monolithic model call, against a call for a share of the requests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from rich.table import Table

from maththera.llm.config import Comparison, Load, Price


class TokenUsage(Protocol):
    """All calls of one kind or one model that were made, and the tokens they took together."""

    calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class MonthlyCost:
    """US dollars a month with one model. A: monolithic; B: `calls` by kind, with servers `low`..`high` on top."""

    model: str
    monolithic: float
    calls: dict[str, float]
    low: float
    high: float

    @property
    def llm(self) -> float:
        """All model calls of option B."""
        return sum(self.calls.values())

    @property
    def saving(self) -> float:
        """The part of A that B saves even with the dearest servers; 0.968 means 96.8 %."""
        return 1 - self.high / self.monolithic


def measured_loads(turns: int, usage: Mapping[str, TokenUsage]) -> dict[str, Load]:
    """Shares and mean tokens of what was recorded over `turns` turns; ValueError if there were none."""
    if turns < 1:
        raise ValueError("no turns were recorded, so there is nothing to measure")
    return {
        kind: Load(
            share=used.calls / turns, input=used.input_tokens / used.calls, output=used.output_tokens / used.calls
        )
        for kind, used in usage.items()
        if used.calls
    }


def monthly_cost(
    loads: Mapping[str, Load], prices: Mapping[str, Price], comparison: Comparison
) -> tuple[MonthlyCost, ...]:
    """Both options with every priced model, at the requests and the monolithic call of `comparison`."""
    return tuple(_with_model(model, price, loads, comparison) for model, price in prices.items())


def cost_table(title: str, loads: Mapping[str, Load], costs: tuple[MonthlyCost, ...]) -> Table:
    """`costs` for a terminal, with the shares they come from below."""
    table = Table(title=title, caption=_shares(loads), caption_justify="left")
    table.add_column("US$ a month")
    for cost in costs:
        table.add_column(cost.model, justify="right")
    table.add_row("A: one model call for every request", *(_usd(cost.monolithic) for cost in costs))
    for kind in loads:
        table.add_row(f"B: {kind}", *(_usd(cost.calls[kind]) for cost in costs))
    table.add_row("B: all model calls", *(_usd(cost.llm) for cost in costs))
    table.add_row("B: with servers", *(f"{_usd(cost.low)} to {_usd(cost.high)}" for cost in costs))
    table.add_row("B saves at least", *(f"{cost.saving:.1%}" for cost in costs))
    return table


def model_table(usage: Mapping[str, TokenUsage], configured: Iterable[str], prices: Mapping[str, Price]) -> Table:
    """What was recorded of each model, and each that is configured: what it cost, "unknown" for one without a price."""
    unpriced = sorted({*usage, *configured} - prices.keys())
    caption = f"No price in configs/llm/llm.yaml: {', '.join(unpriced)}." if unpriced else None
    table = Table(title="Recorded calls by model", caption=caption, caption_justify="left")
    table.add_column("model")
    for name in ("calls", "input tokens", "output tokens", "US$"):
        table.add_column(name, justify="right")
    for model in dict.fromkeys([*configured, *sorted(usage)]):
        used, price = usage.get(model), prices.get(model)
        calls, read, written = (used.calls, used.input_tokens, used.output_tokens) if used else (0, 0, 0)
        cost = _usd(price.cost_of(read, written)) if price else "unknown"
        table.add_row(model, f"{calls:,}", f"{read:,}", f"{written:,}", cost)
    return table


def _with_model(model: str, price: Price, loads: Mapping[str, Load], comparison: Comparison) -> MonthlyCost:
    calls = {kind: _month(load, price, comparison.requests) for kind, load in loads.items()}
    llm = sum(calls.values())
    return MonthlyCost(
        model=model,
        monolithic=_month(comparison.monolithic, price, comparison.requests),
        calls=calls,
        low=llm + comparison.servers.low,
        high=llm + comparison.servers.high,
    )


def _month(load: Load, price: Price, requests: int) -> float:
    calls = requests * load.share
    return price.cost_of(calls * load.input, calls * load.output)


def _usd(amount: float) -> str:
    return f"{amount:,.2f}"


def _shares(loads: Mapping[str, Load]) -> str:
    lines = (
        f"{kind}: {load.share:.2%} of requests, {load.input:,.0f} + {load.output:,.0f} tokens a call"
        for kind, load in loads.items()
    )
    return "\n".join(lines) or "no model calls"
