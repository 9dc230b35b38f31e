"""Finds records that an index page should have shown, for sources with the plan `adaptive`.

The first time a record is not among its neighbours it is only noted: sites leave rows out for minutes and
move others to the top. After further looks, some minutes apart, it is `unseen`: hidden until any run sees it.
The number of looks depends on how often the source leaves rows out. In between, the top of the index must
have been read, where the record may have moved. It is never called gone.
"""

from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from typing import Any

from larder.core.model.job import Purpose
from larder.core.model.run import IndexFindings, RunKind
from larder.core.model.source import Plan
from larder.core.policy.trust.index_order import (
    MAX_BETWEEN,
    MAX_IN_GAP,
    PAGE_SPAN,
    SECOND_LOOK_AFTER,
    PositionGap,
    ends_unknown,
    is_unknown,
    order_of,
    placed_by,
    span_of,
)
from larder.runs.adaptive import last_pass, looks_needed, top_read_at
from larder.stages.persist import PageItems, Persisted
from larder.store.database import Connection, micros
from larder.store.dataset import changes, positions
from larder.store.dataset.changes import NewChange
from larder.store.dataset.positions import ExpectedRecord, IndexPosition, MovedRecord
from larder.store.queue import schedules

SOON_AFTER = 1 / 3
"""Of the time that a pass takes: what was seen so lately, and is missed, was left out rather than removed."""
SPARE_RECORDS = 1.3
"""A page is read for the first time while at most so many records have a position for each row above it."""


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
        gap=_gap(conn, page, places),
    )
    positions.move(conn, [MovedRecord(rows[place].id, position) for place, position in order.moves.items()])
    seen_again = _seen_again(conn, known)
    expected = set(order.absent)
    absent = _not_elsewhere(conn, page, [row for row in other_ids if row.index_position in expected])
    absent += _missing_above(conn, page, order.top)
    first, later = _by_look(absent, page)
    first = _not_just_seen(conn, page, first)
    hidden, pending = _missed_again(conn, page, later, now=now)
    looks = {row.id: (row.missed_looks or 1) + 1 for row in pending}
    positions.miss(conn, {**looks, **{row.id: 1 for row in first}}, page.fetched_at)
    return IndexFindings(
        stable=order.stable,
        rows=len(rows),
        missed=len(first),
        again=seen_again,
        pending=len(pending),
        unseen=hidden,
    )


def _missing_between_rows(
    conn: Connection, page: PageItems, places: Sequence[int | None], *, shown: Container[int]
) -> list[ExpectedRecord]:
    """Records between the page's rows that it does not show."""
    span = span_of(places)
    if span is None:
        return []
    records = positions.list_between(
        conn, page.source.id, span, not_seen_at=page.fetched_at, limit=MAX_BETWEEN
    )
    return [row for row in records if row.id not in shown]


def _missing_above(conn: Connection, page: PageItems, top: int | None) -> list[ExpectedRecord]:
    """Records between the first row and the last one of the page before, if this run has just read that."""
    missing: list[ExpectedRecord] = []
    if top is None or page.number == 1:
        return missing
    for row in positions.list_above(conn, page.source.id, top, limit=MAX_IN_GAP + 1):
        if row.seen_by_run == page.run_id:
            return missing
        missing.append(row)
    return []


def _gap(conn: Connection, page: PageItems, places: Sequence[int | None]) -> PositionGap | None:
    """Where the unknown rows of a page are: around those in order, else above or below all others."""
    at, source_id, number = micros(page.fetched_at), page.source.id, page.number or 1
    span = span_of(places)
    if span and not ends_unknown(places):
        return None
    if span := span or placed_by(places):
        below, above = positions.neighbours(conn, source_id, span)
        return PositionGap(above=max(at, span[1] + 1) if above is None else above, below=below)
    edges = positions.edges(conn, source_id)
    if number == 1:
        return PositionGap(above=max(at, (edges.highest or 0) + 1), below=edges.highest)
    first_reading = is_unknown(places) and edges.records <= SPARE_RECORDS * (number - 1) * len(places)
    return _own_gap(conn, page, edges.first_seen_at or at) if first_reading else None


def _own_gap(conn: Connection, page: PageItems, first_seen_at: int) -> PositionGap | None:
    """A range of positions for a page that is read for the first time: such pages may be read in any order.

    What the page before has left of its range is above.
    """
    below = first_seen_at - (page.number or 1) * PAGE_SPAN
    span = (below, below + PAGE_SPAN)
    taken = positions.list_between(conn, page.source.id, span, not_seen_at=page.fetched_at, limit=1)
    above = taken[0].index_position if taken else below + PAGE_SPAN
    return PositionGap(above=above, below=below)


def _not_elsewhere(
    conn: Connection, page: PageItems, absent: Sequence[ExpectedRecord]
) -> list[ExpectedRecord]:
    """The absent records without those that another page of this run showed.

    Those exist, at another position.
    """
    positions.move(conn, [MovedRecord(row.id, None) for row in absent if row.seen_by_run == page.run_id])
    return [row for row in absent if row.seen_by_run != page.run_id]


def _seen_again(conn: Connection, known: Mapping[int, IndexPosition]) -> int:
    """Rows that were missed at the last look and are there now."""
    ids = [row.id for row in known.values() if row.missed_at is not None]
    positions.find(conn, ids)
    return len(ids)


def _by_look(
    absent: Sequence[ExpectedRecord], page: PageItems
) -> tuple[list[ExpectedRecord], list[ExpectedRecord]]:
    """Records that are missed for the first time, and those for which this look counts as a further one."""
    first = [row for row in absent if row.missed_at is None or row.missed_at <= row.last_seen_at]
    known, before = {row.id for row in first}, micros(page.fetched_at - SECOND_LOOK_AFTER)
    return first, [row for row in absent if row.id not in known and (row.missed_at or 0) <= before]


def _not_just_seen(
    conn: Connection, page: PageItems, missed: Sequence[ExpectedRecord]
) -> list[ExpectedRecord]:
    """The records without those that only the second look at a page missed: the next pass looks for them."""
    if not missed:
        return []
    soon = SOON_AFTER * last_pass(_sweeps_memory(conn, page))
    return [row for row in missed if row.last_seen_at <= micros(page.fetched_at - soon)]


def _missed_again(
    conn: Connection, page: PageItems, missed: Sequence[ExpectedRecord], *, now: datetime
) -> tuple[int, list[ExpectedRecord]]:
    """Hide records that enough looks have missed; how many, and the records that need another look."""
    if not missed:
        return 0, []
    read_at, needed = _top_read_at(conn, page), looks_needed(_sweeps_memory(conn, page))
    enough = [
        row for row in missed if (row.missed_at or 0) <= read_at and (row.missed_looks or 1) + 1 >= needed
    ]
    hidden = positions.hide(conn, [row.id for row in enough], now=now)
    changes.add(conn, [NewChange(i, page.source.id, "unseen", None) for i in hidden], now=now)
    done = {row.id for row in enough}
    return len(hidden), [row for row in missed if row.id not in done and (row.missed_at or 0) <= read_at]


def _sweeps_memory(conn: Connection, page: PageItems) -> Mapping[str, Any]:
    """What the sweeps of this source remember."""
    return schedules.memory_of(conn, page.source.id, RunKind.SWEEP)


def _top_read_at(conn: Connection, page: PageItems) -> int:
    """When the last discovery that reached known rows began: it saw what had moved to the top by then."""
    if page.number == 1:
        return micros(page.fetched_at)
    began = top_read_at(schedules.memory_of(conn, page.source.id, RunKind.DISCOVERY))
    return micros(began) if began else 0
