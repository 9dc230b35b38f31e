"""Bad adapters deployed to a healthy source: noticed within two runs, and nothing of theirs gets out."""

from datetime import timedelta
from typing import Any

import pytest

from larder.actions.sources.canary import accept
from larder.core.policy.trust.canary import CanaryState
from tests.integration.engine.deployed import BAD, CrossedOut, Deployment, FindsNothing, Shelf, raised
from tests.integration.engine.laboratory import HOUR, MINUTE, START

RUNS = timedelta(minutes=31)
SECOND = timedelta(seconds=1)


def healthy(hours: float = 3) -> Deployment:
    """A source that has been read rightly for a while."""
    lab = Deployment()
    lab.plant()
    lab.run(START + hours * HOUR)
    return lab


def true_prices(lab: Deployment) -> dict[str, set[int]]:
    """Every price at which a thing was ever sold so far."""
    shop, now = lab.site.assortment, lab.clock.now()
    prices = {name: {offer.price} for name, offer in shop.live(START).items()}
    for event in shop.events(START, now):
        prices.setdefault(event.offer.platform_id, set()).add(event.offer.price)
    return prices


def watch(lab: Deployment, until: Any) -> None:
    """Let time pass, looking at what the public sees every ten minutes."""
    while lab.clock.now() < until:
        lab.run(min(lab.clock.now() + 10 * MINUTE, until))
        true = true_prices(lab)
        wrong = {name: price for name, price in lab.shown().items() if price not in true[name]}
        assert not wrong
        assert lab.shown()


def canary(lab: Deployment) -> Any:
    return lab.ask("SELECT status, active, candidate FROM canaries")[0]


@pytest.mark.parametrize("how", [lambda a: a, raised], ids=["under the same version", "with a new version"])
@pytest.mark.parametrize("bad", BAD)
def test_a_bad_adapter_never_gets_a_value_out(bad: type[Shelf], how: Any) -> None:
    lab = healthy()
    good = canary(lab)[1]
    lab.adapter = how(bad)()
    watch(lab, lab.clock.now() + 2 * RUNS)
    status, active, candidate = canary(lab)
    assert (status, active) == (CanaryState.REFUSED, good)
    assert candidate != good
    assert lab.ask(
        "SELECT count(*) FROM versions WHERE adapter_version <> (SELECT active FROM canaries)"
    ) == [(0,)]
    ((name, times),) = lab.ask("SELECT name, times FROM alerts WHERE resolved_at IS NULL")
    assert (name, times) == ("canary_refused", 1)


# -- the fence ---------------------------------------------------------------------------------------------


def half_read() -> Deployment:
    """A first run, cut off in its middle by a process that ended."""
    lab = Deployment()
    lab.plant()
    lab.run(START + 10 * SECOND)
    ((open_jobs,),) = lab.ask("SELECT open_jobs FROM runs")
    assert open_jobs
    assert lab.ask("SELECT id FROM records")
    return lab


def unread(lab: Deployment) -> list[Any]:
    return lab.ask("SELECT id FROM jobs WHERE stage = 'parse' AND status = 'pending' AND page_id IS NOT NULL")


def test_pages_of_a_run_under_way_are_kept_and_wait_unread() -> None:
    """A new process goes on with the run, and has another adapter."""
    lab = half_read()
    before = lab.ask("SELECT count(*) FROM versions")
    lab.adapter = CrossedOut()
    lab.run(lab.clock.now() + 5 * MINUTE)
    assert lab.ask("SELECT count(*) FROM versions") == before
    assert unread(lab)
    assert lab.ask("SELECT id FROM dead_letters") == []


def test_they_are_read_when_the_right_version_is_back() -> None:
    lab, whole = half_read(), Deployment()
    lab.adapter = FindsNothing()
    lab.run(lab.clock.now() + 5 * MINUTE)
    fetched = lab.fetches()
    lab.adapter = Shelf()
    whole.plant()
    for each in (lab, whole):
        each.run(START + 20 * MINUTE)
    assert unread(lab) == []
    assert lab.shown() == whole.shown()
    assert all(lab.fetches()[url] == times for url, times in fetched.items()), "no page is asked for twice"


def test_a_version_with_nothing_to_compare_with_is_active_at_once() -> None:
    lab = healthy(1)
    lab.blobs.bodies.clear()
    lab.adapter = raised(Shelf)()
    lab.run(lab.clock.now() + 2 * RUNS)
    status, active, candidate = canary(lab)
    assert (status, active[:6], candidate) == (CanaryState.PROVEN, "1.1.0+", None)
    flagged = lab.ask("SELECT flagged FROM runs WHERE adapter_version LIKE '1.1.0%' ORDER BY id")
    assert flagged[:2] == [(1,), (0,)], "its first run is for a person to look at"


def test_after_a_person_accepted_a_version_what_it_stores_is_the_measure() -> None:
    lab = healthy(1)
    lab.adapter = CrossedOut()
    here, now = {"shelf": lab.adapter}, lab.clock.now()
    lab.do(lambda conn: accept(conn, "shelf", None, here, who="ada", now=now))
    lab.run(lab.clock.now() + RUNS)
    lab.adapter = raised(CrossedOut)()
    lab.run(lab.clock.now() + RUNS)
    assert canary(lab)[:1] == (CanaryState.PROVEN,)
    lab.adapter = Shelf()
    lab.run(lab.clock.now() + RUNS)
    assert canary(lab)[:1] == (CanaryState.REFUSED,)


def test_going_back_to_the_version_before_takes_the_alert_back() -> None:
    lab = healthy(1)
    good = canary(lab)[1]
    lab.adapter = FindsNothing()
    lab.run(lab.clock.now() + RUNS)
    assert canary(lab)[0] == CanaryState.REFUSED
    lab.adapter = Shelf()
    lab.run(lab.clock.now() + RUNS)
    assert canary(lab) == (CanaryState.PROVEN, good, None)
    assert lab.ask("SELECT id FROM alerts WHERE resolved_at IS NULL") == []


def test_a_refused_version_is_tried_once_and_a_mended_one_anew() -> None:
    lab = healthy(1)
    lab.adapter = FindsNothing()
    lab.run(lab.clock.now() + 4 * RUNS)
    ((judged,),) = lab.ask("SELECT judged_at FROM canaries")
    lab.run(lab.clock.now() + 4 * RUNS)
    assert lab.ask("SELECT judged_at FROM canaries") == [(judged,)]
    lab.adapter = raised(Shelf)()
    lab.run(lab.clock.now() + RUNS)
    assert canary(lab)[0] == CanaryState.PROVEN
    assert lab.ask("SELECT id FROM alerts WHERE resolved_at IS NULL") == []


def test_a_new_source_does_not_begin_with_what_was_refused_beside_it() -> None:
    lab = healthy(1)
    lab.adapter = CrossedOut()
    lab.run(lab.clock.now() + RUNS)
    lab.plant(slug="more", url="http://goods.test/products?for=more")
    lab.run(lab.clock.now() + RUNS)
    assert (
        lab.ask("SELECT runs.id FROM runs JOIN sources ON sources.id = runs.source_id WHERE slug = 'more'")
        == []
    )
    lab.adapter = Shelf()
    lab.run(lab.clock.now() + RUNS)
    assert lab.ask(
        "SELECT count(*) > 0 FROM records JOIN sources ON sources.id = source_id WHERE slug = 'more'"
    ) == [(1,)]
