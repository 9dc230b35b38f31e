"""An unchanged page counts for drift as its last reading did; on both databases."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Connection, select, text, update

from larder.core.model.item import Dropped, Extracted, Failed, Item, Quarantined
from larder.core.model.job import Job, JobStatus, PageRequest, Purpose, Stage
from larder.core.model.outcome import DropReason, FailReason, FetchOutcome, QuarantineReason
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from larder.core.model.site import POLITENESS, Preset
from larder.core.model.source import Kind
from larder.engine.commit import sold_out
from larder.engine.commit.page_result import left_out, run_counts, was_read
from larder.engine.progress.job_outcome import Finished
from larder.engine.quality import drift
from larder.engine.work_items import FetchedWork, ProcessedPage, Work
from larder.stages.persist import Persisted
from larder.store.pages import pages
from larder.store.pages.page_rows import JobUrl, NewPage, PageReading
from larder.store.queue import sources
from larder.store.queue.lanes import Lane
from larder.store.tables import records
from larder.store.tables.columns import micros
from tests.contract.world import HOUR, NOW, Pages, source, staged, unit_of_work

ITEM = Item(fields={"title": "Oak chair"})
URL = "https://homes.test/oak"
LANE = Lane(
    site_id=1, domain="homes.test", local=False, token=1, open_at=NOW, politeness=POLITENESS[Preset.GENTLE]
)


def dropped(reason: DropReason, many: int = 1) -> list[Dropped]:
    return [Dropped(reason=reason, item=ITEM)] * many


def first_and_second(conn: Connection, purpose: Purpose, **found: Any) -> tuple[ProcessedPage, FetchedWork]:
    """A page that was read and stored, and the same body fetched again."""
    source_id = source(conn)
    job_id = 1
    got = Fetched(
        outcome=FetchOutcome.OK, url=URL, final_url=URL, fetched_at=NOW, body=b"same", content_hash="ab"
    )
    page_id = pages.store(conn, [NewPage(job_id, source_id, got)])[job_id]
    job = Job(
        id=job_id,
        run_id=1,
        source_id=source_id,
        site_id=1,
        request=PageRequest(url=URL, purpose=purpose),
        stage=Stage.FETCH,
        attempts=0,
    )
    work = Work(job=job, source=sources.load(conn, [source_id])[source_id], lane=LANE)
    page = ProcessedPage(work=work, fetched=got, page_id=page_id, **found)
    if was_read(page):
        reading = PageReading(
            page_id=page_id, adapter_version="1", items=len(page.staged), left_out=left_out(page)
        )
        pages.set_yields(conn, [reading])
    last = pages.last_pages(conn, [JobUrl(job_id, source_id, URL)]).get(job_id)
    return page, FetchedWork(work=replace(work, last=last), fetched=got, page_id=page_id)


@pytest.mark.parametrize("purpose", [Purpose.INDEX, Purpose.DETAIL])
@pytest.mark.parametrize(
    ("stored", "left"),
    [
        pytest.param(0, {"dropped": dropped(DropReason.INVALID_PRICE)}, id="its only item dropped"),
        pytest.param(3, {"dropped": dropped(DropReason.NO_DATE, 2)}, id="some dropped"),
        pytest.param(1, {"dropped": dropped(DropReason.OOS_NO_PRICE)}, id="one out of stock"),
        pytest.param(0, {"dropped": dropped(DropReason.OOS_NO_PRICE)}, id="all out of stock"),
        pytest.param(
            0, {"quarantined": [Quarantined(reason=QuarantineReason.ZERO_PRICE, item=ITEM)]}, id="price of 0"
        ),
        pytest.param(2, {}, id="all valid"),
        pytest.param(0, {}, id="no items"),
    ],
)
@unit_of_work
def test_l10_3_an_unchanged_page_keeps_the_verdict_of_its_last_reading(
    conn: Connection, stored: int, left: dict[str, Sequence[Any]], purpose: Purpose
) -> None:
    many = stored + sum(map(len, left.values()))
    valid = [staged(number) for number in range(stored)]
    reading = Extracted(items=(ITEM,) * many)
    first, again = first_and_second(conn, purpose, reading=reading, staged=valid, **left)
    assert again.unchanged
    second = ProcessedPage(work=again.work, fetched=again.fetched, page_id=2, unchanged=True)
    assert drift.page_yield(conn, second) == drift.page_yield(conn, first)


@unit_of_work
def test_l10_3_a_page_that_could_not_be_read_is_read_again_when_it_is_the_same(conn: Connection) -> None:
    failed = Failed(reason=FailReason.PRICE_NOT_FOUND)
    first, again = first_and_second(conn, Purpose.DETAIL, reading=failed)
    assert drift.page_yield(conn, first).failed == 1
    assert not again.unchanged


@unit_of_work
def test_l10_7_an_unchanged_page_counts_what_its_last_reading_rejected(conn: Connection) -> None:
    first, second = first_and_second(
        conn,
        Purpose.INDEX,
        reading=Extracted(items=(ITEM,) * 6),
        staged=(staged(1), staged(2)),
        dropped=dropped(DropReason.INVALID_PRICE, 3),
        quarantined=[Quarantined(reason=QuarantineReason.ZERO_PRICE, item=ITEM)],
    )
    outcome = Finished(status=JobStatus.DONE, stage=Stage.PERSIST)
    again = ProcessedPage(work=second.work, fetched=second.fetched, page_id=9, unchanged=True)
    was, now = run_counts(first, outcome, Persisted()), run_counts(again, outcome, Persisted())
    assert (was["dropped"], was["quarantined"], was["extracted"]) == (3, 1, 6)
    assert (now["dropped"], now["quarantined"], now["extracted"]) == (3, 1, 6)


@unit_of_work
def test_l10_7_a_page_that_is_out_of_stock_without_a_price_is_counted_by_its_reason(conn: Connection) -> None:
    page, _ = first_and_second(conn, Purpose.TARGET, reading=Failed(reason=FailReason.OOS_NO_PRICE))
    assert {reason: left.items for reason, left in left_out(page).items()} == {"oos_no_price": 1}


@pytest.mark.parametrize("moved", [False, True], ids=["before it is committed", "after"])
@unit_of_work
def test_l10_3_an_unchanged_page_that_does_not_tell_the_stock_still_counts_so(
    conn: Connection, moved: bool
) -> None:
    item = staged(1, kind=Kind.PRODUCT, availability="unknown", price_minor=900, currency="EUR")
    reading = Extracted(items=(ITEM,))
    first, again = first_and_second(conn, Purpose.TARGET, reading=reading, staged=[item])
    kept = Pages(conn, again.work.source.id)
    kept.keep(kept.page(item))
    second = ProcessedPage(work=again.work, fetched=again.fetched, page_id=77, unchanged=True)
    conn.execute(update(records).values(page_id=second.page_id if moved else again.page_id))
    counted = drift.page_yield(conn, first)
    assert (counted.failed, counted.valid, counted.dropped) == (1, 0, 1)
    assert (counted.unknown_stock, counted.of_own_pages) == (1, 1)
    assert drift.page_yield(conn, second) == counted
    conn.execute(update(records).values(availability="in_stock"))
    assert drift.page_yield(conn, second).failed == 0


def noted(conn: Connection, page: ProcessedPage) -> list[tuple[Any, ...]]:
    """What the record of a page says once the page was committed."""
    run: Any = SimpleNamespace(version="1", run=SimpleNamespace(kind=RunKind.MONITOR))
    sold_out.note_sold_out(conn, [page], {1: run}, now=NOW + HOUR)
    shown = select(records.c.availability, records.c.price_minor, records.c.last_seen_at)
    return [tuple(row) for row in conn.execute(shown)]


CHAIR: dict[str, Any] = {
    "kind": Kind.PRODUCT,
    "url": URL,
    "availability": "in_stock",
    "price_minor": 900,
    "currency": "EUR",
}


@pytest.mark.parametrize("again", [False, True], ids=["read", "unchanged"])
@pytest.mark.parametrize(
    "found",
    [
        pytest.param({"reading": Failed(reason=FailReason.OOS_NO_PRICE)}, id="a page without an item"),
        pytest.param(
            {"reading": Extracted(items=(ITEM,)), "dropped": dropped(DropReason.OOS_NO_PRICE)}, id="an item"
        ),
    ],
)
@unit_of_work
def test_l10_2_a_known_record_is_out_of_stock_when_its_page_says_so_without_a_price(
    conn: Connection, found: dict[str, Any], again: bool
) -> None:
    page, second = first_and_second(conn, Purpose.TARGET, **found)
    kept = Pages(conn, page.work.source.id)
    kept.keep(kept.page(staged(1, **CHAIR)))
    if again and second.unchanged:
        page = ProcessedPage(work=second.work, fetched=second.fetched, page_id=second.page_id, unchanged=True)
    page = replace(page, fetched=replace(page.fetched, fetched_at=NOW + HOUR))
    assert noted(conn, page) == [("out_of_stock", 900, NOW + HOUR)]
    told = conn.execute(text("SELECT field, word FROM observations ORDER BY id")).all()
    assert ("availability", "out_of_stock") in [tuple(row) for row in told]
    confirmed = text("SELECT max(confirmed_at) FROM observations WHERE field = 'price'")
    assert conn.scalar(confirmed) == micros(NOW), "no price was shown"


@unit_of_work
def test_l10_2_another_product_on_the_page_that_is_out_of_stock_says_nothing_of_the_record(
    conn: Connection,
) -> None:
    item, gone = staged(1, **CHAIR), dropped(DropReason.OOS_NO_PRICE)
    reading = Extracted(items=(ITEM, ITEM))
    page, second = first_and_second(conn, Purpose.TARGET, reading=reading, staged=[item], dropped=gone)
    kept = Pages(conn, page.work.source.id)
    kept.keep(kept.page(item))
    assert noted(conn, page) == [("in_stock", 900, NOW)]
    again = ProcessedPage(work=second.work, fetched=second.fetched, page_id=second.page_id, unchanged=True)
    assert noted(conn, again) == [("in_stock", 900, NOW)]
