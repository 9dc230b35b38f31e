"""What readers are shown of one source at a moment, and what was observed of it: read to be judged."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select

from larder.core.model.record import Observed
from larder.core.model.run import RunKind
from larder.store.database import Connection, micros
from larder.store.database.statement import Statement
from larder.store.tables.work import runs


class ShownRecord(NamedTuple):
    """A record that readers are shown."""

    platform_id: str
    price_minor: int | None
    last_scraped_at: int | None
    """When its own page was last read, in microseconds."""


class FirstSeen(NamedTuple):
    """When a record was first seen, in microseconds."""

    platform_id: str
    first_seen_at: int


class ObservedPrice(NamedTuple):
    """A price of a record, and when it was first and last observed, in microseconds."""

    platform_id: str
    amount: int
    observed_at: int
    confirmed_at: int


_SHOWN = Statement(
    """
    SELECT platform_id, price_minor, last_scraped_at FROM records
    WHERE source_id = :source_id AND active = 1 AND shown_until > :now AND platform_id IS NOT NULL
      AND (ends_at IS NULL OR ends_at > :now)
    """,
    row=ShownRecord,
    args={"source_id": "int", "now": "int"},
)
_SEEN = Statement(
    "SELECT platform_id, first_seen_at FROM records WHERE source_id = :source_id AND platform_id IS NOT NULL",
    row=FirstSeen,
    args={"source_id": "int"},
)
_PRICES = Statement(
    """
    SELECT records.platform_id, observations.amount, observations.observed_at, observations.confirmed_at
    FROM observations JOIN records ON records.id = observations.record_id
    WHERE records.source_id = :source_id AND observations.field = :field AND observations.amount IS NOT NULL
      AND records.platform_id IS NOT NULL AND observations.confirmed_at >= :since
    """,
    row=ObservedPrice,
    args={"source_id": "int", "field": "text", "since": "int"},
)

_NOT_SEEN = Statement(
    "SELECT id FROM records WHERE source_id = :source_id AND active = 1 AND last_seen_at < :since",
    scalar=int,
    args={"source_id": "int", "since": "int"},
)


def list_shown(conn: Connection, source_id: int, *, now: datetime) -> list[ShownRecord]:
    """Active records of a source above the confidence threshold that are not over."""
    return _SHOWN(conn, source_id=source_id, now=micros(now))


def list_seen(conn: Connection, source_id: int) -> list[FirstSeen]:
    """All records of a source."""
    return _SEEN(conn, source_id=source_id)


def list_prices(conn: Connection, source_id: int, *, since: datetime) -> list[ObservedPrice]:
    """Prices of a source's records that were observed since then."""
    return _PRICES(conn, source_id=source_id, field=Observed.PRICE.value, since=micros(since))


def list_not_seen_since(conn: Connection, source_id: int, since: datetime) -> list[int]:
    """Active records of a source that no page has shown since then."""
    return _NOT_SEEN(conn, source_id=source_id, since=micros(since))


def last_passes(conn: Connection, source_id: int, limit: int) -> list[datetime]:
    """When the last sweeps through a whole index began, the newest first."""
    query = (
        select(runs.c.certificate)
        .where(runs.c.source_id == source_id, runs.c.kind == RunKind.SWEEP, runs.c.certificate.is_not(None))
        .order_by(runs.c.id.desc())
        .limit(limit)
    )
    return [datetime.fromisoformat(certificate["began_at"]) for certificate in conn.scalars(query)]
