"""What an answer says about the record it was asked for."""

from typing import Any

import pytest

from larder.adapters.listing.adapter import GenericListing
from larder.core.model.job import Job, PageRequest, Purpose, Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched, LastPage
from larder.core.model.run import CheckResult
from larder.core.model.site import POLITENESS, Preset
from larder.engine.processing import check_answers
from larder.engine.work_items import FetchedWork, Work
from larder.store.queue.lanes import Lane
from tests.unit.engine.verification.harness import LOGIN, START
from tests.unit.runs.events import source

URL = "https://homes.test/listing/7"


def fetched(outcome: FetchOutcome = FetchOutcome.OK, html: str = "", **values: Any) -> Fetched:
    given = {"url": URL, "final_url": URL, "fetched_at": START, "headers": {"content-type": "text/html"}}
    return Fetched(outcome=outcome, body=html.encode(), **{**given, **values})


def said(answer: Fetched, *, method: str = "get", **given: Any) -> CheckResult:
    return check_answers.check_result(carried(answer, method=method, **given), GenericListing())


def carried(
    answer: Fetched,
    *,
    method: str,
    params: dict[str, Any] | None = None,
    head: Fetched | None = None,
    signs: dict[str, str | None] | None = None,
    last: LastPage | None = None,
) -> FetchedWork:
    context = {"method": method, "signs": signs}
    request = PageRequest(url=URL, purpose=Purpose.CHECK, context=context)
    job = Job(id=1, run_id=1, source_id=1, site_id=1, request=request, stage=Stage.FETCH, attempts=0)
    lane = Lane(
        site_id=1,
        domain="homes.test",
        local=False,
        token=1,
        open_at=START,
        politeness=POLITENESS[Preset.GENTLE],
    )
    return FetchedWork(
        work=Work(job=job, source=source(params=params or {}), lane=lane, last=last),
        fetched=answer,
        head=head,
    )


LONG = "<p>" + "A home with a view, and more to say about it. " * 100 + "</p>"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param(fetched(html="<title>Home 7</title>"), CheckResult.ALIVE, id="its own page"),
        pytest.param(fetched(FetchOutcome.NOT_MODIFIED), CheckResult.ALIVE, id="as it was"),
        pytest.param(fetched(FetchOutcome.NOT_FOUND), CheckResult.STRIKE, id="404"),
        pytest.param(fetched(FetchOutcome.GONE), CheckResult.GONE, id="410"),
        pytest.param(fetched(FetchOutcome.TIMEOUT), CheckResult.UNDECIDED, id="timeout"),
        pytest.param(fetched(FetchOutcome.BLOCKED), CheckResult.UNDECIDED, id="blocked"),
        pytest.param(fetched(FetchOutcome.ERROR), CheckResult.UNDECIDED, id="5xx"),
        pytest.param(fetched(FetchOutcome.ROBOTS_BLOCKED), CheckResult.UNDECIDED, id="robots"),
        pytest.param(fetched(html="<h1>No longer available</h1>"), CheckResult.GONE, id="it says so"),
        pytest.param(fetched(html="<h1>Reeds verhuurd</h1>"), CheckResult.GONE, id="in Dutch"),
        pytest.param(fetched(html="<title>404 Not Found</title>"), CheckResult.STRIKE, id="a soft 404"),
        pytest.param(fetched(), CheckResult.UNDECIDED, id="an empty page speaks for nobody"),
        pytest.param(fetched(html="  \n "), CheckResult.UNDECIDED, id="a blank one neither"),
        pytest.param(
            fetched(html="<title>Just a moment...</title>"),
            CheckResult.UNDECIDED,
            id="nor does a wall that answers 200",
        ),
        pytest.param(
            fetched(html=f"<title>Home 7</title>{LONG}<footer>solve the captcha</footer>"),
            CheckResult.ALIVE,
            id="a page with content is no wall",
        ),
        pytest.param(fetched(final_url="https://homes.test/"), CheckResult.STRIKE, id="led to the home page"),
        pytest.param(
            fetched(final_url="https://homes.test/listings"), CheckResult.STRIKE, id="led to the index"
        ),
        pytest.param(
            fetched(final_url="https://homes.test/home/7", html="<h1>Home</h1>"),
            CheckResult.ALIVE,
            id="moved",
        ),
        pytest.param(
            fetched(html=f"<main><article>{LONG} It has been sold before.</article></main>"),
            CheckResult.ALIVE,
            id="prose is no notice",
        ),
    ],
)
def test_what_it_says(answer: Fetched, expected: CheckResult) -> None:
    assert said(answer) is expected


def test_a_source_may_have_words_of_its_own() -> None:
    page = fetched(html="<h1>Ha trovato casa!</h1>")
    assert said(page) is CheckResult.ALIVE
    assert said(page, params={"gone_words": ["HA TROVATO CASA"]}) is CheckResult.GONE
    assert said(page, params={"gone_words": "trovato casa"}) is CheckResult.GONE
    assert said(page, params={"gone_words": ["", " "]}) is CheckResult.ALIVE


def test_so_may_an_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GenericListing, "gone_words", ("ha trovato casa",))
    assert said(fetched(html="<h1>Ha trovato casa!</h1>")) is CheckResult.GONE


def test_head_has_no_body_to_be_empty() -> None:
    assert said(fetched(), method="head") is CheckResult.ALIVE
    assert said(fetched(), method="both") is CheckResult.UNDECIDED
    both = carried(fetched(html="<h1>Home</h1>"), method="both", head=fetched())
    assert check_answers.head_result(both, GenericListing()) is CheckResult.ALIVE
    assert check_answers.head_result(carried(fetched(), method="get"), GenericListing()) is None


FLAT = {"title": "Sunny flat with a garden in Graz", "id": "48151623", "price": "1250.00"}
ELSEWHERE = "https://homes.test/listing/48151623/sunny-flat"
LIST = "<h1>Flats in Graz</h1><ul><li>Attic, 1,250 €</li><li>Sunny flat with a garden in Graz</li></ul>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<h1>Sunny flat with a garden in Graz</h1>", CheckResult.ALIVE, id="its title"),
        pytest.param(
            "<title>Sunny Flat (with garden) in Graz | Homes</title>", CheckResult.ALIVE, id="reworded"
        ),
        pytest.param("<p>Sunny flat, with a garden, in Graz.</p>", CheckResult.ALIVE, id="in its text"),
        pytest.param(
            '<script type="application/json">{"title":"Sunny flat with a garden in Graz"}</script><p>',
            CheckResult.ALIVE,
            id="in its state",
        ),
        pytest.param(
            f'<link rel="canonical" href="{URL}"><h1>A flat</h1>', CheckResult.ALIVE, id="its address"
        ),
        pytest.param("<h1>A flat</h1><p>Reference: 48151623</p>", CheckResult.ALIVE, id="its identifier"),
        pytest.param('<h1>A flat</h1><div data-id="48151623">', CheckResult.ALIVE, id="in an attribute"),
        pytest.param("<h1>A flat</h1><b>€ 1.250,00</b>", CheckResult.ALIVE, id="its price"),
        pytest.param("<h1>A flat</h1><b>1 250 €</b>", CheckResult.ALIVE, id="its price without cents"),
        pytest.param(LOGIN, CheckResult.STRIKE, id="a login form"),
        pytest.param(
            f'{LOGIN}<a href="/listing/48151623">back to /listing/48151623</a>',
            CheckResult.STRIKE,
            id="a login form that leads back",
        ),
        pytest.param("<h1>Flats in Graz</h1><p>12 rooms</p>", CheckResult.STRIKE, id="about something else"),
        pytest.param("<h1>No longer available</h1>", CheckResult.GONE, id="the site's own words weigh more"),
    ],
)
def test_l10_25_alive_needs_identity_title_or_price(html: str, expected: CheckResult) -> None:
    assert said(fetched(html=html), signs=FLAT) is expected


@pytest.mark.parametrize(
    ("final_url", "html", "expected"),
    [
        pytest.param(ELSEWHERE, "<h1>Sunny flat with a garden in Graz</h1>", CheckResult.ALIVE, id="moved"),
        pytest.param(ELSEWHERE, "<h1>Top flat!</h1><p>Ref. 48151623</p>", CheckResult.ALIVE, id="renamed"),
        pytest.param("https://homes.test/graz", LIST, CheckResult.STRIKE, id="to a list of others"),
        pytest.param("https://homes.test/login?next=/listing/7", LOGIN, CheckResult.STRIKE, id="to a login"),
        pytest.param("https://homes.test/en/", LIST, CheckResult.STRIKE, id="to a home page in a language"),
        pytest.param(
            "https://homes.test/index.html", LIST, CheckResult.STRIKE, id="to a home page by its file"
        ),
        pytest.param(
            "https://homes.test/listings?gone=7",
            "<h1>Sunny flat with a garden in Graz</h1>",
            CheckResult.STRIKE,
            id="to the index",
        ),
    ],
)
def test_l10_4_a_redirect_counts_by_where_it_leads(final_url: str, html: str, expected: CheckResult) -> None:
    assert said(fetched(html=html, final_url=final_url), signs=FLAT) is expected


@pytest.mark.parametrize(("items", "expected"), [(1, CheckResult.ALIVE), (0, CheckResult.UNDECIDED)])
def test_l10_25_an_unchanged_page_proves_what_it_proved_before(items: int, expected: CheckResult) -> None:
    last = LastPage(id=1, content_hash="x", adapter_version="1", yielded=items)
    assert said(fetched(FetchOutcome.NOT_MODIFIED), signs=FLAT, last=last) is expected
