"""Quarantine: items that look wrong wait here until a person lets them go on or rejects them.

Whatever is decided stays on record: who, when, why, and the item as the page showed it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Select, select, update

from larder.core.errors import BadInput, Conflict, NotFound
from larder.core.model.hint import Hint
from larder.core.model.item import BY_HAND, Item, Staged
from larder.core.model.job import Purpose
from larder.core.model.outcome import QuarantineReason
from larder.engine.scheduling.dispatch import DispatchSettings
from larder.sdk.revision import revision
from larder.stages.persist import PageItems
from larder.stages.persist.late_pages import belated
from larder.store.database import Connection
from larder.store.database.statement import AnyRow
from larder.store.operations import audit
from larder.store.queue import sources as source_store
from larder.store.reads.lookup import source_row
from larder.store.reads.rows import view_of
from larder.store.tables import jobs, pages, quarantine, runs, sources


class QuarantineStatus(StrEnum):
    """Where an item stands."""

    PENDING = "pending"
    RELEASED = "released"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemView:
    """One item in quarantine, as its page showed it."""

    id: int
    source: str | None
    reason: str
    details: str | None
    status: str
    item: Mapping[str, Any]
    """Raw values: text, not yet read."""
    url: str | None
    """The page it stood on."""
    page_id: int | None
    run_id: int | None
    observed_at: datetime
    created_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """An item that went on, and the record it became or changed."""

    id: int
    record_id: int | None
    """None: it was erased on request, and stays so."""
    new: bool


def list_items(
    conn: Connection,
    *,
    source: str | None = None,
    status: QuarantineStatus | None = QuarantineStatus.PENDING,
    reason: QuarantineReason | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[ItemView]:
    """Newest first; `status` None: what was decided, too; `before`: of those with a smaller number."""
    query = _rows().order_by(quarantine.c.id.desc()).limit(limit)
    if source is not None:
        query = query.where(quarantine.c.source_id == source_row(conn, source).id)
    for column, asked in ((quarantine.c.status, status), (quarantine.c.reason, reason)):
        if asked is not None:
            query = query.where(column == asked)
    if before is not None:
        query = query.where(quarantine.c.id < before)
    return [_view(row) for row in conn.execute(query)]


def show(conn: Connection, item_id: int) -> ItemView:
    """One item."""
    return _view(_row(conn, item_id))


def release(
    conn: Connection,
    item_id: int,
    how: DispatchSettings,
    given: Mapping[str, str] | None = None,
    note: str = "",
    *,
    who: str,
    now: datetime,
) -> Released:
    """Let an item go on as of when it was seen; `given`: values that are put right on the way."""
    row, said = _row(conn, item_id), dict(given or {})
    _decide(conn, item_id, QuarantineStatus.RELEASED, note, who=who, now=now)
    page = _page(conn, row, how)
    staged = _staged(row, page, said)
    found = belated(conn, [replace(page, staged=[staged])], now=now)[page.job_id]
    record_id = found.ids[0] if found.ids else None
    details = {"record": record_id, "set": said, "note": note}
    audit.record(conn, "item released", str(item_id), details, who=who, now=now)
    return Released(id=item_id, record_id=record_id, new=bool(found.new))


def reject(
    conn: Connection, item_ids: Sequence[int], note: str, *, who: str, now: datetime
) -> list[ItemView]:
    """They were wrong: kept on record, and no more."""
    for item_id in item_ids:
        _row(conn, item_id)
        _decide(conn, item_id, QuarantineStatus.REJECTED, note, who=who, now=now)
        audit.record(conn, "item rejected", str(item_id), {"note": note}, who=who, now=now)
    return [show(conn, item_id) for item_id in item_ids]


def _decide(
    conn: Connection, item_id: int, status: QuarantineStatus, note: str, *, who: str, now: datetime
) -> None:
    """Once: whoever comes second is told."""
    waits = (quarantine.c.id == item_id) & (quarantine.c.status == QuarantineStatus.PENDING)
    values = {"status": status, "decided_at": now, "decided_by": who, "note": note or None}
    if not conn.execute(update(quarantine).where(waits).values(values)).rowcount:
        raise Conflict(
            f"item {item_id} is decided already", hint=Hint(action="quarantine.show", target=str(item_id))
        )


# -- going on ----------------------------------------------------------------------------------------------


def _page(conn: Connection, row: AnyRow, how: DispatchSettings) -> PageItems:
    """The page it stood on, as persist is told of it, with nothing on it yet."""
    source = source_store.load(conn, [row.source_id])[row.source_id]
    adapter = how.adapters.get(source.adapter)
    return PageItems(
        job_id=row.job_id or 0,
        run_id=row.run_id or 0,
        page_id=row.page_id or 0,
        source=source,
        purpose=Purpose(row.purpose or Purpose.INDEX),
        adapter_version=row.adapter_version or (revision(adapter) if adapter else "unknown"),
        fetched_at=row.observed_at,
        staged=(),
        number=row.number,
        expects=(row.context or {}).get("key"),
    )


def _staged(row: AnyRow, page: PageItems, given: Mapping[str, str]) -> Staged:
    """What the item is with the values that were given; each of them must make a difference."""
    found = _judged(row, page, given)
    if not isinstance(found, Staged):
        what = f"{found.reason}{f' ({found.details})' if found.details else ''}"
        hint = Hint(text="correct a field", action="quarantine.release", target=str(row.id))
        raise BadInput(f"item {row.id} cannot go on: {what}", hint=hint)
    for name in given:
        others = {each: value for each, value in given.items() if each != name}
        without = _judged(row, page, others)
        if isinstance(without, Staged) and without.fields == found.fields:
            known = ", ".join(sorted(row.item))
            raise BadInput(f"setting {name!r} changes nothing", hint=f"the page showed: {known}")
    return found


def _judged(row: AnyRow, page: PageItems, given: Mapping[str, str]) -> Any:
    from larder.stages.normalize import Context, released  # noqa: PLC0415 - slow to load, for a release alone
    from larder.stages.normalize.towns import towns_of  # noqa: PLC0415 - the same

    base = row.final_url or row.url or page.source.url
    index = page.purpose is Purpose.INDEX
    context = Context.of(
        page.source, base_url=base, observed_at=row.observed_at, index=index, locator=towns_of(page.source)
    )
    item = Item(fields={**row.item, **given}, strategies=dict.fromkeys(given, BY_HAND))
    return released(item, context)


# -- rows --------------------------------------------------------------------------------------------------


def _rows() -> Select[Any]:
    return (
        select(
            quarantine,
            sources.c.slug.label("source"),
            pages.c.url,
            pages.c.final_url,
            jobs.c.purpose,
            jobs.c.number,
            jobs.c.context,
            runs.c.adapter_version,
        )
        .outerjoin(sources, sources.c.id == quarantine.c.source_id)
        .outerjoin(pages, pages.c.id == quarantine.c.page_id)
        .outerjoin(jobs, jobs.c.id == quarantine.c.job_id)
        .outerjoin(runs, runs.c.id == quarantine.c.run_id)
    )


def _row(conn: Connection, item_id: int) -> AnyRow:
    row = conn.execute(_rows().where(quarantine.c.id == item_id)).one_or_none()
    if row is None:
        raise NotFound(f"there is no item {item_id} in quarantine", hint=Hint(action="quarantine.list"))
    return row


def _view(row: AnyRow) -> ItemView:
    return view_of(ItemView, row)
