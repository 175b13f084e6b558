"""Tells adults of safety alerts outside the review queue, in the background of the service or once for a command."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias, get_args

from maththera.learners.alert_outbox import AlertMessage, AlertOutbox, Due
from maththera.learners.alerts import Alerts, Urgency
from maththera.learners.database import StoreUnavailable
from maththera.words.alert_channels import Channel, DeliveryFailed
from maththera.words.alert_rules import AlertRules

logger = logging.getLogger(__name__)

Outcome: TypeAlias = Literal["delivered", "failed"]

LOOK_SECONDS: Final = 15.0
"""So long an alert may wait that another process has stored; those of this one are told at once."""


class AlertDelivery:
    """`settled` is told how each try to deliver a message has gone, `unopened` how many alerts nobody has opened."""

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
        """There is a new alert."""
        self._bell.set()

    async def deliver(self) -> list[tuple[AlertMessage, Outcome]]:
        """All that is due, by every channel. What fails is tried again by a later call. Raises StoreUnavailable."""
        now = await self._outbox.now()
        due: list[Due] = []
        for urgency in get_args(Urgency):
            due.append(Due(urgency, urgency, self._rules.told_before(urgency, now)))
            due.append(Due("unseen", urgency, self._rules.unseen_before(urgency, now)))
        done = await asyncio.gather(*(self._deliver_by(channel, due) for channel in self._channels))
        return [each for told in done for each in told]

    async def upkeep(self, unopened: Callable[[int], None]) -> None:
        """`deliver` from time to time, and whenever it is woken, until it is cancelled."""
        while True:
            self._bell.clear()
            try:
                await self.deliver()
                unopened(sum((await self._alerts.unopened(None)).values()))
            except StoreUnavailable as error:
                logger.warning("safety alerts: %s", error)
            except Exception:
                logger.exception("safety alerts were not told")
            await self._rung()

    async def _rung(self) -> None:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self._bell.wait()
        except TimeoutError:
            return

    async def _deliver_by(self, channel: Channel, due: Sequence[Due]) -> list[tuple[AlertMessage, Outcome]]:
        for each in due:
            await self._outbox.enter(channel.name, each)
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
