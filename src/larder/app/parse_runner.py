"""Opens the pool of parse workers as configured; no process is started before the first page."""

import os

from larder.engine.parse_workers.in_process import InProcess
from larder.engine.parse_workers.pool import ParsePool, PoolLimits
from larder.settings import Settings

MAX_DEFAULT_WORKERS = 4
PRELOAD = (
    "larder.adapters.registry",
    "larder.engine.processing.learn_profile",
    "larder.engine.processing.process_page",
    "larder.extraction.draft",
    "larder.extraction.trial",
    "larder.extraction.snippet",
)
"""Modules that workers need for every page. Repairs are rare, and load the database's modules."""


def parse_runner(settings: Settings) -> ParsePool | InProcess:
    """The pool; with `LARDER_PARSE_WORKERS=0` pages are read in this process, without limits."""
    if settings.parse_workers == 0:
        return InProcess()
    return ParsePool(
        limits=PoolLimits(
            workers=settings.parse_workers or default_workers(),
            cpu_seconds=settings.parse_seconds,
            wall_seconds=settings.parse_wall_seconds,
            memory_bytes=settings.parse_memory_mb * 1024**2,
        ),
        preload=PRELOAD,
        adapters_dir=settings.adapters_dir,
    )


def default_workers() -> int:
    """The number of cores that this process may use."""
    return min(len(os.sched_getaffinity(0)), MAX_DEFAULT_WORKERS)
