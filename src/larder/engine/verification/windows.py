"""Closes a window of checks: applies their results to the records, and records each change.

Controls are requested first, last and in between. If they are alive, the site worked normally during the
whole window, in whatever order answers arrive. If a window has fewer than two of them, evidence against a
record counts only between two answers that were alive: an outage that begins or ends within it proves
nothing.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.record import Verification
from larder.core.model.run import CheckResult, WindowClosed
from larder.core.model.source import Source
from larder.core.policy.freshness import Freshness, found_alive
from larder.core.policy.run_limits import limit_of
from larder.core.policy.trust.verification import RecordState, VerificationRules, is_candidate
from larder.runs.fold import CloseWindow
from larder.store.database import Connection, micros_or_none, moment, moment_or_none
from larder.store.dataset import changes, verifications
from larder.store.dataset.changes import NewChange
from larder.store.dataset.freshness import FreshnessColumns
from larder.store.dataset.verifications import AliveAnswers, RecordStateRow, WindowCheck

CONTROL_MISSING = "the control checks failed: outage, block or relaunch"
SEEN_MEANWHILE = "the record was seen meanwhile"
FIRST_AND_LAST = 2
"""Controls between which all other requests of a window were sent."""
_HOURS = ("strikes_apart", "unseen_for", "alive_for")


def verification_rules(source: Source) -> VerificationRules:
    """A source's verification rules: the defaults, unless its params differ (`strikes_apart_hours` …)."""
    params = source.params
    hours: dict[str, Any] = {name: timedelta(hours=limit_of(f"{name}_hours", params)) for name in _HOURS}
    return VerificationRules(strikes_to_gone=int(limit_of("strikes_to_gone", params)), **hours)


@dataclass(frozen=True, slots=True, kw_only=True)
class _AppliedCheck:
    """A check, and the state of its record before and after it."""

    row: WindowCheck
    found: CheckResult
    before: RecordState
    after: RecordState
    why: str = CONTROL_MISSING
    """Why its result does not count; empty if it does."""

    @property
    def change(self) -> str | None:
        if self.after.verification is Verification.GONE and self.before.verification is not Verification.GONE:
            return "gone"
        return "back" if self.after.active and not self.before.active else None


def close_window(
    conn: Connection, run_id: int, closing: CloseWindow, source: Source, *, now: datetime
) -> WindowClosed:
    """Apply a window's checks. If the window proves nothing, its records stay pending."""
    rows = verifications.list_window(conn, run_id, closing.window)
    itself = verifications.alive_answers(conn, run_id, closing.window) if closing.decided else None
    rules = verification_rules(source)
    checks = [_apply_check(row, itself, rules) for row in rows]
    dropped = [(check.row.id, check.why) for check in checks if check.found != check.row.outcome]
    verifications.close_window(conn, run_id, closing.window, [_columns(check) for check in checks], dropped)
    news = [
        NewChange(e.row.record_id, e.row.source_id, e.change, {"run": run_id}) for e in checks if e.change
    ]
    changes.add(conn, news, now=now)
    return _window_closed(checks)


def _window_closed(checks: list[_AppliedCheck]) -> WindowClosed:
    gone = sum(check.change == "gone" for check in checks)
    against = sum(check.found in (CheckResult.STRIKE, CheckResult.GONE) for check in checks)
    return WindowClosed(
        alive=sum(check.found is CheckResult.ALIVE for check in checks),
        struck=against - gone,
        gone=gone,
        undecided=sum(check.found is CheckResult.UNDECIDED for check in checks),
    )


def _apply_check(row: WindowCheck, itself: AliveAnswers | None, rules: VerificationRules) -> _AppliedCheck:
    """Apply one check; if its record was seen meanwhile, the check is dropped.

    A missing page found by this very check does not make the record its candidate.
    """
    before = RecordState(
        active=bool(row.active),
        verification=Verification(row.verification) if row.verification else None,
        strikes=row.strikes,
        struck_at=moment_or_none(row.struck_at),
        verified_at=moment_or_none(row.verified_at),
        deactivated_at=moment_or_none(row.deactivated_at),
        missing_at=moment_or_none(row.missing_at) if (row.missing_at or row.at) < row.at else None,
    )
    result = _result_within(row, itself)
    if row.last_seen_at >= row.at or (
        result is not CheckResult.ALIVE and not _is_candidate(row, before, rules)
    ):
        return _AppliedCheck(
            row=row, found=CheckResult.UNDECIDED, before=before, after=before, why=SEEN_MEANWHILE
        )
    return _AppliedCheck(
        row=row, found=result, before=before, after=before.checked(result, moment(row.at), rules)
    )


def _result_within(row: WindowCheck, itself: AliveAnswers | None) -> CheckResult:
    """The result, if the controls were alive or it lies between two answers that were."""
    around = itself is not None and itself.controls >= FIRST_AND_LAST
    proved = around or (itself is not None and itself.since <= row.at <= itself.until)
    return CheckResult(row.outcome) if proved else CheckResult.UNDECIDED


def _is_candidate(row: WindowCheck, before: RecordState, rules: VerificationRules) -> bool:
    return is_candidate(
        before,
        moment(row.at),
        last_seen_at=moment(row.last_seen_at),
        shown_until=moment(row.shown_until),
        rules=rules,
    )


def _columns(check: _AppliedCheck) -> RecordStateRow:
    row, after = check.row, check.after
    freshness = Freshness(base=row.base, anchored_at=moment(row.anchored_at), rate=row.rate)
    if after.verification is Verification.VERIFIED and after.verified_at == moment(row.at):
        freshness = found_alive(moment(row.at), row.rate).or_stronger(freshness)
    return RecordStateRow(
        row.record_id,
        int(after.active),
        after.verification,
        after.strikes,
        micros_or_none(after.struck_at),
        micros_or_none(after.verified_at),
        micros_or_none(after.deactivated_at),
        FreshnessColumns.of(freshness),
    )
