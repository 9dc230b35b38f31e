"""Is a record gone, or was it merely not reached?

Only the site's own answer about the record counts against it, and only while the site works as usual: each
window of checks has controls, records that must be there. If one is missing, the window proves nothing. What
cannot be reached stays pending; what nobody confirmed for too long lapses; neither is called gone.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from larder.core.model.outcome import FetchOutcome
from larder.core.model.record import Verification
from larder.core.model.run import CheckResult
from larder.core.policy.trust.gone_wording import GoneNotice

STRIKES_TO_GONE = 2
STRIKES_APART = timedelta(hours=3)
UNSEEN_FOR = timedelta(hours=24)
ALIVE_FOR = timedelta(hours=24)
"""How long a check that found a record alive counts."""
WINDOW = 50
CONTROLS = 3
CONTROL_SEEN_WITHIN = timedelta(hours=3)
UNDECIDED_TO_SUSPECT = 2


def result_of_response(
    outcome: FetchOutcome, *, lacks_record: bool = False, notice: GoneNotice | None = None
) -> CheckResult:
    """What a response says about its record.

    `lacks_record`: it was redirected to the index or the home page, or its page does not show the record.
    """
    match outcome:
        case FetchOutcome.NOT_FOUND:
            return CheckResult.STRIKE
        case FetchOutcome.GONE:
            return CheckResult.GONE
        case FetchOutcome.OK | FetchOutcome.NOT_MODIFIED:
            return CheckResult.STRIKE if lacks_record else _BY_WORDS[notice]
        case _:
            return CheckResult.UNDECIDED


_BY_WORDS = {
    None: CheckResult.ALIVE,
    GoneNotice.GONE: CheckResult.GONE,
    GoneNotice.NOT_FOUND: CheckResult.STRIKE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationRules:
    """The numbers of one source."""

    strikes_to_gone: int = STRIKES_TO_GONE
    strikes_apart: timedelta = STRIKES_APART
    unseen_for: timedelta = UNSEEN_FOR
    alive_for: timedelta = ALIVE_FOR


DEFAULTS = VerificationRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordState:
    """A record's state after sightings and checks."""

    active: bool = True
    verification: Verification | None = None
    strikes: int = 0
    struck_at: datetime | None = None
    """When the last evidence against it was found."""
    verified_at: datetime | None = None
    """When a check last found it alive."""
    deactivated_at: datetime | None = None
    missing_at: datetime | None = None
    """When its own page last answered that it is not there."""

    def checked(
        self, result: CheckResult, at: datetime, rules: VerificationRules = DEFAULTS
    ) -> "RecordState":
        """Apply a check. A gone record can only be found alive."""
        if self.verification is Verification.GONE and result is not CheckResult.ALIVE:
            return self
        match result:
            case CheckResult.ALIVE:
                return RecordState(verification=Verification.VERIFIED, verified_at=at)
            case CheckResult.GONE:
                return self._gone(at, self.strikes)
            case CheckResult.STRIKE:
                return self._struck(at, rules)
            case CheckResult.UNDECIDED:
                return self._pending()

    def _struck(self, at: datetime, rules: VerificationRules) -> "RecordState":
        if self.struck_at is not None and at - self.struck_at < rules.strikes_apart:
            return self._pending()
        if self.strikes + 1 >= rules.strikes_to_gone:
            return self._gone(at, self.strikes + 1)
        return replace(self._pending(), strikes=self.strikes + 1, struck_at=at)

    def _gone(self, at: datetime, strikes: int) -> "RecordState":
        return replace(
            self,
            active=False,
            verification=Verification.GONE,
            strikes=strikes,
            struck_at=at,
            deactivated_at=self.deactivated_at or at,
        )

    def _pending(self) -> "RecordState":
        return replace(self, verification=Verification.PENDING) if self.active else self


def is_candidate(
    standing: RecordState,
    now: datetime,
    *,
    last_seen_at: datetime,
    shown_until: datetime,
    rules: VerificationRules = DEFAULTS,
) -> bool:
    """Below 40, or its page is not there, or neither seen nor found alive for a day.

    Lapsed records stay candidates, gone ones do not.
    """
    if not standing.active:
        return standing.verification is Verification.LAPSED
    confirmed = standing.verified_at is not None and now - standing.verified_at < rules.alive_for
    if standing.missing_at is not None:
        return True
    return now >= shown_until or (not confirmed and now - last_seen_at >= rules.unseen_for)


class Window(StrEnum):
    """The result of a window of checks."""

    DECIDED = "decided"
    UNDECIDED = "undecided"
    """A control was missing: outage, block or relaunch."""
    UNVOUCHED = "unvouched"
    """There was no control, and no answer that was alive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """Two undecided windows in a row make a run suspect, and it stays so."""

    undecided_in_a_row: int = 0
    suspect: bool = False

    def after(self, window: Window) -> "Suspicion":
        """After one more window; an unvouched window says nothing about the site."""
        if window is Window.UNVOUCHED:
            return self
        row = self.undecided_in_a_row + 1 if window is Window.UNDECIDED else 0
        return Suspicion(undecided_in_a_row=row, suspect=self.suspect or row >= UNDECIDED_TO_SUSPECT)
