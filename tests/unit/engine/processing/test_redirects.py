"""Pages whose addresses lead to the home page or the index instead; by issue L10, point 4."""

import pytest

from larder.adapters.product.adapter import GenericProduct
from larder.core.model.job import Job, PageRequest, Purpose, Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched, Hop
from larder.core.model.site import POLITENESS, Preset
from larder.engine.parse_workers.in_process import InProcess
from larder.engine.processing.process_page import process_page
from larder.engine.work_items import FetchedWork, ProcessedPage, Work
from larder.store.queue.lanes import Lane
from tests.unit.engine.verification.harness import START
from tests.unit.runs.events import source

SHOP = "https://shop.test"
HOME = b"<title>Acme</title><h1>Welcome to Acme</h1><p>Best offer: Blue lamp</p><b class=price>$ 19.99</b>"


async def read(url: str, final_url: str, purpose: Purpose, index: str = f"{SHOP}/lamps") -> ProcessedPage:
    request = PageRequest(url=url, purpose=purpose, context={"target": 1})
    job = Job(id=1, run_id=1, source_id=1, site_id=1, request=request, stage=Stage.FETCH, attempts=0)
    polite = POLITENESS[Preset.GENTLE]
    lane = Lane(site_id=1, domain="shop.test", local=False, token=1, open_at=START, politeness=polite)
    fetched = Fetched(
        outcome=FetchOutcome.OK,
        url=url,
        final_url=final_url,
        fetched_at=START,
        status=200,
        headers={"content-type": "text/html"},
        body=HOME,
        hops=(Hop(url=url, status=301, sent_at=START), Hop(url=final_url, status=200, sent_at=START)),
    )
    work = Work(job=job, source=source(url=index, kind="product", adapter="product"), lane=lane)
    return await process_page(FetchedWork(work=work, fetched=fetched), GenericProduct(), InProcess())


@pytest.mark.parametrize("purpose", [Purpose.TARGET, Purpose.DETAIL, Purpose.CHECK])
@pytest.mark.parametrize(
    ("url", "final_url"),
    [
        pytest.param("/p/1", "/", id="home"),
        pytest.param("/p/1", "/en/", id="home in a language"),
        pytest.param("/p/1", "/lamps?gone=1", id="index"),
        pytest.param("/?p=1", "/", id="home, of a page that a parameter names"),
    ],
)
async def test_l10_4_a_page_that_leads_home_is_not_there_whoever_asked(
    url: str, final_url: str, purpose: Purpose
) -> None:
    found = await read(SHOP + url, SHOP + final_url, purpose)
    assert (found.fetched.outcome, found.fetched.status) == (FetchOutcome.NOT_FOUND, 301)
    assert found.fetched.error == f"redirected to {SHOP}{final_url}"
    assert found.reading is None, "what stands there is about others"
    assert not found.staged


@pytest.mark.parametrize(
    ("url", "final_url", "purpose"),
    [
        pytest.param("/p/1", "/lamp-blue", Purpose.TARGET, id="renamed"),
        pytest.param("/", "/en/", Purpose.TARGET, id="the home page itself is the target"),
        pytest.param("/lamps?colour=red", "/lamps", Purpose.TARGET, id="a variant of the source's page"),
        pytest.param("/lamps?page=2", "/", Purpose.INDEX, id="an index page"),
    ],
)
async def test_l10_4_other_redirects_are_read(url: str, final_url: str, purpose: Purpose) -> None:
    found = await read(SHOP + url, SHOP + final_url, purpose)
    assert found.fetched.outcome is FetchOutcome.OK
    assert found.reading is not None
