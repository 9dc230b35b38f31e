"""A redesign breaks what a source declares: it mends itself within two runs, or takes its mending back."""

import json
import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import pytest

from larder import adapters
from larder.core.model.run import RunKind
from larder.engine.healing.healer import Healer
from larder.engine.parse_workers.in_process import InProcess
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.layouts import Layout, selectors, shop_pages
from larder.sim.shop import ShopTruth
from larder.sim.shop_site import ShopSite
from larder.sim.site import SimRequest, SimResponse, SimSite
from larder.sim.virtual import run_inline
from larder.store.tables.columns import micros
from tests.integration.engine.harness import HOUR, START, Harness
from tests.proofs.redrawn import ALL, TILES, Redraw, both

RELAUNCH = START + 26 * HOUR


@dataclass(kw_only=True)
class Redrawn(SimSite):
    """Looks otherwise from certain moments on."""

    redraws: tuple[tuple[datetime, Redraw], ...] = ()

    def respond(self, request: SimRequest, at: datetime) -> SimResponse:
        response = super().respond(request, at)
        redraw = next((each for since, each in reversed(self.redraws) if at >= since), None)
        if redraw is None or b"<main" not in response.body:
            return response
        headers = {name: value for name, value in response.headers.items() if name != "ETag"}
        return replace(response, body=redraw(response.body.decode()).encode(), headers=headers)


@dataclass(kw_only=True)
class RedrawnHomes(Redrawn, ClassifiedsSite):
    """Homes to let."""


@dataclass(kw_only=True)
class RedrawnShop(Redrawn, ShopSite):
    """Goods."""


def redrawn_site(*redraws: tuple[datetime, Redraw]) -> RedrawnHomes:
    truth = ClassifiedsTruth(
        seed=3, start=START, stock=24, arrivals_per_day=3, price_changes_per_day=0.05, mean_life_days=60
    )
    return RedrawnHomes(
        name="homes.test", classifieds=truth, layout=Layout.CARDS, per_page=10, redraws=redraws
    )


def make_harness(site: Any, declared: Any = None, **source: Any) -> Harness:
    harness = Harness(site=site, kinds=frozenset({RunKind.DISCOVERY, RunKind.SWEEP}), tick_every=HOUR / 4)
    harness.add_source(
        **source,
        params={"selectors": declared or selectors(Layout.CARDS), "strategies": ["selectors"]},
        policy={"discovery_every": 3 * 3600, "sweep_every": 4 * 3600},
    )
    return harness


def live(harness: Harness, until: datetime) -> None:
    driver = harness.driver()
    known = {adapter.id: adapter for adapter in adapters.known()}
    healer = Healer(
        database=harness.database,
        blobs=harness.blobs,
        clock=harness.clock,
        adapters=known,
        runner=InProcess(),
    )
    driver.on_tick = healer.round
    run_inline(driver.run(until=until))


def truly_priced(harness: Harness, *, unseen: int = 0) -> None:
    """Every price that was ever said counted at some moment, and what counts now is so now."""
    ever: dict[str, set[int | None]] = {}
    at = START
    while at <= harness.clock.now():
        for name, price in harness.site.prices(at).items():
            ever.setdefault(name, set()).add(price)
        at += HOUR / 4
    said = harness.ask(
        "SELECT platform_id, amount FROM observations JOIN records ON records.id = record_id"
        " WHERE field = 'price' AND observations.voided_at IS NULL"
    )
    assert [(name, amount) for name, amount in said if amount not in ever[name]] == []
    now = harness.site.prices(harness.clock.now() - 3 * HOUR)
    shown = dict(harness.ask("SELECT platform_id, price_minor FROM records WHERE active = 1"))
    assert {name: shown[name] for name in now.keys() & shown.keys() if shown[name] not in ever[name]} == {}
    assert len(now.keys() - shown.keys()) <= unseen


def repairs(harness: Harness) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for field, status in harness.ask("SELECT field, status FROM repairs"):
        found.setdefault(status, set()).add(field)
    return found


def told(harness: Harness) -> list[str]:
    return [name for (name,) in harness.ask("SELECT name FROM alerts ORDER BY id")]


def runs_since(harness: Harness, moment: datetime) -> list[tuple[str, int, int]]:
    return [
        (kind, failed, extracted)
        for kind, failed, extracted, started in harness.ask(
            "SELECT kind, failed, extracted, started_at FROM runs ORDER BY id"
        )
        if started >= micros(moment)
    ]


@pytest.mark.parametrize("name", ["split price", "cards become a table", "a crossed-out price before some"])
def test_a_redesign_mends_itself_within_two_runs(name: str) -> None:
    how = next(each for each in ALL if each.name == name)
    harness = make_harness(redrawn_site((RELAUNCH, how.redraw)))
    live(harness, RELAUNCH + 9 * HOUR)
    first, second, *_ = [run for run in runs_since(harness, RELAUNCH) if run[0] == "discovery"]
    assert first[1] == 1
    assert second[1] == 0
    assert second[2] > 20
    fields = repairs(harness)
    assert set(fields) == {"applied"}
    assert {"index.row", "index.fields.price", "detail.fields.price"} <= fields["applied"]
    assert harness.ask("SELECT count(*) FROM dead_letters WHERE status <> 'resolved'") == [(0,)]
    assert not {"adapter_disabled", "selectors_broken"} & set(told(harness))
    assert harness.ask("SELECT count(*) FROM alerts WHERE resolved_at IS NULL") == [(0,)]
    truly_priced(harness)


def test_a_shop_heals_too() -> None:
    """What has no price is no product: here a redesign costs every row until it is mended."""
    how = next(each for each in ALL if each.name == "split prices of a shop")
    goods = ShopTruth(seed=4, start=START, goods=40, launches_per_day=0.5)
    site = RedrawnShop(
        name="shop.test",
        assortment=goods,
        layout=Layout.CARDS,
        per_page=15,
        redraws=((RELAUNCH, how.redraw),),
    )
    harness = make_harness(
        site, shop_pages.SELECTORS, kind="product", adapter="product", url="http://shop.test/products"
    )
    live(harness, RELAUNCH + 6 * HOUR)
    assert set(repairs(harness)) == {"applied"}
    joined = harness.ask("SELECT after FROM repairs WHERE field = 'index.fields.price'")
    assert json.loads(joined[0][0])["join"] == "."
    truly_priced(harness)


def test_a_repair_takes_itself_back_when_the_old_layout_returns() -> None:
    back = RELAUNCH + 9 * HOUR
    harness = make_harness(redrawn_site((RELAUNCH, TILES), (back, str)))
    live(harness, START + 55 * HOUR)
    assert set(repairs(harness)) <= {"taken_back", "superseded"}
    assert told(harness).count("repair_taken_back") == 2
    assert harness.ask("SELECT repaired FROM sources") == [(None,)]
    truly_priced(harness)


def deposits(html: str) -> str:
    """What was the price is something else now, and the price is nowhere."""
    return re.sub(
        r'class="amount">€ ([\d,]+)<',
        lambda found: f'class="amount">€ {int(found[1].replace(",", "")) * 3:,}<',
        html,
    )


def test_a_repair_that_reads_other_values_is_taken_back_and_its_run_void() -> None:
    worse = RELAUNCH + 9 * HOUR
    harness = make_harness(redrawn_site((RELAUNCH, TILES), (worse, both(TILES, deposits))))
    live(harness, worse + 9 * HOUR)
    assert {"index.fields.price"} <= repairs(harness)["taken_back"]
    assert told(harness).count("repair_taken_back") == 1
    assert harness.ask("SELECT count(*) FROM runs WHERE voided_by = 'healing'")[0][0] >= 1
    truly_priced(harness, unseen=3)


def test_what_cannot_be_proven_is_left_to_a_person() -> None:
    how = next(each for each in ALL if each.name == "two amounts and no word which")
    harness = make_harness(redrawn_site((RELAUNCH, how.redraw)))
    live(harness, RELAUNCH + 4 * HOUR)
    assert set(repairs(harness)) == {"suggested"}
    assert told(harness).count("selectors_broken") == 1
    proofs = [json.loads(proof) for (proof,) in harness.ask("SELECT proof FROM repairs")]
    assert any("another amount is shown beside it" in doubt for proof in proofs for doubt in proof["doubts"])
    truly_priced(harness)
