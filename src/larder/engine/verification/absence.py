"""Finds records that an index page should have shown, for sources with the plan `adaptive`.

The first time a record is not among its neighbours it is only noted: sites leave rows out for minutes and
move others to the top. The second time, some minutes later, it is `unseen`: not shown until any run sees it.
In between, the top of the index must have been read: what moved there was seen. It is never called gone.
"""

from collections.abc import Container, Mapping, Sequence
from datetime import datetime

from larder.core.model.job import Purpose
from larder.core.model.run import IndexFindings, RunKind
from larder.core.model.source import Plan
from larder.core.policy.trust.index_order import (
    MOST_BETWEEN,
    PAGE_SPAN,
    SECOND_LOOK_AFTER,
    PositionGap,
    is_unknown,
    order_of,
    placed_by,
    span_of,
)
from larder.runs.adaptive import top_read_at
from larder.stages.persist import PageItems, Persisted
from larder.store.database import Connection, micros
from larder.store.dataset import changes, positions
from larder.store.dataset.changes import NewChange
from larder.store.dataset.positions import ExpectedRecord, IndexPosition
from larder.store.queue import schedules

SPARE_RECORDS = 1.3
"""For each row above a page, the records with a position up to which the page is read for the first time."""


def note_absent(
    conn: Connection, pages: Sequence[PageItems], found: Mapping[int, Persisted], *, now: datetime
) -> dict[int, IndexFindings]:
    """The evidence of each index page (by job) about records that it does not show."""
    return {
        page.job_id: _page_findings(conn, page, found[page.job_id], now=now)
        for page in pages
        if page.source.plan is Plan.ADAPTIVE
        and page.purpose is Purpose.INDEX
        and page.number is not None
        and found[page.job_id].ids
    }


def _page_findings(
    conn: Connection, page: PageItems, persisted: Persisted, *, now: datetime
) -> IndexFindings:
    known, at = positions.by_id(conn, list(dict.fromkeys(persisted.ids))), micros(page.fetched_at)
    rows = [known[i] for i in dict.fromkeys(persisted.ids) if i in known]
    places = [row.index_position for row in rows]
    other_ids = _missing_between_rows(conn, page, places, shown=known)
    order = order_of(
        places,
        number=page.number or 1,
        at=at,
        new={place for place, row in enumerate(rows) if row.first_seen_at >= at},
        others=[row.index_position for row in other_ids],
        room=_room(conn, page, places),
    )
    positions.move(conn, [(rows[place].id, position) for place, position in order.moves.items()])
    seen_again = _seen_again(conn, known)
    expected = set(order.absent)
    absent = _not_elsewhere(conn, page, [row for row in other_ids if row.index_position in expected])
    first = [row.id for row in absent if row.missed_at is None or row.missed_at <= row.last_seen_at]
    positions.miss(conn, first, page.fetched_at)
    hidden = _hide_twice_missed(conn, page, [row for row in absent if row.id not in set(first)], now=now)
    return IndexFindings(stable=order.stable, missed=len(first), again=seen_again, unseen=hidden)


def _missing_between_rows(
    conn: Connection, page: PageItems, places: Sequence[int | None], *, shown: Container[int]
) -> list[ExpectedRecord]:
    """Records between the page's rows that it does not show."""
    span = span_of(places)
    if span is None:
        return []
    records = positions.list_between(
        conn, page.source.id, span, not_seen_at=page.fetched_at, limit=MOST_BETWEEN
    )
    return [row for row in records if row.id not in shown]


def _room(conn: Connection, page: PageItems, places: Sequence[int | None]) -> PositionGap | None:
    """Where the unknown rows of a page stand: around those in order, else above or below all others."""
    at, source_id, number = micros(page.fetched_at), page.source.id, page.number or 1
    if span_of(places):
        return None
    if span := placed_by(places):
        below, above = positions.neighbours(conn, source_id, span)
        return PositionGap(above=max(at, span[1] + 1) if above is None else above, below=below)
    edges = positions.edges(conn, source_id)
    if number == 1:
        return PositionGap(above=max(at, (edges.highest or 0) + 1), below=edges.highest)
    first_reading = is_unknown(places) and edges.records <= SPARE_RECORDS * (number - 1) * len(places)
    return _own_room(conn, page, edges.first_seen_at or at) if first_reading else None


def _own_room(conn: Connection, page: PageItems, first_seen_at: int) -> PositionGap | None:
    """Each page that is read for the first time has a room of its own: they may be read in any order."""
    below = first_seen_at - (page.number or 1) * PAGE_SPAN
    span = (below, below + PAGE_SPAN)
    taken = positions.list_between(conn, page.source.id, span, not_seen_at=page.fetched_at, limit=1)
    return None if taken else PositionGap(above=below + PAGE_SPAN, below=below)


def _not_elsewhere(
    conn: Connection, page: PageItems, absent: Sequence[ExpectedRecord]
) -> list[ExpectedRecord]:
    """Without those that another page of this run showed: they are there, but their position is wrong."""
    positions.move(conn, [(row.id, None) for row in absent if row.seen_by_run == page.run_id])
    return [row for row in absent if row.seen_by_run != page.run_id]


def _seen_again(conn: Connection, known: Mapping[int, IndexPosition]) -> int:
    """Rows that were missed at the last look and are there."""
    ids = [row.id for row in known.values() if row.missed_at is not None]
    positions.miss(conn, ids, None)
    return len(ids)


def _hide_twice_missed(
    conn: Connection, page: PageItems, missed: Sequence[ExpectedRecord], *, now: datetime
) -> int:
    before = micros(page.fetched_at - SECOND_LOOK_AFTER)
    twice = [row for row in missed if row.missed_at is not None and row.missed_at <= before]
    if not twice:
        return 0
    read_at = _top_read_at(conn, page)
    ids = [row.id for row in twice if (row.missed_at or 0) <= read_at]
    hidden = positions.hide(conn, ids, now=now)
    changes.add(conn, [NewChange(i, page.source.id, "unseen", None) for i in hidden], now=now)
    return len(hidden)


def _top_read_at(conn: Connection, page: PageItems) -> int:
    """When the last discovery that reached known rows began: what had moved to the top by then was seen."""
    if page.number == 1:
        return micros(page.fetched_at)
    began = top_read_at(schedules.memory_of(conn, page.source.id, RunKind.DISCOVERY))
    return micros(began) if began else 0
