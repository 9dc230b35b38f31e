"""Opens the notifier with the channels that the settings name."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from larder.app.deployment import App
from larder.core.policy.quiet_hours import read_quiet_hours
from larder.engine.background.notifications import Notifier
from larder.settings import Settings
from larder.stages.notify.channels import ChannelKind, ChannelSpec, minimums, open_channels, quiet_hours
from larder.stages.notify.http_post import session


@asynccontextmanager
async def notifier(app: App) -> AsyncIterator[Notifier]:
    """The notifier."""
    specs = _specs(app.settings)
    async with session() as client:
        channels = open_channels(specs, client, app.clock)
        yield Notifier(
            database=app.database,
            clock=app.clock,
            minimums=minimums(specs),
            quiet=quiet_hours(specs),
            send=lambda message: channels[message.channel].send(message),
            morning=app.morning,
        )


def _specs(settings: Settings) -> list[ChannelSpec]:
    return [
        ChannelSpec(
            name=each.name,
            url=each.url.get_secret_value(),
            kind=None if each.kind is None else ChannelKind(each.kind),
            minimum=each.minimum,
            secret=each.secret.get_secret_value(),
            quiet=read_quiet_hours(each.quiet, settings.timezone) if each.quiet else None,
        )
        for each in settings.channels
    ]
