"""The times and texts of safety alerts to adults: `configs/words/alerts.yaml`, checked."""

from datetime import datetime, time, timedelta
from pathlib import Path
from string import Formatter
from typing import Annotated, Final, TypeVar, get_args

from pydantic import AfterValidator, Field

from maththera.config_files import ConfigModel
from maththera.korean.dates import KOREA
from maththera.store.alert_outbox import AlertSummary, Occasion
from maththera.store.review_queue import Urgency
from maththera.words.danger.danger_detection import Category
from maththera.words.danger.message_safety import Room

T = TypeVar("T")

_WEEK: Final = timedelta(days=7)


def _with(*slots: str) -> AfterValidator:
    """A text with exactly these slots."""

    def check(text: str) -> str:
        found = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        if found != set(slots):
            raise ValueError(f"needs the slots {', '.join(slots)}" if slots else "takes no slot")
        return text

    return AfterValidator(check)


def _for_each(names: object) -> AfterValidator:
    """A mapping with exactly the names of a Literal."""

    def check(found: dict[str, T]) -> dict[str, T]:
        if set(found) != set(get_args(names)):
            raise ValueError(f"needs {', '.join(get_args(names))}, and no other")
        return found

    return AfterValidator(check)


class _Weekly(ConfigModel):
    weekday: Annotated[int, Field(ge=1, le=7)]
    at: time


class _Digests(ConfigModel):
    day: Annotated[list[time], Field(min_length=1)]
    week: _Weekly


class _Retry(ConfigModel):
    first_seconds: Annotated[float, Field(gt=0)]
    longest_seconds: Annotated[float, Field(gt=0)]


class _Mail(ConfigModel):
    subjects: Annotated[dict[str, Annotated[str, _with("count")]], _for_each(Occasion)]
    opening: Annotated[str, _with()]
    line: Annotated[str, _with("at", "category", "student_id", "room", "review_id")]
    nobody: str
    closing: Annotated[str, _with()]


class AlertRules(ConfigModel):
    """When and how adults are alerted. Times of day are Korean."""

    digests: _Digests
    unseen_hours: Annotated[dict[str, Annotated[float, Field(gt=0)]], _for_each(Urgency)]
    retry: _Retry
    mail: _Mail
    categories: Annotated[dict[str, str], _for_each(Category)]
    rooms: Annotated[dict[str, str], _for_each(Room)]

    @classmethod
    def load(cls, home: Path) -> "AlertRules":
        """ConfigError names file, line and reason of every fault."""
        return cls.from_file(home / "configs" / "words" / "alerts.yaml")

    def told_before(self, urgency: Urgency, now: datetime) -> datetime:
        """The time before which alerts of this urgency are delivered or due."""
        if urgency == "now":
            return now
        here = now.astimezone(KOREA)
        if urgency == "day":
            times = [(here - timedelta(days=back), at) for back in (0, 1) for at in self.digests.day]
        else:
            weekly = self.digests.week
            times = [(here - timedelta(days=(here.isoweekday() - weekly.weekday) % 7), weekly.at)]
        moments = [datetime.combine(day.date(), at, KOREA) for day, at in times]
        moments += [moment - _WEEK for moment in moments]
        return max(moment for moment in moments if moment <= now)

    def unseen_before(self, urgency: Urgency, now: datetime) -> datetime:
        """The time before which alerts of this urgency should have been opened."""
        return now - timedelta(hours=self.unseen_hours[urgency])

    def pause(self, attempts: int) -> timedelta:
        """How long to wait after so many attempts that failed."""
        seconds = self.retry.first_seconds * 2.0 ** min(attempts - 1, 30)
        return timedelta(seconds=min(seconds, self.retry.longest_seconds))

    def in_korea(self, moment: datetime) -> str:
        """A time in the format for adults."""
        return moment.astimezone(KOREA).strftime("%Y-%m-%d %H:%M")

    def line(self, alert: AlertSummary) -> str:
        """One alert in the format for adults, without the child's words."""
        return self.mail.line.format(
            at=self.in_korea(alert.created_at),
            category=self.categories[alert.category],
            student_id=alert.student_id or self.mail.nobody,
            room=self.rooms[alert.room],
            review_id=alert.review_id,
        )
