"""The front door and the answers to danger, as they are shipped."""

from functools import cache

from maththera.settings import home
from maththera.store.database import Database
from maththera.store.safety_alerts import Alerts
from maththera.words.danger.danger_answers import DangerAnswers
from maththera.words.danger.message_analysis import MessageAnalyser
from maththera.words.danger.message_safety import MessageSafety, OpinionAsker


@cache
def door() -> MessageAnalyser:
    return MessageAnalyser.load(home())


@cache
def answers() -> DangerAnswers:
    return DangerAnswers.load(home(), "kr")


def safety(database: Database | None, opinion: OpinionAsker | None = None) -> MessageSafety:
    """Alerts are kept in `database`, where there is one."""
    return MessageSafety(door(), answers(), Alerts(database) if database else None, opinion)
