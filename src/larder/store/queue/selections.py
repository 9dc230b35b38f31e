"""Pages that only the store can name: the stalest rows of a sweep, what to verify, what may vouch for a site.

Each is one or more bounded look-ups in an index; how large the tables are does not matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.store.database.statement import AnyRow, Statement
from larder.store.tables.columns import micros, moment_or_none

_STALEST = Statement(
    """
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at >= :since
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

_LATEST_READ = Statement(
    """
    SELECT url, identity_key FROM (
      SELECT id, url, identity_key, last_scraped_at, last_seen_at FROM records
      WHERE source_id = :source_id AND active = 1 ORDER BY last_seen_at DESC LIMIT :among
    ) AS latest
    WHERE url IS NOT NULL AND last_scraped_at IS NOT NULL ORDER BY last_seen_at DESC, id LIMIT :most
    """,
    args={"source_id": "int", "among": "int", "most": "int"},
)
AMONG = 10
"""Records looked at for each that is wanted."""

_CHECKABLE = """url IS NOT NULL AND (checked_at IS NULL OR checked_at < :started)
      AND (struck_at IS NULL OR struck_at <= :struck_before) AND (ends_at IS NULL OR ends_at > :now)"""
"""Once a run, not while a second strike would count for nothing, and no event that is over."""
_ROUND = {"now": "int", "started": "int", "struck_before": "int", "most": "int"}

_FADED = Statement(
    f"""
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND active = 1 AND shown_until <= :now AND {_CHECKABLE}
    ORDER BY shown_until, id LIMIT :most
    """,
    args={"source_id": "int", **_ROUND},
)

_UNSEEN = Statement(
    f"""
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at <= :unseen_since AND shown_until > :now
      AND (verified_at IS NULL OR verified_at <= :verified_before) AND {_CHECKABLE}
    ORDER BY last_seen_at, id LIMIT :most
    """,
    args={"source_id": "int", "unseen_since": "int", "verified_before": "int", **_ROUND},
)

_LAPSED = Statement(
    f"""
    SELECT id, url, identity_key FROM records
    WHERE source_id = :source_id AND verification = 'lapsed' AND {_CHECKABLE}
    ORDER BY id LIMIT :most
    """,
    args={"source_id": "int", **_ROUND},
)

_LATELY_SEEN = Statement(
    """
    SELECT id, url, identity_key, last_scraped_at FROM records
    WHERE source_id = :source_id AND active = 1 AND last_seen_at >= :since AND url IS NOT NULL
    ORDER BY last_seen_at DESC, id LIMIT :most
    """,
    args={"source_id": "int", "since": "int", "most": "int"},
)

_LATELY_VERIFIED = Statement(
    """
    SELECT id, url, identity_key, last_scraped_at FROM records
    WHERE source_id = :source_id AND active = 1 AND verified_at IS NOT NULL AND verified_at >= :since
      AND url IS NOT NULL AND strikes = 0
    ORDER BY verified_at DESC, id LIMIT :most
    """,
    args={"source_id": "int", "since": "int", "most": "int"},
)

_NEXT_TO_FADE = Statement(
    """
    SELECT min(shown_until) AS at FROM records
    WHERE source_id = :source_id AND active = 1 AND shown_until > :now
    """,
    args={"source_id": "int", "now": "int"},
)


def list_latest_read(conn: Connection, source_id: int, *, most: int) -> Sequence[AnyRow]:
    """Records seen last whose own page was read before."""
    return _LATEST_READ(conn, source_id=source_id, among=AMONG * most, most=most)


def list_stalest(
    conn: Connection, *, source_id: int, run_id: int, since: datetime, before: datetime, most: int
) -> Sequence[AnyRow]:
    """Rows that were seen since the run began and whose own page was last read before then, or never.

    Each is named once a run, the most stale first.
    """
    found = _STALEST(
        conn, source_id=source_id, run_id=run_id, since=micros(since), before=micros(before), most=most
    )
    _ASKED(conn, [(row.id,) for row in found], run_id=run_id)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRules:
    """What makes a record a candidate of a run that started then."""

    started: datetime
    unseen_since: datetime
    verified_before: datetime
    struck_before: datetime
    faded_only: bool = False


def list_verification_candidates(
    conn: Connection, source_id: int, doubt: CandidateRules, *, now: datetime, most: int
) -> list[AnyRow]:
    """Records that may be gone, each once a run: the faded; then the unseen and the lapsed, if asked for."""
    once: dict[str, Any] = {
        "now": micros(now),
        "started": micros(doubt.started),
        "struck_before": micros(doubt.struck_before),
    }
    found = list(_FADED(conn, source_id=source_id, most=most, **once))
    if not doubt.faded_only and len(found) < most:
        found += _UNSEEN(
            conn,
            source_id=source_id,
            unseen_since=micros(doubt.unseen_since),
            verified_before=micros(doubt.verified_before),
            most=most - len(found),
            **once,
        )
    if not doubt.faded_only and len(found) < most:
        found += _LAPSED(conn, source_id=source_id, most=most - len(found), **once)
    return found


def list_recently_seen(conn: Connection, source_id: int, *, since: datetime, most: int) -> Sequence[AnyRow]:
    """Records that a run saw since then, the latest first."""
    return _LATELY_SEEN(conn, source_id=source_id, since=micros(since), most=most)


def list_recently_verified(
    conn: Connection, source_id: int, *, since: datetime, most: int
) -> Sequence[AnyRow]:
    """Records that a check found alive since then and nothing was held against since, the latest first."""
    return _LATELY_VERIFIED(conn, source_id=source_id, since=micros(since), most=most)


def next_fading_at(conn: Connection, source_id: int, *, now: datetime) -> datetime | None:
    """When the next record that is still shown falls below the line, if nobody sees it before."""
    return moment_or_none(_NEXT_TO_FADE(conn, source_id=source_id, now=micros(now))[0].at)
