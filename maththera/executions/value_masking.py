"""Values of a run as people see them: secrets masked, long ones cut."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Self

import orjson
from pydantic import Field

from maththera.config_files import ConfigModel
from maththera.json_types import JsonObject

FILE: Final = "executions/value_masking.yaml"
MASK: Final = "***"
_SHORTEST_SECRET: Final = 6  # characters; what is shorter also stands in ordinary words
_SHOWN: Final = ("inputs", "output", "prints", "message", "reason", "question", "errors")
"""Fields of events that hold inputs, outputs or texts of a step."""
_GIVEN_ON: Final = ("result", "error", "closing", "form")
"""Fields of events with what a run gives, which its author has named: shown whole, but for known secrets."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")


class MaskingRules(ConfigModel):
    """`configs/executions/value_masking.yaml`"""

    longest_value: Annotated[int, Field(ge=64, le=1_000_000)]
    most_steps: Annotated[int, Field(ge=1, le=10_000)]
    secret_names: Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]


@lru_cache(maxsize=4)
def load_masking_rules(home: Path) -> MaskingRules:
    """ConfigError names every field that does not fit."""
    return MaskingRules.from_file(home / "configs" / FILE)


class ValueMasker:
    """`secrets`: texts that are masked wherever they stand."""

    def __init__(self, rules: MaskingRules, secrets: Collection[str] = ()) -> None:
        self.rules = rules
        self._names = tuple(f" {name.lower()} " for name in rules.secret_names)
        self._known = frozenset(secrets)
        known = sorted((each for each in set(secrets) if len(each) >= _SHORTEST_SECRET), key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, known))) if known else None

    def with_secret_inputs(self, inputs: Mapping[str, Any]) -> Self:
        """A masker for a run with these inputs: the texts under a secret's name are masked everywhere."""
        found = set(self._secret_texts(inputs, inside=False))
        return type(self)(self.rules, self._known | found) if found else self

    def _secret_texts(self, value: Any, *, inside: bool) -> Iterator[str]:
        """The texts under a secret's name; all texts when `inside` of one."""
        match value:
            case Mapping():
                for name, each in value.items():
                    yield from self._secret_texts(each, inside=inside or self._is_secret(str(name)))
            case list() | tuple():
                for each in value:
                    yield from self._secret_texts(each, inside=inside)
            case str() if inside:
                yield value

    def event(self, event: Mapping[str, Any]) -> JsonObject:
        return {name: self._event_field(name, value) for name, value in event.items()}

    def _event_field(self, name: str, value: Any) -> Any:
        if name in _SHOWN:
            return self.value(value)
        return self.without_secrets(value) if name in _GIVEN_ON else value

    def value(self, value: Any) -> Any:
        """The value; a long one as `{"$cut": its beginning as JSON, "bytes": its whole size}`."""
        masked = self.masked(value)
        encoded = orjson.dumps(masked, default=str, option=orjson.OPT_NON_STR_KEYS)
        if len(encoded) <= self.rules.longest_value:
            return masked
        return {"$cut": encoded[: self.rules.longest_value].decode(errors="ignore"), "bytes": len(encoded)}

    def masked(self, value: Any) -> Any:
        """The value without known secrets, and without what stands under a secret's name."""
        match value:
            case dict():
                return {self._text(name): self._field(str(name), each) for name, each in value.items()}
            case list() | tuple():
                return [self.masked(each) for each in value]
        return self._text(value)

    def without_secrets(self, value: Any) -> Any:
        """The value without known secrets, under whatever name they stand."""
        match value:
            case dict():
                return {self._text(name): self.without_secrets(each) for name, each in value.items()}
            case list() | tuple():
                return [self.without_secrets(each) for each in value]
        return self._text(value)

    def _text(self, value: Any) -> Any:
        return self._secrets.sub(MASK, value) if self._secrets is not None and isinstance(value, str) else value

    def _field(self, name: str, value: Any) -> Any:
        """Masks the value of a field with a secret's name, but not a count of tokens."""
        if value is None or isinstance(value, bool) or (isinstance(value, int) and name.lower().endswith("tokens")):
            return value
        return MASK if self._is_secret(name) else self.masked(value)

    def _is_secret(self, name: str) -> bool:
        words = f" {' '.join(_WORD.findall(name)).lower()} "
        return any(secret in words for secret in self._names)
