"""What tokens cost."""

from pydantic import BaseModel, ConfigDict, Field

_MILLION = 1_000_000


class Price(BaseModel):
    """US dollars per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0)
    output: float = Field(ge=0)

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """US dollars for that many tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / _MILLION
