"""`configs/llm/llm.yaml`, checked."""

from typing import Final

from pydantic import Field

from maththera.config_files import ConfigModel

_MILLION: Final = 1_000_000


class Price(ConfigModel):
    """US dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)

    def cost_of(self, input_tokens: float, output_tokens: float) -> float:
        """US dollars for that many tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / _MILLION


class Load(ConfigModel):
    """How often something is asked (share of all requests; above 1 if more than once each) and its mean tokens."""

    share: float = Field(ge=0)
    input: float = Field(ge=0)
    output: float = Field(ge=0)


class Servers(ConfigModel):
    """US dollars a month, least and most."""

    low: float = Field(ge=0)
    high: float = Field(ge=0)


class Comparison(ConfigModel):
    """What the monthly cost comparison assumes."""

    requests: int = Field(gt=0)
    monolithic: Load
    assumed: dict[str, Load]
    servers: Servers


class LlmConfig(ConfigModel):
    """See the comments in the file."""

    turn_seconds: float = Field(gt=0)
    temperature: float = Field(ge=0, le=2)
    json_mode: bool
    prices: dict[str, Price]
    comparison: Comparison
