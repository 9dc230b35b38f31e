"""Gathers the pages that a check of declared selectors needs: those of the run, and earlier ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from larder.core.model.job import Purpose
from larder.core.model.outcome import FetchOutcome
from larder.core.model.source import Source
from larder.sdk.overlay import SELECTORS
from larder.store.database.statement import AnyRow
from larder.store.operations import repairs
from larder.store.operations.repairs import RepairStatus
from larder.store.queue import sources
from larder.store.tables import blobs, jobs, pages, runs
from larder.store.tables import sources as sources_table

INDEX, DETAIL = "index", "detail"
PARTS = (INDEX, DETAIL)
INDEX_PAGES, DETAIL_PAGES = 4, 8
"""New pages of each part that are checked."""
ARCHIVED = 6
EARLIER_RUNS = 5
OF_A_RUN = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class HealingPages:
    """A run of a source with declared selectors."""

    source: Source
    run: AnyRow
    original: Mapping[str, Any]
    """The declaration without repairs."""
    new: Mapping[str, Sequence[AnyRow]]
    old: Mapping[str, Sequence[AnyRow]]
    before: Mapping[str, int]
    """By part: pages before this one were read correctly."""
    repaired: Mapping[str, Sequence[AnyRow]]
    """By part: the repairs that are applied."""

    @property
    def declared(self) -> Mapping[str, Any]:
        """The declaration with repairs."""
        selectors: Mapping[str, Any] = self.source.params[SELECTORS]
        return selectors


def gather_pages(conn: Connection, run_id: int) -> HealingPages | None:
    """The pages for a check of a run; None where its source declares no selectors."""
    run = conn.execute(select(runs).where(runs.c.id == run_id)).one()
    source = sources.load(conn, [run.source_id]).get(run.source_id)
    if source is None or not isinstance(source.params.get(SELECTORS), Mapping):
        return None
    brought = _brought(conn, run_id)
    new = {INDEX: _indexes(brought), DETAIL: _details(brought)}
    before = {part: _before(conn, source.id, part, new[part]) for part in PARTS}
    old = {
        INDEX: _earlier_indexes(conn, run, before[INDEX]),
        DETAIL: _earlier_details(conn, source.id, new[DETAIL], before[DETAIL]),
    }
    stored = conn.execute(select(sources_table.c.params).where(sources_table.c.id == source.id)).scalar_one()
    repaired = {
        part: repairs.list_by_source(conn, source.id, RepairStatus.APPLIED, part=part) for part in PARTS
    }
    return HealingPages(
        source=source,
        run=run,
        original=stored[SELECTORS],
        new=new,
        old=old,
        before=before,
        repaired=repaired,
    )


def _brought(conn: Connection, run_id: int) -> Sequence[AnyRow]:
    """The first pages of a run, each with its purpose and the location of its body."""
    asked = (
        select(pages, blobs.c.location, jobs.c.purpose)
        .join(jobs, jobs.c.page_id == pages.c.id)
        .join(blobs, blobs.c.content_hash == pages.c.content_hash)
        .where(jobs.c.run_id == run_id, jobs.c.purpose != Purpose.CHECK, pages.c.outcome == FetchOutcome.OK)
        .order_by(pages.c.id)
        .limit(OF_A_RUN)
    )
    return conn.execute(asked).all()


def _indexes(brought: Iterable[AnyRow]) -> list[AnyRow]:
    return [row for row in brought if row.purpose == Purpose.INDEX][:INDEX_PAGES]


def _details(brought: Iterable[AnyRow]) -> list[AnyRow]:
    """Unreadable pages come first."""
    about = [row for row in brought if row.purpose != Purpose.INDEX]
    return sorted(about, key=lambda row: (row.adapter_version is not None, row.id))[:DETAIL_PAGES]


def _before(conn: Connection, source_id: int, part: str, new: Sequence[AnyRow]) -> int:
    """Before the run in which the selectors broke."""
    since = [
        row.proof["since_page"]
        for row in repairs.list_by_source(conn, source_id, RepairStatus.SUGGESTED, part=part)
    ]
    return min([*since, *(row.id for row in new)], default=0)


def _earlier_indexes(conn: Connection, run: AnyRow, before: int) -> list[AnyRow]:
    """The latest index pages with rows, of earlier runs."""
    mine = (runs.c.source_id == run.source_id) & (runs.c.id < run.id)
    earlier = select(runs.c.id).where(mine).order_by(runs.c.id.desc()).limit(EARLIER_RUNS)
    found: list[AnyRow] = []
    for run_id in conn.scalars(earlier):
        rows = _brought(conn, run_id)
        found += [row for row in rows if row.purpose == Purpose.INDEX and row.id < before and row.yielded]
        if len(found) >= ARCHIVED:
            break
    return found[:ARCHIVED]


def _earlier_details(conn: Connection, source_id: int, new: Sequence[AnyRow], before: int) -> list[AnyRow]:
    """What the same URLs gave last."""
    return [page for row in new if (page := _last_read(conn, source_id, row.url, before)) is not None]


def _last_read(conn: Connection, source_id: int, url: str, before: int) -> AnyRow | None:
    asked = (
        select(pages, blobs.c.location)
        .join(blobs, blobs.c.content_hash == pages.c.content_hash)
        .where(pages.c.source_id == source_id, pages.c.url == url, pages.c.id < before)
        .where(pages.c.yielded > 0, pages.c.outcome == FetchOutcome.OK)
        .order_by(pages.c.id.desc())
        .limit(1)
    )
    return conn.execute(asked).one_or_none()
