"""Channels for messages: the log, a webhook, Slack, mail, or any service of Apprise.

A channel sends a message and returns the result; it never raises, and neither its name nor its errors
contain its address.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Protocol
from urllib.parse import urlsplit

import aiohttp

from larder.core.errors import BadInput, not_installed
from larder.core.policy.alerting import Severity
from larder.core.policy.delivery import Delivered, DeliveryResult, Undelivered
from larder.core.policy.quiet_hours import QuietHours
from larder.core.ports import Clock
from larder.core.quoting import quoted
from larder.stages.notify import mask, render
from larder.stages.notify.http_post import post
from larder.stages.notify.mail import MailChannel, mail_server
from larder.stages.notify.signature import signed_headers
from larder.store.operations.notifications.outbox import Message

log = logging.getLogger("larder.notify")
LEVELS = {
    Severity.P1: logging.ERROR,
    Severity.P2: logging.WARNING,
    Severity.P3: logging.WARNING,
    Severity.INFO: logging.INFO,
}
APPRISE_TIMEOUT = timedelta(seconds=60)


class ChannelKind(StrEnum):
    """The protocol of a channel."""

    LOG = "log"
    WEBHOOK = "webhook"
    SLACK = "slack"
    MAIL = "mail"
    APPRISE = "apprise"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSpec:
    """A channel as the operator described it."""

    name: str
    url: str = field(default="log:", repr=False)
    kind: ChannelKind | None = None
    """None: derived from the address."""
    minimum: Severity = Severity.INFO
    """The least severity that it receives."""
    secret: str = field(default="", repr=False)
    """Signs webhooks; empty: they are not signed."""
    quiet: QuietHours | None = None
    """When only P1 is sent."""

    def __str__(self) -> str:
        """A description without the address."""
        return f"{self.name} ({self.resolved_kind}, {mask.masked_address(self.url)}, from {self.minimum})"

    @property
    def resolved_kind(self) -> ChannelKind:
        """The configured kind, or the kind that the address implies."""
        parts = urlsplit(self.url)
        if self.kind is not None:
            return self.kind
        if parts.scheme == "log":
            return ChannelKind.LOG
        if parts.scheme in ("smtp", "smtps"):
            return ChannelKind.MAIL
        if parts.scheme not in ("http", "https"):
            return ChannelKind.APPRISE
        return ChannelKind.SLACK if parts.hostname == "hooks.slack.com" else ChannelKind.WEBHOOK


class Channel(Protocol):
    """Delivers messages."""

    async def send(self, message: Message) -> DeliveryResult:
        """Send a message and return the result."""
        ...


class LogChannel:
    """Lines of the program's own log."""

    async def send(self, message: Message) -> DeliveryResult:
        """Write one line for each message, with its parts as extra fields."""
        text = f"{render.headline(message)}\n{render.text(message)}"
        log.log(
            LEVELS[render.highest_severity(message.notes)],
            "%s",
            text,
            extra={"notification": render.as_json(message)},
        )
        return Delivered()


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookChannel:
    """Sends JSON to any address, signed if the channel has a secret."""

    client: aiohttp.ClientSession = field(repr=False)
    url: str = field(repr=False)
    clock: Clock
    secret: str = field(default="", repr=False)

    async def send(self, message: Message) -> DeliveryResult:
        """Send the message with all its fields."""
        sign = self._sign if self.secret else None
        return await post(self.client, self.url, render.as_json(message), key=message.key, sign=sign)

    def _sign(self, body: bytes) -> Mapping[str, str]:
        return signed_headers(self.secret, body, self.clock.now())


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackChannel:
    """Sends blocks to an incoming webhook of Slack, or of a compatible service."""

    client: aiohttp.ClientSession = field(repr=False)
    url: str = field(repr=False)

    async def send(self, message: Message) -> DeliveryResult:
        """Send the message as Slack blocks."""
        return await post(self.client, self.url, render.slack(message), key=message.key)


class Announcer(Protocol):
    """The part of Apprise's interface that is used."""

    def notify(self, *, title: str, body: str) -> object:
        """Send; returns whether it was delivered."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AppriseChannel:
    """Any service that Apprise supports. Sending blocks, so it runs in a thread."""

    announcer: Announcer = field(repr=False)

    async def send(self, message: Message) -> DeliveryResult:
        """Send title and text through Apprise."""
        sending = asyncio.to_thread(self.announcer.notify, **render.title_and_body(message))
        try:
            arrived = await asyncio.wait_for(sending, APPRISE_TIMEOUT.total_seconds())
        except TimeoutError:
            return Undelivered(error="it did not answer in time")
        except Exception as error:  # noqa: BLE001 - 170 services, each with its own ways to fail; none may stop a line
            return Undelivered(error=f"the service failed ({type(error).__name__})")
        return Delivered() if arrived else Undelivered(error="the service rejected it")


def open_channels(
    specs: Sequence[ChannelSpec], client: aiohttp.ClientSession, clock: Clock
) -> dict[str, Channel]:
    """Open the channels."""
    return {spec.name: _open(spec, client, clock) for spec in specs}


def quiet_hours(specs: Sequence[ChannelSpec]) -> Mapping[str, QuietHours]:
    """The quiet hours of each channel."""
    return {spec.name: spec.quiet for spec in specs if spec.quiet is not None}


def minimums(specs: Sequence[ChannelSpec]) -> Mapping[str, Severity]:
    """The minimum severity of each channel."""
    return {spec.name: spec.minimum for spec in specs}


def _open(spec: ChannelSpec, client: aiohttp.ClientSession, clock: Clock) -> Channel:
    match spec.resolved_kind:
        case ChannelKind.LOG:
            return LogChannel()
        case ChannelKind.WEBHOOK:
            return WebhookChannel(client=client, url=_web_address(spec), clock=clock, secret=spec.secret)
        case ChannelKind.SLACK:
            return SlackChannel(client=client, url=_web_address(spec))
        case ChannelKind.MAIL:
            return MailChannel(server=mail_server(spec.name, spec.url))
        case ChannelKind.APPRISE:
            return AppriseChannel(announcer=_announcer(spec))


def _web_address(spec: ChannelSpec) -> str:
    parts = urlsplit(spec.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"the channel {quoted(spec.name)} has no web address", hint="see LARDER_CHANNELS")
    return spec.url


def _announcer(spec: ChannelSpec) -> Announcer:
    try:
        import apprise  # noqa: PLC0415 - it knows 170 services; who uses none need not load it
    except ImportError as error:
        raise not_installed(f"the channel {quoted(spec.name)}", "channels") from error
    for talkative in ("apprise", "urllib3.connectionpool"):  # its messages contain addresses
        logging.getLogger(talkative).setLevel(logging.CRITICAL)
    announcer = apprise.Apprise()
    if not announcer.add(spec.url):
        raise BadInput(
            f"Apprise does not understand the address of the channel {quoted(spec.name)}",
            hint="see LARDER_CHANNELS and Apprise's list of services",
        )
    return announcer
