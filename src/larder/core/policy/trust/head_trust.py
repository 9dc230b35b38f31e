"""Is this source's HEAD reliable?

HEAD is cheap, but some servers answer 405 to it, and some 200 for everything. So the first twenty checks
send both; HEAD is trusted once twenty comparisons in a row agreed, and one check in fifty still compares.
Agreement on 200 proves little: the twentieth must be about a missing record that HEAD reports as missing.
One disagreement leads back to GET. Even a trusted HEAD never counts against a record: that takes a GET.
"""

from dataclasses import dataclass
from enum import StrEnum

from larder.core.model.run import CheckResult

FIRST_CHECKS = 20
ONE_IN = 50
HEAD_REFUSED = frozenset({400, 403, 405, 501})
"""Statuses of servers that refuse the method, not the page."""


class CheckMethod(StrEnum):
    """How a check is sent."""

    HEAD = "head"
    GET = "get"
    BOTH = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadTrust:
    """How far a source's answers to HEAD agreed with those to GET."""

    checks: int = 0
    compared: int = 0
    agreed_in_a_row: int = 0

    @property
    def trusted(self) -> bool:
        """Whether HEAD alone may decide a check."""
        return self.agreed_in_a_row >= FIRST_CHECKS

    def method(self) -> CheckMethod:
        """How the next check is sent."""
        if self.compared < FIRST_CHECKS or self.checks % ONE_IN == 0:
            return CheckMethod.BOTH
        return CheckMethod.HEAD if self.trusted else CheckMethod.GET

    def checked(self) -> "HeadTrust":
        """Counts a check that was sent by HEAD or GET alone."""
        return HeadTrust(checks=self.checks + 1, compared=self.compared, agreed_in_a_row=self.agreed_in_a_row)

    def checked_both_ways(self, *, head: CheckResult, get: CheckResult) -> "HeadTrust":
        """A check was sent both ways; an undecided GET compares with nothing."""
        if get is CheckResult.UNDECIDED:
            return self.checked()
        return HeadTrust(
            checks=self.checks + 1, compared=self.compared + 1, agreed_in_a_row=self._agreed(head, get)
        )

    def _agreed(self, head: CheckResult, get: CheckResult) -> int:
        agreed = self.agreed_in_a_row + 1 if head is get else 0
        untold = head is CheckResult.ALIVE and not self.trusted
        return min(agreed, FIRST_CHECKS - 1) if untold else agreed


def needs_get(head: CheckResult, status: int | None) -> bool:
    """After a HEAD: is a GET needed?"""
    return head in (CheckResult.STRIKE, CheckResult.GONE) or status in HEAD_REFUSED
