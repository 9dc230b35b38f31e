"""Canaries: the active and the candidate adapter version of each source, and their differences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from larder import adapters
from larder.core.errors import Conflict
from larder.core.model.hint import Hint
from larder.core.policy.alerting import AlertName
from larder.core.policy.trust.canary import Comparison, DifferenceSample, FieldDiff
from larder.core.ports import ParseRunner
from larder.engine.quality.canary import run_canary
from larder.sdk.adapter import Adapters
from larder.sdk.revision import version_of
from larder.store.database import Connection, Database
from larder.store.operations import audit, canaries
from larder.store.operations.canaries import CanaryRow
from larder.store.operations.notifications import alerts
from larder.store.pages.blobs import Blobs
from larder.store.queue import schedules, sources
from larder.store.reads.lookup import site_row
from larder.store.reads.rows import view_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryView:
    """The adapter versions of one source."""

    source: str
    adapter: str
    site: str | None
    status: str
    active: str
    active_since: datetime
    candidate: str | None
    judged_at: datetime | None
    accepted_by: str | None
    objections: Sequence[str]
    comparison: Comparison | None
    """The result of the last canary; None if there was none."""


def list_canaries(conn: Connection, adapter: str | None = None, site: str | None = None) -> list[CanaryView]:
    """All sources that ever ran, of an adapter, on a site."""
    domain = site_row(conn, site).domain if site else None
    return [_view(row) for row in canaries.list_by_adapter(conn, adapter, domain)]


async def try_versions(
    database: Database,
    blobs: Blobs,
    known: Adapters,
    adapter: str,
    site: str | None = None,
    *,
    runner: ParseRunner,
    now: datetime,
) -> list[CanaryView]:
    """Run canaries of the installed adapters on the stored pages of their sources, and decide."""
    waiting = await database.run(_differing, adapter, site, known)
    for row, _ in waiting:
        await run_canary(database, blobs, known, runner, row.source_id, now=now)
    return await database.run(list_canaries, adapter, site)


def accept(
    conn: Connection, adapter: str, site: str | None, known: Adapters, *, who: str, now: datetime
) -> list[CanaryView]:
    """Accept the installed version: it is active from now on."""
    differing = _differing(conn, adapter, site, known)
    if not differing:
        hint = Hint(action="adapter.canary", target=adapter)
        raise Conflict(f"no new version of {adapter} is waiting for acceptance", hint=hint)
    for row, version in differing:
        canaries.promote(conn, row.source_id, version, row.comparison, now=now, accepted_by=who)
        schedules.wake_gated(conn, row.source_id, now=now)
        alerts.resolve(conn, AlertName.CANARY_REFUSED, f"{row.adapter} on {row.slug}", now=now)
        details = {"version": version, "before": row.active}
        audit.record(conn, "version accepted", f"{adapter} on {row.slug}", details, who=who, now=now)
    return list_canaries(conn, adapter, site)


def _differing(
    conn: Connection, adapter: str, site: str | None, known: Adapters
) -> list[tuple[CanaryRow, str]]:
    """The sources of an adapter whose installed version is not the active one, with that version."""
    reader = known.get(adapter) or adapters.find(adapter)
    domain = site_row(conn, site).domain if site else None
    return [
        (row, version)
        for row in canaries.list_by_adapter(conn, adapter, domain)
        if (version := version_of(reader, sources.effective_params(row.params, row.repaired))) != row.active
    ]


def _view(row: CanaryRow) -> CanaryView:
    found: Mapping[str, Any] = row.comparison or {}
    return view_of(
        CanaryView,
        row,
        source=row.slug,
        site=row.domain,
        objections=tuple(found.get("objections", ())),
        comparison=_comparison(found) if found else None,
    )


def _comparison(found: Mapping[str, Any]) -> Comparison:
    compared = {name: found[name] for name in Comparison.__dataclass_fields__ if name in found}
    lists = {
        "fields": tuple(FieldDiff(**each) for each in found.get("fields", ())),
        "samples": tuple(DifferenceSample(**each) for each in found.get("samples", ())),
    }
    return Comparison(**{**compared, **lists})
