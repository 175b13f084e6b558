"""Consents given and withdrawn for a child, its birth year, and what the two permit.

Every consent and withdrawal stays on record; the last one for a purpose counts.
"""

import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints, field_validator
from sqlalchemy import Index, String, Text, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from maththera.config_files import ConfigModel
from maththera.store.access.authorization import Role
from maththera.store.database import Database, Store
from maththera.store.schema import Record, utc_now
from maththera.store.students import students

RuleText = Annotated[str, StringConstraints(min_length=1, max_length=300)]
_ELSEWHERE: Final = "other"


class WhoReads(ConfigModel):
    child: RuleText
    adult: RuleText

    def to(self, role: Role) -> str:
        """What a reader of this role is told."""
        return self.child if role == "student" else self.adult


class PrivacyRules(ConfigModel):
    consent_age: dict[str, Annotated[int, Field(ge=0, le=21)]]
    retention_days: Annotated[int, Field(ge=30)]
    who_reads: WhoReads
    age_unknown: RuleText
    consent_needed: RuleText

    @field_validator("consent_age")
    @classmethod
    def _for_all(cls, ages: dict[str, int]) -> dict[str, int]:
        if _ELSEWHERE not in ages:
            raise ValueError(f"{_ELSEWHERE} is needed, for countries that are not named")
        return ages

    @classmethod
    def load(cls, home: Path) -> "PrivacyRules":
        """ConfigError names every field that does not fit."""
        return cls.from_file(home / "configs" / "store" / "privacy.yaml")

    def consent_age_in(self, country: str) -> int:
        """Below it a guardian's consent is needed."""
        return self.consent_age.get(country, self.consent_age[_ELSEWHERE])

    def retention_limit_days(self, configured: int | None) -> int | None:
        """How many days records stay; None without limit. `configured`: None for the rules' own number, 0 for no
        limit."""
        return self.retention_days if configured is None else configured or None


Purpose = Literal["learning", "records", "reports", "model", "research", "voice"]

_CACHE_S: Final = 60.0
_CACHE_SIZE: Final = 10_000


class Consent(Record):
    """`given_by`: in which capacity, such as 보호자; `recorded_by`: the id of the token that recorded it."""

    __tablename__ = "consents"
    __table_args__ = (Index("consents_of_student", "student_id", "purpose", "consent_id"),)

    consent_id: Mapped[int] = mapped_column(primary_key=True)
    student_id: Mapped[str]
    purpose: Mapped[Purpose] = mapped_column(String)
    granted: Mapped[bool]
    given_by: Mapped[str]
    note: Mapped[str | None] = mapped_column(Text)
    recorded_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now())


class Consents(Store):
    async def record(  # noqa: PLR0913 - the columns, keyword-only
        self, student_id: str, *, purpose: Purpose, granted: bool, given_by: str, note: str | None, recorded_by: str
    ) -> None:
        row = {"student_id": student_id, "purpose": purpose, "granted": granted, "given_by": given_by, "note": note,
               "recorded_by": recorded_by}  # fmt: skip
        await self._database.execute(insert(Consent).values(row))

    async def history(self, student_id: str) -> list[Consent]:
        """The newest first."""
        query = select(Consent).where(Consent.student_id == student_id).order_by(Consent.consent_id.desc())
        return [Consent.from_row(row) for row in await self._database.rows(query)]


def current_consents(history: list[Consent]) -> dict[str, bool]:
    """Purpose → whether it is consented to now. `history`: the newest first. Purposes without a record are left out."""
    return {consent.purpose: consent.granted for consent in reversed(history)}


@dataclass(frozen=True, slots=True)
class ConsentStanding:
    """`under_age`: below the country's age of consent, also if only the birthday of this year decides; None without a
    birth year. `learning`: a session may begin; `model`: a language model may be given what the child wrote; `voice`:
    the child may speak its answers, which is off until it is agreed to."""

    birth_year: int | None
    under_age: bool | None
    learning: bool
    model: bool
    voice: bool


class ConsentStandings(Store):
    def __init__(self, database: Database, consent_age: int, *, unknown_needs_consent: bool) -> None:
        """`unknown_needs_consent`: a child without a birth year is treated as one below `consent_age`."""
        super().__init__(database)
        self._age, self._unknown_needs_consent = consent_age, unknown_needs_consent
        self._cache: OrderedDict[str, tuple[float, ConsentStanding]] = OrderedDict()

    @classmethod
    def of(
        cls, database: Database, home: Path, country: str, unknown_age: Literal["allow", "consent"]
    ) -> "ConsentStandings":
        """With the age of `configs/store/privacy.yaml`."""
        age = PrivacyRules.load(home).consent_age_in(country)
        return cls(database, age, unknown_needs_consent=unknown_age == "consent")

    async def standing(self, student_id: str, *, fresh: bool = False) -> ConsentStanding:
        """The standing now (`fresh`), or at some time within the last minute."""
        until, known = self._cache.get(student_id, (0.0, None))
        if known is not None and not fresh and time.monotonic() < until:
            return known
        birth_year, granted = await self._database.run(lambda connection: _recorded(connection, student_id))
        found = self._standing(birth_year, granted)
        self._cache[student_id] = (time.monotonic() + _CACHE_S, found)
        self._cache.move_to_end(student_id)
        if len(self._cache) > _CACHE_SIZE:
            self._cache.popitem(last=False)
        return found

    async def of_class(self, student_ids: Collection[str]) -> dict[str, ConsentStanding]:
        """Student id → its standing now."""
        born = select(students.c.student_id, students.c.birth_year).where(students.c.student_id.in_(student_ids))
        years = {row.student_id: row.birth_year for row in await self._database.rows(born)}
        query = select(Consent.student_id, Consent.purpose, Consent.granted).where(Consent.student_id.in_(student_ids))
        granted: dict[str, dict[str, bool]] = {each: {} for each in student_ids}
        for row in await self._database.rows(query.order_by(Consent.consent_id)):
            granted[row.student_id][row.purpose] = row.granted
        return {each: self._standing(years.get(each), own) for each, own in granted.items()}

    def forget(self, student_id: str) -> None:
        """Removes the child from the cache, after a change in the records."""
        self._cache.pop(student_id, None)

    def _standing(self, birth_year: int | None, granted: dict[str, bool]) -> ConsentStanding:
        # The birthday is not recorded: a child who turns 14 this year may still be 13.
        under_age = None if birth_year is None else datetime.now(UTC).year - birth_year <= self._age
        needed = self._unknown_needs_consent if under_age is None else under_age

        def allowed(purpose: Purpose) -> bool:
            return granted.get(purpose, not needed)

        return ConsentStanding(
            birth_year, under_age, allowed("learning"), allowed("model"), granted.get("voice", False)
        )


async def birth_year_of(database: Database, student_id: str) -> int | None:
    """None where it is not recorded. Raises StoreUnavailable."""
    return await database.value(select(students.c.birth_year).where(students.c.student_id == student_id))


async def _recorded(connection: AsyncConnection, student_id: str) -> tuple[int | None, dict[str, bool]]:
    """The birth year, and the last record of each purpose."""
    birth_year = await connection.scalar(select(students.c.birth_year).where(students.c.student_id == student_id))
    query = select(Consent.purpose, Consent.granted).where(Consent.student_id == student_id)
    rows = (await connection.execute(query.order_by(Consent.consent_id))).all()
    return birth_year, {row.purpose: row.granted for row in rows}
