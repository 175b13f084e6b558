"""`maththera cost`: the monthly comparison, from assumed shares and from those in the records."""

import asyncio

from rich.console import Console

from maththera.cli.failures import mendable
from maththera.cli.stores import make_tables
from maththera.learners.database import Database
from maththera.learners.records import Records
from maththera.learners.usage import LlmUsage
from maththera.llm.config import load_config
from maththera.llm.cost import cost_table, measured_loads, monthly_cost
from maththera.settings import Settings


def run() -> None:
    console = Console()
    with mendable():
        settings = Settings.from_environment()
        config = load_config(settings.home / "configs" / "llm.yaml")
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
        return await Records(database).llm_usage()
    finally:
        await database.close()
