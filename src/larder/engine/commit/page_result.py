"""What one processed page adds: to the dataset, to its run's counters, and to its run's next step."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from larder.core.model.item import Dropped, Extracted, Failed, Item, NextPage, Quarantined
from larder.core.model.job import Purpose
from larder.core.model.money import from_minor
from larder.core.model.outcome import DropReason, FailReason, FetchOutcome, QuarantineReason
from larder.core.model.run import IndexFindings, PageSeen
from larder.core.policy.trust.loss import REMOVED, LeftOut
from larder.engine.progress.job_outcome import Finished
from larder.engine.progress.run_progress import RunProgress
from larder.engine.work_items import ProcessedPage
from larder.runs import FOLDS
from larder.runs.index_walk import short_hash
from larder.sdk.urls import host_of
from larder.stages.persist import PageItems, Persisted
from larder.stages.persist.price_jumps import PriceJump
from larder.store.pages.page_rows import PageReading

REFUSED_PAGES = {
    FetchOutcome.ROBOTS_BLOCKED: DropReason.BLOCKED_BY_ROBOTS_TXT,
    FetchOutcome.TERMS: DropReason.TERMS,
}
"""Outcomes of pages that may not be requested, and the reason they count with."""
NO_FINDINGS = IndexFindings()


def items_to_persist(page: ProcessedPage, progress: RunProgress) -> PageItems:
    """The page's items, as persist takes them."""
    job = page.work.job
    return PageItems(
        job_id=job.id,
        run_id=job.run_id,
        page_id=page.page_id or 0,
        source=page.work.source,
        purpose=job.request.purpose,
        adapter_version=progress.version,
        fetched_at=page.fetched.fetched_at,
        staged=page.staged,
        number=job.request.number,
        discovers=FOLDS[progress.run.kind].marks_discovered and job.request.purpose is Purpose.INDEX,
        expects=job.request.context.get("key"),
        doubts_prices=True,
        url=job.request.url,
    )


def with_price_jumps(page: ProcessedPage, persisted: Persisted | None) -> ProcessedPage:
    """The page; items whose price was held back are in quarantine."""
    if persisted is None or not persisted.price_jumps:
        return page
    items = [_held_price(jump) for jump in persisted.price_jumps]
    doubted = {id(jump.staged) for jump in persisted.price_jumps}
    accepted = [staged for staged in page.staged if id(staged) not in doubted]
    return replace(page, staged=accepted, quarantined=[*page.quarantined, *items])


def _held_price(jump: PriceJump) -> Quarantined:
    """A held price as an item that can be released: the values as read, the price as a decimal."""
    fields, price = dict(jump.staged.fields), jump.staged.fields["price_minor"]
    fields["price"] = str(from_minor(fields.pop("price_minor"), fields.get("currency")))
    item = Item(fields=fields, strategies=jump.staged.strategies)
    return Quarantined(
        reason=QuarantineReason.PRICE_JUMP,
        item=item,
        details=jump.details,
        identity_key=jump.identity_key,
        price_minor=price,
    )


def was_read(page: ProcessedPage) -> bool:
    """Whether the page was parsed, or is unchanged since it was parsed."""
    return page.unchanged or isinstance(page.reading, Extracted)


def page_yield(each: ProcessedPage, page: PageItems) -> PageReading:
    """The yield of a page; an unchanged page has that of its last reading."""
    last, advertised = _index_facts(each)
    return PageReading(
        page_id=page.page_id,
        adapter_version=page.adapter_version,
        items=each.work.last.yielded if each.unchanged and each.work.last else len(page.staged),
        last=last,
        next_page=_next_page(each),
        advertised=advertised,
        left_out=left_out(each),
        parse_ms=each.parse_ms,
    )


def left_out(page: ProcessedPage) -> Mapping[str, LeftOut]:
    """The items of a page that were left out, by reason; those of an unchanged page are as before."""
    if page.unchanged and page.work.last:
        return page.work.last.left_out
    if isinstance(page.reading, Failed) and page.reading.reason is FailReason.OOS_NO_PRICE:
        expected = LeftOut(items=1, details=page.reading.details[:200], page=page.fetched.final_url)
        return {DropReason.OOS_NO_PRICE: expected}
    found: dict[str, LeftOut] = {}
    left: list[Dropped | Quarantined] = [*page.dropped, *page.quarantined]
    for item in left:
        one = LeftOut(items=1, details=item.details[:200], page=page.fetched.final_url)
        found[item.reason] = found[item.reason] + one if item.reason in found else one
    return {**found, **_unread_rows(page)}


def doubled_rows(page: ProcessedPage, persisted: Persisted | None) -> Mapping[str, LeftOut]:
    """Rows of things that an earlier page of the run, or this page, showed under another address."""
    if persisted is None or not persisted.doubled:
        return {}
    details = persisted.doubled[0][:200]
    left = LeftOut(items=len(persisted.doubled), details=details, page=page.fetched.final_url)
    return {DropReason.DUPLICATE_WITHIN_RUN: left}


def _unread_rows(page: ProcessedPage) -> Mapping[str, LeftOut]:
    """The number of rows on the page that were not read."""
    unread = page.reading.unread if isinstance(page.reading, Extracted) else 0
    if not unread:
        return {}
    details = "built like the rows that were read, but nothing could be read from it"
    return {DropReason.ROW_NOT_READ: LeftOut(items=unread, details=details, page=page.fetched.final_url)}


def not_read(page: ProcessedPage, outcome: Finished) -> Mapping[str, LeftOut]:
    """Why a page was not read. The missing page after the last one ends an index and is no loss."""
    request, fetched = page.work.job.request, page.fetched
    if request.purpose is Purpose.CHECK or was_read(page) or not (outcome.failed or outcome.error):
        return {}
    if request.purpose is Purpose.INDEX and fetched.outcome in REMOVED:
        return {}
    known = REFUSED_PAGES.get(fetched.outcome, fetched.outcome)
    reason = outcome.kind if outcome.failed else known
    return {reason: LeftOut(items=1, details=_unread_details(page, outcome), page=request.url)}


def _unread_details(page: ProcessedPage, outcome: Finished) -> str:
    """The host and its response, or why nothing was sent; the page if nothing more is known."""
    error = page.fetched.error or (outcome.error or "").removeprefix(f"{page.fetched.outcome}: ")
    url = page.work.job.request.url
    host = host_of(url)
    if not error:
        return url[:200]
    return error[:200] if host in error else f"{host}: {error}"[:200]


def _index_facts(page: ProcessedPage) -> tuple[bool | None, int | None]:
    """What an index page says of itself: whether it is the last, and the total number of rows."""
    if page.unchanged and page.work.last:
        return page.work.last.last, page.work.last.advertised
    if isinstance(page.reading, Extracted):
        return page.reading.last, page.reading.advertised
    return None, None


OF_PAGES = ("attempted", "failed", "pages", "pages_not_read")
"""The counters of pages, as opposed to rows."""


def run_counts(page: ProcessedPage, outcome: Finished, persisted: Persisted | None) -> Counter[str]:
    """What the page adds to its run's counters."""
    rejected = _rejected_items(page)
    counts = Counter(
        attempted=1,
        failed=int(outcome.failed),
        pages=int(was_read(page)),
        dropped=rejected["dropped"] + (len(persisted.doubled) if persisted else 0),
        quarantined=rejected["quarantined"],
        pages_not_read=sum(left.items for left in not_read(page, outcome).values()),
    )
    if page.work.job.request.purpose is Purpose.INDEX and persisted is not None:
        counts["rows_shown"] = (
            len(persisted.ids) + len(persisted.incomplete) + _rows_left_out(page, persisted)
        )
    if persisted is not None:
        counts.update(
            inserted=len(persisted.new),
            updated=persisted.updated,
            unchanged=persisted.unchanged,
            extracted=_extracted(page),
        )
    return counts


def _rejected_items(page: ProcessedPage) -> Counter[str]:
    """Items dropped and quarantined; an unchanged page counts those of its last reading."""
    if not (page.unchanged and page.work.last):
        unread = sum(left.items for left in _unread_rows(page).values())
        return Counter(dropped=len(page.dropped) + unread, quarantined=len(page.quarantined))
    counts: Counter[str] = Counter()
    for reason, left in page.work.last.left_out.items():
        counts["quarantined" if reason in set(QuarantineReason) else "dropped"] += left.items
    return counts


def _extracted(page: ProcessedPage) -> int:
    """How many items the page gave; an unchanged page counts those of its last reading."""
    if page.unchanged and page.work.last:
        return page.work.last.yielded + _rejected_items(page).total()
    return len(page.staged) + len(page.dropped) + len(page.quarantined)


def page_event(
    page: ProcessedPage, outcome: Finished, persisted: Persisted | None, findings: IndexFindings = NO_FINDINGS
) -> PageSeen:
    """The event of the page for the run's fold."""
    request, fetched = page.work.job.request, page.fetched.outcome
    last, advertised = _index_facts(page)
    names = _row_names(page, persisted)
    return PageSeen(
        purpose=request.purpose,
        at=page.fetched.fetched_at,
        number=request.number,
        read=persisted is not None and not outcome.failed,
        missing=fetched in (FetchOutcome.NOT_FOUND, FetchOutcome.GONE),
        new=persisted.new if persisted else (),
        known=persisted.discovered_at if persisted else (),
        incomplete=persisted.incomplete if persisted else (),
        left_out=_rows_left_out(page, persisted),
        last=last,
        next_page=_next_page(page),
        indexes=page.reading.indexes if isinstance(page.reading, Extracted) else (),
        advertised=advertised,
        check_result=page.check_result,
        control=bool(request.context.get("control")),
        shows=short_hash(repr(names)) if names else page.text_hash,
        address=short_hash(request.url),
        row_names=names,
        row_shapes=page.reading.row_shapes if isinstance(page.reading, Extracted) else (),
        changed=persisted.updated if persisted else 0,
        price_changed=persisted is not None and persisted.price_changed,
        findings=findings,
    )


def _rows_left_out(page: ProcessedPage, persisted: Persisted | None) -> int:
    """The number of rows without a record; a repeated row, or one whose price was held back, has one."""
    counted = left_out(page).items()
    lost = sum(left.items for reason, left in counted if reason != DropReason.DUPLICATE_WITHIN_RUN)
    return lost if persisted is None else lost + len(persisted.postponed) - len(persisted.price_jumps)


def _row_names(page: ProcessedPage, persisted: Persisted | None) -> Sequence[str]:
    """A short name for each row: of its record, else of the row's own content."""
    if page.work.job.request.purpose is not Purpose.INDEX or persisted is None:
        return ()
    left_out = [*(left.item for left in page.dropped), *(left.item for left in page.quarantined)]
    return [*(f"{record_id:x}" for record_id in persisted.ids), *map(_item_name, left_out)]


def _item_name(item: Item) -> str:
    names = [str(item.fields.get(name) or "") for name in ("url", "id", "title", "name", "price")]
    return short_hash("|".join(names))


def _next_page(page: ProcessedPage) -> NextPage | None:
    """The next index page; that of an unchanged page is as before."""
    if page.unchanged and page.work.last:
        return page.work.last.next_page
    return page.reading.next_page if page.reading is not None else None
