"""Bad adapters deployed to a healthy source: noticed within two runs, and nothing of theirs gets out."""

from datetime import timedelta
from typing import Any

import pytest

from larder.core.policy.canary import Standing
from tests.integration.engine.deployed import BAD, Deployment, Shelf, raised
from tests.integration.engine.laboratory import HOUR, MINUTE, START

RUNS = timedelta(minutes=30)


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
    assert (status, active) == (Standing.REFUSED, good)
    assert candidate != good
    assert lab.ask(
        "SELECT count(*) FROM versions WHERE adapter_version <> (SELECT active FROM canaries)"
    ) == [(0,)]
    ((name, times),) = lab.ask("SELECT name, times FROM alerts WHERE resolved_at IS NULL")
    assert (name, times) == ("canary_refused", 1)
