"""Stored pages with what they said when they were read: the measure of a canary, the matter of a replay."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, or_, select

from larder.core.model.outcome import FetchOutcome
from larder.store.statement import AnyRow, Statement, loads
from larder.store.tables import blobs, pages, records, runs, sightings, versions

RECENT_RUNS = 200

_KEYS = Statement(
    """
    SELECT records.id, records.identity_key, records.canonical_url FROM {rows} AS asked
    JOIN records ON records.id = asked.id
    """,
    rows={"id": "int"},
)


def told(
    conn: Connection, source_id: int, *, active: str, accepted_at: datetime | None, purpose: str, most: int
) -> Sequence[AnyRow]:
    """The latest pages of a source that something stored came from, with the place of their body.

    Where a person accepted the active version although it reads otherwise, only what was stored since then
    (or by that version) tells how it reads.
    """
    lately = select(runs.c.id).where(runs.c.source_id == source_id).order_by(runs.c.id.desc())
    spoke = (
        select(versions.c.page_id, func.max(versions.c.run_id).label("run_id"))
        .where(versions.c.run_id.in_(lately.limit(RECENT_RUNS)), versions.c.purpose == purpose)
        .where(versions.c.voided_at.is_(None), versions.c.page_id > 0)
        .group_by(versions.c.page_id)
        .order_by(versions.c.page_id.desc())
        .limit(most)
    )
    if accepted_at is not None:
        spoke = spoke.where(or_(versions.c.adapter_version == active, versions.c.created_at >= accepted_at))
    chosen = spoke.subquery()
    return conn.execute(
        select(pages, blobs.c.location, chosen.c.run_id)
        .join(chosen, chosen.c.page_id == pages.c.id)
        .outerjoin(blobs, blobs.c.content_hash == pages.c.content_hash)
        .where(pages.c.outcome == FetchOutcome.OK)
        .order_by(pages.c.id)
    ).all()


def said(conn: Connection, run_ids: Sequence[int], page_ids: Sequence[int]) -> Sequence[AnyRow]:
    """What these pages said that counts: a row for each record whose content a page changed."""
    whose = (records.c.identity_key, records.c.canonical_url)
    return conn.execute(
        select(versions, *whose)
        .join(records, records.c.id == versions.c.record_id)
        .where(versions.c.run_id.in_(run_ids), versions.c.page_id.in_(page_ids))
        .where(versions.c.voided_at.is_(None))
        .order_by(versions.c.id)
    ).all()


def showed(conn: Connection, page_ids: Sequence[int]) -> dict[int, list[AnyRow]]:
    """The records that each page showed, in the page's order."""
    rows = conn.execute(
        select(sightings.c.page_id, sightings.c.records)
        .where(sightings.c.page_id.in_(page_ids))
        .order_by(sightings.c.id)
    )
    ids: dict[int, list[Any]] = {row.page_id: loads(row.records) for row in rows}
    wanted = sorted({i for each in ids.values() for i in each})
    named = {row.id: row for row in _KEYS(conn, [(i,) for i in wanted])}
    return {page: [named[i] for i in each if i in named] for page, each in ids.items()}
