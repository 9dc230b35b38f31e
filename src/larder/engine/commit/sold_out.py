"""Pages that say "out of stock" and show no price: expected, and news for a known record.

No record is made of such a page. A known record is out of stock from now on; its last price stays,
unconfirmed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from larder.core.model.item import Failed, Staged
from larder.core.model.job import Purpose
from larder.core.model.outcome import DropReason, FailReason
from larder.core.model.record import Availability
from larder.engine.commit.page_result import items_to_persist, left_out
from larder.engine.progress.run_progress import RunProgress
from larder.engine.work_items import ProcessedPage
from larder.sdk.urls import canonical_url
from larder.stages.persist import PageItems, persist
from larder.store.database import Connection
from larder.store.dataset import records
from larder.store.dataset.record_rows import KnownRecord

_OWN_PAGES = frozenset({Purpose.DETAIL, Purpose.TARGET})
STRATEGY = "heuristic"


def sold_out_without_price(page: ProcessedPage) -> bool:
    """Whether the page says that the product is out of stock and shows no price: expected, not a failure."""
    if isinstance(page.reading, Failed):
        return page.reading.reason is FailReason.OOS_NO_PRICE
    return DropReason.OOS_NO_PRICE in left_out(page)


def note_sold_out(
    conn: Connection,
    ended: Sequence[ProcessedPage],
    run_progress: Mapping[int, RunProgress],
    *,
    now: datetime,
) -> None:
    """Store that known records are out of stock according to their own page."""
    stated = {_final_url(page): page for page in ended if _states_stock(page)}
    if not stated:
        return
    rows = records.by_url(conn, list(stated))
    known = [row for row in rows if [r.canonical_url for r in rows].count(row.canonical_url) == 1]
    pages = [_stock_only(stated[row.source_id, row.canonical_url or ""], row, run_progress) for row in known]
    persist(conn, pages, now=now)


def _states_stock(page: ProcessedPage) -> bool:
    """Whether a page about one thing says that; a page from which other items were read may mean those."""
    if page.work.job.request.purpose not in _OWN_PAGES or page.staged:
        return False
    if page.unchanged and page.work.last is not None and page.work.last.yielded:
        return False
    left = left_out(page)
    return left.keys() == {DropReason.OOS_NO_PRICE} and left[DropReason.OOS_NO_PRICE].items == 1


def _final_url(page: ProcessedPage) -> tuple[int, str]:
    """The final URL of the request: after a redirect the page is about the record there."""
    return page.work.source.id, canonical_url(page.fetched.final_url)


def _stock_only(each: ProcessedPage, row: KnownRecord, run_progress: Mapping[int, RunProgress]) -> PageItems:
    """The page reduced to the stock of this record."""
    dropped = each.dropped[0].item.strategies if each.dropped else {}
    item = Staged(
        kind=each.work.source.kind,
        identity_key=row.identity_key,
        url=each.fetched.final_url,
        canonical_url=row.canonical_url,
        fields={"availability": Availability.OUT_OF_STOCK.value},
        strategies={"availability": dropped.get("availability", STRATEGY)},
    )
    page = items_to_persist(replace(each, staged=[item]), run_progress[each.work.job.run_id])
    return replace(page, expects=None, stands_for_records=False)
