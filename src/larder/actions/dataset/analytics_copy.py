"""The dataset as a copy in another database: first all records, then changes, each step with a version.

The state (the place in the change feed, the version, the progress of a first load) is stored after a step was
accepted. A repeated step has the same version and replaces what the first attempt wrote.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from larder.actions.dataset.export import COLUMNS, own_columns, price_values
from larder.actions.dataset.export_rows import flat_columns
from larder.actions.dataset.parquet import as_column
from larder.store.database import Connection
from larder.store.dataset import changes
from larder.store.dataset.changes import Cursor
from larder.store.operations import key_values
from larder.store.reads import records
from larder.store.reads.export_pages import as_columns
from larder.store.reads.lookup import time_zones
from larder.store.reads.query import Query
from larder.store.reads.record_history import prices_by_record
from larder.store.reads.records import CopyRow

BATCH = 1_000
"""Changes of a step."""
NAMES = tuple(name for name in COLUMNS if name != "freshness_confidence")
"""The columns; confidence changes with time, so a copy of it would be wrong within the hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyState:
    """The progress of a copy."""

    feed: str
    """The cursor after which changes are still to be sent."""
    version: int
    hidden: bool
    """Whether hidden sources are copied as well."""
    loading: bool = True
    """Whether the first load continues."""
    after: str | None = None
    """The next page of the first load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyStep:
    """What to send, and the state once it is accepted."""

    records: Sequence[dict[str, Any]]
    prices: Sequence[dict[str, Any]]
    state: CopyState
    ends_load: bool = False
    """Whether this is the last page of a load: rows that the load did not write are deleted."""


def read_state(conn: Connection, name: str, *, hidden: bool) -> CopyState | None:
    """The state of a copy; None if there is none of this kind, or the change feed lost its place."""
    stored = key_values.read(conn, name)
    if stored is None or stored["hidden"] != hidden:
        return None
    state = CopyState(**stored)
    return state if changes.is_retained(conn, Cursor.parse(state.feed)) else None


def write_state(conn: Connection, name: str, state: CopyState, *, now: datetime) -> None:
    """Store the progress of a copy."""
    key_values.write(conn, name, asdict(state), now=now)


def begin(conn: Connection, *, version: int, hidden: bool) -> CopyState:
    """A new load: changes from now on are sent after it."""
    return CopyState(feed=str(changes.latest_cursor(conn)), version=version, hidden=hidden)


def load_step(conn: Connection, state: CopyState, *, now: datetime) -> CopyStep:
    """The next page of a first load; all pages have one version."""
    page = records.copy_page(conn, Query(after=state.after), public_only=not state.hidden, now=now)
    rows = [CopyRow(row, True) for row in page.rows]
    following = replace(state, after=page.next, loading=page.next is not None)
    rows_sent = _rows(conn, rows, state.version)
    return CopyStep(
        records=rows_sent.records, prices=rows_sent.prices, state=following, ends_load=page.next is None
    )


def change_step(conn: Connection, state: CopyState, *, now: datetime) -> CopyStep | None:
    """The next changed records in their present state; None if there are none."""
    happened = changes.list_since(conn, Cursor.parse(state.feed), limit=BATCH)
    if not happened:
        return None
    version, ids = state.version + 1, sorted({change.record_id for change in happened})
    copies = records.copy_rows(conn, ids, public_only=not state.hidden, now=now)
    rows_sent = _rows(conn, copies, version)
    left = set(ids) - {copy.row.id for copy in copies}
    deleted = [{"id": number, "version": version, "deleted": 1} for number in sorted(left)]
    following = replace(state, feed=str(changes.cursor_of(happened[-1])), version=version)
    return CopyStep(records=[*rows_sent.records, *deleted], prices=rows_sent.prices, state=following)


class _Sent(NamedTuple):
    records: list[dict[str, Any]]
    prices: list[dict[str, Any]]


def _rows(conn: Connection, copies: Sequence[CopyRow], version: int) -> _Sent:
    zones = time_zones(conn, {copy.row.source_id for copy in copies})
    histories = prices_by_record(conn, [copy.row.id for copy in copies])
    own = own_columns(None)
    standing = {"version": version, "deleted": 0}
    rows = zip(*flat_columns(as_columns([copy.row for copy in copies]), own, zones), strict=True)
    flat = [
        {**_fitting(COLUMNS, row), "active": int(copy.active), **standing}
        for copy, row in zip(copies, rows, strict=True)
    ]
    prices = [
        {"id": number, **_fitting(values, values.values()), "version": version}
        for number, history in histories.items()
        for values in map(price_values, history)
    ]
    return _Sent(flat, prices)


def _fitting(names: Iterable[str], values: Iterable[Any]) -> dict[str, Any]:
    """Values in the types of their columns; empty and unfit values are left out."""
    pairs = zip(names, values, strict=True)
    return {
        name: fit
        for name, value in pairs
        if name != "freshness_confidence" and (fit := _fit(name, value)) is not None
    }


def _fit(name: str, value: Any) -> Any:
    try:
        typed = None if value is None else as_column(name, value)
    except (ValueError, TypeError, OverflowError, InvalidOperation):
        return None
    if isinstance(typed, datetime):
        return f"{typed:%Y-%m-%d %H:%M:%S}"
    if isinstance(typed, Decimal):
        return float(typed)  # text is exact up to 15 digits; older versions read no decimal in quotes
    return int(typed) if isinstance(typed, bool) else typed
