"""The rules of `configs/store/privacy.yaml`: the age of consent, how long records stay, and the texts about both."""

from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, field_validator

from maththera.config_files import ConfigFile
from maththera.store.access.authorization import Role

Text = Annotated[str, StringConstraints(min_length=1, max_length=300)]
_ELSEWHERE: Final = "other"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WhoReads(_Part):
    child: Text
    adult: Text

    def to(self, role: Role) -> str:
        """What a reader of this role is told."""
        return self.child if role == "student" else self.adult


class PrivacyRules(_Part):
    consent_age: dict[str, Annotated[int, Field(ge=0, le=21)]]
    retention_days: Annotated[int, Field(ge=30)]
    who_reads: WhoReads
    age_unknown: Text
    consent_needed: Text

    @field_validator("consent_age")
    @classmethod
    def _for_all(cls, ages: dict[str, int]) -> dict[str, int]:
        if _ELSEWHERE not in ages:
            raise ValueError(f"{_ELSEWHERE} is needed, for countries that are not named")
        return ages

    @classmethod
    def load(cls, home: Path) -> "PrivacyRules":
        """ConfigError names every field that does not fit."""
        return ConfigFile.read(home / "configs" / "store" / "privacy.yaml").parse(_ADAPTER)

    def consent_age_in(self, country: str) -> int:
        """Below it a guardian's consent is needed."""
        return self.consent_age.get(country, self.consent_age[_ELSEWHERE])

    def retention_limit_days(self, configured: int | None) -> int | None:
        """How many days records stay; None without limit. `configured`: None for the rules' own number, 0 for no
        limit."""
        return self.retention_days if configured is None else configured or None


_ADAPTER: Final = TypeAdapter(PrivacyRules)
