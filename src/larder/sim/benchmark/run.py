"""Runs a policy on the benchmark's site in virtual time and scores it."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from larder.core.model.page import FeedAddress, Fetched
from larder.core.model.source import Plan
from larder.engine.work_items import Work
from larder.sdk.urls import canonical_url
from larder.sim.benchmark.policies import PolicySetup
from larder.sim.benchmark.scoring import PolicyScore, Scorer
from larder.sim.benchmark.worlds import Classifieds, ScoredSite, World
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.database import Connection, inline_database
from larder.store.dataset import positions
from larder.store.queue import feed_targets
from larder.store.reads import shown_records

START = datetime(2026, 3, 2, tzinfo=UTC)
WARM_UP = timedelta(days=3)
"""The first pass through the site is not scored."""
STEP = timedelta(minutes=15)
ProgressCallback = Callable[[float], None]
"""Called with the progress of a run, from 0 to 1."""


@dataclass(slots=True)
class _CountedWeb:
    """A web that counts its requests by the hour."""

    web: SimWeb
    hours: Counter[int] = field(default_factory=Counter)

    def answer(self, work: Work, at: datetime) -> Fetched:
        self.hours[int(at.timestamp() // 3600)] += 1
        return self.web(work, at)

    def head(self, work: Work, at: datetime) -> Fetched:
        self.hours[int(at.timestamp() // 3600)] += 1
        return self.web.head(work, at)


def score_policy(
    setup: PolicySetup,
    *,
    days: float,
    seed: int,
    world: World | None,
    warm_up: timedelta = WARM_UP,
    progress: ProgressCallback | None = None,
) -> PolicyScore:
    """Let the policy keep the dataset for these days, after a warm-up, and compare it with the truth."""
    begins = START + warm_up
    ends = begins + timedelta(days=days)
    scored = (world or Classifieds())(seed=seed, start=START, until=ends)
    larder, web = _larder(setup, SimWeb.of([scored.site]), seed)
    source_id = _add_source(larder, setup, scored)
    scorer = Scorer(step=STEP, monitored=scored.monitored)
    with _rare_collections():
        for before, at in _steps(START, ends):
            larder.run(at)
            if setup.absent_after_passes:
                larder.database.now(_hide_absent, source_id, setup.absent_after_passes, now=at)
            if at <= begins:
                continue
            scorer.happened(scored.events(before, at))
            records = larder.database.now(shown_records.list_shown, source_id, now=at)
            scorer.sample(at, scored.live(at), records)
            if progress is not None:
                progress((at - START) / (ends - START))
    first_hour = int(begins.timestamp() // 3600)
    return scorer.result(
        policy=setup.name,
        seed=seed,
        requests={hour: count for hour, count in web.hours.items() if hour >= first_hour},
        seen=larder.database.now(shown_records.list_seen, source_id),
        prices=larder.database.now(shown_records.list_prices, source_id, since=begins),
        until=ends,
    )


def _add_source(larder: VirtualLarder, setup: PolicySetup, scored: ScoredSite) -> int:
    site = scored.site
    source_id = larder.add_source(
        slug="scored",
        url=f"http://{site.name}{site.INDEX_PATH}",
        currency="EUR",
        plan=setup.plan,
        **scored.source,
        **setup.source,
    )
    if setup.plan is Plan.MONITOR:
        addresses = [FeedAddress(url, canonical_url(url)) for url in scored.targets]
        at = larder.clock.now()
        larder.database.now(feed_targets.add, source_id, addresses, read_at=at, who="the benchmark", now=at)
    return source_id


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Collect garbage less often: it took a fifth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _hide_absent(conn: Connection, source_id: int, passes: int, *, now: datetime) -> None:
    """Hide records that the last passes in a row did not show."""
    began = shown_records.last_passes(conn, source_id, passes)
    if len(began) == passes:
        absent = shown_records.list_not_seen_since(conn, source_id, began[-1])
        positions.hide(conn, absent, now=now)


def _larder(setup: PolicySetup, sites: SimWeb, seed: int) -> tuple[VirtualLarder, _CountedWeb]:
    larder = VirtualLarder(sites, start=START, seed=seed, database=inline_database(), kinds=setup.kinds)
    web = _CountedWeb(sites)
    larder.fetch_tasks.answer, larder.fetch_tasks.head = web.answer, web.head
    return larder, web


def _steps(start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Pairs of moments, one step apart."""
    at = start
    while at < end:
        yield at, at + STEP
        at += STEP
