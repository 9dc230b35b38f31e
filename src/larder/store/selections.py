"""Pages that only the store can name: the stalest rows of a sweep, what to verify, controls.

Each is one or more bounded look-ups in an index; how large the tables are does not matter.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from larder.store.statement import AnyRow, Statement
from larder.store.tables.columns import micros

_STALEST = Statement(
    """
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at >= :since AND seen_by_run = :run_id
      AND url IS NOT NULL AND (last_scraped_at IS NULL OR last_scraped_at <= :before)
      AND (detail_asked_by IS NULL OR detail_asked_by <> :run_id)
    ORDER BY coalesce(last_scraped_at, 0), id LIMIT :most
    """,
    args={"source_id": "int", "since": "int", "run_id": "int", "before": "int", "most": "int"},
)

_ASKED = Statement(
    "UPDATE records SET detail_asked_by = :run_id FROM {rows} AS asked WHERE records.id = asked.id",
    rows={"id": "int"},
    args={"run_id": "int"},
)

_CHECKABLE = "url IS NOT NULL AND (checked_at IS NULL OR checked_at < :started)"

_FADED = Statement(
    f"""
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND active = 1 AND shown_until <= :now AND {_CHECKABLE}
    ORDER BY shown_until, id LIMIT :most
    """,
    args={"source_id": "int", "now": "int", "started": "int", "most": "int"},
)

_UNSEEN = Statement(
    f"""
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at <= :unseen_since AND shown_until > :now
      AND (verified_at IS NULL OR verified_at <= :verified_before) AND {_CHECKABLE}
    ORDER BY last_seen_at, id LIMIT :most
    """,
    args={
        "source_id": "int",
        "unseen_since": "int",
        "now": "int",
        "verified_before": "int",
        "started": "int",
        "most": "int",
    },
)

_LAPSED = Statement(
    f"""
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND verification = 'lapsed' AND {_CHECKABLE}
    ORDER BY id LIMIT :most
    """,
    args={"source_id": "int", "started": "int", "most": "int"},
)

_LATEST_SEEN = Statement(
    """
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at > :since AND shown_until > :now
      AND url IS NOT NULL
    ORDER BY last_seen_at DESC, id LIMIT :most
    """,
    args={"source_id": "int", "since": "int", "now": "int", "most": "int"},
)

_LATEST_VERIFIED = Statement(
    """
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND active = 1 AND verified_at IS NOT NULL AND verified_at > :since
      AND url IS NOT NULL
    ORDER BY verified_at DESC, id LIMIT :most
    """,
    args={"source_id": "int", "since": "int", "most": "int"},
)


def stalest(
    conn: Connection, *, source_id: int, run_id: int, since: datetime, before: datetime, most: int
) -> Sequence[AnyRow]:
    """Rows that this run saw and whose own page was last read before then, or never; each is named once."""
    found = _STALEST(
        conn, source_id=source_id, run_id=run_id, since=micros(since), before=micros(before), most=most
    )
    _ASKED(conn, [(row.id,) for row in found], run_id=run_id)
    return found


def to_check(
    conn: Connection,
    *,
    source_id: int,
    started: datetime,
    unseen_since: datetime,
    verified_before: datetime,
    now: datetime,
    most: int,
) -> list[AnyRow]:
    """Records that may be gone and were not checked since `started`: the faded, the unseen, the lapsed."""
    begun = micros(started)
    found = list(_FADED(conn, source_id=source_id, now=micros(now), started=begun, most=most))
    if len(found) < most:
        found += _UNSEEN(
            conn,
            source_id=source_id,
            unseen_since=micros(unseen_since),
            now=micros(now),
            verified_before=micros(verified_before),
            started=begun,
            most=most - len(found),
        )
    if len(found) < most:
        found += _LAPSED(conn, source_id=source_id, started=begun, most=most - len(found))
    return found


def controls(
    conn: Connection,
    *,
    source_id: int,
    seen_since: datetime,
    verified_since: datetime,
    now: datetime,
    most: int,
) -> list[AnyRow]:
    """Records that must be there: shown by an index lately, else the latest found alive."""
    found = list(
        _LATEST_SEEN(conn, source_id=source_id, since=micros(seen_since), now=micros(now), most=most)
    )
    if len(found) < most:
        known = {row.id for row in found}
        more = _LATEST_VERIFIED(conn, source_id=source_id, since=micros(verified_since), most=most)
        found += [row for row in more if row.id not in known][: most - len(found)]
    return found
