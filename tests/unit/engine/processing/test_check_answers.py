"""What an answer says about the record it was asked for."""

from typing import Any

import pytest

from larder.adapters.listing.adapter import Listing
from larder.core.model.job import Job, PageRequest, Purpose, Stage
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import CheckResult
from larder.core.model.site import POLITENESS, Preset
from larder.engine.processing import check_answers
from larder.engine.work_items import FetchedWork, Work
from larder.store.queue.lanes import Lane
from tests.unit.engine.verification.harness import START
from tests.unit.runs.events import source

URL = "https://homes.test/listing/7"


def fetched(outcome: FetchOutcome = FetchOutcome.OK, html: str = "", **values: Any) -> Fetched:
    given = {"url": URL, "final_url": URL, "fetched_at": START, "headers": {"content-type": "text/html"}}
    return Fetched(outcome=outcome, body=html.encode(), **{**given, **values})


def said(answer: Fetched, *, method: str = "get", params: dict[str, Any] | None = None) -> CheckResult:
    return check_answers.check_result(carried(answer, method=method, params=params), Listing())


def carried(
    answer: Fetched, *, method: str, params: dict[str, Any] | None = None, head: Fetched | None = None
) -> FetchedWork:
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
    return FetchedWork(
        work=Work(job=job, source=source(params=params or {}), lane=lane), fetched=answer, head=head
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
    monkeypatch.setattr(Listing, "gone_words", ("ha trovato casa",))
    assert said(fetched(html="<h1>Ha trovato casa!</h1>")) is CheckResult.GONE


def test_head_has_no_body_to_be_empty() -> None:
    assert said(fetched(), method="head") is CheckResult.ALIVE
    assert said(fetched(), method="both") is CheckResult.UNDECIDED
    both = carried(fetched(html="<h1>Home</h1>"), method="both", head=fetched())
    assert check_answers.head_result(both, Listing()) is CheckResult.ALIVE
    assert check_answers.head_result(carried(fetched(), method="get"), Listing()) is None
