"""Values that an operator set; pages do not change them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, exists, insert, select, update

from larder.store.database.statement import fetch_as, select_as
from larder.store.tables import pins, records


class PinRow(NamedTuple):
    """A field that an operator set."""

    record_id: int
    field: str
    value: Any
    pinned_by: str | None
    pinned_at: datetime


def by_record(conn: Connection, record_ids: Sequence[int]) -> list[PinRow]:
    """The pins of these records."""
    return fetch_as(conn, select_as(pins, PinRow).where(pins.c.record_id.in_(record_ids)), PinRow)


def pin(conn: Connection, record_id: int, field: str, value: Any, *, by: str, now: datetime) -> None:
    """Set a field, replacing an earlier pin."""
    _remove(conn, record_id, field)
    row = {"record_id": record_id, "field": field, "value": value, "pinned_by": by, "pinned_at": now}
    conn.execute(insert(pins).values(row))
    conn.execute(update(records).where(records.c.id == record_id).values(pinned=1))


def unpin(conn: Connection, record_id: int, field: str) -> None:
    """Remove a pin, so that pages set the field again."""
    _remove(conn, record_id, field)
    others = exists(select(pins.c.field).where(pins.c.record_id == record_id))
    conn.execute(update(records).where(records.c.id == record_id, ~others).values(pinned=0))


def _remove(conn: Connection, record_id: int, field: str) -> None:
    conn.execute(delete(pins).where(pins.c.record_id == record_id, pins.c.field == field))


def set_saved_count(conn: Connection, record_id: int, saved: int) -> None:
    """Store how many people saved a record, as another system counts."""
    conn.execute(update(records).where(records.c.id == record_id).values(saved=saved))
