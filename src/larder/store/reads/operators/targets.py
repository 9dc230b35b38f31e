"""Targets as operators see them, and what operators change of them.

`monitored` names the plans whose targets are fetched; targets of other plans are off.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, case, delete, false, literal, or_, select, update

from larder.core.policy.scheduling.targets import TargetStatus
from larder.store.reads.rows import only, view_of
from larder.store.tables import records, sources, targets


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetView:
    """A target as an operator sees it."""

    id: int
    source: str
    plan: str
    """Of its source."""
    url: str
    status: str
    enabled: bool
    blocked: bool
    """It is not fetched: a person blocked it, or what it showed was erased on request."""
    blocked_by: str | None
    """Who blocked it; None: it is not blocked, or was erased on request."""
    priority: int
    interval: timedelta
    cron: str | None
    next_due_at: datetime
    last_status: str | None
    last_at: datetime | None
    failures: int
    record_id: int | None
    title: str | None
    price_minor: int | None
    currency: str | None
    notes: str | None
    feed_at: datetime | None
    """When the reading of its source's feed began that named it last; None: a person added it."""
    left_feed_at: datetime | None
    """Since when the feed does not name it."""
    state: str
    """Its status, unless it is `blocked`, `left_feed` or `off`."""
    watched: bool
    """Whether it is fetched when it is due."""


Plans = Collection[str]


def make_all_due(conn: Connection, source_id: int, *, now: datetime) -> int:
    """Make every target of a source that is not paused, off or blocked due now; how many those are."""
    condition = (
        (targets.c.enabled == 1) & (targets.c.blocked == 0) & (targets.c.status != TargetStatus.PAUSED)
    )
    due = case(
        (targets.c.next_due_at < now, targets.c.next_due_at), else_=literal(now, targets.c.next_due_at.type)
    )
    statement = update(targets).where(targets.c.source_id == source_id, condition)
    return conn.execute(statement.values(next_due_at=due)).rowcount


def monitored_slugs(conn: Connection, plans: Plans) -> list[str]:
    """The sources with these plans."""
    return list(
        conn.scalars(select(sources.c.slug).where(sources.c.plan.in_(plans)).order_by(sources.c.slug))
    )


def list_targets(
    conn: Connection,
    monitored: Plans,
    *,
    source_id: int | None,
    status: TargetStatus | None,
    after: int | None,
    limit: int,
) -> list[TargetView]:
    """By number; `status`: of those that are neither off nor blocked."""
    query = only(_targets(), (targets.c.source_id, source_id), (targets.c.status, status))
    if status is not None:
        on = (targets.c.enabled == 1) & (targets.c.blocked == 0)
        query = query.where(on, sources.c.plan.in_(monitored))
    if after is not None:
        query = query.where(targets.c.id > after)
    return _views(conn, query.order_by(targets.c.id).limit(limit), monitored)


def by_id(conn: Connection, target_id: int, monitored: Plans) -> TargetView | None:
    """One target."""
    return next(iter(_views(conn, _targets().where(targets.c.id == target_id), monitored)), None)


def by_url(conn: Connection, source_id: int, canonical_url: str, monitored: Plans) -> TargetView:
    """The target of a source with that canonical URL."""
    condition = (targets.c.source_id == source_id) & (targets.c.canonical_url == canonical_url)
    (view,) = _views(conn, _targets().where(condition), monitored)
    return view


def update_target(conn: Connection, target_id: int, values: Mapping[str, Any], *, now: datetime) -> bool:
    """Set columns of a target; whether one had another value."""
    differs = or_(false(), *(targets.c[name].is_distinct_from(value) for name, value in values.items()))
    statement = update(targets).where(targets.c.id == target_id, differs)
    return conn.execute(statement.values({**values, "updated_at": now})).rowcount > 0


def remove(conn: Connection, target_id: int) -> None:
    """Delete a target; its record stays."""
    conn.execute(delete(targets).where(targets.c.id == target_id))


def _targets() -> Select[Any]:
    of_record = (records.c.title, records.c.price_minor, records.c.currency)
    return (
        select(targets, sources.c.slug.label("source"), sources.c.plan, *of_record)
        .join(sources, sources.c.id == targets.c.source_id)
        .outerjoin(records, records.c.id == targets.c.record_id)
    )


def _views(conn: Connection, query: Select[Any], monitored: Plans) -> list[TargetView]:
    return [_view(row, _state(row, monitored)) for row in conn.execute(query)]


def _view(row: Row[Any], state: str) -> TargetView:
    watched = state not in ("blocked", "left_feed", "off", TargetStatus.PAUSED)
    return view_of(TargetView, row, interval=timedelta(seconds=row.interval_s), state=state, watched=watched)


def _state(row: Row[Any], monitored: Plans) -> str:
    if row.blocked:
        return "blocked"
    if row.left_feed_at is not None:
        return "left_feed"
    return str(row.status) if row.enabled and row.plan in monitored else "off"
