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
    """Build the notifier from the settings."""
    specs = _specs(app.settings)
    async with session() as client:
        channels = open_channels(specs, client, app.clock)
        yield Notifier(
            database=app.database,
            clock=app.clock,
            minimums=minimums(specs),
            quiet=quiet_hours(specs),
            send=lambda message: channels[message.channel].send(message),
            summary_schedule=app.summary_schedule,
        )


def _specs(settings: Settings) -> list[ChannelSpec]:
    return [
        ChannelSpec(
            name=channel.name,
            url=channel.url.get_secret_value(),
            kind=None if channel.kind is None else ChannelKind(channel.kind),
            minimum=channel.minimum,
            secret=channel.secret.get_secret_value(),
            quiet=read_quiet_hours(channel.quiet, settings.timezone) if channel.quiet else None,
        )
        for channel in settings.channels
    ]
