"""Three bad adapters deployed to a healthy source, over real HTTP: what visitors are told, and the repair.

A made-up shop is served on loopback, a real driver reads it, and what the public sees is asked of the API.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from larder.actions.operations import replay
from larder.actions.operations import runs as run_actions
from larder.actions.operations.replay import ReplayFilter, ReplayView
from larder.actions.sources import canary
from larder.actions.sources import sources as source_actions
from larder.actions.sources.canary import CanaryView
from larder.app import App, open_app
from larder.core.errors import Conflict
from larder.core.model.run import RunKind
from larder.core.policy.scheduling.gates import Gate
from larder.core.policy.trust.canary import CanaryState
from larder.engine.scheduling import adoption
from larder.settings import Settings
from larder.sim.layouts.shop_pages import SELECTORS
from larder.sim.server import SimServer
from larder.store.queue import schedules, sources
from tests.contract.faces import Client, caller_of
from tests.contract.world import held_back_reasons
from tests.integration.engine.deployment import BAD, CrossedOut, Shelf, raised, shop
from tests.integration.engine.harness import START

HOST = "goods.test"


@dataclass(kw_only=True)
class Place:
    """A Larder that reads the shop, and its visitors."""

    app: App
    visitor: Client
    truth: dict[str, int]

    def deploy(self, adapter: type[Shelf]) -> None:
        """From the next tick on this is what reads the shop."""
        known = {**self.app.dispatcher.adapters, "shelf": adapter()}
        only = frozenset({RunKind.DISCOVERY})
        self.app.scheduling = replace(self.app.dispatcher, adapters=known, kinds=only)

    async def run(self) -> None:
        """The source is due, and all that follows is done."""
        await self.app.run(schedules.run_now, 1, now=self.app.clock.now())
        async with self.app.driver() as driver:
            await driver.run(idle_ends=True)

    async def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return await self.app.run(lambda conn: [tuple(row) for row in conn.execute(text(sql))])

    async def seen(self) -> dict[str, int]:
        """What a visitor is told: prices by the shop's own number."""
        return {_number(each): each["price_minor"] for each in await self._records()}

    async def ever_told(self) -> dict[str, set[int]]:
        """Every price in the histories that a visitor may look at."""
        histories = [await self._get(f"/api/records/{each['id']}") for each in await self._records()]
        return {_number(each["record"]): {price["amount"] for price in each["prices"]} for each in histories}

    async def _records(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self._get("/api/records?limit=100"))["items"]
        return found

    async def _get(self, path: str) -> Any:
        answered = await self.visitor.get(path)
        assert answered.status_code == 200, answered.text
        return answered.json()

    async def replay(self, *, apply: bool) -> ReplayView:
        app, blobs = self.app, self.app.blobs()
        known = dict(app.dispatcher.adapters)
        steps = replay.replay(
            app.database,
            blobs,
            known,
            ReplayFilter(source="goods"),
            runner=app.parse_runner,
            apply=apply,
            who="ada",
            now=app.clock.now(),
        )
        try:
            return [view async for view in steps][-1]
        finally:
            await blobs.close()


def _number(record: dict[str, Any]) -> str:
    return str(record["url"]).partition("/product/")[2].partition("-")[0]


@asynccontextmanager
async def healthy(database_url: str, folder: Path, **fields: Any) -> AsyncIterator[Place]:
    """A public source that was read rightly."""
    site = shop(goods=24, per_page=10)
    settings = Settings(
        database=database_url,
        data=folder,
        strict=False,
        stagger_seconds=0,
        tick_seconds=1,
        allowed_hosts=["larder.test"],
    )
    async with AsyncExitStack() as stack:
        web = await stack.enter_async_context(SimServer([site], start=START, speed=0))
        app = await stack.enter_async_context(open_app(settings, resolver=web.resolver()))
        visitor = await stack.enter_async_context(caller_of(app)(""))
        truth = {name: price for name, price in site.prices(START).items() if price is not None}
        place = Place(app=app, visitor=visitor, truth=truth)
        place.deploy(Shelf)
        now = app.clock.now()
        await app.run(sources.ensure_site, HOST, {"local": 1, "spacing_ms": 1, "at_once": 8}, now=now)
        row = {"slug": "goods", "kind": "product", "adapter": "shelf", "url": f"http://{HOST}/products"}
        await app.run(sources.add, {**row, "currency": "EUR", "visibility": "public", **fields}, now=now)
        await app.run(adoption.adopt_sources, app.dispatcher, now=now)
        await place.run()
        yield place


async def _canary(app: App) -> CanaryView:
    """The versions of the only source."""
    (view,) = await app.run(canary.list_canaries)
    return view


@pytest.mark.parametrize("bad", [*BAD, raised(CrossedOut)], ids=lambda bad: f"{bad.__name__} {bad.version}")
async def test_a_bad_adapter_is_noticed_and_nothing_of_it_is_told(
    database_url: str, tmp_path: Path, bad: type[Shelf]
) -> None:
    async with healthy(database_url, tmp_path) as place:
        assert await place.seen() == place.truth
        place.deploy(bad)
        for _ in range(2):
            await place.run()
            assert await place.seen() == place.truth
        view = await _canary(place.app)
        assert (view.status, bool(view.objections)) == (CanaryState.REFUSED, True)
        why = await place.app.run(held_back_reasons, 1, place.app.dispatcher, now=place.app.clock.now())
        assert [reason.gate for reason in why["discovery"]] == [Gate.CANARY]
        assert await place.rows("SELECT name, resolved_at FROM alerts") == [("canary_refused", None)]
        place.deploy(Shelf)
        await place.run()
        assert await place.rows("SELECT DISTINCT adapter_version FROM versions") == [(view.active,)]
        assert await place.ever_told() == {name: {price} for name, price in place.truth.items()}


@pytest.mark.parametrize(("age_days", "status"), [(0, CanaryState.PROVEN), (2, CanaryState.REFUSED)])
async def test_l10_12_a_young_source_is_not_stopped_by_what_its_operator_declares(
    database_url: str, tmp_path: Path, age_days: int, status: CanaryState
) -> None:
    rules = {"selectors": deepcopy(dict(SELECTORS))}
    async with healthy(database_url, tmp_path, adapter="product", params=rules) as place:
        for part in ("index", "detail"):
            rules["selectors"][part]["fields"]["title"] = ".price"
        app = place.app
        since = app.clock.now() - timedelta(days=age_days)
        await app.run(sources.update_source, 1, {"created_at": since}, now=app.clock.now())
        actor: dict[str, Any] = {"who": "me", "now": app.clock.now()}
        await app.run(source_actions.edit, "goods", {"params": rules}, app.dispatcher, **actor)
        await place.run()
        view = await _canary(app)
        assert (view.status, bool(view.objections)) == (status, True)


@pytest.mark.parametrize("age_days", [0, 2], ids=["young", "established"])
async def test_l10_12_a_run_started_by_hand_reads_a_young_source_as_its_operator_declares_it(
    database_url: str, tmp_path: Path, age_days: int
) -> None:
    rules = {"selectors": deepcopy(dict(SELECTORS))}
    async with healthy(database_url, tmp_path, adapter="product", params=rules) as place:
        rules["selectors"]["index"]["fields"]["brand"] = ".maker b"
        app, now = place.app, place.app.clock.now()
        since = {"created_at": now - timedelta(days=age_days)}
        await app.run(sources.update_source, 1, since, now=now)
        actor: dict[str, Any] = {"who": "me", "now": now}
        await app.run(source_actions.edit, "goods", {"params": rules}, app.dispatcher, **actor)
        assert (await _canary(app)).status == CanaryState.WAITING, "the next tick compares it"
        given = ("goods", RunKind.DISCOVERY, app.dispatcher)
        if age_days:
            with pytest.raises(Conflict, match="compared on stored pages first"):
                await app.run(run_actions.start, *given, **actor)
        else:
            assert (await app.run(run_actions.start, *given, **actor)).status == "running"


async def test_what_a_person_let_through_by_mistake_is_repaired(database_url: str, tmp_path: Path) -> None:
    async with healthy(database_url, tmp_path) as place:
        place.deploy(CrossedOut)
        app = place.app
        await app.run(canary.accept, "shelf", HOST, app.dispatcher.adapters, who="ada", now=app.clock.now())
        await place.run()
        misread = await place.seen()
        assert misread != place.truth

        place.deploy(Shelf)
        looked = await place.replay(apply=False)
        assert looked.differing == sum(misread[name] != price for name, price in place.truth.items())
        assert {each.field for each in looked.fields} == {"price", "price_minor"}
        await app.run(canary.accept, "shelf", HOST, app.dispatcher.adapters, who="ada", now=app.clock.now())
        assert await place.seen() == misread
        mended = await place.replay(apply=True)
        assert mended.differing == looked.differing
        assert await place.seen() == place.truth
        audited = [action for (action,) in await place.rows("SELECT action FROM audit ORDER BY id")]
        assert audited == ["version accepted", "version accepted", "replay began", "replay ended"]
        await place.run()
        assert await place.ever_told() == {name: {price} for name, price in place.truth.items()}


async def test_a_better_version_becomes_active_by_itself(database_url: str, tmp_path: Path) -> None:
    async with healthy(database_url, tmp_path) as place:
        before = (await _canary(place.app)).active
        place.deploy(raised(Shelf))
        await place.run()
        view = await _canary(place.app)
        assert (view.status, view.active == before, view.active[:6]) == (CanaryState.PROVEN, False, "1.1.0+")
        assert view.comparison is not None
        assert (view.comparison.pages > len(place.truth), view.comparison.differs) == (True, False)
        await place.run()
        runs = await place.rows("SELECT adapter_version FROM runs ORDER BY id")
        assert runs == [(before,), (view.active,)]
