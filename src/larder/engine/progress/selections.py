"""Resolves a run's selections: which pages the store chooses, and what the fold learns about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from larder.core.model.job import PageRequest, Purpose
from larder.core.model.money import from_minor
from larder.core.model.run import PagesSelected, RunKind
from larder.core.model.source import Plan, Source
from larder.core.policy.trust.head_trust import FIRST_CHECKS, CheckMethod, HeadTrust
from larder.core.policy.trust.record_evidence import identifier_of
from larder.core.policy.trust.verification import CONTROL_SEEN_WITHIN, CONTROLS
from larder.engine.verification.windows import verification_rules
from larder.runs import adaptive
from larder.runs.fold import Selection, SelectPages
from larder.store.database import Connection, moment
from larder.store.dataset import verifications
from larder.store.queue import schedules, selections, sources, targets
from larder.store.queue.runs import Run
from larder.store.queue.selections import CandidateRules, ControlRecord, SelectedRecord

DETAIL_OLDER_THAN = timedelta(hours=24)
CONTROL_VERIFIED_WITHIN = timedelta(days=7)
MAX_TITLE = 200
CONTROL_POOL = 50
"""Controls rotate through this many records, so that one odd record cannot spoil every window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedPages:
    """The pages of a window."""

    pages: Sequence[PageRequest]
    selected: PagesSelected


def resolve(conn: Connection, ask: SelectPages, run: Run, source: Source, *, now: datetime) -> SelectedPages:
    """The pages of a selection."""
    match ask.what:
        case Selection.STALEST:
            return _stalest(conn, ask, run, source, now=now)
        case Selection.CHECKS | Selection.FADED:
            return _checks(conn, ask, run, source, now=now)
        case Selection.TARGETS:
            return _targets(conn, ask, source, now=now)


def _stalest(conn: Connection, ask: SelectPages, run: Run, source: Source, *, now: datetime) -> SelectedPages:
    rows = selections.list_stalest(
        conn,
        source_id=source.id,
        run_id=run.id,
        since=run.started_at,
        before=now - (ask.older_than or DETAIL_OLDER_THAN),
        limit=ask.limit,
    )
    pages = [
        PageRequest(url=row.url, purpose=Purpose.DETAIL, context={"key": row.identity_key}) for row in rows
    ]
    read_at = [moment(row.last_scraped_at) for row in rows if row.last_scraped_at is not None]
    hours = sum((now - at) / timedelta(hours=1) for at in read_at)
    return SelectedPages(pages=pages, selected=PagesSelected(pages=len(pages), hours=hours))


def _checks(conn: Connection, ask: SelectPages, run: Run, source: Source, *, now: datetime) -> SelectedPages:
    verifications.lapse_records(conn, source.id, now=now)
    rules = verification_rules(source)
    doubt = CandidateRules(
        started=run.started_at,
        unseen_since=_unseen_since(conn, source, now, rules.unseen_for),
        verified_before=now - rules.alive_for,
        struck_before=now - rules.strikes_apart,
        faded_only=ask.what is Selection.FADED,
    )
    rows = selections.list_verification_candidates(conn, source.id, doubt, now=now, limit=ask.limit)
    if not rows:
        return SelectedPages(pages=(), selected=PagesSelected())
    controls = _controls(conn, source, but=rows, turn=run.id + ask.window, now=now)
    trust = sources.head_trust(conn, source.id)
    pages = [
        _check_request(row, ask.window, trust, n, control=control)
        for n, (row, control) in enumerate(_interleave(controls, rows))
    ]
    return SelectedPages(
        pages=pages, selected=PagesSelected(checks=len(rows), controls=len(controls), pages=len(pages))
    )


def _unseen_since(conn: Connection, source: Source, now: datetime, unseen_for: timedelta) -> datetime:
    if source.plan is not Plan.ADAPTIVE:
        return now - unseen_for
    sweep = schedules.memory_of(conn, source.id, RunKind.SWEEP)
    return adaptive.unseen_since(sweep, now, unseen_for=unseen_for)


def _controls(
    conn: Connection, source: Source, *, but: Sequence[SelectedRecord], turn: int, now: datetime
) -> list[ControlRecord]:
    """Records that must exist: seen by an index recently, else found alive recently; they rotate.

    A single control is requested twice: first and last.
    """
    limit = CONTROL_POOL + len(but)
    checked = {row.id for row in but}
    seen = selections.list_recently_seen(conn, source.id, since=now - CONTROL_SEEN_WITHIN, limit=limit)
    controls = [row for row in seen if row.id not in checked]
    controls = [row for row in controls if row.last_scraped_at is not None] or controls
    if len(controls) < CONTROLS:
        known = checked | {row.id for row in controls}
        since = now - CONTROL_VERIFIED_WITHIN
        alive = selections.list_recently_verified(conn, source.id, since=since, limit=limit)
        controls = (controls + [row for row in alive if row.id not in known])[:CONTROLS]
    if len(controls) < CONTROLS:
        return controls if len(controls) > 1 else controls * 2
    first = turn * CONTROLS
    return [controls[(first + n) % len(controls)] for n in range(CONTROLS)]


def _interleave(
    controls: Sequence[ControlRecord], rows: Sequence[SelectedRecord]
) -> list[tuple[ControlRecord | SelectedRecord, bool]]:
    """In the order of requests: a control first and last, the others in between. True marks a control."""
    gaps = max(len(controls) - 1, 1)
    mixed: list[tuple[ControlRecord | SelectedRecord, bool]] = []
    for n, control in enumerate(controls):
        since, until = (len(rows) * k // gaps for k in (n, n + 1))
        mixed += [(control, True), *((row, False) for row in rows[since:until])]
    return mixed or [(row, False) for row in rows]


def _check_request(
    row: ControlRecord | SelectedRecord, window: int, trust: HeadTrust, n: int, *, control: bool
) -> PageRequest:
    """Controls use GET, because HEAD hides an empty page or a block page."""
    learnt = HeadTrust(
        checks=trust.checks + n, compared=trust.compared + n, agreed_in_a_row=trust.agreed_in_a_row
    )
    method = learnt.method()
    if control and learnt.compared >= FIRST_CHECKS:
        method = CheckMethod.GET
    context = {
        "record": row.id,
        "window": window,
        "control": control,
        "method": method.value,
        "signs": _signs(row),
    }
    return PageRequest(url=row.url, purpose=Purpose.CHECK, context=context)


def _signs(row: ControlRecord | SelectedRecord) -> dict[str, str | None]:
    """The signs by which the page of a check may show its record."""
    price = None if row.price_minor is None else f"{from_minor(row.price_minor, row.currency):f}"
    return {"title": row.title[:MAX_TITLE], "id": identifier_of(row.identity_key), "price": price}


def _targets(conn: Connection, ask: SelectPages, source: Source, *, now: datetime) -> SelectedPages:
    rows = targets.claim_due(conn, source.id, now=now, limit=ask.limit)
    pages = [PageRequest(url=row.url, purpose=Purpose.TARGET, context={"target": row.id}) for row in rows]
    return SelectedPages(pages=pages, selected=PagesSelected(pages=len(pages)))
