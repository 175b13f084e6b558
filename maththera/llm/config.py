"""`configs/llm.yaml`, checked."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.documents import Document
from maththera.llm.prices import Price


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Load(_Strict):
    """How often something is asked (share of all requests; above 1 if more than once each) and its mean tokens."""

    share: float = Field(ge=0)
    input: float = Field(ge=0)
    output: float = Field(ge=0)


class Servers(_Strict):
    """US dollars a month, least and most."""

    low: float = Field(ge=0)
    high: float = Field(ge=0)


class Comparison(_Strict):
    """What the monthly cost comparison assumes."""

    requests: int = Field(gt=0)
    monolithic: Load
    assumed: dict[str, Load]
    servers: Servers


class LlmConfig(_Strict):
    """See the comments in the file."""

    turn_seconds: float = Field(gt=0)
    temperature: float = Field(ge=0, le=2)
    json_mode: bool
    prices: dict[str, Price]
    comparison: Comparison


def load_config(path: Path) -> LlmConfig:
    """ConfigError names file, line, field and reason."""
    return Document.read(path).parse(TypeAdapter(LlmConfig))
