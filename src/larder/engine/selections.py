"""Answers to a run's selections: which pages the store names, and what the run is told about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from larder.core.model.job import PageRequest, Purpose
from larder.core.model.run import Selected
from larder.core.model.source import Source
from larder.core.policy.head_trust import HeadTrust
from larder.core.policy.verification import ALIVE_FOR, CONTROL_SEEN_WITHIN, CONTROLS, UNSEEN_FOR
from larder.runs.fold import Select, Selection
from larder.store import changes, selections, sources, targets, verifications
from larder.store.runs import Run
from larder.store.statement import AnyRow

DETAIL_OLDER_THAN = timedelta(hours=24)
CONTROL_VERIFIED_WITHIN = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """The pages of a window."""

    pages: Sequence[PageRequest]
    selected: Selected


def answer(conn: Connection, ask: Select, run: Run, source: Source, *, now: datetime) -> Picked:
    """What the store names for this run now."""
    match ask.what:
        case Selection.STALEST:
            return _stalest(conn, ask, run, source, now=now)
        case Selection.CHECKS:
            return _checks(conn, ask, run, source, now=now)
        case Selection.TARGETS:
            return _targets(conn, ask, source, now=now)


def _stalest(conn: Connection, ask: Select, run: Run, source: Source, *, now: datetime) -> Picked:
    rows = selections.stalest(
        conn,
        source_id=source.id,
        run_id=run.id,
        since=run.started_at,
        before=now - DETAIL_OLDER_THAN,
        most=ask.limit,
    )
    pages = [
        PageRequest(url=row.url, purpose=Purpose.DETAIL, context={"key": row.identity_key}) for row in rows
    ]
    return Picked(pages=pages, selected=Selected(pages=len(pages)))


def _checks(conn: Connection, ask: Select, run: Run, source: Source, *, now: datetime) -> Picked:
    _lapse(conn, source, now=now)
    rows = selections.to_check(
        conn,
        source_id=source.id,
        started=run.started_at,
        unseen_since=now - UNSEEN_FOR,
        verified_before=now - ALIVE_FOR,
        now=now,
        most=ask.limit,
    )
    if not rows:
        return Picked(pages=(), selected=Selected())
    checked = {row.id for row in rows}
    vouching = selections.controls(
        conn,
        source_id=source.id,
        seen_since=now - CONTROL_SEEN_WITHIN,
        verified_since=now - CONTROL_VERIFIED_WITHIN,
        now=now,
        most=CONTROLS + len(rows),
    )
    controls = [row for row in vouching if row.id not in checked][:CONTROLS]
    trust = sources.head_trust(conn, source.id)
    pages = [
        _check(row, ask.window, trust, n, control=n < len(controls))
        for n, row in enumerate([*controls, *rows])
    ]
    return Picked(pages=pages, selected=Selected(checks=len(rows), controls=len(controls), pages=len(pages)))


def _check(row: AnyRow, window: int, trust: HeadTrust, n: int, *, control: bool) -> PageRequest:
    method = HeadTrust(
        checks=trust.checks + n, compared=trust.compared + n, agreed_in_a_row=trust.agreed_in_a_row
    ).method()
    context = {"record": row.id, "window": window, "control": control, "method": method.value}
    return PageRequest(url=row.url, purpose=Purpose.CHECK, context=context)


def _lapse(conn: Connection, source: Source, *, now: datetime) -> None:
    lapsed = verifications.lapse(conn, source.id, now=now)
    changes.add(conn, [(i, source.id, "lapsed", None) for i in lapsed], now=now)


def _targets(conn: Connection, ask: Select, source: Source, *, now: datetime) -> Picked:
    rows = targets.take_due(conn, source.id, now=now, most=ask.limit)
    pages = [PageRequest(url=row.url, purpose=Purpose.TARGET, context={"target": row.id}) for row in rows]
    return Picked(pages=pages, selected=Selected(pages=len(pages)))
