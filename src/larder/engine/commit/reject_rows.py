"""Removes the rows that the database rejected from a page: duplicates and orphans.

A duplicate is no loss. An orphan (its parent row was deleted) is written down as an error.
"""

import logging
from dataclasses import replace
from datetime import datetime
from typing import Any

from larder.core.errors import Category
from larder.core.model.job import Stage
from larder.core.policy.degradation import DatabaseFault
from larder.engine.commit.failed_items import job_columns
from larder.engine.commit.page_result import items_to_persist
from larder.engine.progress.run_progress import RunProgress
from larder.engine.work_items import ProcessedPage
from larder.sdk.adapter import Adapters
from larder.stages.persist import Refused, split_refused
from larder.store.database import Connection
from larder.store.queue import failures, runs

log = logging.getLogger("larder.persist")


def without_rejected_rows(
    conn: Connection, page: ProcessedPage, adapters: Adapters, *, now: datetime
) -> ProcessedPage:
    """The page without its rejected rows; orphans are logged."""
    job, source = page.work.job, page.work.source
    progress = RunProgress.of(runs.load(conn, [job.run_id])[job.run_id], source, adapters[source.adapter])
    split = split_refused(conn, items_to_persist(page, progress), now=now)
    for refused in split.refused:
        facts = {"run": job.run_id, "source": source.slug, "job": job.id, "fault": str(refused.fault)}
        log.warning("row %s is left out", refused.staged.identity_key, extra=facts)
    orphans = [r for r in split.refused if r.fault is DatabaseFault.FOREIGN_KEY]
    failures.add_errors(conn, [_error(page, refused) for refused in orphans], now=now)
    return replace(page, staged=split.taken)


def _error(page: ProcessedPage, refused: Refused) -> dict[str, Any]:
    return {
        **job_columns(page.work.job),
        "stage": Stage.PERSIST,
        "category": Category.DB,
        "type": refused.fault,
        "message": f"{refused.staged.identity_key}: {refused.error}",
    }
