"""Bad adapters deployed to a healthy source: noticed within two runs, and nothing of theirs gets out."""

from datetime import timedelta
from typing import Any

import pytest

from larder.actions.sources.canary import accept
from larder.core.policy.trust.canary import CanaryState
from tests.integration.engine.deployment import BAD, CrossedOut, Deployment, FindsNothing, Shelf, raised
from tests.integration.engine.harness import HOUR, MINUTE, START

RUNS = timedelta(minutes=31)
SECOND = timedelta(seconds=1)


def healthy(hours: float = 3) -> Deployment:
    """A source that has been read rightly for a while."""
    harness = Deployment()
    harness.plant()
    harness.run(START + hours * HOUR)
    return harness


def true_prices(harness: Deployment) -> dict[str, set[int]]:
    """Every price at which a thing was ever sold so far."""
    shop, now = harness.site.assortment, harness.clock.now()
    prices = {name: {offer.price} for name, offer in shop.live(START).items()}
    for event in shop.events(START, now):
        prices.setdefault(event.offer.platform_id, set()).add(event.offer.price)
    return prices


def watch(harness: Deployment, until: Any) -> None:
    """Let time pass, looking at what the public sees every ten minutes."""
    while harness.clock.now() < until:
        harness.run(min(harness.clock.now() + 10 * MINUTE, until))
        true = true_prices(harness)
        wrong = {name: price for name, price in harness.shown().items() if price not in true[name]}
        assert not wrong
        assert harness.shown()


def canary(harness: Deployment) -> Any:
    return harness.ask("SELECT status, active, candidate FROM canaries")[0]


@pytest.mark.parametrize("how", [lambda a: a, raised], ids=["under the same version", "with a new version"])
@pytest.mark.parametrize("bad", BAD)
def test_a_bad_adapter_never_gets_a_value_out(bad: type[Shelf], how: Any) -> None:
    harness = healthy()
    good = canary(harness)[1]
    harness.adapter = how(bad)()
    watch(harness, harness.clock.now() + 2 * RUNS)
    status, active, candidate = canary(harness)
    assert (status, active) == (CanaryState.REFUSED, good)
    assert candidate != good
    assert harness.ask(
        "SELECT count(*) FROM versions WHERE adapter_version <> (SELECT active FROM canaries)"
    ) == [(0,)]
    ((name, times),) = harness.ask("SELECT name, times FROM alerts WHERE resolved_at IS NULL")
    assert (name, times) == ("canary_refused", 1)


# -- the fence ---------------------------------------------------------------------------------------------


def half_read() -> Deployment:
    """A first run, cut off in its middle by a process that ended."""
    harness = Deployment()
    harness.plant()
    harness.run(START + 10 * SECOND)
    ((open_jobs,),) = harness.ask("SELECT open_jobs FROM runs")
    assert open_jobs
    assert harness.ask("SELECT id FROM records")
    return harness


def unread(harness: Deployment) -> list[Any]:
    return harness.ask(
        "SELECT id FROM jobs WHERE stage = 'parse' AND status = 'pending' AND page_id IS NOT NULL"
    )


def test_pages_of_a_run_under_way_are_kept_and_wait_unread() -> None:
    """A new process goes on with the run, and has another adapter."""
    harness = half_read()
    before = harness.ask("SELECT count(*) FROM versions")
    harness.adapter = CrossedOut()
    harness.run(harness.clock.now() + 5 * MINUTE)
    assert harness.ask("SELECT count(*) FROM versions") == before
    assert unread(harness)
    assert harness.ask("SELECT id FROM dead_letters") == []


def test_they_are_read_when_the_right_version_is_back() -> None:
    harness, whole = half_read(), Deployment()
    harness.adapter = FindsNothing()
    harness.run(harness.clock.now() + 5 * MINUTE)
    fetched = harness.fetches()
    harness.adapter = Shelf()
    whole.plant()
    for each in (harness, whole):
        each.run(START + 20 * MINUTE)
    assert unread(harness) == []
    assert harness.shown() == whole.shown()
    assert all(harness.fetches()[url] == times for url, times in fetched.items()), (
        "no page is asked for twice"
    )


def test_a_version_with_nothing_to_compare_with_is_active_at_once() -> None:
    harness = healthy(1)
    harness.blobs.bodies.clear()
    harness.adapter = raised(Shelf)()
    harness.run(harness.clock.now() + 2 * RUNS)
    status, active, candidate = canary(harness)
    assert (status, active[:6], candidate) == (CanaryState.PROVEN, "1.1.0+", None)
    flagged = harness.ask("SELECT flagged FROM runs WHERE adapter_version LIKE '1.1.0%' ORDER BY id")
    assert flagged[:2] == [(1,), (0,)], "its first run is for a person to look at"


def test_after_a_person_accepted_a_version_what_it_stores_is_the_measure() -> None:
    harness = healthy(1)
    harness.adapter = CrossedOut()
    here, now = {"shelf": harness.adapter}, harness.clock.now()
    harness.do(lambda conn: accept(conn, "shelf", None, here, who="ada", now=now))
    harness.run(harness.clock.now() + RUNS)
    harness.adapter = raised(CrossedOut)()
    harness.run(harness.clock.now() + RUNS)
    assert canary(harness)[:1] == (CanaryState.PROVEN,)
    harness.adapter = Shelf()
    harness.run(harness.clock.now() + RUNS)
    assert canary(harness)[:1] == (CanaryState.REFUSED,)


def test_going_back_to_the_version_before_takes_the_alert_back() -> None:
    harness = healthy(1)
    good = canary(harness)[1]
    harness.adapter = FindsNothing()
    harness.run(harness.clock.now() + RUNS)
    assert canary(harness)[0] == CanaryState.REFUSED
    harness.adapter = Shelf()
    harness.run(harness.clock.now() + RUNS)
    assert canary(harness) == (CanaryState.PROVEN, good, None)
    assert harness.ask("SELECT id FROM alerts WHERE resolved_at IS NULL") == []


def test_a_refused_version_is_tried_once_and_a_mended_one_anew() -> None:
    harness = healthy(1)
    harness.adapter = FindsNothing()
    harness.run(harness.clock.now() + 4 * RUNS)
    ((judged,),) = harness.ask("SELECT judged_at FROM canaries")
    harness.run(harness.clock.now() + 4 * RUNS)
    assert harness.ask("SELECT judged_at FROM canaries") == [(judged,)]
    harness.adapter = raised(Shelf)()
    harness.run(harness.clock.now() + RUNS)
    assert canary(harness)[0] == CanaryState.PROVEN
    assert harness.ask("SELECT id FROM alerts WHERE resolved_at IS NULL") == []


def test_a_new_source_does_not_begin_with_what_was_refused_beside_it() -> None:
    harness = healthy(1)
    harness.adapter = CrossedOut()
    harness.run(harness.clock.now() + RUNS)
    harness.plant(slug="more", url="http://goods.test/products?for=more")
    harness.run(harness.clock.now() + RUNS)
    assert (
        harness.ask(
            "SELECT runs.id FROM runs JOIN sources ON sources.id = runs.source_id WHERE slug = 'more'"
        )
        == []
    )
    harness.adapter = Shelf()
    harness.run(harness.clock.now() + RUNS)
    assert harness.ask(
        "SELECT count(*) > 0 FROM records JOIN sources ON sources.id = source_id WHERE slug = 'more'"
    ) == [(1,)]
