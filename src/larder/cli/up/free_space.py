"""Waits at the start of `larder up` while the disk is full, and reports it."""

import asyncio

from larder.app.data_folder import START_BYTES, free_bytes
from larder.cli.common.session import run_async
from larder.cli.up.reports import open_reporter
from larder.settings import Settings

LOOK_SECONDS = 5.0


def wait_for_space(settings: Settings, *, as_json: bool) -> None:
    """Return once there is space to open the database."""
    if _has_room(settings):
        return
    with open_reporter(as_json=as_json, level=settings.log_level) as report:
        report.say(
            "the disk is full: waiting for free space",
            folder=str(settings.data.absolute()),
            free_bytes=free_bytes(settings.data),
            needed_bytes=START_BYTES,
        )
        run_async(_until_room(settings))


async def _until_room(settings: Settings) -> None:
    while not _has_room(settings):  # noqa: ASYNC110 - no event tells of it
        await asyncio.sleep(LOOK_SECONDS)


def _has_room(settings: Settings) -> bool:
    return not settings.embedded or free_bytes(settings.data) >= START_BYTES
