"""The front door and the answers to danger, as they are shipped."""

from functools import cache

from maththera.learners.alerts import Alerts
from maththera.learners.database import Database
from maththera.settings import home
from maththera.words.answers import DangerAnswers
from maththera.words.front_door import FrontDoor
from maththera.words.opinion import Asker
from maththera.words.safety import Safety


@cache
def door() -> FrontDoor:
    return FrontDoor.load(home())


@cache
def answers() -> DangerAnswers:
    return DangerAnswers.load(home(), "kr")


def safety(database: Database | None, opinion: Asker | None = None) -> Safety:
    """Alerts are kept in `database`, where there is one."""
    return Safety(door(), answers(), Alerts(database) if database else None, opinion)
