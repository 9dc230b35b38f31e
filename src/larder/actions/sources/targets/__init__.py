"""Targets: URLs to check on a schedule come in, to add, edit, pause, resume, remove or run; views go out."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from larder.actions.sources.targets.save import (
    KEPT,
    Saved,
    TargetSpec,
    blocked,
    check,
    column_values,
    save_all,
)
from larder.core.errors import BadInput, Conflict, NotFound
from larder.core.model.hint import Hint
from larder.core.model.run import RunKind
from larder.core.model.source import Plan
from larder.core.policy.scheduling.targets import TargetStatus
from larder.runs import FOLDS, run_kinds
from larder.sdk.urls import canonical_url, registrable_domain
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.queue import schedules
from larder.store.queue.source_rows import SourceRow
from larder.store.queue.sources import list_sources
from larder.store.reads.lookup import source_row
from larder.store.reads.operators import targets
from larder.store.reads.operators.targets import TargetView

__all__ = [
    "Saved", "TargetSpec", "TargetView", "add", "block", "edit", "list_targets", "monitor_of",
    "monitored_source", "monitors_of",
    "pause", "remove", "resume", "run_all", "run_now", "show", "unblock",
]  # fmt: skip

MONITORED_PLANS = tuple(plan for plan in Plan if any(FOLDS[kind].reads_targets for kind in run_kinds(plan)))
"""The plans of sources whose targets are fetched."""


def add(conn: Connection, slug: str, spec: TargetSpec, *, who: str, now: datetime) -> TargetView:
    """Add a target; one with the same URL is changed."""
    source = monitored_source(conn, slug)
    (outcome,) = save_all(conn, [(source, spec)], who=who, now=now)
    if isinstance(outcome, Exception):
        raise outcome
    audit.record(conn, "target added", slug, {"url": spec.url}, who=who, now=now)
    return targets.by_url(conn, source.id, canonical_url(spec.url), MONITORED_PLANS)


def monitors_of(conn: Connection, url: str) -> list[SourceRow]:
    """The sources that check pages of this address's site."""
    domain = registrable_domain(url)
    return [row for row in list_sources(conn) if row.domain == domain and row.plan in MONITORED_PLANS]


def monitor_of(conn: Connection, url: str) -> str:
    """The source that checks pages of this address's site."""
    domain, slugs = registrable_domain(url), [row.slug for row in monitors_of(conn, url)]
    if len(slugs) == 1:
        return slugs[0]
    if slugs:
        raise BadInput(f"{domain} has several sources: {', '.join(slugs)}", hint="name one of them")
    hint = Hint(text="add one with the plan monitor", action="source.add", options=(("plan", "monitor"),))
    raise BadInput(f"no source checks single pages of {domain or url}", hint=hint)


def edit(conn: Connection, target_id: int, spec: Mapping[str, Any], *, who: str, now: datetime) -> TargetView:
    """Change a target's interval, calendar, priority or notes."""
    spec_given = TargetSpec(url=show(conn, target_id).url, **spec)
    check(spec_given)
    targets.update_target(conn, target_id, column_values(spec_given), now=now)
    audit.record(conn, "target changed", str(target_id), _plain(spec), who=who, now=now)
    return show(conn, target_id)


def pause(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Pause a target until it is resumed."""
    return _set(conn, target_id, {"status": TargetStatus.PAUSED}, "target paused", who=who, now=now)


def resume(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Resume a target, due now and with its failures cleared."""
    extra = KEPT if _checkable(conn, target_id).left_feed_at else {}
    reset = {"status": TargetStatus.ACTIVE, "enabled": 1, "failures": 0, "haste": 0, "next_due_at": now}
    return _set(conn, target_id, {**reset, **extra}, "target resumed", who=who, now=now)


def run_now(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Make a target due now."""
    target = _checkable(conn, target_id)
    if not target.watched:
        raise Conflict(
            f"target {target_id} is {target.state}",
            hint=Hint(text="resume it", action="target.resume", target=str(target_id)),
        )
    view = _set(conn, target_id, {"next_due_at": now}, "target requeued", who=who, now=now)
    schedules.run_now(conn, source_row(conn, view.source).id, now=now, kind="monitor")
    return view


@dataclass(frozen=True, slots=True, kw_only=True)
class DueTargets:
    """How many sources and targets were made due."""

    sources: int
    targets: int


def run_all(conn: Connection, slug: str | None, *, who: str, now: datetime) -> DueTargets:
    """Make all targets of a source, or of every source, due now; paused ones stay paused."""
    slugs = [slug] if slug else targets.monitored_slugs(conn, MONITORED_PLANS)
    due = {each: make_due(conn, monitored_source(conn, each), now=now) for each in slugs}
    if not any(due.values()):
        raise no_target(slug or "any source")
    audit.record(conn, "targets requeued", slug or "all", {"targets": sum(due.values())}, who=who, now=now)
    return DueTargets(sources=sum(count > 0 for count in due.values()), targets=sum(due.values()))


def make_due(conn: Connection, source: SourceRow, *, now: datetime) -> int:
    """Make all targets of a source due now; how many there are."""
    count = targets.make_all_due(conn, source.id, now=now)
    if count:
        schedules.run_now(conn, source.id, now=now, kind=RunKind.MONITOR)
    return count


def no_target(owner: str) -> Conflict:
    """The error for a source or deployment without targets."""
    return Conflict(
        f"no target of {owner} can be checked: there is none, or all are paused, off or blocked",
        hint=Hint(text="add one, or resume one", action="target.list"),
    )


def block(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Block a page until it is unblocked: it is not fetched, whoever imports its address again."""
    if show(conn, target_id).blocked:
        raise blocked(show(conn, target_id))
    return _set(conn, target_id, {"blocked": 1, "blocked_by": who}, "target blocked", who=who, now=now)


def unblock(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Unblock a page that a person blocked; one that was erased on request stays blocked."""
    target = show(conn, target_id)
    if target.blocked and target.blocked_by is None:
        raise blocked(target)
    free = {"blocked": 0, "blocked_by": None, "next_due_at": now}
    return _set(conn, target_id, free, "target unblocked", who=who, now=now)


def remove(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Delete a target; its record and history stay."""
    view = show(conn, target_id)
    if view.blocked:
        raise blocked(view)
    targets.remove(conn, target_id)
    audit.record(conn, "target removed", str(target_id), {"url": view.url}, who=who, now=now)
    return view


def show(conn: Connection, target_id: int) -> TargetView:
    """Show one target."""
    target = targets.by_id(conn, target_id, MONITORED_PLANS)
    if target is None:
        raise NotFound(f"there is no target {target_id}", hint=Hint(action="target.list"))
    return target


def list_targets(
    conn: Connection,
    *,
    slug: str | None = None,
    status: TargetStatus | None = None,
    after: int | None = None,
    limit: int = 100,
) -> list[TargetView]:
    """Targets by number.

    Those that are off or blocked have no other status. `after`: with a larger number.
    """
    source_id = None if slug is None else source_row(conn, slug).id
    return targets.list_targets(
        conn, MONITORED_PLANS, source_id=source_id, status=status, after=after, limit=limit
    )


def monitored_source(conn: Connection, slug: str) -> SourceRow:
    """A source whose plan has targets."""
    source = source_row(conn, slug)
    if source.plan not in MONITORED_PLANS:
        raise BadInput(
            f"{slug} has the plan {source.plan}, which has no targets",
            hint=Hint(
                text="targets belong to a source with the plan monitor; add one",
                action="source.add",
                options=(("plan", "monitor"),),
            ),
        )
    return source


def _checkable(conn: Connection, target_id: int) -> TargetView:
    """A target that may be fetched, now or once it is resumed."""
    target = show(conn, target_id)
    monitored_source(conn, target.source)
    if target.blocked:
        raise blocked(target)
    return target


def _plain(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(value) for name, value in spec.items() if value is not None}


def _set(
    conn: Connection, target_id: int, values: Mapping[str, Any], action: str, *, who: str, now: datetime
) -> TargetView:
    show(conn, target_id)
    targets.update_target(conn, target_id, values, now=now)
    audit.record(conn, action, str(target_id), who=who, now=now)
    return show(conn, target_id)
