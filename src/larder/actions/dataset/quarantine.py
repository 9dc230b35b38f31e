"""Quarantine: a person releases or rejects items that look wrong. Each decision stays on record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from larder.core.errors import BadInput, Conflict, NotFound
from larder.core.model.hint import Hint
from larder.core.model.item import BY_HAND, Item, Staged
from larder.core.model.job import Purpose
from larder.core.quoting import quoted
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.sdk.revision import adapter_revision
from larder.stages.persist import PageItems
from larder.stages.persist.late_pages import persist_late_pages
from larder.store.database import Connection
from larder.store.operations import audit, quarantine
from larder.store.operations.quarantine import ItemView, QuarantinedItem, QuarantineStatus, list_items
from larder.store.queue import sources as source_store

__all__ = ["ItemView", "QuarantineStatus", "Released", "list_items", "reject", "release", "show"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """A released item, and the record that it became or changed."""

    id: int
    record_id: int | None
    """None: the record was erased on request, and stays erased."""
    new: bool


def show(conn: Connection, item_id: int) -> ItemView:
    """Show one quarantined item."""
    return _found(quarantine.view_by_id(conn, item_id), item_id)


def release(
    conn: Connection,
    item_id: int,
    settings: DispatchSettings,
    corrections: Mapping[str, str] | None = None,
    note: str = "",
    *,
    who: str,
    now: datetime,
) -> Released:
    """Store an item as of when it was seen; `given`: corrected values."""
    row, values = _found(quarantine.by_id(conn, item_id), item_id), dict(corrections or {})
    _decide(conn, item_id, QuarantineStatus.RELEASED, note, who=who, now=now)
    page = _page(conn, row, settings)
    staged = _staged(row, page, values)
    persisted = persist_late_pages(conn, [replace(page, staged=[staged])], now=now)[page.job_id]
    record_id = persisted.ids[0] if persisted.ids else None
    details = {"record": record_id, "set": values, "note": note}
    audit.record(conn, "item released", str(item_id), details, who=who, now=now)
    return Released(id=item_id, record_id=record_id, new=bool(persisted.new))


def reject(
    conn: Connection, item_ids: Sequence[int], note: str, *, who: str, now: datetime
) -> list[ItemView]:
    """Reject items; they stay on record."""
    for item_id in item_ids:
        _found(quarantine.by_id(conn, item_id), item_id)
        _decide(conn, item_id, QuarantineStatus.REJECTED, note, who=who, now=now)
        audit.record(conn, "item rejected", str(item_id), {"note": note}, who=who, now=now)
    return [show(conn, item_id) for item_id in item_ids]


def _decide(
    conn: Connection, item_id: int, status: QuarantineStatus, note: str, *, who: str, now: datetime
) -> None:
    if not quarantine.decide(conn, item_id, status, note, who=who, now=now):
        hint = Hint(action="quarantine.show", target=str(item_id))
        raise Conflict(f"item {item_id} is decided already", hint=hint)


T = TypeVar("T")


def _found(item: T | None, item_id: int) -> T:
    if item is None:
        raise NotFound(f"there is no item {item_id} in quarantine", hint=Hint(action="quarantine.list"))
    return item


def _page(conn: Connection, row: QuarantinedItem, settings: DispatchSettings) -> PageItems:
    """The item's page in the form that persist takes, without items."""
    source = source_store.load(conn, [row.source_id])[row.source_id]
    adapter = settings.adapters.get(source.adapter)
    return PageItems(
        job_id=row.job_id or 0,
        run_id=row.run_id or 0,
        page_id=row.page_id or 0,
        source=source,
        purpose=Purpose(row.purpose or Purpose.INDEX),
        adapter_version=row.adapter_version or (adapter_revision(adapter) if adapter else "unknown"),
        fetched_at=row.observed_at,
        staged=(),
        number=row.number,
        expects=(row.context or {}).get("key"),
    )


def _staged(row: QuarantinedItem, page: PageItems, values: Mapping[str, str]) -> Staged:
    """The item with the given values; each of them must make a difference."""
    found = _judged(row, page, values)
    if not isinstance(found, Staged):
        reason = f"{found.reason}{f' ({found.details})' if found.details else ''}"
        hint = Hint(text="correct a field", action="quarantine.release", target=str(row.id))
        raise BadInput(f"item {row.id} cannot be released: {reason}", hint=hint)
    for name in values:
        unchanged = {each: value for each, value in values.items() if each != name}
        without = _judged(row, page, unchanged)
        if isinstance(without, Staged) and without.fields == found.fields:
            known = ", ".join(sorted(row.item))
            raise BadInput(f"setting {quoted(name)} changes nothing", hint=f"the page showed: {known}")
    return found


def _judged(row: QuarantinedItem, page: PageItems, values: Mapping[str, str]) -> Any:
    from larder.stages.normalize import Context, normalize_released  # noqa: PLC0415 - slow to load, for a release alone
    from larder.stages.normalize.towns import towns_of  # noqa: PLC0415 - the same

    base = row.final_url or row.url or page.source.url
    index = page.purpose is Purpose.INDEX
    context = Context.of(
        page.source, base_url=base, observed_at=row.observed_at, index=index, locator=towns_of(page.source)
    )
    item = Item(fields={**row.item, **values}, strategies=dict.fromkeys(values, BY_HAND))
    return normalize_released(item, context)
