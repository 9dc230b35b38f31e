"""The rows in which dead letters are read."""

from datetime import datetime
from typing import Any, NamedTuple


class DeadLetterRow(NamedTuple):
    """A dead letter with its source and its job."""

    id: int
    job_id: int | None
    run_id: int | None
    source_id: int | None
    stage: str
    category: str
    type: str
    message: str | None
    trace: str | None
    payload: Any
    status: str
    retries: int
    retry_at: datetime | None
    notes: str | None
    created_at: datetime
    resolved_at: datetime | None
    resolved_by: str | None
    source: str | None
    site_id: int | None
    page_id: int | None


class DeadLetterGroupRow(NamedTuple):
    """Dead letters counted by stage, type and status."""

    stage: str
    type: str
    status: str
    many: int
    first_at: datetime
    last_at: datetime


class RetriableDeadLetter(NamedTuple):
    """A dead letter whose job can be requeued."""

    id: int
    job_id: int
    source_id: int
    type: str
    retries: int
    site_id: int
    priority: int


class UnsentMessage(NamedTuple):
    """A dead letter about messages of the outbox."""

    id: int
    payload: Any
