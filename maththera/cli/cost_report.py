"""`maththera cost`: the monthly comparison, from assumed shares and from those in the records."""

import asyncio

from rich.console import Console

from maththera.cli.command_errors import exit_on_user_error
from maththera.cli.store_setup import make_tables
from maththera.llm.config import load_config
from maththera.llm.cost_comparison import cost_table, measured_loads, monthly_cost
from maththera.settings import Settings
from maththera.store.database import Database
from maththera.store.llm_usage import LlmUsage, llm_usage


def run() -> None:
    console = Console()
    with exit_on_user_error():
        settings = Settings.from_environment()
        config = load_config(settings.home / "configs" / "llm" / "llm.yaml")
        make_tables(settings)
        usage = asyncio.run(_usage(settings))
    comparison, prices = config.comparison, config.prices
    assumed = comparison.assumed
    console.print(cost_table("Assumed shares", assumed, monthly_cost(assumed, prices, comparison)))
    if not usage.turns:
        console.print("No turns are recorded yet, so there are no measured shares.")
        return
    measured = measured_loads(usage.turns, usage.prompts)
    title = f"Measured shares of {usage.turns:,} turns"
    console.print(cost_table(title, measured, monthly_cost(measured, prices, comparison)))


async def _usage(settings: Settings) -> LlmUsage:
    database = Database(settings.database_url)
    try:
        return await llm_usage(database)
    finally:
        await database.close()
