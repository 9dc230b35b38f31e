"""Why a page gave no items: it is empty, says that there are none, or shows what could not be read."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from larder.core.errors import BadInput
from larder.core.model.item import Extracted, Failed, Item, NextEvidence, NextPage, Strategy
from larder.core.model.outcome import FailReason
from larder.core.model.source import Kind
from larder.core.policy.trust.gone_wording import gone_notice
from larder.sdk.page import Page
from larder.sdk.urls import join, registrable_domain
from larder.stages.parse.agenda.groups import is_empty_calendar
from larder.stages.parse.agenda.mentions import mentions
from larder.stages.parse.empty import says_none
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.stock import says_sold_out
from larder.stages.parse.index_rows.row_shapes import rows_like
from larder.stages.parse.index_rows.visible import visible_rows
from larder.stages.parse.pagination import find_next, is_last
from larder.stages.parse.strategy_input import Look

T = TypeVar("T")
MONTH = 28
MIN_UNDATED = 3
MOST = 0.8
MAX_SCRIPTS = 60
MAX_SCRIPT = 200_000
_NAME = frozenset({"title", "url"})
_FEED = 'link[rel~=alternate i][type="text/calendar" i][href]'
_SOURCE = re.compile(
    r"""\b(?:events|eventSources|feed|url)["']?\s*:\s*\[?\s*["'](?P<url>(?:https?:/)?/[^"'\s]{1,500})["']"""
)


def nothing_read(look: Look, notes: list[str]) -> Extracted | Failed:
    """No strategy found anything: which of the reasons is it?"""
    if not look.page.visible and not look.page.json():
        return Failed(reason=FailReason.EMPTY_PAGE, notes=tuple(notes))
    following = guarded(partial(_next_period, look), "next page", notes)
    if look.wants_rows and says_none(look):
        ended = following is None
        return Extracted(last=ended, advertised=0 if ended else None, next_page=following, notes=tuple(notes))
    if following is not None and guarded(partial(_is_empty_calendar, look), "empty calendar", notes):
        return Extracted(
            last=False, next_page=following, notes=(*notes, "no events in this part of the calendar")
        )
    if look.declared is not None:
        details = f"no match: {look.declared.row or ', '.join(f.name for f in look.declared.fields)}"
        return Failed(reason=FailReason.SELECTOR_NOT_FOUND, details=details, notes=tuple(notes))
    if look.wants_rows and (feed := guarded(partial(_calendar_source, look), "calendar", notes)):
        return Extracted(indexes=(feed,), notes=(*notes, f"the calendar is filled from {feed}"))
    if look.wants_rows and (undated := guarded(partial(_undated_rows, look), "rows without a day", notes)):
        return _undated(look, undated, notes)
    if look.wants_rows and (rows := guarded(partial(_known_rows, look), "known rows", notes)):
        details = f"{rows} rows are built as those of earlier pages; none was read"
        return _rows_unread(look, rows, details, notes)
    reason = guarded(partial(_reason, look), "failure reason", notes) or FailReason.PAGE_STRUCTURE_CHANGED
    details = f"no {look.kind} rows found{_hint(look)}" if look.wants_rows else ""
    return Failed(reason=reason, details=details, notes=tuple(notes), next_page=following)


def _hint(look: Look) -> str:
    """Another way to the rows that the page names: its calendar as a feed."""
    feed = look.page.first(_FEED) if look.kind is Kind.EVENT else None
    url = join(look.page.base, feed.attr("href") or "") if feed is not None else None
    return f"; the page names a calendar feed, which can be added instead: {url}" if url else ""


def _next_period(look: Look) -> NextPage | None:
    """The next month or week of an agenda."""
    following = find_next(look) if look.wants_rows and look.kind is Kind.EVENT else None
    return following if following is not None and following.evidence is NextEvidence.CALENDAR else None


def _is_empty_calendar(look: Look) -> bool:
    """A week or a month of days, and none of them has an event."""
    days = look.page.once(mentions)
    cells = [day for day in days if day.in_cell]
    return len(cells) >= MONTH or is_empty_calendar(day for day in days if not day.in_cell)


def _known_rows(look: Look) -> int:
    """Rows that are built as those of earlier pages of the index."""
    return len(rows_like(look.page, look.page.row_shapes))


def _undated_rows(look: Look) -> list[Item]:
    """Rows of an agenda, told by their shape, when no day was read on it."""
    return look.page.once(visible_rows) if look.kind is Kind.EVENT else []


def _undated(look: Look, rows: list[Item], notes: list[str]) -> Extracted | Failed:
    """Rows of a first page with titles and links are completed by their own pages; others are not read.

    Where earlier pages had days, a page without any is one that could not be read.
    """
    named = [replace(row, fields=fields) for row in rows if len(fields := _name(row)) == len(_NAME)]
    if look.page.row_shapes or len(named) < max(MIN_UNDATED, MOST * len(rows)):
        details = f"{len(rows)} rows are shown, and on none of them a day can be read"
        return _rows_unread(look, len(rows), details, notes)
    return Extracted(
        items=tuple(named),
        strategy=Strategy.HEURISTIC,
        last=guarded(partial(is_last, look), "last page", notes),
        next_page=guarded(partial(find_next, look), "next page", notes),
        notes=(*notes, "no row names its day: their own pages are read for it"),
    )


def _name(row: Item) -> dict[str, Any]:
    return {name: value for name, value in row.fields.items() if name in _NAME and value}


def _calendar_source(look: Look) -> str:
    """Where a script that draws a calendar fetches its events from, on the same site."""
    if look.kind is not Kind.EVENT:
        return ""
    held = (script for script in look.page.scripts[:MAX_SCRIPTS] if script.holds("ullCalendar"))
    found = (match for script in held if (match := _SOURCE.search(script.text[:MAX_SCRIPT])))
    urls = (join(look.page.base, match["url"]) or "" for match in found)
    site = registrable_domain(look.page.url)
    return next((url for url in urls if registrable_domain(url) == site and url != look.page.url), "")


def _rows_unread(look: Look, rows: int, details: str, notes: list[str]) -> Failed:
    return Failed(
        reason=FailReason.PAGE_STRUCTURE_CHANGED,
        details=details,
        rows=rows,
        next_page=guarded(partial(find_next, look), "next page", notes),
        notes=tuple(notes),
    )


def _reason(look: Look) -> FailReason:
    if look.wants_rows:
        return FailReason.PAGE_STRUCTURE_CHANGED
    if look.page.first("h1, title") is None:
        return FailReason.TITLE_NOT_FOUND
    if look.kind is Kind.EVENT:
        return FailReason.PAGE_STRUCTURE_CHANGED if _may_be_dated(look.page) else FailReason.DATE_NOT_FOUND
    if look.kind is not Kind.PRODUCT:
        return FailReason.PAGE_STRUCTURE_CHANGED
    sold_out = says_sold_out(look.page, look.page.once(headline)[1])
    return FailReason.OOS_NO_PRICE if sold_out else FailReason.PRICE_NOT_FOUND


def _may_be_dated(page: Page) -> bool:
    """Does an event's page name a day, or is it none: without a heading, or one that says "not found"?"""
    title, head = page.once(headline)
    return head is None or bool(page.once(mentions)) or gone_notice((title,)) is not None


def guarded(work: Callable[[], T], name: str, notes: list[str]) -> T | None:
    """The result, or None and a note: whatever a page does to one reader, the others still get their turn."""
    try:
        return work()
    except (BadInput, MemoryError):
        raise
    except Exception as wrong:  # noqa: BLE001
        notes.append(f"{name}: {type(wrong).__name__}: {wrong}"[:300])
        return None
