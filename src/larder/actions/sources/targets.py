"""Targets: URLs that Larder agreed to watch. Add, edit, pause, resume, remove, run now."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from cronsim import CronSim, CronSimError
from sqlalchemy import Select, delete, insert, select, update

from larder.actions.formatting import span
from larder.core.errors import BadInput, Conflict, NotFound
from larder.core.model.hint import Hint
from larder.core.model.source import Plan
from larder.core.policy.scheduling.targets import INTERVAL, PRIORITY, TargetStatus
from larder.runs import FOLDS, run_kinds
from larder.sdk.urls import canonical_url, registrable_domain
from larder.store.database import Connection
from larder.store.database.statement import AnyRow
from larder.store.operations import audit
from larder.store.queue import schedules
from larder.store.queue.source_rows import SourceRow
from larder.store.reads.lookup import source_row
from larder.store.reads.rows import view_of
from larder.store.tables import records, sources, targets

MIN_INTERVAL = timedelta(minutes=1)
_WATCHING = tuple(plan for plan in Plan if any(FOLDS[kind].reads_targets for kind in run_kinds(plan)))
"""The plans of sources whose targets are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """What is asked for; what is None stays as it is, or is the default."""

    url: str
    interval: timedelta | None = None
    cron: str | None = None
    priority: int | None = None
    notes: str | None = None
    enabled: bool | None = None


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
    """What it showed was erased on request: it is not looked at again."""
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

    @property
    def state(self) -> str:
        """Its status, unless it is not looked at whatever that says."""
        if self.blocked:
            return "blocked"
        return self.status if self.enabled and self.plan in _WATCHING else "off"

    @property
    def watched(self) -> bool:
        """Is it looked at when it is due?"""
        return self.state not in ("blocked", "off", TargetStatus.PAUSED)


def add(conn: Connection, slug: str, spec: TargetSpec, *, who: str, now: datetime) -> TargetView:
    """Watch a URL; one that is watched already is changed to what is asked for."""
    source = monitored_source(conn, slug)
    target_id, _ = save(conn, source, spec, who=who, now=now)
    audit.record(conn, "target added", slug, {"url": spec.url}, who=who, now=now)
    return show(conn, target_id)


def edit(conn: Connection, target_id: int, spec: Mapping[str, Any], *, who: str, now: datetime) -> TargetView:
    """Change a target's interval, calendar, priority or notes."""
    row = _row(conn, target_id)
    asked = TargetSpec(url=row.url, **spec)
    _check(asked)
    conn.execute(update(targets).where(targets.c.id == target_id).values(_values(asked, now)))
    audit.record(conn, "target changed", str(target_id), _plain(spec), who=who, now=now)
    return show(conn, target_id)


def pause(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Leave it alone until it is resumed."""
    return _set(conn, target_id, {"status": TargetStatus.PAUSED}, "target paused", who=who, now=now)


def resume(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Watch it again, with a clean slate, from now on; what was erased stays erased."""
    _lookable(conn, target_id)
    fresh = {"status": TargetStatus.ACTIVE, "enabled": 1, "failures": 0, "haste": 0, "next_due_at": now}
    return _set(conn, target_id, fresh, "target resumed", who=who, now=now)


def run_now(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Look at it at the next opportunity, whatever its schedule says."""
    found = _lookable(conn, target_id)
    if not found.watched:
        raise Conflict(
            f"target {target_id} is {found.state}",
            hint=Hint(text="resume it", action="target.resume", target=str(target_id)),
        )
    view = _set(conn, target_id, {"next_due_at": now}, "target requeued", who=who, now=now)
    schedules.run_now(conn, source_row(conn, view.source).id, now=now, kind="monitor")
    return view


def remove(conn: Connection, target_id: int, *, who: str, now: datetime) -> TargetView:
    """Stop watching a URL; its record and history stay, and so does the mark of what was erased."""
    view = show(conn, target_id)
    if view.blocked:
        raise _erased(view.url)
    conn.execute(delete(targets).where(targets.c.id == target_id))
    audit.record(conn, "target removed", str(target_id), {"url": view.url}, who=who, now=now)
    return view


def show(conn: Connection, target_id: int) -> TargetView:
    """One target."""
    return _view(_row(conn, target_id))


def list_targets(
    conn: Connection,
    *,
    slug: str | None = None,
    status: TargetStatus | None = None,
    after: int | None = None,
    limit: int = 100,
) -> list[TargetView]:
    """By number, those of one source or status where asked; `after`: of those with a larger number.

    Whatever is off or blocked has no other status.
    """
    asked = _select()
    if slug is not None:
        asked = asked.where(targets.c.source_id == source_row(conn, slug).id)
    if status is not None:
        looked_at = (targets.c.enabled == 1) & (targets.c.blocked == 0) & sources.c.plan.in_(_WATCHING)
        asked = asked.where(targets.c.status == status, looked_at)
    if after is not None:
        asked = asked.where(targets.c.id > after)
    return [_view(row) for row in conn.execute(asked.order_by(targets.c.id).limit(limit))]


_DURATION = re.compile(r"(\d{1,6})\s*(s|m|h|d|w)?")
_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def parse_duration(text: str) -> timedelta:
    """6h, 1d, 90m; without a unit: seconds."""
    found = _DURATION.fullmatch(text.strip().lower())
    if found is None:
        raise BadInput(f"{text!r} is not a length of time", hint="write 90m, 6h or 1d")
    return timedelta(seconds=int(found[1]) * _UNITS[found[2] or "s"])


def monitored_source(conn: Connection, slug: str) -> SourceRow:
    """A source whose plan looks at single pages."""
    source = source_row(conn, slug)
    if source.plan not in _WATCHING:
        raise BadInput(
            f"{slug} has the plan {source.plan}, which watches no single pages",
            hint=Hint(
                text="targets belong to a source with plan watch; add one",
                action="source.add",
                options=(("plan", "watch"),),
            ),
        )
    return source


def _lookable(conn: Connection, target_id: int) -> TargetView:
    """A target that may be looked at, now or once it is resumed."""
    found = show(conn, target_id)
    monitored_source(conn, found.source)
    if found.blocked:
        raise _erased(found.url)
    return found


def _erased(url: str) -> Conflict:
    return Conflict(f"what {url} showed was erased on request", hint="it is not looked at again")


def save(
    conn: Connection, source: SourceRow, spec: TargetSpec, *, who: str, now: datetime
) -> tuple[int, bool]:
    """Insert or change; the target, and whether it is new. Unique by source and canonical URL."""
    _check(spec)
    canonical = canonical_url(spec.url)
    if source.domain is not None and registrable_domain(spec.url) != source.domain:
        raise BadInput(f"{spec.url} is not on {source.domain}", hint="add a source for its own site")
    mine = (targets.c.source_id == source.id) & (targets.c.canonical_url == canonical)
    found = conn.execute(select(targets.c.id, targets.c.blocked).where(mine)).one_or_none()
    if found is not None:
        if found.blocked:
            raise _erased(spec.url)
        conn.execute(update(targets).where(targets.c.id == found.id).values(_values(spec, now)))
        return found.id, False
    row = {
        "source_id": source.id,
        "url": spec.url,
        "canonical_url": canonical,
        "interval_s": int(INTERVAL.total_seconds()),
        "priority": PRIORITY,
        "next_due_at": now,
        "created_at": now,
        "created_by": who,
        **_values(spec, now),
    }
    target_id: int = conn.scalar(insert(targets).values(row).returning(targets.c.id)) or 0
    return target_id, True


def _check(spec: TargetSpec) -> None:
    if spec.interval is not None and spec.interval < MIN_INTERVAL:
        raise BadInput(
            f"an interval of {span(spec.interval)} is too short: write 1d or 12h",
            hint="a minute is the least, and a number alone is seconds",
        )
    if spec.interval is not None and spec.cron is not None:
        raise BadInput("give an interval or a cron expression, not both")
    if spec.cron is not None:
        try:
            CronSim(spec.cron, datetime(2026, 1, 1))  # noqa: DTZ001 - only its syntax is looked at
        except CronSimError as error:
            raise BadInput(f"{spec.cron!r} is not a cron expression: {error}") from error


def _values(spec: TargetSpec, now: datetime) -> dict[str, Any]:
    """What is set; a calendar takes the place of an interval and the other way round."""
    given: dict[str, Any] = {"updated_at": now}
    if spec.interval is not None:
        given |= {"interval_s": int(spec.interval.total_seconds()), "cron": None}
    if spec.cron is not None:
        given["cron"] = spec.cron
    if spec.priority is not None:
        given["priority"] = spec.priority
    if spec.notes is not None:
        given["notes"] = spec.notes
    if spec.enabled is not None:
        given["enabled"] = int(spec.enabled)
    return given


def _plain(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(value) for name, value in spec.items() if value is not None}


def _set(
    conn: Connection, target_id: int, values: Mapping[str, Any], action: str, *, who: str, now: datetime
) -> TargetView:
    _row(conn, target_id)
    conn.execute(update(targets).where(targets.c.id == target_id).values({**values, "updated_at": now}))
    audit.record(conn, action, str(target_id), who=who, now=now)
    return show(conn, target_id)


def _select() -> Select[Any]:
    of_record = (records.c.title, records.c.price_minor, records.c.currency)
    return (
        select(targets, sources.c.slug, sources.c.plan, *of_record)
        .join(sources, sources.c.id == targets.c.source_id)
        .outerjoin(records, records.c.id == targets.c.record_id)
    )


def _row(conn: Connection, target_id: int) -> AnyRow:
    row = conn.execute(_select().where(targets.c.id == target_id)).one_or_none()
    if row is None:
        raise NotFound(f"there is no target {target_id}", hint=Hint(action="target.list"))
    return row


def _view(row: AnyRow) -> TargetView:
    return view_of(
        TargetView,
        row,
        source=row.slug,
        enabled=bool(row.enabled),
        blocked=bool(row.blocked),
        interval=timedelta(seconds=row.interval_s),
    )
