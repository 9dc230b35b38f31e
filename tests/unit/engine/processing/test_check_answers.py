"""What an answer says about the record it was asked for."""

from typing import Any

import pytest

from larder.adapters.listing.adapter import Listing
from larder.core.model.job import Job, PageRequest, Purpose, Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import Verdict
from larder.core.model.site import POLITENESS, Preset
from larder.engine.processing import check_answers
from larder.engine.work_items import Carried, Work
from larder.store.queue.lanes import Lane
from tests.unit.engine.doubting import START
from tests.unit.runs.events import source

URL = "https://homes.test/listing/7"


def fetched(outcome: FetchOutcome = FetchOutcome.OK, html: str = "", **values: Any) -> Fetched:
    given = {"url": URL, "final_url": URL, "fetched_at": START, "headers": {"content-type": "text/html"}}
    return Fetched(outcome=outcome, body=html.encode(), **{**given, **values})


def said(answer: Fetched, *, method: str = "get", params: dict[str, Any] | None = None) -> Verdict:
    return check_answers.of_check(carried(answer, method=method, params=params), Listing())


def carried(
    answer: Fetched, *, method: str, params: dict[str, Any] | None = None, head: Fetched | None = None
) -> Carried:
    request = PageRequest(url=URL, purpose=Purpose.CHECK, context={"method": method})
    job = Job(id=1, run_id=1, source_id=1, site_id=1, request=request, stage=Stage.FETCH, attempts=0)
    lane = Lane(
        site_id=1,
        domain="homes.test",
        local=False,
        token=1,
        open_at=START,
        politeness=POLITENESS[Preset.GENTLE],
    )
    return Carried(
        work=Work(job=job, source=source(params=params or {}), lane=lane), fetched=answer, head=head
    )


LONG = "<p>" + "A home with a view, and more to say about it. " * 100 + "</p>"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param(fetched(html="<title>Home 7</title>"), Verdict.ALIVE, id="its own page"),
        pytest.param(fetched(FetchOutcome.NOT_MODIFIED), Verdict.ALIVE, id="as it was"),
        pytest.param(fetched(FetchOutcome.NOT_FOUND), Verdict.STRIKE, id="404"),
        pytest.param(fetched(FetchOutcome.GONE), Verdict.GONE, id="410"),
        pytest.param(fetched(FetchOutcome.TIMEOUT), Verdict.UNDECIDED, id="timeout"),
        pytest.param(fetched(FetchOutcome.BLOCKED), Verdict.UNDECIDED, id="blocked"),
        pytest.param(fetched(FetchOutcome.ERROR), Verdict.UNDECIDED, id="5xx"),
        pytest.param(fetched(FetchOutcome.ROBOTS_BLOCKED), Verdict.UNDECIDED, id="robots"),
        pytest.param(fetched(html="<h1>No longer available</h1>"), Verdict.GONE, id="it says so"),
        pytest.param(fetched(html="<h1>Reeds verhuurd</h1>"), Verdict.GONE, id="in Dutch"),
        pytest.param(fetched(html="<title>404 Not Found</title>"), Verdict.STRIKE, id="a soft 404"),
        pytest.param(fetched(), Verdict.UNDECIDED, id="an empty page speaks for nobody"),
        pytest.param(fetched(html="  \n "), Verdict.UNDECIDED, id="a blank one neither"),
        pytest.param(
            fetched(html="<title>Just a moment...</title>"),
            Verdict.UNDECIDED,
            id="nor does a wall that answers 200",
        ),
        pytest.param(
            fetched(html=f"<title>Home 7</title>{LONG}<footer>solve the captcha</footer>"),
            Verdict.ALIVE,
            id="a page with content is no wall",
        ),
        pytest.param(fetched(final_url="https://homes.test/"), Verdict.STRIKE, id="led to the home page"),
        pytest.param(fetched(final_url="https://homes.test/listings"), Verdict.STRIKE, id="led to the index"),
        pytest.param(
            fetched(final_url="https://homes.test/home/7", html="<h1>Home</h1>"), Verdict.ALIVE, id="moved"
        ),
        pytest.param(
            fetched(html=f"<main><article>{LONG} It has been sold before.</article></main>"),
            Verdict.ALIVE,
            id="prose is no notice",
        ),
    ],
)
def test_what_it_says(answer: Fetched, expected: Verdict) -> None:
    assert said(answer) is expected


def test_a_source_may_have_words_of_its_own() -> None:
    page = fetched(html="<h1>Ha trovato casa!</h1>")
    assert said(page) is Verdict.ALIVE
    assert said(page, params={"gone_words": ["HA TROVATO CASA"]}) is Verdict.GONE
    assert said(page, params={"gone_words": "trovato casa"}) is Verdict.GONE
    assert said(page, params={"gone_words": ["", " "]}) is Verdict.ALIVE


def test_so_may_an_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listing, "gone_words", ("ha trovato casa",))
    assert said(fetched(html="<h1>Ha trovato casa!</h1>")) is Verdict.GONE


def test_head_has_no_body_to_be_empty() -> None:
    assert said(fetched(), method="head") is Verdict.ALIVE
    assert said(fetched(), method="both") is Verdict.UNDECIDED
    both = carried(fetched(html="<h1>Home</h1>"), method="both", head=fetched())
    assert check_answers.of_head(both, Listing()) is Verdict.ALIVE
    assert check_answers.of_head(carried(fetched(), method="get"), Listing()) is None
