"""Why a page gave no items: it is empty, says that there are none, or could not be read."""

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
from larder.stages.parse.agenda.mentions import mentions
from larder.stages.parse.agenda.timetables.day_headings import is_empty_calendar
from larder.stages.parse.empty import states_no_results
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.stock import says_sold_out
from larder.stages.parse.heuristic.stock_labels import is_labelled_sold
from larder.stages.parse.index_rows.row_shapes import rows_like
from larder.stages.parse.index_rows.visible import visible_rows
from larder.stages.parse.pagination import find_next, is_last

T = TypeVar("T")
MIN_CALENDAR_DAYS = 28
MIN_UNDATED = 3
MIN_UNDATED_SHARE = 0.8
MAX_SCRIPTS = 60
MAX_SCRIPT = 200_000
_NAME_FIELDS = frozenset({"title", "url"})
_FEED = 'link[rel~=alternate i][type="text/calendar" i][href]'
_SOURCE = re.compile(
    r"""\b(?:events|eventSources|feed|url)["']?\s*:\s*\[?\s*["'](?P<url>(?:https?:/)?/[^"'\s]{1,500})["']"""
)


def result_without_items(task: ExtractionTask, notes: list[str]) -> Extracted | Failed:
    """The result if no strategy found anything, with its reason."""
    if not task.page.visible and not task.page.json():
        return Failed(reason=FailReason.EMPTY_PAGE, notes=tuple(notes))
    following = run_guarded(partial(_next_period, task), "next page", notes)
    if task.wants_rows and states_no_results(task):
        ended = following is None
        return Extracted(last=ended, advertised=0 if ended else None, next_page=following, notes=tuple(notes))
    if following is not None and run_guarded(partial(_is_empty_calendar, task), "empty calendar", notes):
        return Extracted(
            last=False, next_page=following, notes=(*notes, "no events in this part of the calendar")
        )
    if task.declared is not None:
        details = f"no match: {task.declared.row or ', '.join(f.name for f in task.declared.fields)}"
        return Failed(reason=FailReason.SELECTOR_NOT_FOUND, details=details, notes=tuple(notes))
    if task.wants_rows and (feed := run_guarded(partial(_calendar_source, task), "calendar", notes)):
        return Extracted(indexes=(feed,), notes=(*notes, f"the calendar is filled from {feed}"))
    if task.wants_rows and (
        undated := run_guarded(partial(_undated_rows, task), "rows without a day", notes)
    ):
        return _undated_result(task, undated, notes)
    if task.wants_rows and (rows := run_guarded(partial(_known_rows, task), "known rows", notes)):
        details = f"{rows} rows have the markup of earlier rows; none could be read"
        return _rows_unread(task, rows, details, notes)
    reason = run_guarded(partial(_reason, task), "failure reason", notes) or FailReason.PAGE_STRUCTURE_CHANGED
    details = f"no {task.kind} rows found{_hint(task)}" if task.wants_rows else ""
    return Failed(reason=reason, details=details, notes=tuple(notes), next_page=following)


def _hint(task: ExtractionTask) -> str:
    """Another way to the rows that the page offers: its calendar as a feed."""
    feed = task.page.first(_FEED) if task.kind is Kind.EVENT else None
    url = join(task.page.base, feed.attr("href") or "") if feed is not None else None
    return f"; the page names a calendar feed, which can be added instead: {url}" if url else ""


def _next_period(task: ExtractionTask) -> NextPage | None:
    """The next month or week of an agenda."""
    following = find_next(task) if task.wants_rows and task.kind is Kind.EVENT else None
    return following if following is not None and following.evidence is NextEvidence.CALENDAR else None


def _is_empty_calendar(task: ExtractionTask) -> bool:
    """Whether it is a week or a month of days, none of which has an event."""
    days = task.page.cached(mentions)
    cells = [day for day in days if day.in_cell]
    return len(cells) >= MIN_CALENDAR_DAYS or is_empty_calendar(day for day in days if not day.in_cell)


def _known_rows(task: ExtractionTask) -> int:
    """Rows with the shapes of earlier pages of the index."""
    return len(rows_like(task.page, task.page.row_shapes))


def _undated_rows(task: ExtractionTask) -> list[Item]:
    """Rows of an agenda, recognized by their shape, if no day was read on it."""
    return task.page.cached(visible_rows) if task.kind is Kind.EVENT else []


def _undated_result(task: ExtractionTask, rows: list[Item], notes: list[str]) -> Extracted | Failed:
    """The rows of a first page with titles and links, which their own pages complete; others are not read.

    If earlier pages had days, a page without any could not be read.
    """
    named = [
        replace(row, fields=fields) for row in rows if len(fields := _name_fields(row)) == len(_NAME_FIELDS)
    ]
    if task.page.row_shapes or len(named) < max(MIN_UNDATED, MIN_UNDATED_SHARE * len(rows)):
        details = f"{len(rows)} rows are shown; none has a readable day"
        return _rows_unread(task, len(rows), details, notes)
    return Extracted(
        items=tuple(named),
        strategy=Strategy.HEURISTIC,
        last=run_guarded(partial(is_last, task), "last page", notes),
        next_page=run_guarded(partial(find_next, task), "next page", notes),
        notes=(*notes, "no row names its day: their own pages are read for it"),
    )


def _name_fields(row: Item) -> dict[str, Any]:
    return {name: value for name, value in row.fields.items() if name in _NAME_FIELDS and value}


def _calendar_source(task: ExtractionTask) -> str:
    """The address on the same site from which a calendar's script loads its events."""
    if task.kind is not Kind.EVENT:
        return ""
    held = (script for script in task.page.scripts[:MAX_SCRIPTS] if script.holds("ullCalendar"))
    found = (match for script in held if (match := _SOURCE.search(script.text[:MAX_SCRIPT])))
    urls = (join(task.page.base, match["url"]) or "" for match in found)
    site = registrable_domain(task.page.url)
    return next((url for url in urls if registrable_domain(url) == site and url != task.page.url), "")


def _rows_unread(task: ExtractionTask, rows: int, details: str, notes: list[str]) -> Failed:
    return Failed(
        reason=FailReason.PAGE_STRUCTURE_CHANGED,
        details=details,
        rows=rows,
        next_page=run_guarded(partial(find_next, task), "next page", notes),
        notes=tuple(notes),
    )


def _reason(task: ExtractionTask) -> FailReason:
    if task.wants_rows:
        return FailReason.PAGE_STRUCTURE_CHANGED
    if task.page.first("h1, title") is None:
        return FailReason.TITLE_NOT_FOUND
    if task.kind is Kind.EVENT:
        return FailReason.PAGE_STRUCTURE_CHANGED if _may_be_dated(task.page) else FailReason.DATE_NOT_FOUND
    if task.kind is not Kind.PRODUCT:
        return FailReason.PAGE_STRUCTURE_CHANGED
    sold_out = says_sold_out(task.page, task.page.cached(headline)[1]) or is_labelled_sold(task.page)
    return FailReason.OOS_NO_PRICE if sold_out else FailReason.PRICE_NOT_FOUND


def _may_be_dated(page: Page) -> bool:
    """Whether an event's page names a day, or is none: without a heading, or one that says "not found"."""
    title, head = page.cached(headline)
    return head is None or bool(page.cached(mentions)) or gone_notice((title,)) is not None


def run_guarded(work: Callable[[], T], name: str, notes: list[str]) -> T | None:
    """The result, or None and a note: after an error in one reader the others still run."""
    try:
        return work()
    except (BadInput, MemoryError):
        raise
    except Exception as wrong:  # noqa: BLE001
        notes.append(f"{name}: {type(wrong).__name__}: {wrong}"[:300])
        return None
