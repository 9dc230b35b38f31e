"""Selects records whose pages a run fetches: stale details, verification candidates, controls.

Each is a bounded look-up in an index, whatever the size of the table.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from larder.store.database.statement import Statement
from larder.store.tables.columns import micros, moment_or_none


class StaleRecord(NamedTuple):
    """A record whose detail page is to be read again."""

    id: int
    url: str
    identity_key: str
    last_scraped_at: int | None


class SelectedRecord(NamedTuple):
    """A record to be checked, with the signs that its page may show."""

    id: int
    url: str
    identity_key: str
    title: str
    price_minor: int | None
    currency: str | None


class SelectedUrl(NamedTuple):
    """As `SelectedRecord`, without the id."""

    url: str
    identity_key: str


class ControlRecord(NamedTuple):
    """A record that is known to be alive."""

    id: int
    url: str
    identity_key: str
    title: str
    price_minor: int | None
    currency: str | None
    last_scraped_at: int | None


_STALEST = Statement(
    """
    SELECT id, url, identity_key, last_scraped_at FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at >= :since
      AND url IS NOT NULL AND (last_scraped_at IS NULL OR last_scraped_at <= :before)
      AND (detail_asked_by IS NULL OR detail_asked_by <> :run_id)
    ORDER BY coalesce(last_scraped_at, 0), id LIMIT :limit
    """,
    row=StaleRecord,
    args={"source_id": "int", "since": "int", "run_id": "int", "before": "int", "limit": "int"},
)

_ASKED = Statement(
    "UPDATE records SET detail_asked_by = :run_id FROM {rows} AS asked WHERE records.id = asked.id",
    rows={"id": "int"},
    args={"run_id": "int"},
)

_LATEST_READ = Statement(
    """
    SELECT url, identity_key FROM (
      SELECT id, url, identity_key, last_scraped_at, last_seen_at FROM records
      WHERE source_id = :source_id AND active = 1 ORDER BY last_seen_at DESC LIMIT :among
    ) AS latest
    WHERE url IS NOT NULL AND last_scraped_at IS NOT NULL ORDER BY last_seen_at DESC, id LIMIT :limit
    """,
    row=SelectedUrl,
    args={"source_id": "int", "among": "int", "limit": "int"},
)
AMONG = 10
"""Records read for each one that is needed."""

_CHECKABLE = """url IS NOT NULL AND (checked_at IS NULL OR checked_at < :started)
      AND (struck_at IS NULL OR struck_at <= :struck_before) AND (ends_at IS NULL OR ends_at > :now)"""
"""Once per run, not before a second strike may count, and no ended events."""
_ROUND = {"now": "int", "started": "int", "struck_before": "int", "limit": "int"}

_FADED = Statement(
    f"""
    SELECT id, url, identity_key, title, price_minor, currency FROM records
    WHERE source_id = :source_id AND active = 1 AND shown_until <= :now AND {_CHECKABLE}
    ORDER BY shown_until, id LIMIT :limit
    """,
    row=SelectedRecord,
    args={"source_id": "int", **_ROUND},
)

_MISSING = Statement(
    f"""
    SELECT id, url, identity_key, title, price_minor, currency FROM records
    WHERE source_id = :source_id AND missing_at IS NOT NULL AND active = 1 AND shown_until > :now
      AND {_CHECKABLE}
    ORDER BY shown_until, id LIMIT :limit
    """,
    row=SelectedRecord,
    args={"source_id": "int", **_ROUND},
)

_UNSEEN = Statement(
    f"""
    SELECT id, url, identity_key, title, price_minor, currency FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at <= :unseen_since AND shown_until > :now
      AND missing_at IS NULL AND (verified_at IS NULL OR verified_at <= :verified_before)
      AND (missed_at IS NULL OR missed_at <= last_seen_at) AND {_CHECKABLE}
    ORDER BY last_seen_at, id LIMIT :limit
    """,
    row=SelectedRecord,
    args={"source_id": "int", "unseen_since": "int", "verified_before": "int", **_ROUND},
)

_LAPSED = Statement(
    f"""
    SELECT id, url, identity_key, title, price_minor, currency FROM records
    WHERE source_id = :source_id AND verification = 'lapsed' AND archived_at IS NULL AND {_CHECKABLE}
    ORDER BY id LIMIT :limit
    """,
    row=SelectedRecord,
    args={"source_id": "int", **_ROUND},
)

_LATELY_SEEN = Statement(
    """
    SELECT id, url, identity_key, title, price_minor, currency, last_scraped_at FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at >= :since AND url IS NOT NULL
    ORDER BY last_seen_at DESC, id LIMIT :limit
    """,
    row=ControlRecord,
    args={"source_id": "int", "since": "int", "limit": "int"},
)

_LATELY_VERIFIED = Statement(
    """
    SELECT id, url, identity_key, title, price_minor, currency, last_scraped_at FROM records
    WHERE source_id = :source_id AND active = 1 AND verified_at IS NOT NULL AND verified_at >= :since
      AND url IS NOT NULL AND strikes = 0
    ORDER BY verified_at DESC, id LIMIT :limit
    """,
    row=ControlRecord,
    args={"source_id": "int", "since": "int", "limit": "int"},
)

_NEXT_TO_FADE: Statement[int | None] = Statement(
    """
    SELECT min(shown_until) FROM records
    WHERE source_id = :source_id AND active = 1 AND shown_until > :now
    """,
    scalar=int,
    args={"source_id": "int", "now": "int"},
)


def list_latest_read(conn: Connection, source_id: int, *, limit: int) -> list[SelectedUrl]:
    """Records seen last whose detail page has been read."""
    return _LATEST_READ(conn, source_id=source_id, among=AMONG * limit, limit=limit)


def list_stalest(
    conn: Connection, *, source_id: int, run_id: int, since: datetime, before: datetime, limit: int
) -> list[StaleRecord]:
    """Records seen since `since` whose detail page was last read before `before`, or never.

    Each is returned once per run, the stalest first.
    """
    records = _STALEST(
        conn, source_id=source_id, run_id=run_id, since=micros(since), before=micros(before), limit=limit
    )
    _ASKED(conn, [(row.id,) for row in records], run_id=run_id)
    return records


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRules:
    """Conditions for candidates of a verification run."""

    started: datetime
    unseen_since: datetime
    verified_before: datetime
    struck_before: datetime
    faded_only: bool = False


def list_verification_candidates(
    conn: Connection, source_id: int, doubt: CandidateRules, *, now: datetime, limit: int
) -> list[SelectedRecord]:
    """Records that may be gone, each once per run.

    First the faded and those whose page is missing, then the unseen and the lapsed. A record that an index
    page missed at its position is left to further looks at that page, until it fades.
    """
    once: dict[str, Any] = {
        "now": micros(now),
        "started": micros(doubt.started),
        "struck_before": micros(doubt.struck_before),
    }
    records = _FADED(conn, source_id=source_id, limit=limit, **once)
    if len(records) < limit:
        records += _MISSING(conn, source_id=source_id, limit=limit - len(records), **once)
    if not doubt.faded_only and len(records) < limit:
        records += _UNSEEN(
            conn,
            source_id=source_id,
            unseen_since=micros(doubt.unseen_since),
            verified_before=micros(doubt.verified_before),
            limit=limit - len(records),
            **once,
        )
    if not doubt.faded_only and len(records) < limit:
        records += _LAPSED(conn, source_id=source_id, limit=limit - len(records), **once)
    return records


def list_recently_seen(
    conn: Connection, source_id: int, *, since: datetime, limit: int
) -> list[ControlRecord]:
    """Records seen since then, the latest first."""
    return _LATELY_SEEN(conn, source_id=source_id, since=micros(since), limit=limit)


def list_recently_verified(
    conn: Connection, source_id: int, *, since: datetime, limit: int
) -> list[ControlRecord]:
    """Records verified since then and without a strike, the latest first."""
    return _LATELY_VERIFIED(conn, source_id=source_id, since=micros(since), limit=limit)


def next_fading_at(conn: Connection, source_id: int, *, now: datetime) -> datetime | None:
    """When the next record falls below the confidence line, if it is not seen before."""
    return moment_or_none(_NEXT_TO_FADE(conn, source_id=source_id, now=micros(now))[0])
