"""Parses one fetched page and normalizes its items, where the parse runner does such work.

Deterministic: it can be repeated from the stored page.
"""

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

import orjson

from larder.core.errors import ParseAborted
from larder.core.model.item import Dropped, Extracted, Failed, Item, Quarantined, RowShape, Staged
from larder.core.model.job import INCOMPLETE, ROW_SHAPES, PageRequest, Purpose
from larder.core.model.outcome import FailReason, FetchOutcome, QuarantineReason
from larder.core.model.page import Fetched
from larder.core.model.run import CheckResult
from larder.core.model.source import FetcherName, Source
from larder.core.ports import ParseRunner
from larder.engine.processing import check_answers, feed_document, item_reasons
from larder.engine.processing.redirects import with_redirect_outcome
from larder.engine.processing.unchanged_rows import Normalized, RowCache
from larder.engine.work_items import FetchedWork, ProcessedPage, Work
from larder.sdk.adapter import SiteAdapter
from larder.sdk.page import Page
from larder.sdk.revision import adapter_revision
from larder.stages.normalize import Context, normalize
from larder.stages.normalize.towns import towns_of
from larder.stages.parse import parse

UNKNOWN_SHAPE = "unknown_shape"
"""The field that marks an actor's item whose shape is unknown."""
_NO_ROWS = frozenset(
    {FailReason.PAGE_STRUCTURE_CHANGED, FailReason.SELECTOR_NOT_FOUND, FailReason.TITLE_NOT_FOUND}
)
_ROW_CACHE = RowCache()
"""Shared by the process; normalizing is deterministic, so the cache changes no result."""


async def process_page(item: FetchedWork, adapter: SiteAdapter, runner: ParseRunner) -> ProcessedPage:
    """Parse and normalize a page. No content of a page can make this raise."""
    work, fetched = item.work, with_redirect_outcome(item.fetched, item.work, adapter)
    page = ProcessedPage(work=work, fetched=fetched, page_id=item.page_id)
    if work.job.request.purpose is Purpose.CHECK:
        return await _process_check(item, page, adapter, runner)
    if not fetched.outcome.has_page:
        return page
    if work.job.request.purpose is Purpose.FEED:
        return await _process_feed(page, runner)
    if item.unchanged:
        return replace(page, unchanged=True)
    request = work.job.request
    shapes = RowShape.loaded(request.context.get(ROW_SHAPES, ()))
    found = await read_page(runner, fetched, work.source, adapter, request.purpose, row_shapes=shapes)
    if _has_complete_row(request):
        found = _with_row(found)
    return replace(
        page,
        reading=_dated_by_row(_beyond_the_end(found.reading, request), request),
        staged=found.staged,
        valid=found.valid,
        dropped=found.dropped,
        quarantined=found.quarantined,
        trace=found.trace,
        parse_ms=found.parse_ms,
    )


async def _process_feed(page: ProcessedPage, runner: ParseRunner) -> ProcessedPage:
    """Read only the addresses of a feed of targets."""
    task = partial(feed_document.read_document, page.fetched, page.work.source)
    try:
        feed = await runner.run(task)
        return replace(page, reading=feed.reading, feed=feed.document)
    except ParseAborted as error:
        failed, trace = Failed(reason=error.reason, details=str(error)), error.trace
    except Exception as error:  # noqa: BLE001 - as for pages: the job must end all the same
        details = f"{type(error).__name__}: {error}"
        failed = Failed(reason=FailReason.PAGE_STRUCTURE_CHANGED, details=details)
        trace = traceback.format_exc(limit=20)
    return replace(page, reading=failed, trace=trace)


def _beyond_the_end(reading: Extracted | Failed, request: PageRequest) -> Extracted | Failed:
    """A later index page without any row is empty: that is how an index ends.

    The run judges whether more rows were expected. The first page proves nothing of the kind.
    """
    later = request.purpose is Purpose.INDEX and (request.number or 1) > 1
    if later and isinstance(reading, Failed) and reading.reason in _NO_ROWS and not reading.rows:
        notes = (*reading.notes, f"no rows: {reading.reason}")
        return Extracted(notes=notes, next_page=reading.next_page)
    return reading


def _dated_by_row(reading: Extracted | Failed, request: PageRequest) -> Extracted | Failed:
    """An event's page without any day adds nothing to a row that has one: no failure, nothing is lost."""
    undated = isinstance(reading, Failed) and reading.reason is FailReason.DATE_NOT_FOUND
    if not undated or not _has_complete_row(request):
        return reading
    return Extracted(notes=(*reading.notes, "the page has no date: the date of its row is used"))


def _has_complete_row(request: PageRequest) -> bool:
    """Whether the page was requested for an index row that is a record by itself."""
    return "key" in request.context and INCOMPLETE not in request.context


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizedPage:
    """The result of parsing and normalizing a page."""

    reading: Extracted | Failed
    staged: Sequence[Staged] = ()
    valid: Sequence[Item] = ()
    """The items that were staged, as the page shows them."""
    dropped: Sequence[Dropped] = ()
    quarantined: Sequence[Quarantined] = ()
    trace: str = ""
    parse_ms: int | None = field(default=None, compare=False)
    """How long it took in milliseconds; it changes no result."""


def _with_row(page: NormalizedPage) -> NormalizedPage:
    """The page with items that lack only what their row has: they complete its record."""
    helped = [(each, each.beside_row) for each in page.dropped if each.beside_row is not None]
    if not helped:
        return page
    return replace(
        page,
        staged=[*page.staged, *(staged for _, staged in helped)],
        valid=[*page.valid, *(each.item for each, _ in helped)],
        dropped=[each for each in page.dropped if each.beside_row is None],
    )


async def read_page(
    runner: ParseRunner,
    fetched: Fetched,
    source: Source,
    adapter: SiteAdapter,
    purpose: Purpose,
    *,
    row_shapes: Sequence[RowShape] = (),
) -> NormalizedPage:
    """Parse and normalize a page, also long after it was fetched; a `ParseAborted` is a failed page."""
    try:
        task = partial(parse_and_normalize, fetched, source, adapter, purpose, row_shapes)
        return await runner.run(task, affinity=source.id)
    except ParseAborted as error:
        return NormalizedPage(reading=Failed(reason=error.reason, details=str(error)), trace=error.trace)


def shapes_after(page: NormalizedPage | None, before: Sequence[RowShape]) -> Sequence[RowShape]:
    """The row shapes for reading the next page: this page's, else those of earlier pages."""
    reading = page.reading if page is not None else None
    return (reading.row_shapes if isinstance(reading, Extracted) else ()) or before


def parse_and_normalize(
    fetched: Fetched,
    source: Source,
    adapter: SiteAdapter,
    purpose: Purpose,
    row_shapes: Sequence[RowShape] = (),
) -> NormalizedPage:
    """Parse and normalize a page in this process, and measure how long that took."""
    began = time.perf_counter()
    page = _parse_and_normalize(fetched, source, adapter, purpose, row_shapes)
    return replace(page, parse_ms=round((time.perf_counter() - began) * 1000))


def _parse_and_normalize(
    fetched: Fetched,
    source: Source,
    adapter: SiteAdapter,
    purpose: Purpose,
    row_shapes: Sequence[RowShape],
) -> NormalizedPage:
    try:
        reading = parse_page(fetched, source, adapter, purpose, row_shapes)
        if isinstance(reading, Failed):
            return NormalizedPage(reading=reading)
        verdicts = _normalize_items(reading, adapter, _context(fetched, source, adapter, purpose))
        verdicts = item_reasons.with_reasons(reading.items, verdicts, source=source, purpose=purpose)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - hostile pages find every bug; the job must end all the same
        details = f"{type(error).__name__}: {error}"
        failed = Failed(reason=FailReason.PAGE_STRUCTURE_CHANGED, details=details)
        return NormalizedPage(reading=failed, trace=traceback.format_exc(limit=20))
    return NormalizedPage(
        reading=reading,
        staged=[v for v in verdicts if isinstance(v, Staged)],
        valid=[item for item, v in zip(reading.items, verdicts, strict=True) if isinstance(v, Staged)],
        dropped=[v for v in verdicts if isinstance(v, Dropped)],
        quarantined=[v for v in verdicts if isinstance(v, Quarantined)],
    )


def abandoned_page(work: Work, now: datetime) -> ProcessedPage:
    """The failed page of a job on which too many workers died: it is not tried again."""
    url = work.job.request.url
    empty = Fetched(outcome=FetchOutcome.ERROR, url=url, final_url=url, fetched_at=now)
    return ProcessedPage(work=work, fetched=empty, page_id=work.job.page_id)


def rejected_by_database(page: ProcessedPage, error: Exception) -> ProcessedPage:
    """A page whose rows the database rejected: the rows are left out, the error is kept."""
    trace = "".join(traceback.format_exception(error, limit=20))
    return ProcessedPage(
        work=page.work,
        fetched=page.fetched,
        page_id=page.page_id,
        refused=f"{type(error).__name__}: {error}",
        trace=trace,
        check_result=page.check_result and CheckResult.UNDECIDED,
    )


def parse_page(
    fetched: Fetched,
    source: Source,
    adapter: SiteAdapter,
    purpose: Purpose,
    row_shapes: Sequence[RowShape],
) -> Extracted | Failed:
    """Parse a page; items that came without a page are taken unchanged."""
    if isinstance(fetched.payload, Extracted):
        return fetched.payload
    if fetched.fetcher == FetcherName.ACTOR:
        return _actor_items(fetched, adapter)
    page = Page(fetched.final_url, fetched.body, content_type=fetched.headers.get("content-type"))
    page.row_shapes = row_shapes
    return parse(page, source=source, adapter=adapter, purpose=purpose)


def _actor_items(fetched: Fetched, adapter: SiteAdapter) -> Extracted | Failed:
    """The items of an actor's dataset, which is a whole index: there is no page after it."""
    rows = orjson.loads(fetched.body)
    texts = (orjson.dumps(row).decode() for row in rows if not isinstance(row, dict))
    odd = [Item(fields={UNKNOWN_SHAPE: text[:200]}) for text in texts]
    reading = adapter.read_payload([row for row in rows if isinstance(row, dict)])
    if isinstance(reading, Failed):
        return reading
    return replace(reading, items=(*reading.items, *odd), last=True)


async def _process_check(
    item: FetchedWork, page: ProcessedPage, adapter: SiteAdapter, runner: ParseRunner
) -> ProcessedPage:
    """Process a check: its page is not read for items, only for whether its record still exists."""
    if item.fetched.waiting:
        return page
    task = partial(check_answers.check_answer, item, adapter)
    try:
        answer = await runner.run(task) if item.fetched.body else task()
        return replace(page, check_result=answer.result, head=answer.head, text_hash=answer.text_hash)
    except ParseAborted as error:
        return replace(page, check_result=CheckResult.UNDECIDED, trace=error.trace or str(error))
    except Exception:  # noqa: BLE001 - as above: a page that cannot be read decides nothing
        return replace(page, check_result=CheckResult.UNDECIDED, trace=traceback.format_exc(limit=20))


def _normalize_items(reading: Extracted, adapter: SiteAdapter, context: Context) -> list[Normalized]:
    def one(item: Item) -> Normalized:
        return normalize_item(item, adapter, context)

    return _ROW_CACHE.judge(
        reading.items, one, adapter=adapter.id, version=adapter_revision(adapter), context=context
    )


def normalize_item(item: Item, adapter: SiteAdapter, context: Context) -> Normalized:
    """The adapter's own normalization of an item, then the common rules."""
    if UNKNOWN_SHAPE in item.fields or item.fields.get("demo") is True:
        return _quarantine_unknown(item)
    answer = adapter.normalize(item)
    return normalize(answer, context) if isinstance(answer, Item) else answer


def _quarantine_unknown(item: Item) -> Quarantined:
    details = str(item.fields.get(UNKNOWN_SHAPE) or "demo item")
    return Quarantined(reason=QuarantineReason.VALIDATION_FAILED, item=item, details=details)


def _context(fetched: Fetched, source: Source, adapter: SiteAdapter, purpose: Purpose) -> Context:
    index = purpose is Purpose.INDEX
    return Context.of(
        source,
        base_url=fetched.final_url,
        observed_at=fetched.fetched_at,
        index=index,
        strict=adapter.strict,
        locator=towns_of(source),
    )
