"""How an alert leaves the service: as JSON to a webhook, or as a mail, neither with the child's words; in the
background of the service, or once for a command.
"""

import asyncio
import hashlib
import hmac
import logging
import smtplib
import ssl
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict
from email.message import EmailMessage
from email.utils import localtime
from ipaddress import ip_address
from typing import Final, Literal, TypeAlias, get_args
from urllib.parse import unquote, urlsplit

import orjson

from maththera.json_types import JsonObject
from maththera.settings import Settings
from maththera.store.alert_outbox import AlertMessage, AlertOutbox, DueAlerts
from maththera.store.database import StoreUnavailable
from maththera.store.review_queue import Urgency
from maththera.store.safety_alerts import Alerts
from maththera.words.alerts.alert_rules import AlertRules

logger = logging.getLogger(__name__)
logging.getLogger("httpx2").setLevel(logging.WARNING)  # its lines contain the address, which may be secret

_SECONDS: Final = 10.0
"""The time limit of each step of a delivery; together they stay below the lease of the outbox."""
_WEBHOOK_SECONDS: Final = 20.0
_OK: Final = range(200, 300)


class DeliveryFailed(Exception):
    """The message was not accepted. The reason contains no address and no password."""


class Channel(ABC):
    name: str

    @abstractmethod
    async def send(self, message: AlertMessage) -> None:
        """Returns when the receiver has accepted the message; otherwise DeliveryFailed."""


class Webhook(Channel):
    """POSTs JSON. `secret` signs the body: `X-Maththera-Signature: sha256=` and the HMAC in hexadecimal."""

    name = "webhook"

    def __init__(self, url: str, secret: str | None) -> None:
        self._url, self._secret = url, secret

    async def send(self, message: AlertMessage) -> None:
        from httpx2 import AsyncClient, HTTPError, InvalidURL  # takes 0.1 s, and most services have no webhook

        body = orjson.dumps(_webhook_body(message))
        headers = {"Content-Type": "application/json", "Idempotency-Key": message.message_id}
        if self._secret is not None:
            signature = hmac.new(self._secret.encode(), body, hashlib.sha256).hexdigest()
            headers["X-Maththera-Signature"] = f"sha256={signature}"
        try:
            # As a stream: of the answer only the status is of interest, however long it is. A redirect is not followed:
            # the settings alone decide where alerts go.
            async with (
                asyncio.timeout(_WEBHOOK_SECONDS),
                AsyncClient(timeout=_SECONDS) as client,
                client.stream("POST", self._url, content=body, headers=headers) as response,
            ):
                status = response.status_code
        except (HTTPError, InvalidURL, TimeoutError) as error:
            raise DeliveryFailed(f"the webhook does not answer: {type(error).__name__}") from None
        if status not in _OK:
            raise DeliveryFailed(f"the webhook answered {status}")


def _webhook_body(message: AlertMessage) -> JsonObject:
    return {
        "message_id": message.message_id,
        "occasion": message.occasion,
        "alerts": [asdict(alert) for alert in message.alerts],
    }


class Mail(Channel):
    """Sends through an SMTP server: smtps:// is encrypted from the start, smtp:// where the server offers STARTTLS.

    A password is only sent encrypted, or to this machine.
    """

    name = "mail"

    def __init__(self, url: str, sender: str, to: Sequence[str], admin: Sequence[str], rules: AlertRules) -> None:
        self._url, self._from, self._to, self._admin, self._rules = urlsplit(url), sender, to, admin, rules

    async def send(self, message: AlertMessage) -> None:
        try:
            await asyncio.to_thread(self._send, self._written(message))
        except smtplib.SMTPResponseException as error:
            raise DeliveryFailed(f"the mail server answered {error.smtp_code}") from None
        except smtplib.SMTPRecipientsRefused:
            raise DeliveryFailed("the mail server refuses every recipient") from None
        except (smtplib.SMTPException, OSError) as error:
            raise DeliveryFailed(f"the mail server does not answer: {type(error).__name__}") from None

    def _send(self, mail: EmailMessage) -> None:
        host, tls = self._url.hostname or "", ssl.create_default_context()
        if self._url.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(host, self._url.port or 465, timeout=_SECONDS, context=tls)
        else:
            server = smtplib.SMTP(host, self._url.port or 25, timeout=_SECONDS)
        with server:
            server.ehlo()
            encrypted = self._url.scheme == "smtps"
            if not encrypted and server.has_extn("starttls"):
                server.starttls(context=tls)
                encrypted = True
            if self._url.username:
                if not (encrypted or _is_local(host)):
                    raise DeliveryFailed("the mail server offers no encryption, so it is not told the password")
                server.login(unquote(self._url.username), unquote(self._url.password or ""))
            server.send_message(mail)

    def _written(self, message: AlertMessage) -> EmailMessage:
        words = self._rules.mail
        mail = EmailMessage()
        mail["Message-ID"] = f"<{message.message_id}@maththera>"
        mail["Date"] = localtime()
        mail["From"] = self._from
        mail["To"] = ", ".join(self._admin if message.occasion == "unseen" else self._to)
        mail["Subject"] = words.subjects[message.occasion].format(count=len(message.alerts))
        lines = (self._rules.line(alert) for alert in message.alerts)
        mail.set_content("\n".join([words.opening, "", *lines, "", words.closing, ""]))
        return mail


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def channels(settings: Settings, rules: AlertRules) -> list[Channel]:
    """The configured channels; none by default."""
    found: list[Channel] = []
    if settings.alert_webhook_url is not None:
        secret = settings.alert_webhook_secret.get_secret_value() if settings.alert_webhook_secret else None
        found.append(Webhook(settings.alert_webhook_url.get_secret_value(), secret))
    if settings.alert_smtp_url is not None:
        to = settings.alert_email_to
        admin = settings.alert_email_admin or to
        url = settings.alert_smtp_url.get_secret_value()
        found.append(Mail(url, str(settings.alert_email_from), _addresses(to), _addresses(admin), rules))
    return found


def _addresses(text: str | None) -> list[str]:
    return [each.strip() for each in (text or "").split(",")]


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
