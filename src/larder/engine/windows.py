"""Closing a window of checks: what they say is acted upon, if the site was itself; each change is told."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.core.model.record import Verification
from larder.core.model.run import Verdict
from larder.core.model.source import Source
from larder.core.policy.freshness import Freshness, found_alive
from larder.core.policy.verification import STRIKES_TO_GONE, Standing, VerificationRules
from larder.runs.fold import CloseWindow
from larder.store import changes, verifications
from larder.store.statement import AnyRow
from larder.store.tables.columns import micros, moment, moment_or_none


def close(conn: Connection, run_id: int, closing: CloseWindow, source: Source, *, now: datetime) -> None:
    """Settle a window. Where it proves nothing, its records stay as they are, pending."""
    rules = VerificationRules(strikes_to_gone=int(source.params.get("strikes_to_gone", STRIKES_TO_GONE)))
    rows = verifications.of_window(conn, run_id, closing.window)
    stands = [(row, _stands(row, decided=closing.decided, rules=rules)) for row in rows]
    verifications.close(conn, run_id, closing.window, [_columns(row, after) for row, after in stands])
    changed = [(row, change) for row, after in stands if (change := _change(row, after))]
    changes.add(
        conn, [(row.record_id, row.source_id, change, {"run": run_id}) for row, change in changed], now=now
    )


def _stands(row: AnyRow, *, decided: bool, rules: VerificationRules) -> Standing:
    """The record after its check. One that was seen after the check has spoken for itself."""
    before = Standing(
        active=bool(row.active),
        verification=Verification(row.verification) if row.verification else None,
        strikes=row.strikes,
        struck_at=moment_or_none(row.struck_at),
        verified_at=moment_or_none(row.verified_at),
        deactivated_at=moment_or_none(row.deactivated_at),
    )
    if row.last_seen_at >= row.at:
        return before
    found = Verdict(row.outcome) if decided else Verdict.UNDECIDED
    return before.checked(found, moment(row.at), rules)


def _columns(row: AnyRow, after: Standing) -> tuple[Any, ...]:
    fresh = Freshness(base=row.base, anchored_at=moment(row.anchored_at), rate=row.rate)
    if after.verification is Verification.VERIFIED and after.verified_at == moment(row.at):
        fresh = found_alive(moment(row.at), row.rate).or_stronger(fresh)
    return (
        row.record_id,
        int(after.active),
        after.verification,
        after.strikes,
        _micros(after.struck_at),
        _micros(after.verified_at),
        _micros(after.deactivated_at),
        fresh.base,
        micros(fresh.anchored_at),
        micros(fresh.shown_until),
        micros(fresh.dead_at),
    )


def _micros(at: datetime | None) -> int | None:
    return None if at is None else micros(at)


def _change(row: AnyRow, after: Standing) -> str | None:
    if after.verification is Verification.GONE and row.verification != Verification.GONE:
        return "gone"
    return "back" if after.active and not row.active else None
