"""Tells adults of safety alerts outside the review queue, in the background of the service or once for a command."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias, get_args

from maththera.store.alert_outbox import AlertMessage, AlertOutbox, DueAlerts
from maththera.store.database import StoreUnavailable
from maththera.store.review_queue import Urgency
from maththera.store.safety_alerts import Alerts
from maththera.words.alerts.alert_channels import Channel, DeliveryFailed
from maththera.words.alerts.alert_rules import AlertRules

logger = logging.getLogger(__name__)

Outcome: TypeAlias = Literal["delivered", "failed"]

LOOK_SECONDS: Final = 15.0
"""How long an alert stored by another process may wait; those of this process are delivered at once."""


class AlertDelivery:
    """Delivers alerts. `settled` is called with the outcome of each attempt, `unopened` with the number of unopened
    alerts."""

    def __init__(
        self,
        outbox: AlertOutbox,
        alerts: Alerts,
        rules: AlertRules,
        channels: Sequence[Channel],
        settled: Callable[[str, Outcome], None] = lambda _, __: None,
    ) -> None:
        self._outbox, self._alerts, self._rules, self._channels = outbox, alerts, rules, channels
        self._settled = settled
        self._bell = asyncio.Event()

    def wake(self) -> None:
        """Wakes `upkeep` for a new alert."""
        self._bell.set()

    async def deliver(self) -> list[tuple[AlertMessage, Outcome]]:
        """Delivers everything that is due, by every channel. A later call repeats what failed. Raises
        StoreUnavailable."""
        now = await self._outbox.now()
        due: list[DueAlerts] = []
        for urgency in get_args(Urgency):
            due.append(DueAlerts(urgency, urgency, self._rules.told_before(urgency, now)))
            due.append(DueAlerts("unseen", urgency, self._rules.unseen_before(urgency, now)))
        done = await asyncio.gather(*(self._deliver_by(channel, due) for channel in self._channels))
        return [each for told in done for each in told]

    async def upkeep(self, unopened: Callable[[int], None]) -> None:
        """Calls `deliver` from time to time, and when woken, until cancelled."""
        while True:
            self._bell.clear()
            try:
                await self.deliver()
                unopened(sum((await self._alerts.unopened(None)).values()))
            except StoreUnavailable as error:
                logger.warning("safety alerts: %s", error)
            except Exception:
                logger.exception("safety alerts were not told")
            await self._wait_for_alert()

    async def _wait_for_alert(self) -> None:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self._bell.wait()
        except TimeoutError:
            return

    async def _deliver_by(self, channel: Channel, due: Sequence[DueAlerts]) -> list[tuple[AlertMessage, Outcome]]:
        for each in due:
            await self._outbox.enqueue(channel.name, each)
        done: list[tuple[AlertMessage, Outcome]] = []
        now = await self._outbox.now()
        while (message := await self._outbox.claim(channel.name, now)) is not None:
            outcome = await self._send(channel, message)
            self._settled(channel.name, outcome)
            done.append((message, outcome))
        return done

    async def _send(self, channel: Channel, message: AlertMessage) -> Outcome:
        try:
            await channel.send(message)
        except DeliveryFailed as error:
            pause = self._rules.pause(message.attempts)
            logger.warning("%d safety alerts were not told, next try in %s: %s", len(message.alerts), pause, error)
            await self._outbox.failed(message, str(error), await self._outbox.now() + pause)
            return "failed"
        await self._outbox.delivered(message)
        return "delivered"
