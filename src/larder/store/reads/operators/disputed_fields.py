"""Fields of records on which two readings disagree: row and detail page, or profile and general reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from larder.core.model.reading import AGAINST, Sureness
from larder.core.policy.trust.agreement import COMPARED
from larder.store.reads.record_history import Origin, VersionLine, find_origin
from larder.store.reads.rows import view_of
from larder.store.tables import pages, records, versions

LATEST = 200
"""Records that are looked at, those that were seen last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedField:
    """A field on which readings of a source disagree, with one example."""

    field: str
    records: int
    """Records on which they disagree."""
    of: int
    """Records that were looked at."""
    record: int
    """The example."""
    title: str
    currency: str | None
    value: Any
    """What counts."""
    strategy: str
    others: Sequence[Any]
    """What other pages say; empty where two readings of one page disagree."""
    page_url: str


def list_disputed_fields(conn: Connection, source_id: int) -> list[DisputedField]:
    """The disputed fields of a source's latest records, the most frequent first."""
    condition = (records.c.source_id == source_id) & (records.c.active == 1)
    query = select(records.c.id, records.c.content).where(condition).order_by(records.c.last_seen_at.desc())
    looked_at = {row.id: row.content for row in conn.execute(query.limit(LATEST))}
    lines = _latest_versions(conn, list(looked_at))
    found: dict[str, list[tuple[int, Origin]]] = {}
    for record_id, content in looked_at.items():
        for origin in _disputed(content, lines.get(record_id, ())):
            found.setdefault(origin.field, []).append((record_id, origin))
    by_count = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    return [_field(name, origins, looked_at, lines) for name, origins in by_count]


def _latest_versions(conn: Connection, ids: Sequence[int]) -> dict[int, list[VersionLine]]:
    """By record, the latest version of each purpose, the earlier first."""
    last = (
        select(func.max(versions.c.id))
        .where(versions.c.record_id.in_(ids), versions.c.voided_at.is_(None))
        .group_by(versions.c.record_id, versions.c.purpose)
    )
    query = (
        select(versions, pages.c.url.label("page_url"))
        .outerjoin(pages, pages.c.id == versions.c.page_id)
        .where(versions.c.id.in_(last))
        .order_by(versions.c.observed_at, versions.c.id)
    )
    found: dict[int, list[VersionLine]] = {}
    for row in conn.execute(query) if ids else ():
        line = view_of(VersionLine, row, run=row.run_id, strategies=row.strategies or {})
        found.setdefault(row.record_id, []).append(line)
    return found


def _disputed(content: Mapping[str, Any], lines: Sequence[VersionLine]) -> list[Origin]:
    disputed = {name for line in lines for name, by in line.strategies.items() if AGAINST in by}
    names = [name for name in sorted({*COMPARED, *disputed}) if content.get(name) is not None]
    origins = [find_origin(name, content[name], lines, {}) for name in names]
    return [origin for origin in origins if origin.sureness is Sureness.DISPUTED]


def _field(
    name: str,
    origins: Sequence[tuple[int, Origin]],
    looked_at: Mapping[int, Mapping[str, Any]],
    lines: Mapping[int, Sequence[VersionLine]],
) -> DisputedField:
    record_id, example = origins[0]
    values = (line.content.get(name) for line in lines[record_id])
    return DisputedField(
        field=name,
        records=len(origins),
        of=len(looked_at),
        record=record_id,
        title=str(looked_at[record_id].get("title") or ""),
        currency=looked_at[record_id].get("currency"),
        value=example.value,
        strategy=example.strategy or "",
        others=[value for value in values if value not in (None, example.value)],
        page_url=example.page_url or "",
    )
