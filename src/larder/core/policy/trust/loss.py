"""Did a run lose anything of what its pages showed?

Green means that nothing was lost. Items left out for an unexpected reason, pages that could not be read, a
limit that was reached and far fewer rows than the site advertises make a run `partial`; a run that found
items and stored none has failed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from larder.core.model.outcome import DropReason, FetchOutcome
from larder.core.model.run import RunStatus
from larder.core.plurals import plural
from larder.core.policy.trust.circuit import FAILURES_TO_OPEN

EXPECTED = frozenset({DropReason.OOS_NO_PRICE, DropReason.DUPLICATE_WITHIN_RUN})
"""Reasons that say nothing against the reading."""
REMOVED = frozenset({FetchOutcome.NOT_FOUND, FetchOutcome.GONE})
"""Not misread: the page was removed after its index showed it."""
FEW_REMOVED = 2
REMOVED_SHARE = 20
"""Of so many pages one may be removed between its index page and its own fetch; more of them are broken
links.
"""
ALERTED = frozenset({"quota"})
"""Reasons with an alert of their own."""
FORBIDDEN = frozenset({DropReason.BLOCKED_BY_ROBOTS_TXT, DropReason.TERMS})
"""Pages that robots.txt or terms forbid. They count neither for a circuit nor for drift: one of them alerts.
"""
FAILED_TO_ALERT = FAILURES_TO_OPEN
"""Fewer failed pages alert only if they persist: as a circuit, failed runs in a row or drift."""
MAX_ITEMS = "max_items_per_run"
"""The limit that leaves detail pages unread."""
PAGES_NOT_READ = "pages_not_read"
"""The code of a run whose worst loss is pages that it could not read."""
INDEX_UNREADABLE = "index_unreadable"
NEXT_PAGE_UNKNOWN = "next_page_unknown"
UNFINISHED = frozenset({INDEX_UNREADABLE, NEXT_PAGE_UNKNOWN})
"""The codes of runs that ended before their index did: nothing is known of rows behind its last page."""
MIN_SHARE = 0.8
"""Fewer of the advertised rows than this are far fewer."""
_WORSE = {RunStatus.COMPLETED: 0, RunStatus.PARTIAL: 1, RunStatus.FAILED: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Items that were left out, or pages that were not read, for one reason, with an example."""

    items: int
    details: str = ""
    """What was wrong with the first of them: which field is missing, which value is not usable."""
    page: str = ""

    def __add__(self, other: "LeftOut") -> "LeftOut":
        return LeftOut(items=self.items + other.items, details=self.details or other.details, page=self.page)


def sum_left_out(one: Mapping[str, LeftOut], other: Mapping[str, LeftOut]) -> dict[str, LeftOut]:
    """The sum of two counts by reason."""
    both = {reason: one[reason] + other[reason] for reason in one if reason in other}
    return {**one, **other, **both}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTotals:
    """What the pages of a run showed, and the outcome."""

    things: str = "items"
    stored: int = 0
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)
    not_read: Mapping[str, LeftOut] = field(default_factory=dict)
    """Pages, by reason."""
    pages: int = 0
    """Pages that were read."""
    rows_shown: int = 0
    advertised: int | None = None
    limit: str | None = None
    """The setting that ended the run before the index did."""

    @property
    def unexpected(self) -> Mapping[str, LeftOut]:
        """What was left out and should not have been."""
        return {reason: left for reason, left in self.left_out.items() if reason not in EXPECTED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What a run lost: the status it deserves at best, a code, and a sentence for people."""

    status: RunStatus
    code: str
    message: str
    alert: bool = True


def judge_loss(totals: RunTotals) -> Loss | None:
    """Everything that a run lost, with the worst status; None where nothing was lost."""
    found = [loss for check in _CHECKS if (loss := check(totals)) is not None]
    if not found:
        return None
    worst = max(found, key=lambda each: _WORSE[each.status])
    message = "; ".join(each.message for each in found)
    return replace(worst, message=message, alert=any(each.alert for each in found))


def _left_out(totals: RunTotals) -> Loss | None:
    lost = sum(left.items for left in totals.unexpected.values())
    if not lost:
        return None
    reasons = _reasons(totals.unexpected)
    if not totals.stored:
        message = f"{lost} {totals.things} found, none stored: {reasons}"
        return Loss(status=RunStatus.FAILED, code="nothing_stored", message=message)
    message = f"{lost} of {lost + totals.stored} {totals.things} left out: {reasons}"
    return Loss(status=RunStatus.PARTIAL, code="items_left_out", message=message, alert=lost > totals.stored)


def _rows_missing(totals: RunTotals) -> Loss | None:
    if (
        not totals.advertised
        or totals.limit is not None
        or totals.rows_shown >= totals.advertised * MIN_SHARE
    ):
        return None
    message = f"the site advertises {totals.advertised} {totals.things}, its pages showed {totals.rows_shown}"
    return Loss(status=RunStatus.PARTIAL, code="rows_missing", message=message)


def _not_read(totals: RunTotals) -> Loss | None:
    blameless = {*removed_pages(totals.not_read, totals.pages, totals.rows_shown), MAX_ITEMS}
    unread = {reason: left for reason, left in totals.not_read.items() if reason not in blameless}
    pages = sum(left.items for left in unread.values())
    if not pages:
        return None
    message = f"{plural(pages, 'page')} not read: {_reasons(unread)}"
    status = RunStatus.PARTIAL if totals.stored else RunStatus.FAILED
    alert = pages > totals.pages and _alerts(unread)
    return Loss(status=status, code=PAGES_NOT_READ, message=message, alert=alert)


def _alerts(unread: Mapping[str, LeftOut]) -> bool:
    """Whether enough pages failed, or one is forbidden. Reasons with their own alert do not count."""
    counted = {reason: left.items for reason, left in unread.items() if reason not in ALERTED}
    return sum(counted.values()) >= FAILED_TO_ALERT or not FORBIDDEN.isdisjoint(counted)


def removed_pages(not_read: Mapping[str, LeftOut], pages: int, rows: int) -> frozenset[str]:
    """Reasons that are no loss: pages that were removed, unless too many are missing.

    Of pages that an index of this run had just shown, a few may be; of others as many as were read.
    """
    missing = sum(left.items for reason, left in not_read.items() if reason in REMOVED)
    most = max(FEW_REMOVED, pages // REMOVED_SHARE) if rows else pages
    return frozenset() if missing > min(most, pages) else frozenset(REMOVED)


def _limit(totals: RunTotals) -> Loss | None:
    limit = totals.limit or (MAX_ITEMS if MAX_ITEMS in totals.not_read else None)
    if limit is None:
        return None
    message = f"{limit} was reached{_beyond(totals) or ' before the end of the index'}"
    return Loss(status=RunStatus.PARTIAL, code=limit, message=message, alert=False)


def _beyond(totals: RunTotals) -> str:
    """The rows that lie beyond the limit, as far as the site's pages show."""
    pages = totals.not_read[MAX_ITEMS].items if MAX_ITEMS in totals.not_read else 0
    rows = max(0, (totals.advertised or 0) - totals.rows_shown)
    parts = [f"{plural(pages, 'detail page')} not requested"] if pages else []
    parts += [f"{rows} of {totals.advertised} advertised {totals.things} not read"] if rows else []
    return f": {', '.join(parts)}" if parts else ""


_CHECKS = (_rows_missing, _left_out, _not_read, _limit)


def worse_status(status: RunStatus, loss: Loss | None) -> RunStatus:
    """The worse of the status with which a run ended and that of its loss."""
    if loss is None or _WORSE.get(status, 3) >= _WORSE[loss.status]:
        return status
    return loss.status


def _reasons(left_out: Mapping[str, LeftOut]) -> str:
    """The most frequent reason first, with its example."""
    ranked = sorted(left_out.items(), key=lambda pair: -pair[1].items)
    return "; ".join(_reason(name, left) for name, left in ranked[:3])


def _reason(name: str, left: LeftOut) -> str:
    details = f" ({left.details})" if left.details else ""
    page = f", for example on {left.page}" if left.page else ""
    return f"{left.items} × {name.replace('_', ' ')}{details}{page}"
