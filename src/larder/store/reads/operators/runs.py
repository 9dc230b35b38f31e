"""Runs as operators see them: lists, one run, its latest errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, case, func, select

from larder.core.model.run import RunKind, RunStatus
from larder.core.policy.trust.loss import EXPECTED, UNFINISHED, LeftOut, removed_pages
from larder.core.policy.trust.yields import NO_YIELD, PageYield
from larder.store.database.statement import fetch_as, select_as
from larder.store.reads.lookup import run_row, source_row
from larder.store.reads.rows import newest, only, view_of
from larder.store.tables import errors, runs, schedules, sources

CHECKED = "checked"
_CHECKS = (CHECKED, "alive", "struck", "gone", "undecided")
"""What the state of a verification counts."""
NOTHING_IN_DOUBT = "no active record is in doubt, all were seen or verified lately"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run and how far it is."""

    id: int
    source: str | None
    region: str | None
    """Of a scout, which has no source."""
    kind: str
    status: str
    trigger: str
    adapter: str | None
    adapter_version: str | None
    started_at: datetime
    finished_at: datetime | None
    pages: int
    attempted: int
    failed: int
    extracted: int
    inserted: int
    updated: int
    unchanged: int
    dropped: int
    quarantined: int
    rows_shown: int
    """Rows that its index pages showed."""
    advertised: int | None
    """Rows that the site says it has."""
    left_out: Mapping[str, Any] | None
    """By reason: how many items were left out, with an example's details and page."""
    pages_not_read: int
    """Detail pages, targets and index pages that were asked for or needed and gave nothing."""
    not_read: Mapping[str, Any] | None
    """By reason: how many pages were not read, with an example."""
    open_jobs: int
    error_code: str | None
    error: str | None
    voided_at: datetime | None
    """Since when its word does not count."""
    checks: Mapping[str, int] | None
    """Of a verification: records checked, and how many were alive, struck, gone or undecided."""
    unknown_stock: int
    """Products whose own page does not tell their stock: stored as `unknown`, their price unproven."""
    of_own_pages: int
    """Items that were read from their own pages, such products among them."""

    @property
    def checks_summary(self) -> str:
        """`50 checked: 45 alive, 3 struck, 1 gone, 1 undecided`; empty for other kinds."""
        if self.checks is None:
            return ""
        if self.status == RunStatus.COMPLETED and not self.checks[CHECKED]:
            return f"0 checked: {NOTHING_IN_DOUBT}"
        found = [f"{count} {check}" for check, count in self.checks.items() if check != CHECKED and count]
        return f"{self.checks[CHECKED]} checked" + (f": {', '.join(found)}" if found else "")

    @property
    def stored(self) -> int:
        """Items that became or confirmed a record."""
        return self.inserted + self.updated + self.unchanged

    @property
    def items_left_out(self) -> int:
        """Items that no record was made of, for whatever reason."""
        return sum(left["items"] for left in (self.left_out or {}).values())

    @property
    def stock_summary(self) -> str:
        """`3 of 12: stock unknown, price unproven`; empty where every page tells."""
        if not self.unknown_stock:
            return ""
        return f"{self.unknown_stock} of {self.of_own_pages}: stock unknown, price unproven"

    @property
    def rows_not_shown(self) -> int:
        """Rows that the site advertises and no page showed."""
        return max(0, (self.advertised or 0) - self.rows_shown)

    @property
    def lossy(self) -> bool:
        """Whether the run lost items unexpectedly."""
        not_read = {reason: LeftOut(**left) for reason, left in (self.not_read or {}).items()}
        unread = not_read.keys() - removed_pages(not_read, self.pages, self.rows_shown)
        losses = {*(self.left_out or ())} - EXPECTED or unread or self.rows_not_shown
        return bool(losses) or self.error_code in UNFINISHED

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return not RunStatus(self.status).open


class SummarizedRun(NamedTuple):
    """A run that ended, as the daily summary counts it."""

    id: int
    kind: str
    status: str
    started_at: datetime
    finished_at: datetime
    inserted: int
    updated: int
    unchanged: int
    dropped: int
    failed: int
    error: str | None
    region: str | None
    slug: str | None


def list_ended(conn: Connection, *, since: datetime, until: datetime) -> list[SummarizedRun]:
    """Runs that ended after `since` and up to `until`."""
    ended = (
        select_as(runs, SummarizedRun)
        .add_columns(sources.c.slug)
        .outerjoin_from(runs, sources, sources.c.id == runs.c.source_id)
        .where(runs.c.finished_at > since, runs.c.finished_at <= until)
    )
    return fetch_as(conn, ended, SummarizedRun)


def list_runs(
    conn: Connection,
    *,
    source: str | None = None,
    kind: RunKind | None = None,
    status: RunStatus | None = None,
    before: int | None = None,
    limit: int = 20,
) -> list[RunView]:
    """The latest runs, newest first; `before`: of those with a smaller number."""
    source_id = None if source is None else source_row(conn, source, removed=True).id
    query = only(_runs(), (runs.c.source_id, source_id), (runs.c.kind, kind), (runs.c.status, status))
    return _read(conn, newest(query, runs.c.id, before=before, limit=limit))


def latest_closed(conn: Connection) -> int:
    """The last run before the first that is still open; 0: there is none."""
    still_open = runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED))
    first_open = conn.scalar(select(func.min(runs.c.id)).where(still_open))
    newest = conn.scalar(select(func.max(runs.c.id))) or 0
    return newest if first_open is None else first_open - 1


def latest_closed_runs(conn: Connection, slug: str | None = None) -> list[RunView]:
    """Of each source (or of one) and each of its run kinds, the latest run that is over."""
    condition = (runs.c.source_id == schedules.c.source_id) & (runs.c.kind == schedules.c.kind)
    still_open = runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED))
    latest = select(func.max(runs.c.id)).where(condition, ~still_open).correlate(schedules).scalar_subquery()
    numbers = select(latest).select_from(schedules)
    if slug is not None:
        numbers = numbers.where(schedules.c.source_id == source_row(conn, slug).id)
    query = _runs().where(runs.c.id.in_(numbers)).order_by(runs.c.id.desc())
    return _read(conn, query)


def runs_since(conn: Connection, newest_id: int, also: Sequence[int]) -> list[RunView]:
    """Runs that were opened after `newest_id`, and those named in `also`; newest first."""
    condition = (runs.c.id > newest_id) | runs.c.id.in_(also)
    return _read(conn, _runs().where(condition).order_by(runs.c.id.desc()).limit(1000))


def get_run(conn: Connection, run_id: int) -> RunView:
    """One run and its counts."""
    run_row(conn, run_id)
    (run,) = _read(conn, _runs().where(runs.c.id == run_id))
    return run


def latest_errors(conn: Connection, run_id: int, *, limit: int) -> list[Mapping[str, Any]]:
    """The errors of a run, newest first."""
    query = select(errors.c.at, errors.c.stage, errors.c.type, errors.c.message)
    latest = query.where(errors.c.run_id == run_id).order_by(errors.c.id.desc()).limit(limit)
    return [dict(row) for row in conn.execute(latest).mappings()]


def sources_of(conn: Connection, run_ids: Sequence[int]) -> list[int]:
    """The sources that these runs are about."""
    query = select(runs.c.source_id).where(runs.c.id.in_(run_ids), runs.c.source_id.is_not(None))
    return [int(each) for each in conn.scalars(query)]


def open_runs_of_site(conn: Connection, site_id: int) -> list[int]:
    """Runs of a site's sources that are not over."""
    under_way = runs.c.status.in_((RunStatus.RUNNING, RunStatus.PAUSED))
    query = select(runs.c.id).join(sources, sources.c.id == runs.c.source_id)
    return list(conn.scalars(query.where(sources.c.site_id == site_id, under_way)))


def _runs() -> Select[Any]:
    columns = [runs.c[name] for name in RunView.__dataclass_fields__ if name in runs.c]
    verifies = runs.c.kind == RunKind.VERIFICATION
    checks = [case((verifies, runs.c.state[name].as_integer())).label(name) for name in _CHECKS]
    return select(*columns, *checks, runs.c.drift, sources.c.slug.label("source")).outerjoin(
        sources, sources.c.id == runs.c.source_id
    )


def _read(conn: Connection, query: Select[Any]) -> list[RunView]:
    return [view_of(RunView, row, checks=_checks(row), **_stock(row)) for row in conn.execute(query)]


def _stock(row: Row[Any]) -> Mapping[str, int]:
    counts = PageYield(**row.drift) if row.drift else NO_YIELD
    return {"unknown_stock": counts.unknown_stock, "of_own_pages": counts.of_own_pages}


def _checks(row: Row[Any]) -> Mapping[str, int] | None:
    if row.kind != RunKind.VERIFICATION:
        return None
    return {name: getattr(row, name) or 0 for name in _CHECKS}
