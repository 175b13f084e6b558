"""`maththera cost`: the monthly comparison, by assumed shares and by those in the records, and what each model took."""

from rich.console import Console

from maththera.cli.command_errors import exit_on_user_error
from maththera.cli.database_access import with_database
from maththera.llm.config import LlmConfig
from maththera.llm.cost_comparison import cost_table, measured_loads, model_table, monthly_cost
from maththera.settings import Settings, home
from maththera.store.llm_usage import llm_usage


def run() -> None:
    console = Console()
    with exit_on_user_error():
        config = LlmConfig.from_file(home() / "configs" / "llm" / "llm.yaml")
        settings = Settings.from_environment()
    usage = with_database(llm_usage)
    comparison, prices = config.comparison, config.prices
    assumed = comparison.assumed
    console.print(cost_table("Assumed shares", assumed, monthly_cost(assumed, prices, comparison)))
    configured = dict.fromkeys(filter(None, (settings.llm_model, settings.llm_small_model)))
    if usage.models or configured:
        console.print(model_table(usage.models, configured, prices))
    if not usage.turns:
        console.print("No turns are recorded yet, so there are no measured shares.")
        return
    measured = measured_loads(usage.turns, usage.prompts)
    title = f"Measured shares of {usage.turns:,} turns"
    console.print(cost_table(title, measured, monthly_cost(measured, prices, comparison)))
