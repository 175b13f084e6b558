"""`configs/llm.yaml`, checked."""

from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from maththera.llm.prices import Price


class ConfigError(ValueError):
    """The file is wrong; the message names file and field."""


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
    """Read and check `llm.yaml`; raises ConfigError."""
    try:
        return LlmConfig.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        fields = (f"{path.name}: {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise ConfigError("\n".join(fields)) from error
    except OSError as error:
        raise ConfigError(f"{path.name}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path.name}: {error}") from error
