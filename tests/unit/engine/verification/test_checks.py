"""What checks teach about a source's HEAD, asked of made-up sites that answer it in their own ways."""

from datetime import datetime

import pytest

from larder.core.model.page import Fetched
from larder.engine.work_items import Work
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.site import HeadSupport, RemovedItems, SimRequest, SimResponse
from larder.sim.virtual import _as_html
from tests.unit.engine.verification.harness import HOUR, START, VerificationHarness, url

LIVE = 30
GONE = 4


def harness(head: HeadSupport) -> tuple[VerificationHarness, list[str]]:
    """Records in doubt on a site that treats HEAD so; what was sent, in order."""
    truth = ClassifiedsTruth(
        seed=5,
        start=START,
        stock=LIVE + 10,
        arrivals_per_day=0,
        mean_life_days=10_000,
        price_changes_per_day=0,
        bumps_per_day=0,
    )
    site = ClassifiedsSite(name="homes.test", classifieds=truth, head=head, removed=RemovedItems.NOT_FOUND)
    sent: list[str] = []

    def ask(number: int, at: datetime, method: str) -> Fetched:
        sent.append(method)
        address = url(number)
        answer = site.answer(SimRequest.of(address, method), at)
        own = f"<title>Home {number}</title>".encode()
        shown = own if method == "GET" and answer.status == 200 else b""
        return _as_html(SimResponse(status=answer.status, headers=answer.headers, body=shown), address, at)

    def head_of(work: Work, at: datetime) -> Fetched:
        return ask(int(work.job.request.url.rpartition("/")[2]), at, "HEAD")

    made = VerificationHarness(says=lambda n, at, _: ask(n, at, "GET"))
    made.larder.fetch_tasks.head = head_of
    live = sorted(int(name) for name in truth.live(START))
    made.see([*live, *range(1, GONE + 1)])
    made.pass_time(25 * HOUR)
    made.see(live[LIVE:])
    return made, sent


def trust(made: VerificationHarness) -> tuple[int, ...]:
    ((*told,),) = made.ask("SELECT head_checks, head_compared, head_agreed FROM sources")
    return tuple(told)


def test_the_first_twenty_ask_both_ways_then_head_alone_is_enough_where_it_is_honest() -> None:
    made, sent = harness(HeadSupport.HONEST)
    made.verify()
    checks, compared, agreed = trust(made)
    assert (checks, compared, agreed) == (LIVE + GONE + 3, 20, 19), "a missing one is still to be told"
    assert sent.count("HEAD") == 20, "what was asked both ways"
    made.ask("UPDATE sources SET head_agreed = 20")
    made.pass_time(22 * HOUR)
    del sent[:]
    made.verify()
    assert sent.count("HEAD") > sent.count("GET"), "trusted now"


@pytest.mark.parametrize("head", [HeadSupport.LYING, HeadSupport.REFUSED])
def test_a_head_that_cannot_be_trusted_is_not_asked_again(head: HeadSupport) -> None:
    made, sent = harness(head)
    made.verify()
    assert trust(made)[1] == 20
    del sent[:]
    for _ in range(2):
        made.pass_time(22 * HOUR)
        made.verify()
    assert sent.count("HEAD") <= 2, "one in fifty still compares"


@pytest.mark.parametrize("head", list(HeadSupport))
def test_whatever_head_says_what_is_gone_is_found_and_what_is_there_stays(head: HeadSupport) -> None:
    made, _ = harness(head)
    for _ in range(3):
        made.verify()
        made.pass_time(7 * HOUR)
    assert made.gone() == set(range(1, GONE + 1))
    assert made.ask("SELECT count(*) FROM records WHERE active = 1") == [(LIVE + 10,)]
