"""Sources: add, list, show, enable, disable, review, edit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from larder.actions.sources import gate_reasons, known_sites
from larder.actions.sources.field_checks import first_mistake
from larder.actions.sources.fields import EDITABLE, with_defaults
from larder.actions.sources.gate_reasons import SourceGates
from larder.actions.sources.known_sites import with_free_slug
from larder.actions.sources.sites import save_fields
from larder.actions.sources.spec import SiteSpec, SourceSpec, check_feed
from larder.core.errors import BadInput, Conflict
from larder.core.model.source import Plan, Tier, Visibility
from larder.core.policy.alerting import AlertName
from larder.core.policy.freshness import RATES
from larder.core.quoting import quoted
from larder.engine.quality import canary
from larder.engine.scheduling import adoption
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.runs import run_kinds
from larder.sdk.urls import registrable_domain
from larder.store.database import Connection
from larder.store.dataset import changes
from larder.store.dataset.freshness import recompute_crossings
from larder.store.operations import audit
from larder.store.operations.notifications import alerts
from larder.store.queue import schedules, sources
from larder.store.queue.source_rows import SourceRow
from larder.store.reads import counts as record_counts
from larder.store.reads.counts import SourceCounts
from larder.store.reads.lookup import source_row
from larder.store.reads.operators.overview import source_badges
from larder.store.reads.rows import view_of

Counts = Mapping[int, tuple[int, int]]
"""Active records of each source, and those above the threshold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSource:
    """An added or changed source, and what still keeps it from running or from being visible."""

    slug: str
    change: str
    """`added`, `changed`, `unchanged`; `target_added`: the address became a target of this source."""
    why: SourceGates
    target: int | None = None
    """The target that the address became."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A source in a list."""

    slug: str
    name: str
    kind: str
    site: str | None
    adapter: str
    plan: str
    tier: str
    visibility: str
    state: str
    blocked_by: Sequence[str]
    records: int
    shown: int
    last_run_at: datetime | None
    last_run_status: str | None
    next_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A source with all its data."""

    fields: Mapping[str, Any]
    why: SourceGates
    records: int
    shown: int
    badges: SourceCounts


def add(
    conn: Connection,
    spec: SourceSpec,
    settings: DispatchSettings,
    *,
    site: SiteSpec | None = None,
    who: str,
    now: datetime,
) -> SavedSource:
    """Add a source and schedule it; a slug that exists is refused.

    A single page of a site that a source checks pages of becomes a target of that source (`known_sites`).
    """
    if (target := known_sites.as_target(conn, spec, who=who, now=now)) is not None:
        save_fields(conn, registrable_domain(spec.url) or "", site or SiteSpec(), now=now)
        gates = gate_reasons.why(conn, target.source, settings, now=now)
        return SavedSource(slug=target.source, change="target_added", why=gates, target=target.id)
    spec = with_free_slug(conn, spec, spec.completed(settings.adapters))
    before = sources.by_slug(conn, spec.slug)
    if before is not None and before.removed_at is None:
        raise Conflict(f"there is a source {quoted(spec.slug)} already", hint="choose another slug")
    return save(conn, spec, settings, site=site, who=who, now=now)


def save(
    conn: Connection,
    spec: SourceSpec,
    settings: DispatchSettings,
    *,
    site: SiteSpec | None = None,
    who: str,
    now: datetime,
) -> SavedSource:
    """Add a source, or change the one with that slug, so that a catalogue can be imported again."""
    spec = spec.completed(settings.adapters)
    domain = adoption.check_source(spec.adapter, spec.url, settings.adapters)
    site = site or SiteSpec()
    values = site.row(now=now)
    site_id = save_fields(conn, domain, site, now=now)
    before = sources.by_slug(conn, spec.slug)
    check_feed(spec, before)
    if before is None:
        sources.add(conn, {**spec.with_zone().row(), "site_id": site_id}, now=now)
        change = "added"
    elif before.removed_at is not None:
        row = {**spec.with_zone().row(), "site_id": site_id, "removed_at": None, "adopted_at": None}
        _change(conn, before, row, now=now)
        change = "added"
    else:
        change = _change(conn, before, {**spec.row(only_given=True), "site_id": site_id}, now=now)
    adoption.adopt_sources(conn, settings, now=now)
    if change == "changed":
        canary.nominate(conn, source_row(conn, spec.slug).id, settings.adapters)
    if change != "unchanged" or values:
        details = {
            **spec.model_dump(mode="json", exclude_unset=True),
            **({"site": sorted(values)} if values else {}),
        }
        audit.record(conn, f"source {change}", spec.slug, details, who=who, now=now)
    return SavedSource(
        slug=spec.slug, change=change, why=gate_reasons.why(conn, spec.slug, settings, now=now)
    )


def set_columns(
    conn: Connection,
    slug: str,
    values: Mapping[str, Any],
    settings: DispatchSettings,
    *,
    who: str,
    now: datetime,
) -> SourceGates:
    """Set fields of a source (columns, already checked)."""
    row = source_row(conn, slug)
    if _change(conn, row, values, now=now) == "changed":
        audit.record(conn, "source changed", slug, values, who=who, now=now)
    return gate_reasons.why(conn, slug, settings, now=now)


def edit(
    conn: Connection,
    slug: str,
    values: Mapping[str, Any],
    settings: DispatchSettings,
    *,
    who: str,
    now: datetime,
) -> SavedSource:
    """Set fields of a source; None removes a field (sets its default), omitted fields stay."""
    row = source_row(conn, slug)
    feed = {"feed_url": row.feed_url} if "url" in values and row.feed_url else {}
    known = {"url": row.url, "adapter": row.adapter, "kind": row.kind, **feed}
    fields = {**known, **with_defaults(values), "slug": slug}
    try:
        spec = SourceSpec.model_validate(fields)
    except ValidationError as error:
        raise BadInput(first_mistake(error), hint="docs/reference/catalogue.md lists the fields") from error
    return save(conn, spec, settings, who=who, now=now)


def replace(
    conn: Connection,
    slug: str,
    values: Mapping[str, Any],
    settings: DispatchSettings,
    *,
    who: str,
    now: datetime,
) -> SavedSource:
    """Set all fields of a source; omitted ones get their default."""
    fields = {name: None for name, field in EDITABLE.items() if field.removable} | dict(values)
    return edit(conn, slug, fields, settings, who=who, now=now)


def enable(
    conn: Connection, slug: str, settings: DispatchSettings, *, who: str, now: datetime
) -> SourceGates:
    """Enable a source."""
    return set_columns(conn, slug, {"enabled": 1}, settings, who=who, now=now)


def disable(
    conn: Connection, slug: str, settings: DispatchSettings, *, who: str, now: datetime
) -> SourceGates:
    """Start no more runs of a source; an open one continues."""
    return set_columns(conn, slug, {"enabled": 0}, settings, who=who, now=now)


def review(
    conn: Connection, slug: str, settings: DispatchSettings, *, who: str, now: datetime
) -> SourceGates:
    """Clear the review flag; a source that could not be scheduled is checked again."""
    row = source_row(conn, slug)
    values: dict[str, Any] = {"needs_review": 0, "review_reason": None}
    if not schedules.list_by_source(conn, row.id):
        values["adopted_at"] = None
    sources.update_source(conn, row.id, values, now=now)
    schedules.wake_gated(conn, row.id, now=now)
    adoption.adopt_sources(conn, settings, now=now)
    after = source_row(conn, slug)
    if after.needs_review:
        raise BadInput(
            f"{slug} still cannot run: {after.review_reason}", hint="correct it, then review it again"
        )
    alerts.resolve(conn, AlertName.SOURCE_INVALID, slug, now=now)
    audit.record(conn, "source reviewed", slug, who=who, now=now)
    return gate_reasons.why(conn, slug, settings, now=now)


def list_sources(
    conn: Connection, settings: DispatchSettings, *, counts: Counts | None = None, now: datetime
) -> list[SourceLine]:
    """All sources by slug; `counts`: as cached."""
    counts = count_records(conn, now=now) if counts is None else counts
    states = gate_reasons.explain_all(conn, settings, now=now)
    return [_line(row, states[row.slug], *counts.get(row.id, (0, 0))) for row in sources.list_sources(conn)]


def show(conn: Connection, slug: str, settings: DispatchSettings, *, now: datetime) -> SourceView:
    """Show one source."""
    row = source_row(conn, slug)
    counts = source_badges(conn, row.id, now=now)
    return SourceView(
        fields=row._asdict(),
        why=gate_reasons.explain_row(conn, row, settings, now=now),
        records=counts.active,
        shown=counts.shown,
        badges=counts,
    )


def count_records(conn: Connection, *, now: datetime) -> Counts:
    """Active records of each source, and how many of them are above the threshold."""
    counts = record_counts.by_source(conn, now=now)
    return {each: (found.active, found.shown) for each, found in counts.items()}


def _line(row: SourceRow, why: SourceGates, total: int, shown: int) -> SourceLine:
    nexts = [kind.next_at for kind in why.kinds if kind.next_at]
    return view_of(
        SourceLine,
        row,
        name=row.name or row.slug,
        site=row.domain,
        state=why.state,
        blocked_by=[reason.gate for reason in why.blocked_by],
        records=total,
        shown=shown,
        next_at=min(nexts, default=None),
    )


def _change(conn: Connection, row: SourceRow, values: Mapping[str, Any], *, now: datetime) -> str:
    """Set changed fields, and what depends on them (site and plan, crossings of its records)."""
    differing = {name: value for name, value in values.items() if getattr(row, name) != value}
    if not differing:
        return "unchanged"
    if differing.keys() & {"url", "adapter", "plan"}:
        differing["adopted_at"] = None
    sources.update_source(conn, row.id, differing, now=now)
    schedules.wake_gated(conn, row.id, now=now)
    if "plan" in differing:
        schedules.keep_kinds(conn, row.id, run_kinds(Plan(differing["plan"])))
    if "visibility" in differing:
        seen = differing["visibility"] == Visibility.PUBLIC
        changes.add_for_source(conn, row.id, changes.PUBLISHED if seen else changes.WITHDRAWN, now=now)
    if "tier" in differing:
        recompute_crossings(conn, row.id, rate=RATES[Tier(differing["tier"])])
    return "changed"
