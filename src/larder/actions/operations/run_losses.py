"""What runs lost, for people: counts, and each reason with its next step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from larder.core.model.hint import Hint
from larder.core.model.outcome import DropReason, FailReason, FetchOutcome, QuarantineReason
from larder.core.plurals import plural
from larder.core.policy.trust.loss import EXPECTED, MAX_ITEMS, NEXT_PAGE_UNKNOWN, REMOVED, UNFINISHED
from larder.sdk.urls import registrable_domain
from larder.store.reads.operators.runs import RunView

_TURNED_AWAY = frozenset({FetchOutcome.BLOCKED, FailReason.BLOCKED_PAGE})


@dataclass(frozen=True, slots=True, kw_only=True)
class LossLine:
    """One reason for a loss, and what can be done about it."""

    says: str
    todo: Hint


def loss_figures(run: RunView) -> str:
    """Results of checks; rows advertised and seen, items read, stored and left out, unread pages."""
    figures = [
        run.checks_summary,
        f"{plural(run.advertised, 'row')} advertised" if run.advertised is not None else "",
        f"{plural(run.rows_shown, 'row')} seen" if run.rows_shown else "",
        f"{plural(run.extracted, 'item')} read" if run.extracted else "",
        f"{run.stored} stored" if run.stored or run.extracted else "",
        f"{run.items_left_out} left out" if run.items_left_out else "",
        f"{plural(run.pages_not_read, 'page')} not read" if run.pages_not_read else "",
        run.stock_summary,
    ]
    return ", ".join(filter(None, figures))


def loss_lines(run: RunView) -> list[LossLine]:
    """Why the run ended before its index did, why items were left out or pages not read, and unseen rows."""
    lines = [_unfinished_line(run)] if run.error_code in UNFINISHED else []
    lines += [_left_out_line(run, reason, left) for reason, left in _ranked(run.left_out)]
    lines += [_not_read_line(reason, left) for reason, left in _ranked(run.not_read)]
    if run.rows_not_shown:
        message = f"{run.rows_not_shown} of {run.advertised} rows that the site advertises were not shown"
        lines.append(LossLine(says=message, todo=Hint(action="run.show", target=str(run.id))))
    return lines


def _unfinished_line(run: RunView) -> LossLine:
    if run.error_code == NEXT_PAGE_UNKNOWN:
        message = "the last index page says that more rows follow but links to none of them"
        return LossLine(says=message, todo=Hint(text="declare `next` or `pages`, or read it with a browser"))
    message = "an index page could not be read: the rows behind it are not known"
    return LossLine(says=message, todo=Hint(action="run.show", target=str(run.id)))


def _ranked(by_reason: Mapping[str, Any] | None) -> Sequence[tuple[str, Mapping[str, Any]]]:
    return sorted((by_reason or {}).items(), key=lambda pair: -pair[1]["items"])


def _left_out_line(run: RunView, reason: str, left: Mapping[str, Any]) -> LossLine:
    details = f" ({left['details']})" if left["details"] else ""
    message = f"{plural(left['items'], 'item')} left out: {_label(reason)}{details}"
    return LossLine(says=message, todo=_left_out_hint(run, reason, left["page"]))


def _left_out_hint(run: RunView, reason: str, page: str) -> Hint:
    if reason == QuarantineReason.SELECTOR_FAILURE and run.source:
        return Hint(text="propose selectors that fit", action="adapter.heal", target=run.source)
    if reason in EXPECTED or not page:
        return Hint()
    return Hint(text="see how the page is read", action="page.try", target=page)


def _not_read_line(reason: str, left: Mapping[str, Any]) -> LossLine:
    message = f"{plural(left['items'], 'page')} not read: {_label(reason)} ({left['details']})"
    return LossLine(says=message, todo=_unread_hint(reason, left))


def _unread_hint(reason: str, left: Mapping[str, Any]) -> Hint:
    page, site = left["page"], registrable_domain(left["page"]) or ""
    if reason == DropReason.TERMS and "is blocked" in left["details"]:
        return Hint(action="site.unblock", target=site)
    if reason == DropReason.TERMS:
        return Hint(text="read its terms, then confirm it", action="site.review", target=site)
    if reason == DropReason.BLOCKED_BY_ROBOTS_TXT and "unavailable" in left["details"]:
        text = "nothing, unless it lasts: robots.txt is asked for again"
        return Hint(text=text, action="page.fetch", target=page)
    if reason == DropReason.BLOCKED_BY_ROBOTS_TXT:
        return Hint(
            text="the site's robots.txt forbids these pages: set details: false to read the index alone"
        )
    if reason == MAX_ITEMS:
        return Hint(text="raise or remove max_items_per_run of the source")
    if reason in _TURNED_AWAY:
        return Hint(text="see what the site answers", action="page.fetch", target=page)
    return Hint() if reason in REMOVED else Hint(action="dead_letter.list")


def _label(reason: str) -> str:
    return reason.replace("_", " ")
