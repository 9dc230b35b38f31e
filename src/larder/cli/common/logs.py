"""Log lines for programs: JSON, or name=value, on standard output."""

import logging
import sys
from typing import Any

import structlog

ROUTINE = ("celery.app.trace", "celery.worker.strategy", "celery.beat")
"""Loggers that write a line for each message."""


def start_logging(*, as_json: bool, level: str) -> None:
    """Write the log of the engine and its hosts, from this level on."""
    draw: Any = structlog.processors.JSONRenderer() if as_json else structlog.processors.LogfmtRenderer()
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.ExtraAdder(),
                structlog.stdlib.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                draw,
            ],
        )
    )
    for name in ROUTINE:
        logging.getLogger(name).setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
    for name in ("larder", "celery"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())
