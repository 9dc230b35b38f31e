"""Which rung a page comes by, and what is done about rungs that break."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched, Hop
from larder.core.model.source import FetcherName, Kind, Source, Tier
from larder.core.policy.quota import Quota
from larder.engine.clock import VirtualClock
from larder.stages.fetch.escalation import (
    EscalatingFetcher,
    EscalationReason,
    better_answer,
    next_fetcher,
    reason_to_escalate,
)
from larder.stages.fetch.exchange import Method
from larder.stages.fetch.relay import Relayed, RelayFailure, RelayFetcher
from larder.stages.fetch.request import FetchRequest

NOW = datetime(2026, 3, 1, tzinfo=UTC)
HTTP, BROWSER, RELAY = FetcherName.HTTP, FetcherName.BROWSER, FetcherName.RELAY
SHELL = b"<div id=root></div><script src=/app.js></script>"
PAGE = b"<p>" + b"A room with a view over the harbour. " * 10
URL = "https://shop.test/a"
SOURCE = Source(id=7, slug="shop", name="Shop", kind=Kind.PRODUCT, site_id=1, adapter="product", url=URL)


def came(outcome: FetchOutcome = FetchOutcome.OK, status: int | None = 200, **rest: Any) -> Fetched:
    body = rest.pop("body", PAGE if outcome is FetchOutcome.OK else b"")
    return Fetched(outcome=outcome, url=URL, final_url=URL, fetched_at=NOW, status=status, body=body, **rest)


OK = came()
EMPTY = came(body=SHELL)
BLOCKED = came(FetchOutcome.BLOCKED, 403)
LIMITED = came(FetchOutcome.BLOCKED, 429)
BROKEN = came(FetchOutcome.ERROR, None, error="it broke")


@dataclass
class Rung:
    """Answers in the order given; the last one stays."""

    name: FetcherName
    answers: list[Fetched]
    asked: list[FetchRequest] = field(default_factory=list)

    async def fetch(self, request: FetchRequest) -> Fetched:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return replace(answer, fetcher=self.name, hops=(Hop(url=URL, status=0, sent_at=NOW),))


class FakeRelay(RelayFetcher):
    """A relay that answers as told."""

    def __init__(self, *answers: Relayed) -> None:
        self.answers = list(answers)
        self.asked: list[FetchRequest] = []

    async def relay(self, request: FetchRequest) -> Relayed:
        self.asked.append(request)
        relayed = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return replace(relayed, fetched=replace(relayed.fetched, fetcher=RELAY))


@dataclass
class Notebook:
    """A fallback that writes down what it is told."""

    left: Quota = field(default_factory=Quota)
    stored: Fetched | None = None
    told: list[tuple[Any, ...]] = field(default_factory=list)

    async def suggest(self, source: Source, fetcher: FetcherName) -> None:
        self.told.append(("suggest", source.slug, fetcher))

    async def host_lost(self, source: Source, fetched: Fetched) -> None:  # noqa: ARG002
        self.told.append(("lost", source.slug))

    async def host_found(self, source: Source) -> None:
        self.told.append(("found", source.slug))

    async def quota(self) -> Quota:
        return self.left

    async def spend(self, cost: float) -> None:
        self.told.append(("spend", cost))

    async def quota_spent(self, source: Source | None, said: str | None) -> None:  # noqa: ARG002
        self.told.append(("spent", said))

    async def relay_down(self, source: Source, said: str) -> None:  # noqa: ARG002
        self.told.append(("down", source.slug))

    async def stored_page(self, source: Source, url: str, *, younger_than: timedelta) -> Fetched | None:
        assert (source.slug, url, younger_than) == ("shop", URL, timedelta(hours=24))
        return self.stored


def ladder(
    *rungs: Rung | FakeRelay, notes: Notebook | None = None, javascript: frozenset[str] = frozenset()
) -> EscalatingFetcher:
    named = {rung.name if isinstance(rung, Rung) else RELAY: rung for rung in rungs}
    clock = VirtualClock(NOW)
    return EscalatingFetcher(named, fallback=notes or Notebook(), clock=clock, javascript=javascript)


def ask(source: Source | None = SOURCE, **rest: Any) -> FetchRequest:
    return FetchRequest(url=URL, source=source, **rest)


@pytest.mark.parametrize(
    ("fetched", "why"),
    [
        (OK, None),
        (BLOCKED, EscalationReason.BLOCKED),
        (LIMITED, EscalationReason.BLOCKED),
        (EMPTY, EscalationReason.JAVASCRIPT),
        (replace(EMPTY, fetcher=BROWSER), None),
        (replace(EMPTY, fetcher=RELAY), EscalationReason.JAVASCRIPT),
        (came(FetchOutcome.BLOCKED, 451), None),
        (came(FetchOutcome.NOT_FOUND, 404), None),
        (came(FetchOutcome.ERROR, 500), None),
        (came(FetchOutcome.TIMEOUT, None), None),
        (came(FetchOutcome.ROBOTS_BLOCKED, None), None),
    ],
)
def test_reasons_to_climb(fetched: Fetched, why: EscalationReason | None) -> None:
    assert reason_to_escalate(fetched) is why


@pytest.mark.parametrize(
    ("after", "rungs", "up"),
    [
        (HTTP, {HTTP, BROWSER, RELAY}, BROWSER),
        (HTTP, {HTTP, RELAY}, RELAY),
        (HTTP, {HTTP}, None),
        (BROWSER, {HTTP, BROWSER, RELAY}, RELAY),
        (RELAY, {HTTP, BROWSER, RELAY}, None),
    ],
)
def test_the_next_fetcher(after: FetcherName, rungs: set[FetcherName], up: FetcherName | None) -> None:
    assert next_fetcher(after, rungs) is up


@pytest.mark.parametrize(
    ("lower", "higher", "kept"),
    [
        (BLOCKED, OK, OK),
        (BLOCKED, LIMITED, LIMITED),
        (EMPTY, BROKEN, EMPTY),
        (BLOCKED, replace(BROKEN, waiting=True), BLOCKED),
    ],
    ids=["a page", "the site spoke", "our own trouble", "no turn"],
)
def test_what_is_gone_on_with(lower: Fetched, higher: Fetched, kept: Fetched) -> None:
    assert better_answer(lower, higher) == kept


async def test_a_page_that_comes_is_asked_for_once() -> None:
    http, browser, notes = Rung(HTTP, [OK]), Rung(BROWSER, [OK]), Notebook()
    got = await ladder(http, browser, notes=notes).fetch(ask())
    assert (got.fetcher, len(http.asked), browser.asked, notes.told) == (HTTP, 1, [], [])


@pytest.mark.parametrize("first", [BLOCKED, LIMITED, EMPTY], ids=["403", "429", "shell"])
async def test_one_step_up_is_taken_and_suggested(first: Fetched) -> None:
    http, browser, notes = Rung(HTTP, [first]), Rung(BROWSER, [OK]), Notebook()
    got = await ladder(http, browser, notes=notes).fetch(ask(etag='"1"', slot=None))
    assert (got.outcome, got.fetcher, got.body, len(got.hops)) == (FetchOutcome.OK, BROWSER, PAGE, 2)
    assert notes.told == [("suggest", "shop", BROWSER)]
    assert (browser.asked[0].etag, browser.asked[0].javascript) == (None, first is EMPTY)


async def test_what_no_rung_brings_is_suggested_to_nobody() -> None:
    notes = Notebook()
    relay = FakeRelay(Relayed(fetched=BLOCKED, cost=1))
    got = await ladder(Rung(HTTP, [BLOCKED]), Rung(BROWSER, [LIMITED]), relay, notes=notes).fetch(ask())
    assert (got.outcome, got.status, got.fetcher) == (FetchOutcome.BLOCKED, 403, RELAY)
    assert notes.told == [("spend", 1)]


async def test_a_source_begins_on_its_own_rung() -> None:
    http, browser, notes = Rung(HTTP, [OK]), Rung(BROWSER, [OK]), Notebook()
    await ladder(http, browser, notes=notes).fetch(ask(replace(SOURCE, fetcher=BROWSER)))
    await ladder(http, browser, notes=notes, javascript=frozenset({"product"})).fetch(ask())
    assert (len(http.asked), len(browser.asked), notes.told) == (0, 2, [])


async def test_a_source_can_narrow_the_ladder() -> None:
    browser = Rung(BROWSER, [OK])
    narrow = replace(SOURCE, params={"ladder": ["http"]})
    got = await ladder(Rung(HTTP, [BLOCKED]), browser).fetch(ask(narrow))
    assert (got.outcome, browser.asked) == (FetchOutcome.BLOCKED, [])


async def test_what_goes_through_a_proxy_does_not_come_out_by_the_browser() -> None:
    browser, relay = Rung(BROWSER, [OK]), FakeRelay(Relayed(fetched=OK))
    got = await ladder(Rung(HTTP, [BLOCKED]), browser, relay).fetch(ask(proxied=True))
    assert (got.fetcher, browser.asked) == (RELAY, [])


async def test_a_rung_that_is_not_there_is_named() -> None:
    got = await ladder(Rung(HTTP, [OK])).fetch(ask(replace(SOURCE, fetcher=BROWSER)))
    assert (got.outcome, got.error) == (
        FetchOutcome.ERROR,
        "this deployment has no browser fetcher configured",
    )


async def test_head_is_asked_over_http_and_climbs_nowhere() -> None:
    http, browser, notes = Rung(HTTP, [BLOCKED]), Rung(BROWSER, [OK]), Notebook()
    rungs = ladder(http, browser, notes=notes)
    got = await rungs.fetch(ask(replace(SOURCE, fetcher=BROWSER), method=Method.HEAD))
    assert (got.outcome, browser.asked, notes.told) == (FetchOutcome.BLOCKED, [], [])


async def test_a_page_by_relay_is_paid_for() -> None:
    notes, relay = Notebook(), FakeRelay(Relayed(fetched=OK, cost=5))
    got = await ladder(Rung(HTTP, [EMPTY]), relay, notes=notes).fetch(ask())
    assert (got.fetcher, relay.asked[0].javascript) == (RELAY, True)
    assert notes.told == [("spend", 5), ("suggest", "shop", RELAY)]


STORED = came(body=b"<p>yesterday", headers={"x": "stored"})


@pytest.mark.parametrize("stored", [STORED, None], ids=["a young page", "none"])
async def test_a_spent_quota_is_not_asked_for_more(stored: Fetched | None) -> None:
    notes = Notebook(left=Quota(used=10, allowed=10), stored=stored)
    relay = FakeRelay(Relayed(fetched=OK))
    got = await ladder(Rung(HTTP, [BLOCKED]), relay, notes=notes).fetch(ask())
    assert (got.outcome, got.body) == (
        (FetchOutcome.OK, b"<p>yesterday") if stored else (FetchOutcome.BLOCKED, b"")
    )
    assert (relay.asked, notes.told) == ([], [("spent", None)])


async def test_a_relay_that_says_its_quota_is_spent_is_believed() -> None:
    said = replace(BROKEN, error="relay: answered 401 (No more credit)")
    notes = Notebook(stored=STORED)
    relay = FakeRelay(Relayed(fetched=said, failure=RelayFailure.SPENT))
    got = await ladder(relay, notes=notes).fetch(ask(replace(SOURCE, fetcher=RELAY)))
    assert got.body == b"<p>yesterday"
    assert notes.told == [("spent", "relay: answered 401 (No more credit)")]


async def test_a_short_quota_is_for_what_goes_stale_fastest() -> None:
    relay = FakeRelay(Relayed(fetched=OK, cost=1))
    notes = Notebook(left=Quota(used=90, allowed=100))
    rungs = ladder(Rung(HTTP, [BLOCKED]), relay, notes=notes)
    assert (await rungs.fetch(ask())).outcome is FetchOutcome.BLOCKED
    assert (await rungs.fetch(ask(replace(SOURCE, tier=Tier.HOT)))).outcome is FetchOutcome.OK
    assert len(relay.asked) == 1
    assert ("spent", None) not in notes.told


async def test_a_relay_is_down_after_three_calls_in_a_row() -> None:
    down = Relayed(fetched=BROKEN, failure=RelayFailure.DOWN)
    well = Relayed(fetched=OK)
    notes, relay = Notebook(), FakeRelay(down, down, well, down, down, down)
    rungs = ladder(relay, notes=notes)
    for _ in range(6):
        assert notes.told == []
        await rungs.fetch(ask(replace(SOURCE, fetcher=RELAY)))
    assert notes.told == [("down", "shop")]


@pytest.mark.parametrize("outcome", [FetchOutcome.DNS_ERROR, FetchOutcome.TLS_ERROR])
async def test_a_host_that_is_lost_is_told_and_taken_back(outcome: FetchOutcome) -> None:
    notes = Notebook()
    rungs = ladder(Rung(HTTP, [came(outcome, None), BROKEN, OK]), Rung(BROWSER, [OK]), notes=notes)
    for _ in range(4):
        await rungs.fetch(ask())
    assert notes.told == [("lost", "shop"), ("found", "shop")]


async def test_a_request_of_nobody_climbs_and_tells_nobody() -> None:
    notes = Notebook()
    got = await ladder(Rung(HTTP, [EMPTY]), Rung(BROWSER, [OK]), notes=notes).fetch(ask(None))
    assert (got.fetcher, notes.told) == (BROWSER, [])
