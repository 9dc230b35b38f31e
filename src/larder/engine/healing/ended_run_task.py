"""The base of background tasks that read the stored pages of ended runs."""

from dataclasses import dataclass
from datetime import timedelta

from larder.core.ports import Clock, ParseRunner
from larder.engine.background_task import BackgroundTask
from larder.sdk.adapter import Adapters
from larder.store.database import Database
from larder.store.pages.blobs import Blobs


@dataclass(slots=True, kw_only=True)
class EndedRunTask(BackgroundTask):
    """Opens stored pages and reads them in the parse workers."""

    database: Database
    blobs: Blobs
    clock: Clock
    adapters: Adapters
    runner: ParseRunner
    shutdown_timeout = timedelta(seconds=5)
