"""A page that leads to another record's page is not the record's own; on both databases."""

from typing import Any

import pytest
from sqlalchemy import Connection

from larder.core.model.item import Extracted
from larder.core.model.job import Job, PageRequest, Purpose, Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched, Hop
from larder.core.model.site import POLITENESS, Preset
from larder.engine.commit import other_records
from larder.engine.work_items import ProcessedPage, Work
from larder.store.queue import sources
from larder.store.queue.lanes import Lane
from tests.contract.world import NOW, Pages, source, staged, unit_of_work

SITE = "https://homes.test"
OWN, OTHER, RENAMED = f"{SITE}/listing/1", f"{SITE}/listing/2", f"{SITE}/listing/1-sunny-flat"


def came(conn: Connection, source_id: int, final_url: str, purpose: Purpose, **context: Any) -> ProcessedPage:
    """The page of the first record, as it came from there."""
    request = PageRequest(url=OWN, purpose=purpose, context=context)
    job = Job(id=9, run_id=1, source_id=source_id, site_id=1, request=request, stage=Stage.FETCH, attempts=0)
    polite = POLITENESS[Preset.GENTLE]
    lane = Lane(site_id=1, domain="homes.test", local=False, token=1, open_at=NOW, politeness=polite)
    hops = (Hop(url=OWN, status=301, sent_at=NOW), Hop(url=final_url, status=200, sent_at=NOW))
    got = Fetched(outcome=FetchOutcome.OK, url=OWN, final_url=final_url, fetched_at=NOW, hops=hops)
    work = Work(job=job, source=sources.load(conn, [source_id])[source_id], lane=lane)
    shown = [staged(2, url=final_url)]
    return ProcessedPage(work=work, fetched=got, page_id=5, reading=Extracted(), staged=shown)


@pytest.mark.parametrize("context", [{"key": "PID:1"}, {}], ids=["asked for by its key", "a target"])
@pytest.mark.parametrize(
    ("kind", "final_url", "outcome"),
    [
        pytest.param("listing", OTHER, FetchOutcome.NOT_FOUND, id="to another record"),
        pytest.param("listing", RENAMED, FetchOutcome.OK, id="to an address that is new"),
        pytest.param("listing", OWN + "?utm_source=x", FetchOutcome.OK, id="to itself"),
        pytest.param("event", OTHER, FetchOutcome.OK, id="of events that may share a page"),
    ],
)
@unit_of_work
def test_l10_5_a_page_that_leads_to_another_record_gives_its_record_nothing(
    conn: Connection, kind: str, final_url: str, outcome: FetchOutcome, context: dict[str, Any]
) -> None:
    homes = source(conn, kind=kind)
    pages = Pages(conn, homes)
    pages.keep(pages.page(staged(1, url=OWN), staged(2, url=OTHER)))
    purpose = Purpose.DETAIL if context else Purpose.TARGET
    (found,) = other_records.redirected_as_missing(conn, [came(conn, homes, final_url, purpose, **context)])
    assert found.fetched.outcome is outcome
    assert bool(found.staged) is (outcome is FetchOutcome.OK)
    if outcome is FetchOutcome.NOT_FOUND:
        assert found.fetched.status == 301
        assert found.fetched.error == f"redirected to {OTHER}, the page of another record"


@unit_of_work
def test_l10_5_a_target_that_was_never_read_is_read_wherever_it_leads(conn: Connection) -> None:
    homes = source(conn)
    pages = Pages(conn, homes)
    pages.keep(pages.page(staged(2, url=OTHER)))
    (found,) = other_records.redirected_as_missing(conn, [came(conn, homes, OTHER, Purpose.TARGET)])
    assert found.fetched.outcome is FetchOutcome.OK
