"""Corrections by hand: pin a value, void a run, erase a record or a seller."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from larder.actions.operations.runs import lock_runs
from larder.core.errors import BadInput, Conflict
from larder.core.model.hint import Hint
from larder.core.model.item import Item
from larder.core.model.money import format_minor
from larder.core.model.run import RunStatus
from larder.core.plurals import plural
from larder.core.quoting import quoted
from larder.stages.persist import void as voiding
from larder.stages.persist.refold import refold
from larder.store.database import Connection
from larder.store.dataset import erasure, pins
from larder.store.dataset.pins import set_saved_count
from larder.store.json_safe import dumps
from larder.store.operations import audit
from larder.store.queue import lanes, sources
from larder.store.reads.lookup import NamedRecord, record_row, run_row

RECORD_FIELDS = {"price": "price_minor"}
"""Fields that a record stores under another name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a correction did, in one line."""

    says: str
    records: int


def pin(conn: Connection, record_id: int, name: str, value: Any, *, who: str, now: datetime) -> Correction:
    """Pin a field's value, written as on a page; pages do not change it any more."""
    record = _held(conn, record_id)
    field, parsed = RECORD_FIELDS.get(name, name), _as_read(conn, record, name, value, now=now)
    pins.pin(conn, record_id, field, parsed, by=who, now=now)
    changed = refold(conn, [record_id], now=now)
    audit.record(conn, "field pinned", str(record_id), {"field": field, "value": parsed}, who=who, now=now)
    shown = _shown(field, parsed, record.currency)
    return Correction(says=f"{name} of record {record_id} is pinned to {shown}", records=len(changed))


def unpin(conn: Connection, record_id: int, name: str, *, who: str, now: datetime) -> Correction:
    """Unpin a field: its value comes from pages again."""
    _held(conn, record_id)
    field = RECORD_FIELDS.get(name, name)
    if not any(row.field == field for row in pins.by_record(conn, [record_id])):
        raise BadInput(
            f"{name} of record {record_id} is not pinned",
            hint=Hint(action="record.show", target=str(record_id)),
        )
    pins.unpin(conn, record_id, field)
    changed = refold(conn, [record_id], now=now)
    audit.record(conn, "field unpinned", str(record_id), {"field": field}, who=who, now=now)
    return Correction(
        says=f"{name} of record {record_id} is unpinned: its value comes from pages again",
        records=len(changed),
    )


def set_saved(conn: Connection, record_id: int, saved: int, *, who: str, now: datetime) -> Correction:
    """Set how many people saved a record."""
    _held(conn, record_id)
    set_saved_count(conn, record_id, saved)
    audit.record(conn, "record saved", str(record_id), {"saved": saved}, who=who, now=now)
    return Correction(says=f"Record {record_id} was saved by {plural(saved, 'person', 'people')}.", records=1)


def set_interested(
    conn: Connection, record_id: int, interested: int, *, who: str, now: datetime
) -> Correction:
    """Set how many people are interested in a record; pages do not change it any more."""
    pin(conn, record_id, "interested", interested, who=who, now=now)
    people = plural(interested, "person is", "people are")
    return Correction(says=f"{people} interested in record {record_id}.", records=1)


def erase(conn: Connection, record_id: int, *, reason: str, who: str, now: datetime) -> Correction:
    """Erase a record; a tombstone keeps it from being stored again."""
    _held(conn, record_id)
    erasure.erase_record(conn, record_id, by=who, reason=reason, now=now)
    audit.record(conn, "record erased", str(record_id), {"reason": reason}, who=who, now=now)
    return Correction(says=f"record {record_id} is erased and will not be stored again", records=1)


def erase_seller(conn: Connection, seller: str, *, reason: str, who: str, now: datetime) -> Correction:
    """Erase a seller with all records."""
    erased = erasure.erase_seller(conn, seller, by=who, reason=reason, now=now)
    hashed = erasure.seller_hash(seller)
    audit.record(conn, "seller erased", hashed, {"reason": reason, "records": erased}, who=who, now=now)
    return Correction(
        says=f"the seller and {plural(erased, 'record')} are erased and will not be stored again",
        records=erased,
    )


def void(conn: Connection, run_id: int, *, who: str, now: datetime) -> Correction:
    """Void a run: its values no longer count; nothing is deleted."""
    lock_runs(conn, [run_id])
    row = run_row(conn, run_id)
    if RunStatus(row.status).open:
        stop = Hint(text="stop it first", action="run.stop", target=str(run_id))
        raise Conflict(f"run {run_id} is still {row.status}", hint=stop)
    if row.voided_at is not None:
        undo = Hint(text="undo it", action="run.unvoid", target=str(run_id))
        raise Conflict(f"run {run_id} is void already", hint=undo)
    touched = voiding.void(conn, run_id, by=who, now=now)
    audit.record(conn, "run voided", str(run_id), {"records": touched}, who=who, now=now)
    return Correction(says=f"run {run_id} is void; {plural(touched, 'record')} recomputed", records=touched)


def unvoid(conn: Connection, run_id: int, *, who: str, now: datetime) -> Correction:
    """Unvoid a run: its values count again."""
    lock_runs(conn, [run_id])
    if run_row(conn, run_id).voided_at is None:
        raise Conflict(f"run {run_id} is not void", hint=Hint(action="run.list"))
    touched = voiding.unvoid(conn, run_id, now=now)
    audit.record(conn, "run unvoided", str(run_id), {"records": touched}, who=who, now=now)
    return Correction(
        says=f"run {run_id} counts again; {plural(touched, 'record')} recomputed", records=touched
    )


def _shown(field: str, value: Any, currency: str | None) -> str:
    """A pinned value for a person: an amount with its currency, lists and mappings as JSON."""
    if field == "price_minor":
        return format_minor(value, currency)
    return value if isinstance(value, str) else dumps(value).decode()


def _held(conn: Connection, record_id: int) -> NamedRecord:
    """Load the record while no driver writes to it: the lanes of its source are locked first."""
    lanes.hold_sources(conn, [record_row(conn, record_id).source_id])
    return record_row(conn, record_id)


def _as_read(conn: Connection, record: NamedRecord, name: str, value: Any, *, now: datetime) -> Any:
    """The value as normalization reads it, so that only valid values can be pinned."""
    from larder.stages.normalize import Context, fields_without_validation  # noqa: PLC0415 - slow to load, for a pin alone

    source = sources.load(conn, [record.source_id])[record.source_id]
    context = Context.of(source, base_url=record.url or source.url, observed_at=now)
    parsed = fields_without_validation(Item(fields={name: value}), context)
    field = RECORD_FIELDS.get(name, name)
    if field not in parsed:
        raise BadInput(
            f"{quoted(value)} cannot be read as the {name} of a {record.kind}",
            hint="name the field and write its value as a page would show it: price '1,250.00'",
        )
    if name == "price" and record.currency not in (None, parsed.get("currency")):
        raise BadInput(
            f"record {record.id} is priced in {record.currency}, not in {parsed.get('currency')}",
            hint=f"write the amount in {record.currency}",
        )
    return parsed[field]
