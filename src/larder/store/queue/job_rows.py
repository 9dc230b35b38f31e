"""The rows in which jobs are written and claimed."""

from typing import Any, NamedTuple

from larder.core.model.job import Job, PageRequest, Purpose, Stage
from larder.store.database.statement import json_value


class JobRow(NamedTuple):
    """The columns of a new job."""

    run_id: int
    source_id: int
    site_id: int
    adapter: str
    purpose: str
    url: str
    number: int | None
    context: dict[str, Any] | None
    priority: int
    claim_order: int
    not_before: int


class ReadyJob(NamedTuple):
    """A job that may be claimed."""

    id: int
    run_id: int
    source_id: int
    site_id: int
    purpose: str
    url: str
    number: int | None
    context: Any
    stage: str
    attempts: int
    page_id: int | None
    interruptions: int
    error: str | None


def job_from_row(row: ReadyJob) -> Job:
    """The job from its row."""
    return Job(
        id=row.id,
        run_id=row.run_id,
        source_id=row.source_id,
        site_id=row.site_id,
        request=PageRequest(
            url=row.url,
            purpose=Purpose(row.purpose),
            number=row.number,
            context=json_value(row.context) or {},
        ),
        stage=Stage(row.stage),
        attempts=row.attempts,
        page_id=row.page_id,
        interruptions=row.interruptions,
        last_error=row.error,
    )
